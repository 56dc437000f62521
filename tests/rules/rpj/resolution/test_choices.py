"""A random choice by halving the list with d6, or with one die for all."""

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel.odds import Chance
from bot.rules.rpj.module.decision_tables import CHOICE, ChoiceInputs, choice_odds
from tests.dice import ScriptedDice
from tests.rules.rpj.throws import d6, enumerated, told


def halving(*items: str) -> ChoiceInputs:
    return ChoiceInputs(items=items, is_uniform=False)


NUMBERS = halving(*(str(number) for number in range(1, 25)))


@pytest.mark.rule("RPJ-DICE-09")
class TestHalvingChoice:
    def test_each_die_of_a_halving_choice_keeps_one_half(self) -> None:
        roll = CHOICE.resolve(NUMBERS, d6(5, 2, 1, 6, 4))

        assert roll.outcome == "15"
        assert [die.label for die in roll.dice] == ["13 to 24", "13 to 18", "13 to 15", "14 to 15", "15"]

    @pytest.mark.parametrize(
        ("items", "faces", "labels"),
        [
            ("ABC", (1, 6), ["A to B", "B"]),
            ("ABC", (6, 1), ["B to C", "B"]),
            ("ABCDE", (3, 4, 2), ["A to C", "B to C", "B"]),
            ("A", (), []),
        ],
    )
    def test_a_middle_item_belongs_to_the_half_that_is_kept(
        self, items: str, faces: tuple[int, ...], labels: list[str]
    ) -> None:
        roll = CHOICE.resolve(halving(*items), d6(*faces))

        assert [die.label for die in roll.dice] == labels

    def test_halving_three_items_does_not_make_them_equally_likely(self) -> None:
        assert choice_odds(halving("A", "B", "C")).chances == (
            ("A", Chance(1, 4)),
            ("B", Chance(2, 4)),
            ("C", Chance(1, 4)),
        )

    @pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 9])
    def test_the_odds_of_a_choice_match_a_count_of_every_roll(self, count: int) -> None:
        asked = halving(*"ABCDEFGHI"[:count])

        assert enumerated(lambda dice: CHOICE.resolve(asked, dice)) == told(choice_odds(asked))

    def test_icepool_gives_the_same_odds_of_a_choice(self) -> None:
        def narrowed(first: int, second: int, third: int) -> str:
            left = "ABCDE"
            for face in (first, second, third):
                size = -(-len(left) // 2)
                left = left[-size:] if face > 3 else left[:size]
            return left

        expected = icepool.map(narrowed, icepool.d6, icepool.d6, icepool.d6)

        assert told(choice_odds(halving(*"ABCDE"))) == {item: expected.probability(item) for item in "ABCDE"}


class TestUniformChoice:
    def test_a_uniform_choice_takes_one_die(self) -> None:
        roll = CHOICE.resolve(ChoiceInputs(items=("a", "b", "c")), ScriptedDice("d3:2"))

        assert roll.verdict.title == "b"

    def test_an_item_named_twice_is_twice_as_likely(self) -> None:
        asked = ChoiceInputs(items=("a", "b", "a"))

        assert choice_odds(asked).chances == (("a", Chance(2, 3)), ("b", Chance(1, 3)))
        assert enumerated(lambda dice: CHOICE.resolve(asked, dice)) == told(choice_odds(asked))

    @pytest.mark.parametrize("items", [(), ("a", " "), ("a",) * 101])
    def test_a_choice_takes_one_to_a_hundred_items(self, items: tuple[str, ...]) -> None:
        with pytest.raises(ValidationError):
            ChoiceInputs(items=items)
