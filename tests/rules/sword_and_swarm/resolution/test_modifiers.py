"""Bonuses and penalties: on the attribute or on the die, one by one and together."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Term
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.sword_and_swarm.resolution.modifiers import Modifier, net, read_modifiers
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import fell, gear, lay, rolled_attribute, sheet
from tests.rules.sword_and_swarm.vectors import vectors


@pytest.mark.rule("SWARM-MOD-01")
class TestOnOnesOwnAttribute:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-01"))
    def test_they_change_the_attribute_within_nought_and_ten(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert roll.fell == row["result"]
        assert (roll.terms, roll.total) == ((), None)

    def test_the_changed_attribute_is_told(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:5", attribute="Key", bonus=2)

        assert done.rolls[0].against == "Key 3 + 2 = 5: 5 or less"
        assert done.notes == ("5 is at or below Key 5.",)

    def test_it_may_get_a_confirm_attribute(self, table: GameTable) -> None:
        done = table.do("Ash", "test", "d6:6 d6:1", attribute="Runes", bonus=1)

        assert done.rolls[0].against == "Runes 5 + 1 = 6 (1): a 6 is confirmed by 1 or less"
        assert done.notes == ("A natural 6, confirmed: 1 is at or below 1.",)


@pytest.mark.rule("SWARM-MOD-02")
class TestAgainstAnOpponentOrObstacle:
    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-02"))
    def test_they_change_the_die(self, row: dict[str, Any]) -> None:
        roll = rolled_attribute(row)

        assert (roll.fell, roll.total) == (row["result"], row["total"])

    def test_the_sum_is_told(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:5", attribute="Shield", value=6, more="+2 high ground")

        assert done.rolls[0].terms == (Term("high ground", 2),)
        assert done.notes == ("5 + 2 = 7 is higher than Shield 6.",)


@pytest.mark.rule("SWARM-MOD-03")
class TestOne:
    @pytest.mark.parametrize("value", [1, 4, -4])
    def test_it_is_worth_one_to_four(self, value: int) -> None:
        assert read_modifiers(value, "") == (Modifier(value=value),)

    @pytest.mark.parametrize("value", [5, -5])
    def test_more_is_rejected(self, value: int) -> None:
        with pytest.raises(ValidationError):
            Modifier(value=value)

    @pytest.mark.parametrize("typed", ["+5", "-5 mud", "−17"])
    def test_more_is_rejected_where_it_is_typed(self, typed: str) -> None:
        with pytest.raises(UserErrors, match="one penalty −1 to −4"):
            read_modifiers(0, typed)

    def test_all_that_are_too_large_are_told(self) -> None:
        with pytest.raises(UserErrors) as told:
            read_modifiers(0, "+5 rope +1 cover -9 mud")

        assert [sentence.split()[0] for sentence in told.value.problems] == ["+5", "−9"]

    def test_nought_is_ignored(self) -> None:
        assert read_modifiers(0, "+0 nothing") == ()

    @pytest.mark.parametrize(
        ("typed", "found"),
        [
            ("+2 high ground −1 dark", [(2, "high ground"), (-1, "dark")]),
            ("+1, -2", [(1, ""), (-2, "")]),
            ("+ 3 half-cover", [(3, "half-cover")]),
            ("  ", []),
        ],
    )
    def test_several_are_typed_with_what_they_come_from(
        self, typed: str, found: list[tuple[int, str]]
    ) -> None:
        assert [(one.value, one.label) for one in read_modifiers(0, typed)] == found

    @pytest.mark.parametrize("typed", ["cover", "2 cover", "cover +2", "++2"])
    def test_what_cannot_be_read_is_said(self, typed: str) -> None:
        with pytest.raises(UserError, match="is no bonus and no penalty"):
            read_modifiers(0, typed)


@pytest.mark.rule("SWARM-MOD-04")
class TestTogether:
    @pytest.mark.parametrize("row", vectors("net", "SWARM-MOD-04"))
    def test_their_sum_counts_but_no_more_than_four(self, row: dict[str, Any]) -> None:
        assert net(Modifier(value=value) for value in row["sources"]) == row["net"]

    def test_what_is_capped_is_said(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:1", attribute="Shield", value=4, bonus=3, more="+3 aim")

        assert done.rolls[0].terms == (Term("modifiers", 4),)
        assert done.notes == (
            "Bonuses and penalties come to +6; +4 counts.",
            "1 + 4 = 5 is higher than Shield 4.",
        )

    @pytest.mark.parametrize("row", vectors("attribute_test", "SWARM-MOD-04"))
    def test_what_equipment_raises_is_outside_of_it(self, row: dict[str, Any]) -> None:
        table = lay(sheet(key=3, benefits=[gear("Gloves", key=2)]))
        script = " ".join(f"d6:{face}" for face in row["dice"].split())

        done = table.do("Ash", "test", script, attribute="Key", bonus=4)

        assert fell(done) == row["result"]
        assert done.rolls[0].against == "Key 5 + 4 = 9 (4): a 6 is confirmed by 4 or less"
