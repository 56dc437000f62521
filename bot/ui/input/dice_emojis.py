"""The bot's own emojis: a picture of each die with the number it shows; dice in what is sent become them.

Replies say dice in text (`bot.ui.text.die_text`). Where an application's emojis are known, the text of a die
becomes its emoji when the reply is sent; everything else about the reply stays.
"""

import asyncio
import io
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import discord
import structlog
from msgspec import Struct
from msgspec.structs import replace

from bot.ui.input.discord_format import finish_with
from bot.ui.text.charts import AMBER, BLUE, GREEN, PLACES, PURPLE, RED, Colour
from bot.ui.text.reply import Block, ButtonBeside, Pictured
from bot.ui.text.roll_text import D6

if TYPE_CHECKING:
    from PIL import ImageDraw


PREFIX = "tk_"  # of every name; names stay as they are, so that nothing is uploaded twice
SIDE = 96  # pixels: twice the largest that Discord shows
FINER = 3  # drawn larger and scaled down, for smooth edges
PIPS_SIDES = 6
WHITE, BLACK, GREY, RIM = (250, 249, 246), (38, 37, 34), (226, 222, 212), (120, 116, 106)


class Outline(Struct, frozen=True):
    """How a kind of die is drawn."""

    # Its corners; how many, or where they are in a square of side 1.
    corners: int | tuple[tuple[float, float], ...]
    colour: Colour
    middle: float = 0.5  # the height of its number
    size: float = 0.58  # the size of its number


OUTLINES = {
    4: Outline(((0.5, 0.04), (0.98, 0.92), (0.02, 0.92)), RED, 0.64, 0.52),
    8: Outline(((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)), GREEN),
    10: Outline(((0.5, 0.0), (1.0, 0.42), (0.94, 0.62), (0.5, 1.0), (0.06, 0.62), (0.0, 0.42)), PURPLE),
    12: Outline(5, AMBER, 0.54),
    20: Outline(6, BLUE),
}


class DieEmoji(Struct, frozen=True):
    """A die as an emoji."""

    sides: int  # what kind of die
    face: int  # what it shows
    is_dropped: bool = False  # whether it does not count

    @property
    def name(self) -> str:
        """The emoji's name, which is also what a screen reader says."""
        return f"{PREFIX}d{self.sides}_{self.face}{'_dropped' if self.is_dropped else ''}"


def die_emojis() -> tuple[DieEmoji, ...]:
    """Every emoji of the bot, those that are seen most first."""
    pips = [DieEmoji(PIPS_SIDES, face, dropped) for dropped in (False, True) for face in PLACES]
    others = [DieEmoji(sides, face) for sides in OUTLINES for face in range(1, sides + 1)]
    return (*pips, *others)


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    return frozenset(one.name for one in die_emojis())


def is_ours(name: str) -> bool:
    """Whether an emoji of this name is drawn here."""
    return name in _names()


def emoji_picture(emoji: DieEmoji) -> bytes:
    """A PNG of an emoji, a few kilobytes."""
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    side = SIDE * FINER
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    shape = OUTLINES.get(emoji.sides)
    if shape is None:
        _draw_pips(pen, emoji, side)
    else:
        corners = _corners(shape.corners)
        pen.polygon([(x * (side - 1), y * (side - 1)) for x, y in corners], fill=shape.colour)
        font = ImageFont.load_default(side * shape.size)
        where = (side / 2, side * shape.middle)
        # The built-in font has one weight: an edge of its own colour makes it legible when small.
        number, edge = str(emoji.face), side // 60
        pen.text(where, number, font=font, fill=WHITE, anchor="mm", stroke_width=edge, stroke_fill=WHITE)
    file = io.BytesIO()
    image.resize((SIDE, SIDE), Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


def _corners(corners: int | tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """The corners of a shape; a number of them stand evenly in a circle, one on top."""
    if not isinstance(corners, int):
        return list(corners)
    angles = [2 * math.pi * number / corners for number in range(corners)]
    return [(0.5 + math.sin(angle) / 2, 0.5 - math.cos(angle) / 2) for angle in angles]


def _draw_pips(pen: "ImageDraw.ImageDraw", emoji: DieEmoji, side: int) -> None:
    fill, dots = (GREY, RIM) if emoji.is_dropped else (WHITE, BLACK)
    edge = side // 24
    pen.rounded_rectangle((0, 0, side - 1, side - 1), side // 5, fill=fill, outline=RIM, width=edge)
    for across, down in PLACES[emoji.face]:
        x, y, dot = side * (0.24 + across * 0.26), side * (0.24 + down * 0.26), side * 0.1
        pen.ellipse((x - dot, y - dot, x + dot, y + dot), fill=dots)
    if emoji.is_dropped:
        pen.line((edge, side - edge, side - edge, edge), fill=RED, width=side // 10)


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
