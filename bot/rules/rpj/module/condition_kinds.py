"""Conditions: named, lasting harm or hindrance, and the ways to end it."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field, model_validator

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.wording import counted
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import LayerKind, RollBonus, RollTarget
from bot.rules.rpj.module.entry import Id, ModuleEntry
from bot.rules.rpj.module.scales import Scale

ALL_CHECKS = (
    RollTarget.SKILL,
    RollTarget.ATTRIBUTE,
    RollTarget.ATTRIBUTE_BONUS,
    RollTarget.SAVING_THROW,
    RollTarget.INITIATIVE,
)


class ConditionKind(StrEnum):
    """The kind of condition; it decides how it is listed, not what it can do.

    Source: RPJ-COND-01 (COND-01b).
    """

    HINDRANCE = "hindrance"
    HARM = "harm"
    IMMOBILIZATION = "immobilization"


class Nature(StrEnum):
    """The nature of a condition.

    Source: RPJ-COND-08.
    """

    PHYSICAL = "physical"
    TECHNOLOGICAL = "technological"
    BIOLOGICAL = "biological"
    MAGICAL = "magical"
    MENTAL = "mental"


class Need(StrEnum):
    """What an action needs, and what a condition can prevent.

    Source: RPJ-COND-02, RPJ-COND-04.
    """

    SIGHT = "sight"
    SENSES = "senses"
    SPEECH = "speech"
    HANDS = "hands"
    MOVE = "movement"
    ATTACK = "attacks"
    CAST = "magic"
    EVERYTHING = "everything"


class RpjTick(Document):
    """Something a condition does after some time.

    Attributes:
        minutes: Minutes after onset; for repeated ticks, the time between.
        repeats: Whether it repeats.
        damage: Added to the target number of a damage save; None where there is no save.
        outcome: What happens to the character; no save is crossed off by that.
        scale: The damage scale, where these are played.
        bypasses: The layers it bypasses; by default it strikes the base.

    Source: RPJ-COND-03 (COND-03a).
    """

    minutes: int = Field(ge=1, le=1_000_000)
    repeats: bool = False
    damage: int | None = Field(default=None, ge=-5, le=40)
    outcome: Out | None = None
    scale: Scale = Scale.NORMAL
    bypasses: tuple[LayerKind, ...] = (LayerKind.ABILITY, LayerKind.SHIELD, LayerKind.ARMOR)

    @model_validator(mode="after")
    def _does_one_thing(self) -> "RpjTick":
        if (self.damage is None) == (self.outcome is None):
            raise ValueError("A tick needs either damage or an outcome, not both.")
        return self


class Resistance(Document):
    """The saving throw to resist a condition.

    Source: RPJ-COND-05.
    """

    attribute: RpjAttribute
    difficulty: int = Field(ge=1, le=6)


class Recovery(Document):
    """The checks to recover from a condition.

    Attributes:
        countdown: Successes needed: 2 easy, 4 moderate, 6 hard.
        attribute: The attribute rolled.
        difficulty: Added to 7.
        minutes: Minutes between two rolls.

    Source: RPJ-COND-06.
    """

    countdown: int = Field(ge=1, le=20)
    attribute: RpjAttribute
    difficulty: int = Field(default=0, ge=-5, le=20)
    minutes: int = Field(default=60, ge=1, le=1_000_000)


class Escape(Document):
    """The skill check that ends a condition at once.

    Attributes:
        skills: The skills that can end it.
        difficulty: Added to 7.
        actions: Actions an attempt takes in a fight.

    Source: RPJ-COND-07 (COND-07a).
    """

    skills: tuple[Id, ...] = Field(min_length=1, max_length=20)
    difficulty: int = Field(ge=-1, le=20)
    actions: int = Field(default=1, ge=1, le=6)


class Condition(ModuleEntry):
    """A condition, defined by a module or made up by the GM.

    Attributes:
        kind: Its kind.
        natures: Its natures.
        checks: Added to every check, including saving throws and initiative.
        effects: Added to other rolls and to defense values.
        forbids: What it prevents.
        ticks: What it does over time.
        resistance: The saving throw at onset, or None.
        recovery: The recovery, or None.
        escape: The escape, or None.

    Source: RPJ-COND-01 to RPJ-COND-08.
    """

    kind: ConditionKind = ConditionKind.HINDRANCE
    natures: tuple[Nature, ...] = ()
    checks: int = Field(default=0, ge=-10, le=0)
    effects: tuple[RollBonus, ...] = ()
    forbids: tuple[Need, ...] = ()
    ticks: tuple[RpjTick, ...] = Field(default=(), max_length=10)
    resistance: Resistance | None = None
    recovery: Recovery | None = None
    escape: Escape | None = None

    def bonuses(self, *, has_initiative_skill: bool = False) -> tuple[RollBonus, ...]:
        """What it adds to rolls and defense values, each under its own name.

        Args:
            has_initiative_skill: Whether initiative is rolled with a skill here, so that a penalty to
                skills reaches it.

        Source: RPJ-COND-02 (COND-02a).
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

        Source: RPJ-COND-02, RPJ-COND-04.
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
        """The ways to end it, in words; "GM only" where there is none.

        Source: RPJ-COND-08.
        """
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
