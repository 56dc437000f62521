"""Inventory at the table: what one carries, moving it, handing it over, and what too much does to rolls."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.belongings import burden_of, everything
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.gear.trading import Market
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
from bot.rules.rpj.module.possessions import RpjPlace, features_of, of_quality
from bot.rules.rpj.module.settings import RpjSettings, module_in
from bot.store.sqlite import open_store
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.campaigns.campaign_settings import change_setting
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.gm import gm as game_clock
from bot.table.play import play
from tests.databases import prepared_file
from tests.rules.rpj.combat.battles import with_armor
from tests.rules.rpj.table import GameTable, d6, rpj_table
from tests.table.conftest import Clock, Secrets
from tests.table.counting import state
from tests.table.test_undo import undo
from tests.table.test_undo_whatever_happens import Evening


def laden(**more: Any) -> GameTable:
    """A table at which loads count; Laeniel carries 6 without a penalty, Ug 7."""
    return rpj_table(inventory=True, **more)


def burden(table: GameTable, name: str) -> tuple[int, int]:
    """Somebody's load and limit."""
    found = burden_of(figure_in(table.scene, table.named(name)))
    return found.load, found.limit


def count(table: GameTable, item: str) -> int:
    """How many of a thing there are at the table."""
    module = module_in(table.scene.settings)
    return sum(
        thing.count
        for name in table.ids
        for thing in everything(table.named(name).sheet, module)
        if thing.item == item
    )


@pytest.mark.rule("RPJ-INV-01", "RPJ-INV-02")
class TestBags:
    def test_the_bags_list_every_item_with_its_place_and_the_load(self) -> None:
        table = laden()
        for item, times in (("longsword", 1), ("dagger", 3), ("leather armor", 1)):
            table.do("Laeniel", "pick_up", item=item, count=times)
        table.do("Laeniel", "put", item="Leather armor", to=RpjPlace.WORN)
        table.do("Laeniel", "put", item="Longsword", to=RpjPlace.HELD)
        assert table.do("Laeniel", "bags").notes == (
            "Load 1/6",
            "Held: Longsword",
            "Worn: Leather armor",
            "Carried: Dagger ×3",
        )

    def test_armor_weighs_more_when_it_is_not_worn(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="leather")
        assert burden(table, "Laeniel") == (3, 6)
        assert table.do("Laeniel", "put", item="leather", to=RpjPlace.WORN).notes == ("Load 0/6.",)

    @pytest.mark.rule("RPJ-GCS-59")
    def test_putting_on_a_second_armor_takes_off_the_first(self) -> None:
        table = laden()
        two = with_armor("mail", saves=[4, 4], load=2, load_worn=1)
        table.scene = replace(
            table.scene, settings=RpjSettings(module="own", inventory=True).with_module(two)
        )
        table.do("Laeniel", "pick_up", item="leather")
        table.do("Laeniel", "put", item="leather", to=RpjPlace.WORN)
        table.do("Laeniel", "pick_up", item="mail")
        changed = table.do("Laeniel", "put", item="mail", to=RpjPlace.WORN)

        assert changed.headline == "puts on Mail"
        assert changed.notes[0] == "Leather armor is taken off and carried."
        assert table.do("Laeniel", "bags").notes[1:] == ("Worn: Mail", "Carried: Leather armor")
        layers = layers_of(figure_in(table.scene, table.named("Laeniel")))
        assert [layer.id for layer in layers] == ["mail", "base"]

    def test_a_strong_character_can_carry_more(self) -> None:
        table = laden()
        table.change("Laeniel", traits=[{"trait": "strong"}])
        assert burden(table, "Laeniel") == (0, 8)


@pytest.mark.rule("RPJ-INV-03")
class TestOverloaded:
    def test_an_overloaded_characters_physical_skills_have_a_penalty_of_1(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="great axe", count=4)
        done = table.do("Laeniel", "check", d6("4 3"), skill="archery")
        assert ("overloaded", -1) in [(term.label, term.value) for term in done.rolls[0].terms]

    def test_an_overloaded_characters_other_skills_and_attribute_checks_have_no_penalty(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="great axe", count=4)
        rolls = [
            table.do("Laeniel", "check", d6("4 3"), skill="diplomacy").rolls[0],
            table.do("Laeniel", "attribute", d6("4 3"), attribute="DEX").rolls[0],
        ]
        assert not [term for roll in rolls for term in roll.terms if term.label == "overloaded"]


@pytest.mark.rule("RPJ-INV-04")
def test_a_far_overloaded_character_cannot_roll_physical_checks() -> None:
    table = laden()
    table.do("Laeniel", "pick_up", item="great axe", count=7)
    for procedure, options in (
        ("check", {"skill": "archery"}),
        ("attribute", {"attribute": "CON", "rolled": "saving throw"}),
    ):
        refused = table.refused("Laeniel", procedure, **options)
        assert "a saving throw fails automatically" in refused.what
        assert refused.allowed == "Put something down first (load 14/6, far overloaded)."
    table.do("Laeniel", "attribute", d6("4 3"), attribute="WIL")


@pytest.mark.rule("RPJ-INV-05")
def test_nobody_can_carry_more_than_three_times_their_limit() -> None:
    table = laden()
    table.do("Laeniel", "pick_up", item="great axe", count=9)
    refused = table.refused("Laeniel", "pick_up", item="longsword")
    assert refused.what == "That is 1 more than you can carry at all (18)."
    table.do("Laeniel", "pick_up", item="dagger")


@pytest.mark.rule("RPJ-INV-07", "RPJ-INV-08")
class TestContainers:
    def test_items_in_a_worn_satchel_weigh_nothing(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="satchel")
        table.do("Laeniel", "put", item="satchel", to=RpjPlace.WORN)
        table.do("Laeniel", "pick_up", item="longsword", count=4)
        table.do("Laeniel", "put", item="longsword", to=RpjPlace.HANDY, count=3)
        assert burden(table, "Laeniel") == (1, 6)
        refused = table.refused("Laeniel", "put", item="longsword", to=RpjPlace.HANDY, place=RpjPlace.CARRIED)
        assert refused.what == "Your handy container holds 3, not 4."

    def test_nothing_can_be_packed_without_a_container(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="longsword")
        refused = table.refused("Laeniel", "put", item="longsword", to=RpjPlace.LARGE)
        assert refused.what == "You have no large container."

    def test_an_item_that_cannot_be_worn_is_refused_as_clothing(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="longsword")
        assert table.refused("Laeniel", "put", item="longsword", to=RpjPlace.WORN).what == (
            "Longsword can't be worn."
        )


@pytest.mark.rule("RPJ-MONEY-07")
def test_an_improved_item_is_better_while_it_is_in_use() -> None:
    table = rpj_table(money=True)
    table.scene = table.scene.with_character(table.named("Laeniel").with_resource("coin", 20))
    asked = table.do("Laeniel", "buy", item="leather", better="saves")
    table.press("Laeniel", asked.follow_ups[0])
    table.do("Laeniel", "put", item="leather", to=RpjPlace.WORN)
    worn = next(
        armor
        for armor in figure_in(table.scene, table.named("Laeniel")).module.armor
        if armor.id == "leather"
    )
    assert worn.saves == (4, 4)


class TestHandingOver:
    def test_a_handed_over_item_leaves_the_giver_when_it_is_accepted(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="dagger", count=2)
        offered = table.do("Laeniel", "hand", target="Ug", item="dagger")
        assert count(table, "dagger") == 2
        table.press("Ug", offered.follow_ups[0])
        assert [thing.count for thing in table.named("Ug").sheet.possessions] == [1]
        assert count(table, "dagger") == 2

    def test_an_item_the_giver_no_longer_has_cannot_be_accepted(self) -> None:
        table = laden()
        table.do("Laeniel", "pick_up", item="dagger")
        button = table.do("Laeniel", "hand", target="Ug", item="dagger").follow_ups[0]
        table.do("Laeniel", "drop", item="dagger")
        refused = table.refused("Ug", button.procedure, **button.options.model_dump())
        assert refused.what == "You have no Dagger."

    def test_a_campaign_without_loads_and_money_has_no_bags(self) -> None:
        assert rpj_table().refused("Laeniel", "bags").what == "This campaign doesn't use Inventory."


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["put", "hand"]),
        st.sampled_from(["Laeniel", "Ug"]),
        st.sampled_from(["dagger", "longsword", "leather"]),
        st.sampled_from(list(RpjPlace)),
        st.integers(1, 3),
    ),
    max_size=15,
)


@settings(max_examples=60, deadline=None)
@given(moves=MOVES)
def test_moving_and_handing_over_never_create_or_lose_an_item(
    moves: list[tuple[str, str, str, RpjPlace, int]],
) -> None:
    table = laden()
    for item in ("dagger", "longsword", "leather"):
        table.do("Laeniel", "pick_up", item=item, count=2)
    for what, who, item, to, number in moves:
        kept = table.scene
        try:
            if what == "put":
                table.do(who, "put", item=item, to=to, count=number)
            else:
                other = "Ug" if who == "Laeniel" else "Laeniel"
                table.press(other, table.do(who, "hand", target=other, item=item, count=number).follow_ups[0])
        except UserError:
            table.scene = kept
    assert [count(table, item) for item in ("dagger", "longsword", "leather")] == [2, 2, 2]
    for name in ("Laeniel", "Ug"):
        load, limit = burden(table, name)
        assert load <= 3 * limit


ADAS, BOS = "Ilsa Roan", "Gorm Halvard"
MONTH = 30 * 24 * 3600
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("give"), st.sampled_from(["ada", "bo"]), st.integers(1, 9)),
        st.tuples(st.just("burn"), st.sampled_from(["ada", "bo"]), st.integers(1, 3)),
        st.tuples(st.just("pick_up"), st.sampled_from(["ada", "bo"]), st.integers(1, 4)),
        st.tuples(st.just("month"), st.just("gm"), st.just(1)),
        st.tuples(st.just("press"), st.just("gm"), st.integers(0, 20)),
    ),
    min_size=1,
    max_size=8,
)


async def begin(evening: Evening) -> None:
    """A campaign with money and loads, and two characters with something in their purses."""
    await campaigns.create(evening.table, evening.gm.asks(), "rpj", "The Long Road")
    for setting, value in (("module", "fantasy"), ("money", "yes"), ("inventory", "yes")):
        await change_setting(evening.table, evening.gm.asks(), setting, value)
    for person, name in ((evening.ada, ADAS), (evening.bo, BOS)):
        await characters.take_ready_made(evening.table, person.asks(), name)
    for resource, amount in (("coin", 9), ("wealth", 5)):
        await gm.award(evening.table, evening.gm.asks(), resource, amount, (ADAS, BOS))


async def do(evening: Evening, deed: str, who: str, number: int) -> Any:
    """One of the deeds."""
    person = getattr(evening, who)
    if deed == "month":
        return await game_clock.pass_time(evening.table, evening.gm.asks(), MONTH)
    if deed == "press":
        if not evening.open:
            raise UserError("Nothing can be pressed.")
        one = evening.open[number % len(evening.open)]
        return (await play.press(evening.table, evening.gm.asks(), one.id)).result
    options: dict[str, dict[str, Any]] = {
        "give": {"target": BOS if who == "ada" else ADAS, "coin": number},
        "burn": {"amount": number},
        "pick_up": {"item": "club", "count": number},
    }
    return await play.perform(evening.table, person.asks(), deed, options[deed])


@given(deeds=DEEDS)
@settings(max_examples=12, deadline=None)
def test_undoing_everything_leaves_every_purse_and_bag_as_it_was(
    deeds: list[tuple[str, str, int]],
) -> None:
    async def evening_long() -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(prepared_file(Path(folder)))
            evening = Evening(Table(store=store, games={"rpj": RULESET}, now=Clock(), new_secret=Secrets()))
            try:
                await begin(evening)
                before, done = state(evening.table), []
                for deed in deeds:
                    try:
                        result = await do(evening, *deed)
                    except UserError:
                        continue
                    evening.open += result.follow_ups
                    done += [result.entry] if result.can_undo else []
                for entry in reversed(done):
                    await undo(evening.table, evening.gm, entry)
                after = state(evening.table)
                after["follow_ups"] = before["follow_ups"]
                assert after == before
            finally:
                await store.close()

    asyncio.run(evening_long())


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

    def test_only_features_the_item_has_can_be_improved(self) -> None:
        with pytest.raises(UserError, match="has no feature “colour”"):
            cost(item("common"), better=("colour",))


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
