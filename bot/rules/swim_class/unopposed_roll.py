"""Make an unopposed roll: spend the action, roll, and apply growth, wear and criticals."""

from collections.abc import Iterable
from typing import TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from bot.rules import kernel
from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, Procedure, Roll, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import counted
from bot.rules.swim_class.damage import Mishap, assert_can_act, critical_buttons, critical_note
from bot.rules.swim_class.encounter import FULL_ACTION, HALF_ACTION, prepared_for, spend
from bot.rules.swim_class.growth import Earned, Scored, advances, grow
from bot.rules.swim_class.opposition import DefenceInputs
from bot.rules.swim_class.plans import OpenPart, Planned, PoolPlan, open_part, plan_pool, with_part
from bot.rules.swim_class.pools import (
    WHOLE,
    Judged,
    PoolDie,
    Source,
    SwimPoolInputs,
    SwimPurpose,
    best_progress,
    judge,
    pool_verdict,
    progress_words,
    roll_faces,
    told_roll,
)
from bot.rules.swim_class.sheet import Character, Outcome, Scene, book, wear, with_states
from bot.rules.swim_class.tables import Pool

Own: TypeAlias = Procedure[Document, Scene]
STRAIN, CONSENTED = "strain", "consented"


class _Ones:
    """Dice that always show a 1, so that no skill advances."""

    def roll(self, _sides: int) -> int:
        """The lowest face."""
        return 1


def asking_first(procedure: Own) -> Own:
    """Wrap a procedure so that it asks before straining a skill. [SWIM-POOL-06 (SWIM-R37)]"""
    if STRAIN not in procedure.options.model_fields:
        return procedure

    def run(scene: Scene, options: Document, dice: Dice) -> kernel.Outcome:
        if not getattr(options, STRAIN):
            return procedure.run(scene, options, dice)
        deal = _deal(scene, procedure, options)
        if deal is None:
            return procedure.run(scene, options, dice)
        if getattr(options, CONSENTED):
            return replace(procedure.run(scene, options, dice), deal=deal.words)
        return _question(scene, procedure, options, deal)

    return replace(procedure, run=run)


class _Deal(Struct, frozen=True):
    """The gain and cost of straining a skill."""

    skill: str
    gain: str

    @property
    def words(self) -> str:
        """The deal in words, as stored with the button."""
        return f"straining {self.skill}, {self.gain}"


def _deal(scene: Scene, procedure: Own, options: Document) -> _Deal | None:
    """The gain and cost of straining now; None if an earlier part has already cost the rank.

    Raises:
        UserError: If it is not allowed anyway.
    """
    tried = cast(Outcome, procedure.run(scene, options.model_copy(update={CONSENTED: True}), _Ones()))
    cost = _cost(scene, tried)
    if cost is None:
        return None
    skill, price = cost
    dice = next((len(roll.dice) for roll in tried.rolls if _skill_of(roll.inputs) == skill), 0)
    return _Deal(skill, f"{dice} dice, then {price}" if dice else price)


def _question(scene: Scene, procedure: Own, options: Document, deal: _Deal) -> kernel.Outcome:
    """Ask the GM to allow exactly this."""
    allow = FollowUp(
        procedure=procedure.key,
        options=options.model_copy(update={CONSENTED: True}),
        label=f"Allow: {deal.gain}"[:80],
        audience=Audience.GM,
        character=scene.actor_id,
        group=STRAIN,
        deal=deal.words,
        is_owed=True,
    )
    without = FollowUp(
        procedure=procedure.key,
        options=options.model_copy(update={STRAIN: False}),
        label="Roll without straining",
        character=scene.actor_id,
        group=STRAIN,
    )
    return Outcome(
        scene=scene,
        headline=f"wants to strain {deal.skill}",
        notes=(f"{deal.gain}, for good. The GM allows it in desperate situations.",),
        follow_ups=(allow, without),
    )


def _cost(scene: Scene, tried: Outcome) -> tuple[str, str] | None:
    """The skill that would lose a rank, and the change in words, or None."""
    skills = book(scene)
    for who, after in tried.scene.characters.items():
        before = scene.character(who).sheet.ranks
        for key, rank in after.sheet.ranks.items():
            if rank < skills.rank(before, key):
                title = skills.title(key)
                return title, f"{title} {skills.rank(before, key)} → {rank}"
    return None


def _skill_of(inputs: object) -> str:
    return inputs.skill if isinstance(inputs, SwimPoolInputs | DefenceInputs) else ""


class Performed(Struct, frozen=True, kw_only=True):
    """A roll that was made."""

    scene: Scene  # the scene afterwards
    planned: Planned  # its pool
    judged: Judged  # its result
    verdict: Verdict  # the result in words
    rolls: tuple[Roll, ...]  # the roll unless it was automatic, then rolls for equipment
    notes: tuple[str, ...]  # other effects
    follow_ups: tuple[FollowUp, ...]  # the buttons it offers


class Prepared(Struct, frozen=True, kw_only=True):
    """A roll whose action is spent and whose pool is known."""

    scene: Scene  # the scene now
    plan: PoolPlan  # the final plan
    planned: Planned  # its pool
    part: OpenPart | None  # the rest of a divided action after the roll, or None
    notes: tuple[str, ...] = ()  # a note about the prepared action that is used


def prepare(scene: Scene, character: Character, plan: PoolPlan, *, is_action: bool = True) -> Prepared:
    """Spend the action that a roll needs, and find its pool.

    A prepared action with that skill is used instead of one of the turn's.

    Raises:
        UserError: If the character cannot act, or the plan is not allowed.

    [SWIM-POOL-07, SWIM-POOL-08, SWIM-COMB-14, SWIM-COMB-16]
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
        notes = (f"Prepared action: {held.trigger}",)
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
    part = evolve(begun, own=planned.left_own, added=planned.left_added)
    return Prepared(scene=scene, plan=plan, planned=planned, part=part, notes=notes)


def part_note(scene: Scene, part: OpenPart | None) -> tuple[str, ...]:
    """A note about the dice left of a divided action."""
    if part is None:
        return ()
    title = book(scene).title(part.skill)
    if not part.left:
        return (f"All {title} dice of this action are used.",)
    return (f"{counted(part.left, 'die', 'dice')} of {title} left for other parts.",)


def kept_note(inputs: SwimPoolInputs) -> tuple[str, ...]:
    """A note about dice rolled in earlier rounds of a build-up."""
    return ("[ ]: banked in earlier rounds.",) if inputs.banked else ()


def own_dice(dice: Iterable[PoolDie], scores: Iterable[bool], rank: int) -> tuple[Scored, ...]:
    """The dice that decide an advance: the skill's own, or the artifact's if there is no rank.

    [SWIM-IMPL-05, SWIM-IMPL-06]
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
    """Make an unopposed roll as a character. [SWIM-TASK-12, SWIM-ADV-01 to SWIM-ADV-05, SWIM-POOL-06]

    Raises:
        UserError: If the character cannot act, or the plan is not allowed.
    """
    prepared = prepare(scene, scene.character(who), plan, is_action=is_action)
    return perform_prepared(prepared, who, dice, purpose=purpose, mishap=mishap)


def perform_prepared(
    prepared: Prepared,
    who: CharacterId,
    dice: Dice,
    *,
    purpose: SwimPurpose = SwimPurpose.CHECK,
    mishap: Mishap = Mishap.OTHER,
) -> Performed:
    """Make an unopposed roll whose action is spent and whose pool is known.

    [SWIM-TASK-12, SWIM-ADV-01 to SWIM-ADV-05, SWIM-POOL-06]
    """
    planned, inputs = prepared.planned, prepared.planned.inputs
    scene = prepared.scene
    rolls: tuple[Roll, ...] = ()
    if inputs.is_automatic:
        judged = judge(inputs, ())
    else:
        judged = judge(inputs, roll_faces(inputs, dice))
        rolls = (told_roll(inputs, judged).by(scene.character(who), purpose),)
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
    """A warning if these dice cannot reach the needed progress. [SWIM-TASK-03]"""
    if inputs.needed is None or not inputs.at_once:
        return ()
    most = best_progress(inputs)
    if most // WHOLE >= inputs.needed:
        return ()
    best = progress_words(most)
    return (f"Out of reach: these dice can make at most {best}, and you need {inputs.needed}.",)


def could_fail(inputs: SwimPoolInputs, modifier: int) -> bool:
    """Whether an unopposed roll could have failed. [SWIM-ADV-02]"""
    return not inputs.is_automatic and inputs.difficulty - modifier >= 2


def _grown(
    scene: Scene, who: CharacterId, prepared: Prepared, judged: Judged
) -> tuple[Scene, tuple[str, ...]]:
    """Advance a skill by its own dice, those of a whole action even if divided."""
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
    """The document key of a character's build-up."""
    return f"buildup/{who}"


def after_criticals(scene: Scene, who: CharacterId, criticals: int) -> tuple[Scene, tuple[str, ...]]:
    """Break a character's build-up after a critical failure. [SWIM-POOL-03 (SWIM-R35)]"""
    if not criticals or scene.document(buildup_key(who)) is None:
        return scene, ()
    name = scene.character(who).name
    return scene.with_document(buildup_key(who), None), (f"{name}'s build-up is broken.",)
