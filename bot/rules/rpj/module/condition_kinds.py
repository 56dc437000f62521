"""What a condition is: a named, lasting, bad thing, and the ways out of it."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field, model_validator

from bot.rules.kernel import Document
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
    """What sort of bad thing it is; says how it is listed, not what it may do.

    Source: RPJ-COND-01 (COND-01b).
    """

    HINDRANCE = "hindrance"
    HARM = "harm"
    IMMOBILIZATION = "immobilization"


class Nature(StrEnum):
    """What it is made of.

    Source: RPJ-COND-08.
    """

    PHYSICAL = "physical"
    TECHNOLOGICAL = "technological"
    BIOLOGICAL = "biological"
    MAGICAL = "magical"
    MENTAL = "mental"


class Need(StrEnum):
    """What an action takes, and what a condition may forbid.

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
    """Something that a harm does when its time has come.

    Attributes:
        minutes: Minutes after onset; for what comes again and again, the time between.
        repeats: Whether it comes again and again.
        damage: Added to the target number of a damage save; None where there is no save.
        outcome: What becomes of whoever suffers it; no save is crossed off by that.
        scale: How great the damage is, where damage scales are played.
        bypasses: The layers it passes by; the base is struck where nothing else is said.

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
            raise ValueError("A tick does damage or has an outcome, one of the two.")
        return self


class Resistance(Document):
    """The one saving throw that keeps a condition away.

    Source: RPJ-COND-05.
    """

    attribute: RpjAttribute
    difficulty: int = Field(ge=1, le=6)


class Recovery(Document):
    """The checks that wear a condition down.

    Attributes:
        countdown: How many successes it takes: 2 easy, 4 moderate, 6 hard.
        attribute: What is rolled.
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
        skills: The skills that do it.
        difficulty: Added to 7.
        actions: What an attempt costs in a fight.

    Source: RPJ-COND-07 (COND-07a).
    """

    skills: tuple[Id, ...] = Field(min_length=1, max_length=20)
    difficulty: int = Field(ge=-1, le=20)
    actions: int = Field(default=1, ge=1, le=6)


class Condition(ModuleEntry):
    """A condition as a module states it, or as the GM makes it up.

    Attributes:
        kind: What sort of bad thing it is.
        natures: What it is made of.
        checks: Added to every check, saving throws and initiative among them.
        effects: Added to other rolls and to defence values.
        forbids: What it keeps one from.
        ticks: What it does as time goes by.
        resistance: The saving throw at onset, or None.
        recovery: How one recovers, or None.
        escape: How one escapes, or None.

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
        """What it adds to rolls and defence values, each under its own name.

        Args:
            has_initiative_skill: Whether initiative is rolled with a skill here, so that a penalty to
                skills reaches it.

        Source: RPJ-COND-02 (COND-02a).
        """
        general = [
            RollBonus(type="roll_bonus", on=target, value=self.checks) for target in ALL_CHECKS if self.checks
        ]
        reached = [
            effect.model_copy(update={"on": RollTarget.INITIATIVE})
            for effect in self.effects
            if has_initiative_skill and effect.on is RollTarget.SKILL and not effect.of
        ]
        return (*general, *self.effects, *reached)

    @property
    def bans(self) -> frozenset[Need]:
        """Everything that it keeps one from: without senses nothing is seen, without hands nobody fights.

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
        """The ways out of it, in words; "GM only" where there is none.

        Source: RPJ-COND-08.
        """
        told = []
        if self.resistance:
            told.append(f"resist {self.resistance.attribute} {7 + self.resistance.difficulty}+")
        if self.recovery:
            every = span(self.recovery.minutes)
            told.append(
                f"recover {self.recovery.attribute} {7 + self.recovery.difficulty}+, "
                f"{self.recovery.countdown} times, once every {every}"
            )
        if self.escape:
            told.append(f"escape {skill_words(self.escape.skills)} {7 + self.escape.difficulty}+")
        return tuple(told) or ("GM only",)


def skill_words(ids: Iterable[str]) -> str:
    """Skills by their ids, as they are read where the module is not at hand: "open lock"."""
    return ", ".join(id_.replace("_", " ") for id_ in ids)


def span(minutes: int) -> str:
    """Minutes in words: "2 h 5 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join(part for part in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if part)
