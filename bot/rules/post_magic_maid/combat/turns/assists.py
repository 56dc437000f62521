"""Assists: spending an action to help another's."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.scene import Outcome, Scene
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.character.wounds import assert_can_act
from bot.rules.post_magic_maid.checks.actions import take_action
from bot.rules.post_magic_maid.checks.performance import (
    Assist,
    CheckPlan,
    MaidHelp,
    assist_key,
    make_check,
    waiting_assist,
)
from bot.rules.post_magic_maid.combat.state.encounter import find_encounter
from bot.rules.post_magic_maid.combat.turns.turns import turn_buttons
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.post_magic_maid.resolution.tiers import MaidTier, assisted


class AssistOptions(Document):
    """Options for an assist.

    Attributes:
        target: Whose next action.
        first: One attribute.
        second: Another attribute.
        ability: The ability that is used, or nothing.
        bonus_dice: Bonus d8s from one's pool thrown in.
        tier: The tier it is to be; only a GM says so.
    """

    target: CharacterId
    first: MaidAttribute
    second: MaidAttribute
    ability: str = Field(default="", max_length=100)
    bonus_dice: int = Field(default=0, ge=0, le=12)
    tier: MaidTier | None = None


def give_assist(scene: Scene, options: AssistOptions, dice: Dice) -> Outcome:
    """Assist another's next action before it is rolled; in an encounter this takes an action.

    Source: PMM-AST-01 (PMM-R32: the turn order does not matter; the best assist counts; PMM-R46).
    """
    actor, target = scene.actor, scene.character(options.target)
    if actor.id == target.id:
        raise UserError("You can't assist yourself.", try_this="Choose someone else.")
    assert_can_act(actor)
    assert_can_act(target)
    encounter = find_encounter(scene)
    combatant = encounter.combatant(actor.id) if encounter else None
    before = scene
    penalty: tuple[NamedTerm, ...] = ()
    if encounter is not None and combatant is not None:
        before, penalty = take_action(scene, encounter, combatant)
    plan = CheckPlan(
        first=options.first,
        second=options.second,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        forced=options.tier,
        is_action=False,
        can_be_helped=False,
        penalty=penalty,
    )
    checked = make_check(before, actor.id, plan, dice, MaidPurpose.HELPER)
    waiting = waiting_assist(checked.scene, target.id)
    helps = (*(waiting.helps if waiting else ()), MaidHelp(name=actor.name, tier=checked.tier))
    scene = checked.scene.with_document(assist_key(target.id), Assist(helps=helps))
    best = Assist(helps=helps).best
    can_lift = assisted(MaidTier.BELOW_10, best.tier) is not MaidTier.BELOW_10
    note = (
        f"{target.name}'s next action gets an assist of {best.tier.words} from {best.name}."
        if can_lift
        else f"That is too little to help {target.name}'s next action."
    )
    return Outcome(
        scene=scene,
        headline=f"assists {target.name}",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, note),
        follow_ups=turn_buttons(scene, actor.id),
    )


declare("assist", AssistOptions, give_assist)
