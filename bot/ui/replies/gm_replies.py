"""What the GM is shown and asked."""

from bot.table.gm.game_clock import ClockView
from bot.table.gm.gm import PurgePreview
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Accent, Button, Look, Reply
from bot.ui.text.text import escape, shorten

LONGEST = 4000


def purge_reply(preview: PurgePreview) -> Reply:
    """What a purge would remove, with a button that does it."""
    lines = [
        f"**This removes everything I keep about this server**: {preview.campaigns} campaigns, "
        f"{preview.characters} characters, every session, the whole journal and all seeds.",
        "It cannot be taken back. Get the journal with /gm export first.",
    ]
    buttons = (
        Button(id=press_id("purge", "yes"), label="Remove everything", look=Look.GRAVE),
        Button(id=press_id("purge", "no"), label="Keep it"),
    )
    return Reply(text="\n".join(lines), accent=Accent.FAILURE, rows=(buttons,), is_private=True)


def purged_reply(*, is_purged: bool) -> Reply:
    """What stands in place of the question once it was answered."""
    text = "Everything about this server is removed." if is_purged else "Nothing was removed."
    return Reply(text=text, is_private=True)


def clock_reply(view: ClockView) -> Reply:
    """The game clock, and what it will bring."""
    waiting = [f"- {escape(line)}" for line in view.waiting] or ["Nothing waits for a moment to come."]
    return Reply(text=shorten("\n".join([f"It is **{view.moment}**.", *waiting]), LONGEST), is_private=True)
