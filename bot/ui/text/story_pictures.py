"""The picture of a session's recap, to be shared: each hero's evening in a line or two, on a dark ground."""

import io
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.ui.text.paper import (
    ARROW,
    BAD,
    DIM,
    HALF,
    INK,
    LONGEST_ALT,
    PAPER,
    SCALE,
    SOFT,
    WIDTH,
    Colour,
)
from bot.ui.text.reply import Sketch
from bot.ui.text.sheet_pictures import FaceInPicture, draw_face, font, wrapped
from bot.ui.text.text import shorten

if TYPE_CHECKING:
    from PIL import ImageDraw

EDGE, FACE, BESIDE = 12, 44, 10  # the edge, a portrait's side, the room beside it
TITLE_SIZE, NAME_SIZE, TEXT_SIZE, SMALL_SIZE = 19, 17, 15, 14
GAP = 12  # between the parts
MOST_HEROES, MOST_PARTS = 8, 12
QUALITY = 88
NAME_OF_FILE = "session.webp"


class StoryOfHero(Struct, frozen=True):
    """A hero in the picture."""

    name: str
    parts: tuple[str, ...]  # what is told of it
    has_fallen: bool = False  # whether it went down
    portrait: bytes = b""  # its portrait, a picture file; initials without one


class _Line(Struct, frozen=True):
    """A line of text where it is written."""

    text: str
    x: int
    top: int
    size: int
    colour: Colour


def story_picture(
    title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[tuple[str, str]]
) -> Sketch:
    """The recap as a picture (WebP, some kilobytes) with an alt text.

    Args:
        title: The campaign and the session.
        facts: How long it took, who played, how many rolls.
        heroes: What became of whom.
        news: What else is told, each with a heading.
    """
    shown = tuple(heroes[:MOST_HEROES])
    told = [f"{hero.name}: {', '.join(hero.parts)}." for hero in shown]
    also = [f"{heading}: {text}." for heading, text in news]
    alt = shorten(" ".join([f"{title}.", f"{facts}.", *told, *also]), LONGEST_ALT)
    return Sketch(name=NAME_OF_FILE, alt=alt, draw=partial(_drawn, title, facts, shown, tuple(news)))


def _drawn(title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[tuple[str, str]]) -> bytes:
    # Loaded when the first picture is drawn: it costs memory. Without its name, WebP would load every format.
    from PIL import Image, ImageDraw, WebPImagePlugin  # noqa: F401

    lines, rules, faces, height = _placed(title, facts, heroes, news)
    image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    for top in rules:
        pen.line((EDGE * SCALE, top * SCALE, (WIDTH - EDGE) * SCALE, top * SCALE), fill=SOFT, width=SCALE)
    for hero, top in faces:
        draw_face(image, pen, FaceInPicture(hero.name, hero.portrait, EDGE, top, FACE))
    for line in lines:
        _write(pen, line)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=4)
    return file.getvalue()


def _write(pen: "ImageDraw.ImageDraw", line: _Line) -> None:
    """Write a line, and draw the arrows in it: each is as wide as the box that the font has in its place."""
    letters, arrow = font(line.size), font(line.size).getlength(ARROW)
    height = letters.getbbox("H", anchor="lt")[3]
    x, base = float(line.x * SCALE), line.top * SCALE + height
    for number, part in enumerate(line.text.split(ARROW)):
        if number:
            end, middle, tip = x + arrow, base - height / 2, arrow / 3
            pen.line((x, middle, end - tip, middle), fill=line.colour, width=SCALE)
            pen.polygon(
                ((end - tip, middle - tip), (end - tip, middle + tip), (end, middle)), fill=line.colour
            )
            x += arrow
        pen.text((x, base), part, font=letters, fill=line.colour, anchor="ls")
        x += letters.getlength(part)


def _placed(
    title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[tuple[str, str]]
) -> tuple[list[_Line], list[int], list[tuple[StoryOfHero, int]], int]:
    """Where everything is drawn: lines, rules across, faces; and the height of it all."""
    lines: list[_Line] = []
    rules: list[int] = []
    faces: list[tuple[StoryOfHero, int]] = []
    top = EDGE

    def write(text: str, x: int, size: int, colour: Colour) -> None:
        nonlocal top
        for one in wrapped(text, size, WIDTH - EDGE - x, ARROW):
            lines.append(_Line(one, x, top, size, colour))
            top += size + 5

    def rule() -> None:
        nonlocal top
        rules.append(top + GAP // 2)
        top += GAP + 2

    write(title, EDGE, TITLE_SIZE, INK)
    write(facts, EDGE, TEXT_SIZE, DIM)
    for hero in heroes:
        rule()
        begin = top
        faces.append((hero, begin))
        write(hero.name, EDGE + FACE + BESIDE, NAME_SIZE, BAD if hero.has_fallen else INK)
        words = "  ·  ".join(hero.parts[:MOST_PARTS])
        write(words, EDGE + FACE + BESIDE, TEXT_SIZE, INK)
        top = max(top, begin + FACE + 2)
    for heading, text in news:
        if (heading, text) == news[0]:
            rule()
        write(heading.upper(), EDGE, SMALL_SIZE, HALF)
        write(text, EDGE, TEXT_SIZE, INK)
        top += 4
    return lines, rules, faces, top + EDGE - 5
