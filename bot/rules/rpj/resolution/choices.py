"""A random choice from a list: by halving it with d6, or with one die for all."""

from math import ceil

from pydantic import Field, field_validator

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel import odds as exact
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance, Distribution
from bot.rules.rpj.resolution.purposes import RpjPurpose

TOP_HALF = 4


class ChoiceInputs(Document):
    """A list to choose one thing from.

    Attributes:
        items: The things, in their order; one named twice has two places.
        is_uniform: Whether every place is equally likely; else d6 halve the list.
    """

    items: tuple[str, ...] = Field(min_length=1, max_length=100)
    is_uniform: bool = True

    @field_validator("items")
    @classmethod
    def _none_is_empty(cls, items: tuple[str, ...]) -> tuple[str, ...]:
        if not all(item.strip() for item in items):
            raise ValueError("Each thing of the list needs a name.")
        return items


def half(places: range, face: int) -> range:
    """The half of a list that a d6 keeps; a middle one belongs to whichever half is kept.

    Source: RPJ-DICE-09.
    """
    size = ceil(len(places) / 2)
    return places[-size:] if face >= TOP_HALF else places[:size]


def choose(inputs: ChoiceInputs, dice: Dice) -> Roll:
    """Choose one thing from a list.

    Source: RPJ-DICE-09.
    """
    places = range(len(inputs.items))
    thrown: list[Die] = []
    if inputs.is_uniform:
        face = dice.roll(len(places))
        thrown.append(Die(sides=len(places), face=face))
        places = places[face - 1 : face]
    while len(places) > 1:
        face = dice.roll(6)
        places = half(places, face)
        thrown.append(Die(sides=6, face=face, label=_slice(inputs.items, places)))
    chosen = inputs.items[places[0]]
    return Roll(
        rule=CHOICE.key,
        inputs=inputs,
        dice=tuple(thrown),
        verdict=Verdict(Family.NEWS, chosen),
        odds=choice_odds(inputs),
        outcome=chosen,
        purpose=RpjPurpose.CHOICE,
    )


def _slice(items: tuple[str, ...], places: range) -> str:
    first, last = items[places[0]], items[places[-1]]
    return first if len(places) == 1 else f"{first} to {last}"


def _halved(places: range) -> Distribution[int]:
    if len(places) == 1:
        return exact.certain(places[0])
    low, high = _halved(half(places, 1)), _halved(half(places, TOP_HALF))
    scale = max(low.of, high.of)
    return Distribution.counted(
        (place, ways * scale // part.of) for part in (low, high) for place, ways in part.ways.items()
    )


def choice_odds(inputs: ChoiceInputs) -> Odds:
    """The exact chance of each thing, in the order of the list.

    Source: RPJ-DICE-09.
    """
    places = range(len(inputs.items))
    drawn = Distribution(dict.fromkeys(places, 1), len(places)) if inputs.is_uniform else _halved(places)
    named = drawn.map(lambda place: inputs.items[place])
    return Odds(tuple((item, Chance(named.ways[item], named.of)) for item in dict.fromkeys(inputs.items)))


CHOICE = RollRule(key="choice", inputs=ChoiceInputs, resolve=choose, odds=choice_odds)
