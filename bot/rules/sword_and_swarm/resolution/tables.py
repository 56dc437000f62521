"""The tables of the book, read once from `data/*.toml`; every row says where it comes from."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import TypeVar

from bot.rules.kernel import Document


class SwarmRow(Document):
    """One row of a table.

    Attributes:
        source: The ledger ids it rests on.
    """

    source: str


class AttributeRow(SwarmRow):
    """An attribute: its name, what it stands for, and what it starts at (None: that is chosen)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(SwarmRow):
    """What an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class SwarmDifficultyRow(SwarmRow):
    """A typical difficulty of proficiency tests, its name, and what it means."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(SwarmRow):
    """A proficiency and the attribute that governs it."""

    name: str
    attribute: str
    trained_only: bool = False


RowModel = TypeVar("RowModel", bound=SwarmRow)


def read_rows(file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
    """The rows of one table of a data file, in their order.

    Args:
        file: Name of the file without its ending.
        table: Name of the table.
        model: What a row is.
    """
    text = files("bot.rules.sword_and_swarm").joinpath("data", f"{file}.toml").read_text("utf-8")
    rows: Sequence[object] = tomllib.loads(text)[table]
    return tuple(model.model_validate(row) for row in rows)


ATTRIBUTE_ROWS = {row.name: row for row in read_rows("attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in read_rows("modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in read_rows("difficulties", "difficulty", SwarmDifficultyRow)}
PROFICIENCY_ROWS = read_rows("proficiencies", "proficiency", ProficiencyRow)
