"""How unusual a series of dice is: held against counting every series there is."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from bot.table.base.luck import average_chance, faces_chance

SMALL = [(2, 6), (3, 1), (4, 5), (6, 4)]


def every_series(sides: int, rolls: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=rolls))


def counts_of(series: tuple[int, ...], sides: int) -> tuple[int, ...]:
    return tuple(series.count(face) for face in range(1, sides + 1))


def off(counts: tuple[int, ...]) -> int:
    return max(abs(one * len(counts) - sum(counts)) for one in counts)


def shares_at_least(measured: list[int]) -> Iterator[tuple[int, Fraction]]:
    """Each measure with the share of all that are at least as large."""
    for one in set(measured):
        yield one, Fraction(sum(other >= one for other in measured), len(measured))


@pytest.mark.parametrize(("sides", "rolls"), SMALL)
def test_the_chance_of_an_average_is_the_share_of_all_series_as_far_off(sides: int, rolls: int) -> None:
    middle = rolls * (sides + 1)
    for away, share in shares_at_least([abs(2 * sum(one) - middle) for one in every_series(sides, rolls)]):
        for twice in {middle - away, middle + away}:
            if twice % 2 == 0:
                assert average_chance(sides, rolls, twice // 2) == share


@pytest.mark.parametrize(("sides", "rolls"), SMALL)
def test_the_chance_of_an_odd_face_is_the_share_of_all_series_as_far_off(sides: int, rolls: int) -> None:
    counted = [counts_of(one, sides) for one in every_series(sides, rolls)]
    shares = dict(shares_at_least([off(one) for one in counted]))
    for one in set(counted):
        assert faces_chance(one) == pytest.approx(float(shares[off(one)]), abs=1e-12)


def test_no_dice_are_not_unusual() -> None:
    assert average_chance(6, 0, 0) == 1
    assert faces_chance((0, 0)) == faces_chance(()) == 1


def test_a_known_long_series_has_its_known_chance() -> None:
    """Ten sixes in ten dice, or ten ones: 2 in 6 to the 10th."""
    assert average_chance(6, 10, 60) == Fraction(2, 6**10)
    assert faces_chance((0, 0, 0, 0, 0, 10)) == pytest.approx(6 / 6**10, rel=1e-6)
