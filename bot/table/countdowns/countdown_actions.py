"""Actions on running countdowns: move, change, link and remove them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import (
    Attempt,
    Countdown,
    Kind,
    NoLongerMoves,
    Status,
    Term,
    Tick,
    Visibility,
    attempted,
    day_of,
    lone_hint,
    moved,
    objection,
)
from bot.store.records import CharacterRecord, CountdownRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, access_here, access_in, find_character, require_character
from bot.table.base.look_alikes import assert_unlike
from bot.table.base.names import one_line
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.journal.journal import told_before
from bot.table.play.countdown_plans import (
    Done,
    as_gm,
    beginning,
    keep_a_board,
    note_done,
    procedure_key,
    readable_name,
    save_named,
)
from bot.table.play.countdowns import (
    Moved,
    NoSuchCountdown,
    Telling,
    as_counted,
    find_countdown,
    keep_moved,
    may_read,
    tell,
)


@dataclass(frozen=True, slots=True)
class SkillWanted:
    """A press that needs a skill first; nothing was done."""

    id: int
    name: str


# --- moving ------------------------------------------------------------------------------------


async def advance(
    table: Table,
    request: Request,
    name: str,
    steps: int,
    *,
    skill: str = "",
    character: str | None = None,
) -> Done:
    """Advance a countdown by hand: a GM freely, a player as by its button.

    Args:
        table: The table.
        request: Who asks.
        name: The countdown's name.
        steps: How far; a player goes one step.
        skill: The skill used.
        character: The character who did it, by name; a player's own.

    Raises:
        UserError: If the person may not, it is over, or a limit prevents it.
    """

    def query(reader: Reader) -> int | None:
        access = access_here(table, reader, request)
        return None if access.is_gm else find_countdown(reader, access, name).id

    id_ = await table.store.read(query)
    if id_ is None:
        return await move(table, request, name, steps, skill=skill, character=character)
    if steps != 1 or character is not None:
        raise UserError("Players can advance a countdown only one step at a time and only for themselves.")
    done = await press(table, request, id_, skill=skill or None)
    if isinstance(done, SkillWanted):
        raise UserError(
            f"{done.name} counts each skill separately.", "Name the skill you used in the option skill."
        )
    return Done(done, ())


async def move(
    table: Table,
    request: Request,
    name: str | int,
    steps: int,
    *,
    skill: str = "",
    character: str | None = None,
) -> Done:
    """Move a countdown by a GM's hand, any number of steps; below 0 reverses it.

    With a skill or a character named, it counts as a success, within the limits.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        name: The countdown's name.
        steps: How far.
        skill: The skill used.
        character: The character who did it, by name.

    Raises:
        UserError: If it is over, or a limit prevents it.
    """
    hints: list[str] = []

    def action(tx: Transaction, access: Access) -> Result:
        found = find_countdown(tx, access, name)
        who = None if character is None else find_character(tx, access, character)
        tick = _tick(access, steps, skill, who)
        if steps > 0 and (skill or who):
            _refuse_beyond_limits(as_counted(found), tick)
        return _move_freely(table, tx, access, found, tick, hints)

    result = await as_gm(table, request, action)
    return Done(result, tuple(hints))


async def move_to(table: Table, request: Request, name: str | int, value: int) -> Done:
    """Set a countdown's value by a GM's hand.

    Raises:
        UserError: If it has that value already or can't have it, or is over.
    """
    hints: list[str] = []

    def action(tx: Transaction, access: Access) -> Result:
        found = find_countdown(tx, access, name)
        if value > found.difficulty:
            raise UserError(f"{found.name} ends at {found.difficulty}.", try_this="Choose a lower value.")
        if value == found.value:
            raise UserError(f"{found.name} is at {value} already.", "Nothing was changed.")
        return _move_freely(table, tx, access, found, _tick(access, value - found.value, "", None), hints)

    result = await as_gm(table, request, action)
    return Done(result, tuple(hints))


def _move_freely(
    table: Table, tx: Transaction, access: Access, found: CountdownRecord, tick: Tick, hints: list[str]
) -> Result:
    """Move a countdown past its limits; collect what the GM should know of it."""
    moves = keep_moved(tx, found, moved(as_counted(found), tick))
    hints.extend(hint for one in moves if (hint := lone_hint(as_counted(one.after))))
    return _tell_move(table, tx, access, found, moves, tick.steps)


def _tick(access: Access, steps: int, skill: str, who: CharacterRecord | None) -> Tick:
    member = None if who is None else CharacterId(who.id)
    return Tick(steps=steps, member=member, skill=one_line(skill), day=day_of(access.campaign.clock))


def _refuse_beyond_limits(counted: Countdown, tick: Tick) -> None:
    attempt = Attempt(succeeded=True, member=tick.member, skill=tick.skill, day=tick.day)
    why_not = objection(counted, attempt)
    if why_not is not None:
        raise UserError(why_not, "Without a character and a skill, you can move it freely.")


def _tell_move(
    table: Table,
    tx: Transaction,
    access: Access,
    found: CountdownRecord,
    moves: Sequence[Moved],
    steps: int,
    character: CharacterRecord | None = None,
) -> Result:
    is_public = any(not one.is_hidden for one in moves) or (not moves and found.visibility == Visibility.OPEN)
    who = access.request.person_name if character is None else character.name
    telling = tell(who, moves, with_hidden=not is_public)
    done = "advances" if steps > 0 else "reverses"
    if is_public and found.visibility == Visibility.GM:  # only the other one of a duel is known
        done, name = "closes", moves[-1].after.name
    else:
        name = found.name
    kind = "advance" if steps > 0 else "reverse"
    return note_done(
        table, tx, access, kind, f"{done} {name}", telling, is_public=is_public, character=character
    )


async def press(
    table: Table,
    request: Request,
    id_: int,
    *,
    skill: str | None = None,
    is_back: bool = False,
    for_gm: bool = False,
) -> Result | SkillWanted:
    """Move a countdown one step by a button: a player as their character, or a GM by hand.

    Args:
        table: The table.
        request: Who pressed.
        id_: The countdown's id.
        skill: The skill used, once asked for.
        is_back: Whether to reverse it; for a GM.
        for_gm: Whether the button is the GM's own.

    Returns:
        The result, or that the skill must be asked for first.

    Raises:
        UserError: If the person may not, it is over, or a limit prevents it.
    """

    def unit(tx: Transaction) -> Result | SkillWanted:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = _access_of(table, tx, request, id_)
        found = find_countdown(tx, access, id_)
        if for_gm and not access.is_gm:
            raise ForGmOnly("Only a GM can press that button.")
        if is_back and not access.is_gm:
            raise ForGmOnly("Only a GM can move a countdown back.")
        who = None if access.is_gm else _player(tx, access, found)
        counted = as_counted(found)
        if counted.status is not Status.RUNNING:
            raise NoLongerMoves(counted)
        if counted.limits.asks_for_skill and skill is None and not is_back:
            return SkillWanted(found.id, found.name)
        tick = _tick(access, -1 if is_back else 1, skill or "", who)
        after = moved(counted, tick) if access.is_gm else _attempted(counted, tick)
        moves = keep_moved(tx, found, after)
        return _tell_move(table, tx, access, found, moves, tick.steps, who)

    return await table.store.run(unit)


def _access_of(table: Table, tx: Transaction, request: Request, id_: int) -> Access:
    """Return the person's access to the campaign of a countdown, wherever they press."""
    record = tx.countdown(request.server, id_)
    campaign = None if record is None else tx.campaign(request.server, record.campaign)
    if campaign is None:
        raise NoSuchCountdown
    if campaign.is_archived:
        raise UserError("That campaign is archived.")
    return access_in(table, tx, request, campaign)


def _player(tx: Transaction, access: Access, found: CountdownRecord) -> CharacterRecord:
    """Return the character with which a player moves a countdown.

    Raises:
        UserError: If they may not.
    """
    if not found.is_shared or not may_read(access, found):
        raise UserError(
            f"Only a GM can move {found.name} by hand.",
            "One of your checks may advance it: name the countdown in the check.",
        )
    return require_character(tx, access)


def _attempted(counted: Countdown, tick: Tick) -> Countdown:
    """Return the countdown after a player's success (or, for one of failures, against it)."""
    attempt = Attempt(
        succeeded=counted.kind is not Kind.FAILURE, member=tick.member, skill=tick.skill, day=tick.day
    )
    why_not = None if counted.kind is Kind.FAILURE else objection(counted, attempt)
    if why_not is not None:
        raise UserError(why_not)
    return attempted(counted, attempt)


# --- changing ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The changes to a countdown; None leaves a value as it is."""

    name: str | None = None
    visibility: Visibility | None = None
    term: Term | None = None
    is_shared: bool | None = None
    consequence: str | None = None
    note: str | None = None


async def change(table: Table, request: Request, name: str | int, edit: Edit) -> Result:
    """Change anything about a countdown but its value.

    Raises:
        UserError: If nothing would be different, or a number is given for a name.
    """
    if edit.name is not None and edit.name.strip().lstrip("+-−").isdecimal():
        raise UserError(
            f"“{edit.name.strip()}” is a number, no name.", try_this="Use the option value to set its value."
        )

    def action(tx: Transaction, access: Access) -> Result:
        found = find_countdown(tx, access, name)
        after = replace(
            found,
            name=found.name if edit.name is None else readable_name(edit.name),
            visibility=found.visibility if edit.visibility is None else edit.visibility.value,
            term=found.term if edit.term is None else edit.term.value,
            is_shared=found.is_shared if edit.is_shared is None else edit.is_shared,
            consequence=found.consequence if edit.consequence is None else one_line(edit.consequence),
            note=found.note if edit.note is None else one_line(edit.note),
        )
        if after == found:
            raise UserError("That wouldn't change anything.")
        if after.name != found.name:
            running = tx.countdowns(access.campaign.server, access.campaign.id)
            assert_unlike(after.name, (one.name for one in running if one.id != found.id))
        save_named(tx, after)
        if after.visibility != Visibility.GM:
            keep_a_board(tx, access)
        return _tell_change(table, tx, access, found, after)

    return await as_gm(table, request, action)


def _tell_change(
    table: Table, tx: Transaction, access: Access, found: CountdownRecord, after: CountdownRecord
) -> Result:
    """Tell everybody the new name and what became visible; tell the rest to the GM."""
    has_appeared = found.visibility != after.visibility and after.visibility != Visibility.GM
    is_renamed = found.name != after.name and Visibility.GM not in (found.visibility, after.visibility)
    if has_appeared:
        notes: tuple[str, ...] = (beginning(after),)
        headline = f"shows {after.name}"
    else:
        notes = ()
        headline = f"renames {found.name} to {after.name}" if is_renamed else f"changes {after.name}"
    is_public = has_appeared or is_renamed
    return note_done(table, tx, access, "set", headline, Telling(notes=notes), is_public=is_public)


async def link(table: Table, request: Request, name: str, procedure: str, *, is_linked: bool) -> Result:
    """Link a countdown to every result of a procedure, or unlink it."""

    def action(tx: Transaction, access: Access) -> Result:
        found = find_countdown(tx, access, name)
        key = procedure if procedure in found.links else procedure_key(access, procedure)
        if (key in found.links) == is_linked:
            raise UserError(f"{found.name} is {'already' if is_linked else 'not'} linked to {key}.")
        links = (*found.links, key) if is_linked else tuple(one for one in found.links if one != key)
        tx.save_countdown(replace(found, links=links))
        done = f"links {found.name} to {key}" if is_linked else f"unlinks {found.name} from {key}"
        is_public = found.visibility == Visibility.OPEN
        return note_done(table, tx, access, "link", done, Telling(), is_public=is_public)

    return await as_gm(table, request, action)


async def keep(table: Table, request: Request, ids: Sequence[int]) -> Result:
    """Let short countdowns run on beyond the session."""

    def action(tx: Transaction, access: Access) -> Result:
        stored = [find_countdown(tx, access, id_) for id_ in ids]
        if not stored:
            raise NoSuchCountdown
        for one in stored:
            tx.save_countdown(replace(one, term=Term.LONG.value))
        names = ", ".join(one.name for one in stored)
        return note_done(table, tx, access, "keep", f"keeps {names} running", Telling(), is_public=False)

    return await as_gm(table, request, action)


async def delete(table: Table, request: Request, name: str) -> Result:
    """Remove a countdown with all its ticks."""

    def action(tx: Transaction, access: Access) -> Result:
        found = find_countdown(tx, access, name)
        tx.drop_countdown(request.server, found.id)
        is_public = found.visibility != Visibility.GM
        return note_done(table, tx, access, "delete", f"deletes {found.name}", Telling(), is_public=is_public)

    return await as_gm(table, request, action)
