"""The picture of an attack: its dice against what defends, in every game, and the wounds that came of it.

A roll of dice that are matched one by one stands in two rows, each die above what stopped it. Any other is a
sum above the numbers that it is compared with, each with whether it is met.
"""

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.rules.kernel import Die, Family, Roll, TargetNumber
from bot.rules.kernel.outcome import MINUS, shown_number
from bot.ui.text.charts import (
    BAD,
    DIM,
    GOOD,
    HALF,
    INK,
    LONGEST_ALT,
    PAPER,
    PLACES,
    SCALE,
    SOFT,
    UNKNOWN,
    WIDTH,
    Colour,
    plain_letters,
)
from bot.ui.text.reply import Sketch
from bot.ui.text.roll_text import chance_of_outcome, listed, shorten, spare_dice
from bot.ui.text.sheet_pictures import cut, font, width_of, wrapped

if TYPE_CHECKING:
    from PIL import ImageDraw

MOST_ROLLS, MOST_DICE = 6, 40  # what has more is told in text alone
LONGEST_WOUND = 28  # letters that fit beside each other
SHAPES = {4: 3, 8: 4, 10: 4, 12: 5, 20: 6}  # the corners in which dice other than d6 are drawn
D6 = 6
NAME_OF_FILE = "dice.png"
COLOURS = {Family.SUCCESS: GOOD, Family.PARTIAL: HALF, Family.FAILURE: BAD, Family.NEWS: INK}


class Wound(Struct, frozen=True):
    """A change that an attack made, as it is drawn below its dice."""

    who: str
    what: str
    before: str
    after: str


class Exchange(Struct, frozen=True):
    """What a part of a message gives to its picture."""

    rolls: tuple[tuple[Roll, Family], ...]  # each with how good or bad it is for the heroes
    wounds: tuple[Wound, ...]


def is_drawable(rolls: Sequence[Roll]) -> bool:
    """Whether a picture can show these rolls whole."""
    dice = sum(len(roll.facing) + len(_own_dice(roll)) for roll in rolls)
    can_draw = all(_can_draw(die) for roll in rolls for die in _own_dice(roll))
    can_write_terms = all(_known(term.label, LONGEST_ALT) for roll in rolls for term in roll.terms)
    return can_draw and can_write_terms and dice <= MOST_DICE and len(rolls) <= MOST_ROLLS


def can_write(wound: Wound) -> bool:
    """Whether a change fits into two lines, in the picture's letters."""
    texts = (wound.who, wound.before, wound.after)
    change = len(wound.what) + len(wound.before) + len(wound.after)
    is_short = max(len(wound.who), change) <= LONGEST_WOUND
    return is_short and all(_known(text, LONGEST_WOUND) for text in texts)


def _can_draw(die: Die) -> bool:
    """Whether a die is one with a shape, and no card."""
    return die.sides in {1, D6} or (die.sides in SHAPES and not die.shown)


def _own_dice(roll: Roll) -> tuple[Die, ...]:
    """The dice of whoever rolled, without the opponent's that lie beside them."""
    theirs = {target.name for target in roll.targets if target.die is not None}
    return tuple(die for die in (*roll.earlier, *roll.dice) if die.label not in theirs or not die.label)


def attack_picture(exchanges: Sequence[Exchange]) -> Sketch | None:
    """The picture of a message's attack (PNG, some kilobytes) with an alt text; None without any."""
    if not exchanges:
        return None
    rows = tuple(_row(roll, family) for one in exchanges for roll, family in one.rolls)
    wounds = tuple(wound for one in exchanges for wound in one.wounds)
    told = [f"{_told(roll)}." for one in exchanges for roll, _family in one.rolls]
    told += [f"{one.who}: {one.what} {one.before} → {one.after}." for one in wounds]
    return Sketch(NAME_OF_FILE, shorten(" ".join(told), LONGEST_ALT), partial(_drawn, rows, wounds))


# --- what is drawn --------------------------------------------------------------------------------


class _Column(Struct, frozen=True):
    """One attack die above what stopped it; either may be missing."""

    above: Die | None
    above_value: int
    below: Die | None
    below_value: int


class _RollRow(Struct, frozen=True):
    """One roll."""

    title: str  # who and what for
    chance: str
    columns: tuple[_Column, ...]  # dice that are matched one by one
    dice: tuple[Die, ...]  # or dice that are a sum
    terms: tuple[str, ...]
    total: str
    word: str
    targets: tuple[TargetNumber, ...]
    family: Family


def _row(roll: Roll, family: Family) -> _RollRow:
    return _RollRow(
        title=_title(roll),
        chance=told_chance(roll),
        columns=_columns(roll) if roll.facing else (),
        dice=() if roll.facing else _own_dice(roll),
        terms=_terms(roll),
        total=_total(roll),
        word=roll.word,
        targets=roll.targets,
        family=family,
    )


def _title(roll: Roll) -> str:
    return listed((roll.roller.name if roll.roller else "", roll.purpose), ", ")


def told_chance(roll: Roll) -> str:
    """The chance of what was needed or, where nothing was, of what came."""
    of, _, chance = chance_of_outcome(roll).rpartition(" ")
    of_what = f"{of.removesuffix(':')}: " if of else ""  # what came, where nothing in particular was needed
    return f"{of_what}chance was {chance}" if chance else ""


def _terms(roll: Roll) -> tuple[str, ...]:
    return tuple(f"{MINUS if one.value < 0 else '+'} {one.label} {abs(one.value)}" for one in roll.terms)


def _total(roll: Roll) -> str:
    return "" if roll.total is None else shown_number(roll.total)


def _told(roll: Roll) -> str:
    """A roll in words."""
    title, chance = _title(roll), told_chance(roll)
    told = _matched(roll) if roll.facing else _summed(roll)
    return listed((f"{title}: {told}" if title else told, roll.word, chance), "; ")


def _columns(roll: Roll) -> tuple[_Column, ...]:
    """Each die beside the one that stopped it, those that got through first."""
    facing = sorted(roll.facing, key=lambda one: one.stopped_by is not None)
    matched = (_Column(one.die, one.value, one.stopped_by, one.stopping) for one in facing)
    return (*matched, *(_Column(None, 0, die, die.counted) for die in spare_dice(roll)))


def _matched(roll: Roll) -> str:
    """Dice that are matched one by one, in words."""
    through = listed((shown_number(one.value) for one in roll.facing if one.stopped_by is None), ", ")
    stopped = listed(
        (
            f"{shown_number(one.stopping)} stops {shown_number(one.value)}"
            for one in roll.facing
            if one.stopped_by is not None
        ),
        ", ",
    )
    spare = listed((shown_number(die.counted) for die in spare_dice(roll)), ", ")
    return listed((through and f"{through} got through", stopped, spare and f"{spare} unused"), "; ")


def _summed(roll: Roll) -> str:
    """A sum and what it is compared with, in words."""
    dice, total = _own_dice(roll), _total(roll)
    kept = " + ".join(f"{die.label} {die.counted}".strip() for die in dice if die.is_kept)
    dropped = listed((str(die.counted) for die in dice if not die.is_kept), ", ")
    sum_ = listed((kept, *_terms(roll), f"= {total}" if total and total != kept else ""), " ")
    against = listed((_compared(one) for one in roll.targets), ", ")
    return listed((sum_, dropped and f"({dropped} dropped)", against and f"against {against}"), " ")


def _compared(one: TargetNumber) -> str:
    return f"{one.name} {one.number} ({'met' if one.is_met else 'not met'})".strip()


# --- drawing --------------------------------------------------------------------------------------

EDGE, DIE, STEP, GAP, RADIUS = 10, 28, 33, 10, 6
CAPTION, LINE, TARGET = 16, 20, 28  # heights
BOX, MOST_TARGETS = 36, 3  # how wide a number's box is; so many in a line
WORDS = 64  # room for "attack", "defense", "against" at the left
TEXT_SIZE, SMALL_SIZE, TOTAL_SIZE, DIE_SIZE = 16, 14, 22, 13
TOTAL, ARROW = 40, 36  # room for the sum, and for an arrow and gaps
COLUMNS = (WIDTH - 2 * EDGE - WORDS) // STEP
SHADES = 64  # a picture of few colours is a small file
QUIET = (92, 94, 102)  # what does not count


Point = tuple[float, float]


class _Pen(Struct, frozen=True):
    """Draws in the picture's own pixels."""

    pen: "ImageDraw.ImageDraw"

    def write(self, x: float, y: float, text: str, size: int, colour: Colour, anchor: str = "lm") -> None:
        """Write a line of text."""
        self.pen.text((x * SCALE, y * SCALE), text, font=font(size), fill=colour, anchor=anchor)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], colour: Colour, width: int = 2
    ) -> None:
        """Draw a line."""
        points = [round(one * SCALE) for one in (*start, *end)]
        self.pen.line(points, fill=colour, width=width * SCALE)

    def box(self, x: float, y: float, width: float, fill: Colour, rim: Colour, height: float = DIE) -> None:
        """Draw a box with round corners."""
        corners = (x * SCALE, y * SCALE, (x + width) * SCALE, (y + height) * SCALE)
        self.pen.rounded_rectangle(corners, RADIUS * SCALE, fill=fill, outline=rim, width=2 * SCALE)

    def arrow(self, x: float, top: float, bottom: float, colour: Colour) -> None:
        """Draw an arrow down."""
        self.line((x, top), (x, bottom - 5), colour, 3)
        tip = ((x - 5, bottom - 5), (x + 5, bottom - 5), (x, bottom))
        self.pen.polygon([(round(a * SCALE), round(b * SCALE)) for a, b in tip], fill=colour)

    def points_right(self, x: float, y: float, colour: Colour) -> None:
        """Draw a small arrow to the right."""
        self.line((x, y), (x + 9, y), colour, 1)
        tip = ((x + 8, y - 3), (x + 8, y + 3), (x + 13, y))
        self.pen.polygon([(round(a * SCALE), round(b * SCALE)) for a, b in tip], fill=colour)

    def die(self, die: Die, x: float, y: float, fill: Colour) -> None:
        """Draw a die with its face; one that was not rolled is hollow, a borrowed one has a rim."""
        ink = INK if fill in {QUIET, PAPER} else PAPER
        rim = HALF if die.is_borrowed else fill if die.sides > 1 else DIM
        fill = fill if die.sides > 1 else PAPER
        if die.sides in SHAPES:
            middle, radius = ((x + DIE / 2) * SCALE, (y + DIE / 2) * SCALE), DIE * SCALE * 0.56
            self.pen.regular_polygon((*middle, radius), SHAPES[die.sides], fill=fill, outline=rim)
            drop = 2 if SHAPES[die.sides] == 3 else 0
            self.write(x + DIE / 2, y + DIE / 2 + drop, str(die.face), DIE_SIZE, ink, "mm")
            return
        self.box(x, y, DIE, fill, rim)
        ink = ink if die.sides > 1 else INK
        for across, down in PLACES.get(die.face, ()):
            at_x, at_y, dot = x + 7 + across * 7, y + 7 + down * 7, 2.5
            corners = [one * SCALE for one in (at_x - dot, at_y - dot, at_x + dot, at_y + dot)]
            self.pen.ellipse(corners, fill=ink)

    def mark(self, x: float, y: float, *, is_met: bool) -> None:
        """Draw a check mark, or a cross."""
        if is_met:
            self.line((x, y), (x + 4, y + 4), INK)
            self.line((x + 4, y + 4), (x + 11, y - 5), INK)
        else:
            self.line((x, y - 4), (x + 8, y + 4), DIM)
            self.line((x, y + 4), (x + 8, y - 4), DIM)

    def strike(self, x: float, y: float, width: float) -> None:
        """Cross something through."""
        self.line((x - 2, y + DIE + 2), (x + width + 2, y - 2), INK)


@lru_cache(maxsize=128)
def _drawn(rows: tuple[_RollRow, ...], wounds: tuple[Wound, ...]) -> bytes:
    from PIL import Image, ImageDraw  # loaded when the first picture is drawn: it costs memory

    lines = [line for wound in wounds for line in _lines_of_wound(wound)]
    height = 2 * EDGE + sum(map(_height, rows)) + GAP * (len(rows) - 1)
    height += GAP + LINE * len(lines) if lines else 0
    image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
    pen, top = _Pen(ImageDraw.Draw(image)), EDGE
    for number, row in enumerate(rows):
        if number:
            pen.line((EDGE, top - GAP / 2), (WIDTH - EDGE, top - GAP / 2), SOFT, 1)
        _draw_row(pen, row, top)
        top += _height(row) + GAP
    if lines:
        pen.line((EDGE, top - GAP / 2), (WIDTH - EDGE, top - GAP / 2), SOFT, 1)
    for number, line in enumerate(lines):
        _draw_wound(pen, line, top + LINE * number + LINE // 2)
    file = io.BytesIO()
    image.quantize(SHADES, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _known(text: str, longest: int) -> str:
    """A text in the font's letters, or nothing where it lacks some."""
    letters = plain_letters(text, longest)
    return "" if UNKNOWN in letters and UNKNOWN not in text else letters


def _headings(row: _RollRow) -> list[str]:
    """Who rolls what for, and how it went with what chance, in lines."""
    told = (_known(row.title, LONGEST_ALT), row.word, plain_letters(row.chance, LONGEST_ALT))
    whole = wrapped(listed(told), TEXT_SIZE, WIDTH - 2 * EDGE)
    if len(whole) < 2:
        return whole
    return [
        line for part in (told[0], listed(told[1:])) for line in wrapped(part, TEXT_SIZE, WIDTH - 2 * EDGE)
    ]


def _lines_of_terms(row: _RollRow) -> list[str]:
    """The terms in lines as wide as their place."""
    return _fitted(row, _room_beside(row) if _is_beside(row) else WIDTH - 2 * EDGE)


def _fitted(row: _RollRow, room: int) -> list[str]:
    """The terms in lines of a width; one that is longer is cut."""
    lines: list[str] = []
    for term in row.terms:
        text = cut(plain_letters(term, 40), TEXT_SIZE, room)
        longer = f"{lines[-1]} {text}" if lines else text
        if lines and width_of(longer, TEXT_SIZE) <= room:
            lines[-1] = longer
        else:
            lines.append(text)
    return lines


def _is_beside(row: _RollRow) -> bool:
    """Whether the terms stand beside the dice; if they are too long, they stand below them."""
    room = _room_beside(row)
    is_narrow = all(width_of(plain_letters(term, 40), TEXT_SIZE) <= room for term in row.terms)
    return is_narrow and len(_fitted(row, room)) <= 2


def _in_rows(dice: Sequence[Die]) -> Iterator[Sequence[Die]]:
    yield from (dice[at : at + COLUMNS] for at in range(0, len(dice), COLUMNS))


def _caption(die: Die) -> str:
    """What stands under a die: its name, or what it comes to where that is not its face."""
    return _known(die.label, 6) or (str(die.counted) if die.counted != die.face else "")


def _height(row: _RollRow) -> int:
    """How tall a roll is drawn."""
    head = LINE * len(_headings(row))
    if row.columns:
        blocks = -(-len(row.columns) // COLUMNS)
        terms = wrapped(listed(row.terms, " "), TEXT_SIZE, WIDTH - 2 * EDGE)
        return head + blocks * (2 * DIE + GAP + 2 * CAPTION) + LINE * len(terms)
    return head + _height_of_sum(row) + len(_targets_in_lines(row)) * (TARGET + 6 + _target_captions(row))


def _height_of_sum(row: _RollRow) -> int:
    """How much room dice take that are a sum, with their terms."""
    of_dice = -(-len(row.dice) // COLUMNS) * (DIE + 4) + CAPTION * any(_caption(die) for die in row.dice)
    terms = LINE * len(_lines_of_terms(row))
    return max(of_dice, terms, DIE + 4) if _is_beside(row) else of_dice + terms


def _targets_in_lines(row: _RollRow) -> list[tuple[TargetNumber, ...]]:
    """The numbers in lines that are about as long."""
    count = -(-len(row.targets) // MOST_TARGETS)
    each = -(-len(row.targets) // count) if count else 1
    return [row.targets[at : at + each] for at in range(0, len(row.targets), each)]


def _target_captions(row: _RollRow) -> int:
    """How much room the names of the numbers take."""
    return CAPTION + 2 if any(_target_name(one) for one in row.targets) else 0


def _target_name(target: TargetNumber) -> str:
    return target.name if target.die is None else f"d{target.die.sides}: {target.die.face}"


def _room_beside(row: _RollRow) -> int:
    """How wide the terms may be, between the dice and the sum."""
    return WIDTH - 2 * EDGE - STEP * min(len(row.dice), COLUMNS) - TOTAL


def _draw_row(pen: _Pen, row: _RollRow, top: int) -> None:
    for line in _headings(row):
        pen.write(EDGE, top + LINE / 2, line, TEXT_SIZE, DIM)
        top += LINE
    if row.columns:
        _draw_matched(pen, row, top)
        return
    for number, dice in enumerate(_in_rows(row.dice)):
        for place, die in enumerate(dice):
            x, y = EDGE + STEP * place, top + number * (DIE + 4) + 2
            pen.die(die, x, y, INK if die.is_kept else QUIET)
            if not die.is_kept:
                pen.strike(x, y, DIE)
            pen.write(x + DIE / 2, y + DIE + 8, cut(_caption(die), SMALL_SIZE, STEP), SMALL_SIZE, DIM, "mm")
    terms, middle, left = _lines_of_terms(row), top + 2 + DIE / 2, EDGE
    first = top + _height_of_sum(row) - LINE * len(terms) + LINE / 2
    if _is_beside(row):
        first = max(middle - LINE * (len(terms) - 1) / 2, top + LINE / 2)  # not into what stands above
        left += STEP * min(len(row.dice), COLUMNS)
    for number, text in enumerate(terms):
        pen.write(left, first + LINE * number, text, TEXT_SIZE, INK)
    if row.total:
        pen.write(WIDTH - EDGE, middle, row.total, TOTAL_SIZE, COLOURS[row.family], "rm")
    _draw_targets(pen, row, top + _height_of_sum(row) + 6)


def _draw_targets(pen: _Pen, row: _RollRow, top: int) -> None:
    """Draw the numbers that a sum is compared with, each with a mark whether it is met."""
    for number, shown in enumerate(_targets_in_lines(row)):
        pen.write(EDGE, top + TARGET / 2, "" if number else "against", TEXT_SIZE, DIM)
        room = (WIDTH - 2 * EDGE - WORDS) // len(shown)
        for place, target in enumerate(shown):
            x = EDGE + WORDS + room * place
            pen.box(x, top, BOX, PAPER, INK if target.is_met else QUIET, TARGET)
            pen.write(x + BOX / 2, top + TARGET / 2, shown_number(target.number), TEXT_SIZE, INK, "mm")
            pen.mark(x + BOX + 6, top + TARGET / 2, is_met=target.is_met)
            name = cut(_known(_target_name(target), LONGEST_ALT), SMALL_SIZE, room - 4)
            pen.write(x, top + TARGET + 9, name, SMALL_SIZE, DIM)
        top += TARGET + 6 + _target_captions(row)


def _draw_matched(pen: _Pen, row: _RollRow, top: int) -> None:
    """Draw dice that are matched one by one, attack above defense."""
    through = any(one.below is None for one in row.columns)
    # The heroes defend if it is bad for them that something got through.
    is_bad = (row.family is Family.FAILURE) is through
    coming, stopping = (BAD, GOOD) if is_bad else (GOOD, BAD)
    for at in range(0, len(row.columns), COLUMNS):
        columns = row.columns[at : at + COLUMNS]
        above, below = top + CAPTION, top + CAPTION + DIE + GAP
        if any(column.above for column in columns):
            pen.write(EDGE, above + DIE / 2, "attack", TEXT_SIZE, DIM)
        pen.write(EDGE, below + DIE / 2, "defense", TEXT_SIZE, DIM)
        for place, column in enumerate(columns):
            _draw_column(pen, column, (EDGE + WORDS + STEP * place, above, below), (coming, stopping))
        top += 2 * DIE + GAP + 2 * CAPTION
    for line in wrapped(listed(row.terms, " "), TEXT_SIZE, WIDTH - 2 * EDGE):
        pen.write(EDGE, top + LINE / 2, line, TEXT_SIZE, DIM)
        top += LINE


def _draw_column(
    pen: _Pen, column: _Column, where: tuple[int, int, int], colours: tuple[Colour, Colour]
) -> None:
    (left, above, below), (coming, stopping) = where, colours
    middle = left + DIE / 2
    if column.above is not None:
        pen.die(column.above, left, above, coming if column.below is None else QUIET)
        if column.above_value != column.above.face:
            pen.write(middle, above - 8, str(column.above_value), TEXT_SIZE, INK, "mm")
        if column.below is not None:
            pen.strike(left, above, DIE)
    if column.below is None:
        pen.arrow(middle, above + DIE + 4, below + DIE - 2, coming)
        return
    pen.die(column.below, left, below, QUIET if column.above is None else stopping)
    if column.below_value != column.below.face:
        pen.write(middle, below + DIE + 8, str(column.below_value), TEXT_SIZE, INK, "mm")


class _WoundLine(Struct, frozen=True):
    """A line of a change: whose, what and before, and after; each may be on another line."""

    who: str
    before: str
    after: str


def _lines_of_wound(wound: Wound) -> list[_WoundLine]:
    """A change in one line or, where that is too narrow, in two."""
    before = f"{wound.what} {wound.before}".strip()
    who, was, now = (_known(one, LONGEST_ALT) for one in (wound.who, before, wound.after))
    if width_of(who + was + now, TEXT_SIZE) + ARROW <= WIDTH - 2 * EDGE or not who:
        return [_WoundLine(who, was, now)]
    return [_WoundLine(who, "", ""), _WoundLine("", was, now)]


def _draw_wound(pen: _Pen, line: _WoundLine, middle: int) -> None:
    """Draw a line of a change."""
    x: float = EDGE
    for text, colour in ((line.who, INK), (line.before, DIM)):
        pen.write(x, middle, text, TEXT_SIZE, colour)
        x += width_of(text, TEXT_SIZE) + (8 if text else 0)
    if line.after:
        pen.points_right(x, middle, DIM)
        pen.write(x + 19, middle, line.after, TEXT_SIZE, INK)
