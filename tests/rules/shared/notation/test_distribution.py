import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

import icepool
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import NoDistribution, TotalOdds, Why, distribution, parse, roll
from bot.rules.shared.notation.pool_odds import TooMuchWork, Work
from tests.dice import ScriptedDice
from tests.rules.shared.notation.expressions import expressions, expressions_at_the_bounds


class _MoreFaces(Exception):
    def __init__(self, sides: int) -> None:
        self.sides = sides


class _Path:
    """Dice that fall as given and then ask which face is next."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = iter(faces)

    def roll(self, sides: int) -> int:
        for face in self._faces:
            return face
        raise _MoreFaces(sides)


def odds_of(expression: str) -> TotalOdds:
    odds = distribution(parse(expression))
    assert isinstance(odds, TotalOdds)
    return odds


def chances(odds: TotalOdds) -> dict[int, Fraction]:
    return {total: Fraction(ways, odds.totals.of) for total, ways in odds.totals.ways.items()}


def every_way_it_falls(expression: str, most: int) -> dict[int, Fraction] | None:
    """The chances by rolling each sequence of faces once; nothing if there are more than *most*."""
    term = parse(expression)
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    open_paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(most):
        if not open_paths:
            return found
        faces, chance = open_paths.pop()
        try:
            found[roll(term, _Path(faces)).total] += chance
        except _MoreFaces as more:
            open_paths += [((*faces, face), chance / more.sides) for face in range(1, more.sides + 1)]
    return None


_small = expressions(most=3, sides=("1", "2", "3", "4", "%"))


@settings(max_examples=200, deadline=None)
@given(_small)
def test_the_chances_match_an_enumeration_of_all_rolls(expression: str) -> None:
    assume("rr" not in expression)
    odds = distribution(parse(expression))
    assume(isinstance(odds, TotalOdds))
    assert isinstance(odds, TotalOdds)
    try:
        counted = every_way_it_falls(expression, 3000)
    except UserError:
        assume(False)
    assume(counted is not None)

    assert chances(odds) == counted


@pytest.mark.parametrize(
    "expression",
    [
        "4d6kh3",
        "4d6pl1 + 2",
        "4d4kh1kl1",
        "4d4ph1pl1",
        "4d4p<3kh1",
        "4d4k>1pl2",
        "4d4mi2kh2ma3",
        "3d4ro<3kh2",
        "3d4kh2ro1",
        "3d4roh1",
        "3d4ra4",
        "3d4ra4kh2",
        "3d4ra1ra4",
        "2d4mi5e5",
        "2d4kh1kl2p3",
        "((3d6)kh2)kl1",
        "(1d6, 2d4)kh1",
        "(1d6, 2d4, 3)kl2",
        "(1d4, 1d4, 1d4)ph1pl1",
        "(1d4 / 2, 1d6 - 3)k>0",
        "(1d6 + 2)k3",
        "2d%kh1",
        "1d6 * 1d6 - 1d4",
        "2d6 >= 7",
        "1d20 // 3 % 4",
        "(1d4, 2d4)kh1 + (1, 2, 3)p2",
        "1d4 * 100003 + 1d4",
        "3d4p1mi99999kh2",
    ],
)
def test_the_chances_of_a_known_expression_match_an_enumeration(expression: str) -> None:
    assert chances(odds_of(expression)) == every_way_it_falls(expression, 20_000)


_ICEPOOL = {
    "3d6": 3 @ icepool.d6,
    "20d6": 20 @ icepool.d6,
    "4d6kh3": icepool.d6.highest(4, 3),
    "4d6pl1": icepool.d6.highest(4, 3),
    "10d6kh5": icepool.d6.highest(10, 5),
    "7d10kl2": icepool.d10.lowest(7, 2),
    "(5d8ph1)pl1": icepool.d8.pool(5)[1:-1].sum(),
    "12d6k>4": 12 @ icepool.d6.map(lambda face: face if face > 4 else 0),
    "6d6p<3kh3": icepool.d6.map(lambda face: face if face > 2 else 0).highest(6, 3),
    "2d6ro<3": 2 @ icepool.d6.reroll([1, 2], depth=1),
    "3d6rr<3": 3 @ icepool.d6.reroll([1, 2], depth="inf"),
    "4d6rr1kh3": icepool.d6.reroll([1], depth="inf").highest(4, 3),
    "8d6mi2": 8 @ icepool.d6.map(lambda face: max(face, 2)),
    "6d20ma15kh3": icepool.d20.map(lambda face: min(face, 15)).highest(6, 3),
    "2d20kh1 + 5 >= 15": icepool.d20.highest(2) + 5 >= 15,
    "(1d6, 2d8)kh1": icepool.highest(icepool.d6, 2 @ icepool.d8),
    "(1d4, 1d6, 1d8)kh2": icepool.highest(icepool.d4, icepool.d6, icepool.d8, keep=2),
    "2d6 * 1d4 - 1d10": (2 @ icepool.d6) * icepool.d4 - icepool.d10,
    "2d%": 2 @ (10 * icepool.z(10)),
}


@pytest.mark.parametrize("expression", _ICEPOOL)
def test_the_chances_match_icepool(expression: str) -> None:
    theirs = _ICEPOOL[expression]

    assert chances(odds_of(expression)) == {
        int(total): theirs.probability("==", total) for total in theirs.outcomes()
    }


class TestQuestions:
    def test_the_chance_to_reach_a_target_is_exact(self) -> None:
        assert odds_of("2d6").at_least(9) == Chance(10, 36)
        assert odds_of("2d6").exactly(7) == Chance(6, 36)
        assert odds_of("2d6").exactly(13) == Chance(0, 36)

    def test_a_distribution_knows_its_lowest_highest_and_mean(self) -> None:
        odds = odds_of("4d6kh3")

        assert (odds.lowest, odds.highest) == (3, 18)
        assert odds.mean == Fraction(15869, 1296)

    def test_a_distribution_knows_its_variance(self) -> None:
        assert odds_of("2d6").variance == Fraction(35, 6)

    @pytest.mark.parametrize(
        ("percent", "total"), [(0, 1), (5, 1), (6, 2), (50, 10), (95, 19), (100, 20), (200, 20)]
    )
    def test_a_percentile_is_the_lowest_total_that_a_share_of_rolls_does_not_exceed(
        self, percent: int, total: int
    ) -> None:
        assert odds_of("1d20").percentile(percent) == total

    def test_decimals_are_cut_off_last(self) -> None:
        assert dict(odds_of("1d4 / 2 - 1").totals.ways) == {0: 3, 1: 1}
        assert dict(odds_of("1d4 / 2 * 2").totals.ways) == {1: 1, 2: 1, 3: 1, 4: 1}

    def test_rerolls_are_counted_to_their_end(self) -> None:
        assert dict(odds_of("1d6rr<3").totals.ways) == {3: 1, 4: 1, 5: 1, 6: 1}


class TestNone:
    @pytest.mark.parametrize("expression", ["1d6e6", "200d6e6", "4d6kh3e6", "1d6rr<7", "2d6rrh1", "2d6eh1"])
    def test_dice_that_may_go_on_for_ever_have_no_distribution(self, expression: str) -> None:
        assert distribution(parse(expression)) == NoDistribution(Why.ENDLESS)

    def test_an_impossible_explosion_does_not_prevent_a_distribution(self) -> None:
        assert chances(odds_of("2d6e7")) == chances(odds_of("2d6"))

    def test_a_roll_that_may_divide_by_zero_has_no_distribution(self) -> None:
        assert distribution(parse("6 / (1d6 - 1)")) == NoDistribution(Why.DIVIDES_BY_ZERO)

    @pytest.mark.parametrize(
        "expression",
        [
            "200d1000",
            "100d100kh50",
            "30d20kh9ro1",
            "1d1000 * 1d1000",
            "1d1000 * 1d1000 * 1d1000",
            "(100d6, 50d6, 30d8)kh2",
        ],
    )
    def test_an_expression_that_takes_too_long_has_no_distribution(self, expression: str) -> None:
        assert distribution(parse(expression)) == NoDistribution(Why.TOO_LARGE)

    def test_a_result_that_may_be_too_large_has_no_distribution(self) -> None:
        assert distribution(parse("1000000 * 1000000 * 1d2")) == NoDistribution(Why.TOO_LARGE)


@pytest.mark.parametrize("expression", ["100d6", "20d6kh10", "50d10", "10d20kl5 + 3d6", "1d1000 + 1d1000"])
def test_large_simple_pools_are_still_exact(expression: str) -> None:
    odds = odds_of(expression)

    assert sum(odds.totals.ways.values()) == odds.totals.of


def test_the_mean_of_a_hundred_dice_is_a_hundred_means() -> None:
    assert odds_of("100d6").mean == 350


pytest.importorskip("resource")

_LARGE = [
    "100d1000kh50",
    "150d1000kh75",
    "200d1000kh99",
    "200d1000kh100",
    "200d1000pl100",
    "200d1000rr<2kh100",
    "200d1000rr<500kh100",
    "200d1000kh1kl1",
    "200d1000mi999kh199",
    "60d1000ma2" + "ro1ma2" * 30,
    "1d1000" + "".join(f"e<{999 - less}" for less in range(30)),
    "1d1000" + "".join(f"el{500 - less}" for less in range(30)),
    "(" + "2d999," * 32 + ")kh1",
    "1d500*100+1d1000",
]


def _rolled_with_little_memory(expressions: list[str]) -> None:
    done = subprocess.run(  # this Python, a module of these tests
        [sys.executable, "-m", "tests.rules.shared.notation.limited"],
        input="\n".join(expressions),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("done\n"), (done.stdout.splitlines()[-1:], done.stderr[-600:])


def test_dice_whose_chances_would_fill_the_memory_are_rolled_without_them() -> None:
    _rolled_with_little_memory(_LARGE)


@settings(max_examples=8, deadline=None)
@given(st.lists(expressions_at_the_bounds(), min_size=25, max_size=25))
def test_no_expression_costs_much_memory_or_time(expressions: list[str]) -> None:
    _rolled_with_little_memory(expressions)


# What each question costs, in steps of about a tenth of a microsecond; one for every way of counting.
_COSTS = [
    ("1d6", 148),
    ("10d6", 517),
    ("1d4*1d6", 520),
    ("1d6 / 1d4", 1720),
    ("3d6 + 2d6", 725),
    ("2d6 - 1d6", 564),
    ("1d4 * 0.5 + 1d6", 732),
    ("1d6 * 100 + 1d6", 4545),
    ("1d4 * 100003 + 1d4", 464),
    ("2d6 >= 7", 298),
    ("(50d100>=2500) * (40d100>=2000)", 1002146),
    ("4d6kh3", 1832),
    ("4d6pl1", 1832),
    ("4d6kh0", 41),
    ("4d6kh4", 501),
    ("20d6kh10", 11944),
    ("6d6p<3kh3", 4052),
    ("4d4kh1kl1", 2849),
    ("8d4kh2kl3k2", 9399),
    ("2d6ro<3", 248),
    ("3d6rr<3", 240),
    ("8d6mi2", 427),
    ("6d20ma15kh3", 4937),
    ("2d1000kh1", 83621),
    ("3d4kh2ro1", 2744),
    ("3d4kh2ro1ro2", 3262),
    ("3d4ra4kh2", 4980),
    ("3d4kh2ma3", 2110),
    ("3d4rol1", 3580),
    ("2d4kh1rr1", 797),
    ("((3d6)kh2)kl1", 4879),
    ("(1d6, 2d8)kh1", 528),
    ("(1d4,1d6,1d8)kh2", 4792),
    ("(1d4,1d6)kl2kh1", 1934),
    ("(1d4,1d6,1d8)k>3", 8604),
    ("(1d6 + 2)k3", 609),
]


@pytest.mark.parametrize(("expression", "cost"), _COSTS)
def test_a_question_is_answered_for_its_cost_and_for_nothing_less(expression: str, cost: int) -> None:
    term = parse(expression)

    assert isinstance(distribution(term, cost), TotalOdds)
    assert distribution(term, cost - 1) == NoDistribution(Why.TOO_LARGE)


class TestWork:
    @pytest.mark.parametrize(("bits", "others", "cost"), [(100, 200, 3), (10_000, 20_000, 2681), (0, 0, 3)])
    def test_a_product_costs_as_much_as_its_numbers_are_long(self, bits: int, others: int, cost: int) -> None:
        work = Work(cost)
        work.multiply(bits, others)

        assert work.left == 0
        with pytest.raises(TooMuchWork):
            work.multiply(bits, others)

    def test_ten_million_bytes_may_be_held_and_no_more(self) -> None:
        Work.fit(10_000_000)
        Work(10**12).multiply(80_000_000, 7)

        with pytest.raises(TooMuchWork):
            Work.fit(10_000_001)
        with pytest.raises(TooMuchWork):
            Work(10**12).multiply(80_000_000, 8)


@pytest.mark.parametrize("expression", ["100d1000kh50", "200d1000kh100", "200d1000rr<500kh100"])
def test_too_many_chances_are_not_counted(expression: str) -> None:
    assert distribution(parse(expression)) == NoDistribution(Why.TOO_LARGE)


@pytest.mark.parametrize("expression", ["60d20kh30", "50d20kh25", "60d100", "200d1000kh1", "200d10"])
def test_as_many_chances_as_can_be_counted_quickly_are(expression: str) -> None:
    assert isinstance(distribution(parse(expression)), TotalOdds)


def test_more_cases_than_can_be_written_are_not_counted() -> None:
    assert distribution(parse("60d1000ma2" + "ro1ma2" * 30)) == NoDistribution(Why.TOO_LARGE)


def test_many_selectors_together_pick_what_any_of_them_picks() -> None:
    rolled = roll("4d6k1k6k<1k>5kh1", ScriptedDice("d6:1 d6:6 d6:3 d6:6"))

    assert [die.kept for die in rolled.dice[0].dice] == [True, True, False, True]
