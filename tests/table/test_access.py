"""Who may know of which character, and who plays whom."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Scene
from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    access_here,
    character_of,
    find_character,
    known_to_all,
    may_play,
    own_character,
    playing,
    require_character,
)
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import Turn, unit
from bot.table.gm import gm as gms
from bot.table.journal.scenes import SceneKeeper
from bot.table.journal.shared_prompts import scene_to_look_at
from tests.table.conftest import CHANNEL, HOME, Person

T = TypeVar("T")
CAMPAIGN = CampaignId(1)


@unit()
def arrange(at: Turn, change: Callable[[Transaction], None]) -> Result:
    """Change what is stored, as a GM might over an evening."""
    change(at.tx)
    return at.log("character.retire", "arranges")


@pytest.fixture
async def cast(game: Table, gm: Person, ada: Person, bo: Person) -> Table:
    """Ada and Ann are Alice's, Bo is Bob's; Hob, hidden, is Bob's too; Orc is an NPC, Imp a hidden one."""

    def change(tx: Transaction) -> None:
        ada_ = tx.character_named(HOME, CAMPAIGN, "Ada")
        assert ada_ is not None
        for name, owner, is_hidden in (
            ("Ann", ada.id, False),
            ("Hob", bo.id, True),
            ("Orc", None, False),
            ("Imp", None, True),
        ):
            tx.save_character(replace(ada_, id=0, name=name, owner=owner, is_hidden=is_hidden))

    await arrange(game, gm.asks(), change)
    return game


async def seen(table: Table, who: Person, query: Callable[[Reader, Access], T]) -> T:
    """What somebody's access lets them read."""
    return await table.store.read(lambda reader: query(reader, access_here(table, reader, who.asks())))


async def choose(table: Table, who: Person, name: str | None) -> None:
    """Choose the character somebody plays, or none."""

    def change(tx: Transaction) -> None:
        found = None if name is None else tx.character_named(HOME, CAMPAIGN, name)
        tx.set_current_character(HOME, CAMPAIGN, who.id, None if found is None else found.id)

    await arrange(table, who.asks(), change)


@pytest.mark.parametrize(
    ("asks", "whose", "chosen", "told"),
    [
        ("bo", "ada", None, "Alice has more than one character here and hasn't chosen one."),
        ("bo", "ada", "Ann", "Ann"),
        ("bo", "ada", "Ada", "Ada"),
        ("ada", "bo", None, "Bo"),
        ("ada", "bo", "Bo", "Bo"),
        ("ada", "bo", "Hob", "Bo"),
        ("gm", "bo", None, "Bob has more than one character here and hasn't chosen one."),
        ("gm", "bo", "Hob", "Hob"),
        ("ada", "gm", None, "Gwen has no character here."),
        ("bo", "bo", None, "You have more than one character here."),
        ("bo", "bo", "Hob", "Hob"),
        ("gm", "gm", None, "You have no character here."),
    ],
)
async def test_whom_somebody_plays_is_told_as_far_as_one_may_know(
    cast: Table, request: pytest.FixtureRequest, asks: str, whose: str, chosen: str | None, told: str
) -> None:
    who, them = request.getfixturevalue(asks), request.getfixturevalue(whose)
    for person in ("ada", "bo"):
        await choose(cast, request.getfixturevalue(person), None)
    await choose(cast, them, chosen)

    def query(reader: Reader, access: Access) -> str:
        try:
            return character_of(reader, access, them.id, them.name).name
        except UserError as error:
            return error.what

    assert await seen(cast, who, query) == told


@pytest.mark.parametrize(
    ("with_hidden", "chosen", "told"),
    [
        (False, None, {2: ["Ada", "Ann"], 3: ["Bo"]}),
        (True, None, {2: ["Ada", "Ann"], 3: ["Bo", "Hob"]}),
        (True, "Ann", {2: ["Ann"], 3: ["Bo", "Hob"]}),
        (False, "Ada", {2: ["Ada"], 3: ["Bo"]}),
    ],
)
async def test_each_player_plays_the_chosen_character_or_all_of_theirs(
    cast: Table,
    ada: Person,
    bo: Person,
    gm: Person,
    with_hidden: bool,
    chosen: str | None,
    told: dict[int, list[str]],
) -> None:
    await choose(cast, bo, None)
    await choose(cast, ada, chosen)
    found = await seen(cast, gm, lambda reader, access: playing(reader, access, with_hidden=with_hidden))

    assert {owner: sorted(one.name for one in theirs) for owner, theirs in found.items()} == told


async def test_everybody_knows_of_the_characters_that_are_not_hidden_the_players_first(
    cast: Table, gm: Person
) -> None:
    def query(reader: Reader, access: Access) -> list[str]:
        found = [reader.character(HOME, one) for one in known_to_all(reader, access)]
        return [one.name for one in found if one is not None]

    names = await seen(cast, gm, query)
    assert sorted(names[:3]) == ["Ada", "Ann", "Bo"]
    assert names[3:] == ["Orc"]


@pytest.mark.parametrize(
    ("asks", "name", "finds", "plays"),
    [
        ("ada", "Ada", True, True),
        ("ada", "Bo", True, False),
        ("ada", "Orc", True, False),
        ("ada", "Imp", False, False),
        ("ada", "Hob", False, False),
        ("bo", "Hob", False, False),
        ("gm", "Imp", True, True),
        ("gm", "Ada", True, True),
        ("gm", "Nobody", False, False),
    ],
)
async def test_hidden_characters_are_the_gms_and_each_plays_their_own(
    cast: Table, request: pytest.FixtureRequest, asks: str, name: str, finds: bool, plays: bool
) -> None:
    def query(reader: Reader, access: Access) -> tuple[bool, bool, bool]:
        by_name = reader.character_named(HOME, CAMPAIGN, name)
        results: list[bool | None] = []
        for wanted in (name, 0 if by_name is None else by_name.id):
            try:
                results.append(may_play(reader, access, find_character(reader, access, wanted)))
            except UserError:
                results.append(None)
        assert results[0] == results[1]
        return results[0] is not None, bool(results[0]), by_name is not None

    found, can_play, _exists = await seen(cast, request.getfixturevalue(asks), query)
    assert (found, can_play) == (finds, plays)


@pytest.mark.parametrize(
    ("asks", "name", "chosen", "told"),
    [
        ("ada", None, None, "You have more than one character here."),
        ("ada", None, "Ann", "Ann"),
        ("ada", "Ada", "Ann", "Ada"),
        ("ada", "Bo", "Ann", "Bo isn't your character."),
        ("gm", "Bo", None, "Bo"),
        ("gm", None, None, "You have no character here."),
    ],
)
async def test_one_acts_with_the_named_the_chosen_or_the_only_character(
    cast: Table, request: pytest.FixtureRequest, asks: str, name: str | None, chosen: str | None, told: str
) -> None:
    who = request.getfixturevalue(asks)
    await choose(cast, who, chosen)

    def query(reader: Reader, access: Access) -> str:
        try:
            return require_character(reader, access, name).name
        except UserError as error:
            return error.what

    assert await seen(cast, who, query) == told


async def test_a_retired_choice_leaves_the_only_character(game: Table, gm: Person, ada: Person) -> None:
    def change(tx: Transaction) -> None:
        ada_ = tx.character_named(HOME, CAMPAIGN, "Ada")
        assert ada_ is not None
        old = tx.save_character(replace(ada_, id=0, name="Old"))
        tx.set_current_character(HOME, CAMPAIGN, ada.id, old)
        found = tx.character(HOME, old)
        assert found is not None
        tx.save_character(replace(found, is_retired=True))

    await arrange(game, gm.asks(), change)

    def query(reader: Reader, access: Access) -> str | None:
        found = own_character(reader, access, None)
        return None if found is None else found.name

    assert await seen(game, ada, query) == "Ada"


@pytest.mark.parametrize(
    ("manages", "role", "named", "is_gm"),
    [
        (False, False, False, False),
        (True, False, False, True),
        (False, True, False, True),
        (False, False, True, True),
    ],
)
async def test_a_gm_manages_the_server_has_the_role_or_is_named(
    game: Table, gm: Person, bo: Person, manages: bool, role: bool, named: bool, is_gm: bool
) -> None:
    bo.manages_server = manages
    bo.roles = frozenset({77}) if role else frozenset({76})

    def change(tx: Transaction) -> None:
        campaign = tx.campaign(HOME, CAMPAIGN)
        assert campaign is not None
        tx.save_campaign(replace(campaign, gm_role=77))
        tx.set_gm(HOME, CAMPAIGN, bo.id, is_gm=named)

    await arrange(game, gm.asks(), change)
    assert await seen(game, bo, lambda _reader, access: access.is_gm) is is_gm
    assert CHANNEL in bo.places


def names(scene: Scene) -> list[str]:
    return [scene.character(one).name for one in scene.find_everybody()]


@pytest.mark.parametrize("who", ["gm", "ada"])
async def test_a_scene_lists_players_first_and_nobody_hidden(
    game: Table, gm: Person, ada: Person, who: str
) -> None:
    await gms.make_npc(game, gm.asks(), "Abbot")
    await gms.make_npc(game, gm.asks(), "Imp", is_hidden=True)
    person = gm if who == "gm" else ada
    request = person.asks()
    assert await game.store.read(
        lambda reader: names(scene_to_look_at(reader, access_here(game, reader, request), for_gm=False))
    ) == ["Ada", "Bo", "Abbot"]
    assert await game.store.run(
        lambda tx: names(SceneKeeper(tx, access_here(game, tx, request)).scene(None))
    ) == ["Ada", "Bo", "Abbot"]
