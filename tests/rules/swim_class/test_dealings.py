"""Buying, selling, giving, picking up and crafting: nothing is made or lost on the way."""

from typing import Any

import pytest

from bot.rules.swim_class.gear import light_of, load_line, material_sp, progress_needed, ruined_sp
from bot.rules.swim_class.growth import PURSE
from bot.rules.swim_class.sheet import CATALOGUE, States, SwimItem, SwimSettings, item_of
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words


def laid(ash: int = 0, bram: int = 0, silver: int = 0, item: str = "Arrow") -> GameTable:
    """A table at which Ash and Bram have so many of an item, and Ash so much silver."""

    def having(count: int) -> list[SwimItem]:
        return [item_of(CATALOGUE[item], count)] if count else []

    table = lay_table(Ash=sheet(items=having(ash)), Bram=sheet(items=having(bram)))
    table.set("Ash", PURSE, silver)
    table.set("Bram", PURSE, 0)
    return table


def has(table: GameTable, name: str, item: str = "Arrow") -> int:
    found = table.sheet(name).find_item(item)
    return found.quantity if found else 0


@pytest.mark.rule("SWIM-ITEM-01", "SWIM-ITEM-07")
class TestDealings:
    @pytest.mark.parametrize(
        ("has_", "silver", "count", "told"),
        [
            (0, 5, 1, "buys 1 × Knife for 5 GP"),
            (0, 50, 1, "buys 1 × Knife for 5 GP"),
            (2, 100, 2, "buys 2 × Knife for 10 GP"),
            (0, 99, 2, "2 × Knife cost 10 GP."),
        ],
    )
    def test_what_is_bought_is_paid_for(self, has_: int, silver: int, count: int, told: str) -> None:
        table = laid(has_, silver=silver, item="Knife")
        if silver < 50 * count:
            assert table.why("Ash", "buy", item="knife", quantity=count) == (
                told if told.endswith(".") else f"{count} × Knife cost 5 GP."
            )
            return

        assert table.do("Ash", "buy", item="knife", quantity=count).headline == told
        assert (has(table, "Ash", "Knife"), table.points("Ash", PURSE)) == (has_ + count, silver - 50 * count)

    @pytest.mark.parametrize(
        ("has_", "count", "left", "purse"), [(3, 1, 2, 57), (3, 3, 0, 157), (1, 1, 0, 57)]
    )
    def test_what_is_sold_is_paid_out(self, has_: int, count: int, left: int, purse: int) -> None:
        table = laid(has_, silver=7, item="Knife")
        table.do("Ash", "sell", item="Knife", quantity=count)

        assert (has(table, "Ash", "Knife"), table.points("Ash", PURSE)) == (left, purse)
        if left == 0:
            assert table.why("Ash", "sell", item="Knife") == "Ash has no “Knife”."

    def test_nobody_sells_more_than_there_is(self) -> None:
        table = laid(2, item="Knife")

        assert table.why("Ash", "sell", item="Knife", quantity=3) == "Ash has only 2 × Knife."

    @pytest.mark.parametrize(
        ("ash", "bram", "count", "after"), [(5, 0, 2, (3, 2)), (5, 0, 5, (0, 5)), (5, 3, 1, (4, 4))]
    )
    def test_what_is_given_is_taken_from_one_and_joins_the_others(
        self, ash: int, bram: int, count: int, after: tuple[int, int]
    ) -> None:
        table = laid(ash, bram)
        offer = table.do("Ash", "hand", target="Bram", item="arrow", quantity=count)
        assert offer.follow_ups[0].label == f"Take {count} × Arrow"
        assert (has(table, "Ash"), has(table, "Bram")) == (ash, bram)
        table.press("Bram", offer.follow_ups[0])

        assert (has(table, "Ash"), has(table, "Bram")) == after

    @pytest.mark.rule("SWIM-CHAR-03")
    @pytest.mark.parametrize(
        ("gold", "silver", "rate", "given", "told"),
        [
            (1, 0, 10, 10, "1 GP"),
            (0, 3, 10, 3, "3 SP"),
            (2, 3, 10, 23, "2 GP 3 SP"),
            (1, 5, 20, 25, "1 GP 5 SP"),
        ],
    )
    def test_money_goes_from_one_purse_into_the_other(
        self, gold: int, silver: int, rate: int, given: int, told: str
    ) -> None:
        table = laid(silver=30)
        table.settings(sp_per_gp=rate)
        offer = table.do("Ash", "pay", target="Bram", gold=gold, silver=silver)
        assert offer.headline == f"offers Bram {told}"
        table.press("Bram", offer.follow_ups[0])

        assert (table.points("Ash", PURSE), table.points("Bram", PURSE)) == (30 - given, given)

    @pytest.mark.rule("SWIM-SKILL-13")
    @pytest.mark.parametrize(("carried", "lying"), [(0, 1), (2, 1), (1, 3)])
    def test_what_lies_about_is_picked_up_one_by_one(self, carried: int, lying: int) -> None:
        table = laid(carried, item="Knife")
        knife = item_of(CATALOGUE["Knife"])
        table.change("Ash", lying=(knife,) * lying)
        table.do("Ash", "pick_up", item="knife")

        assert has(table, "Ash", "Knife") == carried + 1
        assert len(table.sheet("Ash").lying) == lying - 1
        table.change("Ash", lying=())
        assert table.why("Ash", "pick_up", item="knife") == "Ash hasn't thrown a “knife”."


@pytest.mark.rule("SWIM-IMPL-04", "SWIM-ITEM-04")
@pytest.mark.parametrize(
    ("options", "state", "told"),
    [
        ({"equipped": True}, (True, False), "uses Piton"),
        ({"equipped": False}, (False, False), "puts away Piton"),
        ({"anchored": True}, (True, True), "anchors Piton"),
    ],
)
def test_a_thing_is_used_put_away_or_anchored(
    options: dict[str, bool], state: tuple[bool, bool], told: str
) -> None:
    table = laid(1, item="Piton")

    assert table.do("Ash", "equip", item="piton", **options).headline == told
    found = table.sheet("Ash").find_item("Piton")
    assert found is not None
    assert (found.is_equipped, found.is_anchored) == state


@pytest.mark.rule("SWIM-ITEM-09", "SWIM-MAGIC-07")
@pytest.mark.parametrize(
    ("items", "light", "seen"),
    [
        ((), 0, 0),
        ((), 3, 3),
        ((SwimItem(name="Lamp", light=1),), 0, 1),
        ((SwimItem(name="Lamp", light=2),), 3, 3),
        ((SwimItem(name="Lamp", light=4),), 3, 4),
        ((SwimItem(name="Lamp", light=4, is_equipped=False),), 3, 3),
    ],
)
def test_the_brightest_light_in_use_counts(items: tuple[SwimItem, ...], light: int, seen: int) -> None:
    assert light_of(sheet(items=items, states=States(light=light))) == seen


@pytest.mark.rule("SWIM-ITEM-10", "SWIM-SKILL-19")
@pytest.mark.parametrize(
    ("tenths", "told"),
    [
        (0, "Carries 0 lb of 20 lb"),
        (5, "Carries 0.5 lb of 20 lb"),
        (200, "Carries 20 lb of 20 lb"),
        (201, "Carries 20.1 lb of 20 lb · encumbered"),
    ],
)
def test_a_load_above_the_free_one_encumbers(tenths: int, told: str) -> None:
    table = solo({"brawn": 1}, items=[SwimItem(name="Stone", weight_tenths=tenths)])

    assert load_line(table.scene, table.named("Ash")) == told


@pytest.mark.rule("SWIM-CRAFT-01", "SWIM-CRAFT-02", "SWIM-CRAFT-04")
@pytest.mark.parametrize(
    ("value", "limited", "cost", "progress"),
    [
        (1, False, 25, 1),
        (2, False, 100, 4),
        (3, False, 225, 9),
        (1, True, 3, 1),
        (2, True, 10, 4),
        (0, False, 0, 0),
    ],
)
def test_the_material_of_a_thing_costs_2_5_gp_a_square_and_a_tenth_if_limited(
    value: int, limited: bool, cost: int, progress: int
) -> None:
    settings = SwimSettings()

    assert material_sp(value, settings, limited=limited) == cost
    assert progress_needed(value) == progress
    assert ruined_sp(2, settings, limited=limited) == (6 if limited else 50)
    assert material_sp(1, SwimSettings(sp_per_gp=1), limited=limited) == (1 if limited else 3)


@pytest.mark.rule("SWIM-CRAFT-01", "SWIM-CRAFT-04", "SWIM-ITEM-06")
class TestCrafting:
    @pytest.mark.parametrize(
        ("options", "silver", "told", "difficulty", "needed"),
        [
            ({"item": "Knife"}, 25, None, 4, 1),
            ({"item": "Knife"}, 24, "The material costs 2 GP 5 SP.", 0, 0),
            ({"item": "knife", "limited": True}, 3, None, 3, 1),
            ({"item": "Hook", "skill": "climb", "rank": 2}, 100, None, 4, 4),
            ({"item": "Hook"}, 100, "Hook isn't on the price list.", 0, 0),
            ({"item": "Arrow"}, 100, "You can't craft Arrow.", 0, 0),
            ({"item": "Stave of Hermes"}, 9000, "You can't craft artifacts.", 0, 0),
            ({"item": "Knife", "rope": 1}, 100, "Ash doesn't have 10 ft of rope.", 0, 0),
        ],
    )
    def test_what_can_be_crafted_with_what_material(
        self, options: dict[str, Any], silver: int, told: str | None, difficulty: int, needed: int
    ) -> None:
        table = solo()
        table.set("Ash", PURSE, silver)
        if told is not None:
            assert table.why("Ash", "start_craft", **options) == told
            return
        begun = table.do("Ash", "start_craft", **options)
        task = next(found for key, found in table.scene.documents.items() if key.startswith("task/"))

        assert task is not None
        assert (getattr(task, "difficulty", 0), getattr(task, "needed", 0)) == (difficulty, needed)
        assert table.points("Ash", PURSE) == silver - material_sp(
            2 if "rank" in options else 1, SwimSettings(), limited=options.get("limited", False)
        )
        assert begun.follow_ups[0].label.startswith("Work on ")

    @pytest.mark.parametrize(("lengths", "left"), [(1, 2), (3, 0)])
    def test_rope_is_used_up_by_the_length(self, lengths: int, left: int) -> None:
        table = laid(3, silver=100, item="Rope (10 ft)")
        table.do("Ash", "start_craft", item="Rigging", skill="climb", rope=lengths)

        assert has(table, "Ash", "Rope (10 ft)") == left
        assert table.why("Ash", "start_craft", item="Net", skill="swim", rope=left + 1) == (
            f"Ash doesn't have {10 * (left + 1)} ft of rope."
        )

    def test_ruined_material_is_bought_before_the_work_goes_on(self) -> None:
        table = solo({"craft": 3})
        table.set("Ash", PURSE, 125 + 25)
        begun = table.do("Ash", "start_craft", item="Hook", skill="climb", rank=2)
        failed = table.press("Ash", begun.follow_ups[0], "1 1 2")
        assert "Material worth 2 GP 5 SP is ruined." in failed.notes
        assert table.points("Ash", PURSE) == 50
        again = next(one for one in failed.follow_ups if one.procedure == "craft")
        assert again.label == "Work on Hook (Craft), buy material for 2 GP 5 SP"
        done = table.press("Ash", again, "5 5 3")

        assert done.notes[0] == "Buys new material for 2 GP 5 SP."
        assert table.points("Ash", PURSE) == 25
        assert words(done) == "2 of 4"
        last = next(one for one in done.follow_ups if one.procedure == "craft")
        assert last.label == "Work on Hook (Craft)"
        assert "Hook is finished." in table.press("Ash", last, "5 5 3").notes
        assert has(table, "Ash", "Hook") == 1


def test_buttons_of_long_names_are_cut() -> None:
    table = solo({"craft:" + "wood " * 8: 1})
    table.set("Ash", PURSE, 100)
    name, material = "A mast " * 8, "wood " * 8
    craft = table.do("Ash", "start_craft", item=name, skill="climb", material=material).follow_ups[0]
    task = table.do("Ash", "open_task", name="A raft " * 8, skill="climb", progress=2).follow_ups[0]

    assert craft.label == "Work on A mast A mast A mast A mast A mast A mast A mast… (Craft (wood wood wo…)"
    assert task.label == "Work on A raft A raft A raft A raft A raft A raft A raft A raft (Climb)"
