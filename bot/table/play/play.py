"""Play: perform procedures of the campaign's ruleset, press follow-ups, and roll any dice."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import NOBODY, Audience, FollowUp, Odds, Place, Procedure
from bot.rules.kernel.dice import Chance, FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import SCENE
from bot.rules.shared.notation import QUICK_WORK, NoDistribution, Term, TotalOdds, Why, distribution, parse
from bot.rules.shared.notation.roll import FreeRollInputs, free_roll_among
from bot.store.records import CharacterRecord, EntryId, EntryRecord, FollowUpId, FollowUpRecord, Json
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    ForGmOnly,
    Request,
    access_here,
    access_in,
    find_character,
    may_play,
    own_character,
)
from bot.table.base.live_rows import MessagePlace, note_pressed, opening_of
from bot.table.base.results import BLIND, Message, Result, blind_result, follow_up_from_json, is_blind
from bot.table.base.table import OWN_PREFIX, Table
from bot.table.base.turn import Turn, act, earlier_answer, record
from bot.table.base.typed_options import GIVEN, Written, one_line, read_blank, read_choice, read_options
from bot.table.journal.entries import TooLate, may_see, refuse_expired
from bot.table.journal.journal import NOTHING, rewind
from bot.table.journal.shared_prompts import SHARED_PROCEDURES, part_of, require_acting, shown
from bot.table.play.actions import Action, Pressing, do

LONGEST_LABEL = 80
MOST_TOTALS = 16  # bars whose letters can be read on a phone


async def roll(
    table: Table,
    request: Request,
    expression: str,
    label: str | None = None,
    *,
    is_secret: bool = False,
    is_blind: bool = False,
) -> Result:
    """Roll an expression; it is journalled in a campaign, and not stored elsewhere.

    Args:
        expression: Dice in the d20 notation, up to 200 characters.
        is_secret: Whether only the person is told (and the GM, by the journal).
        is_blind: Whether only the GM is told.

    Raises:
        UserError: If the expression can't be read or is too large.
    """
    inputs = FreeRollInputs(expression=expression[:500])
    if not (is_secret or is_blind):
        table.recent_rolls.count(request.server, request.person, table.now())
    # Counted before the unit of work, which others wait for.
    found = await _chances(table, parse(inputs.expression))
    headline = f"rolls {one_line(label or '')[:LONGEST_LABEL]}".strip()
    return await _roll(table, request, inputs, found, headline, is_secret=is_secret, is_blind=is_blind)


@act()
def _roll(
    at: Turn,
    inputs: FreeRollInputs,
    found: TotalOdds | NoDistribution,
    headline: str,
    *,
    is_secret: bool,
    is_blind: bool,
) -> Result:
    alone = is_secret or is_blind
    message = Message(who=at.request.person_name, headline=headline, is_public=not alone)
    campaign = at.tx.campaign_at(at.server, at.request.places)
    seed = None if campaign is None else at.tx.seed(at.server, campaign.id)
    if campaign is None and is_blind:
        raise UserError("There is no campaign here, so nobody is GM.", "Roll without the option blind.")
    secret = at.table.new_secret() if seed is None else seed.secret
    rolled = free_roll_among(inputs, FairDice(secret, at.request.interaction), found).by(NOBODY)
    if campaign is None or seed is None:
        note = "There is no campaign here, so this roll isn't saved in a journal."
        return Result(entry=EntryId(0), message=_noted(message, note), rolls=(rolled,))
    return record(
        at.table,
        at.tx,
        at.access,
        "roll",
        message,
        is_secret=alone,
        rolls=(rolled,),
        are_free=True,
        seed=seed.number if rolled.dice else None,
        facts={BLIND: True} if is_blind and not at.is_gm else None,
    )


async def _chances(table: Table, term: Term) -> TotalOdds | NoDistribution:
    """Return the chances of a roll, which waits for nobody else's: with others at work it does without."""
    found = distribution(term, QUICK_WORK)
    if found == NoDistribution(Why.TOO_LARGE) and table.computing.is_idle:
        return await table.computing.run(lambda: distribution(term))
    return found


def _noted(message: Message, note: str) -> Message:
    return Message(who=message.who, headline=message.headline, notes=(note,), is_public=message.is_public)


def odds(expression: str) -> tuple[Odds, str]:
    """Return the exact chances of an expression's totals, and a line about them.

    If there are more than 16 totals, neighbours are grouped.

    Raises:
        UserError: If the expression can't be read or is too large.
    """
    found = distribution(parse(expression))
    if isinstance(found, NoDistribution):
        return Odds(()), f"No exact chances: {found.why.value}."
    lowest, highest = found.lowest, found.highest
    width = -(-(highest - lowest + 1) // MOST_TOTALS)
    groups = found.totals.map(lambda total: (total - lowest) // width)
    chances = []
    for group in range(-(-(highest - lowest + 1) // width)):
        low = lowest + group * width
        name = _range(low, min(low + width - 1, highest))
        chances.append((name, Chance(groups.ways.get(group, 0), groups.of)))
    mean = _true_minus(f"{float(found.mean):.2f}")
    middle = _written(found.percentile(50))
    return Odds(tuple(chances)), f"{_range(lowest, highest)}, {mean} on average, median {middle}"


def _range(low: int, high: int) -> str:
    return _written(low) if low == high else f"{_written(low)} to {_written(high)}"


def _written(value: int) -> str:
    return _true_minus(str(value))


def _true_minus(written: str) -> str:
    return written.replace("-", "−")


NOTHING_WRITTEN: Mapping[str, Written] = MappingProxyType({})


class Pressed(Struct, frozen=True):
    """The result of a press."""

    result: Result
    message: Result  # what the pressed message shows now
    place: MessagePlace  # where that message is
    is_apart: bool = False  # whether the result also gets its own message


async def perform(
    table: Table,
    request: Request,
    procedure: str,
    given: GIVEN,
    *,
    game: str | None = None,
    acting: str | None = None,
    is_secret: bool = False,
    countdown: str | None = None,
) -> Result:
    """Perform a procedure of the campaign's ruleset.

    Args:
        request: Who asks, and where.
        procedure: Its key.
        given: Its options as typed; None counts as not given. Characters are named.
        game: The key of the procedure's ruleset; None for one that every game has.
        acting: The acting character, by name; by default the one the person plays.
        is_secret: Whether only the GM is told, not even a player who does it.
        countdown: A countdown that the result moves, by name, besides those that the GM linked.

    Raises:
        OtherGame: If the campaign plays another game.
        UserError: If it is not allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = tx.entry_of(request.server, request.interaction)
        if again is not None:
            return _as_shown(table, tx, request, again)
        access = access_here(table, tx, request)
        if game not in {None, access.game.key}:
            raise OtherGame(access, procedure, fits=_fits(tx, access, procedure, given))
        found = find_procedure(access, procedure)
        move = Action(
            access=access,
            procedure=found,
            options=read_options(
                tx, access, found.options, {**given, **preset_difficulty(tx, access, procedure, given)}
            ),
            actor=_actor(tx, access, found, acting),
            is_secret=is_secret,
            is_blind=is_secret and not access.is_gm,
            countdown=countdown,
        )
        return do(table, tx, move)

    return await table.store.run(unit)


def _actor(reader: Reader, access: Access, procedure: Procedure, name: str | None) -> CharacterRecord | None:
    """Return who acts; in a procedure for one character, a GM without one acts with the foe on turn."""
    if access.is_gm and name is None and procedure.needs_actor and not procedure.gm_only:
        return require_acting(reader, access)
    return own_character(reader, access, name)


def preset_difficulty(reader: Reader, access: Access, procedure: str, given: GIVEN) -> GIVEN:
    """Return the difficulty that a GM has set for the channel's scene, if a player's own check needs one.

    Args:
        access: The campaign.
        procedure: The key of what is done.
        given: Its options as typed.
    """
    for one in access.game.asks:
        if one.difficulty and procedure in (one.procedure, one.own):
            if given.get(one.difficulty) is not None:
                return {}
            set_ = difficulty_here(reader, access)
            return {one.difficulty: set_} if set_ else {}
    return {}


def difficulty_here(reader: Reader, access: Access) -> Json:
    """Return the difficulty that a GM has set for the channel's scene, or nothing."""
    key = f"{SCENE}/{access.request.channel}"
    scene = reader.document(access.request.server, access.campaign.id, key)
    return scene.get("difficulty") if scene else None


class OtherGame(UserError):
    """The procedure belongs to another game than the campaign's; nothing has changed.

    Args:
        access: The access to the campaign.
        procedure: Its key.
        fits: Whether the campaign's own game has a procedure of that key with the same options.
    """

    def __init__(self, access: Access, procedure: str, *, fits: bool) -> None:
        super().__init__(
            f"This campaign plays {access.game.title}.",
            try_this=f"Its commands start with /{access.game.command}.",
        )
        self.game = access.game.key
        self.procedure = procedure
        self.fits = fits


def _fits(reader: Reader, access: Access, key: str, given: GIVEN) -> bool:
    found = access.game.procedures.get(key)
    if found is None or (found.gm_only and not access.is_gm):
        return False
    try:
        read_options(reader, access, found.options, given)
    except UserError:
        return False
    return True


async def press(
    table: Table,
    request: Request,
    id_: FollowUpId,
    chosen: str | None = None,
    written: Mapping[str, Written] = NOTHING_WRITTEN,
) -> Pressed:
    """Do what a follow-up offers.

    Args:
        request: Who pressed, and where.
        id_: The follow-up.
        chosen: The choice, for a select menu.
        written: The answers, for one with a form.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If the person may not, or it is no longer open; then nothing has changed.
    """
    return await table.store.run(lambda tx: press_in(table, tx, request, id_, Given(chosen, written)))


def press_in(
    table: Table, tx: Transaction, request: Request, id_: FollowUpId, given: "Given | None" = None
) -> Pressed:
    """Do the same as `press`, within a unit of work.

    Args:
        request: Who pressed, and where.
        id_: The follow-up.
        given: The choice or text of the press, or None.
    """
    again = earlier_answer(tx, request)
    result = again or _do_follow_up(table, tx, request, id_, given or Given())
    record = tx.follow_up(request.server, id_)
    under = None if record is None else tx.entry(request.server, record.entry)
    done = tx.entry(request.server, result.entry)
    if under is None or done is None:  # it was there when its follow-up was done
        raise LookupError(f"follow-up {id_} stands under nothing")
    place = MessagePlace(request.server, opening_of(tx, under).id)
    return Pressed(result, _as_shown(table, tx, request, under), place, is_apart=done.shown_in is None)


def _as_shown(table: Table, reader: Reader, request: Request, entry: EntryRecord) -> Result:
    """Return a journal entry as shown now, wherever the person asks."""
    campaign = reader.campaign(request.server, entry.campaign)
    if campaign is None:  # entries go with their campaign
        raise LookupError(f"entry {entry.id} is of no campaign")
    access = access_in(table, reader, request, campaign)
    return blind_result(entry) if is_blind(entry) and not access.is_gm else shown(reader, access, entry)


def _do_follow_up(table: Table, tx: Transaction, request: Request, id_: FollowUpId, given: "Given") -> Result:
    record, entry, access = _open_follow_up(table, tx, request, id_)
    note_pressed(tx, request, entry)
    follow_up = follow_up_from_json(record.body)
    access = _under_its_version(table, tx, access, follow_up)
    actor = presser(tx, access, follow_up)
    refuse_expired(tx, access.game, entry, follow_up)
    rewound = NOTHING
    if follow_up.rewinds:
        rewound = rewind(tx, access, entry)
        access = access_in(table, tx, request, tx.campaign(request.server, entry.campaign) or access.campaign)
        access = _under_its_version(table, tx, access, follow_up)
        actor = actor and tx.character(request.server, actor.id)
    opening = part_of(entry)
    move = replace(
        move_of(tx, access, follow_up, actor, given),
        is_secret=entry.is_secret and follow_up.place is not Place.OPEN,
        pressed=Pressing(record, entry, follow_up, rewound),
        part_of=None if opening is None else tx.entry(request.server, opening),
    )
    return do(table, tx, move)


def _under_its_version(table: Table, reader: Reader, access: Access, follow_up: FollowUp) -> Access:
    """Return the access with the version of a game of one's own that a follow-up was made under."""
    version = follow_up.options.model_dump().get("version")
    if not access.game.key.startswith(OWN_PREFIX) or not isinstance(version, str):
        return access
    game = table.own.version(reader, access.campaign.server, version)
    if game is None:
        raise NoLongerOpen
    return replace(access, game=game)


class Given(Struct, frozen=True):
    """The input of a press: the choice from its menu, the answers in its form."""

    chosen: str | None = None
    written: Mapping[str, Written] = {}


NOTHING_GIVEN = Given()


class FormWanted(Exception):
    """The person must fill in a form before a follow-up is done; nothing has changed.

    Args:
        follow_up: The follow-up; its text fields say what.
    """

    def __init__(self, follow_up: FollowUp) -> None:
        super().__init__(follow_up.label)
        self.follow_up = follow_up


def move_of(
    tx: Reader, access: Access, follow_up: FollowUp, actor: CharacterRecord | None, given: Given
) -> Action:
    """Return the action that pressing a follow-up triggers.

    Raises:
        FormWanted: If the person must fill in a form first.
        UserError: If the choice is not offered.
    """
    procedure = find_procedure(access, follow_up.procedure)
    if follow_up.blanks and not given.written:
        raise FormWanted(follow_up)
    chosen: dict[str, Any] = follow_up.options.model_dump()
    chosen |= {one.key: read_blank(procedure.options, one, given.written) for one in follow_up.blanks}
    if follow_up.choices:
        if given.chosen is None or given.chosen not in {choice.value for choice in follow_up.choices}:
            raise UserError("You can't choose that here.", "Choose again from the menu.")
        chosen[follow_up.chosen] = read_choice(procedure.options, follow_up.chosen, given.chosen)
    options = read_options(tx, access, procedure.options, chosen)
    return Action(access=access, procedure=procedure, options=options, actor=actor, deal=follow_up.deal)


def find_procedure(access: Access, key: str) -> Procedure[Any]:
    """Return a procedure of the campaign's ruleset, or one that every game has.

    Raises:
        UserError: If there is none, or it is for a GM only.
    """
    found = access.game.procedures.get(key) or SHARED_PROCEDURES.get(key)
    if found is None:
        raise UserError(
            f"{access.game.title} doesn't have that.",
            try_this=f"Its commands start with /{access.game.command}.",
        )
    if found.gm_only:
        access.require_gm()
    return found


class DoneAlready(TooLate):
    """Somebody has already pressed it, or another follow-up of its group."""

    def __init__(self) -> None:
        super().__init__("That has already been done.")


class NoLongerOpen(UserError):
    """The follow-up doesn't exist, is closed, or is hidden from the person."""

    def __init__(self) -> None:
        super().__init__("You can no longer do that.", try_this="Use the command again.")


def _open_follow_up(
    table: Table, tx: Transaction, request: Request, id_: FollowUpId
) -> tuple[FollowUpRecord, EntryRecord, Access]:
    record = tx.follow_up(request.server, id_)
    entry = None if record is None else tx.entry(request.server, record.entry)
    campaign = None if record is None else tx.campaign(request.server, record.campaign)
    if record is None or entry is None or campaign is None:
        raise NoLongerOpen
    access = access_in(table, tx, request, campaign)
    if not may_see(access, entry) or entry.undone_by is not None:
        raise NoLongerOpen
    if campaign.is_archived:
        raise UserError("That campaign is archived.")
    if record.closed_by is not None:
        raise DoneAlready
    return record, entry, access


def presser(tx: Reader, access: Access, follow_up: FollowUp) -> CharacterRecord | None:
    """Return the character that a press acts with.

    Raises:
        UserError: If the person may not press.
    """
    if follow_up.audience is Audience.GM and not access.is_gm:
        raise ForGmOnly("Only a GM can press that button.")
    if follow_up.character is None:
        return own_character(tx, access, None)
    record = find_character(tx, access, int(follow_up.character))
    if follow_up.audience is Audience.OWNER and not may_play(tx, access, record):
        raise UserError(f"That button is for {record.name}.", "Only its player or a GM can press it.")
    return record
