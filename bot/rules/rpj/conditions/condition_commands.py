"""The condition commands: apply, resist, remove, list, explain."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    NoOptions,
    Verdict,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.conditions_on_sheet import (
    own_condition,
    suffered_by,
    with_suffered,
    without,
)
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.checks.custom_check import OwnRoll, came_off
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.conditions.condition_text import condition_lines, does_words, exit_words
from bot.rules.rpj.conditions.custom_conditions import RpjMakeOptions, condition_named, made_up
from bot.rules.rpj.module.active_condition import (
    with_condition,
)
from bot.rules.rpj.module.condition_kinds import Condition
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs

GROUP = "condition"
RESISTED = Verdict(Family.SUCCESS, "resisted")


class RpjAddOptions(Document):
    """The options of applying a condition.

    Attributes:
        target: The character.
        name: Its name or id.
        surely: Whether there is no saving throw.
    """

    target: CharacterId
    name: str = Field(max_length=60)
    surely: bool = False


class NameOptions(Document):
    """The options of a command about a condition."""

    name: str = Field(max_length=60)


class GoneOptions(Document):
    """The options of removing a condition."""

    target: CharacterId
    name: str = Field(max_length=60)


class HoldOptions(Document):
    """The options of resisting a condition.

    Attributes:
        condition: The condition.
        rolled: A saving throw made before, or None.
    """

    condition: Condition
    rolled: RpjCheckInputs | None = None


def _module(scene: Scene) -> Module:
    return module_in(scene.settings)


# --- onset -------------------------------------------------------------------------------------


def add(scene: Scene, options: RpjAddOptions, _dice: Dice) -> Outcome:
    """Apply a condition of the module; the character may resist first.

    Source: RPJ-COND-01, RPJ-COND-05.
    """
    require(scene, Pack.CONDITIONS)
    found = condition_named(_module(scene), options.name)
    return _threatened(scene, scene.character(options.target), found, surely=options.surely)


declare("condition.add", RpjAddOptions, add, gm_only=True, needs_actor=False)


def make(scene: Scene, options: RpjMakeOptions, _dice: Dice) -> Outcome:
    """Apply a custom condition.

    Source: RPJ-COND-01 (COND-01b).
    """
    require(scene, Pack.CONDITIONS)
    found = made_up(options, _module(scene))
    return _threatened(scene, scene.character(options.target), found, surely=False)


declare("condition.make", RpjMakeOptions, make, gm_only=True, needs_actor=False)


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
        label=f"{target.name[:30]}: resist against {inputs.target}+ · {_chance(inputs)}",
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
    """The scene after a condition starts.

    Source: RPJ-COND-01 (COND-01a), RPJ-COND-03 (COND-03b).
    """
    suffered = with_condition(suffered_by(scene.character(who)), condition, scene.clock)
    fight = FIGHTS_KEPT.find(scene)
    if fight is not None and fight.is_on(who):
        suffered = (*suffered[:-1], evolve(suffered[-1], is_fresh=True))
    return with_suffered(scene, who, suffered)


def _chance(inputs: RpjCheckInputs) -> str:
    enough = check_odds(inputs).enough
    return "0%" if enough is None else percent(enough)


def _resisting(scene: Scene, who: Character, options: HoldOptions) -> RpjCheckInputs:
    resistance = options.condition.resistance
    if resistance is None:
        raise UserError(f"{options.condition.name} can't be resisted.")
    figure = figure_in(scene, who)
    situation = Situation(difficulty=resistance.difficulty)
    return attribute_check(figure, resistance.attribute, situation, CheckKind.SAVING_THROW)


def resist(scene: Scene, options: HoldOptions, dice: Dice) -> Outcome:
    """Roll the saving throw against a condition; on a failure it starts.

    Source: RPJ-COND-05 (COND-05a).
    """
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


declare("condition.resist", HoldOptions, resist)


def hold(scene: Scene, options: HoldOptions, _dice: Dice) -> Outcome:
    """Start a condition without a saving throw."""
    require(scene, Pack.CONDITIONS)
    who = scene.actor
    return Outcome(
        scene=taken_hold(scene, who.id, options.condition), headline=f"has {options.condition.name}"
    )


declare("condition.hold", HoldOptions, hold, gm_only=True)


# --- the GM, and looking -----------------------------------------------------------------------


def remove(scene: Scene, options: GoneOptions, _dice: Dice) -> Outcome:
    """Remove a condition.

    Source: RPJ-COND-01, RPJ-COND-08.
    """
    require(scene, Pack.CONDITIONS)
    target = scene.character(options.target)
    one = own_condition(target, options.name)
    left = without(suffered_by(target), one.condition)
    return Outcome(
        scene=with_suffered(scene, target.id, left),
        headline=f"removes {target.name}'s condition {one.condition.name}",
    )


declare("condition.remove", GoneOptions, remove, gm_only=True, needs_actor=False)


def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """List the character's conditions by kind, with what ends each.

    Source: RPJ-COND-01, RPJ-COND-08.
    """
    require(scene, Pack.CONDITIONS)
    lines = condition_lines(suffered_by(scene.actor), _module(scene))
    return Outcome(
        scene=scene,
        headline="looks at their conditions",
        notes=lines or ("You have no conditions.",),
        is_public=False,
    )


declare("condition.look", NoOptions, look)


def explain(scene: Scene, options: NameOptions, _dice: Dice) -> Outcome:
    """Explain what a condition of the module does, and what ends it.

    Source: RPJ-COND-08.
    """
    require(scene, Pack.CONDITIONS)
    found = condition_named(_module(scene), options.name)
    lines = (
        *((found.description,) if found.description else ()),
        f"{found.kind}: {does_words(found)}.",
        f"How to end it: {exit_words(found, _module(scene))}.",
    )
    return Outcome(scene=scene, headline=f"looks up {found.name}", notes=lines, is_public=False)


declare("condition.explain", NameOptions, explain, needs_actor=False)
