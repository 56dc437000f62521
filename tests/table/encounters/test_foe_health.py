"""What players see of a foe's health: numbers, words or nothing (F-SWIM-23)."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import Person


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person) -> Table:
    """Project Swim Class: Alice plays Ash against an Ogre, who has a Physical Defense of 4."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "swim_class", "The Pool")
    ready = game.games["swim_class"].creation.ready_made
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(game, gm.asks(), "Ogre")
    await play.perform(
        game, gm.asks(), "set_rank", {"target": "Ogre", "skill": "Physical Defense", "rank": 4}
    )
    return game


async def hurt(table: Table, gm: Person, value: int) -> tuple[str, ...]:
    """Set the Ogre's wounds in public; return what everybody is told of it."""
    done = await gms.set_resource(table, gm.asks(), "Physical wounds", value, "Ogre")
    return tuple(f"{one.what} {one.before} → {one.after}" for one in done.message.changes)


async def seen(table: Table, who: Person) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What somebody sees of the Ogre on the board."""
    view = (await encounters.fight_here(table, who.asks())).view
    ogre = next(one for one in view.lines if one.name == "Ogre")
    return ogre.facts, ogre.secrets


async def test_players_read_words_and_the_gm_numbers(fight: Table, gm: Person, ada: Person) -> None:
    """F-SWIM-23"""
    assert await seen(fight, ada) == ((), ())

    assert await hurt(fight, gm, 2) == ("Condition unhurt → hurt",)
    assert await seen(fight, ada) == (("hurt",), ())
    assert await seen(fight, gm) == (("hurt",), ("Physical 2/4",))

    assert await hurt(fight, gm, 4) == ("Condition hurt → down",)
    assert await seen(fight, ada) == (("down",), ())


async def test_a_campaign_can_show_numbers(fight: Table, gm: Person, ada: Person) -> None:
    await campaign_settings.change_setting(fight, gm.asks(), "foe_health", "numbers")

    assert await hurt(fight, gm, 1) == ("Physical 4/4 → 3/4",)
    assert await seen(fight, ada) == (("Physical 3/4",), ())
    assert await seen(fight, gm) == (("Physical 3/4",), ())


async def test_a_campaign_can_show_nothing(fight: Table, gm: Person, ada: Person) -> None:
    await campaign_settings.change_setting(fight, gm.asks(), "foe_health", "nothing")

    assert await hurt(fight, gm, 1) == ()
    assert await seen(fight, ada) == ((), ())
    assert await seen(fight, gm) == ((), ("Physical 3/4",))


async def test_only_a_gm_changes_what_players_see(fight: Table, ada: Person) -> None:
    with pytest.raises(UserError):
        await campaign_settings.change_setting(fight, ada.asks(), "foe_health", "numbers")


async def test_undo_of_a_wound_shows_the_foe_as_before(fight: Table, gm: Person, ada: Person) -> None:
    done = await gms.set_resource(fight, gm.asks(), "Physical wounds", 3, "Ogre")
    await journal.undo(fight, gm.asks(), done.entry)

    assert await seen(fight, ada) == ((), ())


async def test_a_foes_sheet_shows_players_no_numbers(fight: Table, gm: Person, ada: Person) -> None:
    await hurt(fight, gm, 1)

    own = await characters.sheet(fight, gm.asks(), "Ogre")
    others = await characters.sheet(fight, ada.asks(), "Ogre")

    assert len(own.sections) > 1
    assert [one.lines for one in others.sections] == [("scratched",)]
    assert others.glance.words == "Scratched"
    await hurt(fight, gm, 0)
    assert [one.lines for one in (await characters.sheet(fight, ada.asks(), "Ogre")).sections] == [
        ("The GM keeps its numbers.",)
    ]


@pytest.mark.parametrize("game", ["compare_roll", "post_magic_maid", "rpj", "sword_and_swarm"])
async def test_no_game_tells_players_the_numbers_of_a_foe(
    table: Table, gm: Person, ada: Person, game: str
) -> None:
    """F-SWIM-23"""
    played = replace(table, games=rulesets())
    await campaigns.create(played, gm.asks(), game, "The Yard")
    ready = played.games[game].creation
    offered = ready.ready_made or ready.offered(played.games[game].settings())
    await characters.take_ready_made(played, ada.asks(), next(iter(offered)), "Ash")
    await play.perform(played, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(played, gm.asks(), "Ogre")

    facts, secrets = await seen(played, ada)
    known, numbers = await seen(played, gm)

    assert not secrets
    assert facts == known
    assert not any(character.isdigit() for fact in facts for character in fact if "Region" not in fact)
    assert bool(numbers) == (game != "post_magic_maid")  # nobody is wounded yet


@pytest.mark.parametrize("count", [0, -1, 21, 2**53])
async def test_more_foes_than_fit_are_refused_before_any_is_made(
    fight: Table, gm: Person, count: int
) -> None:
    with pytest.raises(UserError, match="You can add 1 to 20 NPCs at once"):  # F-REL-13
        await prepared_fights.add(fight, gm.asks(), "Orc", count=count)
