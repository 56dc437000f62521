"""Games for tests, and what they answer."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import TypeVar

from bot.rules.kernel.dice import Dice
from bot.rules.own.game_check import read_game
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import Asked, answered, checked_game

HEAD = 'format = 1\nname = "A game"\ncommand = "game"\n'


def made(text: str) -> OwnGame:
    """A game without problems, of the text behind its first three lines."""
    game, problems = checked_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def read(text: str) -> OwnGame:
    """The same, of which nothing is proved."""
    game, problems = read_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def problems_of(text: str) -> list[str]:
    """The problems of a game, as people read them; its text begins in line 4."""
    return [str(problem) for problem in found_in(text)]


def found_in(text: str) -> tuple[GameProblem, ...]:
    """The same, for machines."""
    return checked_game(HEAD + text)[1]


def odds(game: OwnGame, check: str, answers: str = "", sheet: str = "") -> dict[str, Fraction]:
    """The chances of a check: answers and the sheet are typed as "stat=bold bonus=1"."""
    asked = Asked(check, dict(_pairs(answers)), dict(_pairs(sheet)))
    chances = answered(game, asked)["chances"]
    assert isinstance(chances, dict)
    return {name: Fraction(chance) for name, chance in chances.items() if Fraction(chance)}


def _pairs(typed: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (word.partition("=") for word in typed.split())]


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
