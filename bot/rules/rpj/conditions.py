"""Conditions: applying them, their effects over time, and ending them."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    DueTimer,
    Family,
    FollowUp,
    NoOptions,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, label_with, signed
from bot.rules.rpj.character.incapacity import (
    CONDITION,
    own_condition,
    suffered_by,
    with_health,
    with_suffered,
    without,
)
from bot.rules.rpj.character.sheet import Character, HookResult, Outcome, Scene, figure_in
from bot.rules.rpj.checks.after_a_check import OwnRoll, came_off
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check, skill_named
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, is_fighting
from bot.rules.rpj.layers_and_saves import SaveOptions, save_button
from bot.rules.rpj.module.basics import RpjAttribute, id_of, named
from bot.rules.rpj.module.condition_kinds import (
    MINUTE_SECONDS,
    Condition,
    ConditionKind,
    Escape,
    Need,
    Recovery,
    Resistance,
    RpjTick,
    Suffered,
    skill_words,
    span,
    ticks_due,
    with_condition,
)
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import RollBonus, RollTarget
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.module.module_files import module_in, require
from bot.rules.rpj.resolution.check import chance_words
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs


def does_words(condition: Condition) -> str:
    """What a condition does, in a line. [RPJ-COND-02, RPJ-COND-03, RPJ-COND-04]"""
    return "; ".join(_does(condition)) or "no effect in numbers"


def _does(condition: Condition) -> Iterator[str]:
    if condition.checks:
        yield f"{signed(condition.checks)} to all checks"
    by_value: dict[int, list[str]] = {}
    for effect in condition.effects:
        by_value.setdefault(effect.value, []).append(f"{effect.of or effect.on}")
    for value, names in by_value.items():
        yield f"{signed(value)} to {', '.join(names)}"
    bans = sorted(condition.bans)
    if bans:
        yield f"prevents {', '.join(bans)}"
    yield from (_tick_words(tick) for tick in condition.ticks)


def _tick_words(tick: RpjTick) -> str:
    when = f"every {span(tick.minutes)}" if tick.repeats else f"after {span(tick.minutes)}"
    return f"{tick.damage} damage {when}" if tick.outcome is None else f"{tick.outcome} {when}"


def exit_words(condition: Condition, module: Module) -> str:
    """What ends a condition, with skills by name; "GM only" where nothing does. [RPJ-COND-08]"""
    words = "; ".join(condition.exits)
    for id_ in condition.escape.skills if condition.escape else ():
        skill = module.skill(id_)
        words = words.replace(skill_words((id_,)), skill.name if skill else skill_words((id_,)))
    return words


def condition_lines(suffered: tuple[Suffered, ...], module: Module) -> tuple[str, ...]:
    """A character's conditions by kind, each with what it does and what ends it.

    [RPJ-COND-01 (COND-01b), RPJ-COND-08]
    """
    lines = []
    for kind in ConditionKind:
        of_kind = [one for one in suffered if one.condition.kind is kind]
        lines += [f"{one.condition.name} ({kind}): {_line(one, module)}" for one in of_kind]
    return tuple(lines)


def _line(one: Suffered, module: Module) -> str:
    recovery = one.condition.recovery
    done = f" · recovered {one.recovered} of {recovery.countdown}" if recovery else ""
    return f"{does_words(one.condition)} · to end it: {exit_words(one.condition, module)}{done}"


class RpjMakeOptions(Document):
    """The options of a custom condition."""

    target: CharacterId  # who gets it
    name: str = Field(min_length=1, max_length=60)
    kind: ConditionKind = ConditionKind.HINDRANCE
    checks: int = Field(default=0, ge=-10, le=0)  # added to every check
    attacks: int = Field(default=0, ge=-10, le=0)  # added to attacks
    defense: int = Field(default=0, ge=-10, le=0)  # added to the defense
    forbids: str = Field(default="", max_length=100)  # what it prevents, separated by commas
    damage: int | None = Field(default=None, ge=-5, le=40)  # damage it deals repeatedly, or None
    minutes: int = Field(default=1, ge=1, le=100_000)  # minutes between damage
    resist: RpjAttribute | None = None  # the attribute of the saving throw to resist, or None
    resist_difficulty: int = Field(default=3, ge=1, le=6)  # added to 7 for that
    recover: RpjAttribute | None = None  # the attribute of the checks to recover, or None
    recover_difficulty: int = Field(default=0, ge=-5, le=20)  # added to 7 for these
    countdown: int = Field(default=2, ge=1, le=20)  # successes needed to recover
    hours: int = Field(default=1, ge=1, le=1000)  # hours between recovery checks
    escape: str = Field(default="", max_length=100)  # the skill that ends it, or empty
    escape_difficulty: int = Field(default=2, ge=-1, le=20)  # added to 7 for that


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
    """The custom condition of these options. [RPJ-COND-01 to RPJ-COND-08]

    Raises:
        UserError: If it refers to something unknown.
    """
    name = " ".join(options.name.split())
    on_attacks = (RollTarget.MELEE_ATTACK, RollTarget.RANGED_ATTACK)
    parts = [(target, options.attacks) for target in on_attacks]
    parts.append((RollTarget.DEFENSE, options.defense))
    skill = skill_named(module, options.escape).id if options.escape else ""
    return Condition(
        id=id_of(name),
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
    """A condition of the module by its name or id. [RPJ-COND-01]

    Raises:
        UserError: If the module has none of that name.
    """
    if found := named(module.conditions, typed):
        return found
    names = ", ".join(one.name for one in module.conditions)
    raise UserError(
        f"This campaign has no condition “{typed}”.",
        f"Its conditions: {names}." if names else "It has no conditions.",
        try_this="/rpj-gm condition make applies a custom one.",
    )


GROUP = "condition"
RESISTED = Verdict(Family.SUCCESS, "resisted")


class RpjAddOptions(Document):
    """The options of applying a condition."""

    target: CharacterId
    name: str = Field(max_length=60)  # its name or id
    surely: bool = False  # whether there is no saving throw


class NameOptions(Document):
    """The options of a command about a condition."""

    name: str = Field(max_length=60)


class GoneOptions(Document):
    """The options of removing a condition."""

    target: CharacterId
    name: str = Field(max_length=60)


class HoldOptions(Document):
    """The options of resisting a condition."""

    condition: Condition
    rolled: RpjCheckInputs | None = None  # a saving throw made before, or None


def _module(scene: Scene) -> Module:
    return module_in(scene.settings)


# --- onset -------------------------------------------------------------------------------------


@procedure("condition.add", gm_only=True, needs_actor=False)
def add(scene: Scene, options: RpjAddOptions, _dice: Dice) -> Outcome:
    """Apply a condition of the module; the character may resist first. [RPJ-COND-01, RPJ-COND-05]"""
    require(scene, Pack.CONDITIONS)
    found = condition_named(_module(scene), options.name)
    return _threatened(scene, scene.character(options.target), found, surely=options.surely)


@procedure("condition.make", gm_only=True, needs_actor=False)
def make(scene: Scene, options: RpjMakeOptions, _dice: Dice) -> Outcome:
    """Apply a custom condition. [RPJ-COND-01 (COND-01b)]"""
    require(scene, Pack.CONDITIONS)
    found = made_up(options, _module(scene))
    return _threatened(scene, scene.character(options.target), found, surely=False)


def _threatened(scene: Scene, target: Character, condition: Condition, *, surely: bool) -> Outcome:
    effect = (f"{condition.name}: {does_words(condition)}.",)
    if surely or condition.resistance is None:
        scene = taken_hold(scene, target.id, condition)
        ends = f"How to end it: {exit_words(condition, _module(scene))}."
        return Outcome(scene=scene, headline=f"gives {target.name} {condition.name}", notes=(*effect, ends))
    options = HoldOptions(condition=condition)
    inputs = _resisting(scene, target, options)
    button = FollowUp(
        procedure="condition.resist",
        options=options,
        label=label_with(target.name, f": resist against {inputs.target}+ · {chance_words(inputs)}"),
        character=target.id,
        group=GROUP,
        is_owed=True,
    )
    let = FollowUp(
        procedure="condition.hold",
        options=options,
        label="Apply without a roll (GM)",
        audience=Audience.GM,
        character=target.id,
        group=GROUP,
    )
    return Outcome(
        scene=scene,
        headline=f"threatens {target.name} with {condition.name}",
        notes=effect,
        follow_ups=(button, let),
    )


def taken_hold(scene: Scene, who: CharacterId, condition: Condition) -> Scene:
    """The scene after a condition starts. [RPJ-COND-01 (COND-01a), RPJ-COND-03 (COND-03b)]"""
    suffered = with_condition(suffered_by(scene.character(who)), condition, scene.clock)
    fight = FIGHTS_KEPT.find(scene)
    if fight is not None and fight.is_on(who):
        suffered = (*suffered[:-1], evolve(suffered[-1], is_fresh=True))
    return with_suffered(scene, who, suffered)


def _resisting(scene: Scene, who: Character, options: HoldOptions) -> RpjCheckInputs:
    resistance = options.condition.resistance
    if resistance is None:
        raise UserError(f"{options.condition.name} can't be resisted.")
    figure = figure_in(scene, who)
    situation = Situation(difficulty=resistance.difficulty)
    return attribute_check(figure, resistance.attribute, situation, CheckKind.SAVING_THROW)


@procedure("condition.resist")
def resist(scene: Scene, options: HoldOptions, dice: Dice) -> Outcome:
    """Roll the saving throw against a condition; on a failure it starts. [RPJ-COND-05 (COND-05a)]"""
    require(scene, Pack.CONDITIONS)
    actor, condition = scene.actor, options.condition
    own = OwnRoll(
        procedure="condition.resist",
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=actor.id,
    )
    paid, roll = own.thrown(scene, options.rolled or _resisting(scene, actor, options), dice)
    succeeded = came_off(roll)
    after = taken_hold(paid, actor.id, condition) if succeeded is False else paid
    held = Verdict(Family.FAILURE, f"has {condition.name}")
    return Outcome(
        scene=after,
        paid=paid,
        headline=f"rolls to resist {condition.name}",
        verdict=roll.verdict if succeeded is None else RESISTED if succeeded else held,
        rolls=(roll,),
        notes=own.notes(paid, roll),
        follow_ups=own.buttons(paid, roll),
        passed=succeeded,
        skill="saving throw",
    )


@procedure("condition.hold", gm_only=True)
def hold(scene: Scene, options: HoldOptions, _dice: Dice) -> Outcome:
    """Start a condition without a saving throw."""
    require(scene, Pack.CONDITIONS)
    who = scene.actor
    return Outcome(
        scene=taken_hold(scene, who.id, options.condition), headline=f"has {options.condition.name}"
    )


# --- the GM, and looking -----------------------------------------------------------------------


@procedure("condition.remove", gm_only=True, needs_actor=False)
def remove(scene: Scene, options: GoneOptions, _dice: Dice) -> Outcome:
    """Remove a condition. [RPJ-COND-01, RPJ-COND-08]"""
    require(scene, Pack.CONDITIONS)
    target = scene.character(options.target)
    one = own_condition(target, options.name)
    left = without(suffered_by(target), one.condition)
    return Outcome(
        scene=with_suffered(scene, target.id, left),
        headline=f"removes {target.name}'s condition {one.condition.name}",
    )


@procedure("condition.look")
def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """List the character's conditions by kind, with what ends each. [RPJ-COND-01, RPJ-COND-08]"""
    require(scene, Pack.CONDITIONS)
    lines = condition_lines(suffered_by(scene.actor), _module(scene))
    return Outcome(
        scene=scene,
        headline="looks at their conditions",
        notes=lines or ("You have no conditions.",),
        is_public=False,
    )


@procedure("condition.explain", needs_actor=False)
def explain(scene: Scene, options: NameOptions, _dice: Dice) -> Outcome:
    """Explain what a condition of the module does, and what ends it. [RPJ-COND-08]"""
    require(scene, Pack.CONDITIONS)
    found = condition_named(_module(scene), options.name)
    lines = (
        *((found.description,) if found.description else ()),
        f"{found.kind}: {does_words(found)}.",
        f"How to end it: {exit_words(found, _module(scene))}.",
    )
    return Outcome(scene=scene, headline=f"looks up {found.name}", notes=lines, is_public=False)


class RepeatedDamage(Struct, frozen=True):
    """The same damage of one condition, a number of times."""

    name: str
    tick: RpjTick
    times: int = 1


class TimePassed(Struct, frozen=True):
    """What a span of time has done to somebody."""

    suffered: tuple[Suffered, ...]  # their conditions afterwards
    out: Out | None  # how they are out of action; None where unchanged
    blows: tuple[RepeatedDamage, ...]  # damage to save against
    notes: tuple[str, ...]  # what has happened, in words


def time_passes(character: Character, until: dict[str, int]) -> TimePassed:
    """Apply conditions up to a moment for each. [RPJ-COND-03 (COND-03a, COND-03b)]"""
    health, suffered = character.sheet.health, suffered_by(character)
    due = sorted(
        (
            (moment, place, tick)
            for place, one in enumerate(suffered)
            for moment, tick in ticks_due(one, until.get(one.condition.name, one.told_until))
        ),
        key=lambda found: found[:2],
    )
    out, blows, notes = health.out, dict[tuple[int, RpjTick], RepeatedDamage](), []
    for _moment, place, tick in due:
        name = suffered[place].condition.name
        if tick.outcome is not None and _is_worse(tick.outcome, out):
            out = tick.outcome
            notes.append(down(f"{name}: {character.name} is {out}."))
        elif tick.outcome is None and out is Out.NO:
            found = blows.get((place, tick), RepeatedDamage(name, tick, 0))
            blows[place, tick] = replace(found, times=found.times + 1)
    after = tuple(evolve(one, told_until=until.get(one.condition.name, one.told_until)) for one in suffered)
    is_out = out is not health.out
    return TimePassed(after, out if is_out else None, () if is_out else tuple(blows.values()), tuple(notes))


def _is_worse(new: Out, old: Out) -> bool:
    return new is not old and (old is Out.NO or new is Out.DEAD)


def fallen(health: RpjHealth, out: Out) -> RpjHealth:
    """Health of a character put out of action by a condition; no save is crossed off.

    [RPJ-COND-03, RPJ-HEALTH-16 (R-133)]
    """
    if out is Out.DEAD:
        return evolve(health, out=out)
    return RpjHealth(layers=health.layers, lost_base=health.lost_base, out=out)


def save_buttons(
    scene: Scene, who: CharacterId, blows: Sequence[RepeatedDamage], *, in_combat: bool
) -> tuple[FollowUp, ...]:
    """The buttons to save against damage from conditions."""
    character = scene.character(who)
    figure = figure_in(scene, character)
    found = []
    for blow in blows:
        options = SaveOptions(
            damage=blow.tick.added,
            times=blow.times,
            bypass=", ".join(blow.tick.bypasses),
            scale=blow.tick.scale,
            in_combat=in_combat,
        )
        button = save_button(character, figure, options)
        found.append(replace(button, group=f"{button.group} {blow.name}"))
    return tuple(found)


def damage_note(blow: RepeatedDamage, name: str) -> str:
    """Return the line that a condition does damage to somebody."""
    times = f", {blow.times} times" if blow.times > 1 else ""
    return f"{blow.name} deals {blow.tick.damage} damage to {name}{times}."


def conditions_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Apply conditions due by the clock; in a fight they apply at the end of turns.

    [RPJ-COND-03, RPJ-GM-07]
    """
    notes: list[str] = []
    buttons: list[FollowUp] = []
    for timer in due:
        character = scene.character(timer.character)
        if not figure_in(scene, character).plays(Pack.CONDITIONS):
            scene = scene.with_character(character.with_timer(CONDITION, None))
        elif is_fighting(scene, character.id):
            later = character.with_timer(CONDITION, scene.clock + MINUTE_SECONDS)
            scene = scene.with_character(later)
        else:
            until = {one.condition.name: scene.clock for one in suffered_by(character)}
            passed = time_passes(character, until)
            scene = with_suffered(scene, character.id, passed.suffered)
            if passed.out is not None:
                health = fallen(character.sheet.health, passed.out)
                scene = with_health(scene, scene.character(character.id), health)
            notes += [*passed.notes, *(damage_note(blow, character.name) for blow in passed.blows)]
            buttons += save_buttons(scene, character.id, passed.blows, in_combat=False)
    return HookResult(scene=scene, notes=tuple(notes), follow_ups=tuple(buttons))
