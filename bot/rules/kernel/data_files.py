"""The data files of a ruleset, read once at the start."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeVar

from bot.rules.kernel.creation import Draft
from bot.rules.kernel.game import RuleText
from bot.rules.kernel.outcome import Document

RowModel = TypeVar("RowModel", bound=Document)


class TableRow(Document):
    """One row of a table.

    Attributes:
        source: The ledger ids it rests on.
    """

    source: str


class _RuleRow(TableRow):
    """One rule: its title and its text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The files in a ruleset's folder `data`; each is named without its ending.

    Attributes:
        package: The ruleset's package.
    """

    package: str

    def text(self, file: str) -> str:
        """Read a file's text."""
        return files(self.package).joinpath("data", f"{file}.toml").read_text("utf-8")

    def rows(self, file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
        """Read one table of a file, in its order.

        Args:
            file: Name of the file.
            table: Name of the table.
            model: Model of a row.
        """
        rows: Sequence[object] = tomllib.loads(self.text(file))[table]
        return tuple(model.model_validate(row) for row in rows)

    def glossary(self, *names: str) -> tuple[RuleText, ...]:
        """Read the texts of `/rules` from files."""
        return tuple(
            RuleText(ids=tuple(row.source.split(", ")), title=row.title, text=row.text)
            for name in names
            for row in self.rows(name, "rule", _RuleRow)
        )

    def ready_made(self) -> Mapping[str, Draft]:
        """Read the ready-made characters: the answers of the wizard, by the character's name."""
        return {
            row["name"]: {key: tuple(answer) for key, answer in row.items() if key not in {"name", "source"}}
            for row in tomllib.loads(self.text("characters"))["character"]
        }
