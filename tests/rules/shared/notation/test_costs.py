"""What an expression may cost, whatever is typed (F-REL-14)."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.shared.notation import NoDistribution, TotalOdds, Why, distribution, parse, roll
from tests.dice import ScriptedDice
from tests.rules.shared.notation.expressions import expressions_at_the_bounds

pytest.importorskip("resource")

_LARGE = [
    "100d1000kh50",
    "150d1000kh75",
    "200d1000kh99",
    "200d1000kh100",
    "200d1000pl100",
    "200d1000rr<2kh100",
    "200d1000rr<500kh100",
    "200d1000kh1kl1",
    "200d1000mi999kh199",
    "60d1000ma2" + "ro1ma2" * 30,
    "1d1000" + "".join(f"e<{999 - less}" for less in range(30)),
    "1d1000" + "".join(f"el{500 - less}" for less in range(30)),
    "(" + "2d999," * 32 + ")kh1",
    "1d500*100+1d1000",
]


def _rolled_with_little_memory(expressions: list[str]) -> None:
    done = subprocess.run(  # this Python, a module of these tests
        [sys.executable, "-m", "tests.rules.shared.notation.limited"],
        input="\n".join(expressions),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("done\n"), (done.stdout.splitlines()[-1:], done.stderr[-600:])


def test_dice_whose_chances_would_fill_the_memory_are_rolled_without_them() -> None:
    _rolled_with_little_memory(_LARGE)


@settings(max_examples=8, deadline=None)
@given(st.lists(expressions_at_the_bounds(), min_size=25, max_size=25))
def test_no_expression_costs_much_memory_or_time(expressions: list[str]) -> None:
    _rolled_with_little_memory(expressions)


@pytest.mark.parametrize("expression", ["100d1000kh50", "200d1000kh100", "200d1000rr<500kh100"])
def test_too_many_chances_are_not_counted(expression: str) -> None:
    assert distribution(parse(expression)) == NoDistribution(Why.TOO_LARGE)


@pytest.mark.parametrize("expression", ["60d20kh30", "50d20kh25", "60d100", "200d1000kh1", "200d10"])
def test_as_many_chances_as_can_be_counted_quickly_are(expression: str) -> None:
    assert isinstance(distribution(parse(expression)), TotalOdds)


def test_more_cases_than_can_be_written_are_not_counted() -> None:
    assert distribution(parse("60d1000ma2" + "ro1ma2" * 30)) == NoDistribution(Why.TOO_LARGE)


def test_many_selectors_together_pick_what_any_of_them_picks() -> None:
    rolled = roll("4d6k1k6k<1k>5kh1", ScriptedDice("d6:1 d6:6 d6:3 d6:6"))

    assert [die.kept for die in rolled.dice[0].dice] == [True, True, False, True]
