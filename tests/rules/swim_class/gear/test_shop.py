"""Implements, artifacts, and the things one carries."""

import pytest

from bot.rules.swim_class.gear import light_of
from bot.rules.swim_class.movement import is_encumbered, load_of
from bot.rules.swim_class.resources import coins, priced
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import CATALOGUE, Implement, Mod, SwimRole
from tests.rules.swim_class.play import lay_table, sheet, solo, words


@pytest.mark.rule("SWIM-IMPL-01")
class TestImplements:
    def test_the_modifier_of_an_implement_applies_to_every_die_of_a_matching_roll(self) -> None:
        table = lay_table(
            Ash=sheet({"basic_melee": 3, "throw": 1}, items=["Great Sword"]), Orc=sheet({"basic_melee": 3})
        )
        struck = table.do("Ash", "attack", "5 2 1", skill="basic melee", targets=("Orc",))
        table.do("GM Orc", "attack", "1 1 1", skill="basic melee", targets=("Ash",))
        parried = table.do("Ash", "defend", "5 4 3", skill="basic melee")
        thrown = table.do("Ash", "attack", "4", skill="throw", targets=("Orc",), distance=1)

        assert [die.shown for die in struck.rolls[0].dice] == ["⚄→7", "⚁→4", "⚀→3"]
        assert [die.shown for die in parried.rolls[0].dice] == ["⚄→6", "⚃→5", "⚂→4"]
        assert [die.shown for die in thrown.rolls[0].dice] == ["⚃"]


@pytest.mark.rule("SWIM-IMPL-02", "SWIM-ITEM-04")
class TestCancelledCriticals:
    @pytest.mark.parametrize(
        ("faces", "anchored", "note"),
        [
            ("1 1 1 2 2", True, "3 natural 1s: first ignored, 2 cancelled, no critical."),
            (
                "1 1 1 1 1",
                True,
                "5 natural 1s: first ignored, 2 cancelled, 2 criticals (a fall; the GM decides the damage).",
            ),
            ("1 2 2 2 2", True, "1 natural 1: first ignored, no critical."),
            (
                "1 1 1 2 2",
                False,
                "3 natural 1s: first ignored, 2 criticals (a fall; the GM decides the damage).",
            ),
        ],
    )
    def test_an_anchored_piton_cancels_two_natural_1s(self, faces: str, *, anchored: bool, note: str) -> None:
        table = solo({"climb": 5}, items=["Piton"])
        table.do("Ash", "equip", item="piton", anchored=anchored)
        done = table.do("Ash", "move", faces, how="climb", difficulty=6)

        assert done.notes == (note,)

    def test_a_shield_cannot_be_anchored(self) -> None:
        table = solo(items=["Medium Shield"])

        assert table.refused("Ash", "equip", item="Medium Shield", anchored=True) == (
            "You can't anchor Medium Shield."
        )


@pytest.mark.rule("SWIM-IMPL-03", "SWIM-IMPL-04", "SWIM-IMPL-05", "SWIM-IMPL-06")
class TestArtifacts:
    def test_the_dice_of_an_artifact_count_for_progress(self) -> None:
        table = solo({"earth": 3}, items=["Flawless crystal of the Ancients"])

        assert words(table.do("Ash", "cast", "5 2 3 4", spell="shift")) == "4 cubic feet"

    def test_an_artifact_in_use_opens_a_locked_skill(self) -> None:
        table = solo(items=["Amulet of Life"])
        table.set("Ash", "physical_wounds", 0)
        assert words(table.do("Ash", "roll", "3", skill="life", difficulty=3)) == "1 progress"
        table.do("Ash", "equip", item="amulet of life", equipped=False)

        assert table.refused("Ash", "roll", skill="life").startswith("Life is at rank 0")

    @pytest.mark.parametrize(("faces", "after"), [("5 4 1", 3), ("5 3 6", 2)])
    def test_the_dice_of_an_artifact_do_not_affect_the_advance_of_a_known_skill(
        self, faces: str, after: int
    ) -> None:
        table = solo({"wind": 2}, items=["Stave of Hermes"])
        table.do("Ash", "roll", faces, skill="wind", difficulty=4)

        assert table.rank("Ash", "wind") == after

    def test_a_skill_at_rank_0_advances_by_the_dice_of_an_artifact(self) -> None:
        table = solo(items=["Eternal Torch"])
        table.do("Ash", "roll", "3", skill="fire", difficulty=4)
        table.do("Ash", "cast", spell="light")
        assert table.rank("Ash", "fire") == 0
        table.do("Ash", "roll", "5", skill="fire", difficulty=4)
        assert table.rank("Ash", "fire") == 1

        assert len(table.do("Ash", "roll", "1 2", skill="fire", difficulty=4).rolls[0].dice) == 2


class TestValue:
    @pytest.mark.rule("SWIM-IMPL-07")
    def test_the_value_of_an_implement_counts_bonuses_criticals_and_bonus_dice(self) -> None:
        named = {name: CATALOGUE[name].value for name in ("Great Sword", "Common Bow", "Masterpiece Bow")}
        assert named == {"Great Sword": 3, "Common Bow": 1, "Masterpiece Bow": 2}
        assert [CATALOGUE[name].value for name in ("Quarterstaff", "Medium Shield", "Piton", "Hammer")] == [
            1,
            2,
            2,
            2,
        ]
        whole = Implement(name="x", mods=(Mod(role=SwimRole.TASK, bonus=1),), cancels=2, bonus_dice=1)
        assert whole.value == 7

    @pytest.mark.rule("SWIM-IMPL-08")
    def test_an_implement_of_value_above_3_is_rare(self) -> None:
        assert not CATALOGUE["Great Sword"].is_rare
        assert Implement(name="x", cancels=4).is_rare
        assert all(item.is_rare for item in CATALOGUE.values() if item.is_artifact)

    @pytest.mark.rule("SWIM-IMPL-09")
    def test_only_the_best_implement_of_a_kind_counts_unless_the_campaign_adds_them_up(self) -> None:
        table = lay_table(Ash=sheet({"physical_defense": 1}, items=["Great Sword", "Medium Shield"]))
        for stack, face in ((False, "⚂→5"), (True, "⚂→6")):
            table.settings(stack_implements=stack)
            table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))
            assert table.do("Ash", "defend", "3", skill="physical defense").rolls[0].dice[0].shown == face


@pytest.mark.rule("SWIM-IMPL-10", "SWIM-ITEM-02")
class TestAmmunition:
    def test_an_attack_spends_an_arrow_for_each_target(self) -> None:
        table = solo({"basic_ranged": 2}, items=["Common Bow"])
        table.do("GM", "give", target="Ash", item="Arrow", quantity=3)
        shot = {"skill": "basic ranged", "distance": 1}
        done = table.do("Ash", "attack", "5 4", targets=("Orc", "Beast"), shares="1,1", **shot)
        assert done.notes[0] == "Arrow: 1 left."
        table.do("Ash", "attack", "5 4", targets=("Orc",), **shot)

        assert table.refused("Ash", "attack", skill="basic ranged", targets=("Orc",)) == (
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
    def test_bought_items_are_paid_for_and_carried(self) -> None:
        table = lay_table()
        for item, quantity in (("Great Sword", 1), ("Medium Shield", 1), ("Common Bow", 1), ("Arrow", 20)):
            done = table.do("Ash", "buy", item=item, quantity=quantity)

        assert done.notes == ("Carries 34 lb of 20 lb · encumbered",)
        table.set("Ash", "purse_sp", 50)
        assert table.refused("Ash", "buy", item="Quarterstaff", quantity=6) == "6 × Quarterstaff cost 6 GP."
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
    def test_artifacts_cannot_be_bought_but_can_be_found_and_sold(self) -> None:
        table = lay_table()
        assert CATALOGUE["Flawless crystal of the Ancients"].value == 4
        assert table.refused("Ash", "buy", item="Bottomless Amphora") == "Bottomless Amphora isn't for sale."
        table.do("GM", "give", target="Ash", item="bottomless amphora")
        done = table.do("Ash", "sell", item="Bottomless Amphora")

        assert done.headline == "sells 1 × Bottomless Amphora for 120 GP"
        assert table.points("Ash", "purse_sp") == 2200
        table.settings(artifacts_for_sale=True)
        bought = table.do("Ash", "buy", item="Eternal Torch")
        assert bought.notes[0] == "Value 4: very expensive and rare."
        assert table.refused("Ash", "sell", item="Eternal Torch", quantity=2) == (
            "Ash has only 1 × Eternal Torch."
        )
        assert table.refused("Ash", "sell", item="Skull of a Litch").startswith("Ash has no")

    @pytest.mark.rule("SWIM-ITEM-08")
    def test_the_bottomless_amphora_pours_a_cup_each_round(self) -> None:
        assert words(solo(items=["Bottomless Amphora"]).do("Ash", "pour", rounds=16)) == "16 cups"

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
        table.give("Ash", ranks={"brawn": 2})
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
        assert table.refused("GM", "item", item="Axe") == "There is no “Axe” on the price list."
        assert table.do("Ash", "gear").notes == ("Piton", "Purse 100 GP", "Carries 1 lb of 20 lb")
