"""Conditions: the kinds a module defines, and one in effect with what it does and how it ends."""

from collections.abc import Iterable
from enum import StrEnum
from operator import attrgetter

from pydantic import Field, model_validator

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.module.basics import Id, ModuleEntry, RpjAttribute, Scale
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import LayerKind, RollBonus, RollTarget

ALL_CHECKS = (
    RollTarget.SKILL,
    RollTarget.ATTRIBUTE,
    RollTarget.ATTRIBUTE_BONUS,
    RollTarget.SAVING_THROW,
    RollTarget.INITIATIVE,
)


class ConditionKind(StrEnum):
    """The kind of condition; it decides how it is listed, not what it can do. [RPJ-COND-01 (COND-01b)]"""

    HINDRANCE = "hindrance"
    HARM = "harm"
    IMMOBILIZATION = "immobilization"


class Nature(StrEnum):
    """The nature of a condition. [RPJ-COND-08]"""

    PHYSICAL = "physical"
    TECHNOLOGICAL = "technological"
    BIOLOGICAL = "biological"
    MAGICAL = "magical"
    MENTAL = "mental"


class Need(StrEnum):
    """What an action needs, and what a condition can prevent. [RPJ-COND-02, RPJ-COND-04]"""

    SIGHT = "sight"
    SENSES = "senses"
    SPEECH = "speech"
    HANDS = "hands"
    MOVE = "movement"
    ATTACK = "attacks"
    CAST = "magic"
    EVERYTHING = "everything"


class RpjTick(Document):
    """Something a condition does after some time. [RPJ-COND-03 (COND-03a)]"""

    minutes: int = Field(ge=1, le=1_000_000)  # minutes after onset; for repeated ticks, the time between
    repeats: bool = False
    # Added to the target number of a damage save; None where there is no save.
    damage: int | None = Field(default=None, ge=-5, le=40)
    outcome: Out | None = None  # what happens to the character; no save is crossed off by that
    scale: Scale = Scale.NORMAL  # the damage scale, where these are played
    # The layers it bypasses; by default it strikes the base.
    bypasses: tuple[LayerKind, ...] = (LayerKind.ABILITY, LayerKind.SHIELD, LayerKind.ARMOR)

    @model_validator(mode="after")
    def _does_one_thing(self) -> "RpjTick":
        if (self.damage is None) == (self.outcome is None):
            raise ValueError("A tick needs either damage or an outcome, not both.")
        return self

    @property
    def added(self) -> int:
        """What it adds to the target number of a damage save."""
        return self.damage or 0


class Resistance(Document):
    """The saving throw to resist a condition. [RPJ-COND-05]"""

    attribute: RpjAttribute
    difficulty: int = Field(ge=1, le=6)


class Recovery(Document):
    """The checks to recover from a condition. [RPJ-COND-06]"""

    countdown: int = Field(ge=1, le=20)  # successes needed: 2 easy, 4 moderate, 6 hard
    attribute: RpjAttribute  # the attribute rolled
    difficulty: int = Field(default=0, ge=-5, le=20)  # added to 7
    minutes: int = Field(default=60, ge=1, le=1_000_000)  # minutes between two rolls


class Escape(Document):
    """The skill check that ends a condition at once. [RPJ-COND-07 (COND-07a)]"""

    skills: tuple[Id, ...] = Field(min_length=1, max_length=20)  # the skills that can end it
    difficulty: int = Field(ge=-1, le=20)  # added to 7
    actions: int = Field(default=1, ge=1, le=6)  # actions an attempt takes in a fight


class Condition(ModuleEntry):
    """A condition, defined by a module or made up by the GM. [RPJ-COND-01 to RPJ-COND-08]"""

    kind: ConditionKind = ConditionKind.HINDRANCE
    natures: tuple[Nature, ...] = ()
    # Added to every check, including saving throws and initiative.
    checks: int = Field(default=0, ge=-10, le=0)
    effects: tuple[RollBonus, ...] = ()  # added to other rolls and to defense values
    forbids: tuple[Need, ...] = ()  # what it prevents
    ticks: tuple[RpjTick, ...] = Field(default=(), max_length=10)  # what it does over time
    resistance: Resistance | None = None  # the saving throw at onset, or None
    recovery: Recovery | None = None
    escape: Escape | None = None

    def bonuses(self, *, has_initiative_skill: bool = False) -> tuple[RollBonus, ...]:
        """What it adds to rolls and defense values, each under its own name. [RPJ-COND-02 (COND-02a)]

        Args:
            has_initiative_skill: Whether initiative is rolled with a skill here, so that a penalty to
                skills reaches it.
        """
        general = [
            RollBonus(type="roll_bonus", on=target, value=self.checks) for target in ALL_CHECKS if self.checks
        ]
        reached = [
            evolve(effect, on=RollTarget.INITIATIVE)
            for effect in self.effects
            if has_initiative_skill and effect.on is RollTarget.SKILL and not effect.of
        ]
        return (*general, *self.effects, *reached)

    @property
    def bans(self) -> frozenset[Need]:
        """Everything it prevents: without senses no sight, without hands no attacks.

        [RPJ-COND-02, RPJ-COND-04]
        """
        found = set(self.forbids)
        if self.kind is ConditionKind.IMMOBILIZATION:
            found.add(Need.MOVE)
        if Need.SENSES in found:
            found.add(Need.SIGHT)
        if Need.HANDS in found:
            found.add(Need.ATTACK)
        return frozenset(found)

    @property
    def exits(self) -> tuple[str, ...]:
        """The ways to end it, in words; "GM only" where there is none. [RPJ-COND-08]"""
        ways = []
        if self.resistance:
            ways.append(f"resist {self.resistance.attribute} {7 + self.resistance.difficulty}+")
        if self.recovery:
            every = span(self.recovery.minutes)
            ways.append(
                f"recover {self.recovery.attribute} {7 + self.recovery.difficulty}+, "
                f"{counted(self.recovery.countdown, 'success', 'successes')}, one roll every {every}"
            )
        if self.escape:
            ways.append(f"escape {skill_words(self.escape.skills)} {7 + self.escape.difficulty}+")
        return tuple(ways) or ("GM only",)


def skill_words(ids: Iterable[str]) -> str:
    """Skill ids as words: "open lock"."""
    return ", ".join(id_.replace("_", " ") for id_ in ids)


def span(minutes: int) -> str:
    """Minutes in words: "2 h 5 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join(part for part in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if part)


MINUTE_SECONDS = 60


class Suffered(Document):
    """A condition a character has. [RPJ-COND-01, RPJ-COND-03, RPJ-COND-06]"""

    condition: Condition
    since: int  # the moment on the game clock (seconds) when it started
    told_until: int  # the moment up to which its ticks have been applied
    recovered: int = Field(default=0, ge=0)  # successes towards recovery
    next_roll: int = 0  # the moment from which the next recovery roll is allowed
    is_fresh: bool = False  # whether it started in its owner's own turn, which therefore does not count


def begun(condition: Condition, clock: int) -> Suffered:
    """A condition that starts now; the first recovery roll comes after one interval."""
    wait = condition.recovery.minutes * MINUTE_SECONDS if condition.recovery else 0
    return Suffered(condition=condition, since=clock, told_until=clock, next_roll=clock + wait)


def with_condition(suffered: tuple[Suffered, ...], new: Condition, clock: int) -> tuple[Suffered, ...]:
    """The conditions with one added; one of the same name restarts with the worse numbers.

    [RPJ-COND-01 (COND-01a)]
    """
    name = new.name.casefold()
    old = next((one for one in suffered if one.condition.name.casefold() == name), None)
    rest = tuple(one for one in suffered if one is not old)
    return (*rest, begun(new if old is None else _worse(old.condition, new), clock))


def _worse(old: Condition, new: Condition) -> Condition:
    """The new condition with the lower of both values everywhere."""
    found = {(effect.on, effect.of, effect.when): effect for effect in old.effects}
    for effect in new.effects:
        key = (effect.on, effect.of, effect.when)
        found[key] = min(effect, found.get(key, effect), key=attrgetter("value"))
    changes = {"checks": min(old.checks, new.checks), "effects": tuple(found.values())}
    return evolve(new, **changes)


def assert_allowed(suffered: Iterable[Suffered], *needs: Need) -> None:
    """Refuse an action that a condition prevents. [RPJ-COND-02, RPJ-COND-04 (COND-04a)]

    Args:
        suffered: A character's conditions.
        *needs: What the action needs.
    """
    for one in suffered:
        for need in needs:
            forbidden = one.condition.bans
            if Need.EVERYTHING in forbidden or need in forbidden:
                if Need.EVERYTHING in forbidden:
                    raise UserError(f"{one.condition.name}: you can't do anything.")
                raise UserError(f"{one.condition.name} prevents {need}.")


def is_unconscious(suffered: Iterable[Suffered]) -> bool:
    """Whether a condition prevents everything, so that the character's turns are skipped. [RPJ-COND-04]"""
    return any(Need.EVERYTHING in one.condition.forbids for one in suffered)


# --- time ------------------------------------------------------------------------------------------


def ticks_due(one: Suffered, until: int) -> tuple[tuple[int, RpjTick], ...]:
    """The ticks of a condition due up to a moment, in order. [RPJ-COND-03 (COND-03b)]

    Args:
        one: The condition.
        until: Seconds of game time, inclusive.

    Returns:
        Each with its moment.
    """
    found: list[tuple[int, RpjTick]] = []
    for tick in one.condition.ticks:
        step = tick.minutes * MINUTE_SECONDS
        first = (max(one.told_until - one.since, 0) // step + 1) * step + one.since
        if not tick.repeats:
            moment = one.since + step
            found += [(moment, tick)] if one.told_until < moment <= until else []
        else:
            found += [(moment, tick) for moment in range(first, until + 1, step)]
    return tuple(sorted(found, key=lambda due: due[0]))


def next_tick(one: Suffered) -> int | None:
    """The moment when a condition next does something; None where it does nothing more. [RPJ-COND-03]"""
    moments = []
    for tick in one.condition.ticks:
        step = tick.minutes * MINUTE_SECONDS
        passed = max(one.told_until - one.since, 0) // step
        if tick.repeats or not passed:
            moments.append(one.since + (passed + 1) * step)
    return min(moments, default=None)


# --- the ways out ----------------------------------------------------------------------------------


def recovery_of(one: Suffered, clock: int) -> Recovery:
    """The recovery from a condition, if a roll is allowed now. [RPJ-COND-06]

    Raises:
        UserError: If recovery is impossible, or it is too early.
    """
    recovery = one.condition.recovery
    if recovery is None:
        raise UserError(f"You can't recover from {one.condition.name}.", _ways(one.condition))
    if clock < one.next_roll:
        wait = span(-(-(one.next_roll - clock) // MINUTE_SECONDS))
        raise UserError(f"Your next roll against {one.condition.name} is due in {wait}.")
    return recovery


def after_recovery(one: Suffered, clock: int, *, succeeded: bool) -> Suffered | None:
    """A condition after a recovery roll; None where it has ended. [RPJ-COND-06 (COND-06a)]"""
    recovery = one.condition.recovery
    if recovery is None:
        return one
    recovered = one.recovered + succeeded
    if recovered >= recovery.countdown:
        return None
    next_roll = clock + recovery.minutes * MINUTE_SECONDS
    return evolve(one, recovered=recovered, next_roll=next_roll)


def escape_of(one: Suffered, skill: str) -> Escape:
    """The escape from a condition with a skill. [RPJ-COND-07]

    Args:
        one: The condition.
        skill: The id of the skill.

    Raises:
        UserError: If it cannot be escaped, or not with that skill.
    """
    escape = one.condition.escape
    if escape is None:
        raise UserError(f"You can't escape {one.condition.name}.", _ways(one.condition))
    if skill not in escape.skills:
        raise UserError(f"That skill doesn't end {one.condition.name}.", f"Try {skill_words(escape.skills)}.")
    return escape


def _ways(condition: Condition) -> str:
    return f"How to end it: {'; '.join(condition.exits)}."
