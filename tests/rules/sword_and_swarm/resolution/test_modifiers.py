"""Bonuses and penalties: on the attribute or on the die, one by one and together."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Term
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.sword_and_swarm.attributes import Modifier, net, read_modifiers
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import fell, gear, lay, rolled_attribute, sheet
from tests.rules.sword_and_swarm.vectors import vectors


@pytest.mark.rule("SWARM-MOD-01")
class TestOnOnesOwnAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-01"))
    def test_modifiers_change_an_own_attribute_within_zero_and_ten(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert roll.outcome == row["result"]
        assert (roll.terms, roll.total) == ((), None)

    def test_the_changed_attribute_is_shown(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:5", attribute="Key", bonus=2)

        assert done.rolls[0].against == "Key 3 + 2 = 5: 5 or less"
        assert done.notes == ()

    def test_a_bonus_can_create_a_confirm_attribute(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:6 d6:1", attribute="Runes", bonus=1)

        assert done.rolls[0].against == "Runes 5 + 1 = 6 (1): a 6 is confirmed by 1 or less"
        assert done.notes == ("A natural 6, confirmed: 1 is at or below 1.",)


@pytest.mark.rule("SWARM-MOD-02")
class TestAgainstAnOpponentOrObstacle:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-02"))
    def test_modifiers_change_the_die_against_an_opponent(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert (roll.outcome, roll.total) == (row["result"], row["total"])

    def test_the_sum_against_an_opponent_is_shown(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:5", attribute="Shield", value=6, more="+2 high ground")

        assert done.rolls[0].terms == (Term("high ground", 2),)
        assert done.notes == ()


@pytest.mark.rule("SWARM-MOD-03")
class TestOne:
    @pytest.mark.parametrize("value", [1, 4, -4])
    def test_a_modifier_is_worth_one_to_four(self, value: int) -> None:
        assert read_modifiers(value, "") == (Modifier(value=value),)

    @pytest.mark.parametrize("value", [5, -5])
    def test_a_larger_modifier_is_rejected(self, value: int) -> None:
        with pytest.raises(ValidationError):
            Modifier(value=value)

    @pytest.mark.parametrize("typed", ["+5", "-5 mud", "−17"])
    def test_a_larger_typed_modifier_is_rejected(self, typed: str) -> None:
        with pytest.raises(UserErrors, match="a penalty −1 to −4"):
            read_modifiers(0, typed)

    def test_every_modifier_out_of_range_is_reported(self) -> None:
        with pytest.raises(UserErrors) as told:
            read_modifiers(0, "+5 rope +1 cover -9 mud")

        assert [sentence.split()[0] for sentence in told.value.problems] == ["+5", "−9"]

    def test_a_modifier_of_zero_is_ignored(self) -> None:
        assert read_modifiers(0, "+0 nothing") == ()

    @pytest.mark.parametrize(
        ("typed", "found"),
        [
            ("+2 high ground −1 dark", [(2, "high ground"), (-1, "dark")]),
            ("+1, -2", [(1, ""), (-2, "")]),
            ("+ 3 half-cover", [(3, "half-cover")]),
            ("+4 aim −4 dark", [(4, "aim"), (-4, "dark")]),
            ("  ", []),
        ],
    )
    def test_several_modifiers_are_typed_with_their_sources(
        self, typed: str, found: list[tuple[int, str]]
    ) -> None:
        assert [(one.value, one.label) for one in read_modifiers(0, typed)] == found

    @pytest.mark.parametrize("typed", ["cover", "2 cover", "cover +2", "++2"])
    def test_an_unreadable_modifier_is_refused(self, typed: str) -> None:
        with pytest.raises(UserError, match="isn't a bonus or a penalty"):
            read_modifiers(0, typed)


@pytest.mark.rule("SWARM-MOD-04")
class TestTogether:
    @pytest.mark.parametrize("row", vectors("net", "SWARM-MOD-04"))
    def test_the_sum_of_modifiers_is_limited_to_four(self, row: dict[str, Any]) -> None:
        assert net(Modifier(value=value) for value in row["sources"]) == row["net"]

    def test_a_limited_sum_is_reported(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:1", attribute="Shield", value=4, bonus=3, more="+3 aim")

        assert done.rolls[0].terms == (Term("modifiers", 4),)
        assert done.notes == ("Bonuses and penalties add up to +6; the limit is +4.",)

    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-04"))
    def test_equipment_is_outside_the_limit(self, row: dict[str, Any]) -> None:
        table = lay(sheet(key=3, benefits=[gear("Gloves", key=2)]))
        script = " ".join(f"d6:{face}" for face in row["dice"].split())

        done = table.do("Ash", "test", script, attribute="Key", bonus=4)

        assert fell(done) == row["result"]
        assert done.rolls[0].against == "Key 5 + 4 = 9 (4): a 6 is confirmed by 4 or less"
