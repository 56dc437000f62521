"""Ends of fights: what is still open, who leaves, and what wounds do afterwards."""

from typing import Any

import pytest

from bot.rules.kernel import evolve
from bot.rules.kernel import tracker as keys
from bot.rules.rpj import RULESET
from bot.rules.rpj.combat.commands.board import TRACKER
from bot.rules.rpj.combat.engine.attack_steps import Razing, RpjPendingAttack, Suppressing
from bot.rules.rpj.combat.engine.damage_steps import Ending
from bot.rules.rpj.combat.engine.moves import PendingMove
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.fight import FIGHTS_KEPT
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.defense_layers import Out
from tests.dice import ScriptedDice
from tests.rules.rpj.combat.played.brawl import (
    SCALED,
    brawl,
    button,
    cover,
    d6,
    fight,
    health,
    labels,
    press,
    shootout,
)
from tests.rules.rpj.combat.played.test_blows import ONE_LEFT
from tests.rules.rpj.combat.played.test_turns import BLEEDING, DOWN, hit


@pytest.mark.rule("RPJ-GCS-66")
class TestEndOfAFight:
    def test_wounds_outlast_a_fight_and_bleeding_continues_by_the_minute(self) -> None:
        table = brawl(ug={"health": DOWN.model_copy(update={"bleeding": 2})})
        done = table.do("GM", "encounter.end")

        assert done.notes == ("Out of action: Ug.", "Still bleeding: Ug. From now on, roll once a minute.")
        assert table.named("Ug").timers == {"bleeding": 60}
        assert health(table, "Ug").bleeding == 2
        assert TRACKER.view(table.scene) is None
        assert TRACKER.choices(table.scene) == ()


@pytest.mark.rule("RPJ-GCS-66", "RPJ-GCS-31")
class TestEndingAFightWithOpenRolls:
    def test_f_opt_04_ending_a_fight_names_the_open_save_and_waits(self) -> None:
        table = hit()

        asked = table.do("GM", keys.END)

        assert asked.headline == "can't end the fight yet: 1 thing is open"
        assert asked.notes == ("Ug's save against 2 damage.",)
        assert labels(asked) == [
            "Ug: save 9+ · 28%",
            "Ug: Lucky Break · 52%",
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]
        assert len(fight(table).steps) == 1

    def test_f_opt_04_a_fight_ends_once_the_player_has_rolled_the_open_save(self) -> None:
        table = hit()
        asked = table.do("GM", keys.END)

        press(table, "Ug", asked, "save 9+", "4 5")

        assert table.do("GM", keys.END).headline == "ends the fight in round 1"
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_the_gm_can_roll_the_open_save_and_end_the_fight(self) -> None:
        """F-OPT-21: and the end lists the saves lost."""
        table = hit()
        asked = table.do("GM", keys.END)

        ended = press(table, "GM", asked, "Settle it", "1 3")

        assert ended.headline == "ends the fight in round 1"
        assert ended.notes[0] == "Ug's save against 2 damage: 7+ save lost."
        assert "Saves lost: Ug 1." in ended.notes
        assert [die.face for roll in ended.rolls for die in roll.dice] == [1, 3]
        assert health(table, "Ug").lost_base == (7,)
        assert table.scene.document("encounter/7") is None

    def test_f_opt_04_the_gm_can_waive_the_open_save_and_end_the_fight(self) -> None:
        table = hit()
        asked = table.do("GM", keys.END)

        ended = press(table, "GM", asked, "Waive it")

        assert ended.deal == button(asked, "Waive it").deal == "Ug's save against 2 damage"
        assert ended.notes == ("Waived: Ug's save against 2 damage.",)
        assert health(table, "Ug").lost_base == ()
        assert table.scene.document("encounter/7") is None

    @pytest.mark.parametrize("waived", [0, 1, 2])
    def test_waiving_one_open_thing_leaves_the_others(self, waived: int) -> None:
        stage = Stage.of(brawl("Ogre").scene)
        for target in ("c1", "c2", "c1"):
            stage = stage.pushed(RpjPendingAttack(attacker="c3", target=target))
        found = RULESET.unsettled(stage.saved())
        whose = ["Ogre's attack on Laeniel", "Ogre's attack on Ug", "Ogre's attack on Laeniel"]
        assert [one.what for one in found] == whose

        after = RULESET.unsettled(found[waived].waive(stage.saved()))

        assert [one.what for one in after] == whose[:waived] + whose[waived + 1 :]

    def test_settling_an_open_attack_also_settles_the_save_it_causes(self) -> None:
        table = brawl("Ogre")
        table.do("Ug", "fight.defense", defense="ask")
        table.do("GM Ogre", "fight.attack", target="Ug")
        (attack,) = RULESET.unsettled(table.scene)
        assert attack.what == "Ogre's attack on Ug"
        assert labels(attack.settle(table.scene, ScriptedDice("d6:5 d6:5"))) == []
        asked = table.do("GM", keys.END)

        ended = press(table, "GM", asked, "Settle it", "5 5 1 3")

        assert ended.notes[:2] == ("Ogre's attack on Ug: hit.", "Ug's save against 2 damage: 7+ save lost.")

    def test_settling_skips_an_unanswered_free_attack(self) -> None:
        table = brawl("Laeniel")
        table.do("Laeniel", "fight.move", region="2")
        asked = table.do("GM", keys.END)
        assert asked.notes == (
            "Free attack of Ogre while Laeniel leaves the group.",
            "Laeniel's move to Region 2.",
        )

        ended = press(table, "GM", asked, "Settle all 2")

        assert ended.rolls == ()
        assert ended.notes[0] == "Free attack of Ogre while Laeniel leaves the group: settled."

    def test_settling_rolls_bleeding_once_and_continues_by_the_minute(self) -> None:
        table = brawl("Laeniel", ug={"health": BLEEDING})
        table.do("Laeniel", keys.NEXT)
        asked = table.do("GM", keys.END)
        assert asked.notes == ("Ug's roll against bleeding out.",)

        ended = press(table, "GM", asked, "Settle it", "4 4")

        assert ended.notes[0] == "Ug's roll against bleeding out: bleeds, 1 of 5."
        assert "Still bleeding: Ug. From now on, roll once a minute." in ended.notes
        assert table.named("Ug").timers == {"bleeding": 60}

    def test_a_fight_with_nothing_open_ends_at_once(self) -> None:
        assert brawl().do("GM", keys.END).headline == "ends the fight in round 1"


class TestLeavingAFight:
    def test_f_opt_04_a_combatant_with_an_open_save_cannot_leave(self) -> None:
        table = hit()

        mistake = table.refused("Ug", keys.LEAVE)

        assert mistake.what == "Ug can't leave yet."
        assert mistake.allowed == "Still open: Ug's save against 2 damage."

    def test_f_opt_04_a_gm_who_removes_a_combatant_waives_the_open_save(self) -> None:
        table = hit()

        left = table.do("GM", keys.LEAVE, character="Ug")

        assert left.notes == ("Waived: Ug's save against 2 damage.",)
        assert fight(table).steps == ()

    def test_f_opt_01_a_bleeding_combatant_who_leaves_rolls_once_a_minute(self) -> None:
        table = brawl("Laeniel", ug={"health": BLEEDING})

        table.do("Ug", keys.LEAVE)

        assert table.named("Ug").timers == {"bleeding": 60}


@pytest.mark.parametrize(
    ("shots", "gone"),
    [
        (RpjPendingAttack(attacker="c1", target="c3", weapon="pistol"), {"target": "c2"}),
        (Suppressing(attacker="c1", group=2, weapon="rifle"), {"group": 9}),
        (Razing(attacker="c1", cover=1, weapon="rocket_launcher"), {"cover": 9}),
    ],
)
@pytest.mark.parametrize("is_down", [True, False])
def test_shots_of_the_fallen_or_at_what_is_gone_have_no_effect(
    shots: RpjPendingAttack | Suppressing | Razing, gone: dict[str, Any], is_down: bool
) -> None:
    table = shootout(settings=SCALED)
    cover(table, "Ogre", "car")
    table.change("Laeniel" if is_down else "Ug", health=evolve(DOWN, out=Out.DEAD))
    stage = Stage.of(table.scene)
    shots = shots if is_down else shots.model_copy(update=gone)

    done = outcome(shots.run(stage, ScriptedDice("")), "shoots")

    assert [note.split(" ")[-1] for note in done.notes] == ["effect."]
    assert (done.rolls, FIGHTS_KEPT.the(done.scene)) == ((), stage.fight)


@pytest.mark.rule("RPJ-GCS-36")
@pytest.mark.parametrize("down", [("Ug", "Laeniel"), ("Ug",), ()])
def test_a_coup_de_grace_needs_somebody_on_their_feet_and_somebody_down(down: tuple[str, ...]) -> None:
    table = brawl("Ug")
    for who in down:
        table.change(who, health=evolve(DOWN, out=Out.KNOCKED_OUT))
    stage = Stage.of(table.scene)

    done = outcome(Ending(actor="c2", target="c1").run(stage, ScriptedDice("")), "ends it")

    assert done.notes == ("Ug's coup de grace has no effect.",)
    assert done.rolls == ()


@pytest.mark.rule("RPJ-GCS-33")
class TestBleedingInAFight:
    def test_f_opt_01_a_bleeding_combatant_rolls_once_in_each_of_their_turns(self) -> None:
        table = brawl("Laeniel", ug={"health": BLEEDING})

        early = table.refused("Ug", "bleeding")
        assert early.what == "Ug rolls against bleeding out once per turn in a fight."
        table.do("Laeniel", keys.NEXT)
        rolled = table.do("Ug", "bleeding", d6("4 4"))

        assert rolled.headline == "rolls against bleeding out"
        assert health(table, "Ug").bleeding == 1
        assert table.refused("Ug", "bleeding").what == early.what

    def test_f_opt_01_the_bleeding_timer_stops_during_a_fight(self) -> None:
        table = brawl("Laeniel", ug={"health": BLEEDING.model_copy(update={"due": 60})})

        assert health(table, "Ug").due is None
        assert table.named("Ug").timers == {}

    def test_a_save_failed_during_a_fight_starts_no_bleeding_timer(self) -> None:
        table = brawl(ug={"health": ONE_LEFT})

        table.do("Ug", "save", d6("1 1"), damage=1)

        assert health(table, "Ug").is_bleeding
        assert table.named("Ug").timers == {}


@pytest.mark.rule("RPJ-GCS-10")
@pytest.mark.parametrize(("group", "joined"), [(1, 1), (2, 2), (9, 2), (None, 2)])
def test_a_move_to_a_group_that_is_gone_makes_a_new_one(group: int | None, joined: int) -> None:
    stage = Stage.of(brawl().scene)
    moved = PendingMove(mover="c1", region=1, group=group).run(stage, ScriptedDice(""))

    assert moved.fight.fighter("c1").group == joined
