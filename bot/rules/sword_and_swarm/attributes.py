"""The seven attributes, their Confirm Attributes and modifiers, from the tables of the book."""

import re
from collections.abc import Callable, Hashable, Iterable
from enum import StrEnum
from typing import TypeVar

from pydantic import Field

from bot.rules.kernel import DataFiles, Document, TableRow, Term
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.odds import Distribution
from bot.rules.kernel.outcome import signed


class SwarmPurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice."""

    TEST = "test"
    RETRY = "second roll"


class AttributeRow(TableRow):
    """An attribute: its name, its meaning, and its starting value (None: chosen by the player)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(TableRow):
    """The modifier that an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class SwarmDifficultyRow(TableRow):
    """A typical difficulty of proficiency tests, its name and its meaning."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(TableRow):
    """A proficiency and its governing attribute."""

    name: str
    attribute: str
    trained_only: bool = False


DATA = DataFiles("bot.rules.sword_and_swarm")
ATTRIBUTE_ROWS = {row.name: row for row in DATA.rows("attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in DATA.rows("modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in DATA.rows("difficulties", "difficulty", SwarmDifficultyRow)}
PROFICIENCY_ROWS = DATA.rows("proficiencies", "proficiency", ProficiencyRow)


HIGHEST = 10
LEAST_WITH_CONFIRM = 6
CONFIRM_IS_LOWER_BY = 5


class SwarmAttribute(StrEnum):
    """The seven attributes, in the book's order. [SWARM-ATTR-01]"""

    MALLET = "Mallet"
    KEY = "Key"
    RUNES = "Runes"
    CORONET = "Coronet"
    STAR = "Star"
    SHIELD = "Shield"
    BOOTS = "Boots"

    @property
    def meaning(self) -> str:
        """Its meaning in a few words. [SWARM-ATTR-05 to SWARM-ATTR-09, SWARM-ATTR-12, SWARM-ATTR-13]"""
        return ATTRIBUTE_ROWS[self].meaning

    @property
    def start(self) -> int | None:
        """Its value on every new sheet; None if the player chooses it.

        [SWARM-ATTR-01, SWARM-ATTR-12, SWARM-ATTR-13]
        """
        return ATTRIBUTE_ROWS[self].start


def in_range(value: int) -> int:
    """Limit a number to the range of attributes, 0 to 10. [SWARM-ATTR-02, SWARM-MOD-01 (SWARM-R06)]"""
    return max(0, min(value, HIGHEST))


def confirm_value(attribute: int) -> int | None:
    """The Confirm Attribute of an attribute; None below 6. [SWARM-CONF-01]"""
    return attribute - CONFIRM_IS_LOWER_BY if attribute >= LEAST_WITH_CONFIRM else None


def with_confirm(attribute: int) -> str:
    """An attribute with its Confirm Attribute in brackets: "7 (2)". [SWARM-CONF-01]"""
    confirm = confirm_value(attribute)
    return str(attribute) if confirm is None else f"{attribute} ({confirm})"


def proficiency_modifier(attribute: int) -> int:
    """The modifier that an attribute adds to proficiency tests.

    [SWARM-PROF-05 (SWARM-R19: 9 and 10 as 8, below 0 as 0)]
    """
    return MODIFIERS[max(0, min(attribute, len(MODIFIERS) - 1))]


LIMIT = 4
_NEXT = re.compile(r"(?:^|[\s,;]+)(?=[+\-−]\s*\d)")
_WRITTEN = re.compile(r"([+\-−])\s*(\d{1,6})\s*(.*)", re.DOTALL)


class Modifier(Document):
    """One bonus or penalty. [SWARM-MOD-03]"""

    value: int = Field(ge=-LIMIT, le=LIMIT)  # +1 to +4, or −1 to −4
    label: str = Field(default="", max_length=60)  # its source, or nothing

    @property
    def term(self) -> Term:
        """The modifier as a term of the sum."""
        return Term(self.label or ("bonus" if self.value > 0 else "penalty"), self.value)


def net(modifiers: Iterable[Modifier]) -> int:
    """The sum of all bonuses and penalties, limited to −4 to +4.

    [SWARM-MOD-04 (SWARM-R08: net first, then one limit)]
    """
    return max(-LIMIT, min(sum(one.value for one in modifiers), LIMIT))


def terms(modifiers: tuple[Modifier, ...]) -> tuple[Term, ...]:
    """The bonuses and penalties as terms of the sum: each by name, or a single one if the limit applies."""
    if cap_note(modifiers):
        return (Term("modifiers", net(modifiers)),)
    return tuple(one.term for one in modifiers)


def cap_note(modifiers: Iterable[Modifier]) -> str:
    """A sentence saying that the limit applies, or nothing."""
    together = sum(one.value for one in modifiers)
    if abs(together) <= LIMIT:
        return ""
    return f"Bonuses and penalties add up to {signed(together)}; the limit is {signed(net(modifiers))}."


def read_modifiers(bonus: int, more: str) -> tuple[Modifier, ...]:
    """Read the bonuses and penalties of a test; those of 0 are left out. [SWARM-MOD-03]

    Args:
        bonus: One of them, −4 to +4.
        more: Others as typed: "+2 high ground −1 dark".

    Raises:
        UserError: If the text cannot be read, or a modifier is out of range.
    """
    found = [Modifier(value=bonus)] if bonus else []
    problems = []
    for part in (piece for piece in _NEXT.split(more.strip()) if piece):
        written = _WRITTEN.fullmatch(part)
        if written is None:
            raise UserError(
                f"“{part}” isn't a bonus or a penalty.",
                try_this="Write them like this: +2 high ground −1 dark",
            )
        sign, size, label = written.groups()
        value = int(size) if sign == "+" else -int(size)
        if abs(value) > LIMIT:
            problems.append(f"{signed(value)} is out of range: a bonus is +1 to +4, a penalty −1 to −4.")
        elif value:
            found.append(Modifier(value=value, label=label.strip()[:60]))
    if problems:
        raise UserErrors(tuple(problems))
    return tuple(found)


Attempt = TypeVar("Attempt")
Result = TypeVar("Result", bound=Hashable)


class Edge(StrEnum):
    """Whether a test has advantage, disadvantage or neither."""

    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"


class RerollMode(StrEnum):
    """Whether a failure with advantage is re-rolled automatically, or the player is asked.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21)]
    """

    AUTO = "auto"
    ASK = "ask"


def edge_of(*, advantages: int, disadvantages: int) -> Edge:
    """Combine advantages and disadvantages from any number of sources.

    [SWARM-TEST-09 (SWARM-R05: both cancel completely, several of one kind are one)]
    """
    if bool(advantages) == bool(disadvantages):
        return Edge.NONE
    return Edge.ADVANTAGE if advantages else Edge.DISADVANTAGE


def is_rerolled(edge: Edge, *, succeeded: bool) -> bool:
    """Whether a first roll with this result is re-rolled. [SWARM-TEST-07, SWARM-TEST-08]"""
    return edge is (Edge.DISADVANTAGE if succeeded else Edge.ADVANTAGE)


def attempts(
    edge: Edge, attempt: Callable[[], Attempt], succeeded: Callable[[Attempt], bool]
) -> tuple[Attempt, ...]:
    """The one or two rolls of a test; the last one counts."""
    first = attempt()
    return (first, attempt()) if is_rerolled(edge, succeeded=succeeded(first)) else (first,)


def with_edge(
    single: Distribution[Result], edge: Edge, succeeded: Callable[[Result], bool]
) -> Distribution[Result]:
    """The distribution of results when the re-roll is always taken.

    Args:
        single: The distribution of one roll.
        edge: Advantage, disadvantage or neither.
        succeeded: Whether a result is a success.
    """
    if edge is Edge.NONE:
        return single
    return single.with_(
        single,
        lambda first, second: second if is_rerolled(edge, succeeded=succeeded(first)) else first,
    )
