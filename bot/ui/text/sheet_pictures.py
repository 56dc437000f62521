"""Pictures of heroes: a sheet with its resources and wounds, and the evening of all of them."""

import hashlib
import io
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.rules.kernel import Gauge, GaugeKind, Glance
from bot.ui.text.charts import (
    AMBER,
    ARROW,
    BAD,
    BLUE,
    DIM,
    GREEN,
    HALF,
    INK,
    LONGEST_ALT,
    PAPER,
    PURPLE,
    RED,
    SCALE,
    SOFT,
    UNKNOWN,
    WIDTH,
    Colour,
    plain_letters,
)
from bot.ui.text.reply import Sketch
from bot.ui.text.roll_text import shorten

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont


EDGE, FACE, BESIDE = 8, 72, 8  # the edge, the portrait's side, the room beside it
LEFT = EDGE + FACE + BESIDE  # where names and counts begin
TITLES, NUMBERS = 92, 40  # room for a count's title and its words
ROW, CHIP = 24, 26  # heights
TEXT_SIZE, CHIP_SIZE, INITIALS_SIZE = 14, 14, 32
PIP, LEAST_PIP = 9, 4  # a pip's side, and its least one
BETWEEN, GROUPS = 2, 3  # the gaps between pips and between groups
MOST_GAUGES, MOST_STATES = 10, 8
LONGEST_LINE, MOST_LINES = 400, 4  # of a text that is wrapped
CORNER = 10
GROUNDS = (BLUE, GREEN, PURPLE, AMBER, RED)
OUTLINE = (112, 115, 122)
QUALITY = 90
MOST_KEPT = 64
NAME_OF_FILE = "sheet.webp"


class SheetFace(Struct, frozen=True):
    """The input of a sheet's picture; equal inputs give the same picture."""

    name: str  # the character's name
    glance: Glance  # how it stands
    portrait: bytes = b""  # its portrait, a picture file; nothing if it has none

    @property
    def key(self) -> "Key":
        """The same in short, to know the picture by."""
        return self.name, self.glance, hashlib.blake2b(self.portrait).digest()


Key = tuple[str, Glance, bytes]


class Gallery:
    """The latest pictures, so that a sheet in which nothing changed is not drawn again."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Key, bytes] = OrderedDict()
        self._lock = Lock()

    def find(self, face: SheetFace) -> bytes | None:
        """A picture that was drawn a short time ago, or None."""
        with self._lock:
            return self._pictures.get(face.key)

    def drawn(self, face: SheetFace) -> bytes:
        """Draw a picture, and keep it."""
        picture = draw(face)
        with self._lock:
            self._pictures[face.key] = picture
            while len(self._pictures) > MOST_KEPT:
                self._pictures.popitem(last=False)
        return picture


GALLERY = Gallery()


def sheet_picture(face: SheetFace) -> Sketch:
    """The picture of a sheet (WebP, some kilobytes) with an alt text."""
    whose = f"Portrait of {face.name}" if face.portrait else face.name
    words = ", ".join((*map(_in_words, face.glance.gauges), *face.glance.states))
    alt = shorten(f"{whose}. {words}." if words else whose, LONGEST_ALT)
    drawn = GALLERY.find(face)
    return Sketch(NAME_OF_FILE, alt, partial(GALLERY.drawn, face), of=face.key, drawn=drawn)


def _in_words(gauge: Gauge) -> str:
    """A gauge group by group: "Blunt 1/11 (1/4, 0/3, 0/3, 0/1)"."""
    groups = ", ".join(f"{filled}/{most}" for filled, most in gauge.parts)
    return f"{gauge.title} {gauge.shown}" + (f" ({groups})" if len(gauge.parts) > 1 else "")


def draw(face: SheetFace) -> bytes:
    """Draw the picture of a sheet."""
    # Loaded when the first picture is drawn: it costs memory. Without its name, WebP would load every format.
    from PIL import Image, ImageDraw, WebPImagePlugin  # noqa: F401

    gauges = face.glance.gauges[:MOST_GAUGES]
    chips = _chips(face.glance.states[:MOST_STATES])
    below = EDGE + ROW * len(gauges)
    height = max(EDGE + FACE, below + CHIP * len(chips)) + EDGE
    image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    draw_face(image, pen, FaceInPicture(face.name, face.portrait, EDGE, EDGE, FACE))
    for place, gauge in enumerate(gauges):
        _draw_gauge(pen, gauge, EDGE + ROW * place + ROW // 2)
    for place, row in enumerate(chips):
        _draw_chips(pen, row, below + CHIP * place)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=0)
    return file.getvalue()


@lru_cache(maxsize=16)
def font(size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    """The letters of all pictures, in a size."""
    from PIL import ImageFont

    return ImageFont.load_default(size * SCALE)


def width_of(text: str, size: int) -> float:
    """How wide a text is in a size."""
    return font(size).getlength(text) / SCALE


def wrapped(text: str, size: int, room: int, drawn: str = "") -> list[str]:
    """A text in lines of a width, a few at most; see `plain_letters`."""
    lines: list[str] = []
    for word in plain_letters(text, LONGEST_LINE, drawn).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        elif len(lines) == MOST_LINES:
            lines[-1] += " .."
            break
        else:
            lines.append(word)
    return lines


def cut(text: str, size: int, room: float) -> str:
    """A text that is cut to a width."""
    whole = text
    while text and width_of(text, size) > room:
        whole = whole[:-1]
        text = f"{whole.rstrip()}.."
    return text


def _write(
    pen: "ImageDraw.ImageDraw", x: int, middle: int, text: str, size: int, room: int, anchor: str = "lm"
) -> None:
    """Write a text in one line, cut to its room."""
    text = cut(text, size, room)
    pen.text((x * SCALE, middle * SCALE), text, font=font(size), fill=INK, anchor=anchor)


def _box(x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    return x * SCALE, y * SCALE, (x + width) * SCALE - 1, (y + height) * SCALE - 1


class FaceInPicture(Struct, frozen=True):
    """A portrait, or initials, in a square of a picture."""

    name: str
    portrait: bytes  # a picture file; nothing where there is none
    x: int
    y: int
    side: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The square."""
        return _box(self.x, self.y, self.side, self.side)


def draw_face(image: "Image.Image", pen: "ImageDraw.ImageDraw", face: FaceInPicture) -> None:
    """Draw the portrait; without one the initials on a colour of the name's own."""
    from PIL import Image, ImageDraw, ImageOps

    side = face.side * SCALE
    if face.portrait:
        with Image.open(io.BytesIO(face.portrait)) as opened:
            portrait = ImageOps.fit(
                opened.convert("RGBA"), (side, side), Image.Resampling.BILINEAR, centering=(0.5, 0.35)
            )
        square = Image.new("RGB", (side, side), SOFT)
        square.paste(portrait, mask=portrait)
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), CORNER * SCALE, fill=255)
        image.paste(square, (face.x * SCALE, face.y * SCALE), mask)
        return
    colour = GROUNDS[zlib.crc32(face.name.encode()) % len(GROUNDS)]
    pen.rounded_rectangle(face.box, CORNER * SCALE, fill=colour)
    x, y = (face.x + face.side / 2) * SCALE, (face.y + face.side / 2) * SCALE
    initials = _initials(face.name)
    if UNKNOWN in initials:
        whole = face.side
        head, body = whole * 0.32, whole * 0.6
        pen.ellipse(_box(face.x + (whole - head) / 2, face.y + whole * 0.2, head, head), fill=INK)
        shoulders = _box(face.x + (whole - body) / 2, face.y + whole * 0.56, body, body)
        pen.pieslice(shoulders, 180, 360, fill=INK)
    else:
        size = INITIALS_SIZE * face.side // FACE
        pen.text((x, y), initials, font=font(size), fill=INK, anchor="mm")


def _initials(name: str) -> str:
    """The first letters of a name's first and last word."""
    words = name.split()
    letters = [words[0], words[-1]] if len(words) > 1 else words
    return plain_letters("".join(one[0] for one in letters), 2).upper() or UNKNOWN


def _draw_gauge(pen: "ImageDraw.ImageDraw", gauge: Gauge, middle: int) -> None:
    """Draw a count: its title, its pips, boxes or bar, and its words."""
    _write(pen, LEFT, middle, plain_letters(gauge.title, 30), TEXT_SIZE, TITLES - 3)
    _write(pen, WIDTH - EDGE, middle, plain_letters(gauge.shown, 12), TEXT_SIZE, NUMBERS, anchor="rm")
    if not gauge.parts:
        return
    begin, room = LEFT + TITLES, WIDTH - EDGE - NUMBERS - LEFT - TITLES
    count, gaps = sum(most for _now, most in gauge.parts), GROUPS * (len(gauge.parts) - 1)
    side = min(PIP, (room - gaps) // count - BETWEEN)
    fill = _colour(gauge)
    if side < LEAST_PIP:
        now = sum(filled for filled, _most in gauge.parts)
        bar = _box(begin, middle - PIP / 2, room, PIP)
        pen.rounded_rectangle(bar, PIP // 2 * SCALE, fill=SOFT, outline=OUTLINE, width=SCALE // 2)
        if now:
            done = _box(begin, middle - PIP / 2, max(PIP, room * now / count), PIP)
            pen.rounded_rectangle(done, PIP // 2 * SCALE, fill=fill)
        return
    x = float(begin)
    for filled, most in gauge.parts:
        for place in range(most):
            pip = _box(x, middle - side / 2, side, side)
            colour = fill if place < filled else SOFT
            if len(gauge.parts) > 1:
                pen.rectangle(pip, fill=colour, outline=OUTLINE, width=SCALE // 2)
            else:
                pen.ellipse(pip, fill=colour, outline=OUTLINE, width=SCALE // 2)
            x += side + BETWEEN
        x += GROUPS


def _colour(gauge: Gauge) -> Colour:
    """Blue for points, red for harm; health is green, amber from half down, red from a quarter down."""
    if gauge.kind is not GaugeKind.HEALTH:
        return BLUE if gauge.kind is GaugeKind.POINTS else RED
    now, most = (sum(numbers) for numbers in zip(*gauge.parts, strict=True))
    return RED if now * 4 <= most else AMBER if now * 2 <= most else GREEN


def _chips(states: tuple[str, ...]) -> list[list[str]]:
    """The conditions in rows of what fits."""
    rows: list[list[str]] = []
    left = 0.0
    for state in states:
        text = plain_letters(state, 26)
        needed = width_of(text, CHIP_SIZE) + 18
        if not rows or needed > left:
            rows.append([])
            left = WIDTH - EDGE - LEFT
        rows[-1].append(text)
        left -= needed
    return rows


def _draw_chips(pen: "ImageDraw.ImageDraw", row: list[str], top: int) -> None:
    x = float(LEFT)
    for text in row:
        width = width_of(text, CHIP_SIZE) + 12
        pen.rounded_rectangle(_box(x, top + 2, width, CHIP - 4), 8 * SCALE, fill=AMBER)
        middle = (x + width / 2) * SCALE, (top + CHIP / 2) * SCALE
        pen.text(middle, text, font=font(CHIP_SIZE), fill=PAPER, anchor="mm")
        x += width + 6


STORY_EDGE, STORY_FACE, BESIDE_A_FACE = 12, 44, 10  # the edge, a portrait's side, the room beside it
TITLE_SIZE, NAME_SIZE, PART_SIZE, SMALL_SIZE = 19, 17, 15, 14
GAP = 12  # between the parts
MOST_HEROES, MOST_PARTS = 8, 12
STORY_QUALITY = 88
STORY_FILE = "session.webp"


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
    return Sketch(name=STORY_FILE, alt=alt, draw=partial(_drawn, title, facts, shown, tuple(news)))


def _drawn(title: str, facts: str, heroes: Sequence[StoryOfHero], news: Sequence[tuple[str, str]]) -> bytes:
    # Loaded when the first picture is drawn: it costs memory. Without its name, WebP would load every format.
    from PIL import Image, ImageDraw, WebPImagePlugin  # noqa: F401

    lines, rules, faces, height = _placed(title, facts, heroes, news)
    image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    for top in rules:
        pen.line(
            (STORY_EDGE * SCALE, top * SCALE, (WIDTH - STORY_EDGE) * SCALE, top * SCALE),
            fill=SOFT,
            width=SCALE,
        )
    for hero, top in faces:
        draw_face(image, pen, FaceInPicture(hero.name, hero.portrait, STORY_EDGE, top, STORY_FACE))
    for line in lines:
        _write_lines(pen, line)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=STORY_QUALITY, method=4)
    return file.getvalue()


def _write_lines(pen: "ImageDraw.ImageDraw", line: _Line) -> None:
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
    top = STORY_EDGE

    def write(text: str, x: int, size: int, colour: Colour) -> None:
        nonlocal top
        for one in wrapped(text, size, WIDTH - STORY_EDGE - x, ARROW):
            lines.append(_Line(one, x, top, size, colour))
            top += size + 5

    def rule() -> None:
        nonlocal top
        rules.append(top + GAP // 2)
        top += GAP + 2

    write(title, STORY_EDGE, TITLE_SIZE, INK)
    write(facts, STORY_EDGE, PART_SIZE, DIM)
    for hero in heroes:
        rule()
        begin = top
        faces.append((hero, begin))
        write(hero.name, STORY_EDGE + STORY_FACE + BESIDE_A_FACE, NAME_SIZE, BAD if hero.has_fallen else INK)
        words = "  ·  ".join(hero.parts[:MOST_PARTS])
        write(words, STORY_EDGE + STORY_FACE + BESIDE_A_FACE, PART_SIZE, INK)
        top = max(top, begin + STORY_FACE + 2)
    for heading, text in news:
        if (heading, text) == news[0]:
            rule()
        write(heading.upper(), STORY_EDGE, SMALL_SIZE, HALF)
        write(text, STORY_EDGE, PART_SIZE, INK)
        top += 4
    return lines, rules, faces, top + STORY_EDGE - 5
