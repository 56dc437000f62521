"""Opposed dice as text and as a picture, each die beside the one that stopped it."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from bot.rules.kernel import Die, Roll
from bot.rules.kernel.outcome import shown_number
from bot.ui.text.paper import GREEN, INK, LONGEST_ALT, PAPER, PLACES, RED, SCALE
from bot.ui.text.reply import Sketch
from bot.ui.text.text import escape, listed, shorten

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

    Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


D6 = "⚀⚁⚂⚃⚄⚅"


def is_pips(die: Die) -> bool:
    """Whether a die is a plain d6, drawn by its face alone."""
    return die.sides == len(D6) and not (die.label or die.shown or die.is_borrowed)


def die_text(die: Die) -> str:
    """One die: its label, its kind, its face; struck through where it does not count."""
    if die.shown:
        face = escape(die.shown)
    elif is_pips(die):
        face = D6[die.face - 1]
    else:
        name = f"*{escape(die.label or 'borrowed')}*" if die.is_borrowed else escape(die.label)
        face = f"d{die.sides} **{die.face}**"
        if not die.is_kept and die.sides == len(D6):  # of these there is a struck picture
            return f"{name} ~~{face}~~".strip()
        face = f"{name} {face}".strip()
    return face if die.is_kept else f"~~{face}~~"


MOST_PICTURES = 10
MOST_COLUMNS = 40  # more dice than that are told in text alone


def duel_text(roll: Roll) -> str:
    """The dice that got through, then the stopped ones struck through beside what stopped them."""
    through = " ".join(f"**{die_text(one.die)}**" for one in roll.facing if one.stopped_by is None)
    stopped = " · ".join(
        f"~~{die_text(one.die)}~~ {die_text(one.stopped_by)}"
        for one in roll.facing
        if one.stopped_by is not None
    )
    spare = " ".join(die_text(replace(die, is_kept=True)) for die in _spare(roll))
    word = "unused" if stopped else "Unused"
    lines = [
        through and f"Through: {through}",
        listed((stopped and f"Stopped: {stopped}", spare and f"{word}: {spare}")),
    ]
    return "\n".join(line for line in lines if line)


def _spare(roll: Roll) -> tuple[Die, ...]:
    return tuple(die for die in roll.dice if not die.is_kept)


# --- the picture -------------------------------------------------------------------------------

DIE, STEP, EDGE, WORDS, GAP = 28, 36, 10, 62, 10
ROW = 2 * DIE + GAP + 2 * 14
COLUMNS = 8  # in a row; always so wide, that a die is as large in every picture
RADIUS = 6
THROUGH, STOPPED, STOPPING, SPARE = RED, (128, 131, 138), GREEN, (84, 87, 94)
PIPS_SIDES = 6


@dataclass(frozen=True, slots=True)
class _Column:
    """One attack die above what stopped it; either may be missing."""

    above: Die | None
    above_value: int
    below: Die | None
    below_value: int


def duel_picture(roll: Roll) -> Sketch | None:
    """The dice in two rows, attack above defense; None without opposed dice."""
    if not roll.facing:
        return None
    columns = tuple(
        _Column(one.die, one.value, one.stopped_by, one.stopping)
        for one in sorted(roll.facing, key=lambda one: one.stopped_by is not None)
    )
    columns += tuple(_Column(None, 0, die, die.counted) for die in _spare(roll))
    if len(columns) > MOST_COLUMNS:
        return None
    return Sketch(name="dice.png", alt=shorten(_alt(roll), LONGEST_ALT), draw=partial(_drawn, columns))


def duel_pictures(rolls: Sequence[Roll]) -> tuple[Sketch, ...]:
    """A picture of each opposed roll, as many as fit one message."""
    found = [sketch for sketch in map(duel_picture, rolls) if sketch is not None][:MOST_PICTURES]
    return tuple(
        replace(one, name=f"dice-{number}.png") if number > 1 else one
        for number, one in enumerate(found, start=1)
    )


def _alt(roll: Roll) -> str:
    facing = roll.facing
    through = listed((shown_number(one.value) for one in facing if one.stopped_by is None), ", ")
    spare = listed((shown_number(die.counted) for die in _spare(roll)), ", ")
    stopped = listed(
        (
            f"{shown_number(one.stopping)} stops {shown_number(one.value)}"
            for one in facing
            if one.stopped_by is not None
        ),
        ", ",
    )
    text = listed((through and f"{through} got through", stopped, spare and f"{spare} unused"), "; ")
    return f"Attack dice above, defense dice below: {text}."


@lru_cache(maxsize=128)
def _drawn(columns: tuple[_Column, ...]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # loaded when the first picture is drawn: it costs memory

    rows = [columns[at : at + COLUMNS] for at in range(0, len(columns), COLUMNS)]
    width = 2 * EDGE + WORDS + STEP * COLUMNS
    image = Image.new("RGB", (width * SCALE, (2 * EDGE + ROW * len(rows)) * SCALE), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(12 * SCALE)
    for number_, row in enumerate(rows):
        top = EDGE + ROW * number_
        words = [("attack", top + 14 + DIE // 2)] if any(column.above for column in row) else []
        for word, middle in (*words, ("defense", top + 14 + DIE + GAP + DIE // 2)):
            pen.text((EDGE * SCALE, middle * SCALE), word, font=font, fill=INK, anchor="lm")
        for place, column in enumerate(row):
            _draw_column(pen, font, column, EDGE + WORDS + STEP * place, top)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_column(pen: "ImageDraw.ImageDraw", font: "Font", column: _Column, left: int, top: int) -> None:
    above, below = top + 14, top + 14 + DIE + GAP
    middle = (left + DIE // 2) * SCALE
    is_stopped = column.below is not None
    if column.above is not None:
        _draw_die(pen, column.above, STOPPED if is_stopped else THROUGH, left, above)
        if column.above_value != column.above.face:
            place = (middle, (top + 6) * SCALE)
            pen.text(place, str(column.above_value), font=font, fill=INK, anchor="mm")
        if is_stopped:
            start, upper, end, lower = _box(left - 2, above - 2, DIE + 4)
            pen.line((start, lower, end, upper), fill=INK, width=2 * SCALE)
    if column.below is not None:
        _draw_die(pen, column.below, SPARE if column.above is None else STOPPING, left, below)
        if column.below_value != column.below.face:
            place = (middle, (below + DIE + 8) * SCALE)
            pen.text(place, str(column.below_value), font=font, fill=INK, anchor="mm")
    else:
        _draw_arrow(pen, middle, (above + DIE + 4) * SCALE, (below + DIE - 2) * SCALE)


def _box(left: int, top: int, size: int) -> tuple[int, int, int, int]:
    return left * SCALE, top * SCALE, (left + size) * SCALE, (top + size) * SCALE


def _draw_arrow(pen: "ImageDraw.ImageDraw", middle: int, top: int, bottom: int) -> None:
    head = 5 * SCALE
    pen.line((middle, top, middle, bottom - head), fill=THROUGH, width=3 * SCALE)
    pen.polygon(
        ((middle - head, bottom - head), (middle + head, bottom - head), (middle, bottom)), fill=THROUGH
    )


def _draw_die(
    pen: "ImageDraw.ImageDraw", die: Die, colour: tuple[int, int, int], left: int, top: int
) -> None:
    """A die with its pips; one that was not rolled is hollow, a borrowed one has a rim."""
    is_rolled = die.sides > 1
    box = _box(left, top, DIE)
    rim = INK if die.is_borrowed else colour
    pen.rounded_rectangle(
        box, RADIUS * SCALE, fill=colour if is_rolled else PAPER, outline=rim, width=2 * SCALE
    )
    light = INK if not is_rolled or colour == SPARE else PAPER
    for across, down in PLACES.get(die.face, ()) if die.sides in (1, PIPS_SIDES) else ():
        x, y = (left + 7 + across * 7) * SCALE, (top + 7 + down * 7) * SCALE
        dot = 2.5 * SCALE
        pen.ellipse((x - dot, y - dot, x + dot, y + dot), fill=light)
