"""The entries a GM adds to a campaign's lists, each a short text: proficiencies, obstacles and equipment.

A proficiency is written "Riding: Key" or "Locks: Key trained", an obstacle "Rope bridge: 4", a piece of
equipment "Chain mail: Shield +3 Boots +1".
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from bot.rules.kernel import Document
from bot.rules.kernel.wording import signed, whole_number
from bot.rules.sword_and_swarm.attribute_values import HIGHEST, PROFICIENCY_ROWS, SwarmAttribute

LONGEST_NAME = 60
TRAINED = "trained"
_NAME = re.compile(rf"[^:,]{{1,{LONGEST_NAME}}}")
_RAISE = re.compile(r"([A-Za-z]+)\s*\+?\s*(\d{1,6})(?:\s+|$)")


def folded(name: str) -> str:
    """Fold case and spacing, so that two spellings of one name compare equal."""
    return " ".join(name.casefold().split())


def _clean_name(name: str) -> str:
    clean = " ".join(name.split())
    if not _NAME.fullmatch(clean):
        raise ValueError(f"A name needs 1 to {LONGEST_NAME} characters, without commas or colons.")
    return clean


Name = Annotated[str, AfterValidator(_clean_name)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class Raise(Document):
    """An increase of an attribute while its equipment or trait is in use. [SWARM-ATTR-03]"""

    attribute: SwarmAttribute
    amount: int = Field(ge=1, le=HIGHEST)

    def __str__(self) -> str:
        return f"{self.attribute} {signed(self.amount)}"


def raised_words(name: str, raises: Iterable[Raise]) -> str:
    """Something with its increases: "Gloves (Key +2)"."""
    increases = ", ".join(str(one) for one in raises)
    return f"{name} ({increases})" if increases else name


@dataclass(frozen=True, slots=True)
class Proficiency:
    """A proficiency, its governing attribute, and whether it needs training.

    [SWARM-PROF-02, SWARM-PROF-09]
    """

    name: str
    attribute: SwarmAttribute
    trained_only: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.attribute}{f' {TRAINED}' if self.trained_only else ''}"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A named obstacle with a difficulty from 0 to 10. [SWARM-TEST-04 (SWARM-R02)]"""

    name: str
    difficulty: int

    def __str__(self) -> str:
        return f"{self.name}: {self.difficulty}"


@dataclass(frozen=True, slots=True)
class Equipment:
    """A piece of equipment on the campaign's list, with its increases. [SWARM-ATTR-03]"""

    name: str
    raises: tuple[Raise, ...]

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(str(one) for one in self.raises)}".removesuffix(": ")


def attribute_named(name: str) -> SwarmAttribute:
    """Find an attribute by name, without regard to case.

    Raises:
        ValueError: If there is no such attribute.
    """
    for attribute in SwarmAttribute:
        if folded(name) == folded(attribute):
            return attribute
    raise ValueError(f"There is no attribute “{name}”. The attributes are {', '.join(SwarmAttribute)}.")


def read_proficiency(text: str) -> Proficiency:
    """Read a proficiency from its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    name, _, rest = text.partition(":")
    attribute, *more = rest.split() or [""]
    if more not in ([], [TRAINED]):
        raise ValueError(f"Write a proficiency as “Riding: Key”, or “Locks: Key {TRAINED}”.")
    return Proficiency(_clean_name(name), attribute_named(attribute), bool(more))


def read_obstacle(text: str) -> Obstacle:
    """Read an obstacle from its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    name, _, difficulty = text.partition(":")
    number = whole_number(difficulty, 0, HIGHEST)
    if number is None:
        raise ValueError(f"Write an obstacle as “Rope bridge: 4”, the difficulty from 0 to {HIGHEST}.")
    return Obstacle(_clean_name(name), number)


def read_equipment(text: str) -> Equipment:
    """Read a piece of equipment from its text.

    Raises:
        ValueError: If the text cannot be read.
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
        raise ValueError("List each attribute only once.")
    return Equipment(_clean_name(name), tuple(raises))


BOOK_PROFICIENCIES = tuple(
    Proficiency(row.name, SwarmAttribute(row.attribute), row.trained_only) for row in PROFICIENCY_ROWS
)


def assert_distinct(names: Iterable[str]) -> None:
    """Raise `ValueError` if a name appears twice."""
    seen: set[str] = set()
    for name in names:
        if folded(name) in seen:
            raise ValueError(f"“{name}” is already on the list.")
        seen.add(folded(name))
