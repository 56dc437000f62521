"""Worked examples of characters, crafts and things, each played from its command to its end."""

import pytest

from bot.rules.kernel import Character, CharacterId, PersonId
from bot.rules.swim_class.creation import CREATION
from bot.rules.swim_class.damage import hit_points
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import SwimSheet
from bot.rules.swim_class.sheet_text import describe
from bot.rules.swim_class.tables import Pool
from bot.table.characters.characters import SheetView
from bot.ui.replies.sheets import sheet_reply
from tests.rules.swim_class.play import lay_table, sheet, solo
from tests.ui.shown import shown


@pytest.mark.rule("SWIM-CHAR-03")
def test_30_feet_of_rope_cost_3_silver_pieces() -> None:
    done = lay_table().do("Ash", "buy", item="Rope (10 ft)", quantity=3)

    assert done.headline == "buys 3 × Rope (10 ft) for 3 SP"


@pytest.mark.rule("SWIM-SKILL-15")
def test_pick_lock_can_be_chosen_as_a_starting_skill() -> None:
    draft = {"kind": ("none",), "skills": ("spot",), "special": ("pick_lock",)}
    made = CREATION.build(draft, SwimSettings())

    assert isinstance(made, SwimSheet)
    assert made.ranks["pick_lock"] == 2


@pytest.mark.rule("SWIM-CRAFT-02")
class TestRuinedMaterial:
    def test_two_criticals_in_crafting_ruin_material_worth_5_gold_pieces(self) -> None:
        table = solo({"craft": 3})
        table.do("Ash", "start_craft", item="Great Sword")
        done = table.do("Ash", "craft", "1 1 1", item="Great Sword")

        assert done.notes[-1] == "Material worth 5 GP is ruined."

    def test_a_critical_in_crafting_a_limited_item_ruins_material_worth_3_silver_pieces(self) -> None:
        table = solo({"craft": 3})
        table.do("Ash", "start_craft", item="Medium Shield", limited=True)
        done = table.do("Ash", "craft", "1 1 2", item="Medium Shield")

        assert done.notes[-1] == "Material worth 3 SP is ruined."

    def test_criticals_in_crafting_ruin_no_more_material_than_the_item_needs(self) -> None:
        table = solo({"craft": 4})
        table.do("Ash", "start_craft", item="Knife")
        done = table.do("Ash", "craft", "1 1 1 1", item="Knife")

        assert done.notes[-1] == "Material worth 2 GP 5 SP is ruined."


@pytest.mark.rule("SWIM-RACE-02")
def test_an_advance_in_dark_vision_raises_spot_by_synergy() -> None:
    table = solo({"dark_vision": 4})
    table.do("Ash", "roll", "5 5 5 5", skill="dark vision", difficulty=6)

    assert (table.rank("Ash", "dark_vision"), table.rank("Ash", "spot")) == (5, 3)


@pytest.mark.rule("SWIM-RACE-06", "SWIM-RACE-09")
def test_a_trait_changes_dice_but_not_hit_points() -> None:
    table = solo({"physical_defense": 2, "brawn": 2}, traits={"small": 1})
    lifted = table.do("Ash", "roll", "4 5", skill="brawn", difficulty=4)
    table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))
    dodged = table.do("Ash", "defend", "4 3", skill="physical defense")

    assert [die.shown for die in lifted.rolls[0].dice] == ["⚃→3", "⚄→4"]
    assert [die.shown for die in dodged.rolls[0].dice] == ["⚃→5", "⚂→4"]
    assert hit_points(table.scene, table.named("Ash"), Pool.PHYSICAL) == 2


@pytest.mark.rule("SWIM-ITEM-03")
def test_a_knife_thrown_3_squares_adds_its_bonus_and_gives_the_defender_a_bonus() -> None:
    table = solo({"throw": 1}, items=["Knife"])
    thrown = table.do("Ash", "attack", "4", skill="throw", targets=("Orc",), distance=3)
    assert thrown.rolls[0].dice[0].shown == "⚃→5"

    assert table.do("GM Orc", "defend", "1").rolls[0].dice[0].shown == "⚀→4"


@pytest.mark.rule("SWIM-SHEET-03")
def test_every_row_of_a_long_sheet_appears_on_some_page() -> None:
    held = sheet({f"craft:wood {number}": 1 for number in range(60)})
    character = Character(id=CharacterId(1), name="Ash", owner=PersonId(1), sheet=held)
    view = SheetView(
        id=1,
        name="Ash",
        owner=1,
        game="Project Swim Class",
        sections=describe(character, SwimSettings()),
    )
    pages = [shown(sheet_reply(view, page)) for page in range(9)]

    rows = "".join(pages)
    assert all(f"Craft \\(wood {number}\\)" in rows for number in range(60))
