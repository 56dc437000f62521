"""Steps: attacks to roll, by one combatant or by several mooks."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import replace
from typing import Self

from pydantic import Field

from bot.rules.kernel import Family, FollowUp, NamedTerm, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import down, harm
from bot.rules.rpj.combat.engine.answers import GROUP, RpjDefendOptions, button_for, gm_button
from bot.rules.rpj.combat.engine.damage_steps import landed
from bot.rules.rpj.combat.engine.free_attack_steps import Aside, provoked
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.engine.move_steps import PendingMove
from bot.rules.rpj.combat.rules.arms import Arm, chosen_arm, mook_arm
from bot.rules.rpj.combat.rules.attacks import (
    RpjAim,
    attack_check,
    hit_of,
    is_open,
    multi_attack,
    sure_hit,
    targeted,
)
from bot.rules.rpj.combat.rules.defenses import Way, best_defense, chosen_defense, defenses_of, stated
from bot.rules.rpj.combat.rules.free_attacks import Trigger
from bot.rules.rpj.combat.rules.maneuvers import Maneuver, held, pushed_away
from bot.rules.rpj.combat.rules.shooting import is_shot, may_be_shot
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.swarms import hits, swarm
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.combat.state.crowds import counted
from bot.rules.rpj.combat.state.fight import Stance
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

HIT = Verdict(Family.SUCCESS, "hit")
CRITICAL_HIT = Verdict(Family.SUCCESS, "critical hit")
MISS = Verdict(Family.FAILURE, "miss")


class RpjAttack(Step):
    """Attacks on one target, who may choose the defense.

    Attributes:
        target: Whom.
        terms: Bonuses and penalties of the moment.
        is_free: Whether it is a free attack, which provokes nobody.
        way: How the target meets it; None while that is open.
        shot: How it is shot, under Fire and Movement.
    """

    target: str
    terms: tuple[NamedTerm, ...] = ()
    is_free: bool = False
    way: Way | None = None
    shot: Shooting = Shooting.PLAIN

    @property
    @abstractmethod
    def leader(self) -> str:
        """The attacker; the first of several."""

    @abstractmethod
    def arm(self, stage: Stage) -> Arm:
        """The weapon."""

    def is_ranged(self, stage: Stage) -> bool:
        """Whether the ranged defense applies, so that nobody chooses.

        Source: RPJ-FIRE-01.
        """
        return is_shot(stage.battle, self.arm(stage).greatest)

    def can_land(self, stage: Stage) -> bool:
        """Whether the target can still be attacked; helpless ones can only be shot.

        Source: RPJ-GCS-32, RPJ-FIRE-15 (FIRE-15b).
        """
        whom = stage.battle[self.target]
        return whom.is_able or (self.is_ranged(stage) and whom.mook is None and may_be_shot(whom))

    def waits(self, stage: Stage) -> bool:
        """Whether the target's player chooses a defense and has a choice.

        Source: RPJ-GCS-26.
        """
        whom = stage.battle[self.target]
        if self.way is not None or self.is_ranged(stage) or not whom.is_able or is_open(whom):
            return False
        return stage.fight.stance(whom.fighter) is Stance.ASK and len(defenses_of(whom)) > 1

    def met(self, stage: Stage, way: Way | None) -> Stage:
        """The stage after a defense was chosen; the better one by default.

        Source: RPJ-GCS-26 (R-081).
        """
        whom = stage.battle[self.target]
        chosen = best_defense(whom) if way is None else chosen_defense(whom, way)
        return stage.popped().pushed(evolve(self, way=chosen.way))

    def pushed_on(self, stage: Stage, dice: Dice) -> Stage:
        """Continue with the better defense."""
        return self.met(stage, None)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Dodge or absorb, for the target; the attacker or the timer can take the better one.

        Source: RPJ-GCS-26.
        """
        ways = (
            button_for(
                stage,
                self.target,
                "fight.defend",
                RpjDefendOptions(target=self.target, way=one.way),
                f"{one.way} ({one.value}+)",
            )
            for one in defenses_of(stage.battle[self.target])
        )
        return (*ways, self._better_defense(stage))

    def _better_defense(self, stage: Stage) -> FollowUp:
        """The attacker's button for the better defense, which the timer presses too.

        Source: RPJ-GCS-26.
        """
        attacker = stage.character(self.leader)
        label = f"Pick the better defense for {stage.fight.fighter(self.target).name[:30]}"
        options = RpjDefendOptions(target=self.target)
        if attacker is None or attacker.owner is None:
            button = gm_button("fight.defend", options, f"{label} (GM)")
        else:
            button = FollowUp(
                procedure="fight.defend", options=options, label=label, character=attacker.id, group=GROUP
            )
        return replace(button, after_seconds=stage.scene.settings.defense_seconds or None)

    def waiting_words(self, stage: Stage) -> str:
        """The target, as the start of a sentence."""
        return f"{stage.fight.fighter(self.target).name} is attacked and must choose a defense"


class RpjPendingAttack(RpjAttack, kind="blow"):
    """An attack to roll.

    Attributes:
        attacker: Who attacks.
        weapon: With what.
        extras: With which weapons besides.
        lethal: Whether those who may choose mean to kill.
        spare: Whether a mook is to be taken alive.
        maneuver: The maneuver that it is, if it is one.
        lucky: Whether a Lucky Break was spent beforehand.
        number: The target number that the GM sets, where fights are cinematic; None for the defence.
    """

    attacker: str
    weapon: str = ""
    extras: tuple[str, ...] = ()
    lethal: bool = False
    spare: bool = False
    maneuver: Maneuver | None = None
    lucky: bool = False
    number: int | None = None

    @property
    def whose(self) -> tuple[str, ...]:
        """The attacker and the target."""
        return (self.attacker, self.target)

    @property
    def leader(self) -> str:
        """The attacker."""
        return self.attacker

    def arm(self, stage: Stage) -> Arm:
        """The weapon."""
        return chosen_arm(stage.battle[self.attacker], self.weapon)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll the attack and apply its effects."""
        attacker, target = stage.battle[self.attacker], stage.battle[self.target]
        if not attacker.is_able or not self.can_land(stage):
            return stage.noted(f"{attacker.name}'s attack has no effect.")
        arm = self.arm(stage)
        aim = RpjAim(attacker=self.attacker, target=self.target, arm=arm, terms=self.terms, shot=self.shot)
        defense = chosen_defense(target, self.way)
        defense = defense if self.number is None else stated(defense, self.number)
        stage = stage.with_battle(targeted(stage.battle, self.target)).concerning(self.target)
        before = stage
        if self.lucky and rolled is None:
            rolled = evolve(attack_check(stage.battle, aim, defense), has_extra_die=True)
        extras = [chosen_arm(attacker, extra) for extra in self.extras]
        if is_open(target):
            hit = sure_hit(arm, extras, lethal=self.lethal)
        elif extras and rolled is None:
            hit = multi_attack(stage.battle, aim, extras, defense, dice)
        else:
            hit = hit_of(
                thrown(attack_check(stage.battle, aim, defense), dice, rolled), arm, lethal=self.lethal
            )
        verdict = MISS if hit.strike is None else CRITICAL_HIT if hit.is_critical else HIT
        stage = stage.rolled(self.attacker, *hit.rolls, verdict=verdict)
        if hit.rolls:
            stage = offer_lucky_break(stage, before, self, hit.rolls[0], against=self.target)
        if hit.strike is None:
            riposte = not arm.is_ranged and not self.is_free
            return provoked(stage, self.attacker, Trigger.MISSED, self.target) if riposte else stage
        if arm.is_harmless:
            return stage.noted(down(f"{arm.name} grapples {target.name}."))
        if target.mook is None:
            return landed(self._with_maneuver(stage), self.target, hit, spare=self.spare)
        stage = landed(stage, self.target, hit, spare=self.spare)
        return self._with_maneuver(stage) if stage.battle[self.target].is_able else stage

    def _with_maneuver(self, stage: Stage) -> Stage:
        """Apply a maneuver's effect when its free attack hits.

        Source: RPJ-MNV-06 to RPJ-MNV-08.
        """
        owner, target = stage.battle[self.attacker].name, stage.battle[self.target].name
        match self.maneuver:
            case Maneuver.HOLDING:
                stays = (
                    one
                    for one in stage.steps
                    if not (isinstance(one, PendingMove) and one.mover == self.target)
                )
                stage = stage.with_battle(held(stage.battle, self.target)).with_steps(stays)
                return stage.noted(down(f"{target} is held and can't move for the rest of this turn."))
            case Maneuver.GUARDING:
                stage = stage.with_battle(pushed_away(stage.battle, self.attacker, self.target))
                return stage.noted(
                    harm(f"{target} is driven off and can't come near {owner} until the next turn.")
                )
            case Maneuver.WATCHFUL:
                return stage.pushed(Aside(owner=self.attacker, target=self.target))
        return stage

    def words(self, stage: Stage) -> str:
        """The attacker and the target, as a phrase."""
        name = stage.fight.fighter
        return f"{name(self.attacker).name}'s attack on {name(self.target).name}"


class Swarming(RpjAttack, kind="swarm"):
    """Attacks of several mooks on one target.

    Attributes:
        attackers: Which mooks.
        rolls: How many times dice are rolled for them.
    """

    attackers: tuple[str, ...]
    rolls: int = Field(ge=1, le=60)

    @property
    def whose(self) -> tuple[str, ...]:
        """The target."""
        return (self.target,)

    def among(self, there: Collection[str]) -> Self | None:
        """The attacks of combatants who are still in the fight."""
        attackers = tuple(one for one in self.attackers if one in there)
        less = evolve(self, attackers=attackers)
        return less if attackers and self.target in there else None

    @property
    def leader(self) -> str:
        """The first of the mooks."""
        return self.attackers[0]

    def arm(self, stage: Stage) -> Arm:
        """The weapon."""
        return mook_arm(stage.battle[self.leader])

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll the attacks; mooks beyond the dice limit share rolls."""
        target = stage.battle[self.target]
        able = [id_ for id_ in self.attackers if stage.battle[id_].is_able]
        if not able or not self.can_land(stage):
            return stage.noted("The attacks have no effect.")
        aims = [
            RpjAim(
                attacker=id_,
                target=self.target,
                arm=mook_arm(stage.battle[id_]),
                terms=self.terms,
                shot=self.shot,
            )
            for id_ in able
        ]
        defense = chosen_defense(target, self.way)
        stage = stage.with_battle(targeted(stage.battle, self.target)).concerning(self.target)
        swarmed = swarm(stage.battle, aims, defense, min(self.rolls, len(aims)), dice)
        count = hits(swarmed)
        words = f"{count} of {len(aims)} hit" if count else "none hit"
        verdict = Verdict(Family.SUCCESS if count else Family.FAILURE, words)
        for one in swarmed[: self.rolls]:
            stage = stage.rolled(one.aim.attacker, *one.hit.rolls[:1], verdict=verdict)
        struck = [one.hit for one in swarmed if one.hit.strike is not None]
        return landed(stage, self.target, *struck) if struck else stage

    def words(self, stage: Stage) -> str:
        """The attackers and the target, as a phrase."""
        whose = ", ".join(counted(stage.fight.fighter(one) for one in self.attackers))
        return f"Attack of {whose} on {stage.fight.fighter(self.target).name}"
