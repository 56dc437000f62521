"""The board of a campaign's countdowns, its words and its pictures."""

import hashlib
import io
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import discord
from msgspec import Struct

from bot.rules.kernel.outcome import MINUS
from bot.rules.shared.countdowns import Kind, Side, Status, Visibility
from bot.table.base.access import CannotPost
from bot.table.base.table import Table
from bot.table.play import countdown_plans
from bot.table.play.countdown_actions import SkillWanted
from bot.table.play.countdown_plans import Board, BoardPlace, Done, Stood
from bot.table.play.countdowns import CountdownView
from bot.ui.input.answer import answer
from bot.ui.input.discord_format import COLOURS
from bot.ui.input.presses import Interaction, press_id
from bot.ui.live.live_message import Live, LiveKind, LiveMessage
from bot.ui.live.result_messages import tell
from bot.ui.text.reply import (
    IN_ROW,
    Accent,
    Block,
    Button,
    Field,
    Form,
    Look,
    Picture,
    Pictured,
    Reply,
    rows_of,
)
from bot.ui.text.roll_text import escape, listed, plain

if TYPE_CHECKING:
    from PIL import ImageDraw


async def _load(table: Table, place: BoardPlace) -> Live | None:
    board = await countdown_plans.board(table, place)
    if board is None:
        return None
    return Live(
        server=place.server,
        channel=board.channel,
        message=board.message,
        shown=board.shown,
        mark=mark_of(board),
        draw=lambda _pings: board_reply(board),
    )


COUNTDOWN_BOARD = LiveKind(name="countdown board", rows=countdown_plans.ROWS, load=_load)


async def put_here(
    live: LiveMessage[BoardPlace], table: Table, place: BoardPlace, before: Stood | None
) -> None:
    """Post the board in its new place, then delete the old one.

    Raises:
        CannotPost: If the bot may not post there; then it stands where it stood before.
    """
    try:
        await live.show_now(place)
    except Exception as error:
        await countdown_plans.put_back(table, place, before)
        if isinstance(error, discord.Forbidden):
            raise CannotPost(("a permission",)) from None
        raise
    if before is not None and before.message is not None:
        await live.remove(place.server, before.channel, before.message)


async def show_done(interaction: Interaction, done: Done) -> None:
    """Post a countdown's move and, where a rule gives advice about it, the advice."""
    await tell(interaction, done.result)
    if done.hints:
        await answer(interaction, hints_reply(done.hints))


# --- words ---------------------------------------------------------------------------------------

SIZE = 176  # pixels: twice what Discord shows beside a text
FINER = 3  # drawn larger and scaled down, for smooth edges
RING = 0.5  # how far in the parts reach
GAP_DEGREES = 5.0
TOP_DEGREES = -90.0
MIDDLE = (43, 45, 49, 255)  # a dark disc, so that the numbers are read on light and on dark
NUMBERS = (255, 255, 255, 255)
TO_COME = (142, 146, 151, 150)


class Clock(Struct, frozen=True):
    """The input of a countdown's picture; equal inputs give the same picture."""

    value: int | None  # how far it is; None where that is hidden
    difficulty: int | None  # in how many parts it is; None likewise
    kind: Kind = Kind.SUCCESS  # what moves it
    side: Side = Side.PLAYERS  # whose it is


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
    image.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(drawn, "PNG")
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
LONGEST_LABEL = 24


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


def skill_form(id_: str, wanted: SkillWanted) -> Form:
    """The form that asks which skill was used.

    Args:
        id_: The id of its submission.
        wanted: The countdown that it moves.
    """
    field = Field(key="skill", label="Which skill was used?", longest=80)
    return Form(id=id_, title=plain(f"+ {wanted.name}", 45), fields=(field,))


def hints_reply(hints: tuple[str, ...]) -> Reply:
    """Hints for the GM."""
    return Reply(text="\n".join(escape(hint) for hint in hints), is_private=True)
