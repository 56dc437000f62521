"""Stored rolls: their roller and purpose, and older ones without them."""

import pytest

from bot.rules.kernel import Roller
from bot.store.records import JsonObject
from bot.table.base.stored_rolls import roll_from_json, roll_to_json
from bot.table.base.table import Table
from bot.table.play.actions import UnnamedRolls
from tests.dice import ScriptedDice
from tests.table.conftest import Person
from tests.table.play.test_play import do, entries
from tests.table.toy_check import CheckInputs, resolve_check
from tests.table.whole import everything


class TestWhoRolled:
    """F-ALL-04: a stored roll says who made it and what for."""

    async def test_a_single_roll_belongs_to_the_actor(self, game: Table, ada: Person) -> None:
        await do(game, ada, "check")

        entry = (await entries(game, ada))[0]
        (roll,) = entry.rolls
        assert isinstance(roll, dict)
        assert roll["purpose"] == "check"
        assert roll["roller"] == {"id": entry.character, "name": "Ada"}

    async def test_several_rolls_each_name_their_roller(self, game: Table, ada: Person) -> None:
        result = await do(game, ada, "wrestle", target="Bo")

        assert [(roll.roller and roll.roller.name, roll.purpose) for roll in result.rolls] == [
            ("Ada", "wrestling"),
            ("Bo", "wrestling"),
        ]

    async def test_several_rolls_without_rollers_are_a_fault_and_nothing_is_saved(
        self, game: Table, ada: Person
    ) -> None:
        before = everything(game)

        with pytest.raises(UnnamedRolls, match="muddles"):
            await do(game, ada, "muddle")

        assert everything(game) == before

    def test_a_roll_stored_without_a_roller_can_still_be_read(self) -> None:
        kept: JsonObject = {
            "ruleset": "toy",
            "rule": "check",
            "inputs": {"target": 3},
            "dice": [{"sides": 6, "face": 2}],
            "terms": [],
            "total": 2,
            "against": "3−",
            "verdict": ["success", "success"],
            "odds": None,
            "fell": "success",
        }

        roll = roll_from_json(kept)

        assert (roll.roller, roll.purpose) == (None, "")
        assert roll_to_json("toy", roll) == kept

    def test_a_rollers_name_survives_the_journal(self) -> None:
        roll = resolve_check(CheckInputs(target=3), ScriptedDice("d6:2")).by(Roller(None, "The Red Guard"))

        assert roll_from_json(roll_to_json("toy", roll)).roller == Roller(None, "The Red Guard")
