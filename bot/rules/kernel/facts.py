"""Facts: the lines of a message, each with its kind, which decides what a short message leaves out first."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator


class FactKind(StrEnum):
    """What a fact is, in the order in which a message that is too long leaves facts out."""

    ADVICE = "advice"  # what could have been done, and what it would be worth
    TIMER = "timer"  # how long something lasts, or when a roll is due
    HOLDS = "holds"  # what stays as it is
    EARLIER = "earlier"  # what came of an earlier roll, in the message of a later one
    NEWS = "news"  # anything else
    OUTCOME = "outcome"  # what came of it, without which the dice say little
    HARM = "harm"  # who is hit, and how hard
    DOWN = "down"  # who is dead, dying, held or out of the fight
    NEXT = "next"  # what has to happen now

    @property
    def stays(self) -> bool:
        """Whether even a short message has it."""
        return self in _STAYING


_STAYING = frozenset((FactKind.OUTCOME, FactKind.HARM, FactKind.DOWN, FactKind.NEXT))


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
