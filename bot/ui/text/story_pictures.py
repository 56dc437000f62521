"""The picture of a session's recap: each hero with what grew, what changed and what was suffered."""

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.ui.text.paper import (
    BLUE,
    INK,
    LONGEST_ALT,
    PAPER,
    RED,
    SCALE,
    SOFT,
    WIDTH,
    Colour,
    plain_letters,
)
from bot.ui.text.reply import Sketch
from bot.ui.text.text import shorten

EDGE, LINE, GAP = 14, 18, 8
TITLE_SIZE, TEXT_SIZE = 17, 13
IN_LINE = 46  # characters
MOST_HEROES, MOST_PARTS = 8, 12


@dataclass(frozen=True, slots=True)
class StoryOfHero:
    """A hero in the picture."""

    name: str
    parts: tuple[str, ...]  # what is told of it
    has_fallen: bool = False  # whether it went down


def story_picture(title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[str]) -> Sketch:
    """The recap as a picture (PNG) with an alt text."""
    told = [f"{hero.name}: {', '.join(hero.parts)}." for hero in heroes[:MOST_HEROES]]
    alt = shorten(" ".join([f"{title}.", f"{facts}.", *told, *news]), LONGEST_ALT)
    draw = partial(_drawn, title, facts, tuple(heroes[:MOST_HEROES]), tuple(news))
    return Sketch(name="session.png", alt=alt, draw=draw)


def _lines(
    title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[str]
) -> list[tuple[str, Colour, int]]:
    """Each line with its colour and its size; one of size 0 is a rule across."""
    lines: list[tuple[str, Colour, int]] = [(title, INK, TITLE_SIZE), (facts, BLUE, TEXT_SIZE)]
    for hero in heroes:
        lines.append(("", SOFT, 0))
        lines.append((hero.name, RED if hero.has_fallen else INK, TITLE_SIZE))
        words = " / ".join(hero.parts[:MOST_PARTS])
        lines += [(line, INK, TEXT_SIZE) for line in textwrap.wrap(words, IN_LINE)]
    lines += [("", SOFT, 0)] if news else []
    lines += [(line, BLUE, TEXT_SIZE) for one in news for line in textwrap.wrap(one, IN_LINE)]
    return lines


def _drawn(title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[str]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    lines = _lines(title, facts, heroes, news)
    height = 2 * EDGE + sum(_height(size) for _text, _colour, size in lines)
    image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    top = EDGE
    for text, colour, size in lines:
        if size:
            font = ImageFont.load_default(size * SCALE)
            words = plain_letters(text, IN_LINE)
            pen.text((EDGE * SCALE, top * SCALE), words, font=font, fill=colour)
        else:
            middle = (top + GAP // 2) * SCALE
            pen.line((EDGE * SCALE, middle, (WIDTH - EDGE) * SCALE, middle), fill=colour, width=SCALE)
        top += _height(size)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _height(size: int) -> int:
    return GAP if not size else LINE + size - TEXT_SIZE
