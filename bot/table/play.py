"""Playing: one procedure of the campaign's ruleset, done, kept, journalled and told."""

from dataclasses import dataclass
from typing import Any

from bot.rules.dice import FairDice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Audience, Document, FollowUp, Outcome, Procedure, Ruleset
from bot.store.boundary import Reader, Transaction
from bot.store.records import CharacterRecord, EntryRecord, FollowUpId, FollowUpRecord, SeedRecord
from bot.table.countdown_follows import Played, follow, pass_time
from bot.table.countdowns import Telling, find_countdown
from bot.table.journal import may_see, record, told_before
from bot.table.options import GIVEN, characters_in, read_choice, read_options
from bot.table.request import Request
from bot.table.results import (
    ChangeLine,
    Result,
    Told,
    follow_up_from_json,
    roll_to_json,
)
from bot.table.rewinds import NOTHING, Rewound, rewind
from bot.table.scenes import SceneKeeper
from bot.table.seats import (
    ForGmOnly,
    Seat,
    find_character,
    own_character,
    require_character,
    seat_in,
    take_seat,
)
from bot.table.table import Table
from bot.table.windows import PlayFacts, facts_of, procedure_of, refuse_shut, shown


class UnaccountedDice(Exception):
    """A procedure rolled dice that its rolls do not show: a fault of the ruleset."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press came to, and what the message it stood under looks like from now on."""

    result: Result
    under: Result


@dataclass(frozen=True, slots=True)
class _Pressing:
    """The follow-up that is being pressed, what it stands under, and what it has taken back of that."""

    record: FollowUpRecord
    entry: EntryRecord
    follow_up: FollowUp
    rewound: Rewound


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """Everything needed to do one procedure."""

    seat: Seat
    procedure: Procedure[Any]
    options: Document
    actor: CharacterRecord | None
    is_secret: bool = False
    countdown: str | None = None
    pressed: "_Pressing | None" = None

    @property
    def who(self) -> str:
        """Under whose name it is told."""
        return self.actor.name if self.actor else self.seat.request.person_name


async def perform(
    table: Table,
    request: Request,
    procedure: str,
    given: GIVEN,
    *,
    acting: str | None = None,
    is_secret: bool = False,
    countdown: str | None = None,
) -> Result:
    """Do one procedure of the ruleset of the campaign in that place.

    Args:
        table: The table.
        request: Who asks, where.
        procedure: Its key.
        given: Its options as typed; what is None counts as not given. Characters by name.
        acting: The character to act with, by name; else the one the person plays.
        is_secret: Told to the person alone and shown to nobody but the GM; only for a GM.
        countdown: A countdown that the result moves, by name, besides those that the GM linked.

    Raises:
        Mistake: If it is not allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        seat = take_seat(table, tx, request)
        if is_secret:
            seat.require_gm()
        move = _Move(
            seat=seat,
            procedure=(found := _procedure(seat, procedure)),
            options=read_options(tx, seat, found.options, given),
            actor=own_character(tx, seat, acting),
            is_secret=is_secret,
            countdown=countdown,
        )
        return _do(table, tx, move)

    return await table.store.run(unit)


async def press(table: Table, request: Request, id_: FollowUpId, chosen: str | None = None) -> Pressed:
    """Do what a follow-up offers.

    Args:
        table: The table.
        request: Who pressed, where.
        id_: The follow-up.
        chosen: What was chosen, for a select menu.

    Raises:
        Mistake: If the person may not, or it is no longer open; then nothing has changed.
    """

    def unit(tx: Transaction) -> Pressed:
        again = told_before(tx, request)
        result = again or _do_follow_up(table, tx, request, id_, chosen)
        record = tx.follow_up(request.server, id_)
        under = None if record is None else tx.entry(request.server, record.entry)
        if under is None:  # it was there when its follow-up was done
            raise LookupError(f"follow-up {id_} stands under nothing")
        return Pressed(result, shown(tx, _game_of(table, tx, under), under))

    return await table.store.run(unit)


def _do_follow_up(
    table: Table, tx: Transaction, request: Request, id_: FollowUpId, chosen: str | None
) -> Result:
    record, entry, seat = _open_follow_up(table, tx, request, id_)
    follow_up = follow_up_from_json(record.body)
    actor = _presser(tx, seat, follow_up)
    refuse_shut(tx, seat.game, entry, follow_up)
    rewound = NOTHING
    if follow_up.rewinds:
        rewound = rewind(tx, seat, entry)
        seat = seat_in(table, tx, request, tx.campaign(request.server, entry.campaign) or seat.campaign)
        actor = actor and tx.character(request.server, actor.id)
    procedure = _procedure(seat, follow_up.procedure)
    move = _Move(
        seat=seat,
        procedure=procedure,
        options=_pressed_options(tx, seat, procedure, follow_up, chosen),
        actor=actor,
        is_secret=entry.is_secret,
        pressed=_Pressing(record, entry, follow_up, rewound),
    )
    return _do(table, tx, move)


def _pressed_options(
    tx: Reader, seat: Seat, procedure: Procedure[Any], follow_up: FollowUp, chosen: str | None
) -> Document:
    given: dict[str, Any] = follow_up.options.model_dump()
    if follow_up.choices:
        if chosen is None or chosen not in {choice.value for choice in follow_up.choices}:
            raise Mistake("That cannot be chosen here.", "Choose again from the menu.")
        given[follow_up.chosen] = read_choice(procedure.options, follow_up.chosen, chosen)
    return read_options(tx, seat, procedure.options, given)


def _game_of(table: Table, reader: Reader, entry: EntryRecord) -> Ruleset:
    campaign = reader.campaign(entry.server, entry.campaign)
    if campaign is None:  # entries go with their campaign
        raise LookupError(f"entry {entry.id} is of no campaign")
    return table.games[campaign.ruleset]


def _procedure(seat: Seat, key: str) -> Procedure[Any]:
    found = seat.game.procedures.get(key)
    if found is None:
        raise Mistake(
            f"This campaign plays {seat.game.title}, which has no such thing.",
            try_this=f"Its commands begin with /{seat.game.command}.",
        )
    if found.gm_only:
        seat.require_gm()
    return found


class NoLongerOpen(Mistake):
    """There is no such follow-up, none any more, or none that the person may know of."""

    def __init__(self) -> None:
        super().__init__("That can no longer be done.", try_this="Use the command again.")


def _open_follow_up(
    table: Table, tx: Transaction, request: Request, id_: FollowUpId
) -> tuple[FollowUpRecord, EntryRecord, Seat]:
    record = tx.follow_up(request.server, id_)
    entry = None if record is None else tx.entry(request.server, record.entry)
    campaign = None if record is None else tx.campaign(request.server, record.campaign)
    if record is None or entry is None or campaign is None:
        raise NoLongerOpen
    seat = seat_in(table, tx, request, campaign)
    if not may_see(seat, entry):
        raise NoLongerOpen
    if campaign.is_archived:
        raise Mistake("That campaign is closed.")
    if record.closed_by is not None:
        raise Mistake("That has been done already.")
    return record, entry, seat


def _presser(tx: Transaction, seat: Seat, follow_up: FollowUp) -> CharacterRecord | None:
    """The character a press acts with.

    Raises:
        Mistake: If the person may not press.
    """
    if follow_up.audience is Audience.GM and not seat.is_gm:
        raise ForGmOnly("That button is the GM's.")
    if follow_up.character is None:
        return own_character(tx, seat, None)
    record = find_character(tx, seat, int(follow_up.character))
    if follow_up.audience is Audience.OWNER and not seat.may_play(record):
        raise Mistake(f"That button is for {record.name}.", "Its player and the GM may press it.")
    return record


def _do(table: Table, tx: Transaction, move: _Move) -> Result:
    seat, request = move.seat, move.seat.request
    if move.actor is None and move.procedure.needs_actor:
        require_character(tx, seat)
    seed = _seed_in_use(tx, seat)
    dice = FairDice(seed.secret, request.interaction)
    keeper = SceneKeeper(tx, seat, move.pressed.rewound.characters if move.pressed else None)
    outcome: Outcome = move.procedure.run(keeper.scene(move.actor), move.options, dice)
    _account_for(outcome, dice)
    is_private = move.is_secret or not outcome.is_public or _is_about_hidden(tx, move)
    scene, notes, later = keeper.pass_time(outcome.scene, with_hidden=is_private)
    lines = keeper.changes(scene, with_hidden=is_private)
    if outcome.paid is not None:
        keeper.keep(outcome.paid)
    paid = tx.changes_so_far()
    keeper.keep(scene)
    counted = _count(tx, move, outcome, scene.clock, with_hidden=is_private and seat.is_gm)
    result = record(
        table,
        tx,
        seat,
        f"play.{move.procedure.key}",
        _tell(move, outcome, (*lines, *counted.lines), (*notes, *counted.notes), is_public=not is_private),
        character=None if move.actor is None else move.actor.id,
        is_secret=is_private,
        facts={**counted.facts, **_facts(tx, move, outcome, paid).kept},
        follow_ups=(*outcome.follow_ups, *later),
        rolls=[roll_to_json(seat.game.key, roll) for roll in outcome.rolls],
        seed=seed.number if dice.fallen else None,
    )
    _close_pressed(tx, move, result)
    return result


def _facts(tx: Transaction, move: _Move, outcome: Outcome, paid: int) -> PlayFacts:
    """What windows and a rewind will want to know of this."""
    countdown = None if move.pressed is None else _again(move.pressed)
    if move.countdown is not None:
        countdown = find_countdown(tx, move.seat, move.countdown).id
    can_rewind = any(one.rewinds for one in outcome.follow_ups)
    return PlayFacts(
        against=tuple(dict.fromkeys(characters_in(move.options))),
        under=None if move.pressed is None else move.pressed.entry.id,
        countdown=countdown,
        came=(paid, tx.changes_so_far()) if can_rewind else None,
        moments=outcome.moments,
        stands_for=_stands_for(move),
    )


def _stands_for(move: _Move) -> str:
    """The procedure whose result a press takes the place of; nothing where it stands for itself."""
    pressing = move.pressed
    return procedure_of(pressing.entry) if pressing is not None and pressing.follow_up.rewinds else ""


def _again(pressing: _Pressing) -> int | None:
    """The countdown named for the result that a press takes the place of."""
    return facts_of(pressing.entry).countdown if pressing.follow_up.rewinds else None


def _close_pressed(tx: Transaction, move: _Move, result: Result) -> None:
    """Close what was pressed, with all of its group; under a result that was rewound, everything."""
    if move.pressed is None:
        return
    record, follow_up = move.pressed.record, move.pressed.follow_up
    groups = set() if follow_up.stays else {record.group}
    if follow_up.rewinds:
        groups = {one.group for one in tx.follow_ups(record.server, record.entry)}
    for group in groups:
        tx.close_follow_ups(record.server, record.entry, group, result.entry)


def _is_about_hidden(tx: Reader, move: _Move) -> bool:
    """Whether a character that only the GM knows of acts, or is named by what was chosen."""
    named = (tx.character(move.seat.request.server, id_) for id_ in characters_in(move.options))
    return any(one is not None and one.is_hidden for one in (move.actor, *named))


def _count(tx: Transaction, move: _Move, outcome: Outcome, clock: int, *, with_hidden: bool) -> Telling:
    """Move the countdowns that the result and the time it took move."""
    played = Played(
        procedure=_stands_for(move) or move.procedure.key,
        outcome=outcome,
        actor=move.actor,
        who=move.who,
        countdown=move.countdown,
        with_hidden=with_hidden,
        again=None if move.pressed is None else _again(move.pressed),
        were=NOTHING.countdowns if move.pressed is None else move.pressed.rewound.countdowns,
    )
    followed = follow(tx, move.seat, played)
    return followed + pass_time(tx, move.seat, clock, move.who, with_hidden=with_hidden)


def _seed_in_use(tx: Transaction, seat: Seat) -> SeedRecord:
    seed = tx.seed(seat.request.server, seat.campaign.id)
    if seed is None:  # a campaign is made together with its first seed
        raise LookupError(f"campaign {seat.campaign.id} has no seed")
    return seed


def _account_for(outcome: Outcome, dice: FairDice) -> None:
    told = [(die.sides, die.face) for roll in outcome.rolls for die in roll.dice]
    fallen = [(fall.sides, fall.face) for fall in dice.fallen]
    if told != fallen:
        raise UnaccountedDice(f"rolled {fallen}, told {told}")


def _tell(
    move: _Move,
    outcome: Outcome,
    changes: tuple[ChangeLine, ...],
    notes: tuple[str, ...],
    *,
    is_public: bool,
) -> Told:
    return Told(
        who=move.who,
        headline=outcome.headline,
        verdict=outcome.verdict,
        changes=changes,
        notes=(*outcome.notes, *notes),
        is_public=is_public,
    )
