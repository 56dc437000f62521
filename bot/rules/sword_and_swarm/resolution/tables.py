"""The tables of the book, read once from `data/*.toml`; every row names its source."""

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
    """An attribute: its name, its meaning, and its starting value (None: chosen by the player)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(SwarmRow):
    """The modifier that an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class SwarmDifficultyRow(SwarmRow):
    """A typical difficulty of proficiency tests, its name and its meaning."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(SwarmRow):
    """A proficiency and its governing attribute."""

    name: str
    attribute: str
    trained_only: bool = False


RowModel = TypeVar("RowModel", bound=SwarmRow)


def read_rows(file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
    """Read one table of a data file, in its order.

    Args:
        file: File name without its ending.
        table: Name of the table.
        model: Model of a row.
    """
    text = files("bot.rules.sword_and_swarm").joinpath("data", f"{file}.toml").read_text("utf-8")
    rows: Sequence[object] = tomllib.loads(text)[table]
    return tuple(model.model_validate(row) for row in rows)


ATTRIBUTE_ROWS = {row.name: row for row in read_rows("attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in read_rows("modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in read_rows("difficulties", "difficulty", SwarmDifficultyRow)}
PROFICIENCY_ROWS = read_rows("proficiencies", "proficiency", ProficiencyRow)
