"""Steps: starting a grapple, grapple checks, and the winner's choice."""

from dataclasses import replace

from bot.rules.kernel import Family, FollowUp, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import down
from bot.rules.rpj.combat.engine.answers import WonOptions, button_for
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.grappling import checked, grapple_check, grappled, lost, touch_check
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class Grasp(Step, kind="grasp"):
    """An attempt to grab a target, to roll."""

    actor: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who tries."""
        return (self.actor,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.actor, self.target)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll to grab the target; a grapple check follows at once.

        Source: RPJ-GCS-50 (R-112).
        """
        before = stage
        roll = thrown(touch_check(stage.battle, self.actor, self.target), dice, rolled)
        holds = reading_of(roll).result.is_success
        stage = stage.rolled(self.actor, roll).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        if not holds:
            return replace(stage, verdict=Verdict(Family.FAILURE, "no grapple"))
        stage = stage.with_battle(checked(grappled(stage.battle, self.actor, self.target), self.actor))
        return stage.noted(down("They are in a grapple.")).pushed(Wrestle(actor=self.actor))

    def words(self, stage: Stage) -> str:
        """The grapple, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s grapple"


class Wrestle(Step, kind="wrestle"):
    """A grapple check to roll."""

    actor: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who rolls."""
        return (self.actor,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll a grapple check: the winner chooses, the loser's turn is spent.

        Source: RPJ-GCS-53.
        """
        hold = stage.fight.grapple(self.actor)
        if hold is None:
            return stage
        before, other = stage, hold.other(self.actor)
        roll = thrown(grapple_check(stage.battle, self.actor, other), dice, rolled)
        wins = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "wins") if wins else Verdict(Family.FAILURE, "loses")
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.actor, other)
        stage = offer_lucky_break(stage, before, self, roll, against=other)
        if wins:
            return stage.pushed(Won(winner=self.actor))
        stage = stage.noted(f"{stage.battle[self.actor].name} has no actions left this turn.")
        return stage.with_battle(lost(stage.battle, self.actor))

    def words(self, stage: Stage) -> str:
        """The grapple, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s grapple"


class Won(Step, kind="won"):
    """The choice of a grapple check's winner: break free or deal damage."""

    winner: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The winner."""
        return (self.winner,)

    def waits(self, stage: Stage) -> bool:
        """Always true: it is the winner's choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Break free, or deal damage.

        Source: RPJ-GCS-54, RPJ-GCS-55.
        """
        kept = 1 if stage.fight.fighter(self.winner).turn.actions >= 2 else 0
        out, hurt = WonOptions(winner=self.winner), WonOptions(winner=self.winner, damage=True)
        damage = stage.battle.rules.grapple_damage
        return (
            button_for(stage, self.winner, "fight.won", out, f"break free (keeps {kept})"),
            button_for(stage, self.winner, "fight.won", hurt, f"do {damage} damage (all actions)"),
        )

    def words(self, stage: Stage) -> str:
        """What the winner does."""
        return f"What {stage.fight.fighter(self.winner).name} does with the grapple check won"

    def waiting_words(self, stage: Stage) -> str:
        """The winner, as the start of a sentence."""
        return f"{stage.fight.fighter(self.winner).name} has won the grapple check and must choose"
