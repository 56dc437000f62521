"""Replies to GM commands."""

from bot.table.gm.game_clock import ClockView
from bot.table.gm.gm import PurgePreview
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Accent, Button, Look, Reply
from bot.ui.text.text import escape, shorten

LONGEST = 4000


def purge_reply(preview: PurgePreview) -> Reply:
    """A preview of what a purge removes, with the button that does it."""
    campaigns = f"{preview.campaigns} campaign{'' if preview.campaigns == 1 else 's'}"
    characters = f"{preview.characters} character{'' if preview.characters == 1 else 's'}"
    lines = [
        f"**This deletes everything I store about this server**: {campaigns}, "
        f"{characters}, every session, the whole journal and all seeds.",
        "This can't be undone. Download the journal with /gm export first.",
    ]
    buttons = (
        Button(id=press_id("purge", "yes"), label="Delete everything", look=Look.GRAVE),
        Button(id=press_id("purge", "no"), label="Keep it"),
    )
    return Reply(text="\n".join(lines), accent=Accent.FAILURE, rows=(buttons,), is_private=True)


def purged_reply(*, is_purged: bool) -> Reply:
    """The text that replaces the purge question once it is answered."""
    text = "Everything about this server has been deleted." if is_purged else "Nothing was deleted."
    return Reply(text=text, is_private=True)


def clock_reply(view: ClockView) -> Reply:
    """The game clock and the running timers."""
    waiting = [f"- {escape(line)}" for line in view.waiting] or ["No timers are running."]
    return Reply(text=shorten("\n".join([f"It is **{view.moment}**.", *waiting]), LONGEST), is_private=True)
