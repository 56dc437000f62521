"""Worked examples of characters, crafts and things, each played from its command to its end."""

from typing import Any

import pytest

from bot.rules.kernel import Character, CharacterId, PersonId
from bot.rules.swim_class.creation import CREATION
from bot.rules.swim_class.damage import hit_points
from bot.rules.swim_class.encounter import Ground, with_ground
from bot.rules.swim_class.gear import light_of, material_sp, progress_needed, ruined_sp
from bot.rules.swim_class.growth import PURSE, coins, priced
from bot.rules.swim_class.movement import is_encumbered, load_of
from bot.rules.swim_class.session import end_session, is_down
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Reserve,
    ReserveKind,
    States,
    SwimSettings,
    SwimSheet,
    book_of,
)
from bot.rules.swim_class.sheet_text import describe, pips, write_ins
from bot.rules.swim_class.tables import Pool
from bot.table.characters.characters import SheetView
from bot.ui.replies.sheets import sheet_reply
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words
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


SETTINGS = SwimSettings()


BOOK = book_of(SETTINGS)


class TestCrafting:
    @pytest.mark.rule("SWIM-CRAFT-01", "SWIM-CRAFT-04")
    def test_material_cost_and_progress_grow_with_the_square_of_the_value(self) -> None:
        assert [(material_sp(v, SETTINGS), progress_needed(v)) for v in (1, 2, 3, 4)] == [
            (25, 1),
            (100, 4),
            (225, 9),
            (400, 16),
        ]
        assert [material_sp(v, SETTINGS, limited=True) for v in (1, 2, 3)] == [3, 10, 23]

    @pytest.mark.rule("SWIM-CRAFT-01")
    def test_a_shield_takes_several_crafting_rolls(self) -> None:
        table = solo({"craft": 3})
        table.do("Ash", "start_craft", item="Medium Shield")
        assert [
            words(table.do("Ash", "craft", fell, item="medium shield"))
            for fell in ("5 4 1", "6 2 3", "4 1 1")
        ] == [
            "2 of 4",
            "3 of 4",
            "done, 4 of 4",
        ]
        assert table.sheet("Ash").find_item("Medium Shield") is not None
        assert table.points("Ash", "purse_sp") == 900

    @pytest.mark.rule("SWIM-CRAFT-02")
    def test_critical_failures_in_crafting_ruin_material(self) -> None:
        assert [ruined_sp(1, SETTINGS), ruined_sp(2, SETTINGS), ruined_sp(1, SETTINGS, limited=True)] == [
            25,
            50,
            3,
        ]
        table = solo({"craft": 3})
        table.do("Ash", "start_craft", item="Medium Shield")
        done = table.do("Ash", "craft", "1 1 3", item="Medium Shield")
        assert done.notes[-2:] == (  # F-SWIM-33: it was for the GM to decide
            "2 natural 1s: first ignored, 1 critical (ruined material).",
            "Material worth 2 GP 5 SP is ruined.",
        )
        again = table.do("Ash", "craft", "5 4 3", item="Medium Shield")
        assert again.notes[0] == "Buys new material for 2 GP 5 SP."
        assert table.points("Ash", "purse_sp") == 875

    @pytest.mark.rule("SWIM-CRAFT-03")
    def test_a_crafter_can_specialize_in_a_material(self) -> None:
        table = solo({"craft": 3})
        assert (
            table.do("Ash", "specialise", skill="craft", tag="Wood").headline
            == "specializes in Craft (wood) 2"
        )
        table.do("Ash", "start_craft", item="Quarterstaff", material="wood")
        done = table.do("Ash", "craft", "3 5", item="quarterstaff", exactly=True)
        assert [die.shown for die in done.rolls[0].dice] == ["⚂→4", "⚄→6"]

    @pytest.mark.rule("SWIM-CRAFT-04", "SWIM-CRAFT-05", "SWIM-ITEM-06")
    @pytest.mark.parametrize(("face", "left"), [("1", False), ("2", True), ("6", True)])
    def test_a_limited_rope_rigging_falls_apart_on_a_1(self, face: str, *, left: bool) -> None:
        table = solo({"craft": 2}, items=["Rope (10 ft)"])
        begun = table.do("Ash", "start_craft", item="Rigging", rank=1, skill="climb", limited=True, rope=1)
        assert begun.headline == "starts Rigging: Craft, difficulty 3, progress 1"
        assert table.sheet("Ash").items == ()
        table.do("Ash", "craft", "3 1", item="rigging")
        climbed = table.do("Ash", "roll", f"3 {face}", skill="climb", difficulty=4)

        assert words(climbed) == "1 progress"
        assert (table.sheet("Ash").find_item("Rigging") is not None) == left

    def test_ammunition_unlisted_items_and_artifacts_cannot_be_crafted(self) -> None:
        table = solo({"craft": 1})
        assert table.why("Ash", "start_craft", item="Arrow") == "You can't craft Arrow."
        assert table.why("Ash", "start_craft", item="Thing") == "Thing isn't on the price list."
        assert table.why("Ash", "start_craft", item="Eternal Torch") == "You can't craft artifacts."
        assert table.why("Ash", "start_craft", item="Knife", rope=2) == "Ash doesn't have 20 ft of rope."
        table.do("Ash", "open_task", name="wall", skill="climb", progress=3)
        assert table.why("Ash", "craft", item="wall") == "wall isn't a crafting task."
        table.set("Ash", "purse_sp", 1)
        assert table.why("Ash", "start_craft", item="Knife") == "The material costs 2 GP 5 SP."

    def test_a_crafted_knife_joins_the_knives_already_carried(self) -> None:
        table = solo({"craft": 1}, items=["Knife"])
        table.do("Ash", "start_craft", item="Knife")
        table.do("Ash", "craft", "5", item="Knife")
        assert table.sheet("Ash").items[0].quantity == 2
        assert table.do("Ash", "gear").notes[0] == "Knife × 2"


class TestSheet:
    def shown(self, held: SwimSheet, **resources: int) -> dict[str, tuple[str, ...]]:
        character = Character(
            id=CharacterId(1), name="Ash", owner=PersonId(1), sheet=held, resources=resources
        )
        return {
            section.title: (*section.lines, *(line.words for line in section.naming))
            for section in describe(character, SETTINGS)
        }

    @pytest.mark.rule("SWIM-SHEET-01")
    def test_the_sheet_follows_the_order_of_the_book(self) -> None:
        shown = self.shown(SwimSheet())

        assert list(shown) == ["Composure and Defense", "Skills", "More skills", "Magic", "Gear"]
        assert [len(shown[title]) for title in ("Composure and Defense", "Skills", "Magic")] == [4, 13, 6]
        assert shown["Magic"][0] == "○○○○○○○○○○ Life · locked"

    @pytest.mark.rule("SWIM-SHEET-02")
    def test_a_rank_is_shown_as_ten_circles(self) -> None:
        assert (pips(3), pips(2), pips(12)) == ("●●●○○○○○○○", "●●○○○○○○○○", "●●●●●●●●●● (12)")

    @pytest.mark.rule("SWIM-SHEET-03")
    def test_skills_outside_the_printed_sheet_are_listed_under_more_skills(self) -> None:
        held = sheet({"basic_ranged:longbow": 2, "pick_lock": 1})
        assert write_ins(BOOK, held) == ("grapple", "pick_lock", "basic_ranged:longbow")

        many = sheet({f"craft:{n}": 1 for n in range(26)})
        assert len(write_ins(BOOK, many)) == 27
        assert self.shown(held)["More skills"][2] == "●●○○○○○○○○ Basic Ranged (longbow)"

    @pytest.mark.rule("SWIM-SHEET-04")
    def test_the_sheet_shows_wounds_and_scratches_beside_their_skills(self) -> None:
        shown = self.shown(sheet({"physical_defense": 3}), physical_wounds=2, scratches=1)
        assert shown["Composure and Defense"][:2] == (
            "Composure · 0/1 left · 1 scratch",
            "Physical Defense · 1/3 left · 2 wounds",
        )

    def test_the_sheet_shows_states_traits_and_gear_in_use(self) -> None:
        states = States(
            is_prone=True,
            is_soaked=True,
            is_hovering=True,
            held_by=CharacterId(2),
            stunned_by=CharacterId(2),
            hidden_from=(CharacterId(2),),
            light=3,
            reserve=Reserve(skill="basic_melee", kind=ReserveKind.DEFENCE),
        )
        held = sheet(
            traits={"fins": 2}, items=["Eternal Torch"], kind="amphibian", tags=("undead",), states=states
        )
        shown = self.shown(
            held.model_copy(update={"is_dead": True, "broken": (Pool.MENTAL,), "stable": (Pool.SOCIAL,)})
        )

        assert len(shown["Traits and states"]) == 14
        assert shown["Magic"][3] == "○○○○○○○○○○ Fire · by artifact"
        assert self.shown(sheet(kind="merfolk"))["Traits and states"] == ("merfolk",)


@pytest.mark.rule("SWIM-REST-01")
class TestSessionEnd:
    def test_a_session_end_clears_scratches_and_states_but_keeps_wounds_and_long_tasks(self) -> None:
        table = lay_table()
        table.do("GM", "harm", target="Ash", points=1)
        table.do("GM", "harm", target="Ash", points=1)
        table.do("Ash", "open_task", name="long", skill="craft", progress=3, long=True)
        table.do("Ash", "open_task", name="short", skill="climb", progress=3)
        held = Reserve(skill="brawn", kind=ReserveKind.DEFENCE)
        table.change("Ash", states=States(is_prone=True, stunned_by=CharacterId(2), reserve=held))
        table.do("GM Bram", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Bram", "buildup", "5", skill="brawn")
        keys = [key for key, found in table.scene.documents.items() if found is not None]

        turning = end_session(table.scene, [id_of("Ash"), id_of("Bram")], keys)
        ended = turning.scene

        assert {(one.what, one.who, one.before, one.after) for one in turning.put_back} == {
            ("States", "Ash", "prone, stunned, in reserve: brawn", "none"),
            ("short", "", "0/3", "ended"),
            ("Build-up", "Bram", "1 part", "none"),
        }
        ash = ended.character(id_of("Ash"))
        assert (ash.resources["scratches"], ash.resources["physical_wounds"]) == (0, 1)
        assert isinstance(ash.sheet, SwimSheet)
        assert ash.sheet.states == States()
        assert [key for key in keys if ended.document(key) is not None] == ["task/long"]

    def test_rough_ground_outside_a_fight_goes_with_the_session(self) -> None:
        for ground, said in ((Ground(terrain=(3, 2)), "Rough ground: level 3 this round."), (Ground(), "")):
            table = lay_table()
            table.scene = with_ground(table.scene, ground)
            ended = end_session(table.scene, [id_of("Ash")], list(table.scene.documents))
            assert [one.before for one in ended.put_back] == ([said] if said else [])

    def test_f_swim_26_a_dying_character_can_be_stabilized_at_once_in_the_next_session(self) -> None:
        table = solo({"physical_defense": 1})
        table.set("Ash", "physical_wounds", 9)
        table.do("Ash", "stabilise", "3")
        keys = [key for key, found in table.scene.documents.items() if found is not None]

        turning = end_session(table.scene, [id_of("Ash")], keys)

        told = [(one.what, one.who, one.before, one.after) for one in turning.put_back]
        assert told == [("Stabilizing", "Ash", "rolled", "can be rolled again")]
        assert not any(turning.scene.documents.values())


@pytest.mark.rule("SWIM-REST-01")
@pytest.mark.parametrize("known", [True, False])
def test_what_a_session_ends_is_told_of_the_characters_that_everyone_knows(known: bool) -> None:
    table = lay_table(Ash=sheet({"climb": 3, "throw": 2, "life": 1}), Bram=sheet({"climb": 2}))
    table.do("Ash", "roll", "3", skill="climb", difficulty=4, dice=1)
    table.do("Bram", "aid", target="Ash", skill="climb")
    table.do("Ash", "buildup", "4 4", skill="throw")
    table.do("Ash", "buildup", "4", skill="throw")
    table.do("Ash", "open_task", name="Wall", skill="climb", progress=9, difficulty=2)
    table.do("Ash", "work", "2 2 2 2", name="Wall")
    table.do("Ash", "cast", "1", spell="heal", targets=("Bram",))
    table.do("Bram", "aid", target="Ash", skill="climb")
    who = [id_of("Ash")] if known else [id_of("Cleo")]
    ended = end_session(table.scene, who, [key for key, found in table.scene.documents.items() if found])

    told = {(one.what, one.who, one.before, one.after) for one in ended.put_back}
    everyone = {("Healing", "", "rolled", "can be rolled again")}
    assert told == everyone | (
        {
            ("Divided actions", "Ash", "1", "none"),
            ("Pledged help", "Ash", "1", "none"),
            ("Build-up", "Ash", "2 parts", "none"),
            ("Wall", "", "4/9", "ended"),
        }
        if known
        else set()
    )
    assert not any(ended.scene.documents.values())


@pytest.mark.rule("SWIM-COMB-08")
@pytest.mark.parametrize(
    ("more", "wounds", "down"),
    [
        ({}, {}, False),
        ({}, {"physical_wounds": 1}, False),
        ({}, {"physical_wounds": 2}, True),
        ({}, {"mental_wounds": 1}, True),
        ({}, {"social_wounds": 3}, True),
        ({"is_dead": True}, {}, True),
    ],
)
def test_whoever_has_an_empty_pool_or_is_dead_is_down(
    more: dict[str, Any], wounds: dict[str, int], down: bool
) -> None:
    table = solo({"physical_defense": 2}, **more)
    for key, value in wounds.items():
        table.set("Ash", key, value)

    assert is_down(table.named("Ash"), SwimSettings()) is down


def laid() -> GameTable:
    table = lay_table(Ash=sheet(items=("Knife", "Arrow")))
    table.set("Ash", PURSE, 25)
    table.set("Bram", PURSE, 0)
    return table


def test_an_offered_item_changes_hands_when_it_is_taken() -> None:
    table = laid()
    offer = table.do("Ash", "hand", target="Bram", item="knife")
    assert offer.headline == "offers Bram 1 × Knife"
    assert table.sheet("Ash").find_item("Knife") is not None

    taken = table.press("Bram", offer.follow_ups[0])

    assert taken.headline == "takes 1 × Knife from Ash"
    assert table.sheet("Ash").find_item("Knife") is None
    assert table.sheet("Bram").find_item("Knife") is not None
    assert table.why("Bram", "take", giver="Ash", item="Knife") == "Ash has no “Knife”."


def test_nobody_gives_more_than_they_have() -> None:
    table = laid()

    assert table.why("Ash", "hand", target="Bram", item="Knife", quantity=2) == "Ash has only 1 × Knife."
    assert table.why("Ash", "pay", target="Bram", gold=3) == "Ash has only 2 GP 5 SP."
    assert table.why("Ash", "pay", target="Bram") == "Say how much you give."
    assert table.why("Ash", "pay", target="Ash", gold=1) == "You can't give something to yourself."


def test_offered_money_changes_hands_when_it_is_taken() -> None:
    table = laid()
    offer = table.do("Ash", "pay", target="Bram", gold=2, silver=3)
    assert (offer.headline, offer.follow_ups[0].label) == ("offers Bram 2 GP 3 SP", "Take 2 GP 3 SP")

    table.press("Bram", offer.follow_ups[0])

    purses = [table.named(name).resources[PURSE] for name in ("Ash", "Bram")]
    assert purses == [2, 23]


@pytest.mark.rule("SWIM-IMPL-10", "SWIM-ITEM-02")
class TestAmmunition:
    def test_an_attack_spends_an_arrow_for_each_target(self) -> None:
        table = solo({"basic_ranged": 2}, items=["Common Bow"])
        table.do("GM", "give", target="Ash", item="Arrow", quantity=3)
        shot = {"skill": "basic ranged", "distance": 1}
        done = table.do("Ash", "attack", "5 4", targets=("Orc", "Beast"), shares="1,1", **shot)
        assert done.notes[0] == "Arrow: 1 left."
        table.do("Ash", "attack", "5 4", targets=("Orc",), **shot)

        assert table.why("Ash", "attack", skill="basic ranged", targets=("Orc",)) == (
            "Ash needs more ammunition: one piece per target."
        )

    def test_every_2_squares_of_a_bow_shot_give_the_defender_a_bonus_of_1(self) -> None:
        table = solo({"basic_ranged": 1}, items=["Common Bow", "Arrow"])
        table.do("Ash", "attack", "4", skill="basic ranged", targets=("Orc",), distance=7)

        assert table.do("GM Orc", "defend", "1").rolls[0].dice[0].shown == "⚀→4"


class TestMoneyAndItems:
    @pytest.mark.rule("SWIM-CHAR-03")
    def test_money_is_shown_in_gold_and_silver_pieces(self) -> None:
        assert [coins(amount, SwimSettings()) for amount in (483, 20, 3, 0)] == [
            "48 GP 3 SP",
            "2 GP",
            "3 SP",
            "0 SP",
        ]
        assert priced(CATALOGUE["Great Sword"], SwimSettings(sp_per_gp=20)) == 500

    @pytest.mark.rule("SWIM-CHAR-02", "SWIM-ITEM-10")
    def test_bought_items_are_paid_for_and_carried(self, table: GameTable) -> None:
        for item, quantity in (("Great Sword", 1), ("Medium Shield", 1), ("Common Bow", 1), ("Arrow", 20)):
            done = table.do("Ash", "buy", item=item, quantity=quantity)

        assert done.notes == ("Carries 34 lb of 20 lb · encumbered",)
        table.set("Ash", "purse_sp", 50)
        assert table.why("Ash", "buy", item="Quarterstaff", quantity=6) == "6 × Quarterstaff cost 6 GP."
        table.do("Ash", "buy", item="Arrow")
        assert table.sheet("Ash").find_item("arrow").quantity == 21  # type: ignore[union-attr]  # just bought

    @pytest.mark.rule("SWIM-ITEM-01")
    def test_prices_and_weights_are_those_of_the_books_list(self) -> None:
        rows = {item.name: (item.price_sp, item.weight_tenths) for item in CATALOGUE.values()}
        assert rows["Great Sword"] == (250, 100)
        assert rows["Masterpiece Bow"] == (450, 70)
        assert (rows["Arrow"][0] * 20, rows["Arrow"][1] * 20) == (20, 40)
        assert (rows["Rope (10 ft)"][0] * 5, rows["Rope (10 ft)"][1] * 5) == (5, 10)
        shop = lay_table().do("Ash", "shop")
        assert len(shop.notes) == 10

    @pytest.mark.rule("SWIM-ITEM-05")
    def test_a_hammer_helps_only_when_chosen_for_the_roll(self) -> None:
        table = solo({"brawn": 2}, items=["Hammer"])
        assert words(table.do("Ash", "roll", "3 1", skill="brawn", difficulty=4)) == "0 progress"

        assert (
            words(table.do("Ash", "roll", "3 1", skill="brawn", difficulty=4, implement="hammer"))
            == "1 progress"
        )

    @pytest.mark.rule("SWIM-ITEM-07")
    def test_artifacts_cannot_be_bought_but_can_be_found_and_sold(self, table: GameTable) -> None:
        assert CATALOGUE["Flawless crystal of the Ancients"].value == 4
        assert table.why("Ash", "buy", item="Bottomless Amphora") == "Bottomless Amphora isn't for sale."
        table.do("GM", "give", target="Ash", item="bottomless amphora")
        done = table.do("Ash", "sell", item="Bottomless Amphora")

        assert done.headline == "sells 1 × Bottomless Amphora for 120 GP"
        assert table.points("Ash", "purse_sp") == 2200
        table.settings(artifacts_for_sale=True)
        bought = table.do("Ash", "buy", item="Eternal Torch")
        assert bought.notes[0] == "Value 4: very expensive and rare."
        assert table.why("Ash", "sell", item="Eternal Torch", quantity=2) == (
            "Ash has only 1 × Eternal Torch."
        )
        assert table.why("Ash", "sell", item="Skull of a Litch").startswith("Ash has no")

    @pytest.mark.rule("SWIM-ITEM-08")
    def test_the_bottomless_amphora_pours_a_cup_each_round(self) -> None:
        for rounds, cups in ((1, "1 cup"), (2, "2 cups"), (16, "16 cups")):
            assert words(solo(items=["Bottomless Amphora"]).do("Ash", "pour", rounds=rounds)) == cups

    @pytest.mark.rule("SWIM-ITEM-09")
    def test_the_amulet_of_life_lights_1_square_unless_a_brighter_light_shines(self) -> None:
        table = solo({"fire": 3}, items=["Amulet of Life"])
        assert light_of(table.sheet("Ash")) == 1
        table.do("Ash", "cast", spell="light")

        assert light_of(table.sheet("Ash")) == 6

    @pytest.mark.rule("SWIM-ITEM-10")
    def test_the_weights_of_carried_items_add_up_to_the_load(self) -> None:
        table = solo(items=["Great Sword", "Medium Shield", "Knife"])
        assert load_of(table.named("Ash")) == 260
        assert is_encumbered(table.scene, table.named("Ash"))
        table.change("Ash", ranks={"brawn": 2})
        assert not is_encumbered(table.scene, table.named("Ash"))

    def test_an_items_details_show_its_bonuses_value_price_and_weight(self) -> None:
        table = solo(items=["Piton"])

        assert table.do("Ash", "item", item="piton").notes == ("2-crit: Climb", "value 2 · 5 GP · 1 lb")
        assert table.do("GM", "item", item="stave of hermes").notes == (
            "+1D Wind",
            "value 4 · rare · 90 GP · 4 lb",
        )
        assert table.do("GM", "item", item="arrow").notes == (
            "+1 defense every 2 squares",
            "value 0 · 1 SP · 0.2 lb",
        )
        assert table.why("GM", "item", item="Axe") == "There is no “Axe” on the price list."
        assert table.why("GM", "item", item="rope") == "There is no “rope” on the price list."
        assert table.do("GM", "item", item="great sword").notes[1] == (
            "+1 defense: Basic Melee, Physical Defense"
        )
        assert table.do("Ash", "gear").notes == ("Piton", "Purse 100 GP", "Carries 1 lb of 20 lb")
