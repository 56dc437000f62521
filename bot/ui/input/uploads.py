"""Pictures that people upload in forms."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.rules.kernel.errors import UserError
from bot.table.base.pictures import KINDS, LARGEST_FILE, too_large
from bot.ui.input.answer import promise_change
from bot.ui.input.presses import Interaction, Press
from bot.ui.text.reply import FileField

PICTURE = "picture"


def picture_field(*, least: int = 0) -> FileField:
    """The field of a form in which a picture is uploaded."""
    note = f"{KINDS}, up to {LARGEST_FILE // 1024 // 1024} MiB; it is made smaller"
    return FileField(key=PICTURE, label="Picture", note=note, least=least)


@asynccontextmanager
async def uploaded_picture(interaction: Interaction, press: Press) -> AsyncIterator[bytes]:
    """Download the picture that came with a form, to be used inside; nothing if none did.

    A person's next picture is refused until this one is saved.

    Raises:
        UserError: If it is too large, or Discord doesn't give it away.
    """
    uploaded = press.files.get(PICTURE, ())
    if not uploaded:
        yield b""
        return
    if uploaded[0].size > LARGEST_FILE:
        raise too_large(uploaded[0].size)
    await promise_change(interaction)
    async with interaction.client.table.pictures.upload_of(interaction.user.id):
        yield await _downloaded(uploaded[0])


async def _downloaded(uploaded: discord.Attachment) -> bytes:
    try:
        return await uploaded.read()
    except discord.HTTPException:
        raise UserError("I couldn't download your picture.", try_this="Upload it again.") from None
