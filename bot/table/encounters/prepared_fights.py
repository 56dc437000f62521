"""Prepared encounters in play: save the fight as it stands, and start one with a press."""

from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from bot.rules.kernel import Character, CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ADD, START, encounter_key
from bot.rules.shared.countdowns import Countdown, Kind
from bot.rules.shared.encounters import AddOptions, Encounter, StartOptions, fight_of
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_here, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.campaigns import bestiary
from bot.table.campaigns.bestiary import StatBlock
from bot.table.campaigns.prepared_encounters import (
    MOST_FOES,
    PreparedEncounter,
    PreparedEncounters,
    PreparedFoe,
    as_now,
    change,
    name_of,
    prepared_in,
)
from bot.table.characters.characters import newcomer
from bot.table.encounters.encounters import NoEncounter, tracker_of
from bot.table.encounters.reinforcements import found_or_made, make_npcs
from bot.table.journal.gathered import scene_to_look_at
from bot.table.journal.journal import record
from bot.table.journal.obstacles import WITH_FIRST
from bot.table.journal.several_entries import as_part, told_parts_before
from bot.table.play.countdown_starts import keep_begun
from bot.table.play.doing import Action, do
from bot.table.play.play import find_procedure


class FightMeanwhile(UserError):
    """Somebody has started a fight since a GM was offered to start one."""

    def __init__(self) -> None:
        super().__init__("Somebody has started a fight here meanwhile.", "Add these foes to it if you like.")


async def is_fight_here(table: Table, request: Request) -> bool:
    """Return whether a fight runs in the channel, for its GM.

    Raises:
        UserError: If the person is no GM.
    """
    return await table.store.read(
        lambda reader: _fight(reader, gm_access_here(table, reader, request)) is not None
    )


def _fight(reader: Reader, access: Access) -> Encounter[Any] | None:
    scene = scene_to_look_at(reader, access, for_gm=True)
    return fight_of(replace(scene, channel=str(access.request.channel)))


# --- saving a fight ----------------------------------------------------------------------------


async def save_fight(table: Table, request: Request, name: str) -> Result:
    """Save the GM's side of the channel's fight as it stands: wounds, conditions, who hides, the ground.

    Raises:
        UserError: If there is no fight, or nobody of the GM's in it.
    """

    def edit(tx: Transaction, access: Access, prepared: PreparedEncounters) -> tuple[PreparedEncounters, str]:
        fight = _fight(tx, access)
        if fight is None:
            raise NoEncounter
        foes = _foes_of(tx, access, fight)
        if not foes:
            raise UserError("None of your NPCs is in this encounter.", "Add some first.")
        called = name_of(name)
        old = prepared.find(called)
        if old is None:
            prepared.assert_unlike_others(called)
        body = fight.model_dump(mode="json")
        one = PreparedEncounter(
            name=called,
            text="" if old is None else old.text,
            foes=foes[:MOST_FOES],
            countdowns=() if old is None else old.countdowns,
            ground={key: body[key] for key in tracker_of(access).ground if key in body},
        )
        return prepared.with_one(one), f"saves this fight as the encounter {called}"

    return await change(table, request, edit)


def _foes_of(tx: Transaction, access: Access, fight: Encounter[Any]) -> tuple[PreparedFoe, ...]:
    found = []
    for one in fight.combatants:
        stored = None if one.character is None else tx.character(access.request.server, one.character)
        if stored is None or stored.owner is not None or stored.is_retired:
            continue
        found.append(as_now(access, stored, is_hidden=one.is_hidden))
    return tuple(found)


# --- starting one ------------------------------------------------------------------------------


async def start(table: Table, request: Request, name: str, *, may_add: bool = True) -> tuple[Result, ...]:
    """Start a prepared encounter in the channel, or add its foes to the fight that runs there.

    Undoing the first of its entries undoes them all.

    Args:
        table: The table.
        request: The press.
        name: The encounter's name.
        may_add: Whether its foes may join a fight that runs already.

    Raises:
        FightMeanwhile: If a fight runs that they may not join.
        UserError: If it is gone, or the person is no GM; then nothing has changed.
    """

    def unit(tx: Transaction) -> tuple[Result, ...]:
        again = told_parts_before(tx, request, WITH_FIRST)
        if again:
            return again
        access = gm_access_here(table, tx, request)
        prepared = prepared_in(tx, access).find(name)
        if prepared is None:
            raise UserError(f"There is no prepared encounter called “{name}” any more.")
        if not may_add and _fight(tx, access) is not None:
            raise FightMeanwhile
        return _Starting(table, tx, request).all_of(prepared)

    return await table.store.run(unit)


async def bring_in(
    table: Table, request: Request, name: str, *, count: int, is_hidden: bool
) -> tuple[Result, ...]:
    """Add foes to the channel's fight, and start one for them where there is none; but not for hidden ones.

    Undoing the first of its entries undoes them all.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> tuple[Result, ...]:
        again = told_parts_before(tx, request, WITH_FIRST)
        if again:
            return again
        gm_access_here(table, tx, request)
        return _Starting(table, tx, request).bring(name, count, is_hidden=is_hidden)

    return await table.store.run(unit)


class _Starting:
    """One press that starts an encounter in several entries, all or none.

    Args:
        table: The table.
        tx: The unit of work.
        request: The press.
    """

    def __init__(self, table: Table, tx: Transaction, request: Request) -> None:
        self._table, self._tx, self._request = table, tx, request
        self._done: list[Result] = []

    def _access(self) -> Access:
        return access_here(self._table, self._tx, as_part(self._request, len(self._done), WITH_FIRST))

    def all_of(self, prepared: PreparedEncounter) -> tuple[Result, ...]:
        """Open the fight, tell the text, start the countdowns, and bring in the foes."""
        access = self._access()
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
        if not is_hidden and _fight(self._tx, self._access()) is None:
            self._do(START, StartOptions())
        ids = found_or_made(self._tx, self._access(), name, count, is_hidden=is_hidden, is_mook=False)
        self._do(ADD, AddOptions(characters=ids, hidden=is_hidden))
        return tuple(self._done)

    def _do(self, key: str, options: StartOptions | AddOptions) -> None:
        access = self._access()
        action = Action(access=access, procedure=find_procedure(access, key), options=options, actor=None)
        self._done.append(do(self._table, self._tx, action))

    def _lay_ground(self, prepared: PreparedEncounter) -> None:
        """Put the ground under the new fight; one that the game no longer reads stays away."""
        access, fight = self._access(), _fight(self._tx, self._access())
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
        access, notes = self._access(), []
        for one in prepared.countdowns:
            begun = Countdown(name=one.name, kind=Kind.FAILURE, difficulty=one.steps)
            told = keep_begun(self._tx, access, (begun,), is_private=one.hidden)
            notes += [] if one.hidden else list(told.notes)
        message = Message(
            who=self._request.person_name,
            headline="sets the scene",
            notes=(*prepared.text.splitlines(), *notes),
        )
        self._done.append(record(self._table, self._tx, access, "gm.scene", message))

    def _made(self, foe: PreparedFoe) -> tuple[CharacterId, ...]:
        """Make the foes of a line, as they start."""
        access = self._access()
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
