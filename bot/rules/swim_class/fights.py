"""Between the turns of a fight: what is held in reserve, and standing up again."""

from dataclasses import replace

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import (
    Audience,
    Document,
    FollowUp,
    Outcome,
    Procedure,
    Scene,
)
from bot.rules.swim_class.damage import assert_can_act
from bot.rules.swim_class.encounter import (
    FULL_ACTION,
    HALF_ACTION,
    spend,
)
from bot.rules.swim_class.performance import perform
from bot.rules.swim_class.rolling import PoolOptions, plan_of, told
from bot.rules.swim_class.sheet import Reserve, ReserveKind, book, rank_of, sheet_of, with_states
from bot.rules.swim_class.tables import Defends


class NoOptions(Document):
    """Nothing to choose."""


class ReserveOptions(Document):
    """What one holds in reserve, and for what."""

    skill: str = Field(min_length=1, max_length=100)
    kind: ReserveKind = ReserveKind.DEFENCE
    trigger: str = Field(default="", max_length=200)


class TriggerOptions(PoolOptions):
    """How the prepared action is rolled."""

    difficulty: int = Field(default=1, ge=1, le=24)


def reserve(scene: Scene, options: ReserveOptions, _dice: Dice) -> Outcome:
    """Hold a skill in reserve instead of acting.

    Source: SWIM-COMB-13 (SWIM-R56), SWIM-COMB-14.
    """
    actor = scene.actor
    assert_can_act(scene, actor)
    skills = book(scene)
    skill = skills.find(options.skill)
    is_defence = options.kind is ReserveKind.DEFENCE
    if is_defence and skills.definition(skill).defends is Defends.NEVER:
        raise Mistake(f"{skills.title(skill)} cannot defend.")
    if not is_defence and not options.trigger.strip():
        raise Mistake("A prepared action waits for something.", try_this="Give the option trigger.")
    scene = spend(scene, actor, FULL_ACTION)
    held = Reserve(skill=skill, kind=options.kind, trigger=options.trigger.strip())
    scene = with_states(scene, actor.id, reserve=held)
    words = f"holds {skills.title(skill)} in reserve"
    if is_defence:
        dice = max(0, rank_of(scene, actor, skill) - 1)
        return Outcome(scene=scene, headline=f"{words} for defence", notes=(f"+{dice} dice on one defence.",))
    trigger = FollowUp(
        procedure="trigger",
        options=TriggerOptions(),
        label=f"It happens: {skills.title(skill)}"[:80],
        audience=Audience.OWNER,
        character=actor.id,
    )
    return Outcome(scene=scene, headline=f"{words}: {held.trigger}", follow_ups=(trigger,))


def trigger(scene: Scene, options: TriggerOptions, dice: Dice) -> Outcome:
    """Do what was prepared, at once and with the full pool.

    Source: SWIM-COMB-14.
    """
    actor = scene.actor
    held = sheet_of(actor).states.reserve
    if held is None or held.kind is not ReserveKind.ACTION:
        raise Mistake(f"{actor.name} has prepared nothing.", try_this="Use /swim reserve on your turn.")
    assert_can_act(scene, actor)
    scene = with_states(scene, actor.id, reserve=None)
    plan = replace(plan_of(options, held.skill, options.difficulty), must_roll=True)
    done = perform(scene, actor.id, plan, dice, is_action=False)
    return told(done, f"does what was prepared: {book(scene).title(done.planned.skill)} {done.planned.rank}")


def stand_up(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Get up again: half an action.

    Source: SWIM-MAGIC-10 (SWIM-R99).
    """
    actor = scene.actor
    if not sheet_of(actor).states.is_prone:
        raise Mistake(f"{actor.name} stands already.")
    assert_can_act(scene, actor)
    scene = spend(scene, actor, HALF_ACTION)
    return Outcome(scene=with_states(scene, actor.id, is_prone=False), headline="stands up")


FIGHT_PROCEDURES = (
    Procedure(key="reserve", options=ReserveOptions, run=reserve),
    Procedure(key="trigger", options=TriggerOptions, run=trigger),
    Procedure(key="stand", options=NoOptions, run=stand_up),
)
