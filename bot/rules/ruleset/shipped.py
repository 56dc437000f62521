"""What a ruleset ships as data: tables of numbers in TOML, read once."""

import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, TypeVar

from bot.rules.ruleset.creation import Draft
from bot.rules.ruleset.outcome import Document

RowModel = TypeVar("RowModel", bound=Document)
SheetModel = TypeVar("SheetModel", bound=Document)


def _read(package: str, file: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath("data", f"{file}.toml").read_text("utf-8"))


def read_rows(package: str, file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
    """The rows of one table of a package's data file, in their order.

    Args:
        package: The ruleset's package, ``__package__``.
        file: Name of the file in its folder ``data``, without its ending.
        table: Name of the table.
        model: What a row is.
    """
    rows: Sequence[object] = _read(package, file)[table]
    return tuple(model.model_validate(row) for row in rows)


def read_ready_made(package: str, build: Callable[[Draft], SheetModel]) -> dict[str, SheetModel]:
    """The ready-made characters of a package's `characters.toml`, kept as the drafts they are built from.

    Args:
        package: The ruleset's package, ``__package__``.
        build: What makes a sheet of a draft.
    """
    return {
        row["name"]: build({key: tuple(one) for key, one in row.items() if key not in {"name", "source"}})
        for row in _read(package, "characters")["character"]
    }
