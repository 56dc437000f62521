"""Decision tables and random choices: dice or a card select a row or a thing."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from itertools import product
from math import ceil

from pydantic import Field, field_validator, model_validator

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel import dice as exact
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.rpj.resolution.check_inputs import RpjPurpose

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
PIPS = "⚀⚁⚂⚃⚄⚅"  # the faces are read one by one, so a sum would mean nothing
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
SHOWN_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Index(StrEnum):
    """What selects a row."""

    DICE = "dice"
    CARDS = "cards"


class DecisionRow(Document):
    """One row of a decision table."""

    first: str = Field(min_length=1, max_length=3)  # its key, or the first one of its range
    last: str = Field(default="", max_length=3)  # the last key of its range; empty for a single key
    text: str = Field(min_length=1, max_length=500)
    roll_on: str = ""  # another table to roll on, or empty


class DecisionTable(Document):
    """A table of a module.

    A key is the faces from left to right ("315"), on a divided table the number of the row ("39"), and
    with cards rank and suit ("QH", "10S").
    """

    id: str
    name: str
    index: Index = Index.DICE  # whether dice or cards select a row
    dice: int = Field(default=3, ge=1, le=3)  # how many d6 are rolled
    divisor: int = 1  # how many rolls share one number
    keeps_discards: bool = False  # whether drawn cards stay out
    rows: tuple[DecisionRow, ...]  # its rows; together they cover every key exactly once

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """All possible keys, in order. [RPJ-DICE-06, RPJ-DICE-07 (R-006), RPJ-DICE-08 (R-007)]"""
        if self.index is Index.CARDS:
            return DECK
        if self.divisor == 1:
            return tuple("".join(faces) for faces in product("123456", repeat=self.dice))
        return tuple(str(number + 1) for number in range(6**self.dice // self.divisor))

    def row(self, key: str) -> DecisionRow:
        """The row of a key."""
        place = self.keys.index(key)
        return next(row for row in self.rows if place in self._places(row))

    def _places(self, row: DecisionRow) -> range:
        return range(self.keys.index(row.first), self.keys.index(row.last or row.first) + 1)

    @model_validator(mode="after")
    def _covers_everything_once(self) -> "DecisionTable":
        divisors = (1, 2, 4, 8) if self.dice == 3 and self.index is Index.DICE else (1,)
        if self.divisor not in divisors:
            raise ValueError("Only a table of three dice can have a divisor: 1, 2, 4 or 8.")
        if problems := list(self._row_problems()):
            raise ValueError(" ".join(problems))
        return self

    def _row_problems(self) -> Iterator[str]:
        covered: list[int] = []
        for row in self.rows:
            if unknown := [key for key in (row.first, row.last or row.first) if key not in self.keys]:
                yield f"“{unknown[0]}” isn't a valid key; keys go from {self.keys[0]} to {self.keys[-1]}."
            else:
                covered += self._places(row)
        if twice := sorted({place for place in covered if covered.count(place) > 1}):
            yield f"{self.keys[twice[0]]} has more than one row."
        if missing := sorted(set(range(len(self.keys))) - set(covered)):
            yield f"{self.keys[missing[0]]} has no row."


class TableInputs(Document):
    """The inputs of one roll or draw on a decision table."""

    index: Index = Index.DICE  # whether dice or cards select a row
    dice: int = Field(default=3, ge=1, le=3)  # how many d6 are rolled
    divisor: int = 1  # how many rolls share one number
    gone: tuple[str, ...] = ()  # cards already drawn
    # The chosen position in the face-down deck, from 1; 0 for the top.
    picked: int = Field(default=0, ge=0, le=52)

    @staticmethod
    def of(table: DecisionTable, *, gone: tuple[str, ...] = (), picked: int = 0) -> "TableInputs":
        """The inputs for a table; no cards are gone from a fresh deck or one without discards."""
        out = gone if table.keeps_discards and len(gone) < len(DECK) else ()
        return TableInputs(index=table.index, dice=table.dice, divisor=table.divisor, gone=out, picked=picked)


def ordinal(faces: tuple[int, ...]) -> int:
    """The number of a roll read from left to right, from 1. [RPJ-DICE-06]"""
    number = 0
    for face in faces:
        number = number * 6 + face - 1
    return number + 1


def divided(number: int, divisor: int) -> int:
    """The row of a roll on a divided table. [RPJ-DICE-07 (R-005)]"""
    return ceil(number / divisor)


def roll_on_table(inputs: TableInputs, dice: Dice) -> Roll:
    """Find the key of a row: by dice from left to right, or by a card of a shuffled deck.

    A deck that is shuffled hides every card behind every place alike, so whichever place is named, one
    die over the cards that are left decides.

    [RPJ-DICE-06, RPJ-DICE-07, RPJ-DICE-08]
    """
    if inputs.index is Index.CARDS:
        return _draw(inputs, dice)
    faces = tuple(dice.roll(6) for _ in range(inputs.dice))
    number = ordinal(faces)
    key = "".join(str(face) for face in faces)
    title = f"{key}, number {number}"
    if inputs.divisor > 1:
        key = str(divided(number, inputs.divisor))
        title += f", row {key}"
    return Roll(
        rule=DECISION.key,
        inputs=inputs,
        dice=tuple(Die(sides=6, face=face, shown=PIPS[face - 1]) for face in faces),
        verdict=Verdict(Family.NEWS, title),
        outcome=key,
        purpose=RpjPurpose.TABLE,
    )


def _draw(inputs: TableInputs, dice: Dice) -> Roll:
    left = [card for card in DECK if card not in inputs.gone]
    face = dice.roll(len(left))
    card = left[face - 1]
    shown = card[:-1] + SHOWN_SUITS[card[-1]]
    title = f"{shown}, card {inputs.picked} of the deck" if inputs.picked else shown
    return Roll(
        rule=DECISION.key,
        inputs=inputs,
        dice=(Die(sides=len(left), face=face, shown=shown),),
        verdict=Verdict(Family.NEWS, title),
        outcome=card,
        purpose=RpjPurpose.TABLE,
    )


DECISION = RollRule(key="decision", inputs=TableInputs, resolve=roll_on_table)


TOP_HALF = 4


class ChoiceInputs(Document):
    """A list to choose one thing from."""

    # The things, in their order; one named twice has two places.
    items: tuple[str, ...] = Field(min_length=1, max_length=100)
    is_uniform: bool = True  # whether every place is equally likely; else d6 halve the list

    @field_validator("items")
    @classmethod
    def _none_is_empty(cls, items: tuple[str, ...]) -> tuple[str, ...]:
        if not all(item.strip() for item in items):
            raise ValueError("Each thing of the list needs a name.")
        return items


def half(places: range, face: int) -> range:
    """The half of a list that a d6 keeps; a middle one belongs to whichever half is kept. [RPJ-DICE-09]"""
    size = ceil(len(places) / 2)
    return places[-size:] if face >= TOP_HALF else places[:size]


def choose(inputs: ChoiceInputs, dice: Dice) -> Roll:
    """Choose one thing from a list. [RPJ-DICE-09]"""
    places = range(len(inputs.items))
    thrown: list[Die] = []
    if inputs.is_uniform:
        face = dice.roll(len(places))
        thrown.append(Die(sides=len(places), face=face))
        places = places[face - 1 : face]
    while len(places) > 1:
        face = dice.roll(6)
        places = half(places, face)
        first, last = inputs.items[places[0]], inputs.items[places[-1]]
        thrown.append(Die(sides=6, face=face, label=first if len(places) == 1 else f"{first} to {last}"))
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


def _halved(places: range) -> Distribution[int]:
    if len(places) == 1:
        return exact.certain(places[0])
    low, high = _halved(half(places, 1)), _halved(half(places, TOP_HALF))
    scale = max(low.of, high.of)
    return Distribution.counted(
        (place, ways * scale // part.of) for part in (low, high) for place, ways in part.ways.items()
    )


def choice_odds(inputs: ChoiceInputs) -> Odds:
    """The exact chance of each thing, in the order of the list. [RPJ-DICE-09]"""
    places = range(len(inputs.items))
    drawn = Distribution(dict.fromkeys(places, 1), len(places)) if inputs.is_uniform else _halved(places)
    named = drawn.map(lambda place: inputs.items[place])
    return Odds(tuple((item, Chance(named.ways[item], named.of)) for item in dict.fromkeys(inputs.items)))


CHOICE = RollRule(key="choice", inputs=ChoiceInputs, resolve=choose, odds=choice_odds)
