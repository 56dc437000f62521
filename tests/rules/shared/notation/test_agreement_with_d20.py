"""The same expressions on the same faces, here and in the d20 library 1.1.2.

``results_of_d20.tsv`` has what the library made of random expressions on fair dice. A row has the expression,
the exact value, the total, the faces that are kept of each term's dice with their number, and every die in
the order in which it was thrown. Where there is no value, the reason stands in its place.
"""

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from bot.rules.kernel.dice import FairDice
from bot.rules.shared.notation import DividedByZero, Endless, Rolled, Unreadable, roll
from tests.dice import ScriptedDice

RESULTS = Path(__file__).with_name("results_of_d20.tsv")
NO_VALUE = {"refused": Unreadable, "endless": Endless, "divided by zero": DividedByZero}


def _results() -> list[dict[str, str]]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", restval="", quoting=csv.QUOTE_NONE))


WITH_VALUE = [row for row in _results() if row["value"] not in NO_VALUE]
WITHOUT = [row for row in _results() if row["value"] in NO_VALUE]


def _kept(ours: Rolled) -> str:
    """The faces that are kept of each term's dice, sorted: d20 re-rolls several dice in any order."""
    faces = [
        (sorted(die.value for die in pool.dice if die.kept), sum(len(die.faces) for die in pool.dice))
        for pool in ours.dice
    ]
    return " ".join(f"{','.join(map(str, kept))}/{count}" for kept, count in faces)


def test_the_table_has_every_kind_of_result() -> None:
    assert len(WITH_VALUE) > 500
    assert {row["value"] for row in WITHOUT} == set(NO_VALUE)


@pytest.mark.parametrize("row", WITH_VALUE, ids=lambda row: row["expression"])
def test_every_expression_comes_to_the_same_total_with_the_same_dice_kept(row: dict[str, str]) -> None:
    dice = ScriptedDice(row["dice"])

    ours = roll(row["expression"], dice)

    assert ours.value == Fraction(row["value"])
    assert ours.total == int(row["total"])
    assert " ".join(f"d{fall.sides}:{fall.face}" for fall in ours.throws) == row["dice"]
    assert _kept(ours) == row["kept"]


@pytest.mark.parametrize("row", WITHOUT, ids=lambda row: row["expression"])
def test_an_expression_without_a_value_is_refused_for_the_same_reason(row: dict[str, str]) -> None:
    with pytest.raises(NO_VALUE[row["value"]]):
        roll(row["expression"], FairDice(b"any", "1"))
