"""The ledger's worked examples, kept as data."""

import tomllib
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest

_TABLES = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text("utf-8"))


def vectors(table: str, *entries: str) -> list[Any]:
    """The rows of one table as parameters, of some ledger entries or of all; their ids are the test ids."""
    rows = [row for row in _TABLES[table] if not entries or row["id"].rstrip(ascii_lowercase) in entries]
    assert rows, f"no vectors of {entries} in {table}"
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]
