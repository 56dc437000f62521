"""On a foe's turn a GM acts with it without saying so."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.table.base.access import NoCharacter
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.encounters import prepared_fights
from bot.table.journal import suggest
from bot.table.play import play
from tests.table.conftest import Person

TEST = {"attribute": "Mallet"}


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person) -> Table:
    """Sword & Swarm: Alice plays Odalys; then come an Ogre and a hidden Spider. Odalys is on."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "sword_and_swarm", "The Manor")
    await characters.take_ready_made(game, ada.asks(), "Odalys Thorne", "Odalys")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Odalys",)})
    await prepared_fights.add(game, gm.asks(), "Ogre")
    await prepared_fights.add(game, gm.asks(), "Spider", is_hidden=True)
    await play.perform(game, gm.asks(), keys.NEXT, {})
    return game


async def test_a_gm_acts_as_the_foe_whose_turn_it_is(fight: Table, gm: Person) -> None:
    """F-ALL-17"""
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    done = await play.perform(fight, gm.asks(), "test", TEST)

    assert done.message.who == "Ogre"


async def test_on_somebody_elses_turn_the_refusal_names_as(fight: Table, gm: Person) -> None:
    """F-ALL-17"""
    with pytest.raises(NoCharacter) as refused:
        await play.perform(fight, gm.asks(), "test", TEST)

    assert refused.value.sentences == (
        "You have no character here.",
        "Name the NPC that acts with as:, or make a character with /character create.",
    )


async def test_a_player_never_acts_as_the_foe_on_turn(fight: Table, gm: Person, ada: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})
    stranger = replace(ada, id=77, name="Mallory")

    assert (await play.perform(fight, ada.asks(), "test", TEST)).message.who == "Odalys"
    with pytest.raises(NoCharacter) as refused:
        await play.perform(fight, stranger.asks(), "test", TEST)
    assert refused.value.sentences == ("You have no character here.", "Make one with /character create.")


async def test_elsewhere_the_fight_of_another_channel_does_not_count(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    with pytest.raises(NoCharacter):
        await play.perform(fight, gm.asks(place=51), "test", TEST)


async def test_a_gm_who_plays_keeps_acting_with_their_own_character(fight: Table, gm: Person) -> None:
    await characters.take_ready_made(fight, gm.asks(), "Corvin Asher", "Corvin")
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    assert (await play.perform(fight, gm.asks(), "test", TEST)).message.who == "Corvin"


async def test_a_gm_with_several_characters_acts_as_the_foe_or_is_asked_to_choose(
    fight: Table, gm: Person
) -> None:
    for name in ("Cora", "Coral", "Corvin"):
        await characters.take_ready_made(fight, gm.asks(), "Corvin Asher", name)
    await characters.retire(fight, gm.asks(), "Corvin")

    with pytest.raises(NoCharacter, match="more than one character"):
        await play.perform(fight, gm.asks(), "test", TEST)

    await play.perform(fight, gm.asks(), keys.NEXT, {})
    assert (await play.perform(fight, gm.asks(), "test", TEST)).message.who == "Ogre"


async def test_the_sheet_of_the_foe_on_turn_opens_by_itself(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    shown = await controls.open_controls(fight, gm.asks(), None)

    assert shown.sheet.name == "Ogre"


async def test_the_gm_command_is_still_told_in_the_gms_name(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    done = await play.perform(fight, gm.asks(), "attributes", {"target": "Ogre", "mallet": 4})

    assert done.message.who == "Gwen"


async def test_several_foes_on_at_once_are_named(table: Table, gm: Person, ada: Person) -> None:
    """F-ALL-17: in Compare Roll a whole side acts at once."""
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), "compare_roll", "The Yard")
    await characters.take_ready_made(game, ada.asks(), "Juno Marsh", "Ash")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Ash",)})
    await prepared_fights.add(game, gm.asks(), "Wolf", count=2)
    for _ in range(2):
        await play.perform(game, gm.asks(), keys.NEXT, {})

    with pytest.raises(UserError, match="It is the turn of") as refused:
        await play.perform(game, gm.asks(), "attack", {"targets": ("Ash",)})

    assert refused.value.sentences == (
        "It is the turn of Wolf 1, Wolf 2.",
        "Say who acts, such as as:Wolf 1.",
    )


async def test_a_foes_things_are_suggested_on_its_turn(fight: Table, gm: Person) -> None:
    await play.perform(fight, gm.asks(), keys.NEXT, {})

    assert await suggest.things(fight, gm.asks(), "benefit", "") == []
