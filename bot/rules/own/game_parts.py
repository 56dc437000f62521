"""A game that has been read: questions, effects and checks, with every expression as a tree."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct, field

from bot.rules.own.dice_groups import SUITS, Reading, WrittenGroup
from bot.rules.own.expressions import Amount, Expression, NoAmount, Number, amount_of
from bot.rules.own.game_file import DIE, GameFile, ItemRow

DIE_STEPS = (4, 6, 8, 10, 12, 20)
"""The dice that step up and down."""

CONSTANTS: Mapping[str, int] = {suit: number for number, suit in enumerate(SUITS, start=1)}
VALUE, THEIRS, NONE = "value", "theirs", "none"
EVENTS = ("session start", "session end", "rest", "downtime")
EDGES: Mapping[str, int] = {"none": 0, "advantage": 1, "disadvantage": -1}
YES_NO: Mapping[str, int] = {"no": 0, "yes": 1}


class PartKind(StrEnum):
    """What a name of a game stands for."""

    ATTRIBUTE = "attribute"
    DERIVED = "derived number"
    RESOURCE = "resource"
    TRACK = "track"
    CLOCK = "clock"


CHANGEABLE = (PartKind.ATTRIBUTE, PartKind.RESOURCE, PartKind.TRACK, PartKind.CLOCK)


class QuestionKind(StrEnum):
    """What answers a question."""

    NUMBER = "number"
    NAME = "name"
    CLOCK = "clock"
    ENTRY = "entry"
    CHARACTER = "character"


class OwnQuestion(Struct, frozen=True):
    """A question before a roll."""

    key: str  # its name in expressions
    kind: QuestionKind  # what answers it
    # The answers with their numbers, for numbers and things of a list.
    numbers: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    names: tuple[str, ...] = ()  # the parts of a sheet, or the clocks, that can be named
    entries: str = ""  # the entries of which one is chosen
    span: tuple[int, int] | None = None  # the lowest and the highest number, where any between will do

    @property
    def refers(self) -> bool:
        """Whether the answer is a name of something that effects can change."""
        return self.kind in (QuestionKind.NAME, QuestionKind.CLOCK, QuestionKind.ENTRY)


class GameEffect(Struct, frozen=True):
    """A change: ``name + expression``, ``name - …``, ``name = …``, ``name up``, ``name down``."""

    target: str  # what changes; of whom the move aims at with its owner and a dot
    sign: str  # how
    amount: Expression  # by how much, or to what


class GameTier(Struct, frozen=True):
    """A result of a check."""

    name: str  # as it stands in the file
    words: tuple[str | Expression, ...]  # its name in pieces: texts, and expressions to be filled in
    low: int | None  # the lowest value it is for, or None
    high: int | None  # the highest value it is for, or None
    when: Expression | None
    effects: tuple[GameEffect, ...]  # what happens then
    text: str  # what is said then


class AfterRoll(Struct, frozen=True):
    """A button under a result."""

    label: str  # as people read it
    when: Expression | None  # when it is offered
    cost: tuple[GameEffect, ...]
    # The groups that are rolled again, each with the lowest and highest face that is.
    reroll: Mapping[str, tuple[int, int]]
    add: str  # the group that gets one more die
    step: tuple[str, int] | None  # the group whose dice step, and by how many steps
    take: tuple[str, str] | None  # the reading that is replaced, and by which
    is_once: bool  # whether only once a roll


class Linked(Struct, frozen=True):
    """Groups that are read together, with their readings."""

    groups: tuple[str, ...]
    readings: tuple[tuple[str, Reading], ...]


class Let(Struct, frozen=True):
    """A name for an amount that the dice decide."""

    name: str
    amount: Expression


Stage: TypeAlias = Linked | Let


class OwnCheck(Struct, frozen=True, eq=False, weakref=True):
    """A check, ready to be rolled and reckoned."""

    key: str  # its name
    label: str  # as people read it
    questions: tuple[OwnQuestion, ...]  # what is asked before it is rolled
    cost: tuple[GameEffect, ...]
    groups: Mapping[str, WrittenGroup]  # the groups of dice
    # The group that an edge rolls twice, and whether an advantage keeps the higher; None without.
    edged: tuple[str, bool] | None
    edge: Expression  # what decides about it
    fixed: tuple[tuple[str, Expression], ...]  # the names for amounts that no die decides, in order
    stages: tuple[Stage, ...]  # what is read and reckoned, in order
    value: Expression | None  # what tiers compare
    is_opposed: bool  # whether somebody else rolls too
    tiers: tuple[GameTier, ...]  # the results
    after: tuple[AfterRoll, ...]  # the buttons under the result

    @property
    def open_names(self) -> frozenset[str]:
        """What the dice decide."""
        found = {THEIRS} if self.is_opposed else set[str]()
        for stage in self.stages:
            found |= {stage.name} if isinstance(stage, Let) else {name for name, _ in stage.readings}
        return frozenset(found)


class OwnMove(Struct, frozen=True):
    """A move: its answers, and what it adds to a check's tiers or does by itself."""

    key: str  # its name
    label: str  # as people read it
    check: OwnCheck | None  # the check it rolls, or None
    given: Mapping[str, str | int]  # answers to the check's questions
    when: Expression | None  # when it can be made
    cost: tuple[GameEffect, ...]
    effects: Mapping[str, tuple[GameEffect, ...]]  # what happens, by tier; under an empty name, always
    texts: Mapping[str, str]  # what is said, by tier; under an empty name, always


class OwnItem(Struct, frozen=True):
    """An entry of a list: gear, an ability."""

    key: str  # its name
    row: ItemRow  # what stands in the file
    list: str  # the list it is in
    cost: tuple[GameEffect, ...]  # what a use costs
    effects: tuple[GameEffect, ...]  # what a use does


class Span(Struct, frozen=True):
    """What a part of a sheet can be."""

    low: int  # the lowest number
    high: Expression | None  # the highest number, or None where there is no end
    steps: tuple[int, ...] = ()  # the dice it can be, from the smallest, where it is a die; 0 for none left

    @property
    def is_fixed(self) -> bool:
        """Whether its ends rest on nothing else."""
        return bool(self.steps) or self.high is None or isinstance(self.high, Number)


class OwnGame(Struct, frozen=True):
    """A whole game."""

    file: GameFile  # what stands in its file
    kinds: Mapping[str, PartKind]  # what each name stands for
    spans: Mapping[str, Span]  # what each part of a sheet, and each clock, can be
    starts: Mapping[str, Expression]  # what each begins with, in an order in which they can be reckoned
    derived: Mapping[str, Expression]  # numbers that follow from others, likewise
    checks: Mapping[str, OwnCheck]
    moves: Mapping[str, OwnMove]
    full: Mapping[str, tuple[GameEffect, ...]]  # what happens when a part is full
    empty: Mapping[str, tuple[GameEffect, ...]]  # what happens when a part is empty
    resets: Mapping[str, tuple[GameEffect, ...]]  # what happens at each event
    rolled: Mapping[str, Expression]  # the attributes that creation rolls
    entry_spans: Mapping[str, Span]  # what each kind of entries can be; 1 for mere words
    items: Mapping[str, OwnItem]  # the things of all lists
    slots: Mapping[str, Expression]  # how many slots a character has for a list, where there is a limit
    order: Expression | None  # what decides the order in a fight, or None

    def span(self, name: str) -> Span:
        """What a part of a sheet, a clock or an entry can be."""
        return self.spans[name] if name in self.spans else self.entry_spans[name]

    def entry_numbers(self, name: str) -> tuple[int, ...]:
        """The numbers or dice that entries of a kind can have."""
        span = self.entry_spans[name]
        return span.steps or tuple(range(span.low, int(amount_of(span.high or Number(span.low), {})) + 1))

    def of_kind(self, *kinds: PartKind) -> tuple[str, ...]:
        """The names of some kinds, in the file's order."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)

    def label(self, name: str) -> str:
        """What people read for a name."""
        for rows in (
            self.file.attributes,
            self.file.resources,
            self.file.tracks,
            self.file.clocks,
            self.file.entries,
        ):
            if name in rows:
                return rows[name].label
        return name.replace("_", " ").capitalize()

    def fills(self, name: str) -> bool:
        """Whether harm makes a number larger: of a track, and of a counter that begins empty."""
        kind = self.kinds[name]
        is_empty = self.starts[name] == Number(self.span(name).low)
        return kind is PartKind.TRACK or (kind is PartKind.RESOURCE and is_empty)

    def is_harm(self, effect: GameEffect, owner: str) -> bool:
        """Whether an effect hurts: it worsens what takes somebody out, or something that overflows into that.

        Args:
            owner: What stands before the dot in the names of whoever it hurts.
        """
        whose, _, name = effect.target.rpartition(".")
        worse = ("+", "up") if name in self.kinds and self.fills(name) else ("-", "down")
        return whose == owner and self.is_health(name) and effect.sign in worse

    def is_health(self, name: str) -> bool:
        """Whether it says how hurt somebody is: a track, what takes them out, or what overflows into that."""
        row, out = self.file.resources.get(name), self.file.fight.out
        counts = row is not None and out is not None and out in (name, *row.overflow)
        return counts or name in self.file.tracks

    def with_derived(self, numbers: Mapping[str, int]) -> dict[str, Amount | NoAmount]:
        """What every name of a sheet comes to, and the constants."""
        known: dict[str, Amount | NoAmount] = {**CONSTANTS, **numbers}
        for name, amount in self.derived.items():
            known[name] = amount_or_error(amount, known)
        return known


def amount_or_error(amount: Expression, known: Mapping[str, Amount | NoAmount]) -> Amount | NoAmount:
    """What an expression comes to, or why it doesn't."""
    try:
        return amount_of(amount, known)
    except NoAmount as error:
        return error


def die_of(written: object) -> int | None:
    """The sides of a die that stands alone ("d8"); None for anything else."""
    found = DIE.fullmatch(written) if isinstance(written, str) else None
    return int(found[1]) if found else None


_SPAN = re.compile(r"([+-]?[0-9]{1,7})(?:(\+)|(-)|\s*(?:-|–|\.\.)\s*([+-]?[0-9]{1,7}))?")


def span_of(written: str) -> tuple[int | None, int | None] | None:
    """The lowest and highest value of “10+”, “7-9”, “6-” or “7”; None if it is none of these."""
    found = _SPAN.fullmatch(written.strip().replace("−", "-"))
    if found is None:
        return None
    first = int(found[1])
    if found[2]:
        return first, None
    if found[3]:
        return None, first
    last = int(found[4]) if found[4] else first
    return (first, last) if first <= last else None
