"""Pictures that people upload in forms."""

import discord

from bot.rules.kernel.errors import UserError
from bot.table.characters.portrait_files import KINDS, LARGEST_FILE, too_large
from bot.ui.input.answer import promise_change
from bot.ui.input.presses import Interaction, Press
from bot.ui.text.reply import FileField

PICTURE = "picture"


def picture_field(*, least: int = 0) -> FileField:
    """The field of a form in which a picture is uploaded."""
    note = f"{KINDS}, up to {LARGEST_FILE // 1024 // 1024} MiB; it is made smaller"
    return FileField(key=PICTURE, label="Picture", note=note, least=least)


async def uploaded_picture(interaction: Interaction, press: Press) -> bytes:
    """Download the picture that came with a form; nothing if none did.

    Raises:
        UserError: If it is too large, or Discord doesn't give it away.
    """
    uploaded = press.files.get(PICTURE, ())
    if not uploaded:
        return b""
    if uploaded[0].size > LARGEST_FILE:
        raise too_large(uploaded[0].size)
    await promise_change(interaction)
    try:
        return await uploaded[0].read()
    except discord.HTTPException:
        raise UserError("I couldn't download your picture.", try_this="Upload it again.") from None
