"""Passing the turn on, and the roll against bleeding out in a turn."""

from dataclasses import replace

from bot.rules.kernel import Family, FollowUp, Verdict, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import to_do
from bot.rules.rpj.character.incapacity import after_bleeding, bleeding_check
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.cinematic_commands import sharing_button
from bot.rules.rpj.combat.commands.turn_conditions import turns_suffered
from bot.rules.rpj.combat.engine.answers import BleedOptions, button_for, chance
from bot.rules.rpj.combat.engine.damage_steps import is_players
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.engine.stack import first, go_on, outcome
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.turns import acting, next_turn, slots
from bot.rules.rpj.combat.state.fight import MOOKS
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.mass.battle_board import offered_beside
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class Bleed(Step, kind="bleed"):
    """A pending roll against bleeding out in a turn, which then ends."""

    who: str

    @property
    def whose(self) -> tuple[str, ...]:
        """Whoever bleeds."""
        return (self.who,)

    def waits(self, stage: Stage) -> bool:
        """Whether a player rolls it."""
        return is_players(stage, self.who)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll for somebody who bleeds.

        Source: RPJ-GCS-33, RPJ-GCS-34.
        """
        whom = stage.battle[self.who]
        if not whom.health.is_bleeding:
            return stage
        before = stage
        roll = thrown(bleeding_check(whom.figure.module), dice, rolled)
        health = after_bleeding(whom.health, roll, stage.battle.rules)
        failed = "dies" if health.out is Out.DEAD else f"bleeds, {health.bleeding} of "
        if health.out is not Out.DEAD:
            failed += str(stage.battle.rules.bleeding_failures)
        verdict = (
            Verdict(Family.SUCCESS, "stabilized") if health.is_stable else Verdict(Family.FAILURE, failed)
        )
        stage = stage.rolled(self.who, roll, verdict=verdict).with_health(self.who, health)
        return offer_lucky_break(stage, before, self, roll, against=self.who)

    def pushed_on(self, stage: Stage, dice: Dice) -> Stage:
        """Roll, and end the turn."""
        return self.run(passed_on(stage.popped(), dice), dice)

    def settled(self, stage: Stage, dice: Dice) -> Stage:
        """Roll only: no turn is passed on when the fight ends."""
        return self.run(stage.popped(), dice)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The roll."""
        inputs = bleeding_check(stage.battle[self.who].figure.module)
        label = f"Roll against bleeding out: {inputs.target}+ · {chance(inputs)}"
        return (button_for(stage, self.who, "fight.bleed", BleedOptions(who=self.who), label),)

    def words(self, stage: Stage) -> str:
        """Whose roll."""
        return f"{stage.fight.fighter(self.who).name}'s roll against bleeding out"

    def waiting_words(self, stage: Stage) -> str:
        """Who bleeds."""
        return f"{stage.fight.fighter(self.who).name} is bleeding out"

    def pushed_words(self, stage: Stage) -> str:
        """The roll is made."""
        return "rolls against bleeding out"


def bleed(scene: Scene, options: BleedOptions, dice: Dice) -> Outcome:
    """Roll against bleeding out in a turn, which then ends.

    Source: RPJ-GCS-33.
    """
    stage = Stage.of(scene)
    step = first(stage, Bleed, who=options.who)
    return outcome(step.pushed_on(stage, dice), step.pushed_words(stage))


declare("fight.bleed", BleedOptions, bleed, needs_actor=False)


def passed_on(stage: Stage, dice: Dice) -> Stage:
    """The stage with the next turn; a new round advances the game clock.

    Source: RPJ-GCS-03, RPJ-GCS-08, RPJ-GCS-22.
    """
    before = stage.fight.round
    stage = turns_suffered(stage, acting(stage.battle), dice)
    stage = stage.with_battle(next_turn(stage.battle))
    if stage.fight.round > before:
        clock = stage.scene.clock + stage.battle.rules.round_seconds
        stage = replace(stage, scene=stage.scene.at_clock(clock))
        stage = stage.noted(f"Round {stage.fight.round} starts.")
        stage = replace(stage, buttons=(*stage.buttons, *offered_beside(stage.scene)))
    return with_turn(stage, dice)


def with_turn(stage: Stage, dice: Dice) -> Stage:
    """The stage at the start of a turn: bleeding characters roll, helpless ones are skipped.

    Source: RPJ-COND-04, RPJ-GCS-08, RPJ-GCS-32, RPJ-GCS-33 (R-088).
    """
    for _ in range(2 * len(slots(stage.battle)) + 1):
        whose = stage.fight.turn
        if whose == MOOKS or (stage.battle[whose].is_able and stage.battle[whose].is_awake):
            break
        bleeds = stage.battle[whose].health.is_bleeding
        stage = go_on(stage.pushed(Bleed(who=whose)), dice) if bleeds else stage
        if stage.steps:
            return stage.noted(to_do(f"{stage.battle[whose].name} is bleeding and rolls."))
        stage = _passed_over(stage, dice)
    whose = "the mooks'" if stage.fight.turn == MOOKS else f"{stage.battle[stage.fight.turn].name}'s"
    stage = stage.noted(to_do(f"It is {whose} turn."))
    return replace(stage, buttons=(*stage.buttons, *sharing_button(stage)))


def _passed_over(stage: Stage, dice: Dice) -> Stage:
    before = stage.fight.round
    stage = turns_suffered(stage, acting(stage.battle), dice)
    stage = stage.with_battle(next_turn(stage.battle))
    if stage.fight.round == before:
        return stage
    clock = stage.scene.clock + stage.battle.rules.round_seconds
    return replace(stage, scene=stage.scene.at_clock(clock)).noted(f"Round {stage.fight.round} starts.")
