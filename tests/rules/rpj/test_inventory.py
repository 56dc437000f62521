"""Inventory at the table: what one carries, moving it, handing it over, and what too much does to rolls."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.belongings import burden_of, everything
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.module.module_files import RpjSettings, module_in
from bot.rules.rpj.module.possessions import RpjPlace
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
