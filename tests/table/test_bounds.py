"""Bounds that no rule can break: another campaign's data, and caps."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.kernel import CharacterId, Document, Outcome, Procedure, Scene
from bot.rules.kernel.dice import Dice
from bot.store.store_errors import OutOfBounds
from bot.store.transaction import Reader
from bot.table.base.access import NoSuchCharacter, access_here, find_character
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.play import play
from tests.table.conftest import Person


class Number(Document):
    """A number, or a character by its number."""

    number: int


def call_by_number(scene: Scene, options: Number, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline=f"calls {scene.character(CharacterId(options.number)).name}")


def set_luck(scene: Scene, options: Number, _dice: Dice) -> Outcome:
    lucky = scene.actor.with_resource("luck", options.number)
    return Outcome(scene=scene.with_character(lucky), headline="is lucky")


@pytest.fixture
def daring(game: Table) -> Table:
    """A table whose game has rules that use any number they are given."""
    toy = game.games["toy"]
    more = {
        "call": Procedure(key="call", options=Number, run=call_by_number),
        "luck": Procedure(key="luck", options=Number, run=set_luck),
    }
    return replace(game, games={"toy": replace(toy, procedures={**toy.procedures, **more})})


async def do(table: Table, who: Person, procedure: str, **given: Any) -> Result:
    return await play.perform(table, who.asks(), procedure, given)


async def luck(table: Table, person: Person) -> tuple[int, int | None]:
    """Return Ada's stored luck: the value and its cap."""

    def query(reader: Reader) -> tuple[int, int | None]:
        return find_character(reader, access_here(table, reader, person.asks()), "Ada").resources["luck"]

    return await table.store.read(query)


class TestAnotherCampaign:
    async def test_another_campaigns_characters_are_found_neither_by_name_nor_by_number(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(daring, gm.asks(place=61), "toy", "Another")
        await characters.take_ready_made(daring, ada.asks(place=61), "Ada", "Zoe")

        for target in ("Zoe", 3):
            with pytest.raises(NoSuchCharacter):
                await do(daring, ada, "treat", target=target)

    async def test_a_rule_that_knows_the_number_does_not_find_another_campaigns_character(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(daring, gm.asks(place=61), "toy", "Another")
        await characters.take_ready_made(daring, ada.asks(place=61), "Ada", "Zoe")

        assert (await do(daring, ada, "call", number=2)).message.headline == "calls Bo"
        with pytest.raises(NoSuchCharacter):
            await do(daring, ada, "call", number=3)


class TestCaps:
    async def test_a_cap_lowered_below_a_value_sinks_with_the_value(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        assert await luck(daring, ada) == (2, 3)
        await campaign_settings.change_setting(daring, gm.asks(), "luck_cap", "1")
        assert await luck(daring, ada) == (2, 2)

        await do(daring, ada, "train")
        assert await luck(daring, ada) == (2, 2)
        await do(daring, ada, "spend")
        assert await luck(daring, ada) == (1, 1)

    async def test_a_rule_cannot_give_more_than_the_cap(self, daring: Table, gm: Person, ada: Person) -> None:
        await campaign_settings.change_setting(daring, gm.asks(), "luck_cap", "1")
        await do(daring, ada, "spend")

        with pytest.raises(OutOfBounds, match="Ada: luck is 2, of at most 1"):
            await do(daring, ada, "luck", number=2)
        assert await luck(daring, ada) == (1, 1)
