"""Own checks and checks that the GM requests."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.post_magic_maid.character.pairs import named_pair
from bot.rules.post_magic_maid.character.scene import Outcome, Scene
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.checks.awaiting import Awaited, drop_awaited, first_awaited, with_awaited
from bot.rules.post_magic_maid.checks.performance import (
    Checked,
    CheckPlan,
    MaidCheckOptions,
    inputs_of,
    make_check,
    plan_of,
)
from bot.rules.post_magic_maid.checks.tier_check import chance_to_reach
from bot.rules.post_magic_maid.combat.turns.turns import turn_buttons
from bot.rules.post_magic_maid.resolution.tiers import MaidTier


class MaidCall(Document):
    """A check that the GM requests from a character."""

    character: CharacterId
    first: MaidAttribute
    second: MaidAttribute
    ability: str = ""
    needed: MaidTier | None = None


class MaidCallOptions(Document):
    """Options for requesting a check.

    Attributes:
        character: From whom.
        first: One attribute.
        second: Another attribute.
        ability: The ability that applies, or nothing.
        needed: The tier that is needed, or None.
    """

    character: CharacterId
    first: MaidAttribute
    second: MaidAttribute
    ability: str = Field(default="", max_length=100)
    needed: MaidTier | None = None


class MaidAnswerOptions(Document):
    """Options for answering a requested check.

    Attributes:
        call: Which one; the oldest without it.
        ability: The ability that is used; the GM's choice without it.
        bonus_dice: Bonus d8s from one's pool thrown in.
    """

    call: str = ""
    ability: str = Field(default="", max_length=100)
    bonus_dice: int = Field(default=0, ge=0, le=12)


def told_check(checked: Checked, plan: CheckPlan, character: CharacterId) -> Outcome:
    """The outcome of a plain check."""
    return Outcome(
        scene=checked.scene,
        headline=f"checks {plan.words}",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=checked.notes,
        follow_ups=turn_buttons(checked.scene, character),
    )


def own_check(scene: Scene, options: MaidCheckOptions, dice: Dice) -> Outcome:
    """Make a check as the acting character.

    Source: PMM-CHK-02, PMM-CHK-06.
    """
    plan = plan_of(options)
    return told_check(make_check(scene, scene.actor.id, plan, dice), plan, scene.actor.id)


declare("check", MaidCheckOptions, own_check, can_repeat=True)


def called_check(scene: Scene, options: MaidCheckOptions, dice: Dice) -> Outcome:
    """Make a check that the GM has requested; it takes no action.

    Source: PMM-CHK-02.
    """
    plan = replace(plan_of(options), is_action=False)
    return told_check(make_check(scene, scene.actor.id, plan, dice), plan, scene.actor.id)


declare("called", MaidCheckOptions, called_check)


def call_for_check(scene: Scene, options: MaidCallOptions, _dice: Dice) -> Outcome:
    """Request a check from a character; its player rolls by button and no action is spent.

    Source: PMM-CHK-02.
    """
    character = scene.character(options.character)
    named_pair(options.first, options.second)
    call = MaidCall(**dict(options))
    plan = _call_plan(call, MaidAnswerOptions())
    key = f"call/{scene.moment}"
    button = answer_button(scene, call, key)
    scene = scene.with_document(key, call)
    scene = with_awaited(scene, character.id, Awaited.CALLS, key)
    wanted = f", {options.needed.words} needed" if options.needed else ""
    headline = f"calls for a check of {character.name}: {plan.words}{wanted}"
    return Outcome(scene=scene, headline=headline, follow_ups=(button,))


declare("call", MaidCallOptions, call_for_check, gm_only=True, needs_actor=False)


def answer_button(scene: Scene, call: MaidCall, key: str) -> FollowUp:
    """The button that makes a requested check, with its chance where a tier is needed."""
    plan = _call_plan(call, MaidAnswerOptions())
    inputs = inputs_of(scene, scene.character(call.character), plan)
    chance = f" · {percent(chance_to_reach(inputs, call.needed))}" if call.needed else ""
    return FollowUp(
        procedure="answer",
        options=MaidAnswerOptions(call=key),
        label=f"Roll {plan.words[:60]}{chance}",
        character=call.character,
        group="answer",
    )


def _call_plan(call: MaidCall, options: MaidAnswerOptions) -> CheckPlan:
    return CheckPlan(
        first=call.first,
        second=call.second,
        ability=options.ability or call.ability,
        bonus_dice=options.bonus_dice,
        needed=call.needed,
        is_action=False,
    )


def answer_call(scene: Scene, options: MaidAnswerOptions, dice: Dice) -> Outcome:
    """Make the check that the GM has requested."""
    character = scene.actor
    key = options.call or first_awaited(scene, character.id, Awaited.CALLS)
    call = scene.document(key) if key else None
    if not isinstance(call, MaidCall) or call.character != character.id:
        raise UserError(
            f"No check is waiting for {character.name}.", try_this="Roll your own with /maid check."
        )
    plan = _call_plan(call, options)
    checked = make_check(scene, character.id, plan, dice)
    scene = drop_awaited(checked.scene, character.id, Awaited.CALLS, key)
    return told_check(
        Checked(scene=scene, roll=checked.roll, tier=checked.tier, notes=checked.notes), plan, character.id
    )


declare("answer", MaidAnswerOptions, answer_call)
