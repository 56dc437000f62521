"""What the options of an act can be set to in a composer."""

from enum import StrEnum
from typing import Any

import pytest
from pydantic import Field

from bot.rules.kernel import Document
from bot.table.base.typed_options import value_words, values_of


class Edge(StrEnum):
    UP = "up"
    DOWN = "down"


class Options(Document):
    is_calm: bool = False
    edge: Edge | None = None
    help: int = Field(default=0, ge=0, le=3)
    modifier: int = Field(default=0, ge=-20, le=20)
    target: int = Field(default=10, ge=1, le=1000)
    note: str = ""


@pytest.mark.parametrize(
    ("field", "preset", "values"),
    [
        ("is_calm", False, [False, True]),
        ("edge", None, [None, Edge.UP, Edge.DOWN]),
        ("help", 1, [0, 1, 2, 3]),
        ("modifier", 0, list(range(-11, 12))),
        ("modifier", 20, list(range(-2, 21))),
        ("modifier", -20, list(range(-20, 3))),
        ("target", 500, list(range(489, 512))),
        ("note", "calm", ["calm"]),
    ],
)
def test_a_menu_has_the_values_around_the_preset_one(field: str, preset: Any, values: list[Any]) -> None:
    assert list(values_of(Options.model_fields[field], preset)) == values


@pytest.mark.parametrize(
    ("value", "words"), [(None, "not set"), (True, "yes"), (False, "no"), (Edge.UP, "up"), (-3, "−3")]
)
def test_values_are_shown_in_plain_words(value: Any, words: str) -> None:
    assert value_words(value) == words
