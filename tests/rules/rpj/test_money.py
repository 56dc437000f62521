"""Money at the table: asking for a price, haggling, paying, sharing, months."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import DueTimer
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.belongings import COIN, MONTH, WEALTH, purse_of
from bot.rules.rpj.game_parts.rpj_resources import start_session, timers_due
from bot.rules.rpj.module.module_files import RpjSettings
from bot.rules.rpj.module.possessions import RpjPlace
from bot.rules.rpj.trading import MOST_SHOWN, goods
from tests.rules.rpj.people import FANTASY, module_with
from tests.rules.rpj.table import GameTable, d6, labels, others, rpj_table

DAY = 24 * 3600


def rich(coin: int = 10, wealth: int = 0, **more: Any) -> GameTable:
    """A table at which everybody has so much."""
    table = rpj_table(money=True, **more)
    for name in ("Laeniel", "Ug"):
        character = table.named(name).with_resource(COIN, coin).with_resource(WEALTH, wealth)
        table.scene = table.scene.with_character(character)
    return table


def has(table: GameTable, name: str) -> tuple[int, int]:
    """Coin and Wealth of somebody."""
    purse = purse_of(table.named(name))
    return purse.coin, purse.wealth


@pytest.mark.rule("RPJ-MONEY-03", "RPJ-MONEY-10")
class TestBuying:
    def test_a_purchase_shows_its_price_step_by_step_with_a_button_to_pay(self) -> None:
        table = rich()
        asked = table.do("Laeniel", "buy", item="longsword", better="damage")
        assert asked.headline == "wants to buy Longsword (damage +1)"
        assert asked.notes == ("common 6 · quality 8", "Laeniel has 10 Coin.")
        assert labels(asked) == ["Buy for 8 Coin", "Haggle with Trade · 83%"]

        bought = table.press("Laeniel", asked.follow_ups[0])
        assert bought.headline == "buys Longsword (damage +1) for 8 Coin"
        assert has(table, "Laeniel") == (2, 0)
        (thing,) = table.named("Laeniel").sheet.possessions
        assert (thing.item, thing.changes, thing.place is RpjPlace.AWAY) == (
            "longsword",
            {"damage": 1},
            False,
        )

    def test_a_purchase_that_cannot_be_paid_has_no_buy_button(self) -> None:
        asked = rich(5).do("Laeniel", "buy", item="longsword")
        assert labels(asked) == ["Haggle with Trade · 83%"]

    def test_a_purchase_cannot_be_paid_again_with_too_little_coin(self) -> None:
        table = rich(8)
        button = table.do("Laeniel", "buy", item="longsword").follow_ups[0]
        table.press("Laeniel", button)
        refused = table.refused("Laeniel", button.procedure, **button.options.model_dump())
        assert refused.what == "That costs 6 Coin; you have 2."

    def test_a_bulk_purchase_shows_one_price(self) -> None:
        asked = rich(20).do("Laeniel", "buy", item="dagger", quantity=10)
        assert asked.notes[0] == "plentiful 3 · 10 of them 6"

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"item": "moon"}, "There is no item “moon” in Fantasy."),
            ({"item": "fists"}, "Fists isn't for sale."),
            ({"item": "dagger", "better": "colour"}, "Dagger has no feature “colour”."),
            ({"item": "dagger", "better": "damage, damage"}, "You can improve a feature only once."),
        ],
    )
    def test_a_nonsense_order_is_refused_in_a_sentence(self, options: dict[str, str], told: str) -> None:
        assert rich().refused("Laeniel", "buy", **options).what == told

    def test_the_shop_lists_goods_with_their_prices(self) -> None:
        shown = rich().do("GM", "shop", search="a")
        assert "Great axe · 6 Coin" in shown.notes
        assert not shown.is_public

    @pytest.mark.rule("RPJ-MONEY-19", "RPJ-MONEY-20")
    @pytest.mark.parametrize(("category", "cost"), [("", 6), ("vehicles", 15), ("land", 18)])
    def test_a_price_in_the_shop_is_raised_by_the_category_of_the_item_alone(
        self, category: str, cost: int
    ) -> None:
        categories = [
            {"id": "vehicles", "name": "Vehicles", "offset": 2},
            {"id": "land", "name": "Land", "multiplier": 3},
        ]
        gear = [{"id": "thing", "name": "Thing", "rarity": "common", "category": category}]
        module = module_with(gear=gear, money={"categories": categories})
        table = rpj_table(RpjSettings.model_validate({"module": "own", "money": True}).with_module(module))

        assert table.do("GM", "shop", search="thing").notes == (f"Thing · {cost} Coin",)

    @pytest.mark.parametrize(
        ("herbs", "said"), [(20, ("and 7 more; search for part of the name",)), (13, ())]
    )
    def test_a_long_shop_says_how_much_more_there_is(self, herbs: int, said: tuple[str, ...]) -> None:
        more = [{"id": f"herb_{n}", "name": f"Herb {n}", "rarity": "relic"} for n in range(herbs)]
        module = module_with(gear=[*FANTASY.model_dump(mode="json")["gear"], *more])
        names = [item.name for item in goods(module)]
        table = rpj_table(RpjSettings.model_validate({"module": "own", "money": True}).with_module(module))

        shown = table.do("GM", "shop").notes

        assert [line.split(" · ")[0] for line in shown[:MOST_SHOWN]] == names[:MOST_SHOWN]
        assert shown[MOST_SHOWN:] == said
        assert table.refused("GM", "shop", search="zzz").what == "Nothing like that is for sale here."

    def test_a_campaign_without_money_has_nothing_for_sale(self) -> None:
        table = rpj_table()
        refused = table.refused("Laeniel", "buy", item="dagger")
        assert refused.what == "This campaign doesn't use Money."
        assert RULESET.suggestions["goods"](None, table.scene.settings) == []


@pytest.mark.rule("RPJ-MONEY-05")
class TestHaggling:
    def test_each_degree_of_haggling_lowers_the_price_by_one_coin(self) -> None:
        table = rich()
        asked = table.do("Laeniel", "buy", item="great axe", seller=2)
        done = table.press("Laeniel", asked.follow_ups[1], d6("6 4"))
        assert done.headline == "haggles over Great axe"
        assert done.rolls[0].against == "9+"
        assert done.notes == ("6 → 3 Coin.",)
        assert others(done) == ["Buy for 3 Coin"]
        table.press("Laeniel", done.follow_ups[0])
        assert has(table, "Laeniel") == (7, 0)

    @pytest.mark.parametrize(
        ("quantity", "seller", "faces", "told"),
        [
            (10, 2, "6 4", "10 → 7 Coin."),
            (1, -3, "6 4", "6 → 1 Coin."),
            (1, -5, "6 4", "6 → 1 Coin."),
            (1, 5, "6 4", "The price stays at 6 Coin."),
            (1, 5, "6 6", "6 → 3 Coin."),
        ],
        ids=["3 degrees", "8 degrees", "10 degrees", "an exact success", "a critical success is one more"],
    )
    def test_haggling_cannot_lower_the_price_below_one_coin(
        self, quantity: int, seller: int, faces: str, told: str
    ) -> None:
        table = rich()
        asked = table.do("Laeniel", "buy", item="great axe", quantity=quantity, seller=seller)
        haggled = table.press("Laeniel", asked.follow_ups[1], d6(faces))

        assert haggled.notes == (told,)

    @pytest.mark.rule("RPJ-MONEY-10")
    def test_haggling_comes_after_quality_and_the_market(self) -> None:
        table = rich()
        table.do("GM", "market", item="longsword", shift=-2)
        asked = table.do("Laeniel", "buy", item="longsword", better="damage", seller=1)
        haggled = table.press("Laeniel", asked.follow_ups[1], d6("6 4"))

        assert asked.notes[0] == "common 6 · quality 8 · market 6"
        assert haggled.notes == ("6 → 2 Coin.",)

    def test_a_failed_haggle_leaves_the_price_unchanged(self) -> None:
        table = rich()
        asked = table.do("Laeniel", "buy", item="great axe", seller=4)
        done = table.press("Laeniel", asked.follow_ups[1], d6("3 2"))
        assert done.notes == ("The price stays at 6 Coin.",)
        assert labels(done) == ["Buy for 6 Coin", "Lucky Break · 17% · 3 left"]

    def test_a_lucky_break_rescues_a_failed_haggle(self) -> None:
        table = rich()
        asked = table.do("Laeniel", "buy", item="great axe", seller=2)
        failed = table.press("Laeniel", asked.follow_ups[1], d6("3 3"))
        turned = table.press("Laeniel", failed.follow_ups[1], d6("6"))
        assert turned.notes == ("6 → 4 Coin.",)

    @pytest.mark.parametrize(("shift", "cost"), [(0, 1), (-1, 0)])
    def test_goods_for_one_coin_or_less_cannot_be_haggled_over(self, shift: int, cost: int) -> None:
        table = rich()
        table.do("GM", "market", item="club", shift=shift)

        assert labels(table.do("Laeniel", "buy", item="club")) == [f"Buy for {cost} Coin"]


@pytest.mark.rule("RPJ-MONEY-11")
class TestAcquisition:
    def test_a_successful_acquisition_roll_pays_the_price(self) -> None:
        table = rich(9, acquisition_checks=True)
        asked = table.do("Laeniel", "buy", item="longsword")
        assert labels(asked) == ["Try to get it for 6 Coin · 92%"]
        done = table.press("Laeniel", asked.follow_ups[0], d6("1 3"))
        assert done.rolls[0].against == "13+"
        assert has(table, "Laeniel") == (3, 0)

    def test_a_price_is_tried_by_those_who_have_just_as_much(self) -> None:
        table = rich(6, acquisition_checks=True)
        assert labels(table.do("Laeniel", "buy", item="longsword")) == ["Try to get it for 6 Coin · 58%"]
        poor = rich(5, acquisition_checks=True).refused("Laeniel", "buy", item="longsword")
        assert poor.what == "Longsword costs 6 Coin; Laeniel has 5."

    def test_a_failed_acquisition_roll_costs_nothing_and_cannot_be_retried(self) -> None:
        table = rich(9, acquisition_checks=True)
        button = table.do("Laeniel", "buy", item="longsword").follow_ups[0]
        assert table.press("Laeniel", button, d6("1 2")).notes == ("You pay nothing.",)
        assert has(table, "Laeniel") == (9, 0)
        again = table.refused("Laeniel", "buy", item="longsword")  # F-RPJ-19
        assert again.what == "Laeniel has already tried to get Longsword in this market."
        refused = table.refused("Laeniel", button.procedure, **button.options.model_dump())
        assert refused.what == "Laeniel has already tried to get Longsword here."
        table.do("GM", "market", anew=True)
        assert len(labels(table.do("Laeniel", "buy", item="longsword"))) == 1


@pytest.mark.rule("RPJ-MONEY-04")
class TestMarket:
    def test_the_gm_can_change_the_price_of_one_item(self) -> None:
        table = rich(20)
        table.do("GM", "market", item="longsword", shift=3)
        table.do("GM", "market", item="club", shift=1)
        assert table.do("Laeniel", "buy", item="longsword").notes[0] == "common 6 · market 9"
        refused = table.refused("GM", "market", item="longsword", shift=4)
        assert refused.what == "The price of Longsword can change by 3 Coin at most."

    def test_the_gm_can_change_all_prices_as_far_as_each_item_allows(self) -> None:
        table = rich(20)
        table.do("GM", "market", shift=-5)
        assert [table.do("Laeniel", "buy", item=name).notes[0] for name in ("club", "longsword")] == [
            "ubiquitous 1 · market 0",
            "common 6 · market 3",
        ]


@pytest.mark.rule("RPJ-MONEY-14", "RPJ-MONEY-16", "RPJ-MONEY-01")
class TestWealth:
    def test_an_asset_is_bought_when_the_gm_approves(self) -> None:
        table = rich(25)
        asked = table.do("Laeniel", "wealth", amount=2, asset="a mill")
        assert labels(asked) == ["Allow it: 20 Coin for 2 Wealth (GM)"]
        table.press("GM Laeniel", asked.follow_ups[0])
        assert has(table, "Laeniel") == (5, 2)
        shown = table.do("Laeniel", "purse")
        assert shown.notes == ("Coin 5 · Wealth 2", "At the month's end: +0 Coin from Wealth", "· a mill")

    def test_burning_wealth_asks_for_confirmation(self) -> None:
        table = rich(1, 3)
        asked = table.do("Laeniel", "want_to_burn", amount=1)
        assert labels(asked) == ["Burn 1 Wealth permanently for 5 Coin"]
        table.press("Laeniel", asked.follow_ups[0])
        assert has(table, "Laeniel") == (6, 2)

    def test_burning_wealth_the_character_does_not_have_is_refused_at_once(self) -> None:
        assert rich(1, 0).refused("Laeniel", "want_to_burn", amount=1).what.startswith("You can use 0 Wealth")


@pytest.mark.rule("RPJ-MONEY-17")
class TestSharingMoney:
    def test_a_gift_of_money_changes_hands_when_it_is_accepted(self) -> None:
        table = rich(10, 5)
        offered = table.do("Laeniel", "give", target="Ug", coin=3, wealth=2)
        assert labels(offered) == ["Accept 3 Coin and 2 Wealth"]
        assert has(table, "Laeniel") == (10, 5)
        table.press("Ug", offered.follow_ups[0])
        assert (has(table, "Laeniel"), has(table, "Ug")) == ((7, 3), (13, 7))

    def test_a_gift_of_coin_spent_in_the_meantime_cannot_be_accepted(self) -> None:
        table = rich(10)
        button = table.do("Laeniel", "give", target="Ug", coin=8).follow_ups[0]
        table.do("GM", "charge", target="Laeniel", amount=5, name="toll")
        refused = table.refused("Ug", button.procedure, **button.options.model_dump())
        assert refused.what == "That costs 8 Coin; you have 5."

    def test_a_gift_needs_an_amount_and_another_character(self) -> None:
        assert rich().refused("Laeniel", "give", target="Ug").what == "You didn't say what to give."
        assert rich().refused("Laeniel", "give", target="Laeniel", coin=1).what.startswith("You can't give")


@pytest.mark.rule("RPJ-MONEY-12", "RPJ-MONEY-13", "RPJ-MONEY-15")
class TestMonths:
    def test_months_end_on_their_own_as_the_clock_advances(self) -> None:
        table = rich(6, 9)
        table.scene = start_session(table.scene, [table.ids["Laeniel"]]).scene
        assert table.named("Laeniel").timers[MONTH] == 30 * DAY
        table.scene = replace(table.scene, clock=95 * DAY)
        turned = timers_due(table.scene, (DueTimer(table.ids["Laeniel"], MONTH),))
        assert turned.notes == ()
        assert turned.scene.character(table.ids["Laeniel"]).resources["coin"] == 9
        assert turned.scene.character(table.ids["Laeniel"]).timers[MONTH] == 120 * DAY

    @pytest.mark.parametrize(
        ("month_days", "day", "coin", "next_end"), [(30, 30, 8, 60), (30, 59, 8, 60), (10, 25, 9, 30)]
    )
    def test_a_month_has_as_many_days_as_the_module_says(
        self, month_days: int, day: int, coin: int, next_end: int
    ) -> None:
        table = rich(6, 9)
        own = module_with(money={"month_days": month_days})
        table.scene = replace(table.scene, settings=RpjSettings(module="own", money=True).with_module(own))
        table.scene = start_session(table.scene, [table.ids["Laeniel"]]).scene
        assert table.named("Laeniel").timers[MONTH] == month_days * DAY

        table.scene = replace(table.scene, clock=day * DAY)
        turned = timers_due(table.scene, (DueTimer(table.ids["Laeniel"], MONTH),))
        laeniel = turned.scene.character(table.ids["Laeniel"])
        assert laeniel.resources["coin"] == coin
        assert laeniel.timers[MONTH] == next_end * DAY

    def test_the_gm_can_end_a_month_by_hand(self) -> None:
        table = rich(8, 9)
        table.do("GM", "income", target="Laeniel", amount=1, name="pay")
        table.do("Laeniel", "earmark", name="ship", amount=4)
        ended = table.do("GM", "month", who=("Laeniel", "Ug"))
        assert ended.notes == ("Laeniel: 4 Wealth set aside.",)
        assert [table.named(name).resources["coin"] for name in ("Laeniel", "Ug")] == [10, 9]
        assert purse_of(table.named("Laeniel")).free_wealth == 5


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["Laeniel", "Ug"]),
        st.sampled_from(["give", "burn", "agree_wealth", "charge", "month"]),
        st.integers(1, 12),
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(deeds=DEEDS)
def test_no_series_of_commands_creates_or_loses_coin(deeds: list[tuple[str, str, int, bool]]) -> None:
    table = rich(10, 5)
    worth = 0  # what has come in from outside, in Coin; Wealth counts as it was paid for or burned
    before = sum(sum(has(table, name)) for name in table.ids if name != "Ogre")
    for who, what, amount, undone in deeds:
        other = "Ug" if who == "Laeniel" else "Laeniel"
        kept, coin = table.scene, [has(table, name) for name in ("Laeniel", "Ug")]
        try:
            if what == "give":
                button = table.do(who, "give", target=other, coin=amount).follow_ups[0]
                table.press(other, button)
                change = 0
            elif what == "burn":
                table.do(who, "burn", amount=amount)
                change = 5 * amount - amount
            elif what == "agree_wealth":
                table.do(f"GM {who}", "agree_wealth", amount=amount, asset="a mill")
                change = amount - 10 * amount
            elif what == "charge":
                table.do("GM", "charge", target=who, amount=amount)
                change = -amount
            else:
                table.do("GM", "month", who=(who,))
                change = has(table, who)[0] - coin[("Laeniel", "Ug").index(who)][0]
        except UserError:
            assert table.scene is kept or what == "give"
            table.scene = kept
            continue
        if undone:
            table.scene = kept
            continue
        worth += change
    after = [has(table, name) for name in ("Laeniel", "Ug")]
    assert sum(sum(purse) for purse in after) == before + worth
    assert all(value >= 0 for purse in after for value in purse)


@pytest.mark.rule("RPJ-APPX-17")
class TestRichBoughtLater:
    def test_the_rich_trait_brings_its_wealth_only_once(self) -> None:
        table = rpj_table(money=True)
        table.change("Ug", total_points=80, available_points=20)
        table.do("GM Ug", "improve_trait", trait="Rich", is_award=True)
        assert table.named("Ug").resources["wealth"] == 5
        table.do("GM Ug", "improve_skill", skill="Dodge")
        assert table.named("Ug").resources["wealth"] == 5

    def test_a_player_who_asks_for_rich_gets_its_wealth_when_the_gm_approves(self) -> None:
        table = rpj_table(money=True)
        table.change("Ug", total_points=80, available_points=20)
        asked = table.do("Ug", "improve_trait", trait="Rich")
        assert table.named("Ug").resources["wealth"] == 0
        table.press("GM Ug", asked.follow_ups[0])
        assert table.named("Ug").resources["wealth"] == 5


@pytest.mark.rule(
    "RPJ-MONEY-01", "RPJ-MONEY-03", "RPJ-MONEY-13", "RPJ-MONEY-14", "RPJ-MONEY-15", "RPJ-MONEY-16"
)
class TestWhatIsTold:
    @pytest.mark.parametrize(
        ("who", "command", "options", "headline", "notes", "buttons"),
        [
            (
                "Laeniel",
                "purse",
                {},
                "checks their purse",
                ("Coin 12 · Wealth 3", "At the month's end: +0 Coin from Wealth"),
                [],
            ),
            (
                "Laeniel",
                "earmark",
                {"name": "horse", "amount": 2},
                "sets 2 Wealth aside for horse",
                ("This starts at the end of the month.",),
                [],
            ),
            (
                "Laeniel",
                "want_to_burn",
                {"amount": 1},
                "considers burning Wealth",
                (),
                ["Burn 1 Wealth permanently for 5 Coin"],
            ),
            (
                "Laeniel",
                "want_to_burn",
                {"amount": 3},
                "considers burning Wealth",
                (),
                ["Burn 3 Wealth permanently for 15 Coin"],
            ),
            (
                "Laeniel",
                "wealth",
                {"amount": 1, "asset": "inn"},
                "wants to invest 10 Coin in inn",
                (),
                ["Allow it: 10 Coin for 1 Wealth (GM)"],
            ),
            ("Laeniel", "give", {"target": "Ug", "coin": 2}, "offers Ug 2 Coin", (), ["Accept 2 Coin"]),
            (
                "GM",
                "income",
                {"target": "Ug", "amount": 3, "name": "rent"},
                "gives Ug 3 Coin at the month's end (rent)",
                (),
                [],
            ),
            (
                "GM",
                "charge",
                {"target": "Ug", "amount": 3, "name": "tax"},
                "charges Ug 3 Coin for tax",
                (),
                [],
            ),
        ],
    )
    def test_each_command_tells_the_amounts(
        self,
        who: str,
        command: str,
        options: dict[str, Any],
        headline: str,
        notes: tuple[str, ...],
        buttons: list[str],
    ) -> None:
        done = rich(12, 3).do(who, command, **options)

        assert (done.headline, done.notes, labels(done)) == (headline, notes, buttons)

    def test_a_purse_lists_everything_that_waits_for_the_month_s_end(self) -> None:
        table = rich(1, 6)
        table.do("Laeniel", "earmark", name="horse", amount=2)
        table.do("GM", "income", target="Laeniel", amount=3, name="rent")
        before = table.do("Laeniel", "purse").notes

        table.do("GM", "month", who=("Laeniel",))
        after = table.do("Laeniel", "purse").notes
        table.do("Laeniel", "earmark", name="horse", amount=0)

        assert before == (
            "Coin 1 · Wealth 6",
            "Set aside from the month's end: horse 2",
            "At the month's end: +2 Coin from Wealth",
            "then +3 Coin, rent",
        )
        assert after == ("Coin 6 · Wealth 6", "Set aside: horse 2", "At the month's end: +0 Coin from Wealth")
        assert "Set aside from the month's end: nothing" in table.do("Laeniel", "purse").notes
        assert rich(1, 0).do("Laeniel", "purse").notes == ("Coin 1 · Wealth 0",)

    @pytest.mark.rule("RPJ-MONEY-03", "RPJ-MONEY-14", "RPJ-MONEY-16", "RPJ-MONEY-17")
    @pytest.mark.parametrize(
        ("command", "options"),
        [
            ("want_to_burn", {"amount": 4}),
            ("wealth", {"amount": 2, "asset": "inn"}),
            ("give", {"target": "Ug", "coin": 13}),
            ("give", {"target": "Ug", "wealth": 4}),
            ("earmark", {"name": "horse", "amount": 4}),
        ],
    )
    def test_nobody_spends_more_than_they_have(self, command: str, options: dict[str, Any]) -> None:
        assert rich(12, 3).refused("Laeniel", command, **options)


@pytest.mark.rule("RPJ-MONEY-03", "RPJ-MONEY-05")
@pytest.mark.parametrize(
    ("coin", "fall", "told", "can_pay"),
    [
        (3, "6 4", "6 → 3 Coin.", True),
        (2, "6 4", "6 → 3 Coin.", False),
        (6, "1 2", "The price stays at 6 Coin.", True),
        (5, "1 2", "The price stays at 6 Coin.", False),
    ],
)
def test_a_haggled_price_can_be_paid_with_exactly_as_much(
    coin: int, fall: str, told: str, can_pay: bool
) -> None:
    table = rich(10)
    asked = table.do("Laeniel", "buy", item="great axe", seller=2)
    laeniel = table.named("Laeniel").with_resource(COIN, coin)
    table.scene = table.scene.with_character(laeniel)

    done = table.press("Laeniel", asked.follow_ups[1], d6(fall))

    assert done.notes[0] == told
    assert any(button.procedure == "pay" for button in done.follow_ups) is can_pay
