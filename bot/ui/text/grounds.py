"""Maps of a fight: its regions in a column, with who stands together in each."""

import io
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.rules.kernel import Ground, Region
from bot.ui.text.paper import INK, LONGEST_ALT, PAPER, PURPLE, SCALE, SOFT, WIDTH, plain_letters
from bot.ui.text.reply import Sketch
from bot.ui.text.text import shorten

if TYPE_CHECKING:
    from PIL import ImageDraw

EDGE = 10
DOT, BEND = 9, 14  # radius of a region's dot; how far each longer way bends out
TITLE, LINE, PAD, BETWEEN = 20, 18, 5, 8
TEXT_SIZE = 15
MOST_REGIONS = 20
MOST_IN_GROUP = 12
LONGEST_NAME = 26


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
    return Sketch(name="ground.png", alt=alt, draw=partial(_drawn, ground))


@lru_cache(maxsize=64)
def _drawn(ground: Ground) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    rows = _rows(ground.regions[:MOST_REGIONS])
    links = [(a, b) for a, b in ground.links if max(a, b) < len(rows)]
    far = [link for link in links if abs(link[0] - link[1]) > 1]
    left = EDGE + DOT + BEND * len(far)
    image = Image.new("RGB", (WIDTH * SCALE, (rows[-1].bottom + EDGE) * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(TEXT_SIZE * SCALE)
    for a, b in links:
        _draw_way(pen, rows, left, (a, b), far.index((a, b)) + 1 if (a, b) in far else 0)
    for row in rows:
        _draw_row(pen, row, left, font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _rows(regions: tuple[Region, ...]) -> list[_Row]:
    rows, top = [], EDGE
    for region in regions:
        at, groups = top + TITLE + 2, []
        for group in region.groups:
            names = tuple(plain_letters(name, LONGEST_NAME) for name in group[:MOST_IN_GROUP])
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
    pen.text((begin, y), plain_letters(row.region.title, LONGEST_NAME), font=font, fill=INK, anchor="lm")  # type: ignore[arg-type]  # of two kinds
    for top, names in row.groups:
        bottom = top + LINE * len(names) + 2 * PAD
        box = (begin, top * SCALE, (WIDTH - EDGE) * SCALE, bottom * SCALE)
        pen.rounded_rectangle(box, radius=6 * SCALE, fill=SOFT)
        for place, name in enumerate(names):
            middle = (top + PAD + LINE * place + LINE // 2) * SCALE
            pen.text((begin + 8 * SCALE, middle), name, font=font, fill=INK, anchor="lm")  # type: ignore[arg-type]  # of two kinds
