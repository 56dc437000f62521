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
    view = (await encounters.look(game, gm.asks())).view
    assert [one.facts[0] for one in view.lines] == ["defense 10+"]
    with pytest.raises(UserErrors, match="mooks, number 1: defense"):
        await modules.import_(game, gm.asks(), text + rows.replace(b"10", b"99"), "goblins.toml")


async def test_a_game_without_mooks_refuses_them(table: Table, gm: Person) -> None:
    game = await campaign_of(table, gm, "compare_roll")

    with pytest.raises(UserErrors, match="Compare Roll has no mooks"):
        await modules.import_(game, gm.asks(), b'[[mooks]]\nname = "Goblin"\n', "goblins.toml")
