"""The bestiary: foes of the book, made in a moment, saved, copied, deleted, and added to fights."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import bestiary, campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import ELSEWHERE, Person
from tests.table.whole import everything

GAMES = sorted(rulesets())


async def campaign_of(table: Table, gm: Person, ada: Person, key: str) -> Table:
    """A campaign with a fight that Alice's character has joined."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), key, "The Yard")
    creation = game.games[key].creation
    ready = creation.ready_made or creation.offered(game.games[key].settings())
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    return game


@pytest.fixture
async def pool(table: Table, gm: Person, ada: Person) -> Table:
    return await campaign_of(table, gm, ada, "swim_class")


async def foes(table: Table, gm: Person) -> list[str]:
    return [one.name for one in (await bestiary.page(table, gm.asks())).foes]


async def fighting(table: Table, who: Person) -> list[str]:
    return [one.name for one in (await encounters.fight_here(table, who.asks())).view.lines]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("level", list(FoeLevel))
async def test_a_foe_of_any_level_is_armed_and_playable(
    table: Table, gm: Person, ada: Person, key: str, level: FoeLevel
) -> None:
    """F-OPT-12"""
    game = await campaign_of(table, gm, ada, key)
    page = await bestiary.page(game, gm.asks())

    done = await bestiary.make(game, gm.asks(), "Raider", level, page.things[:2])
    added = await prepared_fights.add(game, gm.asks(), "raider", count=2)

    assert not done.message.is_public
    assert "Raider" in await foes(game, gm)
    assert added.message.is_public
    assert {"Raider 1", "Raider 2"} <= set(await fighting(game, ada))
    assert (await characters.sheet(game, gm.asks(), "Raider 1")).sections


async def test_mightier_foes_have_more(pool: Table, gm: Person) -> None:
    rules = pool.games["swim_class"].foes
    assert rules is not None
    settings = pool.games["swim_class"].settings()

    ranks = [rules.make(level, settings).model_dump()["ranks"]["physical_defense"] for level in FoeLevel]

    assert ranks == [1, 2, 3, 5]


async def test_the_books_foes_are_there(pool: Table, gm: Person, ada: Person) -> None:
    """SWIM-COMB-17: its orc has Basic Melee 2 and Physical Defense 3."""
    assert "Orc" in await foes(pool, gm)

    await prepared_fights.add(pool, gm.asks(), "orc")
    await prepared_fights.add(pool, gm.asks(), "Orc")

    assert await fighting(pool, ada) == ["Ash", "Orc", "Orc 1"]
    view = (await encounters.fight_here(pool, gm.asks())).view
    assert view.lines[1].secrets == ("Physical 3/3",)


async def test_a_foe_of_a_fight_is_saved_without_its_wounds(pool: Table, gm: Person) -> None:
    await prepared_fights.add(pool, gm.asks(), "Ghoul")
    await play.perform(
        pool, gm.asks(), "set_rank", {"target": "Ghoul", "skill": "Physical Defense", "rank": 7}
    )
    await play.perform(pool, gm.asks(), "harm", {"target": "Ghoul", "points": 2})

    await bestiary.save_npc(pool, gm.asks(), "Ghoul")
    await prepared_fights.add(pool, gm.asks(), "Ghoul")

    view = (await encounters.fight_here(pool, gm.asks())).view
    assert [one.secrets for one in view.lines if one.name == "Ghoul 1"] == [("Physical 7/7",)]


async def test_a_copy_keeps_what_is_not_changed(pool: Table, gm: Person) -> None:
    await bestiary.make(pool, gm.asks(), "Orc chief", "", ["Great Sword"], like="Orc")
    await bestiary.make(pool, gm.asks(), "Orc king", "mighty", [], like="Orc")
    await prepared_fights.add(pool, gm.asks(), "Orc chief")
    await prepared_fights.add(pool, gm.asks(), "Orc king")

    numbers = [one.secrets for one in (await encounters.fight_here(pool, gm.asks())).view.lines[1:]]
    assert numbers == [("Physical 3/3",), ("Physical 5/5",)]


async def test_foes_join_hidden_and_only_the_gm_hears_of_it(pool: Table, gm: Person, ada: Person) -> None:
    done = await prepared_fights.add(pool, gm.asks(), "Orc", count=2, is_hidden=True)

    assert not done.message.is_public
    assert await fighting(pool, ada) == ["Ash"]
    assert len((await encounters.fight_here(pool, gm.asks())).view.hidden) == 2


async def test_a_deleted_foe_is_gone_and_comes_back_by_undo(pool: Table, gm: Person) -> None:
    await bestiary.make(pool, gm.asks(), "Raider", "weak", [])

    done = await bestiary.delete(pool, gm.asks(), "raider")
    assert "Raider" not in await foes(pool, gm)
    await journal.undo(pool, gm.asks(), done.entry)

    assert "Raider" in await foes(pool, gm)
    with pytest.raises(UserError, match="isn't one of your own"):
        await bestiary.delete(pool, gm.asks(), "Orc")


async def test_a_double_press_makes_one_foe(pool: Table, gm: Person) -> None:
    request = gm.asks()

    first = await bestiary.make(pool, request, "Raider", "weak", [])
    again = await bestiary.make(pool, request, "Raider", "weak", [])

    assert first.entry == again.entry


@pytest.mark.parametrize("manages_elsewhere", [False, True])
async def test_nobody_but_a_gm_reads_or_changes_it(
    pool: Table, gm: Person, ada: Person, *, manages_elsewhere: bool
) -> None:
    await bestiary.make(pool, gm.asks(), "Canary", "weak", [])
    before = everything(pool)
    who = replace(ada, server=ELSEWHERE, manages_server=True) if manages_elsewhere else ada
    acts = (
        lambda: bestiary.page(pool, who.asks()),
        lambda: bestiary.make(pool, who.asks(), "Raider", "weak", []),
        lambda: bestiary.save_npc(pool, who.asks(), "Ash"),
        lambda: bestiary.delete(pool, who.asks(), "Canary"),
    )

    for act in acts:
        with pytest.raises(UserError) as refused:
            await act()
        assert "Canary" not in " ".join(refused.value.sentences)
    if not manages_elsewhere:
        assert await bestiary.names(pool, who.asks(), "") == []
        with pytest.raises(ForGmOnly):
            await bestiary.page(pool, who.asks())
    assert everything(pool) == before


async def test_what_cannot_be_saved_is_told(pool: Table, gm: Person) -> None:
    before = everything(pool)
    for name, level, things, like, words in (
        ("Raider", "superb", [], "", "is no level"),
        ("Raider", "", [], "", "is no level"),
        ("Raider", "weak", ["Bazooka"], "", "isn't in this campaign"),
        (" ", "weak", [], "", "1 to 60"),
        ("x" * 61, "weak", [], "", "1 to 60"),
        ("Raider", "", [], "Nobody", "in the bestiary any more"),
    ):
        with pytest.raises(UserError, match=words):
            await bestiary.make(pool, gm.asks(), name, level, things, like=like)
    with pytest.raises(UserError, match="player's character"):
        await bestiary.save_npc(pool, gm.asks(), "Ash")

    assert everything(pool) == before


async def test_a_game_without_foes_says_so(game: Table, gm: Person) -> None:
    with pytest.raises(UserError, match="Toy Game has no bestiary"):
        await bestiary.page(game, gm.asks())
    assert await bestiary.names(game, gm.asks(), "") == []


async def test_names_are_completed_for_a_gm(pool: Table, gm: Person) -> None:
    await bestiary.make(pool, gm.asks(), "Orc chief", "weak", [])

    assert await bestiary.names(pool, gm.asks(), "orc") == ["Orc chief", "Orc"]


async def test_a_foe_whose_name_reads_like_another_foes_is_refused(pool: Table, gm: Person) -> None:
    """F-REL-13: of the GM's own, made or saved, and of the book's."""
    await bestiary.make(pool, gm.asks(), "Boar", FoeLevel.ABLE, ())
    await gms.make_npc(pool, gm.asks(), "Bo\u0430r", is_hidden=False)

    with pytest.raises(UserError, match="reads like Boar, though"):
        await bestiary.make(pool, gm.asks(), "Bo\u0430r", FoeLevel.ABLE, ())
    with pytest.raises(UserError, match="reads like Boar, though"):
        await bestiary.save_npc(pool, gm.asks(), "Bo\u0430r")
    with pytest.raises(UserError, match="reads like Orc, though"):
        await bestiary.make(pool, gm.asks(), "\u041erc", FoeLevel.ABLE, ())

    await bestiary.make(pool, gm.asks(), "boar", FoeLevel.WEAK, ())
    assert "boar" in await foes(pool, gm)
