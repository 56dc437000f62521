"""Start countdowns, alone or in duels."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import (
    Kind,
    Limits,
    Side,
    Term,
    Visibility,
    crowding_hint,
    started,
    weight_of,
)
from bot.store.records import CharacterRecord, CountdownRecord
from bot.store.store_errors import NameTaken
from bot.store.transaction import Transaction
from bot.table.base.access import Access, gm_access_here
from bot.table.base.clean_names import one_line
from bot.table.base.look_alikes import assert_unlike
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_countdown
from bot.table.journal.journal import record, told_before
from bot.table.play.boards import keep_a_board
from bot.table.play.countdowns import Telling, check_keys, standing

LONGEST_NAME = 60
GmAction = Callable[[Transaction, Access], Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A countdown that a GM wants to start.

    Attributes:
        name: Its name, visible to everybody who may know of it.
        kind: What moves it.
        difficulty: The value at which it is resolved.
        start: Where a tug-of-war begins; by default in the middle.
        side: Whose successes advance it.
        visibility: Who may know what about it.
        term: How long it is meant to run.
        limits: Which successes count.
        every_seconds: Game time after which it advances by itself, or None.
        is_shared: Whether players may advance it by hand.
        links: The procedures whose results move it.
        consequence: The text that everybody reads once it is resolved.
        note: The GM's private note.
    """

    name: str
    kind: Kind
    difficulty: int
    start: int | None = None
    side: Side = Side.PLAYERS
    visibility: Visibility = Visibility.OPEN
    term: Term = Term.SHORT
    limits: Limits = field(default_factory=Limits)
    every_seconds: int | None = None
    is_shared: bool = False
    links: tuple[str, ...] = ()
    consequence: str = ""
    note: str = ""

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


@dataclass(frozen=True, slots=True)
class Done:
    """The result of an action on a countdown.

    Attributes:
        result: The answer.
        hints: Hints for the GM only.
    """

    result: Result
    hints: tuple[str, ...] = ()


async def as_gm(table: Table, request: Request, action: GmAction) -> Result:
    """Run a GM's action in the campaign of the place, at most once per interaction."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        return action(tx, access)

    return await table.store.run(unit)


def note_done(
    table: Table,
    tx: Transaction,
    access: Access,
    kind: str,
    headline: str,
    telling: Telling,
    *,
    is_public: bool,
    character: CharacterRecord | None = None,
) -> Result:
    """Record what was done with a countdown."""
    message = Message(
        who=access.request.person_name if character is None else character.name,
        headline=headline,
        changes=telling.lines,
        notes=telling.notes,
        is_public=is_public,
    )
    return record(
        table,
        tx,
        access,
        f"countdown.{kind}",
        message,
        character=None if character is None else character.id,
        is_secret=not is_public,
        facts=telling.facts,
    )


async def begin(table: Table, request: Request, *plans: Plan) -> Done:
    """Start a countdown, or two that run against each other.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        plans: One, or the two of a duel.

    Raises:
        UserError: If one of them is not allowed; then none starts.
    """
    hints: list[str] = []

    def action(tx: Transaction, access: Access) -> Result:
        made = [_make(tx, access, plan) for plan in plans]
        if len(made) == 2:
            first, second = (replace(one, rival=other.id) for one, other in (made, reversed(made)))
            for one in (first, second):
                tx.save_countdown(one)
        known = [one for one in made if one.visibility != Visibility.GM]
        boardless = keep_a_board(tx, access) if known else ()
        running = tx.countdowns(request.server, access.campaign.id)
        hint = crowding_hint(sum(one.visibility == Visibility.OPEN for one in running))
        hints.extend([hint] if hint else [])
        countdowns = known or made
        names = " against ".join(one.name for one in countdowns)
        told = [beginning(one) for one in countdowns]
        if len(countdowns) == 1:  # the headline names it
            told = [told[0].removeprefix(f"{countdowns[0].name}: ")]
        notes = (*told, *boardless)
        hidden = tuple(one.id for one in made if one not in known)
        telling = Telling(notes=notes, hidden=hidden if known else ())
        is_duel = len(made) == 2
        kind, did = ("duel", "starts two countdowns") if is_duel else ("create", "starts a countdown")
        return note_done(table, tx, access, kind, f"{did}: {names}", telling, is_public=bool(known))

    result = await as_gm(table, request, action)
    return Done(result, tuple(hints))


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
    limits = begun.limits
    made = CountdownRecord(
        server=access.campaign.server,
        campaign=access.campaign.id,
        name=name,
        kind=begun.kind.value,
        side=begun.side.value,
        visibility=plan.visibility.value,
        term=plan.term.value,
        difficulty=begun.difficulty,
        value=begun.value,
        start=begun.start,
        per_day=limits.per_day,
        per_member=limits.per_member,
        per_skill=limits.per_skill,
        distinct_skills=limits.distinct_skills,
        every_seconds=begun.every_seconds,
        since=begun.since,
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
