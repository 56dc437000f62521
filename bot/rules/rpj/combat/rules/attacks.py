"""Attacks: who can be attacked, what is rolled, several weapons at once, and what a hit does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.rules.kernel import NamedTerm, Roll, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import assert_not_crushed, is_defenseless
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    gap_of,
    is_unlimited,
    next_save,
    unrolled,
    with_health,
    without_save,
)
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.combat.rules.arms import Arm
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.combat.rules.defenses import Defense
from bot.rules.rpj.combat.rules.shooting import against_shot, fire_terms, is_shot, may_be_shot
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import RollTarget, roll_bonus
from bot.rules.rpj.module.scales import DOWNWARD
from bot.rules.rpj.resolution.check import CHECK, RpjResult, reading_of
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class RpjAim:
    """An attack on a target.

    Attributes:
        attacker: Who attacks.
        target: Whom.
        arm: With what.
        terms: Bonuses and penalties of the moment, by name.
        shot: How it is shot, under Fire and Movement.
    """

    attacker: str
    target: str
    arm: Arm
    terms: tuple[NamedTerm, ...] = ()
    shot: Shooting = Shooting.PLAIN


def assert_target(battle: Battle, aim: RpjAim) -> None:
    """Refuse a target that cannot be attacked.

    Raises:
        UserError: If it is too near or too far, out of sight, out of action, or the attacker; or if the
            attacker carries far too much.

    Source: RPJ-GCS-07, RPJ-GCS-11, RPJ-GCS-29, RPJ-GCS-32 (R-086), RPJ-INV-04 (INV-04c).
    """
    attacker, target = battle[aim.attacker], battle[aim.target]
    if aim.attacker == aim.target:
        raise UserError("You can't attack yourself.")
    for attribute in aim.arm.attributes if attacker.sheeted else ():
        assert_not_crushed(attacker.figure, attribute)
    if not target.is_able and not (is_shot(battle, aim.arm.greatest) and may_be_shot(target)):
        raise UserError(
            f"{target.name} is {target.health.out}.",
            "You can't attack someone out of action.",
            "Attempt a coup de grace instead.",
        )
    aim.arm.at(battle.fight.distance(attacker.fighter, target.fighter))
    start, end = attacker.fighter.region, target.fighter.region
    if not battle.fight.field.can_shoot(start, end):
        field = battle.fight.field
        raise UserError(f"There is no line of fire from {field.name(start)} to {field.name(end)}.")


def attack_check(battle: Battle, aim: RpjAim, defense: Defense) -> RpjCheckInputs:
    """The inputs of an attack roll; under Fire and Movement shots meet the ranged defense.

    Source: RPJ-GCS-27 to RPJ-GCS-29, RPJ-GCS-38, RPJ-GCS-51, RPJ-GCS-67 (R-136), RPJ-FIRE-01,
    RPJ-FIRE-10, RPJ-FIRE-11.
    """
    attacker, target, arm = battle[aim.attacker], battle[aim.target], aim.arm
    distance = battle.fight.distance(attacker.fighter, target.fighter)
    rules = battle.rules
    is_grappled = battle.fight.grapple(aim.target) is not None
    grappled = rules.grappled_ranged if arm.is_ranged else rules.grappled_melee
    terms = (
        *arm.base,
        NamedTerm(label=arm.name, value=arm.weapon),
        NamedTerm(label=f"distance {distance}", value=arm.at(distance)),
        *arm.addends,
        *_trait_terms(attacker, arm, is_grappled=is_grappled),
        NamedTerm(label="target in a grapple", value=grappled if is_grappled else 0),
        NamedTerm(label="weak", value=rules.weak_attack if attacker.health.is_weak else 0),
        *fire_terms(battle, aim.attacker, arm.modifier, aim.shot),
        *aim.terms,
    )
    is_ranged = is_shot(battle, arm.greatest)
    return RpjCheckInputs(
        kind=CheckKind.ATTACK,
        terms=tuple(term for term in terms if term.value),
        opposition=against_shot(battle, aim.attacker, aim.target, aim.shot) if is_ranged else defense.terms,
        criticals=attacker.criticals,
    )


def _trait_terms(attacker: FighterStats, arm: Arm, *, is_grappled: bool) -> tuple[NamedTerm, ...]:
    if attacker.sheeted is None:
        return ()
    on = RollTarget.RANGED_ATTACK if arm.is_ranged else RollTarget.MELEE_ATTACK
    now = evolve(attacker.now, target_is_grappled=is_grappled)
    bonuses = roll_bonus(attacker.sheeted.effects, on, now, of=arm.skill)
    return tuple(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses)


@dataclass(frozen=True, slots=True)
class Hit:
    """The result of attack rolls.

    Attributes:
        rolls: The rolls, in order.
        strike: The damage of a hit; None for a miss.
        is_critical: Whether a save goes without a roll.
    """

    rolls: tuple[Roll, ...]
    strike: Strike | None
    is_critical: bool = False


def strike_of(arm: Arm, more: int = 0, *, lethal: bool = False) -> Strike:
    """The damage of a hit.

    Args:
        arm: With what.
        more: Damage added to it.
        lethal: Whether the attacker, who may choose, means to kill.

    Source: RPJ-GCS-31, RPJ-GCS-57, RPJ-HEALTH-17.
    """
    return Strike(
        damage=arm.damage + more,
        hits=arm.hits,
        bypasses=arm.bypasses,
        is_nonlethal=arm.is_nonlethal and not (lethal and arm.may_choose),
        scale=arm.scale,
    )


def hit_of(roll: Roll, arm: Arm, more: int = 0, *, lethal: bool = False) -> Hit:
    """The result of one attack roll.

    Source: RPJ-GCS-28, RPJ-GCS-30 (R-085).
    """
    result = reading_of(roll).result
    if not result.is_success:
        return Hit((roll,), None)
    strike = strike_of(arm, more, lethal=lethal)
    return Hit((roll,), strike, is_critical=result is RpjResult.CRITICAL_SUCCESS)


def attack(battle: Battle, aim: RpjAim, defense: Defense, dice: Dice, *, lethal: bool = False) -> Hit:
    """Attack with one weapon.

    Source: RPJ-GCS-28, RPJ-GCS-60.
    """
    return hit_of(CHECK.resolve(attack_check(battle, aim, defense), dice), aim.arm, lethal=lethal)


def is_open(whom: FighterStats) -> bool:
    """Whether every attack on a combatant hits without a roll, because they carry far too much.

    Source: RPJ-INV-04 (INV-04b).
    """
    return whom.sheeted is not None and is_defenseless(whom.figure)


def sure_hit(arm: Arm, extras: Sequence[Arm] = (), *, lethal: bool = False) -> Hit:
    """An attack that hits without a roll, and so is never critical.

    Source: RPJ-INV-04 (INV-04b).
    """
    return Hit((), strike_of(arm, sum(extra.hands for extra in extras), lethal=lethal))


def assert_several(primary: Arm, extras: Sequence[Arm]) -> None:
    """Refuse weapons that cannot be used at once.

    Raises:
        UserError: If a weapon is named twice, or one of them is no weapon in hand.

    Source: RPJ-GCS-61, RPJ-GCS-62.
    """
    ids = [arm.id for arm in (primary, *extras)]
    if len(set(ids)) < len(ids):
        raise UserError("You can use each weapon once in a multi-weapon attack.")
    if any(arm.hands < 1 for arm in (primary, *extras)):
        raise UserError("You can only make a multi-weapon attack with weapons in hand.")


def multi_attack(battle: Battle, aim: RpjAim, extras: Sequence[Arm], defense: Defense, dice: Dice) -> Hit:
    """Attack with several weapons at once: each extra one that hits adds damage for every hand it takes.

    Source: RPJ-GCS-61 (R-119), RPJ-GCS-62 (R-120).
    """
    first = attack(battle, aim, defense, dice)
    if first.strike is None or first.is_critical:
        return first
    rolls, more = list(first.rolls), 0
    penalty = NamedTerm(label="extra weapon", value=battle.rules.extra_weapon)
    for extra in extras:
        swing = replace(aim, arm=extra, terms=(*aim.terms, penalty))
        other = attack(battle, swing, defense, dice)
        rolls += other.rolls
        more += extra.hands if other.strike is not None else 0
    return Hit(tuple(rolls), strike_of(aim.arm, more))


def targeted(battle: Battle, target: str) -> Battle:
    """The battle after a combatant was attacked, hit or not; it breaks long casting.

    Source: RPJ-GCS-13 (R-075), RPJ-WMAG-14 (WMAG-14b).
    """
    return battle.changed(target, was_targeted=True, brewing=None)


@dataclass(frozen=True, slots=True)
class Loss:
    """A save lost without a roll.

    Attributes:
        spot: Which one.
        breaks: Whether its layer is broken by that.
        is_whole: Whether all saves of the layer are gone.
    """

    spot: Spot
    breaks: bool
    is_whole: bool = False


def critical_loss(figure: Stats, strike: Strike) -> tuple[RpjHealth, tuple[Loss, ...]]:
    """The saves a critical hit costs: each that would have been rolled, without a roll.

    One of a greater scale takes the layer, one of a lesser scale by two takes nothing.

    Source: RPJ-GCS-30 (R-084, R-135), RPJ-SCALE-07 (SCALE-07a).
    """
    lost: list[Loss] = []
    for _ in range(strike.hits):
        spot = next_save(figure, strike)
        if spot is None or figure.sheet.health.out is not Out.NO:
            break
        if is_unlimited(figure) or unrolled(figure, spot, strike) is not None:
            break
        is_whole = gap_of(figure, spot.layer, strike) >= DOWNWARD
        health, breaks = without_save(figure, spot, strike, is_whole=is_whole)
        lost.append(Loss(spot, breaks, is_whole))
        figure = with_health(figure, health)
    return figure.sheet.health, tuple(lost)


def mook_felled(battle: Battle, target: str, *, spared: bool) -> Battle:
    """The battle after a mook is hit, which takes it out.

    Source: RPJ-GCS-48 (R-111).
    """
    return battle.with_health(target, RpjHealth(out=Out.KNOCKED_OUT if spared else Out.DEAD))
