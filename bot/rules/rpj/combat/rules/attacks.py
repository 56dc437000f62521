"""Attacks and the defenses against them: targets, rolls, several weapons or mooks at once, hits."""

from collections.abc import Sequence
from enum import StrEnum
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import NamedTerm, Roll, TargetNumber, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import assert_not_crushed, is_defenseless, load_on_defense
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    defense_modifiers,
    gap_of,
    is_unlimited,
    next_save,
    unrolled,
    with_health,
    without_save,
)
from bot.rules.rpj.character.sheet import CALM, Stats
from bot.rules.rpj.combat.rules.combatants import Arm, Battle, FighterStats
from bot.rules.rpj.combat.rules.shooting import Shooting, against_shot, fire_terms, is_shot, may_be_shot
from bot.rules.rpj.module.basics import DOWNWARD, RpjAttribute
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import RollTarget, RpjCircumstances, roll_bonus
from bot.rules.rpj.module.module import RpjSkill, SkillRole
from bot.rules.rpj.resolution.check import CHECK, RpjResult, dice_of, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, CheckKind, RpjCheckInputs


class Way(StrEnum):
    """The kind of defense. [RPJ-GCS-23, RPJ-GCS-24, RPJ-GCS-46]"""

    DODGE = "dodge"
    ABSORB = "absorb"
    MOOK = "defense"


class Defense(Struct, frozen=True):
    """A defense with its numbers."""

    way: Way  # how the attack is met
    terms: tuple[NamedTerm, ...]  # what is added to 7

    @property
    def value(self) -> int:
        """The target number of the attack. [RPJ-GCS-23, RPJ-GCS-24]"""
        return BASE_TARGET + sum(term.value for term in self.terms)


def defenses(figure: Stats, now: RpjCircumstances = CALM) -> tuple[Defense, ...]:
    """The available defenses; armor may allow only one.

    [RPJ-GCS-23 to RPJ-GCS-25 (R-079, R-082), RPJ-HEALTH-15 (R-060), RPJ-INV-03]
    """
    must_absorb = any(armor.must_absorb for armor in figure.armor)
    absorb = _defense(figure, Way.ABSORB, now)
    return (absorb,) if must_absorb else (_defense(figure, Way.DODGE, now), absorb)


def _defense(figure: Stats, way: Way, now: RpjCircumstances) -> Defense:
    attribute = RpjAttribute.DEX if way is Way.DODGE else RpjAttribute.CON
    skill = defense_skill(figure, way)
    worn = figure.armor
    modifiers = [defense_modifiers(figure, armor)[0 if way is Way.DODGE else 1] for armor in worn]
    bonuses = roll_bonus(figure.effects, RollTarget.DEFENSE, now, of=way.value)
    terms = [
        NamedTerm(label=skill.name if skill else "no skill", value=figure.base_level(skill) if skill else 0),
        NamedTerm(label=f"{attribute.word} bonus", value=figure.bonus(attribute, now)),
        *(NamedTerm(label=armor.name, value=value) for armor, value in zip(worn, modifiers, strict=True)),
        *(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses),
        NamedTerm(label="overloaded", value=load_on_defense(figure)),
    ]
    return Defense(way, tuple(term for term in terms if term.value))


def defense_skill(figure: Stats, way: Way) -> RpjSkill | None:
    """The defense skill: that of the armor, else the best of the module's.

    [RPJ-GCS-23 to RPJ-GCS-25, RPJ-GCS-63]
    """
    module = figure.module
    for armor in figure.armor:
        if armor.skill:
            return figure.known_skill(armor.skill)
    roles = (SkillRole.DODGE, SkillRole.ABSORB) if way is Way.DODGE else (SkillRole.ABSORB, SkillRole.DODGE)
    skills = module.skills_for(roles[0]) or module.skills_for(roles[1])
    return max(skills, key=figure.base_level, default=None)


def defenses_of(who: FighterStats) -> tuple[Defense, ...]:
    """A combatant's defenses; a mook has one fixed value. [RPJ-GCS-26, RPJ-GCS-46, RPJ-GCS-67 (R-136)]"""
    if who.mook is not None:
        value = NamedTerm(label="defense", value=who.mook.defense - BASE_TARGET)
        return (Defense(Way.MOOK, (value,)),)
    return defenses(who.figure, who.now)


def best_defense(who: FighterStats) -> Defense:
    """The better defense, the first of equals. [RPJ-GCS-26 (R-081)]"""
    return max(defenses_of(who), key=lambda defense: defense.value)


def stated(defense: Defense, number: int) -> Defense:
    """The GM's target number in place of a defense. [RPJ-CINE-09]"""
    return Defense(defense.way, (NamedTerm(label="set by the GM", value=number - BASE_TARGET),))


def chosen_defense(who: FighterStats, way: Way | None) -> Defense:
    """The chosen defense; by default the better one. [RPJ-GCS-25, RPJ-GCS-26 (R-081)]

    Raises:
        UserError: If they cannot defend like that.
    """
    if way is None or who.mook is not None:
        return best_defense(who)
    found = next((defense for defense in defenses_of(who) if defense.way is way), None)
    if found is None:
        armor = next((armor.name for armor in who.figure.armor if armor.must_absorb), "")
        raise UserError(f"{who.name} can't {way}.", f"{armor} only allows absorbing." if armor else "")
    return found


class RpjAim(Struct, frozen=True, kw_only=True):
    """An attack on a target."""

    attacker: str  # who attacks
    target: str  # whom
    arm: Arm
    terms: tuple[NamedTerm, ...] = ()  # bonuses and penalties of the moment, by name
    shot: Shooting = Shooting.PLAIN  # how it is shot, under Fire and Movement


def assert_target(battle: Battle, aim: RpjAim) -> None:
    """Refuse a target that cannot be attacked.

    Raises:
        UserError: If it is too near or too far, out of sight, out of action, or the attacker; or if the
            attacker carries far too much.

    [RPJ-GCS-07, RPJ-GCS-11, RPJ-GCS-29, RPJ-GCS-32 (R-086), RPJ-INV-04 (INV-04c)]
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

    [RPJ-GCS-27 to RPJ-GCS-29, RPJ-GCS-38, RPJ-GCS-51, RPJ-GCS-67 (R-136), RPJ-FIRE-01, RPJ-FIRE-10, RPJ-
    FIRE-11]
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


class Hit(Struct, frozen=True):
    """The result of attack rolls."""

    rolls: tuple[Roll, ...]  # the rolls, in order
    strike: Strike | None  # the damage of a hit; None for a miss
    is_critical: bool = False  # whether a save goes without a roll


def strike_of(arm: Arm, more: int = 0, *, lethal: bool = False) -> Strike:
    """The damage of a hit. [RPJ-GCS-31, RPJ-GCS-57, RPJ-HEALTH-17]

    Args:
        more: Damage added to it.
        lethal: Whether the attacker, who may choose, means to kill.
    """
    return Strike(
        damage=arm.damage + more,
        hits=arm.hits,
        bypasses=arm.bypasses,
        is_nonlethal=arm.is_nonlethal and not (lethal and arm.may_choose),
        scale=arm.scale,
    )


def hit_of(roll: Roll, arm: Arm, *, lethal: bool = False) -> Hit:
    """The result of one attack roll. [RPJ-GCS-28, RPJ-GCS-30 (R-085)]"""
    result = reading_of(roll).result
    if not result.is_success:
        return Hit((roll,), None)
    strike = strike_of(arm, lethal=lethal)
    return Hit((roll,), strike, is_critical=result is RpjResult.CRITICAL_SUCCESS)


def met(roll: Roll, name: str) -> Roll:
    """A roll with the target number that it had, under a name."""
    inputs = cast(RpjCheckInputs, roll.inputs)
    return roll.compared_with(TargetNumber(name, inputs.target, reading_of(roll).result.is_success))


def attack(battle: Battle, aim: RpjAim, defense: Defense, dice: Dice, *, lethal: bool = False) -> Hit:
    """Attack with one weapon. [RPJ-GCS-28, RPJ-GCS-60]"""
    return hit_of(CHECK.resolve(attack_check(battle, aim, defense), dice), aim.arm, lethal=lethal)


def is_open(whom: FighterStats) -> bool:
    """Whether every attack on a combatant hits without a roll, because they carry far too much.

    [RPJ-INV-04 (INV-04b)]
    """
    return whom.sheeted is not None and is_defenseless(whom.figure)


def sure_hit(arm: Arm, extras: Sequence[Arm] = (), *, lethal: bool = False) -> Hit:
    """An attack that hits without a roll, and so is never critical. [RPJ-INV-04 (INV-04b)]"""
    return Hit((), strike_of(arm, sum(extra.hands for extra in extras), lethal=lethal))


def assert_several(primary: Arm, extras: Sequence[Arm]) -> None:
    """Refuse weapons that cannot be used at once. [RPJ-GCS-61, RPJ-GCS-62]"""
    ids = [arm.id for arm in (primary, *extras)]
    if len(set(ids)) < len(ids):
        raise UserError("You can use each weapon once in a multi-weapon attack.")
    if any(arm.hands < 1 for arm in (primary, *extras)):
        raise UserError(
            "You can only make a multi-weapon attack with weapons in hand.",
            try_this="Take them on your turn, on your sheet.",
        )


def multi_attack(battle: Battle, aim: RpjAim, extras: Sequence[Arm], defense: Defense, dice: Dice) -> Hit:
    """Attack with several weapons at once: each extra one that hits adds damage for every hand it takes.

    [RPJ-GCS-61 (R-119), RPJ-GCS-62 (R-120)]
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

    [RPJ-GCS-13 (R-075), RPJ-WMAG-14 (WMAG-14b)]
    """
    return battle.changed(target, was_targeted=True, brewing=None)


class Loss(Struct, frozen=True):
    """A save lost without a roll."""

    spot: Spot
    breaks: bool  # whether its layer is broken by that
    is_whole: bool = False  # whether all saves of the layer are gone


def critical_loss(figure: Stats, strike: Strike) -> tuple[RpjHealth, tuple[Loss, ...]]:
    """The saves a critical hit costs: each that would have been rolled, without a roll.

    One of a greater scale takes the layer, one of a lesser scale by two takes nothing.

    [RPJ-GCS-30 (R-084, R-135), RPJ-SCALE-07 (SCALE-07a)]
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
    """The battle after a mook is hit, which takes it out. [RPJ-GCS-48 (R-111)]"""
    return battle.with_health(target, RpjHealth(out=Out.KNOCKED_OUT if spared else Out.DEAD))


class Swarmed(Struct, frozen=True):
    """One attack of a swarm."""

    aim: RpjAim  # the attack
    roll: int  # the roll whose dice it has, counted from 0
    hit: Hit  # what it comes to


def swarm(
    battle: Battle, aims: Sequence[RpjAim], defense: Defense, rolls: int, dice: Dice
) -> tuple[Swarmed, ...]:
    """The attacks of a swarm: a number of rolls shared among the attacks in order.

    Args:
        aims: The attacks; those with the dice of the first roll are told by it, and so on.
        defense: How the target meets them.
        rolls: How many times dice are rolled.
        dice: Where they fall.

    Raises:
        UserError: If there are more rolls than attacks, or none.

    [RPJ-GCS-49, RPJ-INV-04 (INV-04b)]
    """
    if not 1 <= rolls <= len(aims):
        raise UserError(f"{rolls} rolls need at least {rolls} attacks.", f"You have {len(aims)}.")
    if is_open(battle[aims[0].target]):
        return tuple(Swarmed(aim, number % rolls, sure_hit(aim.arm)) for number, aim in enumerate(aims))
    thrown: list[Roll] = []
    swarmed: list[Swarmed] = []
    for number, aim in enumerate(aims):
        inputs = attack_check(battle, aim, defense)
        if number < rolls:
            thrown.append(CHECK.resolve(inputs, dice))
            roll = thrown[-1]
        else:
            roll = with_dice_of(thrown[number % rolls], inputs.model_dump())
        swarmed.append(Swarmed(aim, number % rolls, hit_of(roll, aim.arm)))
    return tuple(swarmed)


def with_dice_of(roll: Roll, inputs: dict[str, object]) -> Roll:
    """The same dice read for another attack; nothing is rolled."""
    faces, confirmation = dice_of(roll)
    lying = CHECK.inputs.model_validate({**inputs, "fallen": faces, "confirmation": confirmation})
    return CHECK.resolve(lying, _RpjNoDice())


class _RpjNoDice:
    """Dice already rolled."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} that lies on the table was rolled again")


def hits(swarmed: Sequence[Swarmed]) -> int:
    """The number of hits."""
    return sum(one.hit.strike is not None for one in swarmed)
