"""The result of a roll, in the one shape that all rulesets share."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Generic, NewType, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, model_validator
from typing_extensions import TypeVar

from bot.rules.kernel.dice import Chance, Dice

AnyDocument = TypeVar("AnyDocument", bound=BaseModel)


def evolve(document: AnyDocument, /, **changes: Any) -> AnyDocument:
    """Return a copy of a document in which some fields have other values.

    Args:
        document: What is copied; it stays as it is.
        **changes: The new value of each changed field. They are trusted, not validated.

    Raises:
        TypeError: The document has no such field.
    """
    if unknown := changes.keys() - type(document).__pydantic_fields__.keys():
        raise TypeError(f"{type(document).__name__} has no field {', '.join(sorted(unknown))}")
    return document.model_copy(update=changes)


CharacterId = NewType("CharacterId", int)


class Document(BaseModel):
    """A model stored or sent as JSON: frozen, and without unknown fields."""

    # Built at first use: most starts need few of all the games' documents.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ForTypes:
    """A generic class for the type checker only: at run time `Outcome[X]` is `Outcome`."""

    __slots__ = ()

    def __class_getitem__(cls, _parameters: object) -> type[Self]:
        return cls


def nothing(*_anything: object) -> tuple[()]:
    """Return an empty text, whatever the arguments."""
    return ()


# A ruleset is typed by its own models. The table holds rulesets of all kinds and knows their models as
# `Document`s: it hands each ruleset only what that ruleset's models made.
SheetT = TypeVar("SheetT", bound=Document, default=Document)
SheetT_co = TypeVar("SheetT_co", bound=Document, default=Document, covariant=True)
SheetT_contra = TypeVar("SheetT_contra", bound=Document, default=Document, contravariant=True)
SettingsT = TypeVar("SettingsT", bound=Document, default=Document)
SettingsT_co = TypeVar("SettingsT_co", bound=Document, default=Document, covariant=True)
SettingsT_contra = TypeVar("SettingsT_contra", bound=Document, default=Document, contravariant=True)


class Family(StrEnum):
    """How good or bad a verdict is."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    NEWS = "news"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome in the book's words."""

    family: Family  # how good or bad it is for whoever it speaks of
    title: str  # the words
    # Whether it speaks of a foe; None: of whoever acts.
    is_foes: bool | None = field(default=None, compare=False)

    @property
    def for_heroes(self) -> Family:
        """How good or bad it is for the heroes; decides its colour."""
        return _TURNED.get(self.family, self.family) if self.is_foes else self.family


_TURNED = MappingProxyType({Family.SUCCESS: Family.FAILURE, Family.FAILURE: Family.SUCCESS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """One die (or drawn card) as it fell, in the order of rolling."""

    sides: int  # faces of the die; for a card, the cards that were left in the deck
    face: int  # from 1 to *sides*
    label: str = ""  # what it stands for ("Str", "bonus"), or nothing
    is_kept: bool = True  # false where it was rolled and does not count
    is_borrowed: bool = False  # true for dice that are not the roller's own (bonus, magic, an artifact)
    shown: str = ""  # what to show instead of the number, for a card
    value: int | None = None  # what it comes to where that is not its face; None where it is

    @property
    def counted(self) -> int:
        """The value that counts."""
        return self.face if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class Term:
    """A named number that is added to the dice."""

    label: str
    value: int


class NamedTerm(Document):
    """A bonus or a penalty with its name, as it is stored with what a roll is made of."""

    label: str
    value: int


@dataclass(frozen=True, slots=True)
class OpposingDie:
    """An opponent's die that a roll is compared with."""

    die: Die  # how it fell
    value: int  # what it comes to
    # The die of this roll that stopped it, or one of a single side that counts without having been rolled;
    # None where it got through.
    stopped_by: Die | None = None
    stopping: int = 0  # what that die comes to


class TargetNumber(Struct, frozen=True):
    """A number that a roll of an attack is compared with, for the picture of it."""

    name: str  # whose or what it is, in a word or two ("dodge", "heavy")
    number: int
    is_met: bool  # whether the roll was enough against it
    die: Die | None = None  # the opponent's die that it comes from, which is one of the roll's, or None


NUMBER = re.compile(r" \([+−][0-9]+\)$")  # behind a verdict's name


class Odds(Struct, frozen=True):
    """The exact chance of each verdict, from the worst to the best."""

    chances: tuple[tuple[str, Chance], ...]  # each verdict's short name with its chance; they add up to 1
    needed: str | None = None  # the first of them that is enough, where it is known what is needed

    @property
    def possible(self) -> tuple[tuple[str, Chance], ...]:
        """The verdicts that can come; neighbors that a number tells apart are one: "Cost" for "Cost (−1)"."""
        found: list[tuple[str, Chance]] = []
        for name, chance in ((NUMBER.sub("", name), chance) for name, chance in self.chances if chance.ways):
            if found and found[-1] == (name, Chance(found[-1][1].ways, chance.of)):
                chance = Chance(found.pop()[1].ways + chance.ways, chance.of)
            found.append((name, chance))
        return tuple(found)

    @property
    def enough(self) -> Fraction | None:
        """The chance of the needed verdict or better; None if nothing in particular is needed."""
        return None if self.needed is None else self.at_least(self.needed)

    def at_least(self, verdict: str) -> Fraction:
        """The chance of a verdict or better; 0 for one that can't come."""
        names = [name for name, _chance in self.chances]
        better = (
            [chance for _name, chance in self.chances[names.index(verdict) :]] if verdict in names else []
        )
        of = math.lcm(*[chance.of for chance in better])
        return Fraction(sum([chance.ways * (of // chance.of) for chance in better]), of)


class Rolling(Protocol):
    """Anything that can roll: a character, a combatant, a side of a battle."""

    @property
    def id(self) -> CharacterId | None:
        """The character's id, or None for others."""

    @property
    def name(self) -> str:
        """The displayed name."""


@dataclass(frozen=True, slots=True)
class Roller:
    """Who made a roll."""

    # The character; None for the person who did it and for those who are no character.
    id: CharacterId | None = None
    name: str = ""  # what they were called then; nothing where no name belongs in front of the dice


NOBODY = Roller()  # the person's own roll, or one that several made together


class Roll(Struct, frozen=True, kw_only=True):
    """One roll, whole: enough to draw it, to log it and to compute it again."""

    rule: str  # key of the `RollRule` that made it
    inputs: Document  # what went into it, every number resolved
    dice: tuple[Die, ...]  # every die in the order of rolling, dropped ones too
    # Dice that lie on the table from an earlier roll and are read with these; not rolled again.
    earlier: tuple[Die, ...] = ()
    terms: tuple[Term, ...] = ()  # the rest of the arithmetic, zeros left out
    total: int | None = None  # the sum, or None if the roll has none
    against: str = ""  # the target as text ("13+"), or an empty text
    verdict: Verdict  # the result in words
    odds: Odds | None = None  # the chances of the dice rolled, or None if there are none worth showing
    outcome: str | None = None  # the entry of `odds.chances` that was rolled
    # The opposing dice, each beside the die that stopped it, in display order.
    facing: tuple[OpposingDie, ...] = ()
    # What an attack, a defense or a save is compared with as a sum; empty for other rolls.
    targets: tuple[TargetNumber, ...] = ()
    purpose: str = ""  # the purpose in a word of the ruleset's ("save"); empty only in old stored rolls
    roller: Roller | None = None  # who rolled; None until set with `by`
    word: str = ""  # what came of it in a word of what it was made for ("saved"), or nothing
    # The chances before any die was rolled and before a GM's ruling, if they differ from *odds*; otherwise
    # None.
    beforehand: Odds | None = None

    @property
    def sum(self) -> int:
        """The sum; 0 for a roll that has none."""
        return self.total or 0

    def __hash__(self) -> int:
        """A hash of what mostly tells rolls apart: one of every part takes longer than reading the dice."""
        return hash((self.rule, self.total, self.against, *[die.face for die in self.dice]))

    @property
    def told_odds(self) -> Odds | None:
        """The chances before any of the dice were rolled, ignoring later changes."""
        return self.beforehand or self.odds

    def compared_with(self, *targets: TargetNumber) -> "Roll":
        """A copy with what it is compared with; nothing else of it depends on that."""
        return replace(self, targets=targets)

    def by(self, who: Rolling, purpose: StrEnum | None = None, word: str = "") -> "Roll":
        """A copy with the roller's name, and its purpose and outcome in a word if these are not obvious."""
        named = Roller(who.id, who.name)
        return replace(self, roller=named, purpose=purpose or self.purpose, word=word or self.word)


InputsT_co = TypeVar("InputsT_co", bound=Document, default=Document, covariant=True)


class RollRule(Struct, ForTypes, Generic[InputsT_co], frozen=True):
    """One kind of roll, determined by its inputs and dice alone."""

    key: str  # name in the journal; never changes once used
    inputs: type[InputsT_co]  # model of the inputs
    # Rolls. The same inputs and faces always give the same roll: `verify` relies on it.
    resolve: Callable[[InputsT_co, Dice], Roll]
    odds: Callable[[InputsT_co], Odds] | None = None  # the exact chances of the same inputs, or None
    # A phrase that follows the actor's name ("tosses"), for a roll whose input is a sheet: whoever acts can
    # roll it, by a procedure with its key.
    does: str = ""


def rolls_of(*rules: RollRule) -> Mapping[str, RollRule]:
    """Index a ruleset's roll rules by key."""
    return MappingProxyType({rule.key: rule for rule in rules})


class Whole(Document):
    """A document that is only valid as a whole, such as an order with whose turn it is.

    It refuses what cannot be. No change of it is taken back while a later one stands, even where the two
    concern different parts: what is left could be what never was.
    """

    version: int = Field(default=0, ge=0)  # another number after each change that was stored

    def contradiction(self) -> str:
        """What is inconsistent about the document; an empty text if nothing is."""
        return ""

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Repair the JSON of an invalid document to the nearest valid one."""
        return body

    @model_validator(mode="after")
    def _refuse_what_cannot_be(self) -> Self:
        if wrong := self.contradiction():
            raise ValueError(wrong)
        return self


MINUS = "−"
LONGEST_NUMBER = 9


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 point", "2 points"; the plural takes an s where left out."""
    return f"{shown_number(count)} {one if abs(count) == 1 else many or f'{one}s'}"


def amount_of(count: int, title: str) -> str:
    """An amount of something by its title: "1 Blitz Point", "2 Blitz Points", "1 Stress"."""
    is_plural = title.endswith("s") and not title.endswith("ss")
    return f"{count} {title.removesuffix('s') if count == 1 and is_plural else title}"


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them, or "none"."""
    return ", ".join(names) or "none"


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an" before it."""
    article = "an" if noun[:1].casefold() in "aeiou" else "a"
    return f"{article} {noun}"


MOST_LABEL = 80
MOST_TIMED_LABEL = 58  # of a button that presses itself: how soon follows it
IN_LINE = 28  # characters of a button in one line of a phone
TIMER = len(" · 60 s")  # how soon it presses itself
MOST_CHOICE_LABEL = 100


def short_name(name: str, longest: int) -> str:
    """The name, with an ellipsis where it is longer than *longest*; its number stays ("Archer of… 12")."""
    if len(name) <= longest:
        return name
    _, space, number = name.rpartition(" ")
    end = f"…{space}{number}" if number.isdecimal() else "…"
    return name[: max(longest - len(end), 1)].rstrip() + end


def label_with(name: str, words: str, *, before: str = "", longest: int = MOST_LABEL) -> str:
    """A label with a name in it, which gives way to what is around it: to the chance, the cost."""
    return f"{before}{short_name(name, longest - len(before) - len(words))}{words}"


def line_label(name: str, words: str, *, is_timed: bool = False) -> str:
    """A label in a line of a phone, if its name's first word makes it one.

    Args:
        is_timed: Whether the button presses itself; how soon follows its label.
    """
    room = (IN_LINE - TIMER if is_timed else IN_LINE) - len(words)
    parts = name.split(" ")
    if len(parts[0]) <= room < len(name) and not parts[-1].isdecimal():
        name = parts[0]
    return label_with(name, words, longest=MOST_TIMED_LABEL if is_timed else MOST_LABEL)


def shown_number(value: int) -> str:
    """A number with a true minus: "4", "−1"."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def signed(value: int) -> str:
    """A number with its sign: "+2", "−1", "+0"."""
    return shown_number(value) if value < 0 else f"+{value}"


def whole_number(text: str, least: int, most: int) -> int | None:
    """Read a number from *least* to *most* written in digits; None for anything else."""
    digits = text.strip()
    number = int(digits) if digits.isdecimal() and len(digits) <= LONGEST_NUMBER else least - 1
    return number if least <= number <= most else None


def same_name(one: str, other: str) -> bool:
    """Whether two names mean the same thing; case and spaces do not matter."""
    return name_key(one) == name_key(other)


@lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return what all ways to write a name have in common, for comparing it with many."""
    return " ".join(name.casefold().split())


class FactKind(StrEnum):
    """What a fact is, in the order in which a message that is too long leaves facts out."""

    ADVICE = "advice"  # what could have been done, and what it would be worth
    TIMER = "timer"  # how long something lasts, or when a roll is due
    HOLDS = "holds"  # what stays as it is
    EARLIER = "earlier"  # what came of an earlier roll, in the message of a later one
    NEWS = "news"  # anything else
    OUTCOME = "outcome"  # what came of it, without which the dice say little
    HARM = "harm"  # who is hit, and how hard
    SUM = "sum"  # the same, where the dice say it already
    DOWN = "down"  # who is dead, dying, held or out of the fight
    NEXT = "next"  # what has to happen now

    @property
    def stays(self) -> bool:
        """Whether even a short message has it."""
        return self in _STAYING


_STAYING = frozenset((FactKind.OUTCOME, FactKind.HARM, FactKind.SUM, FactKind.DOWN, FactKind.NEXT))


class Fact(str):
    """A line of a message that knows its kind; a line without one is news.

    Equal lines are equal whatever their kind, so that nothing but its shortening depends on it.
    """

    __slots__ = ("kind",)
    kind: FactKind

    def __new__(cls, text: str, kind: FactKind = FactKind.NEWS) -> "Fact":
        """Make a fact of a text and a kind."""
        fact = super().__new__(cls, text)
        fact.kind = kind
        return fact


def kind_of(line: str) -> FactKind:
    """Return the kind of a line: news if it does not say."""
    return line.kind if isinstance(line, Fact) else FactKind.NEWS


def advice(text: str) -> str:
    """Return what could have been done."""
    return Fact(text, FactKind.ADVICE)


def timer(text: str) -> str:
    """Return how long something lasts, or when a roll is due."""
    return Fact(text, FactKind.TIMER)


def holds(text: str) -> str:
    """Return what stays as it is."""
    return Fact(text, FactKind.HOLDS)


def decisive(text: str) -> str:
    """Return what came of it, without which the dice say little."""
    return Fact(text, FactKind.OUTCOME)


def harm(text: str) -> str:
    """Return who is hit, and how hard."""
    return Fact(text, FactKind.HARM)


def down(text: str) -> str:
    """Return who is dead, dying, held or out of the fight."""
    return Fact(text, FactKind.DOWN)


def to_do(text: str) -> str:
    """Return what has to happen now."""
    return Fact(text, FactKind.NEXT)


def _read(stored: Any) -> str:
    if isinstance(stored, str):
        return stored
    if isinstance(stored, Mapping):
        return Fact(str(stored["text"]), FactKind(stored["kind"]))
    raise ValueError("this should be a text")


def _written(line: str) -> Any:
    kind = kind_of(line)
    return str(line) if kind is FactKind.NEWS else {"text": str(line), "kind": str(kind)}


# A line in a stored document: a text, or a text with its kind.
StoredLine = Annotated[str, PlainValidator(_read), PlainSerializer(_written)]
