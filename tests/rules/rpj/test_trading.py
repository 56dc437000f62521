"""What things cost: rarity, availability, quantity, quality, categories and markets."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.items import (
    Armor,
    CostCategory,
    Direction,
    Order,
    Price,
    Rarity,
    RpjGear,
    RpjItem,
    RpjWeapon,
    lot_cost,
    price_of,
    quantity_steps,
    rung_of,
    single_cost,
)
from bot.rules.rpj.module.module import MoneyRules
from bot.rules.rpj.module.possessions import features_of, of_quality
from bot.rules.rpj.trading import Market

VEHICLE = CostCategory(id="vehicle", name="Vehicle", offset=1)
SHIP = CostCategory(id="ship", name="Small ship", offset=2)
FEATURES = dict.fromkeys(("damage", "range", "hands", "weight", "speed"), Direction.HIGHER)


def item(rarity: str = "", cost: int | None = None, **more: Any) -> RpjGear:
    """Something for sale."""
    kind = Rarity(rarity) if rarity else None
    return RpjGear(id="thing", name="Thing", rarity=kind, cost=cost, features=FEATURES, **more)


def price(thing: RpjGear, category: CostCategory | None = None, market: int = 0, **order: Any) -> Price:
    """The price of an order."""
    return price_of(thing, Order(**order), category=category, availability=market)


def cost(thing: RpjGear, category: CostCategory | None = None, market: int = 0, **order: Any) -> int:
    """What an order costs."""
    return price(thing, category, market, **order).cost


@pytest.mark.rule("RPJ-MONEY-02")
class TestRarity:
    def test_each_rarity_costs_the_triangular_number_of_its_step(self) -> None:
        assert [single_cost(item(rarity)) for rarity in Rarity] == [1, 3, 6, 10, 15, 21]

    def test_a_listed_cost_replaces_the_rarity(self) -> None:
        assert single_cost(item("common", cost=8)) == 8

    def test_an_item_without_rarity_or_cost_is_not_for_sale(self) -> None:
        with pytest.raises(UserError, match="isn't for sale"):
            cost(item())

    def test_trivial_goods_may_be_free(self) -> None:
        assert cost(item(cost=0)) == 0


@pytest.mark.rule("RPJ-MONEY-04")
class TestAvailability:
    @pytest.mark.parametrize(
        ("thing", "quantity", "bound", "least", "most"),
        [
            (item("common"), 1, 3, 3, 9),
            (item("relic"), 1, 6, 15, 27),
            (item("ubiquitous"), 1, 1, 0, 2),
            (item("common"), 10, 3, 7, 13),
            (item(cost=8), 1, 4, 4, 12),
        ],
    )
    def test_the_market_changes_a_cost_by_the_items_own_step_at_most(
        self, thing: RpjGear, quantity: int, bound: int, least: int, most: int
    ) -> None:
        assert cost(thing, None, -bound, quantity=quantity) == least
        assert cost(thing, None, bound, quantity=quantity) == most
        for beyond in (-bound - 1, bound + 1):
            with pytest.raises(UserError, match=f"by {bound} Coin at most"):
                cost(thing, None, beyond, quantity=quantity)


@pytest.mark.rule("RPJ-MONEY-06")
class TestQuantity:
    @pytest.mark.parametrize(
        ("thing", "quantity", "expected"),
        [
            (item("plentiful"), 10, 6),
            (item("plentiful"), 100, 10),
            (item("relic"), 10, 28),
            (item("relic"), 100, 36),
            (item("ubiquitous"), 2, 2),
            (item("ubiquitous"), 5, 3),
            (item("relic"), 2, 28),
            (item("plentiful"), 11, 10),
            (item("plentiful"), 1, 3),
            (item(cost=8), 10, 15),
        ],
    )
    def test_a_bulk_purchase_costs_the_cheaper_of_single_prices_and_a_higher_step(
        self, thing: RpjGear, quantity: int, expected: int
    ) -> None:
        assert cost(thing, quantity=quantity) == expected

    def test_eleven_items_may_be_bought_as_ten_plus_one(self) -> None:
        assert cost(item("plentiful"), quantity=10) + cost(item("plentiful")) == 9

    def test_a_listed_cost_counts_as_the_lowest_rarity_that_covers_it(self) -> None:
        assert [rung_of(listed) for listed in (0, 1, 2, 3, 8, 10, 11)] == [0, 1, 2, 2, 4, 4, 5]

    def test_each_tenfold_of_quantity_started_is_one_step(self) -> None:
        assert [quantity_steps(count) for count in (1, 2, 10, 11, 100, 101, 1000)] == [0, 1, 1, 2, 2, 3, 3]


@pytest.mark.rule("RPJ-MONEY-07")
class TestBetterQuality:
    def test_each_improvement_costs_two_coin(self) -> None:
        assert cost(item("common"), better=("damage", "range")) == 10

    def test_a_feature_can_be_improved_only_once(self) -> None:
        with pytest.raises(ValidationError, match="You can improve a feature only once"):
            Order(better=("damage", "damage"))

    def test_an_item_can_have_three_improvements_at_most(self) -> None:
        with pytest.raises(ValidationError, match="3 features at most"):
            Order(better=("damage", "range", "hands", "speed"))

    def test_an_improvement_changes_a_feature_by_one_step(self) -> None:
        assert Order(better=("save",)).changes == {"save": 1}

    @pytest.mark.parametrize(
        ("features", "allowed"),
        [
            (("damage", "range"), "Its features: damage, range."),
            ((), "Its features: none."),
        ],
    )
    def test_only_features_the_item_has_can_be_improved(
        self, features: tuple[str, ...], allowed: str
    ) -> None:
        thing = item("common").model_copy(update={"features": dict.fromkeys(features, Direction.HIGHER)})

        with pytest.raises(UserError, match="has no feature “colour”") as refused:
            cost(thing, better=("colour",))

        assert refused.value.allowed == allowed


@pytest.mark.rule("RPJ-MONEY-08")
class TestWorseQuality:
    def test_each_worsening_takes_one_coin_off_and_may_repeat_a_feature(self) -> None:
        order = Order(worse=("damage", "damage", "damage"))
        assert price_of(item("common"), order).cost == 3
        assert order.changes == {"damage": -3}

    def test_worsened_goods_never_cost_less_than_nothing(self) -> None:
        assert cost(item("ubiquitous"), worse=("damage", "damage", "damage")) == 0

    def test_a_save_worsened_twice_loses_two_steps(self) -> None:
        assert Order(worse=("save", "save")).changes == {"save": -2}


@pytest.mark.rule("RPJ-MONEY-09")
class TestMixedQuality:
    def test_improvements_and_worsenings_of_an_item_add_up(self) -> None:
        assert cost(item("uncommon"), better=("damage", "range"), worse=("hands",)) == 13

    def test_improvements_and_worsenings_are_three_in_total_at_most(self) -> None:
        with pytest.raises(ValidationError, match="3 features at most"):
            Order(better=("damage", "range"), worse=("hands", "speed"))


@pytest.mark.rule("RPJ-MONEY-10")
class TestOrderOfPriceSteps:
    def test_quality_changes_the_price_before_the_market(self) -> None:
        found = price(item("common"), None, -2, better=("damage",))
        assert [line.cost for line in found.lines] == [6, 8, 6]

    def test_quantity_and_category_raise_the_step_together(self) -> None:
        assert cost(item("common"), VEHICLE, quantity=10) == 15

    def test_a_price_lists_every_step(self) -> None:
        found = price(item("common"), VEHICLE, 1, quantity=10, worse=("damage",))
        assert [(line.label, line.cost) for line in found.lines] == [
            ("common, Vehicle", 10),
            ("10 of them", 15),
            ("quality", 14),
            ("market", 15),
        ]


@pytest.mark.rule("RPJ-MONEY-19")
class TestCategories:
    def test_a_category_offset_raises_the_cost_of_every_rarity(self) -> None:
        assert [single_cost(item(rarity), VEHICLE) for rarity in Rarity] == [3, 6, 10, 15, 21, 28]
        assert [single_cost(item(rarity), SHIP) for rarity in Rarity] == [6, 10, 15, 21, 28, 36]

    def test_a_rare_vehicle_costs_21(self) -> None:
        assert cost(item("rare"), VEHICLE) == 21


@pytest.mark.rule("RPJ-MONEY-20")
class TestMultipliers:
    @pytest.mark.parametrize(("rarity", "factor", "expected"), [("rare", 3, 45), ("ubiquitous", 2, 2)])
    def test_a_category_multiplier_multiplies_the_cost(self, rarity: str, factor: int, expected: int) -> None:
        assert cost(item(rarity), CostCategory(id="far", name="Far", multiplier=factor)) == expected

    def test_a_category_has_an_offset_or_a_multiplier_but_not_both(self) -> None:
        with pytest.raises(ValidationError, match="not both"):
            CostCategory(id="both", name="Both", offset=1, multiplier=2)


@pytest.mark.rule("RPJ-MONEY-18")
def test_exponential_coin_changes_no_price() -> None:
    assert MoneyRules(is_exponential=True).model_dump(exclude={"is_exponential"}) == MoneyRules().model_dump(
        exclude={"is_exponential"}
    )
    assert [single_cost(item(rarity)) for rarity in Rarity] == [1, 3, 6, 10, 15, 21]


SWORD = RpjWeapon.model_validate(
    {"id": "sword", "name": "Sword", "skill": "blades", "attribute": "STR", "damage": 2, "load": 1}
)
PLATE = Armor.model_validate(
    {"id": "plate", "name": "Plate", "saves": [3, 11], "dodge": -2, "absorb": 1, "reduction": 1, "load": 3}
)
ROPE = RpjGear.model_validate({"id": "rope", "name": "Rope", "load": 2})


@pytest.mark.rule("RPJ-MONEY-07", "RPJ-MONEY-08")
class TestQuality:
    @pytest.mark.parametrize(
        ("thing", "features"),
        [
            (SWORD, ["damage", "attack_modifier", "load"]),
            (PLATE, ["saves", "dodge", "absorb", "reduction", "load"]),
            (ROPE, ["load"]),
            (item("common"), list(FEATURES)),
        ],
    )
    def test_quality_changes_what_the_module_names_or_else_the_usual_features(
        self, thing: RpjItem, features: list[str]
    ) -> None:
        assert list(features_of(thing)) == features

    @pytest.mark.parametrize(
        ("thing", "changes", "field", "after"),
        [
            (SWORD, {"damage": 1}, "damage", 3),
            (SWORD, {"damage": -2}, "damage", 0),
            (SWORD, {"damage": -3}, "damage", -1),
            (SWORD, {"attack_modifier": 1}, "attack_modifier", 1),
            (SWORD, {"attack_modifier": -1}, "attack_modifier", -1),
            (SWORD, {"load": 1}, "load", 0),
            (SWORD, {"load": -2}, "load", 3),
            (ROPE, {"load": 1}, "load", 1),
            (ROPE, {"load": 3}, "load", 0),
            (PLATE, {"saves": 1}, "saves", (2, 10)),
            (PLATE, {"saves": 3}, "saves", (2, 8)),
            (PLATE, {"saves": -1}, "saves", (4, 12)),
            (PLATE, {"saves": -3}, "saves", (6, 12)),
            (PLATE, {"dodge": 1}, "dodge", -1),
            (PLATE, {"absorb": -2}, "absorb", -1),
            (PLATE, {"reduction": 1}, "reduction", 2),
            (PLATE, {"reduction": -2}, "reduction", 0),
        ],
    )
    def test_each_step_makes_a_feature_better_or_worse_by_one(
        self, thing: RpjItem, changes: dict[str, int], field: str, after: object
    ) -> None:
        made = of_quality(thing, changes)

        assert getattr(made, field) == after
        assert made.model_copy(update={field: getattr(thing, field)}) == thing

    def test_a_feature_an_item_does_not_have_changes_nothing(self) -> None:
        assert of_quality(ROPE, {"damage": 2, "name": 1, "features": 1}) == ROPE
        assert of_quality(ROPE, {}) is ROPE

    @pytest.mark.parametrize(
        ("better", "worse", "changes"),
        [
            ((), (), {}),
            (("damage",), (), {"damage": 1}),
            ((), ("damage", "damage"), {"damage": -2}),
            (("damage",), ("damage",), {}),
            (("damage", "range"), ("speed",), {"damage": 1, "range": 1, "speed": -1}),
        ],
    )
    def test_an_order_counts_steps_better_and_worse(
        self, better: tuple[str, ...], worse: tuple[str, ...], changes: dict[str, int]
    ) -> None:
        assert Order(better=better, worse=worse).changes == changes

    @pytest.mark.parametrize(
        ("better", "worse", "is_allowed"),
        [
            (("damage", "range", "speed"), (), True),
            (("damage", "range"), ("speed",), True),
            ((), ("speed",) * 3, True),
            (("damage", "range", "speed"), ("hands",), False),
            ((), ("speed",) * 4, False),
            (("damage", "damage"), (), False),
        ],
    )
    def test_a_feature_is_improved_once_and_three_changes_are_the_most(
        self, better: tuple[str, ...], worse: tuple[str, ...], is_allowed: bool
    ) -> None:
        if is_allowed:
            assert Order(better=better, worse=worse)
        else:
            with pytest.raises(ValidationError):
                Order(better=better, worse=worse)


@pytest.mark.rule("RPJ-MONEY-06")
class TestLots:
    @pytest.mark.parametrize(
        ("quantity", "steps"), [(1, 0), (2, 1), (10, 1), (11, 2), (100, 2), (101, 3), (1000, 3), (1001, 4)]
    )
    def test_each_started_factor_of_ten_adds_a_step(self, quantity: int, steps: int) -> None:
        assert quantity_steps(quantity) == steps

    @pytest.mark.parametrize(
        ("rarity", "quantity", "category", "total"),
        [
            ("common", 1, None, 6),
            ("common", 2, None, 10),  # the next step is cheaper than 12
            ("ubiquitous", 2, None, 2),  # singly is cheaper than 3
            ("ubiquitous", 3, None, 3),
            ("ubiquitous", 4, None, 3),
            ("ubiquitous", 100, None, 6),
            ("common", 2, VEHICLE, 15),
            ("common", 1, VEHICLE, 10),
            ("common", 2, CostCategory(id="x", name="X", multiplier=3), 30),
            ("common", 1, CostCategory(id="x", name="X", multiplier=3), 18),
        ],
    )
    def test_several_cost_what_is_cheaper_singly_or_together(
        self, rarity: str, quantity: int, category: CostCategory | None, total: int
    ) -> None:
        assert lot_cost(item(rarity), quantity, category) == total

    @pytest.mark.parametrize(
        ("cost", "rung"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (6, 3), (7, 4), (21, 6), (22, 7)]
    )
    def test_a_listed_cost_stands_on_the_lowest_step_that_is_enough(self, cost: int, rung: int) -> None:
        assert rung_of(cost) == rung

    @pytest.mark.parametrize(("listed", "quantity", "total"), [(7, 2, 14), (7, 3, 15), (8, 2, 15)])
    def test_a_listed_cost_is_not_raised_by_its_category(
        self, listed: int, quantity: int, total: int
    ) -> None:
        assert lot_cost(item(cost=listed), quantity, VEHICLE) == total
        assert single_cost(item(cost=listed), VEHICLE) == listed


@pytest.mark.rule("RPJ-MONEY-04")
class TestMarkets:
    @pytest.mark.parametrize(
        ("general", "change"), [(0, 0), (2, 2), (3, 3), (4, 3), (10, 3), (-2, -2), (-3, -3), (-4, -3)]
    )
    def test_the_general_change_is_at_most_the_items_step(self, general: int, change: int) -> None:
        assert Market(general=general).availability(item("common")) == change

    @pytest.mark.parametrize("shift", [3, -3])
    def test_one_items_change_goes_before_the_general_one_until_it_is_0(self, shift: int) -> None:
        other = RpjGear(id="other", name="Other", rarity=Rarity.RARE)
        market = Market(general=1).with_shift(other, 5).with_shift(item("common"), shift)

        assert market.availability(item("common")) == shift
        assert market.availability(other) == 5
        again = market.with_shift(item("common"), 1)
        assert again.shifts == {"other": 5, "thing": 1}
        assert again.with_shift(item("common"), 0).shifts == {"other": 5}

    @pytest.mark.parametrize("shift", [4, -4])
    def test_a_change_above_the_items_step_is_refused(self, shift: int) -> None:
        with pytest.raises(UserError, match="by 3 Coin at most"):
            Market().with_shift(item("common"), shift)
        with pytest.raises(UserError, match="by 3 Coin at most"):
            price(item("common"), market=shift)

    def test_a_price_is_never_below_0(self) -> None:
        assert cost(item("ubiquitous"), market=-1) == 0
        assert cost(item("ubiquitous"), worse=("damage", "damage")) == 0
        assert cost(item("ubiquitous"), better=("damage",), worse=("range",)) == 2
