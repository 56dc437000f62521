"""The tables of the book, read once from `data/*.toml`; every row says where it comes from."""

from bot.rules.ruleset import Document, read_rows


class Row(Document):
    """One row of a table.

    Attributes:
        source: The ledger ids it rests on.
    """

    source: str


class AttributeRow(Row):
    """An attribute: its name, what it stands for, and what it starts at (None: that is chosen)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(Row):
    """What an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class DifficultyRow(Row):
    """A typical difficulty of proficiency tests, its name, and what it means."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(Row):
    """A proficiency and the attribute that governs it."""

    name: str
    attribute: str
    trained_only: bool = False


ATTRIBUTE_ROWS = {row.name: row for row in read_rows(__package__, "attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in read_rows(__package__, "modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in read_rows(__package__, "difficulties", "difficulty", DifficultyRow)}
PROFICIENCY_ROWS = read_rows(__package__, "proficiencies", "proficiency", ProficiencyRow)
