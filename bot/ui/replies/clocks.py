"""Pictures of countdowns: a ring with one segment per step and the numbers in the middle."""

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.rules.shared.countdowns import Kind, Side
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent

if TYPE_CHECKING:
    from PIL import ImageDraw

SIZE = 176  # pixels: twice what Discord shows beside a text
FINER = 3  # drawn larger and scaled down, for smooth edges
RING = 0.5  # how far in the parts reach
GAP_DEGREES = 5.0
TOP_DEGREES = -90.0
MIDDLE = (43, 45, 49, 255)  # a dark disc, so that the numbers are read on light and on dark
NUMBERS = (255, 255, 255, 255)
TO_COME = (142, 146, 151, 150)


@dataclass(frozen=True, slots=True)
class Clock:
    """The input of a countdown's picture; equal inputs give the same picture.

    Attributes:
        value: How far it is; None where that is hidden.
        difficulty: In how many parts it is; None likewise.
        kind: What moves it.
        side: Whose it is.
    """

    value: int | None
    difficulty: int | None
    kind: Kind = Kind.SUCCESS
    side: Side = Side.PLAYERS


@lru_cache(maxsize=256)
def draw(clock: Clock) -> bytes:
    """A PNG of a countdown, a few kilobytes."""
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    size = SIZE * FINER
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    _draw_ring(pen, clock, size)
    inner = size * RING / 2
    box = (size / 2 - inner, size / 2 - inner, size / 2 + inner, size / 2 + inner)
    pen.ellipse(box, fill=MIDDLE)
    is_known = clock.value is not None and clock.difficulty is not None
    text = f"{clock.value}/{clock.difficulty}" if is_known else "?"
    font = ImageFont.load_default(size * (0.2 if len(text) < 4 else 0.15))
    pen.text((size / 2, size / 2), text, font=font, fill=NUMBERS, anchor="mm")
    drawn = io.BytesIO()
    image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(drawn, "PNG", optimize=True)
    return drawn.getvalue()


def _draw_ring(pen: "ImageDraw.ImageDraw", clock: Clock, size: int) -> None:
    """Draw the segments clockwise from the top, filled ones in the colour of the side that gains."""
    parts = clock.difficulty or 1
    filled = clock.value or 0
    gap = GAP_DEGREES if parts > 1 else 0
    box = (FINER, FINER, size - FINER, size - FINER)
    for part in range(parts):
        begin = TOP_DEGREES + 360 * part / parts + gap / 2
        end = TOP_DEGREES + 360 * (part + 1) / parts - gap / 2
        pen.pieslice(box, begin, end, fill=_colour(clock, is_filled=part < filled))


def _colour(clock: Clock, *, is_filled: bool) -> tuple[int, int, int, int]:
    if is_filled:
        is_theirs = clock.kind is Kind.FAILURE or clock.side is Side.OPPOSITION
        return _rgba(Accent.FAILURE if is_theirs else Accent.SUCCESS)
    if clock.kind is Kind.TUG:  # what the players have not won yet is the opposition's
        return _rgba(Accent.FAILURE)
    return _rgba(Accent.BOARD, 110) if clock.difficulty is None else TO_COME


def _rgba(accent: Accent, alpha: int = 255) -> tuple[int, int, int, int]:
    colour = COLOURS[accent]
    return colour >> 16, colour >> 8 & 255, colour & 255, alpha
