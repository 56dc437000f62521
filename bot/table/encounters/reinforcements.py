"""Reinforcements: the GM adds existing, copied or new NPCs to a fight, hidden or not."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.rules.kernel import Character, CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ADD
from bot.rules.shared.encounters import AddOptions, fight_of
from bot.store.records import NO_LIMIT, CharacterRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, as_played, gm_access_here
from bot.table.base.clean_names import LONGEST_NAME, one_line
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_character
from bot.table.campaigns.bestiary import sheet_of
from bot.table.characters.characters import arrival, name_problem, newcomer
from bot.table.encounters.encounters import tracker_of
from bot.table.journal.gathered import scene_to_look_at
from bot.table.journal.journal import told_before
from bot.table.journal.scenes import as_kept
from bot.table.play.doing import Action, do
from bot.table.play.play import find_procedure

MOST_AT_ONCE = 20


async def add(
    table: Table,
    request: Request,
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
        table: The table.
        request: Who asks; must be a GM.
        name: The name of an NPC or of a foe of the bestiary, or a new name.
        count: How many.
        is_hidden: Whether only the GM knows of them.
        is_mook: Whether new ones are the ruleset's mooks.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        ids = found_or_made(tx, access, one_line(name), count, is_hidden=is_hidden, is_mook=is_mook)
        procedure = find_procedure(access, ADD)
        options = AddOptions(characters=ids, hidden=is_hidden)
        return do(table, tx, Action(access=access, procedure=procedure, options=options, actor=None))

    return await table.store.run(unit)


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
            raise UserError(wrong, f"A name can have up to {LONGEST_NAME} characters, including the number.")
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
