"""Ending a condition: recovery checks, and escape with a skill."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import Document, Family, Roll, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.conditions_on_sheet import (
    assert_can,
    needs_of,
    own_condition,
    suffered_by,
    with_suffered,
    without,
)
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.custom_check import OwnRoll, came_off
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.checks.skill_checks import Situation, attribute_check, skill_check
from bot.rules.rpj.combat.commands.turn_commands import actor_of, begun_stage
from bot.rules.rpj.combat.rules.turns import single_task
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.module.active_condition import Suffered, after_recovery, escape_of, recovery_of
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class RecoverOptions(Document):
    """The options of a recovery check.

    Attributes:
        name: Its name.
        rolled: The roll whose dice lie on the table already, or None.
    """

    name: str = Field(max_length=60)
    rolled: RpjCheckInputs | None = None


class RpjEscapeOptions(RecoverOptions):
    """The options of an escape.

    Attributes:
        skill: With which skill; the best that does it where left out.
    """

    skill: str = Field(default="", max_length=100)


def _replaced(suffered: Iterable[Suffered], old: Suffered, new: Suffered) -> tuple[Suffered, ...]:
    return tuple(new if one is old else one for one in suffered)


def recover(scene: Scene, options: RecoverOptions, dice: Dice) -> Outcome:
    """Roll to recover from a condition; enough successes end it.

    Raises:
        UserError: If one does not recover from it, or it is too early.

    Source: RPJ-COND-06 (COND-06a).
    """
    require(scene, Pack.CONDITIONS)
    actor = scene.actor
    one = own_condition(actor, options.name)
    recovery = recovery_of(one, scene.clock)
    own = OwnRoll(
        procedure="condition.recover",
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=actor.id,
    )
    situation = Situation(difficulty=recovery.difficulty)
    inputs = options.rolled or attribute_check(figure_in(scene, actor), recovery.attribute, situation)
    paid, roll = own.thrown(scene, inputs, dice)
    succeeded = came_off(roll)
    after = one if succeeded is None else after_recovery(one, scene.clock, succeeded=succeeded)
    suffered = suffered_by(paid.actor)
    left = without(suffered, one.condition) if after is None else _replaced(suffered, one, after)
    return Outcome(
        scene=with_suffered(paid, actor.id, left),
        paid=paid,
        headline=f"rolls to recover from {one.condition.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(_recovered(one, after), *own.notes(paid, roll)),
        follow_ups=own.buttons(paid, roll),
        passed=succeeded,
        skill=recovery.attribute.word,
    )


declare("condition.recover", RecoverOptions, recover)


def _recovered(one: Suffered, after: Suffered | None) -> str:
    recovery = one.condition.recovery
    if after is None or recovery is None:
        return f"{one.condition.name} is over."
    return f"Recovered {one.recovered} → {after.recovered} of {recovery.countdown}."


def escape(scene: Scene, options: RpjEscapeOptions, dice: Dice) -> Outcome:
    """Try to escape a condition with a skill; 1 action in a fight.

    Raises:
        UserError: If it does not end so, or the condition itself forbids that.

    Source: RPJ-COND-07 (COND-07a, COND-07b).
    """
    require(scene, Pack.CONDITIONS)
    actor = scene.actor
    figure = figure_in(scene, actor)
    one = own_condition(actor, options.name)
    able = [figure.known_skill(id_) for id_ in (one.condition.escape.skills if one.condition.escape else ())]
    best = max(able, key=figure.effective_level, default=None)
    skill = skill_named(figure.module, options.skill) if options.skill or best is None else best
    way = escape_of(one, skill.id)
    assert_can(figure, *needs_of(skill.tags))
    own = OwnRoll(
        procedure="condition.escape",
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=actor.id,
    )
    scene = scene if options.rolled else _with_action(scene, way.actions)
    inputs = options.rolled or skill_check(figure, skill, Situation(difficulty=way.difficulty))
    paid, roll = own.thrown(scene, inputs, dice)
    succeeded = came_off(roll)
    left = without(suffered_by(paid.actor), one.condition) if succeeded else suffered_by(paid.actor)
    return Outcome(
        scene=with_suffered(paid, actor.id, left),
        paid=paid,
        headline=f"tries to escape {one.condition.name} with {skill.name}",
        verdict=_freed(one, roll, succeeded),
        rolls=(roll,),
        notes=own.notes(paid, roll),
        follow_ups=own.buttons(paid, roll),
        passed=succeeded,
        skill=skill.name,
    )


declare("condition.escape", RpjEscapeOptions, escape, can_repeat=True)


def _freed(one: Suffered, roll: Roll, succeeded: bool | None) -> Verdict:
    if succeeded is None:
        return roll.verdict
    if succeeded:
        return Verdict(Family.SUCCESS, "free")
    return Verdict(Family.FAILURE, f"still has {one.condition.name}")


def _with_action(scene: Scene, actions: int) -> Scene:
    """The scene after paying the action in the channel's fight, if there is one."""
    fight = FIGHTS_KEPT.find(scene)
    if fight is None or not fight.has_begun or fight.combatant(scene.actor.id) is None:
        return scene
    stage = begun_stage(scene)
    who = actor_of(stage).id
    for _ in range(actions):
        stage = stage.with_battle(single_task(stage.battle, who))
    return stage.saved()
