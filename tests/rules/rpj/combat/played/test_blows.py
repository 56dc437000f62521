"""Moves, attacks, free attacks, saves and Lucky Breaks as they are played."""

from typing import Any

import pytest

from bot.rules.kernel import Family, Outcome, Verdict
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import OwnTrait
from bot.rules.rpj.combat.commands.board import TRACKER
from bot.rules.rpj.combat.commands.turn_commands import begun_stage
from bot.rules.rpj.combat.commands.turn_menu import offers
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from tests.rules.rpj.combat.battles import with_weapon
from tests.rules.rpj.combat.played.brawl import (
    brawl,
    button,
    d6,
    fight,
    fighter,
    health,
    labels,
    press,
    shootout,
)
from tests.rules.rpj.table import FANTASY, GameTable, breaks, rpj_table

ONE_LEFT = RpjHealth(lost_base=(7, 7))


class TestAttacksAndSaves:
    @pytest.mark.rule("RPJ-GCS-28", "RPJ-GCS-31")
    def test_an_npcs_save_is_rolled_at_once(self) -> None:
        table = brawl()
        hit = table.do("Laeniel", "fight.attack", d6("5 5 3 3"), target="Ogre")

        assert hit.headline == "attacks Ogre (Dagger)"
        assert hit.verdict is not None
        assert hit.verdict.title == "hit"
        assert hit.notes == ("Ogre loses a save.",)
        assert health(table, "Ogre").lost_base == (7,)
        assert fighter(table, "Laeniel").turn.actions == 2

    @pytest.mark.rule("RPJ-GCS-26")
    def test_f_opt_15_a_player_who_did_not_ask_to_choose_gets_no_defense_prompt(self) -> None:
        table = rpj_table()
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        table.do("GM", "fight.place", who="Ogre", region="1", beside="Laeniel")
        table.do("GM", "encounter.order", characters=("Ogre", "Laeniel"))
        table.do("GM", "encounter.next")

        struck = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Laeniel")

        assert struck.rolls[0].against == "9+"
        assert fight(table).steps == ()

    @pytest.mark.rule("RPJ-GCS-26")
    def test_f_opt_15_an_attacking_player_can_pick_the_targets_better_defense(self) -> None:
        table = brawl("Laeniel")
        table.do("Ug", "fight.defense", defense="ask")
        attacked = table.do("Laeniel", "fight.attack", target="Ug")

        button_ = button(attacked, "Better defense")

        assert (button_.label, button_.character) == (
            "Better defense for Ug",
            table.ids["Laeniel"],
        )
        decided = table.press("Laeniel", button_, d6("1 1"))
        assert decided.headline == "chooses for Ug: use the better defense"

    @pytest.mark.rule("RPJ-GCS-26")
    def test_armor_with_a_single_defense_leaves_nothing_to_choose(self) -> None:
        table = shootout("Ogre", ug={"belongings": ("power_armor",)}, ogre={"belongings": ()})
        table.do("GM", "fight.place", who="Ogre", beside="Ug")
        table.do("Ug", "fight.defense", defense="ask")

        table.do("GM Ogre", "fight.attack", d6("1 1"), target="Ug")

        assert fight(table).steps == ()

    @pytest.mark.rule("RPJ-GCS-26")
    def test_a_player_can_choose_between_dodging_and_absorbing(self) -> None:
        table = brawl("Ogre")
        table.do("Laeniel", "fight.defense", defense="ask")
        attacked = table.do("GM Ogre", "fight.attack", target="Laeniel")

        assert labels(attacked) == [
            "Laeniel: dodge (9+)",
            "Laeniel: absorb (8+)",
            "Better defense for Laeniel (GM)",
            "Continue (GM)",
        ]
        missed = press(table, "Laeniel", attacked, "dodge", "1 5")
        assert missed.rolls[0].against == "9+"
        assert (missed.headline, missed.verdict and missed.verdict.title) == ("dodges", "miss")

    @pytest.mark.rule("RPJ-GCS-26")
    def test_the_attacker_can_pick_the_targets_better_defense(self) -> None:
        table = brawl("Ogre")
        table.do("Laeniel", "fight.defense", defense="ask")
        attacked = table.do("GM Ogre", "fight.attack", target="Laeniel")

        decided = press(table, "GM", attacked, "Better defense", "1 2")
        assert decided.rolls[0].against == "9+"
        assert table.refused("Laeniel", "fight.defend", target="c1").what == "This has already been decided."

    @pytest.mark.rule("RPJ-GCS-26")
    @pytest.mark.parametrize(("seconds", "waits"), [(60, 60), (5, 5), (0, None)])
    def test_the_better_defense_is_picked_after_the_campaigns_time_limit(
        self, seconds: int, waits: int | None
    ) -> None:
        table = brawl("Ogre", settings=FANTASY.model_copy(update={"defense_seconds": seconds}))
        table.do("Laeniel", "fight.defense", defense="ask")
        attacked = table.do("GM Ogre", "fight.attack", target="Laeniel")

        assert [one.after_seconds for one in attacked.follow_ups] == [None, None, waits, None]

    @pytest.mark.rule("RPJ-GCS-31")
    def test_a_player_rolls_their_own_save(self) -> None:
        table = brawl("Ogre")
        hit = table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")

        assert labels(hit) == [
            "Ug: save 9+ · 28%",
            "Ug: Lucky Break · 52%",
            "Continue (GM)",
        ]
        saved = press(table, "Ug", hit, "save 9+", "4 5")
        assert saved.notes == ("Ug's Base holds.",)
        assert fight(table).steps == ()

    @pytest.mark.rule("RPJ-LUCK-02")
    def test_a_lucky_break_can_be_spent_before_a_save(self) -> None:
        table = brawl("Ogre")
        hit = table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")

        assert press(table, "Ug", hit, "Lucky Break", "1 3 6").rolls[0].total == 9
        assert breaks(table, "Ug") == 1

    @pytest.mark.rule("RPJ-LUCK-02")
    def test_a_lucky_break_can_be_spent_before_an_attack(self) -> None:
        table = brawl("Ug")
        table.do("Ug", "fight.attack", d6("1 3 6 6 6"), target="Ogre", lucky=True)

        assert breaks(table, "Ug") == 1

    @pytest.mark.rule("RPJ-LUCK-03")
    def test_a_lucky_break_turns_a_miss_into_a_hit_without_another_action(self) -> None:
        table = brawl("Ug")
        before = table.scene
        missed = table.do("Ug", "fight.attack", d6("1 1"), target="Ogre")
        lucky = button(missed, "Lucky Break")

        assert missed.paid is not None
        assert lucky.rewinds
        assert lucky.window is not None
        assert lucky.window.until == ("touches c3",)
        table.scene = missed.paid
        turned = table.press("Ug", lucky, d6("6 6 6"))
        assert turned.verdict is not None
        assert turned.verdict.title == "hit"
        assert breaks(table, "Ug") == 1
        assert fighter(table, "Ug").turn.actions == 1
        assert before is not table.scene

    @pytest.mark.rule("RPJ-GCS-30")
    def test_a_critical_hit_takes_a_save_without_a_roll(self) -> None:
        table = brawl("Ogre", ug={"health": ONE_LEFT})
        hit = table.do("GM Ogre", "fight.attack", d6("6 6"), target="Ug")

        assert hit.notes == ("Ug loses 7+ of Base without a roll.", "Ug is incapacitated and bleeding.")
        assert health(table, "Ug").out is Out.INCAPACITATED

    @pytest.mark.rule("RPJ-GCS-48")
    def test_a_mook_that_is_hit_dies_or_is_spared(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=2, region="1", beside="Ug")

        dead = table.do("Laeniel", "fight.attack", d6("6 5"), target="Goblin")
        assert dead.notes == ("Goblin 1 is dead.",)
        spared = table.do("Laeniel", "fight.attack", d6("6 5"), target="Goblin", spare=True)
        assert spared.notes == ("Goblin 2 is knocked out.",)
        assert (
            "There is nobody called Goblin" in table.refused("Laeniel", "fight.attack", target="Goblin").what
        )

    @pytest.mark.rule("RPJ-GCS-61")
    def test_an_attack_with_two_weapons_hits_with_both(self) -> None:
        table = brawl(laeniel={"belongings": ("dagger", "club")})
        table.do("Laeniel", "fight.swap", weapons="Dagger, Club")
        both = table.do(
            "Laeniel", "fight.attack", d6("6 5 6 5 3 3"), target="Ogre", weapon="Dagger", extras="Club"
        )

        assert both.rolls[2].against == "10+"
        assert table.refused("Laeniel", "fight.attack", target="Ogre", weapon="Bow").what == (
            "Laeniel isn't holding that."
        )

    @pytest.mark.rule("RPJ-GCS-61", "RPJ-LUCK-02")
    def test_a_lucky_break_for_a_missed_attack_with_two_weapons_rolls_that_one_again(self) -> None:
        table = brawl(laeniel={"belongings": ("dagger", "club")})
        table.do("Laeniel", "fight.swap", weapons="Dagger, Club")
        missed = table.do("Laeniel", "fight.attack", d6("2 1"), target="Ogre", weapon="Dagger", extras="Club")

        turned = press(table, "Laeniel", missed, "Lucky Break", "6 1 1")

        assert [[die.face for die in roll.dice] for roll in turned.rolls] == [[6], [1, 1]]

    @pytest.mark.rule("RPJ-GCS-14")
    def test_a_second_weapon_change_in_a_turn_takes_an_action(self) -> None:
        table = brawl()
        table.do("Laeniel", "fight.move", region="2")
        table.do("GM", "fight.go_on")

        assert table.do("Laeniel", "fight.swap", weapons="bow").notes == ("In hand: Bow.",)
        assert table.do("Laeniel", "fight.swap", weapons="dagger").headline == "changes weapons for an action"


class TestFreeAttacksPlayed:
    @pytest.mark.rule("RPJ-GCS-43")
    def test_leaving_a_group_draws_a_free_attack_before_the_move(self) -> None:
        table = brawl()
        leaving = table.do("Laeniel", "fight.move", region="2")

        assert labels(leaving) == ["Ogre: free attack · 58%", "Ogre: skip", "Continue (GM)"]
        assert fighter(table, "Laeniel").region == 1
        missed = press(table, "GM Ogre", leaving, "free attack", "1 3")
        assert missed.notes == ("Laeniel is in Region 2, alone.",)
        assert fighter(table, "Ogre").free_attacks == 0
        assert fighter(table, "Laeniel").turn.actions == 2

    @pytest.mark.rule("RPJ-GCS-43")
    def test_a_mover_incapacitated_by_a_free_attack_does_not_move(self) -> None:
        table = brawl(laeniel={"health": ONE_LEFT})
        leaving = table.do("Laeniel", "fight.move", region="2")
        hit = press(table, "GM Ogre", leaving, "free attack", "5 5")
        fallen = press(table, "Laeniel", hit, "save", "2 2")

        assert fallen.notes[-1] == "Laeniel doesn't move."
        assert fighter(table, "Laeniel").region == 1

    @pytest.mark.rule("RPJ-GCS-43")
    def test_shooting_beside_an_enemy_draws_a_free_attack_before_the_shot(self) -> None:
        table = brawl("Laeniel")
        table.do("GM", "fight.mooks", name="Goblin", count=1, region="2")
        table.do("Laeniel", "fight.swap", weapons="bow")
        shooting = table.do("Laeniel", "fight.attack", target="Goblin")

        passed = press(table, "GM Ogre", shooting, "skip", "6 5")
        assert passed.notes == ("Goblin 1 is dead.",)

    @pytest.mark.rule("RPJ-GCS-45")
    def test_a_cautious_move_draws_no_free_attack(self) -> None:
        table = brawl()
        done = table.do("Laeniel", "fight.move", region="2", cautious=True)

        assert (done.headline, done.notes) == (
            "moves cautiously from Region 1 to Region 2",
            ("Laeniel is in Region 2, alone.",),
        )
        assert fighter(table, "Laeniel").turn.actions == 0

    def test_a_move_warns_of_foes_left_behind_but_not_of_allies(self) -> None:
        def warnings(table: GameTable) -> set[str]:
            menus = offers(begun_stage(table.scene))
            return {
                choice.note for menu in menus if menu.label.startswith("Move …") for choice in menu.choices
            }

        table = brawl()
        assert warnings(table) == {"a foe left behind can strike"}

        table.do("GM", "fight.place", who="Ogre", region="5")
        assert warnings(table) == {""}

    @pytest.mark.rule("RPJ-GCS-67")
    def test_mooks_make_their_free_attacks_together(self) -> None:
        table = brawl()
        table.do("GM", "fight.place", who="Ogre", region="5")
        table.do("GM", "fight.mooks", name="Goblin", count=3, region="1", beside="Ug")
        leaving = table.do("Laeniel", "fight.move", region="2")

        assert labels(leaving)[0] == "3 mooks: free attacks"
        struck = press(table, "GM", leaving, "3 mooks", "1 2 3 3 6 6")
        assert struck.verdict is not None
        assert struck.verdict.title == "2 of 3 hit"
        assert labels(struck)[0].startswith("Laeniel: save 8+")

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_riposte_offers_a_free_attack_after_a_miss(self) -> None:
        table = brawl("Ogre", ug={"traits": (OwnTrait(trait="riposte"),)})
        missed = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")

        assert labels(missed)[0].startswith("Ug: free attack")
        assert press(table, "Ug", missed, "skip").headline == "skips the free attack"

    @pytest.mark.rule("RPJ-TRAIT-07")
    def test_neither_a_missed_free_attack_nor_a_missed_shot_is_answered_by_a_riposte(self) -> None:
        duelist = {"traits": (OwnTrait(trait="riposte"),)}
        table = brawl(laeniel=duelist)
        leaving = table.do("Laeniel", "fight.move", region="2")
        handbow = with_weapon("handbow", skill="archery", attribute="DEX", greatest_range=4)
        own = RpjSettings(module="own").with_module(handbow)
        shooting = brawl(settings=own, ogre=duelist, laeniel={"belongings": ("handbow",)})
        shot = shooting.do("Laeniel", "fight.attack", target="Ogre", weapon="handbow")

        missed = (
            press(table, "GM Ogre", leaving, "free attack", "1 3"),
            press(shooting, "GM Ogre", shot, "skip", "1 1"),
        )

        assert not [label for one in missed for label in labels(one) if "free attack" in label]

    def test_a_free_attack_that_has_been_skipped_cannot_be_made_later(self) -> None:
        table = brawl()
        leaving = table.do("Laeniel", "fight.move", region="2")
        press(table, "GM Ogre", leaving, "skip")

        assert table.refused("GM Ogre", "fight.react", by="c3").what == "This has already been decided."
        assert table.refused("GM", "fight.go_on").what == "Nothing is waiting for an answer."


class TestTurnOfTheMooks:
    @pytest.mark.rule("RPJ-GCS-49")
    def test_a_swarm_of_mooks_attacks_with_fewer_rolls(self) -> None:
        table = brawl("Ogre")
        table.do("GM", "fight.mooks", name="Goblin", count=8, attack=3, damage=1, region="1", beside="Ug")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")
        swarm = table.do("GM", "fight.mook_attack", d6("1 4 4 5 5 6"), who="Goblin", target="Ug", rolls=3)

        assert len(swarm.rolls) == 3
        assert swarm.headline == "attacks Ug with Goblin ×8"
        assert swarm.verdict is not None
        assert swarm.verdict.title == "8 of 8 hit"
        assert labels(swarm)[1] == "Ug: roll all 8 saves, Lucky Break last"
        rolled = press(table, "Ug", swarm, "roll all", "6 5 6 5 6 5 6 5 6 5 6 5 6 5 1 1")
        assert rolled.headline == "rolls 8 damage saves"
        assert rolled.verdict is not None
        assert rolled.verdict.title == "7 saved, 1 lost"
        assert health(table, "Ug").lost_base == (7,)

    def swarmed(self, **ug: Any) -> tuple[GameTable, Outcome]:
        """Three goblins have hit Ug, whose saves are open."""
        table = brawl("Ogre", ug=ug)
        table.do("GM", "fight.mooks", name="Goblin", count=3, attack=5, damage=0, region="1", beside="Ug")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")
        return table, table.do("GM", "fight.mook_attack", d6("5 5"), who="Goblin", target="Ug", rolls=1)

    @pytest.mark.rule("RPJ-GCS-31", "RPJ-HEALTH-17")
    @pytest.mark.parametrize(
        ("faces", "title", "family"),
        [
            ("4 3 2 3 1 3", "1 saved, 2 lost", Family.PARTIAL),
            ("4 3 5 3 4 3", "3 saved", Family.SUCCESS),
            ("1 3 2 3 1 3", "3 lost", Family.FAILURE),
        ],
    )
    def test_f_opt_02_the_result_counts_how_many_of_several_saves_were_made(
        self, faces: str, title: str, family: Family
    ) -> None:
        table, hit = self.swarmed()

        rolled = press(table, "Ug", hit, "roll all", faces)

        assert rolled.headline == "rolls 3 damage saves"
        assert rolled.verdict == Verdict(family, title)

    def test_several_saves_are_rolled_at_once_from_two_on(self) -> None:
        for count, offered in ((1, []), (2, ["Ug: roll all 2 saves, Lucky Break last"])):
            table = brawl("Ogre")
            table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))
            table.do("GM", "fight.mooks", name="Goblin", count=count, damage=0, region="1", beside="Ug")
            for who in ("GM", "Laeniel", "Ug"):
                table.do(who, "encounter.next")
            hit = table.do("GM", "fight.mook_attack", d6("5 5"), who="Goblin", target="Ug", rolls=1)

            assert [label for label in labels(hit) if "roll all" in label] == offered
        assert press(table, "Ug", hit, "roll all", "4 3 2 3").headline == "rolls 2 damage saves"

    @pytest.mark.rule("RPJ-LUCK-02", "RPJ-LUCK-03")
    def test_f_opt_03_a_lucky_break_can_rescue_the_last_of_several_saves(self) -> None:
        table, hit = self.swarmed()
        rolled = press(table, "Ug", hit, "roll all", "4 3 2 3 1 3")
        assert health(table, "Ug").lost_base == (7, 7)
        assert [label for label in labels(rolled) if "Lucky" in label] == ["Lucky Break · 50% · 2 left"]
        assert rolled.paid is not None

        table.scene = rolled.paid
        turned = press(table, "Ug", rolled, "Lucky Break", "4")

        assert turned.verdict == Verdict(Family.SUCCESS, "saved")
        assert turned.notes == ("Ug's Base holds.", "First: 1 saved, 1 lost.")
        assert health(table, "Ug").lost_base == (7,)
        assert breaks(table, "Ug") == 1

    @pytest.mark.rule("RPJ-LUCK-03")
    def test_f_opt_03_the_roll_all_button_limits_lucky_breaks_to_the_last_save(self) -> None:
        table, hit = self.swarmed()
        assert labels(hit)[1] == "Ug: roll all 3 saves, Lucky Break last"
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        assert "Ug: roll all 3 saves" in [one.label for one in TRACKER.choices(table.scene)]

    def test_mooks_that_move_together_form_one_group(self) -> None:
        table = brawl("Ogre")
        table.do("GM", "fight.mooks", name="Goblin", count=3, region="3")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")
        table.do("GM", "fight.mook_move", who="Goblin", region="2")

        assert {(one.region, one.group) for one in fight(table).combatants if one.mook} == {(2, 3)}
        table.do("GM", "fight.mook_move", who="Goblin 1", region="1", beside="Ug")
        assert fighter(table, "Goblin 1").group == fighter(table, "Ug").group
        assert "These mooks have no actions" in table.refused("GM", "fight.mook_move", who="Goblin 1").what

    def test_mooks_cannot_attack_outside_their_turn(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=1)

        assert (
            "isn't the mooks' turn"
            in table.refused("GM", "fight.mook_attack", who="Goblin", target="Ug").what
        )


class TestOtherActions:
    @pytest.mark.rule("RPJ-GCS-12", "RPJ-GCS-13")
    def test_a_task_takes_an_action_and_a_full_turn_task_needs_an_unspent_turn(self) -> None:
        table = brawl()
        table.do("Laeniel", "fight.task", what="kicks the door")

        assert fighter(table, "Laeniel").turn.actions == 2
        assert (
            "you have already used part of this one"
            in table.refused("Laeniel", "fight.task", what="mends it", full=True).what
        )

    @pytest.mark.rule("RPJ-GCS-04")
    def test_the_gm_can_move_an_npc_to_the_players_side(self) -> None:
        table = brawl()
        table.do("GM", "fight.side", who="Ogre", side="players")

        assert table.do("Laeniel", "fight.move", region="2").notes == ("Laeniel is in Region 2, alone.",)

    def test_unknown_targets_and_regions_are_refused(self) -> None:
        table = brawl()

        assert (
            table.refused("Laeniel", "fight.attack", target="Troll").what
            == "There is nobody called Troll in this fight."
        )
        assert table.refused("Laeniel", "fight.attack").what == "Attack whom?"
        assert table.refused("Laeniel", "fight.move", region="9").what == "There is no region called “9”."


GIFTS = ("Prepare", "Watchful Strike", "Holding Strike", "Guarding Strike")


@pytest.mark.rule("RPJ-MNV-01")
class TestManeuverGifts:
    @pytest.mark.parametrize("shipped", Shipped)
    def test_f_opt_13_each_shipped_module_sells_the_four_maneuver_gifts_for_5_points(
        self, shipped: Shipped
    ) -> None:
        module = module_in(RpjSettings(module=shipped))

        found = {trait.name: (trait.kind, trait.cost) for trait in module.traits if trait.name in GIFTS}

        assert found == dict.fromkeys(GIFTS, ("gift", 5))

    def test_f_opt_13_a_maneuver_gift_that_was_bought_is_offered_on_the_board(self) -> None:
        table = brawl(laeniel={"available_points": 5})
        refused = table.refused("Laeniel", "fight.prepare")
        assert refused.what == "Laeniel hasn't learned Prepare."
        assert refused.allowed == "The gift “Prepare” (5 points) teaches it."

        table.do("GM Laeniel", "improve_trait", trait="Prepare")

        offered = RULESET.tracker.choices(table.scene) if RULESET.tracker else ()
        assert "Prepare (1 action)" in [one.label for one in offered]
        table.do("Laeniel", "fight.prepare")
        assert fighter(table, "Laeniel").charges == 2

    def test_f_opt_13_a_campaign_without_maneuvers_has_no_maneuver_gifts(self) -> None:
        off = FANTASY.model_copy(update={"maneuvers": False})
        assert [trait.name for trait in module_in(off).traits if trait.name in GIFTS] == []
        names = RULESET.suggestions["trait"](rpj_table(off).named("Laeniel"), off)
        assert set(GIFTS).isdisjoint(names)

        table = brawl(settings=off, laeniel={"traits": (OwnTrait(trait="prepare_maneuver"),)})
        refused = table.refused("Laeniel", "fight.prepare")
        assert refused.what == "This campaign doesn't use maneuvers."
        assert refused.try_this == (
            "The GM can switch them on: /campaign settings setting:maneuvers value:yes"
        )
