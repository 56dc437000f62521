"""Steps: offered free attacks, and the effect of a Watchful Strike."""

from collections.abc import Collection
from dataclasses import replace
from typing import Self

from bot.rules.kernel import Document, FollowUp, evolve
from bot.rules.rpj.combat.engine.answers import (
    GROUP,
    MOOKS,
    AsideOptions,
    ReactOptions,
    attack_chance,
    button_for,
    gm_button,
)
from bot.rules.rpj.combat.rules.arms import chosen_arm
from bot.rules.rpj.combat.rules.attacks import RpjAim
from bot.rules.rpj.combat.rules.chances import at_mover
from bot.rules.rpj.combat.rules.free_attacks import SHOTS, Payment, RpjChance, Trigger, chance_of, chances
from bot.rules.rpj.combat.rules.maneuvers import Maneuver
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.combatant import RpjKind
from bot.rules.rpj.combat.state.crowds import counted
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.module.defense_layers import Out


class Waiting(Document):
    """An offered free attack."""

    by: str
    payment: Payment
    maneuvers: tuple[Maneuver, ...] = ()

    @classmethod
    def of(cls, chance: RpjChance) -> Self:
        """The offer for a possible free attack."""
        return cls(by=chance.by, payment=chance.payment, maneuvers=chance.maneuvers)


class React(Step, kind="react"):
    """Free attacks provoked by an action before or after it.

    Attributes:
        provoker: Who does it.
        trigger: What.
        waiting: Who has not answered yet.
    """

    provoker: str
    trigger: Trigger
    waiting: tuple[Waiting, ...]

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who provokes them."""
        return (self.provoker,)

    def among(self, there: Collection[str]) -> Self | None:
        """The free attacks of combatants who are still in the fight."""
        waiting = tuple(one for one in self.waiting if one.by in there)
        return self._left(waiting) if self.provoker in there else None

    def _left(self, waiting: tuple[Waiting, ...]) -> Self | None:
        return evolve(self, waiting=waiting) if waiting else None

    def now(self, stage: Stage) -> Self | None:
        """The free attacks that can still be made.

        Source: RPJ-GCS-42, RPJ-GCS-43.
        """
        if not stage.battle[self.provoker].is_able:
            return None
        still = (chance_of(stage.battle, one.by, self.provoker, self.trigger) for one in self.waiting)
        return self._left(tuple(Waiting.of(one) for one in still if one is not None))

    def waits(self, stage: Stage) -> bool:
        """Always true: each is a choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Strike or pass, for each attacker; the GM answers for mooks together."""
        buttons: list[FollowUp] = []
        others = [one for one in self.waiting if stage.fight.fighter(one.by).kind is not RpjKind.MOOK]
        for one in others:
            buttons += self._ways(stage, one)
        count = len(self.waiting) - len(others)
        if count:
            strikes = "Mooks: free attack" if count == 1 else f"{count} mooks: free attacks"
            buttons.append(gm_button("fight.react", ReactOptions(by=MOOKS), strikes))
            passed = ReactOptions(by=MOOKS, strikes=False)
            buttons.append(gm_button("fight.react", passed, "Mooks: skip"))
        reason = self._reason(stage)
        return (*(replace(one, note=reason) for one in buttons[:1]), *buttons[1:])

    def _ways(self, stage: Stage, one: Waiting) -> list[FollowUp]:
        """A combatant's possible strikes, and passing."""
        group = f"{GROUP} {one.by}"
        cost = "" if one.payment in (Payment.ROUND, Payment.NOTHING) else f" ({one.payment})"
        plain = "free attack" if self.trigger not in SHOTS else "shoot"
        if self.trigger in SHOTS and one.payment is Payment.ROUND:
            cost = " (free attack)"
        odds = self._chance(stage, one)
        ways: list[Maneuver | None] = list(one.maneuvers)
        if self.trigger is not Trigger.ARRIVING:
            ways = [None, *ways]
        buttons = [
            button_for(
                stage,
                one.by,
                "fight.react",
                ReactOptions(by=one.by, maneuver=way),
                f"{way.called if way else plain}{cost} · {odds}",
                group,
            )
            for way in ways
        ]
        no = ReactOptions(by=one.by, strikes=False)
        return [*buttons, button_for(stage, one.by, "fight.react", no, "skip", group)]

    def _chance(self, stage: Stage, one: Waiting) -> str:
        if self.trigger in SHOTS:
            shot = at_mover(stage.battle, one.by, self.provoker, SHOTS[self.trigger])
            return attack_chance(stage.battle, shot) if shot is not None else ""
        arm = chosen_arm(stage.battle[one.by], near=True)
        aim = RpjAim(attacker=one.by, target=self.provoker, arm=arm)
        return attack_chance(stage.battle, aim)

    def words(self, stage: Stage) -> str:
        """The free attacks and what provokes them, as a phrase."""
        return f"Free attack of {self._whose(stage)} while {self._provoking(stage)}"

    def waiting_words(self, stage: Stage) -> str:
        """What provokes them and who can react, as the start of a sentence."""
        return f"{self._provoking(stage)}: free attacks are possible for {self._whose(stage)}"

    def _provoking(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.provoker).name} {self.trigger}"

    def _reason(self, stage: Stage) -> str:
        """What provokes them and where, as a sentence (F-RPJ-18)."""
        here = stage.fight.fighter(self.provoker).region
        goals = (one.goal for one in stage.steps[::-1] if self.provoker in one.whose and one.goal is not None)
        regions = dict.fromkeys((here, next(goals, here)))
        where = " → ".join(stage.fight.field.name(one) for one in regions)
        can = "can shoot" if self.trigger in SHOTS else "can attack"
        return f"{self._provoking(stage)} ({where}): {self._whose(stage)} {can}."

    def _whose(self, stage: Stage) -> str:
        return ", ".join(counted(stage.fight.fighter(one.by) for one in self.waiting))


class Aside(Step, kind="aside"):
    """The choice after a Watchful Strike hit: drag the target along or stay."""

    owner: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The attacker."""
        return (self.owner,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.owner, self.target)

    def now(self, stage: Stage) -> Self | None:
        """The same unless the target is dead."""
        return None if stage.battle[self.target].health.out is Out.DEAD else self

    def waits(self, stage: Stage) -> bool:
        """Always true: it is the attacker's choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Drag the target along, or stay."""
        target = stage.fight.fighter(self.target).name
        draw, stay = AsideOptions(owner=self.owner), AsideOptions(owner=self.owner, draws=False)
        return (
            button_for(stage, self.owner, "fight.aside", draw, f"draw {target[:20]} aside"),
            button_for(stage, self.owner, "fight.aside", stay, "stay"),
        )

    def words(self, stage: Stage) -> str:
        """The choice, as a phrase."""
        name = stage.fight.fighter
        return f"Whether {name(self.owner).name} draws {name(self.target).name} aside"

    def waiting_words(self, stage: Stage) -> str:
        """Who decides, as the start of a sentence."""
        return f"{stage.fight.fighter(self.owner).name} can draw the target aside"


def provoked(stage: Stage, provoker: str, trigger: Trigger, only: str | None = None) -> Stage:
    """The stage with the provoked free attacks to resolve first.

    Source: RPJ-GCS-43 (R-108, R-109).
    """
    waiting = tuple(Waiting.of(one) for one in chances(stage.battle, provoker, trigger, only))
    return stage.pushed(React(provoker=provoker, trigger=trigger, waiting=waiting)) if waiting else stage
