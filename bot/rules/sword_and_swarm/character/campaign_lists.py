"""What a GM adds to a campaign's lists: proficiencies, obstacles and equipment, each a short text.

A proficiency is written "Riding: Key" or "Locks: Key trained", an obstacle "Rope bridge: 4", a piece of
equipment "Chain mail: Shield +3 Boots +1".
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from bot.rules.kernel import Document
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute, signed
from bot.rules.sword_and_swarm.resolution.tables import PROFICIENCY_ROWS

LONGEST_NAME = 60
TRAINED = "trained"
_NAME = re.compile(rf"[^:,]{{1,{LONGEST_NAME}}}")
_RAISE = re.compile(r"([A-Za-z]+)\s*\+?\s*(\d{1,6})(?:\s+|$)")


def folded(name: str) -> str:
    """What two names have in common that mean the same thing; case and spaces do not matter."""
    return " ".join(name.casefold().split())


def _clean_name(name: str) -> str:
    clean = " ".join(name.split())
    if not _NAME.fullmatch(clean):
        raise ValueError(f"A name has 1 to {LONGEST_NAME} characters, and neither commas nor colons.")
    return clean


Name = Annotated[str, AfterValidator(_clean_name)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class Raise(Document):
    """How much something raises an attribute while it is in use.

    Source: SWARM-ATTR-03.
    """

    attribute: SwarmAttribute
    amount: int = Field(ge=1, le=HIGHEST)

    def __str__(self) -> str:
        return f"{self.attribute} {signed(self.amount)}"


def raised_words(name: str, raises: Iterable[Raise]) -> str:
    """Something with what it raises: "Gloves (Key +2)"."""
    told = ", ".join(str(one) for one in raises)
    return f"{name} ({told})" if told else name


@dataclass(frozen=True, slots=True)
class Proficiency:
    """A proficiency, the attribute that governs it, and whether it takes ranks to try.

    Source: SWARM-PROF-02, SWARM-PROF-09.
    """

    name: str
    attribute: SwarmAttribute
    trained_only: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.attribute}{f' {TRAINED}' if self.trained_only else ''}"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle with a name and a difficulty on the scale of attributes.

    Source: SWARM-TEST-04 (SWARM-R02).
    """

    name: str
    difficulty: int

    def __str__(self) -> str:
        return f"{self.name}: {self.difficulty}"


@dataclass(frozen=True, slots=True)
class Equipment:
    """A kind of equipment and what it raises.

    Source: SWARM-ATTR-03.
    """

    name: str
    raises: tuple[Raise, ...]

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(str(one) for one in self.raises)}".removesuffix(": ")


def attribute_named(name: str) -> SwarmAttribute:
    """The attribute of that name; case does not matter.

    Raises:
        ValueError: If there is none.
    """
    for attribute in SwarmAttribute:
        if folded(name) == folded(attribute):
            return attribute
    raise ValueError(f"There is no attribute {name!r}; there are {', '.join(SwarmAttribute)}.")


def read_proficiency(text: str) -> Proficiency:
    """A proficiency from its text.

    Raises:
        ValueError: If the text is none.
    """
    name, _, rest = text.partition(":")
    attribute, *more = rest.split() or [""]
    if more not in ([], [TRAINED]):
        raise ValueError(f"Write a proficiency as “Riding: Key”, or “Locks: Key {TRAINED}”.")
    return Proficiency(_clean_name(name), attribute_named(attribute), bool(more))


def read_obstacle(text: str) -> Obstacle:
    """An obstacle from its text.

    Raises:
        ValueError: If the text is none.
    """
    name, _, difficulty = text.partition(":")
    digits = difficulty.strip()
    if not (digits.isdecimal() and len(digits) <= 2 and int(digits) <= HIGHEST):
        raise ValueError(f"Write an obstacle as “Rope bridge: 4”, the difficulty from 0 to {HIGHEST}.")
    return Obstacle(_clean_name(name), int(digits))


def read_equipment(text: str) -> Equipment:
    """A kind of equipment from its text.

    Raises:
        ValueError: If the text is none.
    """
    name, _, rest = text.partition(":")
    raises: list[Raise] = []
    rest = rest.strip()
    while rest:
        found = _RAISE.match(rest)
        if found is None or not 1 <= int(found[2]) <= HIGHEST:
            raise ValueError("Write equipment as “Chain mail: Shield +3”, each increase from 1 to 10.")
        raises.append(Raise(attribute=attribute_named(found[1]), amount=int(found[2])))
        rest = rest[found.end() :]
    if len({one.attribute for one in raises}) < len(raises):
        raise ValueError("Name each attribute that equipment raises once.")
    return Equipment(_clean_name(name), tuple(raises))


BOOK_PROFICIENCIES = tuple(
    Proficiency(row.name, SwarmAttribute(row.attribute), row.trained_only) for row in PROFICIENCY_ROWS
)


def assert_distinct(names: Iterable[str]) -> None:
    """Raise `ValueError` where a name comes twice."""
    seen: set[str] = set()
    for name in names:
        if folded(name) in seen:
            raise ValueError(f"{name} is there already.")
        seen.add(folded(name))
