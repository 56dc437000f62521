"""Ammunition as it is played: shots, reloading, swapping, giving, what fights use up."""

import pytest

from bot.rules.rpj.module.items import Ammunition
from tests.rules.rpj.combat.played.brawl import brawl, d6, labels
from tests.rules.rpj.combat.played.shootout import FUTURE, ammunition, fighter, shootout, turns
from tests.rules.rpj.table import FANTASY, GameTable, rpj_table

MISS = "1 1"


def loaded(count: int, step: int = 3) -> dict[str, object]:
    """A sheet with so much in the pistol."""
    return {"ammunition": {"pistol": Ammunition(loaded=count, step=step)}}


def shoot(table: GameTable, times: int = 1) -> None:
    """Laeniel shoots at the ogre and misses."""
    for _ in range(times):
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre")


class TestAmmunitionSpentByShots:
    @pytest.mark.rule("RPJ-FIRE-02")
    def test_a_weapon_loses_1_ammunition_per_round_however_often_it_shoots(self) -> None:
        table = shootout()
        shoot(table, 2)
        assert ammunition(table, "Laeniel", "pistol").loaded == 2
        turns(table, 3)
        shoot(table)
        assert ammunition(table, "Laeniel", "pistol").loaded == 1
        turns(table, 6)
        assert ammunition(table, "Laeniel", "pistol").loaded == 1

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_the_last_ammunition_lasts_for_the_whole_round(self) -> None:
        table = shootout(laeniel=loaded(1))
        shoot(table, 2)
        assert ammunition(table, "Laeniel", "pistol").loaded == 0

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_an_attack_with_an_empty_weapon_is_refused(self) -> None:
        refused = shootout(laeniel=loaded(0)).refused("Laeniel", "fight.attack", target="Ogre")
        assert (refused.what, refused.allowed) == ("The Pistol is empty.", "Reload it first.")

    @pytest.mark.rule("RPJ-FIRE-08")
    def test_a_weapon_without_carried_ammunition_can_neither_shoot_nor_reload(self) -> None:
        table = shootout(laeniel=loaded(3, step=0))
        none = "The Pistol is out of ammunition."
        assert table.refused("Laeniel", "fight.attack", target="Ogre").what == none
        assert table.refused("Laeniel", "fire.reload").what == none

    @pytest.mark.rule("RPJ-FIRE-22")
    @pytest.mark.parametrize(("had", "left"), [(3, 1), (2, 0), (1, 0)])
    def test_suppressive_fire_takes_2_ammunition_or_all_that_is_left(self, had: int, left: int) -> None:
        table = shootout(laeniel=loaded(had))
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert ammunition(table, "Laeniel", "pistol").loaded == left

    @pytest.mark.rule("RPJ-FIRE-22")
    def test_suppressive_fire_after_a_shot_in_the_same_round_takes_2_ammunition_in_all(self) -> None:
        table = shootout(laeniel=loaded(3))
        shoot(table)
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert ammunition(table, "Laeniel", "pistol").loaded == 1

    @pytest.mark.rule("RPJ-FIRE-31")
    def test_attacking_with_one_of_two_weapons_in_hand_uses_its_ammunition(self) -> None:
        table = shootout(laeniel={"belongings": ("pistol", "combat_knife")})
        table.change("Laeniel", belongings=("pistol", "combat_knife"))
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="pistol, combat knife")
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre", weapon="pistol")
        assert ammunition(table, "Laeniel", "pistol").uses == 1

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_a_weapon_that_needs_no_ammunition_uses_none(self) -> None:
        table = brawl(settings=FANTASY.model_copy(update={"fire_and_movement": True}), together=False)
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="bow")
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre", weapon="bow")
        assert table.do("GM", "encounter.end").notes == ()
        assert table.named("Laeniel").sheet.ammunition == {}


class TestReloading:
    @pytest.mark.rule("RPJ-FIRE-03")
    def test_reloading_a_pistol_takes_one_action_and_fills_it(self) -> None:
        table = shootout(laeniel=loaded(0))
        assert table.do("Laeniel", "fire.reload").notes == ("Pistol: loaded 0 → 3 (1 action)",)
        shoot(table)
        assert ammunition(table, "Laeniel", "pistol").loaded == 2
        assert fighter(table, "Laeniel").turn.actions == 1

    @pytest.mark.rule("RPJ-FIRE-03")
    def test_reloading_cannot_be_split_over_two_turns(self) -> None:
        table = shootout(laeniel={"ammunition": {"rocket_launcher": Ammunition(loaded=0)}})
        table.do("Laeniel", "fight.swap", weapons="rocket launcher")
        table.do("Laeniel", "fight.task", what="look around")
        table.do("Laeniel", "fight.task", what="look around again")
        refused = table.refused("Laeniel", "fire.reload")
        assert refused.what == "Reloading takes 2 actions; you have 1 left."

    @pytest.mark.rule("RPJ-FIRE-03")
    def test_a_full_weapon_cannot_be_reloaded(self) -> None:
        assert shootout().refused("Laeniel", "fire.reload").what == "The Pistol is already full."

    @pytest.mark.rule("RPJ-FIRE-18")
    def test_a_fighter_who_only_reloads_in_cover_cowers(self) -> None:
        table = shootout(laeniel=loaded(0))
        table.do("GM", "fire.cover", what="wall", behind="Laeniel")
        table.do("Laeniel", "fire.reload")
        turns(table, 1)
        assert fighter(table, "Laeniel").under_fire.is_cowering


class TestAmmunitionAfterAFight:
    @pytest.mark.rule("RPJ-FIRE-05", "RPJ-FIRE-04")
    def test_two_uses_in_a_fight_cost_a_step_of_ammunition_and_refill_the_magazine(self) -> None:
        table = shootout()
        shoot(table, 2)
        assert table.do("GM", "encounter.end").notes == ("Laeniel's Pistol: Lots → Some (2 uses).",)
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=2)

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_one_use_in_a_fight_costs_no_ammunition(self) -> None:
        table = shootout()
        shoot(table)
        assert table.do("GM", "encounter.end").notes == ()
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=3)

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_suppressive_fire_counts_as_two_uses_of_ammunition(self) -> None:
        table = shootout()
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert table.do("GM", "encounter.end").notes == ("Laeniel's Pistol: Lots → Some (2 uses).",)

    @pytest.mark.rule("RPJ-FIRE-04")
    def test_an_npcs_weapon_is_refilled_after_the_fight_at_no_cost(self) -> None:
        table = shootout("Ogre")
        table.do("GM Ogre", "fight.attack", d6(MISS), target="Ug")
        table.do("GM Ogre", "fight.attack", d6(MISS), target="Ug")
        assert ammunition(table, "Ogre", "rifle").loaded == 3
        assert table.do("GM", "encounter.end").notes == ()
        assert ammunition(table, "Ogre", "rifle") == Ammunition(loaded=4, step=3)


class TestCarriedAmmunition:
    @pytest.mark.rule("RPJ-FIRE-04")
    def test_the_ammunition_command_shows_loaded_and_carried_ammunition(self) -> None:
        shown = shootout().do("Laeniel", "fire.ammunition")
        assert shown.notes == (
            "Pistol: loaded 3/3 · Lots",
            "Rifle: loaded 4/4 · Lots",
            "Rocket launcher: loaded 1/1 · Lots",
        )
        assert not shown.is_public

    @pytest.mark.rule("RPJ-FIRE-06")
    def test_ammunition_is_swapped_only_between_weapons_that_share_it(self) -> None:
        table = shootout(laeniel={"belongings": ("rifle", "heavy_rifle", "pistol")})
        table.do("GM", "fire.resupply", target="Laeniel", weapon="rifle", step=1)
        swapped = table.do("Laeniel", "fire.swap", one="rifle", other="heavy rifle")
        assert swapped.notes == ("Rifle: A Little → Lots", "Heavy rifle: Lots → A Little")
        refused = table.refused("Laeniel", "fire.swap", one="rifle", other="pistol")
        assert refused.what == "These two weapons use different ammunition."
        assert table.refused("Laeniel", "fire.swap", one="rifle", other="rifle").what == (
            "Choose two different weapons."
        )

    @pytest.mark.rule("RPJ-FIRE-07")
    def test_ammunition_given_to_another_character_leaves_the_giver(self) -> None:
        table = shootout()
        given = table.do("Laeniel", "fire.give", to="Ug", weapon="rifle", steps=2)
        assert given.notes == ("Laeniel's Rifle: Lots → A Little", "Ug's Rifle: Lots → Lots +2")
        assert table.refused("Laeniel", "fire.give", to="Ug", weapon="rifle", steps=2).what == (
            "You only have A Little to give."
        )
        refused = table.refused("Laeniel", "fire.give", to="Ug", weapon="pistol", theirs="rifle")
        assert refused.what == "These two weapons use different ammunition."
        assert table.refused("Laeniel", "fire.give", to="Laeniel", weapon="rifle").what == (
            "You can't give ammunition to yourself."
        )

    @pytest.mark.rule("RPJ-FIRE-07")
    def test_the_gm_can_resupply_ammunition(self) -> None:
        table = shootout(laeniel=loaded(0, step=0))
        done = table.do("GM", "fire.resupply", target="Laeniel", weapon="pistol", step=4)
        assert done.notes == ("Pistol: None → Lots +1, loaded 3/3",)
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=4)

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_reloading_a_weapon_that_uses_no_ammunition_is_refused(self) -> None:
        refused = shootout().refused("Laeniel", "fire.reload", weapon="fists")
        assert refused.what == "“fists” uses no ammunition here."

    @pytest.mark.rule("RPJ-FIRE-01")
    def test_the_sheet_hides_ammunition_without_fire_and_movement(self) -> None:
        plain = rpj_table(FUTURE.model_copy(update={"fire_and_movement": False}))
        plain.change("Ug", belongings=("rifle",))
        sections = plain.game.describe(plain.named("Ug"), plain.scene.settings)
        fighting = next(one for one in sections if one.title == "Fighting")
        assert not any("loaded" in line for line in fighting.lines)


@pytest.mark.rule("RPJ-FIRE-33")
class TestFireMenu:
    def test_the_fire_menu_offers_possible_actions_with_their_costs(self) -> None:
        table = shootout(laeniel=loaded(1))
        ended = table.do("GM", "encounter.next")
        assert ended.notes
        turns(table, 2)
        hint = table.do("Laeniel", "fire.hint")
        assert hint.notes[:5] == (
            "Against cover: Suppressive Fire ignores cover, halves defenses and covers a whole group.",
            "Ogre · Pistol · 97% (1 action)",
            "Reload Pistol: loaded 1 → 3 (1 action)",
            "Aim at Ogre · Pistol · 97% (2 actions)",
            "Suppress Ogre · Pistol · 97% (2 actions)",
        )

    @pytest.mark.parametrize(
        ("deed", "fall", "headline"),
        [
            ("reload|pistol", "", "reloads"),
            ("aim|c3|pistol", MISS, "aims at Ogre"),
            ("suppress|c3|pistol", MISS, "suppresses the group of Ogre"),
            ("watch|2", "", "watches Region 2"),
        ],
    )
    def test_each_choice_of_the_fire_menu_does_what_it_says(
        self, deed: str, fall: str, headline: str
    ) -> None:
        table = shootout(laeniel=loaded(1))
        assert table.do("Laeniel", "fire.deed", d6(fall) if fall else "", deed=deed).headline == headline

    def test_the_fire_menu_without_a_choice_is_refused(self) -> None:
        assert shootout().refused("Laeniel", "fire.deed").what == "You didn't choose anything."

    def test_the_fire_menu_recommends_cowering_in_cover(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="wall", behind="Laeniel")
        assert table.do("Laeniel", "fire.hint").notes[0].startswith("In cover: don't move or attack to cower")
        assert labels(table.do("Laeniel", "fire.hint")) == []
