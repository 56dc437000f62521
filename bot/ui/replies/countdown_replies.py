"""Countdown replies: the board, the GM's view and the skill form."""

import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.rules.kernel.wording import MINUS
from bot.rules.shared.countdowns import Kind, Side, Status, Term, Visibility
from bot.table.countdowns.countdown_actions import SkillWanted
from bot.table.play.countdown_plans import Board, Listing
from bot.table.play.countdowns import CountdownView
from bot.ui.input.discord_format import COLOURS
from bot.ui.input.presses import press_id
from bot.ui.text.reply import (
    IN_ROW,
    Accent,
    Block,
    Button,
    Field,
    Form,
    Look,
    MenuField,
    Picture,
    Pictured,
    Reply,
    private_page,
    rows_of,
)
from bot.ui.text.text import escape, listed, plain, shorten

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


LAYOUT = 1  # counts up when boards come to look different, so that those standing are drawn anew
MOST_ON_BOARD = 8
MOST_BUTTONS = 9  # of countdowns on a board, in rows of five with the GM's
MOST_FOR_GM = 8
MOST_LINES = 20
LONGEST_LABEL = 24
MOST_STEPS = 12
KIND_WORDS = {
    Kind.SUCCESS: "Successes",
    Kind.FAILURE: "The players' failures",
    Kind.TUG: "Two sides pull",
}
SIGHT_WORDS = {
    Visibility.OPEN: "Everyone",
    Visibility.KNOWN: "Everyone, without its progress",
    Visibility.GM: "Only GMs",
}


def mark_of(board: Board) -> str:
    """A fingerprint of what a board shows, to detect changes."""
    return hashlib.sha256(repr((LAYOUT, board.campaign, board.countdowns)).encode()).hexdigest()[:32]


def board_reply(board: Board) -> Reply:
    """The public board with its pictures; slow, so call it off the event loop."""
    shown = board.countdowns[:MOST_ON_BOARD]
    more = len(board.countdowns) - len(shown)
    blocks: list[Block] = [f"### Countdowns · {escape(board.campaign)}"]
    blocks += [Pictured(paragraph(one), picture(one)) for one in shown]
    if more:
        blocks.append(f"-# and {more} more: /countdown show")
    if not shown:
        blocks.append("No countdowns are running.")
    buttons = [button for one in shown for button in _board_buttons(one)][:MOST_BUTTONS]
    buttons.append(Button(id=press_id("counts", board.place.campaign), label="GM …"))
    blocks += rows_of(buttons, IN_ROW)
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD)


def _board_buttons(one: CountdownView) -> Iterable[Button]:
    """The board's buttons, only for countdowns that everybody may read."""
    if one.visibility is not Visibility.OPEN:
        return
    look = Look.MAIN if one.is_shared else Look.PLAIN
    name = plain(one.name, LONGEST_LABEL)
    yield Button(id=press_id("count", one.id, "up"), label=f"+ {name}", look=look)
    if one.kind is Kind.TUG:
        yield Button(id=press_id("count", one.id, "down"), label=f"{MINUS} {name}")


def paragraph(one: CountdownView) -> str:
    """A countdown in two lines: its name and progress, and what moves it."""
    name = f"**{escape(one.name)}**"
    if one.value is None:
        return f"{name}\n-# {_unread(one)}"
    first = f"{name}\n{one.boxes} {one.value} of {one.difficulty}"
    if one.status is not Status.RUNNING:
        first = f"{name} · **{one.status}{_for_whom(one)}**\n{one.boxes} {one.value} of {one.difficulty}"
    return f"{first}\n-# {listed(escape(word) for word in one.about)}"


def _unread(one: CountdownView) -> str:
    return "known, progress hidden" if one.status is Status.RUNNING else one.status.value


def _for_whom(one: CountdownView) -> str:
    if one.winner is None or one.kind is not Kind.TUG:
        return ""
    return " for the players" if one.winner is Side.PLAYERS else " for the opposition"


def picture(one: CountdownView) -> Picture:
    """The picture of a countdown with its alt text."""
    clock = Clock(value=one.value, difficulty=one.difficulty, kind=one.kind, side=one.side)
    far = "progress hidden" if one.value is None else f"{one.value} of {one.difficulty} filled"
    alt = f"Clock for {plain(one.name, 100)}: {far}"
    return Picture(f"clock-{one.id}.png", draw(clock), alt)


# --- for one person ----------------------------------------------------------------------------


def listing_reply(found: Listing) -> Reply:
    """A private list of the countdowns that the person may see."""
    lines = [f"**Countdowns** · {escape(found.campaign)}"]
    lines += [_line(one, is_gm=found.is_gm) for one in found.running[:MOST_LINES]]
    if len(found.running) > MOST_LINES:
        lines.append(f"-# and {len(found.running) - MOST_LINES} more: /countdown show with its name")
    if not (found.running or found.over):
        lines.append("None yet. A GM can start one with /gm countdown create.")
    if found.over:
        lines.append("**Over**")
        lines += [_line(one, is_gm=found.is_gm) for one in found.over]
    return Reply(text=shorten("\n".join(lines), 4000), accent=Accent.BOARD, is_private=True)


def _line(one: CountdownView, *, is_gm: bool) -> str:
    text = paragraph(one)
    if is_gm:
        text += "".join(f"\n-# {line}" for line in _gm_lines(one))
    elif one.consequence:
        text += f"\n-# {escape(one.consequence)}"
    return text


def _gm_lines(one: CountdownView) -> list[str]:
    """The lines about a countdown that only the GM reads."""
    seen = {Visibility.OPEN: "", Visibility.KNOWN: "progress hidden", Visibility.GM: "visible only to you"}
    term = "ends with the session" if one.term is Term.SHORT else "long-term"
    facts = listed([seen[one.visibility], term if one.status is Status.RUNNING else ""])
    lines = [facts, escape(one.note), f"at the end: {escape(one.consequence)}" if one.consequence else ""]
    lines.append("; ".join(escape(tick) for tick in one.history))
    return [line for line in (*lines, escape(one.hint)) if line]


def gm_reply(found: Listing) -> Reply:
    """The GM's view: every running countdown with its buttons."""
    blocks: list[Block] = [f"### Countdowns · {escape(found.campaign)} · GM view"]
    shown = found.running[:MOST_FOR_GM]
    for one in shown:
        blocks.append(_line(one, is_gm=True))
        blocks.append(
            (
                Button(id=press_id("count", one.id, "up", "gm"), label="+ 1", look=Look.MAIN),
                Button(id=press_id("count", one.id, "down", "gm"), label=f"{MINUS} 1"),
            )
        )
    more = len(found.running) - len(shown)
    if more:
        blocks.append(f"-# and {more} more: /countdown show")
    if not shown:
        blocks.append("No countdowns are running. Start one with /gm countdown create.")
    return private_page(blocks)


def board_skill_form(wanted: SkillWanted, *, for_gm: bool) -> Form:
    """The form that asks which skill was used, of a board or of the GM's view."""
    return skill_form(press_id("countskill", wanted.id, "gm" if for_gm else "board"), wanted)


def skill_form(id_: str, wanted: SkillWanted) -> Form:
    """The form that asks which skill was used.

    Args:
        id_: The id of its submission.
        wanted: The countdown that it moves.
    """
    field = Field(key="skill", label="Which skill was used?", longest=80)
    return Form(id=id_, title=plain(f"+ {wanted.name}", 45), fields=(field,))


def new_form(id_: str) -> Form:
    """The form that starts a countdown.

    Args:
        id_: The id of its submission.
    """
    kinds = tuple(Choice(kind.value, words) for kind, words in KIND_WORDS.items())
    steps = tuple(Choice(str(number), str(number)) for number in range(1, MOST_STEPS + 1))
    sights = tuple(Choice(sight.value, words) for sight, words in SIGHT_WORDS.items())
    return Form(
        id=id_,
        title="New countdown",
        fields=(
            Field(key="name", label="Name", note="A promise or a threat, not the outcome", longest=60),
            MenuField(key="kind", label="What advances it", choices=kinds, chosen=(kinds[0].value,)),
            MenuField(key="steps", label="Steps", choices=steps, chosen=("4",)),
            MenuField(key="sight", label="Who sees it", choices=sights, chosen=(sights[0].value,)),
        ),
    )


def board_placed_reply() -> Reply:
    """The reply to placing the board in this channel."""
    return Reply(text="Board posted. It updates itself.", is_private=True)


def hints_reply(hints: tuple[str, ...]) -> Reply:
    """Hints for the GM."""
    return Reply(text="\n".join(escape(hint) for hint in hints), is_private=True)
