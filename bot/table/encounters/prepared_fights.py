"""Prepared encounters in play: save the fight as it stands, and start one with a press."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import Character, CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ADD, START, encounter_key
from bot.rules.shared.countdowns import Countdown, Kind
from bot.rules.shared.encounters import AddOptions, Encounter, StartOptions, fight_of
from bot.store.records import NO_LIMIT, CharacterRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, as_played
from bot.table.base.results import Result
from bot.table.base.table_limits import assert_room_for_character
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import one_line
from bot.table.campaigns import bestiary
from bot.table.campaigns.bestiary import StatBlock, sheet_of
from bot.table.campaigns.prepared_encounters import (
    MOST_FOES,
    PreparedEncounter,
    PreparedFoe,
    as_now,
    keep_encounters,
    name_of,
    prepared_in,
)
from bot.table.characters.characters import arrival, name_problem, newcomer
from bot.table.encounters.encounters import MOST_AT_ONCE, NoEncounter, tracker_of
from bot.table.journal.journal import WITH_FIRST, as_part, told_parts_before
from bot.table.journal.scenes import as_kept
from bot.table.journal.shared_prompts import scene_to_look_at
from bot.table.play.actions import Action, do
from bot.table.play.countdown_plans import keep_begun
from bot.table.play.play import find_procedure


@act(gm=True)
def add(
    at: Turn,
    name: str,
    *,
    count: int = 1,
    is_hidden: bool = False,
    is_mook: bool = False,
) -> Result:
    """Add NPCs to the fight in the channel; make them first if they don't exist.

    A single existing NPC joins itself, unless it takes part already and the bestiary has a foe of its name.
    Foes of the bestiary come as their stat block has them. Others are copies of an existing NPC as it stands,
    or new ones of that name; numbers continue from the highest one taken.

    Args:
        name: The name of an NPC or of a foe of the bestiary, or a new name.
        count: How many.
        is_hidden: Whether only the GM knows of them.
        is_mook: Whether new ones are the ruleset's mooks.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """
    ids = found_or_made(at.tx, at.access, one_line(name), count, is_hidden=is_hidden, is_mook=is_mook)
    procedure = find_procedure(at.access, ADD)
    options = AddOptions(characters=ids, hidden=is_hidden)
    return do(at.table, at.tx, Action(access=at.access, procedure=procedure, options=options, actor=None))


def found_or_made(
    tx: Transaction, access: Access, name: str, count: int, *, is_hidden: bool, is_mook: bool
) -> tuple[CharacterId, ...]:
    """Return the NPC of a name, or so many new ones, like those there or in the bestiary.

    Raises:
        UserError: If they can't be added, or are too many.
    """
    if not 1 <= count <= MOST_AT_ONCE:
        raise UserError(f"You can add 1 to {MOST_AT_ONCE} NPCs at once.")
    tracker = tracker_of(access)
    found = tx.character_named(access.request.server, access.campaign.id, name)
    block = None if is_mook else sheet_of(tx, access, name)
    if block is not None and (found is None or count > 1 or _takes_part(tx, access, found)):
        kind, like_it = block
        made = partial(newcomer, access, sheet=like_it, owner=None)
        return make_npcs(tx, access, kind, count, made, is_hidden=is_hidden)
    if found is not None:
        if count == 1:
            return (CharacterId(found.id),)
        if found.owner is not None:
            raise UserError(f"{found.name} is a player's character.", "Only NPCs can be added in numbers.")
        if is_mook:
            raise UserError(
                f"There is already a character called {found.name}.",
                "Copies stay what it is, so leave out mook.",
            )
        like = as_played(access.game, found)
        return _made(tx, access, found.name, count, lambda new: _copy(like, new), is_hidden=is_hidden)
    if is_mook and tracker.mook is None:
        raise UserError(f"{access.game.title} has no mooks.", try_this="Leave out mook.")
    sheet: Document = tracker.mook() if is_mook and tracker.mook else access.game.creation.npc()
    return _made(tx, access, name, count, lambda new: newcomer(access, new, sheet, None), is_hidden=is_hidden)


def _takes_part(reader: Reader, access: Access, found: CharacterRecord) -> bool:
    """Return whether a character is in the channel's fight already, hidden or not."""
    scene = replace(scene_to_look_at(reader, access, for_gm=True), channel=str(access.request.channel))
    fight = fight_of(scene)
    return fight is not None and any(one.character == found.id for one in fight.combatants)


def _copy(like: Character, name: str) -> Character:
    return replace(like, id=CharacterId(0), name=name)


def _made(
    tx: Transaction,
    access: Access,
    name: str,
    count: int,
    make: Callable[[str], Character],
    *,
    is_hidden: bool,
    is_numbered: bool = False,
) -> tuple[CharacterId, ...]:
    """Make new NPCs, numbered if there are several or the name is taken."""
    first = _highest(tx, access, name) + 1
    names = (
        [name] if count == 1 and not is_numbered else [f"{name} {first + number}" for number in range(count)]
    )
    ids = []
    for new in names:
        assert_room_for_character(tx, access, None)
        wrong = name_problem(tx, access, new)
        if wrong:
            raise UserError(wrong, *(["Its number counts, too."] if new != name else []))
        blank = CharacterRecord(
            server=access.request.server,
            campaign=access.campaign.id,
            owner=None,
            name=new,
            sheet_version=access.game.sheet_version,
            sheet="{}",
        )
        id_ = CharacterId(tx.save_character(as_kept(access, blank, replace(make(new), is_hidden=is_hidden))))
        arrival(tx, access, id_)
        ids.append(id_)
    return tuple(ids)


def _highest(reader: Reader, access: Access, name: str) -> int:
    """Return the highest number taken after a name; hidden characters count too."""
    known = reader.character_names(access.request.server, access.campaign.id, contains=name, limit=NO_LIMIT)
    pattern = re.compile(rf"{re.escape(name)} ([0-9]{{1,9}})", re.IGNORECASE)
    return max((int(hit[1]) for one in known if (hit := pattern.fullmatch(one.name))), default=0)


def make_npcs(
    tx: Transaction,
    access: Access,
    name: str,
    count: int,
    make: Callable[[str], Character],
    *,
    is_hidden: bool,
) -> tuple[CharacterId, ...]:
    """Make new NPCs of a name, numbered if there are several or it is taken."""
    found = tx.character_named(access.request.server, access.campaign.id, name)
    is_numbered = found is not None or _highest(tx, access, name) > 0
    return _made(tx, access, name, count, make, is_hidden=is_hidden, is_numbered=is_numbered)


class FightMeanwhile(UserError):
    """Somebody has started a fight since a GM was offered to start one."""

    def __init__(self) -> None:
        super().__init__("Somebody has started a fight here meanwhile.", "Add these foes to it if you like.")


@look(gm=True)
def is_fight_here(at: ReadTurn) -> bool:
    """Return whether a fight runs in the channel, for its GM."""
    return _fight(at.reader, at.access) is not None


def _fight(reader: Reader, access: Access) -> Encounter[Any] | None:
    scene = scene_to_look_at(reader, access, for_gm=True)
    return fight_of(replace(scene, channel=str(access.request.channel)))


# --- saving a fight ----------------------------------------------------------------------------


@act(gm=True)
def save_fight(at: Turn, name: str) -> Result:
    """Save the GM's side of the channel's fight as it stands: wounds, conditions, who hides, the ground.

    Raises:
        UserError: If there is no fight, or nobody of the GM's in it.
    """
    fight = _fight(at.tx, at.access)
    if fight is None:
        raise NoEncounter
    foes = _foes_of(at.tx, at.access, fight)
    if not foes:
        raise UserError("None of your NPCs is in this fight.", "Add some first.")
    prepared, called = prepared_in(at.tx, at.access), name_of(name)
    old = prepared.find(called)
    if old is None:
        prepared.assert_unlike_others(called)
    body = fight.model_dump(mode="json")
    one = PreparedEncounter(
        name=called,
        text="" if old is None else old.text,
        foes=foes[:MOST_FOES],
        countdowns=() if old is None else old.countdowns,
        ground={key: body[key] for key in tracker_of(at.access).ground if key in body},
    )
    return keep_encounters(at, prepared.with_one(one), f"saves this fight as the encounter {called}")


def _foes_of(tx: Transaction, access: Access, fight: Encounter[Any]) -> tuple[PreparedFoe, ...]:
    found = []
    for one in fight.combatants:
        stored = None if one.character is None else tx.character(access.request.server, one.character)
        if stored is None or stored.owner is not None or stored.is_retired:
            continue
        found.append(as_now(access, stored, is_hidden=one.is_hidden))
    return tuple(found)


# --- starting one ------------------------------------------------------------------------------


@unit(gm=True)
def start(at: Turn, name: str, *, may_add: bool = True) -> tuple[Result, ...]:
    """Start a prepared encounter in the channel, or add its foes to the fight that runs there.

    Undoing the first of its entries undoes them all.

    Args:
        name: The encounter's name.
        may_add: Whether its foes may join a fight that runs already.

    Raises:
        FightMeanwhile: If a fight runs that they may not join.
        UserError: If it is gone; then nothing has changed.
    """
    again = told_parts_before(at.tx, at.request, WITH_FIRST)
    if again:
        return again
    prepared = prepared_in(at.tx, at.access).find(name)
    if prepared is None:
        raise UserError(f"There is no prepared encounter called “{name}” any more.")
    if not may_add and _fight(at.tx, at.access) is not None:
        raise FightMeanwhile
    return _Starting(at).all_of(prepared)


@unit(gm=True)
def bring_in(at: Turn, name: str, *, count: int, is_hidden: bool) -> tuple[Result, ...]:
    """Add foes to the channel's fight, and start one for them where there is none; but not for hidden ones.

    Undoing the first of its entries undoes them all.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """
    again = told_parts_before(at.tx, at.request, WITH_FIRST)
    if again:
        return again
    return _Starting(at).bring(name, count, is_hidden=is_hidden)


class _Starting:
    """One press that starts an encounter in several entries, all or none.

    Args:
        at: The turn of the press.
    """

    def __init__(self, at: Turn) -> None:
        self._table, self._tx, self._request = at.table, at.tx, at.request
        self._done: list[Result] = []

    def _turn(self) -> Turn:
        """Return the turn for the next entry."""
        return Turn(self._table, self._tx, as_part(self._request, len(self._done), WITH_FIRST))

    def all_of(self, prepared: PreparedEncounter) -> tuple[Result, ...]:
        """Open the fight, tell the text, start the countdowns, and bring in the foes."""
        access = self._turn().access
        if _fight(self._tx, access) is None:
            self._do(START, StartOptions())
            self._lay_ground(prepared)
        if prepared.text or prepared.countdowns or prepared.ground:
            self._tell(prepared)
        for is_hidden in (False, True):
            foes = [one for one in prepared.foes if one.hidden is is_hidden]
            ids = tuple(id_ for one in foes for id_ in self._made(one))
            if ids:
                self._do(ADD, AddOptions(characters=ids, hidden=is_hidden))
        return tuple(self._done)

    def bring(self, name: str, count: int, *, is_hidden: bool) -> tuple[Result, ...]:
        """Open a fight for foes that everybody sees if there is none, and bring them in."""
        if not is_hidden and _fight(self._tx, self._turn().access) is None:
            self._do(START, StartOptions())
        ids = found_or_made(self._tx, self._turn().access, name, count, is_hidden=is_hidden, is_mook=False)
        self._do(ADD, AddOptions(characters=ids, hidden=is_hidden))
        return tuple(self._done)

    def _do(self, key: str, options: StartOptions | AddOptions) -> None:
        access = self._turn().access
        action = Action(access=access, procedure=find_procedure(access, key), options=options, actor=None)
        self._done.append(do(self._table, self._tx, action))

    def _lay_ground(self, prepared: PreparedEncounter) -> None:
        """Put the ground under the new fight; one that the game no longer reads stays away."""
        access, fight = self._turn().access, _fight(self._tx, self._turn().access)
        ground = {key: prepared.ground[key] for key in tracker_of(access).ground if key in prepared.ground}
        if fight is None or not ground:
            return
        try:
            laid = type(fight).model_validate({**fight.model_dump(mode="json"), **ground})
        except ValidationError:
            return
        key = encounter_key(access.request.channel)
        self._tx.save_document(access.campaign.server, access.campaign.id, key, laid.model_dump(mode="json"))

    def _tell(self, prepared: PreparedEncounter) -> None:
        """Tell the text to everybody, and start the countdowns."""
        at, notes = self._turn(), prepared.text.splitlines()
        for one in prepared.countdowns:
            begun = Countdown(name=one.name, kind=Kind.FAILURE, difficulty=one.steps)
            told = keep_begun(self._tx, at.access, (begun,), is_private=one.hidden)
            notes += [] if one.hidden else list(told.notes)
        self._done.append(at.log("gm.scene", "sets the scene", notes=notes))

    def _made(self, foe: PreparedFoe) -> tuple[CharacterId, ...]:
        """Make the foes of a line, as they start."""
        access = self._turn().access
        if foe.sheet:
            block = StatBlock(name=foe.foe, sheet=foe.sheet, version=foe.version)
            called, sheet = foe.foe, bestiary.read_sheet(access, block)
        else:
            known = bestiary.sheet_of(self._tx, access, foe.foe)
            called, sheet = known or (foe.foe, access.game.creation.npc())

        def made(name: str) -> Character:
            new = newcomer(access, name, sheet, None)
            resources = {key: foe.resources.get(key, value) for key, value in new.resources.items()}
            wounds = {
                key: boxes if len(foe.wounds.get(key, ())) != len(boxes) else foe.wounds[key]
                for key, boxes in new.wounds.items()
            }
            return replace(new, resources=resources, wounds=wounds)

        return make_npcs(self._tx, access, called, foe.count, made, is_hidden=foe.hidden)
