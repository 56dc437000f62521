"""Steps: coups de grace and helping hands."""

from bot.rules.kernel import Family, FollowUp, NoOptions, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import down
from bot.rules.rpj.character.incapacity import helped
from bot.rules.rpj.combat.engine.answers import button_for, chance
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.helpless import coup_check, helping_check, killed
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

NO_EFFECT = Verdict(Family.FAILURE, "no effect")


class Ending(Step, kind="coup"):
    """A coup de grace to roll."""

    actor: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The attacker."""
        return (self.actor,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.actor, self.target)

    def waits(self, stage: Stage) -> bool:
        """Whether someone could still react; then it gets a message of its own."""
        return True

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll a coup de grace.

        Source: RPJ-GCS-36.
        """
        actor, target = stage.battle[self.actor], stage.battle[self.target]
        if not actor.is_able or target.is_able:
            return stage.noted(f"{actor.name}'s coup de grace has no effect.")
        before = stage
        roll = thrown(coup_check(stage.battle, self.actor, self.target), dice, rolled)
        kills = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, f"{target.name} dies") if kills else NO_EFFECT
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        return stage.with_health(self.target, killed(target.health)) if kills else stage

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The button to continue."""
        odds = chance(coup_check(stage.battle, self.actor, self.target))
        label = f"coup de grace on {stage.fight.fighter(self.target).name[:24]} · {odds}"
        return (button_for(stage, self.actor, "fight.finish_coup", NoOptions(), label),)

    def words(self, stage: Stage) -> str:
        """The coup de grace and its target, as a phrase."""
        name = stage.fight.fighter
        return f"{name(self.actor).name}'s coup de grace on {name(self.target).name}"

    def waiting_words(self, stage: Stage) -> str:
        """Who continues, as the start of a sentence."""
        name = stage.fight.fighter
        return f"{name(self.actor).name} can continue the coup de grace on {name(self.target).name}"


class HelpingHand(Step, kind="help"):
    """A helping hand to roll."""

    actor: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The helper."""
        return (self.actor,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.actor, self.target)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll for a helping hand.

        Source: RPJ-GCS-37, RPJ-GCS-38.
        """
        before, target = stage, stage.battle[self.target]
        roll = thrown(helping_check(stage.battle[self.actor].figure), dice, rolled)
        works = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "back up") if works else Verdict(Family.FAILURE, "no change")
        stage = stage.rolled(self.actor, roll, verdict=verdict).concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        if not works:
            return stage
        stage = stage.with_health(self.target, helped(target.health))
        return stage.noted(down(f"{target.name} is back up, weakened: 1 action, attacks at −1, one 7+ save."))

    def words(self, stage: Stage) -> str:
        """The helper and who is helped, as a phrase."""
        name = stage.fight.fighter
        return f"{name(self.actor).name}'s helping hand for {name(self.target).name}"
