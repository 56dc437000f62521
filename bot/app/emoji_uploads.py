"""Uploading the bot's own emojis, once."""

import asyncio

import discord
import structlog

from bot.ui.input.dice_emojis import set_emojis
from bot.ui.text.emoji_pictures import die_emojis, emoji_picture, is_ours

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

TOO_MANY_REQUESTS, FIRST_FAULT_OF_DISCORD = 429, 500


async def provide_emojis(bot: discord.Client, *, uploads: bool) -> None:
    """Use the application's emojis, and upload those that are missing, one by one.

    Where Discord takes none, replies say dice in text.

    Args:
        uploads: Whether this process uploads; only one of several does.

    Raises:
        discord.HTTPException: If Discord can't do it just now; what is there by then is used.
    """
    try:
        known = {one.name: one.id for one in await bot.fetch_application_emojis() if is_ours(one.name)}
        set_emojis(known)
        missing = [one for one in die_emojis() if one.name not in known] if uploads else []
        for one in missing:
            picture = await asyncio.to_thread(emoji_picture, one)
            known[one.name] = (await bot.create_application_emoji(name=one.name, image=picture)).id
            set_emojis(known)
    except discord.HTTPException as error:
        if error.status == TOO_MANY_REQUESTS or error.status >= FIRST_FAULT_OF_DISCORD:
            raise
        log.warning("emojis not uploaded", reason=str(error))
    else:
        log.info("emojis ready", uploaded=len(missing))
