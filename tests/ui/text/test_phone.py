"""How much of a phone's screen a text takes, and which of ever shorter versions is shown."""

from bot.ui.text.reply import Button, rows_of
from bot.ui.text.text import as_many, first_short, fitting, height


def test_a_line_of_43_characters_takes_two_lines() -> None:
    assert height(["a" * 42]) == 1
    assert height(["a" * 43]) == 2
    assert height(["a\n\nb", ""]) == 4


def test_marks_and_custom_emojis_take_no_room() -> None:
    assert height([f"-# **{'a' * 20}** ~~{'b' * 20}~~<:d6_4:123456789012345678>"]) == 1
    assert height([r"\*" * 42]) == 1


def test_the_first_version_of_eight_lines_is_shown_else_the_last() -> None:
    assert first_short([["a"] * 9, ["b"] * 8, ["c"]]) == ["b"] * 8
    assert first_short([["a"] * 10, ["b"] * 9]) == ["b"] * 9
    assert first_short([[r"\*" * 42] * 8, ["b"]]) == [r"\*" * 42] * 8


def test_as_many_stops_where_fitting_takes_the_next_shorter_line() -> None:
    more = ["a", "b" * 200, "c"]

    assert as_many(["top"] * 5, more) == 1
    assert fitting(["top"] * 5, more) == ["a", "c"]


def test_buttons_stand_in_rows_that_a_phone_does_not_break() -> None:
    labels = (
        "Ask …",
        "Rest …",
        "Time …",
        "Award …",
        "Countdowns",
        "Last acts",
        "Check: Heavy Armor Use +6",
        "A",
    )

    rows = rows_of([Button(id=label, label=label) for label in labels])

    assert [[one.label for one in row] for row in rows] == [
        ["Ask …", "Rest …", "Time …"],
        ["Award …", "Countdowns"],
        ["Last acts"],
        ["Check: Heavy Armor Use +6"],
        ["A"],
    ]
    assert [len(row) for row in rows_of([Button(id="a", label="Long label")] * 7, 5)] == [5, 2]
