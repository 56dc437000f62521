"""Start countdowns, alone or in duels."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import (
    Countdown,
    Kind,
    Limits,
    Side,
    Status,
    Term,
    Visibility,
    crowding_hint,
    started,
    weight_of,
)
from bot.store.connection import NameTaken
from bot.store.records import BoardRecord, CampaignId, CharacterRecord, CountdownRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, Request, posting_notes, require_posting
from bot.table.base.live_rows import LiveRows
from bot.table.base.results import NOTHING_TOLD, Result, Telling
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_countdown
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.base.typed_options import assert_unlike, one_line
from bot.table.journal.suggest import matching
from bot.table.play.countdowns import (
    CountdownView,
    as_kept,
    check_keys,
    find_countdown,
    may_know,
    standing,
    view,
)

BOARD = "countdowns"
Stood: TypeAlias = BoardRecord  # where a board stood before it was put elsewhere
LATEST_OVER = 10
MOST = 1000


class BoardPlace(Struct, frozen=True):
    """The campaign a board belongs to."""

    server: ServerId
    campaign: CampaignId


class Board(Struct, frozen=True, kw_only=True):
    """A board as everybody should see it."""

    place: BoardPlace  # the campaign it belongs to
    campaign: str  # name of the campaign
    channel: int
    message: int | None  # its message; None before it is posted
    shown: str  # the fingerprint of what it showed last
    # The running ones that everybody may know of, with the two of a duel side by side.
    countdowns: tuple[CountdownView, ...]


class Listing(Struct, frozen=True, kw_only=True):
    """Countdowns as a person may see them."""

    campaign: str  # name of the campaign
    is_gm: bool  # whether the person sees the GM's view
    running: tuple[CountdownView, ...]
    over: tuple[CountdownView, ...]  # the latest of those that are over


def keep_a_board(tx: Transaction, access: Access) -> tuple[str, ...]:
    """Make sure the campaign has a board: where it is already, else in this channel.

    Returns:
        What to tell if it has none, because the bot may not post here.
    """
    server, campaign = access.campaign.server, access.campaign.id
    if tx.board(server, campaign, BOARD) is not None:
        return ()
    if access.request.lacks:
        return posting_notes(access.request, "There is no board yet; post one with /gm countdown board:")
    channel = access.request.channel
    tx.save_board(BoardRecord(server=server, campaign=campaign, kind=BOARD, channel=channel))
    return ()


ROWS = LiveRows(
    kind=BOARD,
    tables=frozenset({"countdowns", "campaigns"}),
    place_of=lambda row: BoardPlace(row.server, row.campaign),
    key_of=lambda _reader, place: (place.server, place.campaign, BOARD),
)


@unit(gm=True)
def place_board(at: Turn) -> tuple[BoardPlace, Stood | None]:
    """Put the board into this channel, as its newest message.

    Returns:
        The board's campaign, and where the board was before.

    Raises:
        UserError: If the bot may not post here.
    """
    require_posting(at.request)
    server, campaign = at.server, at.campaign.id
    before = at.tx.board(server, campaign, BOARD)
    at.tx.save_board(BoardRecord(server=server, campaign=campaign, kind=BOARD, channel=at.request.channel))
    return BoardPlace(server, campaign), before


async def put_back(table: Table, place: BoardPlace, before: Stood | None) -> None:
    """Restore the board's earlier place after posting it again failed."""

    def unit(tx: Transaction) -> None:
        if before is None:
            tx.drop_board(place.server, place.campaign, BOARD)
        else:
            tx.save_board(before)

    await table.store.run(unit)


async def board(table: Table, place: BoardPlace) -> Board | None:
    """Return the board as it should look now; None if the campaign has none."""

    def query(reader: Reader) -> Board | None:
        stored = reader.board(place.server, place.campaign, BOARD)
        campaign = reader.campaign(place.server, place.campaign)
        if stored is None or campaign is None:
            return None
        running = reader.countdowns(place.server, place.campaign, limit=MOST)
        known = [one for one in running if one.visibility != Visibility.GM]
        return Board(
            place=place,
            campaign=campaign.name,
            channel=stored.channel,
            message=stored.message,
            shown=stored.shown,
            countdowns=tuple(view(reader, one, is_gm=False) for one in beside(known)),
        )

    return await table.store.read(query)


def beside(countdowns: Sequence[CountdownRecord]) -> list[CountdownRecord]:
    """Return the countdowns in order, but with the two of a duel side by side."""
    by_id = {one.id: one for one in countdowns}
    ordered: dict[int, CountdownRecord] = {}
    for one in countdowns:
        ordered.setdefault(one.id, one)
        if one.rival is not None and one.rival in by_id:
            ordered.setdefault(one.rival, by_id[one.rival])
    return list(ordered.values())


# --- looking -----------------------------------------------------------------------------------


@look()
def listing(at: ReadTurn, name: str | None = None, *, campaign: CampaignId | None = None) -> Listing:
    """Return the countdowns of a campaign, or one of them, as far as the person may know.

    Args:
        name: The name of one; by default all.
        campaign: The campaign; by default that of the place.

    Raises:
        UserError: If there is none of that name that the person may know of.
    """
    at = at.in_campaign(campaign)
    server, id_ = at.server, at.campaign.id
    if name is None:
        running = beside(at.reader.countdowns(server, id_, limit=MOST))
        over = at.reader.countdowns(server, id_, are_over=True, limit=MOST)
    else:
        found = find_countdown(at.reader, at.access, name)
        running, over = ([found], []) if found.status == Status.RUNNING else ([], [found])
    return Listing(
        campaign=at.campaign.name,
        is_gm=at.is_gm,
        running=_views(at.reader, at.access, running),
        over=_views(at.reader, at.access, over)[:LATEST_OVER],
    )


def _views(reader: Reader, access: Access, found: Sequence[CountdownRecord]) -> tuple[CountdownView, ...]:
    return tuple(view(reader, one, is_gm=access.is_gm) for one in found if may_know(access, one))


@look()
def choices(at: ReadTurn, typed: str, *, are_over: bool = False, for_gm: bool = False) -> list[Choice]:
    """Return the names of countdowns that the person may know of.

    Args:
        typed: The part of a name typed so far.
        are_over: Whether to include those that are over.
        for_gm: Whether to offer names only to a GM.
    """
    if for_gm and not at.is_gm:
        return []
    server, campaign = at.server, at.campaign.id
    found = at.reader.countdowns(server, campaign, limit=MOST)
    if are_over:
        found += at.reader.countdowns(server, campaign, are_over=True, limit=MOST)
    names = [one.name for one in found if may_know(at.access, one)]
    return [Choice(name, name) for name in matching(names, typed)]


@look()
def link_choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the ruleset's procedures that a countdown can follow."""
    return [Choice(key, key) for key in matching(check_keys(at.access), typed)]


async def gm_listing(table: Table, request: Request, campaign: int | None = None) -> Listing:
    """Return the same for a GM; anybody else is refused."""
    found = await listing(table, request, campaign=None if campaign is None else CampaignId(campaign))
    if not found.is_gm:
        raise ForGmOnly("Only a GM can see that.")
    return found


LONGEST_NAME = 60


class Plan(Struct, frozen=True, kw_only=True):
    """A countdown that a GM wants to start."""

    name: str  # its name, visible to everybody who may know of it
    kind: Kind  # what moves it
    difficulty: int  # the value at which it is resolved
    start: int | None = None  # where a tug-of-war begins; by default in the middle
    side: Side = Side.PLAYERS  # whose successes advance it
    visibility: Visibility = Visibility.OPEN  # who may know what about it
    term: Term = Term.SHORT  # how long it is meant to run
    limits: Limits = field(default_factory=Limits)  # which successes count
    every_seconds: int | None = None  # game time after which it advances by itself, or None
    is_shared: bool = False  # whether players may advance it by hand
    links: tuple[str, ...] = ()  # the procedures whose results move it
    consequence: str = ""  # the text that everybody reads once it is resolved
    note: str = ""  # the GM's private note

    def against(self, name: str, difficulty: int, *, kind: Kind) -> "Plan":
        """The other countdown of a duel: the players' failures, or the opposition's successes."""
        return Plan(
            name=name,
            kind=kind,
            difficulty=difficulty,
            side=Side.OPPOSITION if kind is Kind.SUCCESS else Side.PLAYERS,
            visibility=self.visibility,
            term=self.term,
            is_shared=self.is_shared,
            links=self.links,
        )


class Done(Struct, frozen=True):
    """The result of an action on a countdown."""

    result: Result  # the answer
    hints: tuple[str, ...] = ()  # hints for the GM only


def note_done(
    at: Turn,
    kind: str,
    headline: str,
    telling: Telling,
    *,
    is_public: bool,
    character: CharacterRecord | None = None,
) -> Result:
    """Record what was done with a countdown."""
    return at.log(
        f"countdown.{kind}",
        headline,
        by=character,
        changes=telling.lines,
        notes=telling.notes,
        secret=not is_public,
        facts=telling.facts,
    )


@unit(gm=True)
def begin(at: Turn, *plans: Plan) -> Done:
    """Start a countdown, or two that run against each other.

    Args:
        plans: One, or the two of a duel.

    Raises:
        UserError: If one of them is not allowed; then none starts.
    """
    again = at.earlier_answer()
    if again is not None:
        return Done(again)
    made = [_make(at.tx, at.access, plan) for plan in plans]
    if len(made) == 2:
        first, second = (replace(one, rival=other.id) for one, other in (made, reversed(made)))
        for one in (first, second):
            at.tx.save_countdown(one)
    known = [one for one in made if one.visibility != Visibility.GM]
    boardless = keep_a_board(at.tx, at.access) if known else ()
    running = at.tx.countdowns(at.server, at.campaign.id)
    hint = crowding_hint(sum(one.visibility == Visibility.OPEN for one in running))
    countdowns = known or made
    names = " against ".join(one.name for one in countdowns)
    told = [beginning(one) for one in countdowns]
    if len(countdowns) == 1:  # the headline names it
        told = [told[0].removeprefix(f"{countdowns[0].name}: ")]
    hidden = tuple(one.id for one in made if one not in known)
    telling = Telling(notes=(*told, *boardless), hidden=hidden if known else ())
    is_duel = len(made) == 2
    kind, did = ("duel", "starts two countdowns") if is_duel else ("create", "starts a countdown")
    result = note_done(at, kind, f"{did}: {names}", telling, is_public=bool(known))
    return Done(result, (hint,) if hint else ())


def _make(tx: Transaction, access: Access, plan: Plan) -> CountdownRecord:
    name = readable_name(plan.name)
    begun = started(
        name,
        plan.kind,
        plan.difficulty,
        start=plan.start,
        side=plan.side,
        limits=plan.limits,
        every_seconds=plan.every_seconds,
        since=access.campaign.clock,
    )
    assert_unlike(name, (one.name for one in tx.countdowns(access.campaign.server, access.campaign.id)))
    made = replace(
        _record_of(access, begun, name, plan.visibility),
        term=plan.term.value,
        is_shared=plan.is_shared and begun.side is Side.PLAYERS,
        links=tuple(procedure_key(access, key) for key in plan.links),
        consequence=one_line(plan.consequence),
        note=one_line(plan.note),
    )
    return replace(made, id=save_named(tx, made))


def beginning(made: CountdownRecord) -> str:
    """Return a sentence on a countdown's start value and difficulty."""
    if made.visibility == Visibility.KNOWN:
        return f"{made.name}: known, progress hidden"
    weight = weight_of(Kind(made.kind), made.difficulty)
    return f"{made.name}: {standing(made)} · {made.kind} · {weight}"


def readable_name(written: str) -> str:
    """Return a typed name on one line.

    Raises:
        UserError: If it has no visible characters, or is too long.
    """
    name = one_line(written)
    if not name:
        raise UserError("A countdown needs a readable name.")
    if len(name) > LONGEST_NAME:
        raise UserError(f"A name can have up to {LONGEST_NAME} characters; this one has {len(name)}.")
    return name


def save_named(tx: Transaction, made: CountdownRecord) -> int:
    """Save a countdown under its name; return its id.

    Raises:
        UserError: If another running one has the name, or there are too many.
    """
    if not made.id:
        assert_room_for_countdown(tx, made.server, made.campaign)
    try:
        return tx.save_countdown(made)
    except NameTaken:
        raise UserError(
            f"A countdown called “{made.name}” is already running.", try_this="Choose another name."
        ) from None


def procedure_key(access: Access, typed: str) -> str:
    """Return the key of a check that a countdown can follow.

    Raises:
        UserError: If the campaign's ruleset has no such check.
    """
    key, offered = typed.strip().casefold(), check_keys(access)
    if key not in offered:
        raise UserError(
            f"{access.game.title} has no check called “{typed}”.", f"Its checks: {', '.join(offered)}."
        )
    return key


def keep_begun(
    tx: Transaction, access: Access, begun: Sequence[Countdown], *, is_private: bool = False
) -> Telling:
    """Save the countdowns that a procedure has started; of two, each is the other's rival.

    They run within the scene; checks advance them, and so does the GM by hand.

    Args:
        access: Who did it.
        begun: The countdowns, already moved by what started them.
        is_private: Whether only the GM may know of them.
    """
    if not begun:
        return NOTHING_TOLD
    visibility = Visibility.GM if is_private else Visibility.OPEN
    made = [_kept(tx, access, one, visibility) for one in begun]
    if len(made) == 2:
        for one, other in (made, reversed(made)):
            tx.save_countdown(replace(one, rival=other.id))
    boardless = keep_a_board(tx, access) if not is_private else ()
    return Telling(notes=(*(beginning(one) for one in made), *boardless))


def _kept(tx: Transaction, access: Access, begun: Countdown, visibility: Visibility) -> CountdownRecord:
    name = _free_name(tx, access, readable_name(begun.name[: LONGEST_NAME - 3]))
    made = _record_of(access, begun, name, visibility)
    return replace(made, id=save_named(tx, made))


def _record_of(access: Access, begun: Countdown, name: str, visibility: Visibility) -> CountdownRecord:
    """Return the record of a new countdown that runs within the scene."""
    limits = begun.limits
    new = CountdownRecord(
        server=access.campaign.server,
        campaign=access.campaign.id,
        name=name,
        kind=begun.kind.value,
        side=begun.side.value,
        visibility=visibility.value,
        term=Term.SHORT.value,
        difficulty=begun.difficulty,
        start=begun.start,
        per_day=limits.per_day,
        per_member=limits.per_member,
        per_skill=limits.per_skill,
        distinct_skills=limits.distinct_skills,
        every_seconds=begun.every_seconds,
        is_shared=False,
    )
    return as_kept(new, begun)


def _free_name(reader: Reader, access: Access, name: str) -> str:
    """Return the name, numbered if another running countdown has it."""
    running = {one.name.casefold() for one in reader.countdowns(access.campaign.server, access.campaign.id)}
    numbered = (name, *(f"{name} {number}" for number in range(2, len(running) + 3)))
    return next(one for one in numbered if one.casefold() not in running)
