"""The tables of the book, read once from `data/*.toml`; every row says where it comes from."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import TypeVar

from bot.rules.kernel import Document


class RpjRow(Document):
    """One row of a table.

    Attributes:
        source: The ledger ids it rests on.
    """

    source: str


RowModel = TypeVar("RowModel", bound=Document)


def read_text(file: str) -> str:
    """A data file as it is written.

    Args:
        file: Its name without the ending.
    """
    return files("bot.rules.rpj").joinpath("data", f"{file}.toml").read_text("utf-8")


def read_rows(file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
    """The rows of one table of a data file, in their order.

    Args:
        file: Name of the file without its ending.
        table: Name of the table.
        model: What a row is.
    """
    rows: Sequence[object] = tomllib.loads(read_text(file))[table]
    return tuple(model.model_validate(row) for row in rows)
