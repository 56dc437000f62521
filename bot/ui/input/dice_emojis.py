"""The bot's own emojis in what it sends: dice are drawn where Discord has their pictures, and text elsewhere.

Replies say dice in text (`bot.ui.text.die_text`). Where an application's emojis are known, the text of a die
becomes its emoji when the reply is sent; everything else about the reply stays.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord
import structlog

from bot.ui.input.discord_format import finish_with
from bot.ui.text.emoji_pictures import DieEmoji, die_emojis, emoji_picture, is_ours
from bot.ui.text.reply import Block, ButtonBeside, Pictured
from bot.ui.text.roll_text import D6

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

TOO_MANY_REQUESTS, FIRST_FAULT_OF_DISCORD = 429, 500

# What `die_text` writes. What people write is escaped, so that it never looks like a die with its face.
# A look at the first character is enough where no die begins.
_DICE = re.compile(
    rf"(?=[~{D6}d])(?:~~(?:([{D6}])|d6 \*\*([1-6])\*\*)~~|~~[^~]+~~|([{D6}])"
    r"|(?<!\w)d(4|6|8|10|12|20) \*\*([0-9]{1,2})\*\*)"
)
_known: dict[str, str] = {}


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


def set_emojis(ids: Mapping[str, int]) -> None:
    """Use these emojis from now on: the id of each by its name."""
    _known.clear()
    _known.update((name, f"<:{name}:{id_}>") for name, id_ in ids.items())
    finish_with(blocks_with_emojis)


def blocks_with_emojis(blocks: Sequence[Block], longest: int) -> list[Block]:
    """The blocks with their dice as emojis; as they are where that is too long."""
    if not _known:
        return list(blocks)
    drawn = [_block(block) for block in blocks]
    length = sum(len(_text(block)) for block in drawn)
    return drawn if length <= longest else list(blocks)


def _block(block: Block) -> Block:
    match block:
        case str():
            return _DICE.sub(_drawn, block)
        case ButtonBeside() | Pictured():
            return replace(block, text=_DICE.sub(_drawn, block.text))
        case _:
            return block


def _text(block: Block) -> str:
    match block:
        case str():
            return block
        case ButtonBeside() | Pictured():
            return block.text
        case _:
            return ""


def _drawn(found: "re.Match[str]") -> str:
    dropped, named, pips, sides, face = found.groups()
    if not (dropped or named or pips or sides):  # other text that is struck through, which no emoji can be
        return found[0]
    if sides:
        emoji = DieEmoji(int(sides), int(face))
    elif named:
        emoji = DieEmoji(len(D6), int(named), is_dropped=True)
    else:
        emoji = DieEmoji(len(D6), D6.index(dropped or pips) + 1, is_dropped=bool(dropped))
    return _known.get(emoji.name, found[0])
