"""Attributes: their scale, and the ways to get them."""

import icepool
import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.rpj.module.basics import Category, RpjAttribute, raise_cost
from bot.rules.rpj.module.module import ARRAYS, AttributeRules
from bot.rules.rpj.new_characters import (
    LUCK_LEVEL,
    POOL,
    RpjLuckInputs,
    RpjPoolInputs,
    array_problems,
    bought_problems,
    highest_categories,
    leftover_bonus,
    level_odds,
    points_spent,
    pool_of,
    pool_problems,
    range_problems,
)
from tests.rules.rpj.character.test_belongings import LAENIEL, RULES, UG
from tests.rules.rpj.people import levels
from tests.rules.rpj.throws import d6, enumerated, told


@pytest.mark.rule("RPJ-ATTR-01")
class TestAttributeScale:
    def test_attributes_go_from_0_to_6(self) -> None:
        assert list(range_problems(levels("STR 7 CON 6"), RULES)) == ["Strength must be from 0 to 6, not 7."]

    def test_a_module_may_allow_attributes_above_6(self) -> None:
        assert list(range_problems(levels("STR 7"), AttributeRules(highest=9))) == []

    def test_negative_attributes_need_a_module_that_allows_them(self) -> None:
        assert list(range_problems({RpjAttribute.CHA: -1}, RULES)) == [
            "Charisma must be from 0 to 6, not -1."
        ]
        assert list(range_problems({RpjAttribute.CHA: -1}, AttributeRules(lowest=-2))) == []


@pytest.mark.rule("RPJ-ATTR-09")
class TestRollingSevenPairs:
    @pytest.mark.parametrize(
        ("faces", "pool"),
        [
            ((6, 6, 4, 5, 3, 4, 3, 3, 2, 3, 2, 2, 1, 2), (6, 4, 3, 3, 2, 2)),
            ((6, 6, 4, 4, 3, 4, 3, 4, 2, 3, 2, 3, 1, 2), (6, 4, 3, 3, 2, 2)),
            ((3, 4) * 7, (3, 3, 3, 3, 3, 3)),
        ],
    )
    def test_each_of_seven_pairs_is_halved_and_the_lowest_is_dropped(
        self, faces: tuple[int, ...], pool: tuple[int, ...]
    ) -> None:
        roll = POOL.resolve(RpjPoolInputs(), d6(*faces))

        assert pool_of(roll) == pool

    def test_all_seven_pairs_are_shown_with_the_dropped_pair_struck(self) -> None:
        roll = POOL.resolve(RpjPoolInputs(), d6(1, 2, *(6, 6) * 6))

        assert len(roll.dice) == 14
        assert [die.is_kept for die in roll.dice[:3]] == [False, False, True]
        assert [die.shown for die in roll.dice[:4]] == ["⚀", "⚁ (1)", "⚅", "⚅ (6)"]
        assert roll.verdict == Verdict(Family.NEWS, "levels 6, 6, 6, 6, 6, 6")

    def test_only_one_pair_is_dropped_when_several_are_lowest(self) -> None:
        roll = POOL.resolve(RpjPoolInputs(), d6(*(1, 1) * 7))

        assert [die.is_kept for die in roll.dice].count(False) == 2

    def test_the_odds_of_each_attribute_level_are_exact(self) -> None:
        assert level_odds(RpjLuckInputs()).chances == (
            ("1", Chance(3, 36)),
            ("2", Chance(7, 36)),
            ("3", Chance(11, 36)),
            ("4", Chance(9, 36)),
            ("5", Chance(5, 36)),
            ("6", Chance(1, 36)),
        )

    def test_the_player_must_assign_exactly_the_levels_rolled(self) -> None:
        assert list(pool_problems(LAENIEL, (6, 4, 3, 3, 2, 2), Category.SHIFTY)) == []
        assert list(pool_problems(LAENIEL, (6, 4, 3, 3, 2, 1), Category.SHIFTY)) == [
            "Assign the levels you rolled: 6, 4, 3, 3, 2, 1, not 6, 4, 3, 3, 2, 2."
        ]
        assert list(pool_problems(LAENIEL, (), Category.SHIFTY)) == ["Roll the levels first."]


@pytest.mark.rule("RPJ-ATTR-10")
class TestRollingTenDice:
    @pytest.mark.parametrize(
        ("faces", "pool"),
        [((1, 1, 2, 3, 3, 4, 4, 5, 6, 6), (5, 4, 4, 3, 3, 2)), ((4,) * 10, (4, 4, 4, 4, 4, 4))],
    )
    def test_the_two_highest_and_two_lowest_of_ten_dice_are_discarded(
        self, faces: tuple[int, ...], pool: tuple[int, ...]
    ) -> None:
        roll = POOL.resolve(RpjPoolInputs(is_10d6=True), d6(*faces))

        assert pool_of(roll) == pool
        assert [die.is_kept for die in roll.dice].count(False) == 4


@pytest.mark.rule("RPJ-ATTR-11")
class TestPrimaryCategory:
    def test_the_primary_category_is_the_one_with_the_highest_sum(self) -> None:
        assert highest_categories(LAENIEL) == (Category.SHIFTY,)

    def test_the_player_chooses_between_categories_with_equal_sums(self) -> None:
        tied = levels("STR 3 CON 4 DEX 4 CHA 3 WIL 2 INT 3")

        assert highest_categories(tied) == (Category.BRAWNY, Category.SHIFTY)
        assert list(pool_problems(tied, (4, 4, 3, 3, 3, 2), Category.SHIFTY)) == []

    def test_a_primary_category_without_the_highest_sum_is_refused(self) -> None:
        assert list(pool_problems(LAENIEL, (6, 4, 3, 3, 2, 2), Category.BRAINY)) == [
            "Choose Shifty as primary category: the highest sum."
        ]


@pytest.mark.rule("RPJ-ATTR-13")
class TestAttributeCosts:
    @pytest.mark.parametrize(
        ("now", "wanted", "cost"),
        [(1, 2, 2), (1, 6, 20), (2, 4, 7), (3, 6, 15), (4, 5, 5), (5, 6, 6), (2, 2, 0), (3, 2, 0)],
    )
    def test_raising_an_attribute_costs_the_number_of_each_level(
        self, now: int, wanted: int, cost: int
    ) -> None:
        assert raise_cost(now, wanted) == cost

    @pytest.mark.parametrize(
        ("now", "costs"),
        [(1, [2, 5, 9, 14, 20]), (2, [3, 7, 12, 18]), (3, [4, 9, 15]), (4, [5, 11]), (5, [6])],
    )
    def test_attribute_costs_match_the_printed_table(self, now: int, costs: list[int]) -> None:
        assert [raise_cost(now, wanted) for wanted in range(now + 1, 7)] == costs


@pytest.mark.rule("RPJ-ATTR-12")
class TestPointBuy:
    def test_ug_spends_38_of_his_40_attribute_points(self) -> None:
        assert points_spent(UG, RULES) == 38
        assert list(bought_problems(UG, Category.BRAINY, RULES)) == []

    @pytest.mark.parametrize(
        ("bought", "cost"), [("INT 6", 20), ("WIL 4", 9), ("CON 3", 5), ("DEX 2 STR 2", 4)]
    )
    def test_point_buy_starts_every_attribute_at_1(self, bought: str, cost: int) -> None:
        ones = levels("STR 1 CON 1 DEX 1 CHA 1 WIL 1 INT 1")
        raised = {attribute: level for attribute, level in levels(bought).items() if level}

        assert points_spent({**ones, **raised}, RULES) == cost

    def test_only_the_primary_category_can_be_bought_to_5(self) -> None:
        five = {**UG, RpjAttribute.DEX: 5}

        assert list(bought_problems(five, Category.BRAINY, RULES)) == [
            "You can buy Dexterity from 1 to 4, not 5.",
            "Lower some levels: they cost 50 attribute points; you have 40.",
        ]

    def test_no_attribute_can_be_bought_below_1(self) -> None:
        assert list(bought_problems({**UG, RpjAttribute.CHA: 0}, Category.BRAINY, RULES)) == [
            "You can buy Charisma from 1 to 4, not 0."
        ]

    def test_point_buy_needs_a_primary_category(self) -> None:
        low = levels("STR 1 CON 1 DEX 1 CHA 1 WIL 1 INT 1")

        assert list(bought_problems(low, None, RULES)) == [
            "Choose a primary category: Brawny, Shifty or Brainy."
        ]


@pytest.mark.rule("RPJ-ATTR-14")
class TestLeftoverPoints:
    @pytest.mark.parametrize(
        ("bought", "bonus"),
        [
            ("STR 4 CON 4 DEX 4 CHA 3 WIL 3 INT 2", 2),
            ("STR 5 CON 4 DEX 3 CHA 3 WIL 3 INT 2", 0),
            ("STR 1 CON 1 DEX 1 CHA 1 WIL 1 INT 1", 2),
        ],
    )
    def test_leftover_attribute_points_give_two_character_points(self, bought: str, bonus: int) -> None:
        assert leftover_bonus(levels(bought), RULES) == bonus

    @pytest.mark.parametrize(("points", "bonus"), [(38, 0), (39, 2), (40, 2), (52, 2)])
    def test_leftover_bonus_is_exact_with_0_1_2_and_14_points_left(self, points: int, bonus: int) -> None:
        assert leftover_bonus(UG, AttributeRules(points=points)) == bonus


@pytest.mark.rule("RPJ-ATTR-15")
class TestReadySets:
    @pytest.mark.parametrize(
        ("place", "spread", "cost", "bonus"),
        [
            (0, "DEX 6 CHA 3 STR 3 CON 3 WIL 2 INT 2", 39, 2),
            (1, "DEX 5 CHA 4 STR 3 CON 3 WIL 3 INT 2", 40, 0),
            (2, "DEX 4 CHA 4 STR 3 CON 3 WIL 3 INT 3", 38, 2),
        ],
    )
    def test_the_three_attribute_arrays_cost_about_forty_points(
        self, place: int, spread: str, cost: int, bonus: int
    ) -> None:
        array = ARRAYS[place]

        assert list(array_problems(levels(spread), Category.SHIFTY, array)) == []
        assert points_spent(levels(spread), RULES) == cost
        assert array.bonus == bonus

    def test_the_starred_levels_of_an_array_go_to_one_category(self) -> None:
        split = levels("DEX 6 CHA 2 INT 3 WIL 3 STR 3 CON 2")

        assert list(array_problems(split, Category.SHIFTY, ARRAYS[0])) == [
            "With array A, give Shifty 6, 3, not 6, 2.",
            "With array A, give the others 3, 3, 2, 2, not 3, 3, 3, 2.",
        ]

    def test_an_attribute_array_needs_a_primary_category(self) -> None:
        assert list(array_problems(UG, None, ARRAYS[0])) == [
            "Choose a primary category: Brawny, Shifty or Brainy."
        ]


@pytest.mark.rule("RPJ-ATTR-16")
class TestRollingLuck:
    @pytest.mark.parametrize(("faces", "luck"), [((3, 4), 3), ((1, 1), 1), ((6, 6), 6), ((4, 5), 4)])
    def test_luck_is_half_of_two_dice_rounded_down(self, faces: tuple[int, int], luck: int) -> None:
        roll = LUCK_LEVEL.resolve(RpjLuckInputs(), d6(*faces))

        assert (roll.outcome, roll.verdict.title) == (str(luck), f"Luck {luck}")

    def test_the_odds_of_luck_match_a_count_of_every_roll(self) -> None:
        assert enumerated(lambda dice: LUCK_LEVEL.resolve(RpjLuckInputs(), dice)) == told(
            level_odds(RpjLuckInputs())
        )

    def test_icepool_gives_the_same_odds_of_luck(self) -> None:
        half = (2 @ icepool.d6) // 2

        assert told(level_odds(RpjLuckInputs())) == {str(n): half.probability("==", n) for n in range(1, 7)}
