"""The ledger's worked examples, kept as data."""

import tomllib
from pathlib import Path
from typing import Any

import pytest


def vectors(name: str) -> list[Any]:
    """The rows of one table of `vectors.toml` as parameters; their ids are the test ids."""
    rows = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text("utf-8"))[name]
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]
