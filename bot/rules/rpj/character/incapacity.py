"""What stops a character: being out of action and conditions, and when something happens to them next."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, NamedTerm, Roll, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name
from bot.rules.rpj.character.casters import broken
from bot.rules.rpj.character.damage_saves import base_layer, treated
from bot.rules.rpj.character.sheet import Character, Scene, Stats, figure_in
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.condition_kinds import (
    Condition,
    Need,
    Suffered,
    assert_allowed,
    is_unconscious,
    next_tick,
)
from bot.rules.rpj.module.defense_layers import Bleeding, CombatRules, Out, RpjHealth
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET, CheckKind, RpjCheckInputs

MINUTE = 60
HOUR = 3600


def bleeding_check(module: Module) -> RpjCheckInputs:
    """The roll against bleeding out: two dice and nothing else. [RPJ-GCS-33 (R-089)]"""
    return RpjCheckInputs(
        kind=CheckKind.BLEEDING,
        difficulty=module.combat.bleeding_target - BASE_TARGET,
        criticals=module.criticals,
    )


def after_bleeding(health: RpjHealth, roll: Roll, rules: CombatRules) -> RpjHealth:
    """Health after a roll against bleeding out: stabilized, worse, or dead. [RPJ-GCS-33, RPJ-GCS-34]"""
    if reading_of(roll).result.is_success:
        return stabilized(health)
    failures = health.bleeding + 1
    out = Out.DEAD if failures >= rules.bleeding_failures else health.out
    return evolve(health, bleeding=failures, out=out, due=None)


def stabilized(health: RpjHealth) -> RpjHealth:
    """Health once stabilized: out of danger, and still out of action. [RPJ-GCS-34]"""
    return evolve(health, bleeding=0, is_stable=True, due=None)


def as_npcs_go(health: RpjHealth, rules: CombatRules) -> RpjHealth:
    """Health of an NPC just put out of action, by the module's rule for NPCs. [RPJ-GCS-33 (R-090)]"""
    if not health.is_bleeding or rules.npcs is Bleeding.ROLL:
        return health
    if rules.npcs is Bleeding.STABLE:
        return stabilized(health)
    return evolve(health, out=Out.DEAD)


def waking_check(figure: Stats) -> RpjCheckInputs:
    """The roll to wake up after being knocked out, easier after every failure. [RPJ-GCS-35]"""
    constitution = figure.level(RpjAttribute.CON)
    terms = (NamedTerm(label=RpjAttribute.CON.word, value=constitution),)
    target = figure.module.combat.waking_target - figure.sheet.health.wakings
    return RpjCheckInputs(
        kind=CheckKind.WAKING,
        terms=tuple(term for term in terms if term.value),
        difficulty=target - BASE_TARGET,
        criticals=figure.module.criticals,
    )


def after_waking(figure: Stats, roll: Roll) -> RpjHealth:
    """Health after an attempt to wake up. [RPJ-GCS-35 (R-092)]"""
    health = figure.sheet.health
    if reading_of(roll).result.is_success:
        return awake(figure)
    return evolve(health, wakings=health.wakings + 1, due=None)


def awake(figure: Stats) -> RpjHealth:
    """Health after waking up without help: weakened without a base save, as before with any.

    [RPJ-GCS-35 (R-092, R-133)]
    """
    health = figure.sheet.health
    return RpjHealth(layers=health.layers, lost_base=health.lost_base, is_weak=base_layer(figure).is_broken)


def helped(health: RpjHealth) -> RpjHealth:
    """Health after a helping hand: back in action with incapacitation penalties; bleeding ends.

    [RPJ-GCS-37 (R-098), RPJ-GCS-38 (R-133)]
    """
    return RpjHealth(layers=health.layers, lost_base=health.lost_base, is_weak=True)


def recovered(figure: Stats) -> RpjHealth:
    """Health at the end of untreated penalties or a long sleep: the base saves that were left, or one.

    [RPJ-GCS-34 (R-091), RPJ-GCS-40 (R-104, R-133)]
    """
    plain = evolve(figure.sheet.health, is_weak=False)
    sheet = evolve(figure.sheet, health=plain)
    if base_layer(Stats(sheet, figure.module)).is_broken:
        return treated(plain)
    return RpjHealth(layers=plain.layers, lost_base=plain.lost_base)


class Wait(StrEnum):
    """What happens next to characters out of action or weakened; the keys of their timers.

    [RPJ-GCS-33 to RPJ-GCS-35, RPJ-GCS-40]
    """

    BLEEDING = "bleeding"
    WAKING = "waking"
    SLEEPING = "sleeping"
    WEAK = "weak"


class RpjDue(Struct, frozen=True):
    """What happens next to a character by itself, and in how many seconds."""

    wait: Wait
    seconds: int


def next_due(health: RpjHealth, rules: CombatRules, *, in_combat: bool) -> RpjDue | None:
    """What happens next to a character by itself, or None.

    Args:
        in_combat: Whether a fight is going on; characters then roll against bleeding in their turns.

    [RPJ-GCS-33 to RPJ-GCS-35 (R-088, R-091), RPJ-GCS-40, RPJ-GCS-66]
    """
    if health.is_weak:
        return RpjDue(Wait.WEAK, rules.weak_hours * HOUR)
    if health.due is not None:
        return None
    if health.out is Out.KNOCKED_OUT:
        return RpjDue(Wait.WAKING, rules.waking_minutes * MINUTE)
    if health.out is Out.INCAPACITATED and health.is_stable:
        return RpjDue(Wait.SLEEPING, rules.weak_hours * HOUR)
    if health.is_bleeding and not in_combat:
        return RpjDue(Wait.BLEEDING, MINUTE)
    return None


def assert_in_action(name: str, health: RpjHealth, act: str, allowed: str = "") -> None:
    """Refuse what somebody out of action can't do. [RPJ-GCS-32, RPJ-GCS-34]

    Args:
        act: What it is, after "can't": "cast spells".
        allowed: What they still can, as a sentence, or nothing.
    """
    if health.out is Out.NO:
        return
    helped_by = "" if health.out is Out.DEAD else "Someone else can help them up from their own sheet."
    raise UserError(f"{name} is {health.out} and can't {act}.", allowed, helped_by)


CONDITION = "condition"
_NEEDS = {need.value: need for need in Need}


def suffered_by(character: Character) -> tuple[Suffered, ...]:
    """A character's conditions."""
    return character.sheet.conditions


def with_suffered(scene: Scene, who: CharacterId, suffered: tuple[Suffered, ...]) -> Scene:
    """The scene with a character's conditions changed, and the timer of what they do next.

    [RPJ-COND-01, RPJ-COND-03, RPJ-GM-07]
    """
    character = scene.character(who)
    sheet = evolve(character.sheet, conditions=suffered)
    due = min((moment for one in suffered if (moment := next_tick(one)) is not None), default=None)
    return scene.with_character(replace(character, sheet=sheet).with_timer(CONDITION, due))


def own_condition(character: Character, name: str) -> Suffered:
    """A character's condition, by its name.

    Raises:
        UserError: If they have none of that name.
    """
    found = next((one for one in suffered_by(character) if same_name(one.condition.name, name)), None)
    if found is None:
        names = ", ".join(one.condition.name for one in suffered_by(character))
        raise UserError(
            f"{character.name} doesn't have “{name}”.",
            f"Their conditions: {names}." if names else "They have no conditions.",
        )
    return found


def without(suffered: Iterable[Suffered], gone: Condition) -> tuple[Suffered, ...]:
    """The conditions left once one is over."""
    return tuple(one for one in suffered if one.condition.name.casefold() != gone.name.casefold())


def assert_can(figure: Stats, *needs: Need) -> None:
    """Refuse what conditions prevent; any action needs to be awake. [RPJ-COND-02, RPJ-COND-04]"""
    if figure.plays(Pack.CONDITIONS):
        assert_allowed(figure.sheet.conditions, *(needs or (Need.EVERYTHING,)))


def is_kept_from(figure: Stats, *needs: Need) -> bool:
    """Whether a condition prevents something with these needs."""
    try:
        assert_can(figure, *needs)
    except UserError:
        return True
    return False


def needs_of(tags: Iterable[str]) -> tuple[Need, ...]:
    """What a skill needs, by its tags ("sight", "hands"). [RPJ-COND-02, RPJ-COND-07 (COND-07b)]"""
    return tuple(_NEEDS[tag] for tag in tags if tag in _NEEDS)


def is_asleep(figure: Stats) -> bool:
    """Whether a condition prevents everything, so that the character's turns are skipped. [RPJ-COND-04]"""
    return figure.plays(Pack.CONDITIONS) and is_unconscious(figure.sheet.conditions)


WAITS = frozenset(wait.value for wait in Wait)


def with_health(scene: Scene, character: Character, health: RpjHealth, *, in_combat: bool = False) -> Scene:
    """The scene with a character's health changed, and the timer of what happens to it next.

    Args:
        in_combat: Whether a fight is going on; characters then roll against bleeding in their turns.

    [RPJ-HEALTH-16, RPJ-GM-07, RPJ-GCS-33 to RPJ-GCS-35 (R-088, R-090, R-091), RPJ-GCS-40, RPJ-SMAG-16]
    """
    before, rules = character.sheet.health, figure_in(scene, character).module.combat
    if character.owner is None and before.out is Out.NO:
        health = as_npcs_go(health, rules)
    sheet = evolve(character.sheet, health=health)
    timers = {key: due for key, due in character.timers.items() if key not in WAITS}
    due = next_due(health, rules, in_combat=in_combat)
    if due is not None:
        timers[due.wait.value] = character.timers.get(due.wait.value, scene.clock + due.seconds)
    scene = scene.with_character(replace(character, sheet=sheet, timers=timers))
    return scene if health.out is Out.NO else broken(scene, character.id)
