"""Steps of a fight: a kind of step is one class, stored and read again by its word."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from bot.rules.kernel import FollowUp, NoOptions, tracker
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.combat.engine.attack_steps import RpjPendingAttack, Swarming
from bot.rules.rpj.combat.engine.damage_steps import Saving
from bot.rules.rpj.combat.engine.stack import LuckyStep, button_for, offer_lucky_break, outcome, thrown
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.rules.rpj.combat.played.brawl import brawl, button, d6, fight, labels, press
from tests.rules.rpj.combat.played.test_turns_played import board
from tests.rules.rpj.table import GameTable

BALANCE = RpjCheckInputs(difficulty=2)


class Stumble(Step, kind="stumble"):
    """Somebody has lost their footing, and rolls to keep it: a step that the bot does not have."""

    who: str

    @property
    def whose(self) -> tuple[str, ...]:
        return (self.who,)

    def waits(self, stage: Stage) -> bool:
        return True

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        roll = thrown(BALANCE, dice, rolled)
        before, stage = stage, stage.rolled(self.who, roll, verdict=roll.verdict)
        return offer_lucky_break(stage, before, self, roll, against=self.who)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        return (button_for(stage, self.who, "fight.go_on", NoOptions(), "keep your footing"),)

    def words(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.who).name}'s footing"

    def waiting_words(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.who).name} stumbles"


def stumbling() -> GameTable:
    """Ug has lost their footing, and the fight is stored and read again."""
    table = brawl("Ug")
    own = f"c{table.ids['Ug']}"
    scene = outcome(Stage.of(table.scene).pushed(Stumble(who=own)), "stumbles").scene
    stored = json.loads(FIGHTS_KEPT.the(scene).model_dump_json())
    table.scene = FIGHTS_KEPT.keep(scene, Fight.model_validate(stored))
    return table


class TestKindsOfSteps:
    def test_a_step_is_stored_and_read_back_as_its_kind(self) -> None:
        table = stumbling()
        assert fight(table).steps == (Stumble(who=f"c{table.ids['Ug']}"),)
        assert fight(table).model_dump(mode="json")["steps"] == [
            {"type": "stumble", "who": f"c{table.ids['Ug']}"}
        ]

    def test_the_board_says_what_the_fight_is_waiting_for(self) -> None:
        assert "Ug stumbles" in board(stumbling()).notes

    def test_the_turn_cannot_end_before_an_open_step_is_done(self) -> None:
        refused = stumbling().refused("GM", tracker.NEXT)
        assert refused.what == "Something else has to be decided first."

    def test_an_open_step_is_rolled_when_the_gm_continues(self) -> None:
        table = stumbling()
        done = table.do("GM", "fight.go_on", d6("2 3"))
        assert done.headline == "continues the fight"
        assert [die.face for roll in done.rolls for die in roll.dice] == [2, 3]
        assert fight(table).steps == ()

    def test_a_lucky_break_can_rescue_the_roll_of_a_step(self) -> None:
        table = stumbling()
        done = table.do("GM", "fight.go_on", d6("4 4"))
        lucky = button(done, "Lucky Break")
        kept = json.loads(json.dumps(lucky.options.model_dump(mode="json", exclude_defaults=True)))
        assert kept["step"] == {"type": "stumble", "who": f"c{table.ids['Ug']}"}
        assert set(kept) == {"step", "rolled"}
        again = replace(lucky, options=LuckyStep.model_validate(kept))
        assert done.paid is not None
        table.scene = done.paid
        turned = table.press("Ug", again, d6("6"))
        assert turned.headline == "spends a Lucky Break"
        assert [die.face for roll in turned.rolls for die in roll.dice] == [6]
        assert "fallen" in kept["rolled"]

    def test_ending_a_fight_asks_to_settle_an_open_step_first(self) -> None:
        table = stumbling()
        asked = table.do("GM", tracker.END)
        assert asked.notes == ("Ug's footing.",)
        assert "Ug: keep your footing" in labels(asked)
        ended = press(table, "GM", asked, "Settle it", "1 3")
        assert ended.headline == "ends the encounter in round 1"

    def test_a_step_is_dropped_when_its_combatant_leaves(self) -> None:
        table = stumbling()
        table.do("GM", tracker.LEAVE, character=table.ids["Ug"])
        assert fight(table).steps == ()

    def test_two_kinds_of_steps_cannot_be_stored_under_the_same_word(self) -> None:
        with pytest.raises(ValueError, match="Two kinds of steps are stored as stumble"):
            type("Other", (Step,), {}, kind="stumble")

    def test_a_stored_step_of_an_unknown_kind_is_refused(self) -> None:
        with pytest.raises(ValidationError, match="There is no step dance"):
            Fight.model_validate({"steps": [{"type": "dance"}]})


class TestStepsStoredBefore:
    def test_an_old_lucky_break_button_that_names_its_save_by_a_field_is_read(self) -> None:
        rolled = {"fallen": [3, 4], "has_extra_die": True}
        older = {
            "by": "c3",
            "rolled": rolled,
            "earlier": "1 saved",
            "saves": {"target": "c3", "strikes": [{"damage": 2}]},
        }
        options = LuckyStep.model_validate(older)
        assert options.step == Saving.model_validate({"target": "c3", "strikes": [{"damage": 2}]})
        assert options.by == "c3"
        assert options.earlier == "1 saved"
        assert options.rolled.has_extra_die

    def test_an_old_lucky_break_button_that_names_its_attack_by_a_field_is_read(self) -> None:
        older = {
            "by": "c1",
            "rolled": {"difficulty": 2},
            "blow": {"attacker": "c1", "target": "m2", "weapon": "club"},
        }
        options = LuckyStep.model_validate(older)
        assert options.step == RpjPendingAttack(attacker="c1", target="m2", weapon="club")
        assert options.by == "c1"


class TestMooksThatLeave:
    def test_the_remaining_mooks_of_a_swarm_attack_when_some_leave(self) -> None:
        swarm = Swarming(attackers=("m1", "m2"), target="c1", rolls=2)
        assert swarm.among({"m2", "c1"}) == Swarming(attackers=("m2",), target="c1", rolls=2)
        assert swarm.among({"c1"}) is None
        assert swarm.among({"m1", "m2"}) is None
