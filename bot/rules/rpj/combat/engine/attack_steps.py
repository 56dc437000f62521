"""Steps: attacks by combatants and mooks, Suppressive Fire, and shots at cover."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Self

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Family, FollowUp, NamedTerm, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import MOST_TIMED_LABEL, down, harm, label_with
from bot.rules.rpj.combat.combatant import ADJACENT, RpjCombatant, counted, damaged, giga_shot, mega_shot
from bot.rules.rpj.combat.engine.damage_steps import landed
from bot.rules.rpj.combat.engine.moves import Aside, PendingMove, Trigger, provoked
from bot.rules.rpj.combat.engine.stack import (
    GROUP,
    RpjDefendOptions,
    button_for,
    gm_button,
    offer_lucky_break,
    thrown,
)
from bot.rules.rpj.combat.fight import PlacedCover, Stance, Step
from bot.rules.rpj.combat.rules.attacks import (
    RpjAim,
    Way,
    attack_check,
    best_defense,
    chosen_defense,
    defenses_of,
    hit_of,
    hits,
    is_open,
    met,
    multi_attack,
    stated,
    sure_hit,
    swarm,
    targeted,
    with_dice_of,
)
from bot.rules.rpj.combat.rules.combatants import (
    Arm,
    Battle,
    Maneuver,
    chosen_arm,
    held,
    mook_arm,
    pushed_away,
)
from bot.rules.rpj.combat.rules.shooting import Shooting, fire_terms, is_shot, may_be_shot
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.basics import HARMLESS, Scale, gap
from bot.rules.rpj.resolution.check import CHECK, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

HIT = Verdict(Family.SUCCESS, "hit")
CRITICAL_HIT = Verdict(Family.SUCCESS, "critical hit")
MISS = Verdict(Family.FAILURE, "miss")


class RpjAttack(Step):
    """Attacks on one target, who may choose the defense."""

    target: str  # whom
    terms: tuple[NamedTerm, ...] = ()  # bonuses and penalties of the moment
    is_free: bool = False  # whether it is a free attack, which provokes nobody
    way: Way | None = None  # how the target meets it; None while that is open
    shot: Shooting = Shooting.PLAIN  # how it is shot, under Fire and Movement

    @property
    @abstractmethod
    def leader(self) -> str:
        """The attacker; the first of several."""

    @abstractmethod
    def arm(self, stage: Stage) -> Arm:
        """The weapon."""

    def is_ranged(self, stage: Stage) -> bool:
        """Whether the ranged defense applies, so that nobody chooses. [RPJ-FIRE-01]"""
        return is_shot(stage.battle, self.arm(stage).greatest)

    def can_land(self, stage: Stage) -> bool:
        """Whether the target can still be attacked; helpless ones can only be shot.

        [RPJ-GCS-32, RPJ-FIRE-15 (FIRE-15b)]
        """
        whom = stage.battle[self.target]
        return whom.is_able or (self.is_ranged(stage) and whom.mook is None and may_be_shot(whom))

    def waits(self, stage: Stage) -> bool:
        """Whether the target's player chooses a defense and has a choice. [RPJ-GCS-26]"""
        whom = stage.battle[self.target]
        if self.way is not None or self.is_ranged(stage) or not whom.is_able or is_open(whom):
            return False
        return stage.fight.stance(whom.fighter) is Stance.ASK and len(defenses_of(whom)) > 1

    def met(self, stage: Stage, way: Way | None) -> Stage:
        """The stage after a defense was chosen; the better one by default. [RPJ-GCS-26 (R-081)]"""
        whom = stage.battle[self.target]
        chosen = best_defense(whom) if way is None else chosen_defense(whom, way)
        return stage.popped().pushed(evolve(self, way=chosen.way))

    def pushed_on(self, stage: Stage, dice: Dice) -> Stage:
        """Continue with the better defense."""
        return self.met(stage, None)

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Dodge or absorb, for the target; the attacker or the timer can take the better one. [RPJ-GCS-26]"""
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
        """The attacker's button for the better defense, which the timer presses too. [RPJ-GCS-26]"""
        attacker, target = stage.character(self.leader), stage.fight.fighter(self.target)
        player = None if attacker is None or attacker.owner is None else attacker.id
        options, by_gm = RpjDefendOptions(target=self.target), "" if player else " (GM)"
        before = "Better defense for "
        label = label_with(target.name, by_gm, before=before, longest=MOST_TIMED_LABEL)
        if player is None:
            button = gm_button("fight.defend", options, label)
        else:
            button = FollowUp(
                procedure="fight.defend", options=options, label=label, character=player, group=GROUP
            )
        return replace(button, after_seconds=stage.scene.settings.defense_seconds or None)

    def waiting_words(self, stage: Stage) -> str:
        """The target, as the start of a sentence."""
        return f"{stage.fight.fighter(self.target).name} is attacked and must choose a defense"


class RpjPendingAttack(RpjAttack, kind="blow"):
    """An attack to roll."""

    attacker: str
    weapon: str = ""
    extras: tuple[str, ...] = ()  # with which weapons besides
    lethal: bool = False  # whether those who may choose mean to kill
    spare: bool = False  # whether a mook is to be taken alive
    maneuver: Maneuver | None = None  # the maneuver that it is, if it is one
    lucky: bool = False  # whether a Lucky Break was spent beforehand
    # The target number that the GM sets, where fights are cinematic; None for the defence.
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
        name = "range" if self.is_ranged(stage) else str(defense.way)
        stage = stage.rolled(self.attacker, *[met(roll, name) for roll in hit.rolls], verdict=verdict)
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
        """Apply a maneuver's effect when its free attack hits. [RPJ-MNV-06 to RPJ-MNV-08]"""
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
    """Attacks of several mooks on one target."""

    attackers: tuple[str, ...]  # which mooks
    rolls: int = Field(ge=1, le=60)  # how many times dice are rolled for them

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
            stage = stage.rolled(one.aim.attacker, *one.hit.rolls, verdict=verdict)
        struck = [one.hit for one in swarmed if one.hit.strike is not None]
        return landed(stage, self.target, *struck) if struck else stage

    def words(self, stage: Stage) -> str:
        """The attackers and the target, as a phrase."""
        whose = ", ".join(counted(stage.fight.fighter(one) for one in self.attackers))
        return f"Attack of {whose} on {stage.fight.fighter(self.target).name}"


class Suppressing(Step, kind="suppressing"):
    """Suppressive Fire to roll against everyone in a group. [RPJ-FIRE-23, RPJ-FIRE-32]"""

    attacker: str  # who shoots
    group: int
    weapon: str
    extras: tuple[str, ...] = ()  # with which weapons besides
    terms: tuple[NamedTerm, ...] = ()  # bonuses and penalties of the moment

    @property
    def whose(self) -> tuple[str, ...]:
        """The shooter."""
        return (self.attacker,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll Suppressive Fire once and compare it with each group member's target number.

        [RPJ-FIRE-23 (FIRE-23b, FIRE-23c, FIRE-23d), RPJ-FIRE-24 (FIRE-24c)]
        """
        battle, before = stage.battle, stage
        attacker, there = battle[self.attacker], members(battle, self.group, self.attacker)
        if not attacker.is_able or not there:
            return stage.noted(f"{attacker.name}'s fire has no effect.")
        checks = {one.id: suppressing_check(battle, self, one.id) for one in there}
        easiest = min(there, key=lambda one: checks[one.id].target)
        roll = thrown(checks[easiest.id], dice, rolled)
        beaten = 0
        for one in there:
            its_roll = roll if one is easiest else with_dice_of(roll, checks[one.id].model_dump())
            is_beaten = reading_of(its_roll).result.is_success
            harms = _harms(stage, chosen_arm(attacker, self.weapon), one)
            words = "suppressed" if is_beaten and harms else "not suppressed" if harms else "can't be harmed"
            stage = stage.noted(harm(f"{one.name} ({checks[one.id].target}+): {words}.")).concerning(one.id)
            if is_beaten and harms:
                beaten += 1
                stage = _suppressed(stage, self.attacker, one.id)
        many = f"{beaten} of {len(there)} suppressed"
        verdict = Verdict(Family.SUCCESS, many) if beaten else Verdict(Family.FAILURE, "nobody suppressed")
        stage = stage.rolled(self.attacker, roll, verdict=verdict)
        return offer_lucky_break(stage, before, self, roll, against=easiest.id)

    def words(self, stage: Stage) -> str:
        """The shooter, as a phrase."""
        return f"{stage.fight.fighter(self.attacker).name}'s shots"


class Razing(Step, kind="razing"):
    """An attack on cover to roll. [RPJ-FIRE-19, RPJ-FIRE-20]"""

    attacker: str  # who attacks
    cover: int  # the number of the cover
    weapon: str

    @property
    def whose(self) -> tuple[str, ...]:
        """Whoever attacks."""
        return (self.attacker,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll an attack on cover. [RPJ-FIRE-19, RPJ-FIRE-20 (FIRE-20b)]"""
        attacker, placed, before = stage.battle[self.attacker], cover_at(stage, self.cover), stage
        if not attacker.is_able or placed is None:
            return stage.noted(f"{attacker.name}'s attack has no effect.")
        roll = CHECK.resolve(rolled or razing_check(stage, self, placed), dice)
        hits = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "hit") if hits else Verdict(Family.FAILURE, "no damage")
        stage = stage.rolled(self.attacker, roll, verdict=verdict)
        stage = offer_lucky_break(stage, before, self, roll, against=self.attacker)
        if not hits:
            return stage
        left = damaged(placed.cover, chosen_arm(attacker, self.weapon).scale)
        if left is None:
            fight = stage.fight.without_cover(placed.id)
            words = f"The {placed.cover.name} is destroyed."
        else:
            fight = stage.fight.with_cover(evolve(placed, cover=left))
            words = f"The {placed.cover.name}: {placed.cover} → {left}."
        return stage.with_battle(stage.battle.with_fight(fight)).noted(words)

    def words(self, stage: Stage) -> str:
        """The shooter, as a phrase."""
        return f"{stage.fight.fighter(self.attacker).name}'s shots"


def suppressing_aim(battle: Battle, step: Suppressing, target: str) -> RpjAim:
    """The aim of Suppressive Fire at a group member: weapons add up, and the worst range counts.

    [RPJ-FIRE-23, RPJ-FIRE-32 (FIRE-32a, FIRE-32b)]
    """
    who = battle[step.attacker]
    arm = chosen_arm(who, step.weapon)
    arms = [arm, *(chosen_arm(who, extra) for extra in step.extras)]
    distance = battle.fight.distance(who.fighter, battle.fight.fighter(target))
    worse = min(one.at(distance) for one in arms) - arm.at(distance)
    more = (
        NamedTerm(label="several weapons", value=len(arms) if step.extras else 0),
        NamedTerm(label="worst range modifier", value=worse),
    )
    return RpjAim(
        attacker=step.attacker, target=target, arm=arm, terms=(*step.terms, *more), shot=Shooting.SUPPRESSIVE
    )


def suppressing_check(battle: Battle, step: Suppressing, target: str) -> RpjCheckInputs:
    """The roll of Suppressive Fire against one of a group. [RPJ-FIRE-23, RPJ-FIRE-32]"""
    aim = suppressing_aim(battle, step, target)
    return attack_check(battle, aim, best_defense(battle[target]))


def members(battle: Battle, group: int, attacker: str) -> tuple[RpjCombatant, ...]:
    """The members of a group, allies too, without the attacker; the easiest to hit first.

    [RPJ-FIRE-23 (FIRE-23b)]
    """
    return tuple(one for one in battle.fight.present if one.group == group and one.id != attacker)


def _harms(stage: Stage, arm: Arm, target: RpjCombatant) -> bool:
    """Whether a weapon can harm a combatant at all. [RPJ-FIRE-23 (FIRE-23c)]"""
    return gap(arm.scale, stage.battle.of(target).scale) > HARMLESS


def _suppressed(stage: Stage, by: str, target: str) -> Stage:
    fight, fighter = stage.fight, stage.fight.fighter(target)
    state = fighter.under_fire.suppressed(by, fight.round, has_had_turn=has_had_turn(stage, fighter))
    return stage.with_battle(stage.battle.under_fire(target, state))


def has_had_turn(stage: Stage, fighter: RpjCombatant) -> bool:
    """Whether somebody's turn of this round is over; one that is on still ends what ends with it.

    [RPJ-FIRE-24]
    """
    own = "mooks" if fighter.mook is not None and fighter.id not in stage.fight.order else fighter.id
    order = (*stage.fight.order, "mooks")
    if own not in order or stage.fight.turn not in order:
        return False
    return order.index(own) < order.index(stage.fight.turn)


def cover_at(stage: Stage, id_: int) -> PlacedCover | None:
    """A cover by its number, or None where it is destroyed."""
    return next((one for one in stage.fight.covers if one.id == id_), None)


def cover_distance(stage: Stage, fighter: RpjCombatant, placed: PlacedCover) -> int:
    """The distance to cover; ADJACENT from behind it. [RPJ-FIRE-20]"""
    if fighter.group in placed.groups:
        return ADJACENT
    steps = stage.fight.field.steps(fighter.region, placed.region)
    return 0 if steps is None else steps


def razing_check(stage: Stage, step: Razing, placed: PlacedCover) -> RpjCheckInputs:
    """The roll against cover: unmodified with a giga weapon, an attack with a mega weapon.

    [RPJ-FIRE-19 (FIRE-19a), RPJ-FIRE-20]
    """
    who = stage.battle[step.attacker]
    arm, criticals = chosen_arm(who, step.weapon), who.criticals
    if arm.scale is Scale.GIGA:
        return giga_shot(criticals)
    distance = cover_distance(stage, who.fighter, placed)
    terms = (
        *arm.base,
        NamedTerm(label=arm.name, value=arm.weapon),
        NamedTerm(label=f"distance {distance}", value=arm.at(distance)),
        *arm.addends,
        *fire_terms(stage.battle, step.attacker, arm.modifier, Shooting.PLAIN),
    )
    return mega_shot(tuple(term for term in terms if term.value), criticals)
