"""Making an unopposed roll in a scene: the action it takes, the dice, what it brings and what it costs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.rules.kernel import CharacterId, FollowUp, Roll, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.swim_class.character.breakage import wear
from bot.rules.swim_class.character.sheet import Character, Scene, book, with_states
from bot.rules.swim_class.character.skill_growth import Earned, Scored, advances, grow
from bot.rules.swim_class.checks.parts import OpenPart, open_part, with_part
from bot.rules.swim_class.checks.plans import Planned, PoolPlan, plan_pool
from bot.rules.swim_class.combat.state.encounter import FULL_ACTION, HALF_ACTION, prepared_for, spend
from bot.rules.swim_class.damage.damage import assert_can_act
from bot.rules.swim_class.damage.mishaps import Mishap, critical_buttons, critical_note
from bot.rules.swim_class.resolution.number_words import WHOLE
from bot.rules.swim_class.resolution.pools import (
    Judged,
    PoolDie,
    Source,
    SwimPoolInputs,
    best_progress,
    judge,
    pool_verdict,
    roll_pool,
)
from bot.rules.swim_class.resolution.purposes import SwimPurpose
from bot.rules.swim_class.resolution.tables import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """A roll that was made.

    Attributes:
        scene: Everything as it is afterwards.
        planned: The pool it was made with.
        judged: What it came to.
        verdict: The same in words.
        rolls: The roll itself unless it was automatic, then those for equipment.
        notes: What else happened.
        follow_ups: What can be done about it.
    """

    scene: Scene
    planned: Planned
    judged: Judged
    verdict: Verdict
    rolls: tuple[Roll, ...]
    notes: tuple[str, ...]
    follow_ups: tuple[FollowUp, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A roll whose action is taken and whose pool stands.

    Attributes:
        scene: Everything as it is now.
        plan: What is rolled after all.
        planned: Its pool.
        part: What is left of the action after the roll where it is divided, else None.
        notes: What else is to be told: what it was prepared for.
    """

    scene: Scene
    plan: PoolPlan
    planned: Planned
    part: OpenPart | None
    notes: tuple[str, ...] = ()


def prepare(scene: Scene, character: Character, plan: PoolPlan, *, is_action: bool = True) -> Prepared:
    """Take the action that a roll needs and find its pool, a part of a divided action included.

    An action that was prepared with that skill is used up instead of one of the turn.

    Raises:
        UserError: If the character cannot act, or the plan is not allowed.

    Source: SWIM-POOL-07, SWIM-POOL-08, SWIM-COMB-14, SWIM-COMB-16.
    """
    if is_action:
        assert_can_act(scene, character)
    rest = None if plan.part is None else open_part(scene, character.id, plan.skill, is_half=plan.is_half)
    if rest is not None:
        plan = replace(plan, rest=rest, is_strained=False)
    planned = plan_pool(scene, character, plan)
    held = prepared_for(character, plan.skill) if is_action and rest is None else None
    notes: tuple[str, ...] = ()
    if held is not None:
        scene = with_states(scene, character.id, reserve=None)
        notes = (f"It was prepared for this: {held.trigger}",)
    elif is_action and rest is None:
        scene = spend(scene, character, HALF_ACTION if plan.is_half else FULL_ACTION)
    if plan.part is None:
        return Prepared(scene=scene, plan=plan, planned=planned, part=None, notes=notes)
    begun = rest or OpenPart(
        id=scene.moment,
        skill=plan.skill,
        is_half=plan.is_half,
        own=0,
        qualifies=not plan.is_half or scene.settings.advance_on_half,
        was_strained=plan.is_strained,
    )
    part = begun.model_copy(update={"own": planned.left_own, "added": planned.left_added})
    return Prepared(scene=scene, plan=plan, planned=planned, part=part, notes=notes)


def part_note(scene: Scene, part: OpenPart | None) -> tuple[str, ...]:
    """How many dice are left of a divided action."""
    if part is None:
        return ()
    return (f"{part.left} dice of {book(scene).title(part.skill)} left for other parts.",)


def kept_note(inputs: SwimPoolInputs) -> tuple[str, ...]:
    """Which dice were rolled in earlier rounds of a build-up."""
    return ("[ ] was rolled and kept in earlier rounds.",) if inputs.banked else ()


def own_dice(dice: Iterable[PoolDie], scores: Iterable[bool], rank: int) -> tuple[Scored, ...]:
    """The dice that decide an advance: the skill's own, or the artifact's where there is no rank.

    Source: SWIM-IMPL-05, SWIM-IMPL-06.
    """
    wanted = Source.SKILL if rank else Source.ARTIFACT
    return tuple(
        Scored(face=die.face, has_scored=scored)
        for die, scored in zip(dice, scores, strict=True)
        if die.source is wanted
    )


def perform(
    scene: Scene,
    who: CharacterId,
    plan: PoolPlan,
    dice: Dice,
    *,
    purpose: SwimPurpose = SwimPurpose.CHECK,
    mishap: Mishap = Mishap.OTHER,
    is_action: bool = True,
) -> Performed:
    """Make an unopposed roll as a character.

    Raises:
        UserError: If the character cannot act, or the plan is not allowed.

    Source: SWIM-TASK-12, SWIM-ADV-01 to SWIM-ADV-05, SWIM-POOL-06.
    """
    prepared = prepare(scene, scene.character(who), plan, is_action=is_action)
    planned, inputs = prepared.planned, prepared.planned.inputs
    scene = prepared.scene
    rolls: tuple[Roll, ...] = ()
    if inputs.is_automatic:
        judged = judge(inputs, ())
    else:
        rolls = (roll_pool(inputs, dice).by(scene.character(who), purpose),)
        judged = judge(inputs, [die.face for die in rolls[0].dice])
    scene, grown = _grown(scene, who, prepared, judged)
    worn = wear(scene, who, planned.uses, dice)
    before = (*prepared.notes, *planned.notes, *kept_note(inputs), *_out_of_reach(inputs))
    notes = (*before, *part_note(scene, prepared.part), *grown, *worn.notes)
    buttons: tuple[FollowUp, ...] = ()
    if judged.ones and not judged.has_succeeded:
        notes = (*notes, critical_note(judged.ones, inputs.cancels, judged.criticals, mishap))
        buttons = critical_buttons(worn.scene, who, mishap, judged.criticals, Pool.PHYSICAL)
    scene, broken = after_criticals(worn.scene, who, judged.criticals)
    return Performed(
        scene=scene,
        planned=planned,
        judged=judged,
        verdict=pool_verdict(inputs, judged),
        rolls=(*rolls, *worn.rolls),
        notes=(*notes, *broken),
        follow_ups=buttons,
    )


def _out_of_reach(inputs: SwimPoolInputs) -> tuple[str, ...]:
    """A warning where no roll of these dice could bring enough.

    Source: SWIM-TASK-03.
    """
    most = best_progress(inputs) // WHOLE
    if inputs.needed is None or not inputs.at_once or most >= inputs.needed:
        return ()
    return (f"Out of reach: these dice bring {most} progress at most, not {inputs.needed}.",)


def could_fail(inputs: SwimPoolInputs, modifier: int) -> bool:
    """Whether an unopposed roll could have failed.

    Source: SWIM-ADV-02.
    """
    return not inputs.is_automatic and inputs.difficulty - modifier >= 2


def _grown(
    scene: Scene, who: CharacterId, prepared: Prepared, judged: Judged
) -> tuple[Scene, tuple[str, ...]]:
    """Let a skill advance by its own dice: by those of a whole action, whether it is divided or not."""
    plan, planned, part = prepared.plan, prepared.planned, prepared.part
    scored = own_dice(judged.dice, judged.scores, planned.rank)
    can_fail = could_fail(planned.inputs, planned.modifier)
    has_passed = not plan.at_once or judged.is_done
    faces = tuple(die.face for die in scored)
    if part is None:
        has_advanced = has_passed and advances(scored, is_whole=planned.is_whole, could_fail=can_fail)
    else:
        part = part.judged(scored, could_fail=can_fail and has_passed)
        scene = with_part(scene, who, part)
        has_advanced, faces = part.has_advanced, part.faces
    earned = Earned(
        skill=planned.skill,
        has_advanced=has_advanced,
        is_strained=plan.is_strained,
        was_strained=part is not None and part.was_strained and not plan.is_strained,
        faces=faces,
        against=f"difficulty {planned.inputs.difficulty}",
    )
    return grow(scene, who, earned)


def buildup_key(who: CharacterId) -> str:
    """Key of a character's build-up."""
    return f"buildup/{who}"


def after_criticals(scene: Scene, who: CharacterId, criticals: int) -> tuple[Scene, tuple[str, ...]]:
    """Break a character's build-up where a roll of theirs has failed critically.

    Source: SWIM-POOL-03 (SWIM-R35).
    """
    if not criticals or scene.document(buildup_key(who)) is None:
        return scene, ()
    name = scene.character(who).name
    return scene.with_document(buildup_key(who), None), (f"{name}’s build-up is broken.",)
