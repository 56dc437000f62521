"""Options that are read off what a procedure asks for, and commands that are read from a table."""

import pytest
from pydantic import Field

from bot.rules.kernel import Document
from bot.ui.commands.options import CommandTable, option_type


class Asked(Document):
    from_zero: int = Field(ge=0, le=5)
    to_zero: int | None = Field(default=None, ge=-5, le=0)
    word: str = Field(default="", max_length=30)


@pytest.mark.parametrize(
    ("field", "least", "most"), [("from_zero", 0, 5), ("to_zero", -5, 0), ("word", 1, 30)]
)
def test_an_option_has_the_bounds_of_its_field_also_where_one_is_zero(
    field: str, least: int, most: int
) -> None:
    asked = option_type(Asked.model_fields[field])

    assert (asked.min_value, asked.max_value) == (least, most)


def test_a_command_of_a_table_has_its_own_texts_then_shared_ones_and_the_packs_of_its_group() -> None:
    roll = {"about": "Roll", "options": {"word": "", "note": "Why"}, "also": ["bonus"]}
    table = CommandTable.model_validate(
        {
            "words": {"word": "Say it", "bonus": "More"},
            "commands": {"roll": roll},
            "groups": {"dice": {"about": "Dice", "packs": ["large"], "commands": {"throw": roll}}},
        }
    )

    (rolling,) = table.lines(table.words)
    about, (throwing,) = table.grouped()["dice"]

    assert list(rolling.options.items()) == [("word", "Say it"), ("note", "Why"), ("bonus", "More")]
    assert (about, throwing.name, throwing.packs, rolling.packs) == ("Dice", "throw", ("large",), ())
