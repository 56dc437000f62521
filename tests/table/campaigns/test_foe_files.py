"""Foes and prepared encounters in a module's file."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel import FileKind
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.table import Table
from bot.table.campaigns import bestiary, campaigns, modules, prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft
from bot.table.encounters import encounters, prepared_fights
from bot.table.encounters import prepared_fights as reinforcements
from bot.table.play import play
from tests.table.conftest import Person


async def campaign_of(table: Table, gm: Person, key: str) -> Table:
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
    game = await campaign_of(table, gm, key)
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
    game = await campaign_of(table, gm, "compare_roll")

    with pytest.raises(UserError, match="already has exactly these foes"):
        await modules.import_(game, gm.asks(), b"", "empty.toml")

    assert len(await prepared_encounters.listing(game, gm.asks())) == 2


async def test_every_wrong_sheet_is_told_with_its_line(table: Table, gm: Person) -> None:
    game = await campaign_of(table, gm, "compare_roll")
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
    game = await campaign_of(table, gm, "compare_roll")

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
    game = await campaign_of(table, gm, "rpj")
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
    game = await campaign_of(table, gm, "rpj")

    had = (await modules.export(game, gm.asks())).content if file.endswith(".toml") else b""

    with pytest.raises(UserError, match=said):
        await modules.import_(game, gm.asks(), had + b"\n" + rows.encode(), file)
