"""Conditions from options: one of the module's by name, or a custom one."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.condition_kinds import (
    Condition,
    ConditionKind,
    Escape,
    Need,
    Recovery,
    Resistance,
    RpjTick,
)
from bot.rules.rpj.module.effects import RollBonus, RollTarget
from bot.rules.rpj.module.entry import id_of
from bot.rules.rpj.module.module import Module


class RpjMakeOptions(Document):
    """The options of a custom condition.

    Attributes:
        target: Who gets it.
        name: Its name.
        kind: Its kind.
        checks: Added to every check.
        attacks: Added to attacks.
        defense: Added to the defense.
        forbids: What it prevents, separated by commas.
        damage: Damage it deals repeatedly, or None.
        minutes: Minutes between damage.
        resist: The attribute of the saving throw to resist, or None.
        resist_difficulty: Added to 7 for that.
        recover: The attribute of the checks to recover, or None.
        recover_difficulty: Added to 7 for these.
        countdown: Successes needed to recover.
        hours: Hours between recovery checks.
        escape: The skill that ends it, or empty.
        escape_difficulty: Added to 7 for that.
    """

    target: CharacterId
    name: str = Field(min_length=1, max_length=60)
    kind: ConditionKind = ConditionKind.HINDRANCE
    checks: int = Field(default=0, ge=-10, le=0)
    attacks: int = Field(default=0, ge=-10, le=0)
    defense: int = Field(default=0, ge=-10, le=0)
    forbids: str = Field(default="", max_length=100)
    damage: int | None = Field(default=None, ge=-5, le=40)
    minutes: int = Field(default=1, ge=1, le=100_000)
    resist: RpjAttribute | None = None
    resist_difficulty: int = Field(default=3, ge=1, le=6)
    recover: RpjAttribute | None = None
    recover_difficulty: int = Field(default=0, ge=-5, le=20)
    countdown: int = Field(default=2, ge=1, le=20)
    hours: int = Field(default=1, ge=1, le=1000)
    escape: str = Field(default="", max_length=100)
    escape_difficulty: int = Field(default=2, ge=-1, le=20)


def read_needs(typed: str) -> tuple[Need, ...]:
    """Read typed things a condition prevents: "sight, speech".

    Raises:
        UserError: If one is unknown.
    """
    words = [word.strip().casefold() for word in typed.split(",") if word.strip()]
    known = {need.value: need for need in Need}
    unknown = [word for word in words if word not in known]
    if unknown:
        raise UserError(f"A condition can't prevent “{unknown[0]}”.", f"Use any of: {', '.join(known)}.")
    return tuple(known[word] for word in words)


def made_up(options: RpjMakeOptions, module: Module) -> Condition:
    """The custom condition of these options.

    Raises:
        UserError: If it refers to something unknown.

    Source: RPJ-COND-01 to RPJ-COND-08.
    """
    name = " ".join(options.name.split())
    on_attacks = (RollTarget.MELEE_ATTACK, RollTarget.RANGED_ATTACK)
    parts = [(target, options.attacks) for target in on_attacks]
    parts.append((RollTarget.DEFENSE, options.defense))
    skill = skill_named(module, options.escape).id if options.escape else ""
    return Condition(
        id=id_of(name) or "made_up",
        name=name,
        kind=options.kind,
        checks=options.checks,
        effects=tuple(
            RollBonus(type="roll_bonus", on=target, value=value) for target, value in parts if value
        ),
        forbids=read_needs(options.forbids),
        ticks=_ticks(options),
        resistance=options.resist
        and Resistance(attribute=options.resist, difficulty=options.resist_difficulty),
        recovery=options.recover
        and Recovery(
            countdown=options.countdown,
            attribute=options.recover,
            difficulty=options.recover_difficulty,
            minutes=60 * options.hours,
        ),
        escape=Escape(skills=(skill,), difficulty=options.escape_difficulty) if skill else None,
    )


def _ticks(options: RpjMakeOptions) -> tuple[RpjTick, ...]:
    if options.damage is None:
        return ()
    return (RpjTick(minutes=options.minutes, repeats=True, damage=options.damage),)


def condition_named(module: Module, typed: str) -> Condition:
    """A condition of the module by its name or id.

    Raises:
        UserError: If the module has none of that name.

    Source: RPJ-COND-01.
    """
    wanted = " ".join(typed.split()).casefold()
    found = next((one for one in module.conditions if wanted in (one.name.casefold(), one.id)), None)
    if found is None:
        names = ", ".join(one.name for one in module.conditions)
        raise UserError(
            f"{module.name} has no condition called “{typed}”.",
            f"Its conditions: {names}." if names else "It has no conditions.",
            try_this="/rpj-gm condition make applies a custom one.",
        )
    return found
