"""What the GM is asked before something goes for good."""

from bot.table.gm import PurgePreview
from bot.ui.presses import press_id
from bot.ui.reply import Accent, Button, Look, Reply


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
