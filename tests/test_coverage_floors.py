"""The floors of test coverage, with numbers written out."""

import pytest

from tests.coverage_floors import problems


@pytest.mark.parametrize(
    ("missed", "found"),
    [(5, []), (6, ["bot/rules/toy: 94.0% of 100 statements and branches run, not 95%"])],
)
def test_a_room_of_the_rules_must_be_covered_to_95_percent(missed: int, found: list[str]) -> None:
    assert list(problems({"bot/rules/toy": 100}, {"bot/rules/toy": missed})) == found


@pytest.mark.parametrize(
    ("missed", "found"), [(4, []), (5, ["cogs: 87.5% of 40 statements and branches run, not 90%"])]
)
def test_other_rooms_must_be_covered_to_90_percent(missed: int, found: list[str]) -> None:
    assert list(problems({"cogs": 40}, {"cogs": missed})) == found


def test_a_room_without_a_missed_line_is_well_covered() -> None:
    assert list(problems({"bot/rules/toy": 40}, {})) == []
