"""Things on a sheet: added, removed and moved, in use or carried."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import everything, moved, with_thing, without_thing
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import AttributeRules
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
from bot.rules.rpj.trading import acquisition
from tests.rules.rpj.people import FANTASY, figure, levels, sheet
from tests.rules.rpj.throws import d6, thrown


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
