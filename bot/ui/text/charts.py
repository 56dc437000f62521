"""Charts of chances and faces, maps of a fight, and what all pictures share."""

import io
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.rules.kernel import Ground, Odds, Region
from bot.rules.kernel.dice import percent
from bot.rules.kernel.outcome import MINUS
from bot.ui.text.reply import Picture, Sketch
from bot.ui.text.roll_text import shorten

if TYPE_CHECKING:
    from PIL import ImageDraw


SCALE = 2  # drawn for sharp phones
WIDTH = 280  # as wide as a phone of 360 shows a picture, so that its letters are as large as those around it
LONGEST_ALT = 1000
Colour = tuple[int, int, int]
PAPER, INK = (30, 31, 34), (238, 237, 232)  # dark, for both of Discord's themes
DIM, SOFT = (176, 179, 187), (58, 60, 66)
GOOD, HALF, BAD = (98, 196, 148), (240, 180, 76), (242, 128, 121)
GREEN, AMBER, RED, BLUE, PURPLE = (
    (47, 158, 107),
    (201, 138, 27),
    (194, 69, 63),
    (91, 127, 199),
    (138, 99, 184),
)
PLACES = {  # of a die's pips, in a grid of three by three
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}

UNKNOWN = "?"  # in place of a letter that the built-in font lacks
KNOWN = "·"  # what it has besides ASCII
ARROW = "→"  # which the font lacks; the recap draws it
PLAIN = str.maketrans({MINUS: "-", "–": "-", "’": "'", "“": '"', "”": '"', "×": "x", ARROW: ">", "⁄": "/"})


def plain_letters(text: str, longest: int, drawn: str = "") -> str:
    """A text in the letters that the built-in font has, shortened; others become question marks.

    Args:
        drawn: Letters that stay, as the picture draws them itself.
    """
    shown = shorten(text, longest).replace("…", "..")
    letters = unicodedata.normalize("NFKD", shown)
    letters = "".join(one if one in drawn else one.translate(PLAIN) for one in letters)
    plain = (one for one in letters if not unicodedata.combining(one))
    return "".join(one if one.isascii() or one in KNOWN or one in drawn else UNKNOWN for one in plain)


ROW, EDGE = 26, 8
NAMES, NUMBERS = 128, 46  # room beside the bars
TEXT_SIZE = 14
LONGEST_NAME = 18
LEAST_ON_A_TRACK = Fraction(1, 4)  # the greatest chance has to reach this


def odds_picture(odds: Odds) -> Picture | None:
    """The chances as a bar chart (PNG, a few kilobytes) with an alt text; None where there are none."""
    if not odds.chances:
        return None
    text = ", ".join(f"{name} {percent(chance)}" for name, chance in odds.chances if chance.ways)
    return Picture(name="odds.png", content=_draw_odds(odds), alt=shorten(f"Bar chart: {text}.", LONGEST_ALT))


@lru_cache(maxsize=64)
def _draw_odds(odds: Odds) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    shown = [one for one in odds.chances if one[1].ways]
    height = (2 * EDGE + ROW * len(shown)) * SCALE
    image = Image.new("RGB", (WIDTH * SCALE, height), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    highest = max(chance.fraction for _name, chance in odds.chances)
    whole = highest if highest < LEAST_ON_A_TRACK else Fraction(1)
    left, right = (EDGE + NAMES) * SCALE, (WIDTH - EDGE - NUMBERS) * SCALE
    names = [name for name, _chance in odds.chances]
    enough = names[names.index(odds.needed) :] if odds.needed in names else []
    for row, (name, chance) in enumerate(shown):
        middle = (EDGE + ROW * row + ROW // 2) * SCALE
        half = ROW * SCALE // 3
        pen.text(
            (left - 8 * SCALE, middle), plain_letters(name, LONGEST_NAME), font=font, fill=INK, anchor="rm"
        )
        if whole == 1:
            pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        end = left + max(2, round((right - left) * chance.fraction / whole)) - 1
        pen.rectangle((left, middle - half, end, middle + half), fill=GREEN if name in enough else BLUE)
        pen.text((right + 8 * SCALE, middle), percent(chance), font=font, fill=INK, anchor="lm")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


MOST_BARS = 20  # faces with a bar each; more faces share bars


def faces_picture(counts: Sequence[int]) -> Sketch:
    """How often each face of a die came, as a bar chart with the number that fair dice show on average."""
    bars = _bars(counts)
    text = ", ".join(f"{name}: {count}" for name, count in bars)
    share = sum(counts) / len(bars)
    alt = f"Bar chart of the faces of a d{len(counts)}: {text}. Fair share of each: {share:.1f}."
    return Sketch(name="dice.png", alt=shorten(alt, LONGEST_ALT), draw=partial(_drawn_faces, bars))


def _bars(counts: Sequence[int]) -> tuple[tuple[str, int], ...]:
    width = -(-len(counts) // MOST_BARS)
    starts = range(0, len(counts), width)
    return tuple(
        (str(at + 1) if width == 1 else f"{at + 1} to {at + width}", sum(counts[at : at + width]))
        for at in starts
    )


@lru_cache(maxsize=64)
def _drawn_faces(bars: tuple[tuple[str, int], ...]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    image = Image.new("RGB", (WIDTH * SCALE, (2 * EDGE + ROW * len(bars)) * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    left, right = (EDGE + NAMES) * SCALE, (WIDTH - EDGE - NUMBERS) * SCALE
    share = sum(count for _name, count in bars) / len(bars)
    whole = max(*(count for _name, count in bars), 1)
    for row, (name, count) in enumerate(bars):
        middle = (EDGE + ROW * row + ROW // 2) * SCALE
        half = ROW * SCALE // 3
        pen.text((left - 8 * SCALE, middle), name, font=font, fill=INK, anchor="rm")
        pen.rectangle((left, middle - half, right, middle + half), fill=SOFT)
        if count:
            end = left + max(2, round((right - left) * count / whole))
            pen.rectangle((left, middle - half, end, middle + half), fill=BLUE)
        pen.text((right + 8 * SCALE, middle), str(count), font=font, fill=INK, anchor="lm")
    mark = left + round((right - left) * share / whole)
    pen.rectangle((mark - SCALE, EDGE * SCALE, mark + SCALE, image.height - EDGE * SCALE), fill=AMBER)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


MAP_EDGE = 10
DOT, BEND = 9, 14  # radius of a region's dot; how far each longer way bends out
TITLE, LINE, PAD, BETWEEN = 20, 18, 5, 8
MAP_TEXT_SIZE = 15
MOST_REGIONS = 20
MOST_IN_GROUP = 12
LONGEST_REGION = 26


class _Row(Struct, frozen=True):
    """Where a region is drawn: its top, and the tops of its groups."""

    region: Region
    top: int
    groups: tuple[tuple[int, tuple[str, ...]], ...]
    bottom: int

    @property
    def middle(self) -> int:
        """The height of its dot."""
        return self.top + TITLE // 2


def ground_picture(ground: Ground) -> Sketch | None:
    """The map as a picture (PNG, some kilobytes) with an alt text; None without a map."""
    if not ground.regions:
        return None
    alt = shorten(ground.alt, LONGEST_ALT)
    return Sketch(name="ground.png", alt=alt, draw=partial(_drawn_ground, ground))


@lru_cache(maxsize=64)
def _drawn_ground(ground: Ground) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    rows = _rows(ground.regions[:MOST_REGIONS])
    links = [(a, b) for a, b in ground.links if max(a, b) < len(rows)]
    far = [link for link in links if abs(link[0] - link[1]) > 1]
    left = MAP_EDGE + DOT + BEND * len(far)
    image = Image.new("RGB", (WIDTH * SCALE, (rows[-1].bottom + MAP_EDGE) * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(MAP_TEXT_SIZE * SCALE)
    for a, b in links:
        _draw_way(pen, rows, left, (a, b), far.index((a, b)) + 1 if (a, b) in far else 0)
    for row in rows:
        _draw_row(pen, row, left, font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _rows(regions: tuple[Region, ...]) -> list[_Row]:
    rows, top = [], MAP_EDGE
    for region in regions:
        at, groups = top + TITLE + 2, []
        for group in region.groups:
            names = tuple(plain_letters(name, LONGEST_REGION) for name in group[:MOST_IN_GROUP])
            if len(group) > MOST_IN_GROUP:
                names = (*names, f"and {len(group) - MOST_IN_GROUP} more")
            groups.append((at, names))
            at += LINE * len(names) + 2 * PAD + BETWEEN // 2
        rows.append(_Row(region, top, tuple(groups), at))
        top = at + BETWEEN
    return rows


def _draw_way(
    pen: "ImageDraw.ImageDraw", rows: list[_Row], left: int, link: tuple[int, int], bend: int
) -> None:
    """A line between two regions; one that passes others by bends out to the left."""
    upper, lower = (rows[place].middle * SCALE for place in sorted(link))
    x, width = left * SCALE, 3 * SCALE
    if not bend:
        pen.line((x, upper, x, lower), fill=PURPLE, width=width)
        return
    out = (left - BEND * bend) * SCALE
    pen.line((x, upper, out, upper, out, lower, x, lower), fill=PURPLE, width=width // 2, joint="curve")


def _draw_row(pen: "ImageDraw.ImageDraw", row: _Row, left: int, font: object) -> None:
    x, y = left * SCALE, row.middle * SCALE
    pen.ellipse((x - DOT * SCALE, y - DOT * SCALE, x + DOT * SCALE, y + DOT * SCALE), fill=PURPLE)
    begin = (left + DOT + 8) * SCALE
    pen.text((begin, y), plain_letters(row.region.title, LONGEST_REGION), font=font, fill=INK, anchor="lm")  # type: ignore[arg-type]  # of two kinds
    for top, names in row.groups:
        bottom = top + LINE * len(names) + 2 * PAD
        box = (begin, top * SCALE, (WIDTH - MAP_EDGE) * SCALE, bottom * SCALE)
        pen.rounded_rectangle(box, radius=6 * SCALE, fill=SOFT)
        for place, name in enumerate(names):
            middle = (top + PAD + LINE * place + LINE // 2) * SCALE
            pen.text((begin + 8 * SCALE, middle), name, font=font, fill=INK, anchor="lm")  # type: ignore[arg-type]  # of two kinds
