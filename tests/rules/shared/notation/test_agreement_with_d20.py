"""The same expressions on the same faces, here and in the d20 library."""

import d20
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice
from bot.rules.shared.notation import DividedByZero, Endless, Rolled, TooMuch, Unreadable, roll
from tests.rules.shared.notation.expressions import expressions


class _Source:
    """Stands in for the random module the library throws its dice with."""

    def __init__(self, seed: bytes) -> None:
        self._dice = FairDice(seed, "1")
        self.thrown = 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.thrown += 1
        if stop is None:
            return self._dice.roll(start) - 1
        return start + step * (self._dice.roll((stop - start) // step) - 1)


def _theirs(expression: str, seed: bytes) -> tuple[d20.RollResult, int]:
    source = _Source(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("d20.expression.random", source)
        result = d20.roll(expression)
        _ = result.total  # the library divides only when asked for the total
        return result, source.thrown


def _dice_of(number: d20.Number) -> list[d20.Dice]:
    if isinstance(number, d20.Dice):
        return [number]
    return [dice for child in number.children for dice in _dice_of(child)]


def _assert_same_dice(ours: Rolled, theirs: d20.RollResult) -> None:
    """The same dice are kept, and the same dropped.

    The library re-rolls several dice of one throw in the order of a Python set, which changes from run
    to run: so which of them got which face is left open.
    """
    mine = [
        (sorted(die.value for die in dice.dice if die.kept), sum(len(die.faces) for die in dice.dice))
        for dice in ours.dice
    ]
    library = [
        (sorted(die.number for die in dice.keptset), sum(len(die.values) for die in dice.set))
        for dice in _dice_of(theirs.expr)
    ]
    assert mine == library


@settings(max_examples=300, deadline=None)
@given(expression=expressions(), seed=st.binary(min_size=1, max_size=8))
def test_every_expression_comes_to_the_same_total_with_the_same_dice_kept(
    expression: str, seed: bytes
) -> None:
    try:
        ours = roll(expression, FairDice(seed, "1"))
    except TooMuch:
        assume(False)
    except Endless:
        with pytest.raises(d20.TooManyRolls):
            _theirs(expression, seed)
        return
    except DividedByZero:
        with pytest.raises((d20.RollValueError, d20.TooManyRolls)):
            _theirs(expression, seed)
        return
    theirs, thrown = _theirs(expression, seed)

    assert ours.value == theirs.expr.total
    assert ours.total == theirs.total
    assert len(ours.throws) == thrown
    _assert_same_dice(ours, theirs)


@pytest.mark.parametrize(
    "expression",
    [
        "4d6kh3+2",
        "2d20kl1",
        "4d6p<3",
        "10d10kh3kl2",
        "2d6kh1kl1",
        "6d6rr<3",
        "6d6ro1ro2",
        "6d6ra6",
        "6d6e6kh3",
        "8d6mi2ma5",
        "(1d6, 2d8)kh1",
        "((4d6)kh3)kl1",
        "(1d4 + 1, 3, 2d6kl1)kh1",
        "(1d6 + 2)k3",
        "-(1d8 + 3) [healing]",
        "7 // 2 - -7 // 2 + -7 % 3",
        "3d% - 2d%kh1",
        "1 < 2 < 3 == 1",
        "-1 / 2",
        "()",
        "(3,)",
    ],
)
@pytest.mark.parametrize("seed", [b"one", b"two", b"three", b"four"])
def test_a_known_expression_comes_to_the_same_total(expression: str, seed: bytes) -> None:
    ours = roll(expression, FairDice(seed, "1"))
    theirs, _ = _theirs(expression, seed)

    assert ours.value == theirs.expr.total
    _assert_same_dice(ours, theirs)


@pytest.mark.parametrize(
    "expression",
    ["3kh1", "(1, 2)ro1", "4d6[a]kh3", "1d6mih3", "2d", "kh3", "1d6e", "2d6d6", "1 +", "(1", "1)"],
)
def test_expressions_that_the_library_refuses_are_refused(expression: str) -> None:
    with pytest.raises(d20.RollError):
        d20.roll(expression)
    with pytest.raises(Unreadable):
        roll(expression, FairDice(b"any", "1"))
