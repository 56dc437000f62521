"""Fire and Movement: its turn commands, and its menu of actions with chances."""

from collections.abc import Iterator

from pydantic import Field

from bot.rules.kernel import Choice, Document, NoOptions, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, label_with, signed
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_checks import read_modifiers
from bot.rules.rpj.combat.combatant import (
    CAUTIOUS,
    RpjCombatant,
    assert_destructible,
    counted,
    shown_distance,
)
from bot.rules.rpj.combat.commands.inventory import loaded_weapon
from bot.rules.rpj.combat.commands.turn_commands import (
    CHOSEN,
    AttackOptions,
    actor_of,
    arm_id,
    attacker_of,
    begin_attack,
    begun_stage,
    blow_of,
    cover_chosen,
    region_named,
    someone,
)
from bot.rules.rpj.combat.engine.attack_steps import (
    Razing,
    Suppressing,
    cover_distance,
    members,
    razing_check,
    suppressing_check,
)
from bot.rules.rpj.combat.engine.damage_steps import assert_may_attack
from bot.rules.rpj.combat.engine.moves import Trigger, provoked
from bot.rules.rpj.combat.engine.stack import attack_chance, go_on, outcome
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_several, assert_target, is_open
from bot.rules.rpj.combat.rules.combatants import Arm, FighterStats, arms_of, chosen_arm
from bot.rules.rpj.combat.rules.shooting import (
    Shooting,
    against_shot,
    ammunition_of,
    loaded_left,
    loaded_words,
    plays_fire,
    reloaded,
    shots_spent,
)
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.items import reload_actions
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET
from bot.rules.shared.offering import is_allowed


class AimOptions(Document):
    """The options of Aimed Fire."""

    target: str = Field(min_length=1, max_length=100)  # whom, by name
    weapon: str = Field(default="", max_length=60)  # with what; the first in hand where left out
    modifiers: str = Field(default="", max_length=200)  # bonuses and penalties with a word
    lucky: bool = False  # whether a Lucky Break is spent beforehand


class SuppressOptions(Document):
    """The options of Suppressive Fire."""

    target: str = Field(min_length=1, max_length=100)  # one of the group, by name
    weapon: str = Field(default="", max_length=60)  # with what; the first in hand where left out
    extras: str = Field(default="", max_length=200)  # with which weapons besides, with commas between
    modifiers: str = Field(default="", max_length=200)  # bonuses and penalties with a word


class WatchOptions(Document):
    """The options of overwatch."""

    region: str = Field(min_length=1, max_length=60)


class RpjReloadOptions(Document):
    """The options of reloading; by default the first weapon in hand."""

    weapon: str = Field(default="", max_length=60)


class RazeOptions(Document):
    """The options of shooting at cover."""

    cover: str = Field(min_length=1, max_length=100)
    weapon: str = Field(default="", max_length=60)


class FireOptions(Document):
    """The options of a menu action: "aim|who|weapon" and so on."""

    deed: str = CHOSEN


def fire_stage(scene: Scene) -> Stage:
    """The stage of a started fight under Fire and Movement. [RPJ-FIRE-01]

    Raises:
        UserError: If these rules are not on, there is no fight, or something else comes first.
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    return begun_stage(scene)


def aiming(stage: Stage, who: str, options: AimOptions) -> Stage:
    """The stage after paying for Aimed Fire: two actions for one shot. [RPJ-FIRE-21]

    Raises:
        UserError: If it cannot be made.
    """
    given = AttackOptions.model_validate(options.model_dump())
    blow = evolve(blow_of(stage, who, given), shot=Shooting.AIMED)
    _assert_ranged(chosen_arm(stage.battle[who], blow.weapon))
    stage.fight.fighter(who).under_fire.assert_may_aim()
    return begin_attack(stage, blow)


def _assert_ranged(arm: Arm) -> None:
    if not arm.is_ranged:
        raise UserError(f"{arm.name} isn't a ranged weapon.", try_this="Take a ranged weapon in hand.")


def suppressing(stage: Stage, who: str, options: SuppressOptions) -> Stage:
    """The stage after paying for Suppressive Fire, with provoked free attacks first.

    Raises:
        UserError: If it cannot be made.

    [RPJ-FIRE-01, RPJ-FIRE-22, RPJ-FIRE-23, RPJ-FIRE-32]
    """
    battle, target = stage.battle, someone(stage, options.target)
    assert_may_attack(battle, who)
    extras = [one for one in (part.strip() for part in options.extras.split(",")) if one]
    step = Suppressing(
        attacker=who,
        group=target.group,
        weapon=arm_id(stage, who, options.weapon),
        extras=tuple(arm_id(stage, who, one) for one in extras),
        terms=read_modifiers(options.modifiers),
    )
    arms = [chosen_arm(battle[who], weapon) for weapon in (step.weapon, *step.extras)]
    assert_several(arms[0], arms[1:])
    there = members(battle, target.group, who)
    for arm in arms:
        _assert_ranged(arm)
        assert_target(battle, RpjAim(attacker=who, target=target.id, arm=arm))
    battle = shots_spent(battle, who, (step.weapon, *step.extras), suppressive=True)
    battle = battle.spent(who, 2, has_attacked=True)
    for one in there:
        battle = battle.changed(one.id, was_targeted=True)
    return provoked(stage.with_battle(battle).pushed(step), who, Trigger.SHOOTING)


def watching(stage: Stage, who: str, region: int) -> Stage:
    """The stage with a combatant on overwatch. [RPJ-FIRE-26 (FIRE-26c)]

    Raises:
        UserError: If they have nothing to shoot with, cannot see there, or have no action left.
    """
    if stage.fight.is_cinematic:
        raise UserError("This fight is played in yards: there are no regions to watch.")
    assert_may_attack(stage.battle, who)
    fighter, field = stage.fight.fighter(who), stage.fight.field
    if not any(arm.is_ranged for arm in arms_of(stage.battle[who])):
        raise UserError(
            f"{fighter.name} has no ranged weapon in hand.",
            try_this="Take one on your turn, on your sheet.",
        )
    if not field.can_shoot(fighter.region, region):
        raise UserError(
            f"There is no line of fire from {field.name(fighter.region)} to {field.name(region)}."
        )
    battle = stage.battle.spent(who)
    return stage.with_battle(battle.under_fire(who, fighter.under_fire.watching(region)))


def turning_about(stage: Stage, who: str) -> Stage:
    """The stage with a combatant turned around in their cover. [RPJ-FIRE-17 (FIRE-17a)]

    Raises:
        UserError: If they are in none, did so this turn, or have no action left.
    """
    fighter = stage.fight.fighter(who)
    stage.battle.assert_free(who)
    stage.battle[who].assert_can(Need.MOVE)
    in_cover = bool(stage.fight.covers_of(fighter))
    state = fighter.under_fire.reoriented(stage.fight.round, in_cover=in_cover)
    return stage.with_battle(stage.battle.spent(who).under_fire(who, state))


def reloading(stage: Stage, who: str, typed: str) -> tuple[Stage, str]:
    """The stage with a weapon reloaded, and the change in words.

    Raises:
        UserError: If it is full, nothing is carried for it, or too few actions are left.

    [RPJ-FIRE-03 (FIRE-03a, FIRE-03b), RPJ-FIRE-08]
    """
    combatant = stage.battle[who]
    figure = combatant.figure
    stage.battle.assert_free(who)
    combatant.assert_can(Need.HANDS)
    weapon = loaded_weapon(figure, typed or next(iter(combatant.fighter.wielded), ""))
    magazine = weapon.ammunition
    if magazine is None:
        raise UserError(f"{weapon.name} uses no ammunition.")
    had = ammunition_of(figure, weapon.id, magazine)
    if not had.step:
        raise UserError(f"The {weapon.name} is out of ammunition.", "Swap with another weapon.")
    if had.loaded >= magazine.capacity:
        raise UserError(f"The {weapon.name} is already full.")
    cost = reload_actions(magazine, combatant.actions, combatant.fighter.turn.actions)
    battle = reloaded(stage.battle.spent(who, cost), who, weapon.id, magazine)
    words = f"{weapon.name}: loaded {had.loaded} → {magazine.capacity} ({cost} actions)"
    return stage.with_battle(battle), words.replace("(1 actions)", "(1 action)")


def razing(stage: Stage, who: str, cover: str, weapon: str) -> Stage:
    """The stage after paying for an attack on cover, with provoked free attacks first.

    Raises:
        UserError: If the weapon does it no harm, or does not reach.

    [RPJ-FIRE-19, RPJ-FIRE-20, RPJ-SCALE-10]
    """
    require(stage.scene, Pack.DAMAGE_SCALES)
    assert_may_attack(stage.battle, who)
    placed = cover_chosen(stage, cover)
    arm = chosen_arm(stage.battle[who], arm_id(stage, who, weapon))
    assert_destructible(placed.cover, arm.scale)
    arm.at(cover_distance(stage, stage.fight.fighter(who), placed))
    battle = shots_spent(stage.battle, who, (arm.id,)).spent(who, has_attacked=True)
    stage = stage.with_battle(battle).pushed(Razing(attacker=who, cover=placed.id, weapon=arm.id))
    return provoked(stage, who, Trigger.SHOOTING) if arm.is_ranged else stage


# --- procedures --------------------------------------------------------------------------------


@procedure("fire.aim", can_repeat=True)
def aim(scene: Scene, options: AimOptions, dice: Dice) -> Outcome:
    """Aimed Fire: two actions, one shot, +1 to the roll. [RPJ-FIRE-21]"""
    stage, who = attacker_of(fire_stage(scene))
    stage = aiming(stage, who, options)
    left = loaded_left(stage.battle, who, (arm_id(stage, who, options.weapon),))
    return outcome(go_on(stage, dice).noted(*left), f"aims at {someone(stage, options.target).name}")


@procedure("fire.suppress", can_repeat=True)
def suppress(scene: Scene, options: SuppressOptions, dice: Dice) -> Outcome:
    """Suppressive Fire at a whole group: two actions, no damage. [RPJ-FIRE-22, RPJ-FIRE-23, RPJ-FIRE-32]"""
    stage, who = attacker_of(fire_stage(scene))
    stage = suppressing(stage, who, options)
    step = next(one for one in reversed(stage.steps) if isinstance(one, Suppressing))
    words = loaded_left(stage.battle, who, (step.weapon, *step.extras))
    done = go_on(stage, dice)
    return outcome(done.noted(*words), f"suppresses the group of {someone(stage, options.target).name}")


@procedure("fire.watch")
def watch(scene: Scene, options: WatchOptions, _dice: Dice) -> Outcome:
    """Watch a region, to shoot at whoever enters it. [RPJ-FIRE-26]"""
    stage = fire_stage(scene)
    region = region_named(stage, options.region)
    if region is None:
        raise UserError("Which region?", try_this="Choose a region by name or number.")
    stage = watching(stage, actor_of(stage).id, region)
    note = "Until their next turn; they can't move any more this turn."
    return outcome(stage.noted(note), f"watches {stage.fight.field.name(region)}")


@procedure("fire.reorient")
def reorient(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Turn around in cover: flanked directions become covered and the other way round. [RPJ-FIRE-17]"""
    stage = fire_stage(scene)
    who = actor_of(stage).id
    stage = turning_about(stage, who)
    faces = "near" if stage.fight.fighter(who).under_fire.is_reoriented else "far"
    return outcome(
        stage.noted(f"Their cover now counts against opponents who are {faces}."), "turns around in cover"
    )


@procedure("fire.reload")
def reload(scene: Scene, options: RpjReloadOptions, _dice: Dice) -> Outcome:
    """Reload a weapon. [RPJ-FIRE-03]"""
    stage = fire_stage(scene)
    stage, words = reloading(stage, actor_of(stage).id, options.weapon)
    return outcome(stage.noted(words), "reloads")


@procedure("fire.raze")
def raze_cover(scene: Scene, options: RazeOptions, dice: Dice) -> Outcome:
    """Shoot at cover with a mega or giga weapon. [RPJ-FIRE-19, RPJ-FIRE-20]"""
    stage = fire_stage(scene)
    who = actor_of(stage).id
    stage = razing(stage, who, options.cover, options.weapon)
    return outcome(go_on(stage, dice), f"shoots at the {options.cover}")


@procedure("fire.deed", can_repeat=True)
def deed(scene: Scene, options: FireOptions, dice: Dice) -> Outcome:
    """Carry out an action of the menu. [RPJ-FIRE-33]"""
    what, _, rest = options.deed.partition("|")
    first, _, second = rest.partition("|")
    match what:
        case "aim":
            return aim(scene, AimOptions(target=first, weapon=second), dice)
        case "suppress":
            return suppress(scene, SuppressOptions(target=first, weapon=second), dice)
        case "watch":
            return watch(scene, WatchOptions(region=first), dice)
        case "reorient":
            return reorient(scene, NoOptions(), dice)
        case "reload":
            return reload(scene, RpjReloadOptions(weapon=first), dice)
        case "raze":
            return raze_cover(scene, RazeOptions(cover=first, weapon=second), dice)
    raise UserError("You didn't choose anything.", try_this="Choose from the menu of your turn.")


def fire_facts(stage: Stage, who: FighterStats) -> Iterator[str]:
    """A combatant's states under fire, in a word or two each; empty without these rules.

    [RPJ-FIRE-02, RPJ-FIRE-12, RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-24, RPJ-FIRE-26, RPJ-FIRE-28]
    """
    if not plays_fire(stage.battle):
        return
    state = who.fighter.under_fire
    yield from cover_facts(stage, who.fighter)
    if state.is_suppressed:
        names = [one.name for one in stage.fight.combatants if one.id in state.suppressors]
        yield f"suppressed by {', '.join(names)}" if names else "suppressed"
    if state.overwatch is not None:
        yield f"watches {stage.fight.field.name(state.overwatch)}"
    if who.sheeted is not None:
        yield from (words for one in who.fighter.wielded if (words := loaded_words(who.sheeted, one)))


def cover_facts(stage: Stage, fighter: RpjCombatant) -> Iterator[str]:
    """A combatant's cover, in words. [RPJ-FIRE-12, RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-28]"""
    if not plays_fire(stage.battle):
        return
    state, covers = fighter.under_fire, stage.fight.covers_of(fighter)
    for placed in covers:
        yield f"{placed.cover.name} +{placed.cover.quality}"
    if state.is_cautious and not covers:
        yield f"{CAUTIOUS} (cautious)"
    if state.is_cowering and covers:
        yield f"cowering (+{max(2 * one.cover.quality for one in covers)})"
    if state.is_reoriented:
        yield "turned around"


def cover_notes(stage: Stage) -> Iterator[str]:
    """The cover on the battlefield, in a line. [RPJ-FIRE-12]"""
    if plays_fire(stage.battle) and (known := stage.fight.known_covers):
        field = stage.fight.field
        covers = (f"{one.cover.name} in {field.name(one.region)}, {one.cover.words}" for one in known)
        yield f"Cover: {' · '.join(covers)}"


# --- what can be done --------------------------------------------------------------------------


def fire_choices(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """The fire actions of whoever's turn it is, with cost and chance.

    [RPJ-FIRE-03, RPJ-FIRE-17, RPJ-FIRE-19 to RPJ-FIRE-23, RPJ-FIRE-33]
    """
    if not plays_fire(stage.battle) or not fighter.turn.actions:
        return
    yield from _reloads(stage, fighter)
    if is_allowed(lambda: turning_about(stage, fighter.id)):
        yield Choice("reorient", "Turn around in cover (1 action)")
    yield from _shots(stage, fighter)
    yield from _razings(stage, fighter)


def watch_choices(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """The regions that whoever's turn it is can watch. [RPJ-FIRE-26]"""
    if not plays_fire(stage.battle) or not fighter.turn.actions or stage.fight.is_cinematic:
        return
    for region in stage.fight.field.numbers:
        if is_allowed(lambda region=region: watching(stage, fighter.id, region)):  # type: ignore[misc]
            yield Choice(str(region), stage.fight.field.name(region)[:100])


def _reloads(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    for weapon in fighter.wielded:
        try:
            _stage, words = reloading(stage, fighter.id, weapon)
        except UserError:
            continue
        yield Choice(f"reload|{weapon}", f"Reload {words}"[:100])


def _shots(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    """Aimed Fire at each target and Suppressive Fire at each group, with each ranged weapon in hand."""
    battle = stage.battle
    arms = [arm for arm in arms_of(battle.of(fighter)) if arm.is_ranged]
    for foe in stage.fight.opponents(fighter):
        for arm in arms:
            aimed = AimOptions(target=foe.id, weapon=arm.id)
            if is_allowed(lambda aimed=aimed: aiming(stage, fighter.id, aimed)):  # type: ignore[misc]
                odds = attack_chance(
                    battle, RpjAim(attacker=fighter.id, target=foe.id, arm=arm, shot=Shooting.AIMED)
                )
                words = f" · {arm.name} · {odds} (2 actions)"
                label = label_with(foe.name, words, before="Aim at ", longest=MOST_CHOICE_LABEL)
                yield Choice(f"aim|{foe.id}|{arm.id}", label)
    foes = [one for one in stage.fight.present if one.side is not fighter.side]
    for group in dict.fromkeys(foe.group for foe in foes):
        there = [foe for foe in foes if foe.group == group]
        for arm in arms:
            given = SuppressOptions(target=there[0].id, weapon=arm.id)
            if not is_allowed(lambda given=given: suppressing(stage, fighter.id, given)):  # type: ignore[misc]
                continue
            step = Suppressing(attacker=fighter.id, group=group, weapon=arm.id)
            checks = [suppressing_check(battle, step, foe.id) for foe in there]
            odds = chance_words(min(checks, key=lambda check: check.target))
            names, words = ", ".join(counted(there)), f" · {arm.name} · {odds} (2 actions)"
            label = label_with(names, words, before="Suppress ", longest=MOST_CHOICE_LABEL)
            yield Choice(f"suppress|{there[0].id}|{arm.id}", label)


def _razings(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    for placed in stage.fight.known_covers:
        for arm in arms_of(stage.battle.of(fighter)):
            named = f"cover {placed.id}"
            if not is_allowed(lambda named=named, arm=arm: razing(stage, fighter.id, named, arm.id)):  # type: ignore[misc]
                continue
            step = Razing(attacker=fighter.id, cover=placed.id, weapon=arm.id)
            odds = chance_words(razing_check(stage, step, placed))
            words = f" · {arm.name} · {odds} (1 action)"
            label = label_with(placed.cover.name, words, before="Shoot at ", longest=MOST_CHOICE_LABEL)
            yield Choice(f"raze|{named}|{arm.id}", label)


def target_lines(stage: Stage, fighter: RpjCombatant) -> Iterator[str]:
    """What the character needs to hit each foe, and what each foe needs in return, part by part.

    [RPJ-FIRE-16, RPJ-FIRE-34, RPJ-INV-04 (INV-04b)]
    """
    for foe in stage.fight.opponents(fighter):
        try:
            distance = shown_distance(stage.fight.distance(fighter, foe))
        except UserError:
            continue
        there, back = (_needed(stage, a, b) for a, b in ((fighter, foe), (foe, fighter)))
        yield f"{foe.name} at {distance}: you need {there}; against you {back}"


def _needed(stage: Stage, attacker: RpjCombatant, target: RpjCombatant) -> str:
    if is_open(stage.battle.of(target)):
        return "no roll: overloaded, so every attack hits"
    parts = against_shot(stage.battle, attacker.id, target.id)
    terms = ", ".join(f"{part.label} {signed(part.value)}" for part in parts)
    return f"{BASE_TARGET + sum(part.value for part in parts)}+" + (f" ({terms})" if terms else "")
