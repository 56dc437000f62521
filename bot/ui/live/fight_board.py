"""The board of a fight: always the newest message of its channel; it can ping whoever's turn it is."""

import hashlib
from collections.abc import Iterator, Sequence

from bot.rules.kernel import Choice, EncounterView, FighterLine
from bot.table.base.table import Table
from bot.table.encounters import encounters
from bot.table.encounters.encounters import FightBoard, FightPlace, Look, SameKindOffer
from bot.table.play.owed_answers import Offer
from bot.ui.input.presses import press_id
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.links import controls_button
from bot.ui.text.grounds import ground_picture
from bot.ui.text.reply import IN_MENU, IN_ROW, Accent, Block, Button, Reply, Select, rows_of
from bot.ui.text.reply import Look as Prominence
from bot.ui.text.text import PAGE_LINES, as_many, escape, first_short, height, listed, plain, shorten


async def _load(table: Table, place: FightPlace) -> Live | None:
    board = await encounters.board(table, place)
    if board is None:
        return None
    look = board.look

    def draw(pings: tuple[int, ...]) -> Reply:
        return over_reply() if look is None else board_reply(look, pings)

    return Live(
        server=place.server,
        channel=place.channel,
        message=board.message,
        shown=board.shown,
        mark=mark_of(board),
        draw=draw,
        turn="" if look is None else _turn_mark(look),
        pings=look.players if look is not None and board.pings else (),
        is_over=look is None,
    )


def _turn_mark(look: Look) -> str:
    return hashlib.sha256(look.view.turn.encode()).hexdigest()[:8]


FIGHT_BOARD = LiveKind(name="fight", rows=encounters.ROWS, load=_load, moves_down=True)

# --- words ---------------------------------------------------------------------------------------

LAYOUT = 3  # counts up when boards come to look different, so that those standing are drawn anew
MORE = "-# and {} more: /encounter status"
MOST_SELECTS = 5
MOST_BUTTONS = 13  # of offers, beside the sheet's and the GM's
LONGEST_TEXT = 3600


def mark_of(board: FightBoard) -> str:
    """A fingerprint of what a board shows, to detect changes."""
    look = board.look
    shown = None if look is None else (look.campaign, look.view, look.players, tuple(_controls(look)))
    return hashlib.sha256(repr((LAYOUT, shown)).encode()).hexdigest()[:32]


def _controls(look: Look) -> Iterator[tuple[str, str, tuple[Choice, ...]]]:
    """What each control of a board does, as its key says, and what it says itself."""
    controls: tuple[Offer | SameKindOffer, ...] = (*look.offers, *look.same_kind)
    for one in controls:
        yield one.key, one.follow_up.label, one.follow_up.choices


def board_reply(look: Look, pings: Sequence[int] = ()) -> Reply:
    """The public board.

    Args:
        look: The fight as everybody sees it.
        pings: Whom it pings because their turn begins.
    """
    blocks: list[Block] = fight_blocks(look, PAGE_LINES - bool(pings))
    if pings:
        blocks.append(f"-# {' '.join(f'<@{person}>' for person in pings)}")
    selects = [one for one in look.offers if one.follow_up.choices][:MOST_SELECTS]
    buttons = [_button(look, one) for one in look.offers if not one.follow_up.choices][:MOST_BUTTONS]
    buttons += [controls_button(), Button(id=press_id("fightgm", look.campaign), label="GM …")]
    blocks += [_select(look, one) for one in selects]
    blocks += [_same_kind_select(look, one) for one in look.same_kind[: MOST_SELECTS - len(selects)]]
    blocks += rows_of(buttons, IN_ROW)
    people = " ".join(f"<@{person}>" for person in pings)
    plain = f"{escape(look.view.on)}: your turn, {people}"
    return Reply(blocks=tuple(blocks), accent=Accent.FIGHT, pings=tuple(pings), plain=plain)


def fight_blocks(look: Look, room: int | None = None) -> list[Block]:
    """What a fight looks like, in so many lines of a phone, or in as many as it takes."""
    view = look.view
    head = f"### {escape(view.title)} · {escape(view.on)}"
    picture = ground_picture(view.ground) if view.ground else None
    ground = [view.ground.alt] if view.ground and view.lines and picture is None else []
    lines, notes = _fighters(view), [*ground, *view.notes]
    if room is not None and height((head, *lines, *notes)) > room:
        lines = _fewer_words(view, room - height((head, *notes)))
    shown = shorten("\n".join(lines), LONGEST_TEXT) if lines else "Nobody has joined yet."
    blocks: list[Block] = [head, shown]
    if picture is not None:
        blocks.append(picture)
    if notes:
        blocks.append("\n".join(f"-# {escape(note)}" for note in notes))
    return blocks


def _fighters(view: EncounterView, facts: int | None = None) -> list[str]:
    """A line for each combatant, with so many facts about those who are not on."""
    return [_line(one, None if one.is_on else facts) for one in view.lines]


def _fewer_words(view: EncounterView, room: int) -> list[str]:
    """The combatants with fewer facts until they fit; if too many, from the one who is on."""
    lines = first_short([_fighters(view, facts) for facts in (None, 3, 2, 1)], room)
    on = next((number for number, one in enumerate(view.lines) if one.is_on), 0)
    turned = [*lines[on:], *lines[:on]]
    kept = as_many((MORE,), turned, room)
    if height(lines) <= room or not kept:
        return list(lines)
    return [*turned[:kept], MORE.format(len(turned) - kept)]


def _line(one: FighterLine, facts: int | None = None) -> str:
    """One combatant: a turn marker, their name and their state, in so many facts."""
    name = f"▶ **{escape(one.name)}**" if one.is_on else escape(one.name)
    return listed([name, *(escape(fact) for fact in one.facts[:facts]), "done" if one.has_acted else ""])


def _button(look: Look, one: Offer) -> Button:
    is_own = one.follow_up.character is not None
    return Button(
        id=press_id("fight", look.campaign, one.key),
        label=plain(one.follow_up.label, 80),
        look=Prominence.MAIN if is_own else Prominence.PLAIN,
    )


def _select(look: Look, one: Offer) -> Select:
    return Select(
        id=press_id("fight", look.campaign, one.key),
        prompt=plain(one.follow_up.label, 150),
        choices=one.follow_up.choices[:IN_MENU],
    )


def _same_kind_select(look: Look, one: SameKindOffer) -> Select:
    return Select(
        id=press_id("kin", look.campaign, one.key),
        prompt=plain(one.follow_up.label, 150),
        choices=one.follow_up.choices[:IN_MENU],
    )


def over_reply() -> Reply:
    """The board of a finished fight."""
    return Reply(
        blocks=("### The encounter is over", "-# Everything that happened is in /log."), accent=Accent.BOARD
    )


def gm_blocks(view: EncounterView) -> list[Block]:
    """The blocks that only the GM reads."""
    lines = [
        listed([escape(one.name), *(escape(secret) for secret in one.secrets)])
        for one in view.lines
        if one.secrets
    ]
    lines += [
        listed([f"{escape(one.name)}, hidden", *(escape(fact) for fact in (*one.facts, *one.secrets))])
        for one in view.hidden
    ]
    lines += [escape(secret) for secret in view.secrets]
    return [
        "**Hidden from players**\n" + shorten("\n".join(lines or ["Nothing is hidden."]), LONGEST_TEXT // 2)
    ]
