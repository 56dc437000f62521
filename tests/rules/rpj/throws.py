"""Checks for tests: what they are made of in a line, and every fall of their dice."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from bot.rules.kernel import Odds, Roll
from bot.rules.kernel.dice import Dice, Distribution
from bot.rules.rpj.resolution.check import CHECK, COINS, HEADS, TAILS, Flip, RpjReading, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.dice import ScriptedDice


def inputs(level: int = 0, target: int = 7, *situational: int, **more: Any) -> RpjCheckInputs:
    """A check of a level against a target number, with bonuses and penalties."""
    labelled = [("level", level), *(("bonus" if value > 0 else "penalty", value) for value in situational)]
    terms = [{"label": label, "value": value} for label, value in labelled if value]
    return RpjCheckInputs.model_validate({"terms": terms, "difficulty": target - 7, **more})


def d6(*faces: int) -> ScriptedDice:
    """Six-sided dice that fall so."""
    return ScriptedDice(" ".join(f"d6:{face}" for face in faces))


def thrown(asked: RpjCheckInputs, *faces: int) -> Roll:
    """A check whose dice fall so; every one of them is rolled."""
    dice = d6(*faces)
    roll = CHECK.resolve(asked, dice)
    dice.assert_all_rolled()
    return roll


def read(asked: RpjCheckInputs, *faces: int) -> RpjReading:
    """How a check is read whose dice fall so."""
    return reading_of(thrown(asked, *faces))


class _Exhausted(Exception):
    """A face was asked for that is not laid down yet."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class _LaidDice:
    """Dice that fall as laid down and then say which die they lack."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = list(faces)

    def roll(self, sides: int) -> int:
        if not self._faces:
            raise _Exhausted(sides)
        return self._faces.pop(0)


def enumerated(resolve: Callable[[Dice], Roll]) -> dict[str, Fraction]:
    """The chance of everything a roll can come to, by rolling it with every fall of every die."""
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, weight = waiting.pop()
        try:
            fell = resolve(_LaidDice(faces)).outcome
        except _Exhausted as lacking:
            sides = lacking.sides
            waiting += [((*faces, face), weight / sides) for face in range(1, sides + 1)]
        else:
            assert fell is not None
            chances[fell] += weight
    return dict(chances)


def told(odds: Odds) -> dict[str, Fraction]:
    """The chances that are not nothing."""
    return {name: chance.fraction for name, chance in odds.chances if chance.ways}


def coins_total(*, has_extra: bool = False) -> Distribution[int]:
    """How often each total of five coins comes, with or without a Lucky Break's sixth."""
    falls = product((TAILS, HEADS), repeat=len(COINS))
    extras = (TAILS, HEADS) if has_extra else (None,)
    return Distribution.counted((Flip(faces, extra).total, 1) for faces in falls for extra in extras)
