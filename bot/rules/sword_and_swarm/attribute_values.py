"""The seven attributes, their Confirm Attributes and modifiers, from the tables of the book."""

from enum import StrEnum

from bot.rules.kernel import DataFiles, TableRow


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
