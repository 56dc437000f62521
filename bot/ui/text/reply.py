"""Replies as plain values without Discord objects, so that tests can compare them whole."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from bot.rules.kernel import Choice

IN_MENU = 25  # entries that Discord takes in a menu
IN_ROW = 5  # buttons that it takes beside each other
PHONE_ROW = 3  # buttons that fit beside each other on a phone, if they are short
STARS = "☆★"
ROW_LENGTH, FRAME = 31, 3  # in characters: a row on a phone, and what is around a label


class Accent(StrEnum):
    """The colour at the side of an answer, as the heroes see it: one meaning each.

    Good for them, half good, bad for them, neutral; a board that stays is neutral, too, and a running
    fight has a colour of its own.
    """

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    NEWS = "news"
    BOARD = "board"
    FIGHT = "fight"


class Look(StrEnum):
    """How prominent a button is."""

    MAIN = "main"
    PLAIN = "plain"
    GOOD = "good"
    GRAVE = "grave"


class Button(Struct, frozen=True, kw_only=True):
    """A persistent button: its id says what it does, the store holds the rest."""

    id: str  # ``kind:1:arguments``, up to 98 characters; see `bot.ui.input.presses`
    label: str  # verb first; up to 80 characters
    look: Look = Look.PLAIN  # how prominent it is
    is_off: bool = False  # whether it can only be seen


class Select(Struct, frozen=True, kw_only=True):
    """A persistent select menu."""

    id: str  # as for a button
    prompt: str  # what to choose; up to 150 characters
    choices: tuple[Choice, ...]  # 1 to 25 entries
    least: int = 1  # fewest to choose
    most: int = 1  # most to choose
    chosen: tuple[str, ...] = ()  # values chosen already


Row = tuple[Button, ...] | Select


class Picture(Struct, frozen=True):
    """A file that comes with an answer; pictures always have an alt text."""

    name: str
    content: bytes
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture that is drawn off the event loop when it is sent."""

    name: str  # what its file is called
    alt: str  # its alt text
    draw: Callable[[], bytes] = field(compare=False)
    of: Hashable = None  # what it is drawn from, where the alt text doesn't say it all
    # What was drawn from that before, if it is still there.
    drawn: bytes | None = field(default=None, compare=False)


class ButtonBeside(Struct, frozen=True):
    """A paragraph of a board with a button beside it."""

    text: str
    button: Button


class Pictured(Struct, frozen=True):
    """A paragraph of a board with a thumbnail beside it."""

    text: str
    picture: Picture


class Divider(Struct, frozen=True):
    """A line across a board."""


Block = str | ButtonBeside | Pictured | Divider | Picture | Sketch | tuple[Button, ...] | Select


class Reply(Struct, frozen=True, kw_only=True):
    """One answer.

    All of it is one container with a coloured side. A result is a card: a text, files and rows; a board, a
    sheet or a wizard is made of *blocks*. One of the two is given.
    """

    text: str = ""  # markdown of a card, names in it escaped already; up to 4,000 characters
    accent: Accent = Accent.NEWS  # the colour at its side
    rows: tuple[Row, ...] = ()  # up to five rows of up to five buttons, or one select menu each, under a card
    files: tuple[Picture | Sketch, ...] = ()  # what comes with a card, below its text
    unpictured: str = ""  # the text where the files can't be attached, if it says more then
    is_pictured: bool = False  # whether that stands above the text instead
    # The parts of a board, top to bottom; text up to 4,000 characters together.
    blocks: tuple[Block, ...] = ()
    is_private: bool = False  # only the person who asked sees it
    pings: tuple[int, ...] = ()  # the people whom it pings, where it mentions them; nobody else ever
    # What a locked phone shows of one that pings somebody, with the mention; it may be all there is.
    plain: str = ""


def private_page(blocks: Iterable[Block]) -> Reply:
    """A page of blocks for the person who asked."""
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD, is_private=True)


def rows_of(buttons: Sequence[Button], in_row: int | None = None) -> list[tuple[Button, ...]]:
    """Buttons in rows: a given number beside each other, else as many as a phone doesn't break.

    The last of a full row, or of one that begins brightly, joins a plain button that would stand alone
    below it, where both have room.
    """
    if in_row is not None:
        return [tuple(buttons[at : at + in_row]) for at in range(0, len(buttons), in_row)]
    rows: list[tuple[Button, ...]] = []
    for button in buttons:
        if rows and _fit([*rows[-1], button]):
            rows[-1] = (*rows[-1], button)
        else:
            rows.append((button,))
    if (
        len(rows) > 1
        and len(rows[-1]) == 1
        and (len(rows[-2]) == PHONE_ROW or _is_led(rows[-2], rows[-1][0]))
    ):
        *kept, moved = rows[-2]
        if _fit([moved, *rows[-1]]):
            rows[-2:] = [tuple(kept), (moved, *rows[-1])]
    return rows


def _is_led(row: Sequence[Button], alone: Button) -> bool:
    """Whether a row begins with a bright button, which may well stand alone rather than a plain one."""
    return len(row) > 1 and row[0].look is not Look.PLAIN and alone.look is Look.PLAIN


def _fit(row: Sequence[Button]) -> bool:
    """Whether a phone shows buttons beside each other."""
    return len(row) <= PHONE_ROW and sum(_length(one.label) + FRAME for one in row) <= ROW_LENGTH


def _length(label: str) -> int:
    """How long a label is, in characters; a star is as wide as two."""
    return len(label) + sum(map(label.count, STARS))


class Field(Struct, frozen=True, kw_only=True):
    """A text to fill in."""

    key: str  # its name in the answer
    label: str  # up to 45 characters
    note: str = ""  # a hint under the label; up to 100 characters
    value: str = ""  # what stands in it already
    longest: int = 80  # most characters
    is_required: bool = True  # whether it may stay empty
    is_long: bool = False  # whether it is a paragraph


class MenuField(Struct, frozen=True, kw_only=True):
    """A choice in a form."""

    key: str  # its name in the answer
    label: str  # up to 45 characters
    note: str = ""  # a hint under the label; up to 100 characters
    choices: tuple[Choice, ...]  # 1 to 25 entries
    least: int = 1  # fewest to choose; 0 where nothing has to be chosen
    most: int = 1  # most to choose
    chosen: tuple[str, ...] = ()  # values chosen already
    # Whether up to 10 choices all show at once, to be ticked; otherwise they are in a menu.
    is_open: bool = False


class FileField(Struct, frozen=True, kw_only=True):
    """Files to upload in a form."""

    key: str  # its name in the answer
    label: str  # up to 45 characters
    note: str = ""  # a hint under the label; up to 100 characters
    least: int = 1  # fewest files; 0 where none is needed
    most: int = 1  # most files, up to 10


class Form(Struct, frozen=True, kw_only=True):
    """A modal: up to five fields. Its id works as a button's does, also after a restart."""

    id: str
    title: str
    fields: tuple[Field | MenuField | FileField, ...]
