"""Things on a sheet: added, removed and moved, in use or carried."""

from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import Chance
from bot.rules.rpj.character.belongings import everything, moved, with_thing, without_thing
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.creation.new_characters import (
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
from bot.rules.rpj.gear.trading import acquisition
from bot.rules.rpj.module.basics import Category, RpjAttribute, raise_cost
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import ARRAYS, AttributeRules
from bot.rules.rpj.module.possessions import (
    Earmark,
    Holdings,
    Possession,
    Purse,
    RpjPlace,
    burn,
    buy_wealth,
    end_month,
    income_of,
    pay,
    plan_earmark,
    queue_income,
    share,
)
from bot.rules.rpj.resolution.check import CHECK, check_odds, reading_of
from bot.rules.rpj.resolution.check_inputs import CriticalRules
from tests.rules.rpj.people import FANTASY, figure, levels, sheet
from tests.rules.rpj.throws import d6, enumerated, thrown, told


def thing(item: str, count: int = 1, place: RpjPlace = RpjPlace.CARRIED, **changes: int) -> Possession:
    return Possession(item=item, count=count, place=place, changes=changes)


def owner(*things: Possession, **more: Any) -> RpjSheet:
    return sheet(possessions=tuple(things), **more)


def listed(own: RpjSheet) -> list[tuple[str, int, str]]:
    return sorted((one.item, one.count, str(one.place)) for one in everything(own, FANTASY))


@pytest.mark.rule("RPJ-INV-01")
class TestAdding:
    @pytest.mark.parametrize(
        ("before", "added", "after"),
        [
            (owner(), thing("bow"), [("bow", 1, "carried")]),
            (owner(thing("bow")), thing("bow"), [("bow", 2, "carried")]),
            (owner(thing("bow", 2)), thing("bow", 3), [("bow", 5, "carried")]),
            (
                owner(thing("bow")),
                thing("bow", place=RpjPlace.AWAY),
                [("bow", 1, "carried"), ("bow", 1, "left behind")],
            ),
            (owner(thing("bow")), thing("bow", damage=1), [("bow", 1, "carried"), ("bow", 1, "carried")]),
            (
                owner(thing("club"), thing("bow"), thing("dagger")),
                thing("bow"),
                [("bow", 2, "carried"), ("club", 1, "carried"), ("dagger", 1, "carried")],
            ),
            (owner(), thing("bow", place=RpjPlace.HELD), [("bow", 1, "held")]),
            (
                owner(belongings=("club",)),
                thing("bow", place=RpjPlace.HELD),
                [("bow", 1, "held"), ("club", 1, "held")],
            ),
        ],
    )
    def test_like_things_are_counted_together(
        self, before: RpjSheet, added: Possession, after: list[tuple[str, int, str]]
    ) -> None:
        assert listed(with_thing(before, added)) == after

    @pytest.mark.parametrize(
        ("before", "count"), [(owner(), 2), (owner(belongings=("bow",)), 1), (owner(belongings=("bow",)), 2)]
    )
    def test_only_one_of_a_kind_is_in_use(self, before: RpjSheet, count: int) -> None:
        with pytest.raises(UserError, match="one of a kind"):
            with_thing(before, thing("bow", count, RpjPlace.HELD))

    def test_the_quality_of_what_is_in_use_stays_with_it(self) -> None:
        held = with_thing(owner(), thing("bow", place=RpjPlace.HELD, damage=1))

        assert held.qualities == {"bow": {"damage": 1}}
        assert with_thing(owner(), thing("bow", place=RpjPlace.HELD)).qualities == {}
        gone = without_thing(held, thing("bow", place=RpjPlace.HELD, damage=1))
        assert (gone.belongings, gone.qualities) == ((), {})


@pytest.mark.rule("RPJ-INV-01")
class TestRemoving:
    @pytest.mark.parametrize(
        ("count", "left"), [(1, [("bow", 2, "carried")]), (2, [("bow", 1, "carried")]), (3, []), (4, None)]
    )
    def test_no_more_can_be_removed_than_there_is(
        self, count: int, left: list[tuple[str, int, str]] | None
    ) -> None:
        before = owner(thing("bow", 3), thing("club"))

        if left is None:
            with pytest.raises(UserError, match="only have 3"):
                without_thing(before, thing("bow", 3), count)
        else:
            assert listed(without_thing(before, thing("bow", 3), count)) == [*left, ("club", 1, "carried")]

    def test_what_is_in_use_is_put_down_and_the_rest_stays(self) -> None:
        before = owner(thing("bow"), belongings=("bow", "club"), qualities={"club": {"damage": 1}})

        after = without_thing(before, thing("bow", place=RpjPlace.HELD))

        assert (after.belongings, after.qualities) == (("club",), {"club": {"damage": 1}})
        assert after.possessions == before.possessions


@pytest.mark.rule("RPJ-INV-01", "RPJ-GCS-59")
class TestMoving:
    def test_one_of_several_is_taken_in_hand(self) -> None:
        own = figure(possessions=(thing("bow", 3),))

        assert listed(moved(own, thing("bow", 3), RpjPlace.HELD)) == [
            ("bow", 1, "held"),
            ("bow", 2, "carried"),
        ]
        assert listed(moved(own, thing("bow", 3), RpjPlace.AWAY, 2)) == [
            ("bow", 1, "carried"),
            ("bow", 2, "left behind"),
        ]

    def test_a_set_of_armor_takes_the_place_of_the_one_worn(self) -> None:
        sets = [armor.id for armor in FANTASY.armor if armor.kind is LayerKind.ARMOR][:2]
        shield = next((armor.id for armor in FANTASY.armor if armor.kind is LayerKind.SHIELD), "club")
        own = figure(belongings=(sets[0], shield), possessions=(thing(sets[1]),))

        after = moved(own, thing(sets[1]), RpjPlace.WORN)

        assert set(after.belongings) == {sets[1], shield}
        assert after.possessions == (thing(sets[0]),)


DAY = 24 * 3600


def purse(coin: int = 0, wealth: int = 0, earmarked: int = 0) -> Purse:
    """A purse, some of its Wealth set aside for a house."""
    earmarks = (Earmark(name="house", amount=earmarked),) if earmarked else ()
    return Purse(coin=coin, wealth=wealth, holdings=Holdings(earmarks=earmarks))


@pytest.mark.rule("RPJ-MONEY-01", "RPJ-MONEY-03")
class TestPaying:
    @pytest.mark.parametrize(("coin", "cost", "left"), [(10, 6, 4), (0, 0, 0), (6, 6, 0)])
    def test_paying_takes_the_cost_from_coin(self, coin: int, cost: int, left: int) -> None:
        assert pay(purse(coin), cost).coin == left

    def test_nobody_can_pay_more_coin_than_they_have(self) -> None:
        with pytest.raises(UserError, match="That costs 6 Coin; you have 5"):
            pay(purse(5), 6)


@pytest.mark.rule("RPJ-MONEY-12")
class TestWealthBringsCoin:
    @pytest.mark.parametrize(
        ("wealth", "coin", "after"),
        [(9, 6, 8), (9, 8, 9), (0, 3, 3), (5, 5, 5), (20, 10, 14), (1, 0, 1), (4, 7, 7)],
    )
    def test_each_month_wealth_brings_a_fifth_in_coin_until_coin_equals_wealth(
        self, wealth: int, coin: int, after: int
    ) -> None:
        assert end_month(purse(coin, wealth)).coin == after

    def test_wealth_set_aside_brings_no_coin_and_lowers_the_cap(self) -> None:
        assert end_month(purse(3, 9, earmarked=4)).coin == 4


@pytest.mark.rule("RPJ-MONEY-13")
def test_monthly_coin_comes_before_income_and_only_wealths_coin_is_capped() -> None:
    after = end_month(queue_income(purse(8, 9), "pay", 1))
    assert after.coin == 10
    assert after.holdings.income == ()


@pytest.mark.rule("RPJ-MONEY-14")
class TestGainingWealth:
    def test_ten_coin_buy_one_wealth(self) -> None:
        after = buy_wealth(purse(25), 2, "a mill")
        assert (after.coin, after.wealth, after.holdings.assets) == (5, 2, ("a mill",))

    def test_nine_coin_cannot_buy_wealth(self) -> None:
        with pytest.raises(UserError, match="costs 10 Coin"):
            buy_wealth(purse(9), 1, "a mill")


@pytest.mark.rule("RPJ-MONEY-15")
class TestSettingWealthAside:
    def test_wealth_is_set_aside_at_the_end_of_the_month(self) -> None:
        planned = plan_earmark(purse(0, 9), "ship", 4)
        assert planned.free_wealth == 9
        after = end_month(planned)
        assert after.coin == 2  # all nine brought Coin this month
        assert (after.free_wealth, after.earmarked) == (5, 4)

    def test_more_wealth_than_there_is_cannot_be_set_aside(self) -> None:
        with pytest.raises(UserError, match="You can set aside 9 Wealth, not 10"):
            plan_earmark(purse(0, 9), "ship", 10)

    def test_wealth_set_aside_is_freed_at_the_end_of_the_month(self) -> None:
        planned = plan_earmark(purse(0, 9, earmarked=4), "House", 0)
        assert planned.earmarked == 4
        assert end_month(planned).earmarked == 0

    def test_an_earmark_that_wealth_cannot_cover_is_dropped(self) -> None:
        planned = plan_earmark(plan_earmark(purse(0, 5), "ship", 3), "crew", 2)
        assert end_month(burn(planned, 1)).holdings.earmarks == (Earmark(name="ship", amount=3),)


@pytest.mark.rule("RPJ-MONEY-16")
class TestBurningWealth:
    def test_burning_one_wealth_gives_five_coin(self) -> None:
        after = burn(purse(1, 3), 1)
        assert (after.wealth, after.coin) == (2, 6)

    @pytest.mark.parametrize("poor", [purse(0, 0), purse(0, 3, earmarked=3)])
    def test_wealth_that_is_missing_or_set_aside_cannot_be_burned(self, poor: Purse) -> None:
        with pytest.raises(UserError, match="You can use 0 Wealth"):
            burn(poor, 1)


@pytest.mark.rule("RPJ-MONEY-17")
class TestSharingMoney:
    def test_shared_wealth_brings_coin_to_its_new_owner(self) -> None:
        giver, taker = share(purse(4, 5), purse(1, 0), coin=1, wealth=3)
        assert (giver.coin, giver.wealth) == (3, 2)
        assert (taker.coin, taker.wealth) == (2, 3)
        assert end_month(taker).coin == 3

    @pytest.mark.parametrize(("coin", "wealth"), [(5, 0), (0, 3), (5, 3)])
    def test_nobody_can_share_more_than_they_have_free(self, coin: int, wealth: int) -> None:
        with pytest.raises(UserError):
            share(purse(4, 5, earmarked=3), purse(), coin=coin, wealth=wealth)

    @given(
        coin=st.integers(0, 20), wealth=st.integers(0, 20), gift=st.integers(0, 30), asset=st.integers(0, 30)
    )
    def test_sharing_money_never_changes_the_total(
        self, coin: int, wealth: int, gift: int, asset: int
    ) -> None:
        before = (purse(coin, wealth), purse(2, 1))
        try:
            after = share(*before, coin=gift, wealth=asset)
        except UserError:
            after = before
        assert sum(one.coin for one in after) == coin + 2
        assert sum(one.wealth for one in after) == wealth + 1
        assert min(one.coin for one in after) >= 0
        assert min(one.wealth for one in after) >= 0


@pytest.mark.rule("RPJ-MONEY-11")
class TestAcquisitionRolls:
    def test_an_acquisition_roll_adds_coin_and_has_the_cost_in_its_target_number(self) -> None:
        asked = acquisition(9, 6, CriticalRules())
        assert asked.target == 13
        assert reading_of(thrown(asked, 1, 3)).result == "success"
        assert reading_of(thrown(asked, 2, 1)).result == "failure"

    def test_an_acquisition_that_cannot_be_paid_is_refused(self) -> None:
        with pytest.raises(UserError, match="That costs 6 Coin"):
            acquisition(5, 6, CriticalRules())
        assert acquisition(6, 6, CriticalRules()).target == 13

    def test_the_odds_of_an_acquisition_roll_are_exact(self) -> None:
        odds = check_odds(acquisition(9, 6, CriticalRules()))
        assert odds.enough == Fraction(33, 36)  # 4 to 12, of which 3 ways of 36 fall short

    def test_an_exact_match_on_an_acquisition_roll_has_no_complication(self) -> None:
        roll = CHECK.resolve(acquisition(9, 6, CriticalRules()), d6(1, 3))
        assert roll.verdict.title == "success, 0 degrees"


@pytest.mark.rule("RPJ-MONEY-12", "RPJ-MONEY-13", "RPJ-MONEY-15")
class TestMonths:
    @pytest.mark.parametrize(
        ("coin", "wealth", "income"),
        [
            (0, 0, 0),
            (0, 1, 1),
            (0, 5, 1),
            (0, 6, 2),
            (4, 5, 1),
            (5, 5, 0),
            (6, 5, 0),
            (18, 20, 2),
            (19, 20, 1),
        ],
    )
    def test_wealth_brings_a_fifth_of_itself_up_to_its_own_amount(
        self, coin: int, wealth: int, income: int
    ) -> None:
        assert income_of(coin, wealth) == income
        assert end_month(purse(coin, wealth)).coin == coin + income

    @pytest.mark.parametrize(
        ("wealth", "amounts", "kept"),
        [
            (5, (2, 3), (2, 3)),
            (4, (2, 3), (2,)),
            (3, (2, 3, 1), (2, 1)),
            (1, (2, 3), ()),
            (6, (2, 3), (2, 3)),
        ],
    )
    def test_earmarks_that_wealth_is_not_enough_for_are_dropped(
        self, wealth: int, amounts: tuple[int, ...], kept: tuple[int, ...]
    ) -> None:
        marks = tuple(Earmark(name=f"mark {place}", amount=amount) for place, amount in enumerate(amounts))
        before = Purse(coin=0, wealth=wealth, holdings=Holdings(planned=marks))

        after = end_month(before)

        assert tuple(one.amount for one in after.holdings.earmarks) == kept
        assert after.holdings.planned is None

    def test_other_income_is_paid_once(self) -> None:
        before = queue_income(queue_income(purse(1, 0), "rent", 4), "prize", 3)

        after = end_month(before)

        assert (after.coin, after.holdings.income) == (8, ())
        assert end_month(after).coin == 8

    @pytest.mark.parametrize(
        ("name", "amount", "planned"),
        [
            ("ship", 2, [("house", 1), ("ship", 2)]),
            ("House", 3, [("House", 3)]),
            ("house", 0, []),
            ("ship", 3, None),
            ("house", 4, None),
        ],
    )
    def test_planned_earmarks_fit_into_wealth(
        self, name: str, amount: int, planned: list[tuple[str, int]] | None
    ) -> None:
        before = plan_earmark(purse(0, 3), "house", 1)

        if planned is None:
            with pytest.raises(UserError, match="You can set aside"):
                plan_earmark(before, name, amount)
        else:
            after = plan_earmark(before, name, amount).holdings.planned
            assert after is not None
            assert [(one.name, one.amount) for one in after] == planned


RULES = AttributeRules()
LAENIEL = levels("DEX 6 CHA 4 INT 3 WIL 2 CON 3 STR 2")
UG = levels("STR 2 CON 3 INT 6 WIL 4 DEX 2 CHA 1")


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
