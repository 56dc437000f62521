"""Grapples, maneuvers, coups de grace, helping hands and treatment as they are played."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.rpj.character.sheet import OwnTrait
from bot.rules.rpj.combat.engine.damage_steps import Ending
from bot.rules.rpj.combat.engine.moves import Aside
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from tests.rules.rpj.combat.battles import without_role
from tests.rules.rpj.combat.played.brawl import brawl, d6, fight, fighter, health, labels, press
from tests.rules.rpj.combat.rules.test_free_attacks import NAMES, SCHOOL
from tests.rules.rpj.people import known
from tests.rules.rpj.table import breaks, rpj_table

DOWN = RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED)
NPC_DOWN = RpjHealth(lost_base=(7, 7, 7, 7), out=Out.INCAPACITATED)
MEDIC = {"skills": (known("alchemy", 3, linked="INT"),)}


def knows(*maneuvers: str) -> dict[str, Any]:
    return {"traits": tuple(OwnTrait(trait=name) for name in maneuvers)}


GIFTS = tuple(trait for trait in SCHOOL.traits if trait.id in NAMES)
WITH_GIFTS = RpjSettings(module=Shipped.FANTASY, traits=GIFTS)


class TestGrapplesPlayed:
    @pytest.mark.rule("RPJ-GCS-50", "RPJ-GCS-53")
    def test_a_successful_grapple_leads_to_a_check_and_a_choice(self) -> None:
        table = brawl()
        held = table.do("Laeniel", "fight.grapple", d6("1 4 6 5"), target="Ogre")

        assert held.headline == "grapples Ogre"
        assert held.notes == ("They are in a grapple.",)
        assert labels(held) == [
            "Laeniel: break free (keeps 1)",
            "Laeniel: do 0 damage (all actions)",
            "Continue (GM)",
        ]
        hurt = press(table, "Laeniel", held, "do 0 damage", "3 3")
        assert health(table, "Ogre").lost_base == (7,)
        assert hurt.headline == "crushes Ogre"
        assert fighter(table, "Laeniel").turn.actions == 0
        assert "is in a grapple with Ogre" in table.refused("Laeniel", "fight.move", region="2").what

    @pytest.mark.rule("RPJ-GCS-50")
    def test_a_failed_grapple_leaves_the_other_actions(self) -> None:
        table = brawl()
        missed = table.do("Laeniel", "fight.grapple", d6("1 1"), target="Ogre")

        assert missed.verdict is not None
        assert missed.verdict.title == "no grapple"
        assert fighter(table, "Laeniel").turn.actions == 2
        assert (
            table.refused("Laeniel", "fight.grapple", target="Ogre").what
            == "You can only try to grapple once per turn."
        )

    @pytest.mark.rule("RPJ-GCS-54", "RPJ-GCS-56")
    def test_the_winner_of_a_grapple_check_can_break_free_and_keep_an_action(self) -> None:
        table = brawl()
        held = table.do("Laeniel", "fight.grapple", d6("1 4 1 1"), target="Ogre")
        assert held.verdict is not None
        assert held.verdict.title == "loses"
        table.do("Laeniel", "encounter.next")
        table.do("Ug", "encounter.next")
        won = table.do("GM Ogre", "fight.wrestle", d6("6 5"))
        free = press(table, "GM Ogre", won, "break free")

        assert (free.headline, free.notes) == ("breaks free of Laeniel", ("1 action left.",))
        assert fight(table).grapples == ()

    @pytest.mark.rule("RPJ-LUCK-03")
    def test_a_lucky_break_can_win_a_lost_grapple_check(self) -> None:
        table = brawl()
        lost = table.do("Laeniel", "fight.grapple", d6("1 4 1 1"), target="Ogre")
        assert lost.paid is not None
        table.scene = lost.paid

        turned = press(table, "Laeniel", lost, "Lucky Break", "6")
        assert labels(turned)[0].startswith(("Keep", "Laeniel: break free"))
        assert breaks(table, "Laeniel") == 2

    @pytest.mark.rule("RPJ-GCS-46")
    def test_squeezing_kills_a_mook(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=1, region="1", beside="Ug")
        held = table.do("Laeniel", "fight.grapple", d6("3 4 6 5"), target="Goblin")

        assert press(table, "Laeniel", held, "do 0 damage").notes == ("Goblin 1 is dead.",)
        assert fight(table).grapples == ()


class TestManeuversPlayed:
    @pytest.mark.rule("RPJ-MNV-02", "RPJ-MNV-03")
    def test_a_prepare_charge_pays_for_a_second_free_attack(self) -> None:
        table = brawl("Ogre", settings=WITH_GIFTS, ogre=knows("prepare"))
        prepared = table.do("GM Ogre", "fight.prepare")

        assert prepared.notes == ("Prepare charges 0 → 1, until their next turn.",)
        table.do("GM", "encounter.next")
        leaving = table.do("Laeniel", "fight.move", region="2")
        press(table, "GM Ogre", leaving, "free attack", "1 2")
        table.do("Laeniel", "encounter.next")
        second = table.do("Ug", "fight.move", region="2")
        assert labels(second)[0] == "Ogre: free attack (a Prepare charge) · 72%"
        press(table, "GM Ogre", second, "free attack", "1 2")
        assert fighter(table, "Ogre").charges == 0

    @pytest.mark.rule("RPJ-MNV-04")
    def test_prepare_charges_pay_for_a_free_attack_on_a_cautious_mover(self) -> None:
        table = brawl("Ogre", settings=WITH_GIFTS, ogre=knows("prepare"))
        table.do("GM Ogre", "fight.prepare")
        table.do("GM", "encounter.next")
        leaving = table.do("Laeniel", "fight.move", region="2", cautious=True)

        assert labels(leaving)[0] == "Ogre: free attack (all Prepare charges) · 58%"
        press(table, "GM Ogre", leaving, "skip")
        assert fighter(table, "Laeniel").region == 2

    @pytest.mark.rule("RPJ-MNV-07")
    def test_holding_strike_stops_the_mover_for_the_rest_of_the_turn(self) -> None:
        table = brawl(settings=WITH_GIFTS, ogre=knows("holding"))
        leaving = table.do("Laeniel", "fight.move", region="2")
        held = press(table, "GM Ogre", leaving, "Holding Strike", "5 5")

        assert held.notes[0] == "Laeniel is held and can't move for the rest of this turn."
        assert [step.kind for step in fight(table).steps] == ["saves"]
        press(table, "Laeniel", held, "save", "6 6")
        assert fighter(table, "Laeniel").region == 1
        assert "is held" in table.refused("Laeniel", "fight.move", region="2").what
        assert fighter(table, "Laeniel").turn.actions == 2

    @pytest.mark.rule("RPJ-MNV-08")
    def test_guarding_strike_drives_the_target_off(self) -> None:
        table = brawl("Ug", settings=WITH_GIFTS, ogre=knows("guarding"), together=False)
        table.do("GM", "fight.place", who="Ogre", region="2")
        coming = table.do("Ug", "fight.move", beside="Ogre")
        struck = press(table, "GM Ogre", coming, "Guarding Strike", "5 5")

        assert struck.notes[0] == "Ug is driven off and can't come near Ogre until the next turn."
        press(table, "Ug", struck, "save", "6 6")
        assert "keeps Ug away" in table.refused("Ug", "fight.move", beside="Ogre").what

    @pytest.mark.rule("RPJ-MNV-06")
    @pytest.mark.parametrize(("answer", "groups"), [("draw Ug aside", 2), ("stay", 1)])
    def test_watchful_strike_can_draw_the_target_aside(self, answer: str, groups: int) -> None:
        table = brawl("Ug", settings=WITH_GIFTS, ogre=knows("watchful"), together=False)
        table.do("GM", "fight.place", who="Ogre", region="2")
        table.do("GM", "fight.place", who="Laeniel", beside="Ogre")
        coming = table.do("Ug", "fight.move", beside="Ogre")
        struck = press(table, "GM Ogre", coming, "Watchful Strike", "5 5")
        saved = press(table, "Ug", struck, "save", "6 6")
        press(table, "GM Ogre", saved, answer)

        assert len(fight(table).groups(2)) == groups
        assert fight(table).steps == ()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Orc of the Seven Orchards", "Orc of the Seven Orchar…"),  # of 25 letters
        ("Orc of the Six Vineyards", "Orc of the Six Vineyards"),
    ],
)
@pytest.mark.parametrize(
    ("step", "label"),
    [
        (Aside(owner="c1", target="c3"), "Laeniel: draw {} aside"),
        (Ending(actor="c1", target="c3"), "Laeniel: coup de grace on {} · 28%"),
    ],
)
def test_a_button_cuts_the_name_of_whom_it_is_about_to_24_letters(
    step: Aside | Ending, label: str, name: str, shown: str
) -> None:
    stage = Stage.of(brawl(ogre={"health": NPC_DOWN}).scene)
    named = stage.with_battle(stage.battle.changed("c3", name=name))

    assert step.questions(named)[0].label == label.format(shown)


class TestCoupsAndHelpPlayed:
    @pytest.mark.rule("RPJ-GCS-36", "RPJ-GCS-44")
    def test_a_coup_de_grace_draws_a_free_attack_first(self) -> None:
        table = brawl(ogre={"health": NPC_DOWN})
        table.do("GM", "fight.mooks", name="Goblin", count=1, region="1", beside="Ug")
        coup = table.do("Laeniel", "fight.coup", target="Ogre")

        assert labels(coup)[0] == "Mooks: free attack"
        struck = press(table, "GM", coup, "Mooks: free attack", "1 2")
        assert struck.rolls[0].terms[-1].value == 2
        press(table, "Laeniel", struck, "coup de grace on Ogre", "5 4")
        assert health(table, "Ogre").out is Out.DEAD
        assert (
            "replaces this turn's attacks" in table.refused("Laeniel", "fight.attack", target="Goblin").what
        )

    @pytest.mark.rule("RPJ-GCS-36", "RPJ-GCS-44")
    @pytest.mark.parametrize(("answer", "faces"), [("Laeniel: free attack", "1 1"), ("Laeniel: skip", "")])
    def test_f_opt_11_a_coup_de_grace_after_free_attacks_gets_its_own_message(
        self, answer: str, faces: str
    ) -> None:
        table = brawl("Ogre", ug={"health": DOWN.model_copy(update={"is_stable": True})})
        coup = table.do("GM Ogre", "fight.coup", target="Ug")
        struck = press(table, "Laeniel", coup, answer, faces)
        assert health(table, "Ug").out is Out.INCAPACITATED

        killed = press(table, "GM Ogre", struck, "Ogre: coup de grace on Ug", "5 4")

        assert killed.headline == "continues the coup de grace on Ug"
        assert killed.verdict is not None
        assert killed.verdict.title == "Ug dies"
        assert [die.face for roll in killed.rolls for die in roll.dice] == [5, 4]
        assert health(table, "Ug").out is Out.DEAD
        assert table.refused("GM Ogre", "fight.finish_coup").what == "This has already been decided."

    @pytest.mark.rule("RPJ-GCS-36")
    def test_f_opt_11_a_coup_de_grace_nobody_can_interrupt_is_rolled_at_once(self) -> None:
        table = brawl("Ogre", ug={"health": DOWN}, laeniel={"health": DOWN})

        killed = table.do("GM Ogre", "fight.coup", d6("5 4"), target="Ug")

        assert killed.headline == "attempts a coup de grace on Ug"
        assert killed.verdict is not None
        assert killed.verdict.title == "Ug dies"

    @pytest.mark.rule("RPJ-GCS-53")
    def test_f_opt_24_a_lost_grapple_says_that_no_actions_are_left(self) -> None:
        table = brawl()
        held = table.do("Laeniel", "fight.grapple", d6("1 4 1 1"), target="Ogre")

        assert held.verdict is not None
        assert held.verdict.title == "loses"
        assert held.notes == ("They are in a grapple.", "Laeniel has no actions left this turn.")
        assert fighter(table, "Laeniel").turn.actions == 0

    @pytest.mark.rule("RPJ-MNV-06", "RPJ-GCS-48")
    def test_f_opt_09_a_dead_mook_is_not_drawn_aside(self) -> None:
        table = brawl("Ug", settings=WITH_GIFTS, laeniel=knows("watchful"), together=False)
        table.do("GM", "fight.mooks", name="Orc", count=1, region="1", side="foes")
        table.do("GM", "fight.place", who="Orc", region="2")
        for who in ("Ug", "Laeniel", "GM"):
            table.do(who, "encounter.next")
        coming = table.do("GM", "fight.mook_move", who="Orc", region="1", beside="Laeniel")

        struck = press(table, "Laeniel", coming, "Watchful Strike", "6 5")

        assert struck.notes == ("Orc 1 is dead.",)
        assert [one for one in labels(struck) if "aside" in one] == []
        assert fight(table).steps == ()

    @pytest.mark.rule("RPJ-GCS-37", "RPJ-GCS-38")
    def test_a_helping_hand_gets_an_incapacitated_fighter_back_up(self) -> None:
        table = brawl(ug={"health": DOWN}, laeniel=MEDIC)
        helped = table.do("Laeniel", "fight.help", d6("3 4"), target="Ug")

        assert helped.verdict is not None
        assert helped.verdict.title == "back up"
        assert health(table, "Ug").is_weak
        assert table.named("Ug").timers == {"weak": 8 * 3600}

    @pytest.mark.rule("RPJ-GCS-63")
    def test_a_helping_hand_is_refused_in_a_module_without_a_medical_skill(self) -> None:
        table = brawl(ug={"health": DOWN})
        own = RpjSettings(module="own").with_module(without_role("medical"))
        table.scene = replace(table.scene, settings=own)

        assert table.refused("Laeniel", "fight.help", target="Ug").what == "This module has no medical skill."


class TestHelpOutsideAFight:
    @pytest.mark.rule("RPJ-GCS-39")
    def test_medical_attention_takes_an_hour_and_restores_a_save(self) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(lost_base=(7, 7, 7), is_weak=True))
        table.change("Laeniel", **MEDIC, belongings=("bandages",))
        treated = table.do("Laeniel", "fight.treat_outside", d6("5 5"), target="Ug")

        assert (table.scene.clock, treated.headline) == (3600, "gives Ug medical attention")
        assert health(table, "Ug") == RpjHealth(lost_base=(7, 7))

    @pytest.mark.rule("RPJ-GCS-37")
    def test_a_helping_hand_outside_a_fight_takes_a_minute_and_can_fail(self) -> None:
        table = rpj_table()
        table.change("Ug", health=DOWN)
        table.change("Laeniel", **MEDIC)
        failed = table.do("Laeniel", "fight.help_outside", d6("1 2"), target="Ug")

        assert (table.scene.clock, health(table, "Ug")) == (60, DOWN)
        assert failed.paid is not None
        turned = press(table, "Laeniel", failed, "Lucky Break", "6")
        assert health(table, "Ug").is_weak
        assert (turned.scene.clock, breaks(table, "Laeniel")) == (60, 2)

    @pytest.mark.rule("RPJ-GCS-37")
    def test_the_command_for_a_helping_hand_is_an_action_in_a_fight(self) -> None:
        table = brawl(ug={"health": DOWN}, laeniel=MEDIC)
        helped = table.do("Laeniel", "fight.help_outside", d6("3 4"), target="Ug")

        assert (helped.verdict and helped.verdict.title, table.scene.clock) == ("back up", 0)
        assert health(table, "Ug").is_weak

    def test_medical_attention_is_refused_during_a_fight(self) -> None:
        table = brawl(ug={"health": DOWN}, laeniel=MEDIC)

        assert "outside a fight" in table.refused("Laeniel", "fight.treat_outside", target="Ug").what

    def test_a_helping_hand_is_refused_for_a_character_who_is_not_incapacitated(self) -> None:
        table = rpj_table()
        table.change("Laeniel", **MEDIC)

        assert table.refused("Laeniel", "fight.help_outside", target="Ug").what == "Ug isn't incapacitated."
