"""The bestiary: foes of the book, made in a moment, saved, copied, deleted, and added to fights."""

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import FileKind
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.game import FoeLevel
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import bestiary, campaigns, modules, prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.encounters import prepared_fights as reinforcements
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import ELSEWHERE, Person
from tests.table.counting import everything

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


async def campaign_with_a_foe(table: Table, gm: Person, key: str) -> Table:
    """A campaign with a foe, an encounter that was written, and one saved out of a fight."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), key, "The Yard")
    page = await bestiary.page(game, gm.asks())
    await bestiary.make(game, gm.asks(), "Raider", "strong", page.things[:1])
    await prepared_encounters.write(
        game, gm.asks(), EncounterDraft("Gate", "Raider x3", "Alarm 4", "A creak.")
    )
    await play.perform(game, gm.asks(), keys.START, {})
    await reinforcements.add(game, gm.asks(), "Nobody in particular")
    await prepared_fights.save_fight(game, gm.asks(), "Yard")
    return game


@pytest.mark.parametrize("kind", list(FileKind))
@pytest.mark.parametrize("key", sorted(rulesets()))
async def test_a_file_carries_foes_and_encounters(table: Table, gm: Person, key: str, kind: FileKind) -> None:
    game = await campaign_with_a_foe(table, gm, key)
    file = await modules.export(game, gm.asks(), kind)
    had = await prepared_encounters.listing(game, gm.asks())
    await bestiary.delete(game, gm.asks(), "Raider")
    await prepared_encounters.delete(game, gm.asks(), "Gate")

    done = await modules.import_(game, gm.asks(), file.content, file.name)

    assert not done.message.is_public
    assert "1 foe, 2 prepared encounters" in done.message.headline
    assert [one.name for one in (await bestiary.page(game, gm.asks())).foes if one.is_own] == ["Raider"]
    assert await prepared_encounters.listing(game, gm.asks()) == had
    assert "1 foe, 2 prepared encounters" in (await modules.show(game, gm.asks())).summary


async def test_a_file_without_foes_leaves_them(table: Table, gm: Person) -> None:
    game = await campaign_with_a_foe(table, gm, "compare_roll")

    with pytest.raises(UserError, match="already has exactly these foes"):
        await modules.import_(game, gm.asks(), b"", "empty.toml")

    assert len(await prepared_encounters.listing(game, gm.asks())) == 2


async def test_every_wrong_sheet_is_told_with_its_line(table: Table, gm: Person) -> None:
    game = await campaign_with_a_foe(table, gm, "compare_roll")
    text = (
        '[[npcs]]\nname = "Wolf"\nsheet = { stats = 3 }\n\n'
        '[[encounters]]\nname = "Den"\nfoes = [{ foe = "Wolf", sheet = { nothing = 1 } }]\n'
    )

    with pytest.raises(UserErrors) as refused:
        await modules.import_(game, gm.asks(), text.encode(), "wolf.toml")

    assert [one.split(", sheet")[0] for one in refused.value.problems] == [
        "Line 1: npcs, number 1 (Wolf)",
        "Line 5: encounters, number 1 (Wolf)",
    ]


async def test_mooks_have_a_table_of_their_own_in_a_game_that_has_them(table: Table, gm: Person) -> None:
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "rpj", "The Yard")
    text = (await modules.export(game, gm.asks())).content
    rows = b'\n[[mooks]]\nname = "Goblin"\nattack = 3\ndamage = 1\ndefense = 10\n'

    await modules.import_(game, gm.asks(), text + rows, "goblins.toml")
    await play.perform(game, gm.asks(), keys.START, {})
    await reinforcements.add(game, gm.asks(), "Goblin", count=2)

    assert rows.strip() in (await modules.export(game, gm.asks())).content
    view = (await encounters.fight_here(game, gm.asks())).view
    assert [one.facts[0] for one in view.lines] == ["defense 10+"]
    with pytest.raises(UserErrors, match="mooks, number 1: defense"):
        await modules.import_(game, gm.asks(), text + rows.replace(b"10", b"99"), "goblins.toml")


async def test_a_game_without_mooks_refuses_them(table: Table, gm: Person) -> None:
    game = await campaign_with_a_foe(table, gm, "compare_roll")

    with pytest.raises(UserErrors, match="Compare Roll has no mooks"):
        await modules.import_(game, gm.asks(), b'[[mooks]]\nname = "Goblin"\n', "goblins.toml")


MOOK = "attack = 3\ndamage = 1\ndefense = 10\n"


@pytest.mark.parametrize(
    ("rows", "name", "other"),
    [
        (f'[[mooks]]\nname = "R\u0430ider"\n{MOOK}', "R\u0430ider", "Raider"),  # with a Cyrillic a
        (
            f'[[mooks]]\nname = "Wolf"\n{MOOK}\n[[mooks]]\nname = "W\u043elf"\n{MOOK}',
            "Wolf",
            "W\u043elf",
        ),
        ('[[encounters]]\nname = "G\u0430te"\n', "G\u0430te", "Gate"),
    ],
)
async def test_f_rel_13_a_file_with_a_new_name_that_reads_like_another_is_refused(
    table: Table, gm: Person, rows: str, name: str, other: str
) -> None:
    game = await campaign_with_a_foe(table, gm, "rpj")
    before = (await modules.export(game, gm.asks())).content

    with pytest.raises(UserError, match=f"The name {name} reads like {other}, though"):
        await modules.import_(game, gm.asks(), before + b"\n" + rows.encode(), "foes.toml")

    assert (await modules.export(game, gm.asks())).content == before


@pytest.mark.parametrize(
    ("rows", "file", "said"),
    [
        (f'[[mooks]]\nname = "Wolf"\nname = "Orc"\n{MOOK}', "foes.toml", "I can't read this"),
        ('{"npcs": [{"name": "Wolf", "name": "Orc"}]}', "foes.json", "stands twice in the same table"),
        (
            f'[[mooks]]\nname = "Wolf"\n{MOOK.replace("3", "true")}',
            "foes.toml",
            "attack: this should be a number",
        ),
    ],
)
async def test_f_rel_13_a_file_with_a_key_twice_or_true_for_a_number_is_refused(
    table: Table, gm: Person, rows: str, file: str, said: str
) -> None:
    game = await campaign_with_a_foe(table, gm, "rpj")

    had = (await modules.export(game, gm.asks())).content if file.endswith(".toml") else b""

    with pytest.raises(UserError, match=said):
        await modules.import_(game, gm.asks(), had + b"\n" + rows.encode(), file)
