"""Actions on running countdowns: move, change, link and remove them."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

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
from bot.store.transaction import Transaction
from bot.table.base.access import Access, ForGmOnly, Request, access_in, require_character
from bot.table.base.results import Result, Telling
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import assert_unlike, one_line
from bot.table.play.countdown_plans import (
    Done,
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
    as_counted,
    find_countdown,
    keep_moved,
    may_read,
    tell,
)


class SkillWanted(Struct, frozen=True):
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
        name: The countdown's name.
        steps: How far; a player goes one step.
        skill: The skill used.
        character: The character who did it, by name; a player's own.

    Raises:
        UserError: If the person may not, it is over, or a limit prevents it.
    """
    id_ = await _id_for_player(table, request, name)
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


@look()
def _id_for_player(at: ReadTurn, name: str) -> int | None:
    """Return a countdown's id; None for a GM."""
    return None if at.is_gm else find_countdown(at.reader, at.access, name).id


@unit(gm=True)
def move(at: Turn, name: str | int, steps: int, *, skill: str = "", character: str | None = None) -> Done:
    """Move a countdown by a GM's hand, any number of steps; below 0 reverses it.

    With a skill or a character named, it counts as a success, within the limits.

    Args:
        name: The countdown's name.
        steps: How far.
        skill: The skill used.
        character: The character who did it, by name.

    Raises:
        UserError: If it is over, or a limit prevents it.
    """
    again = at.earlier_answer()
    if again is not None:
        return Done(again)
    found = find_countdown(at.tx, at.access, name)
    who = None if character is None else at.character(character)
    tick = _tick(at.access, steps, skill, who)
    if steps > 0 and (skill or who):
        _refuse_beyond_limits(as_counted(found), tick)
    return _move_freely(at, found, tick)


@unit(gm=True)
def move_to(at: Turn, name: str | int, value: int) -> Done:
    """Set a countdown's value by a GM's hand.

    Raises:
        UserError: If it has that value already or can't have it, or is over.
    """
    again = at.earlier_answer()
    if again is not None:
        return Done(again)
    found = find_countdown(at.tx, at.access, name)
    if value > found.difficulty:
        raise UserError(f"{found.name} ends at {found.difficulty}.", try_this="Choose a lower value.")
    if value == found.value:
        raise UserError(f"{found.name} is at {value} already.", "Nothing was changed.")
    return _move_freely(at, found, _tick(at.access, value - found.value, "", None))


def _move_freely(at: Turn, found: CountdownRecord, tick: Tick) -> Done:
    """Move a countdown past its limits, with hints of what the GM should know of it."""
    moves = keep_moved(at.tx, found, moved(as_counted(found), tick))
    hints = tuple(hint for one in moves if (hint := lone_hint(as_counted(one.after))))
    return Done(_tell_move(at, found, moves, tick.steps), hints)


def _tick(access: Access, steps: int, skill: str, who: CharacterRecord | None) -> Tick:
    member = None if who is None else CharacterId(who.id)
    return Tick(steps=steps, member=member, skill=one_line(skill), day=day_of(access.campaign.clock))


def _refuse_beyond_limits(counted: Countdown, tick: Tick) -> None:
    attempt = Attempt(succeeded=True, member=tick.member, skill=tick.skill, day=tick.day)
    why_not = objection(counted, attempt)
    if why_not is not None:
        raise UserError(why_not, "Without a character and a skill, you can move it freely.")


def _tell_move(
    at: Turn,
    found: CountdownRecord,
    moves: Sequence[Moved],
    steps: int,
    character: CharacterRecord | None = None,
) -> Result:
    is_public = any(not one.is_hidden for one in moves)
    who = at.request.person_name if character is None else character.name
    telling = tell(who, moves, with_hidden=not is_public)
    done = "advances" if steps > 0 else "reverses"
    if is_public and found.visibility == Visibility.GM:  # only the other one of a duel is known
        done, name = "closes", moves[-1].after.name
    else:
        name = found.name
    kind = "advance" if steps > 0 else "reverse"
    return note_done(at, kind, f"{done} {name}", telling, is_public=is_public, character=character)


@act()
def press(
    at: Turn,
    id_: int,
    *,
    skill: str | None = None,
    is_back: bool = False,
    for_gm: bool = False,
) -> Result | SkillWanted:
    """Move a countdown one step by a button: a player as their character, or a GM by hand.

    Args:
        id_: The countdown's id.
        skill: The skill used, once asked for.
        is_back: Whether to reverse it; for a GM.
        for_gm: Whether the button is the GM's own.

    Returns:
        The result, or that the skill must be asked for first.

    Raises:
        UserError: If the person may not, it is over, or a limit prevents it.
    """
    at = at.within(_access_of(at, id_))
    found = find_countdown(at.tx, at.access, id_)
    if for_gm and not at.is_gm:
        raise ForGmOnly("Only a GM can press that button.")
    if is_back and not at.is_gm:
        raise ForGmOnly("Only a GM can move a countdown back.")
    who = None if at.is_gm else _player(at.tx, at.access, found)
    counted = as_counted(found)
    if counted.status is not Status.RUNNING:
        raise NoLongerMoves(counted)
    if counted.limits.asks_for_skill and skill is None and not is_back:
        return SkillWanted(found.id, found.name)
    tick = _tick(at.access, -1 if is_back else 1, skill or "", who)
    after = moved(counted, tick) if at.is_gm else _attempted(counted, tick)
    moves = keep_moved(at.tx, found, after)
    return _tell_move(at, found, moves, tick.steps, who)


def _access_of(at: Turn, id_: int) -> Access:
    """Return the person's access to the campaign of a countdown, wherever they press."""
    record = at.tx.countdown(at.server, id_)
    campaign = None if record is None else at.tx.campaign(at.server, record.campaign)
    if campaign is None:
        raise NoSuchCountdown
    if campaign.is_archived:
        raise UserError("That campaign is archived.")
    return access_in(at.table, at.tx, at.request, campaign)


def _player(tx: Transaction, access: Access, found: CountdownRecord) -> CharacterRecord:
    """Return the character with which a player moves a countdown."""
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


class Edit(Struct, frozen=True, kw_only=True):
    """The changes to a countdown; None leaves a value as it is."""

    name: str | None = None
    visibility: Visibility | None = None
    term: Term | None = None
    is_shared: bool | None = None
    consequence: str | None = None
    note: str | None = None


@act(gm=True)
def change(at: Turn, name: str | int, edit: Edit) -> Result:
    """Change anything about a countdown but its value.

    Raises:
        UserError: If nothing would be different, or a number is given for a name.
    """
    if edit.name is not None and edit.name.strip().lstrip("+-−").isdecimal():
        raise UserError(
            f"“{edit.name.strip()}” is a number, no name.", try_this="Use the option value to set its value."
        )
    found = find_countdown(at.tx, at.access, name)
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
        running = at.tx.countdowns(at.server, at.campaign.id)
        assert_unlike(after.name, (one.name for one in running if one.id != found.id))
    save_named(at.tx, after)
    if after.visibility != Visibility.GM:
        keep_a_board(at.tx, at.access)
    return _tell_change(at, found, after)


def _tell_change(at: Turn, found: CountdownRecord, after: CountdownRecord) -> Result:
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
    return note_done(at, "set", headline, Telling(notes=notes), is_public=is_public)


@act(gm=True)
def link(at: Turn, name: str, procedure: str, *, is_linked: bool) -> Result:
    """Link a countdown to every result of a procedure, or unlink it."""
    found = find_countdown(at.tx, at.access, name)
    key = procedure if procedure in found.links else procedure_key(at.access, procedure)
    if (key in found.links) == is_linked:
        raise UserError(f"{found.name} is {'already' if is_linked else 'not'} linked to {key}.")
    links = (*found.links, key) if is_linked else tuple(one for one in found.links if one != key)
    at.tx.save_countdown(replace(found, links=links))
    done = f"links {found.name} to {key}" if is_linked else f"unlinks {found.name} from {key}"
    is_public = found.visibility == Visibility.OPEN
    return note_done(at, "link", done, Telling(), is_public=is_public)


@act(gm=True)
def keep(at: Turn, ids: Sequence[int]) -> Result:
    """Let short countdowns run on beyond the session."""
    stored = [find_countdown(at.tx, at.access, id_) for id_ in ids]
    if not stored:
        raise NoSuchCountdown
    for one in stored:
        at.tx.save_countdown(replace(one, term=Term.LONG.value))
    names = ", ".join(one.name for one in stored)
    return note_done(at, "keep", f"keeps {names} running", Telling(), is_public=False)


@act(gm=True)
def delete(at: Turn, name: str) -> Result:
    """Remove a countdown with all its ticks."""
    found = find_countdown(at.tx, at.access, name)
    at.tx.drop_countdown(at.server, found.id)
    is_public = found.visibility != Visibility.GM
    return note_done(at, "delete", f"deletes {found.name}", Telling(), is_public=is_public)
