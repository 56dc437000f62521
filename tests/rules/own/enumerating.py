"""Plain enumeration: what comes of every way in which dice can fall."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import TypeVar

from bot.rules.kernel.dice import Dice

T = TypeVar("T", bound=Hashable)


def enumerated(sides: tuple[int, ...], rule: Callable[..., T]) -> dict[T, Fraction]:
    """The chance of everything that a rule makes of dice with so many sides, each given as one argument."""
    found = defaultdict[T, Fraction](Fraction)
    rolls = list(product(*(range(1, each + 1) for each in sides)))
    for faces in rolls:
        found[rule(*faces)] += Fraction(1, len(rolls))
    return dict(found)


class BranchingDice:
    """Dice that fall in one way after another, until all have been gone through."""

    def __init__(self) -> None:
        self.path: list[list[int]] = []
        self._at = 0
        self.chance = Fraction(1)

    def roll(self, sides: int) -> int:
        """The next die of this way."""
        if self._at == len(self.path):
            self.path.append([1, sides])
        face, of = self.path[self._at]
        assert of == sides
        self._at += 1
        self.chance /= sides
        return face

    def go_on(self) -> bool:
        """Go on to the next way; False after the last one."""
        del self.path[self._at :]
        self._at, self.chance = 0, Fraction(1)
        while self.path and self.path[-1][0] == self.path[-1][1]:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1][0] += 1
        return True


def every_way(rolled: Callable[[Dice], T]) -> dict[T, Fraction]:
    """The chance of everything that comes of a function which rolls dice."""
    found = defaultdict[T, Fraction](Fraction)
    dice = BranchingDice()
    while True:
        result = rolled(dice)
        found[result] += dice.chance
        if not dice.go_on():
            return dict(found)
