"""Passive abilities: gaining and strengthening them with the GM's approval, and using them."""

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Deadline,
    Document,
    Family,
    FollowUp,
    Place,
    Verdict,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.advancement.advancement import (
    MaidAdvance,
    advance_passive,
    assert_level_up,
    spend_level_up,
)
from bot.rules.post_magic_maid.character.pairs import named_pair
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene
from bot.rules.post_magic_maid.character.sheet import (
    AbilityName,
    Activation,
    EffectText,
    MaidAbility,
    MaidAttribute,
)
from bot.rules.post_magic_maid.character.wounds import assert_can_act
from bot.rules.post_magic_maid.checks.performance import CheckPlan, make_check
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.post_magic_maid.resolution.tiers import MaidTier

DECLINED = Verdict(Family.FAILURE, "declined")


class MaidPassiveOptions(Document):
    """Options for spending a level-up on a passive ability.

    Attributes:
        ability: An old one, or the name of a new one.
        effect: What the new step does.
    """

    ability: AbilityName
    effect: EffectText = ""


class PassiveRequest(Document):
    """A passive step that waits for the GM's approval, and its words."""

    character: CharacterId
    ability: AbilityName
    effect: EffectText = ""
    words: str = ""


class MaidApproveOptions(Document):
    """Options for approving or declining a passive step.

    Attributes:
        request: Which one.
        approved: Whether it is approved.
    """

    request: str
    approved: bool


class MaidUseOptions(Document):
    """Options for using a passive ability.

    Attributes:
        ability: Its name.
        bonus_dice: Bonus d8s from one's pool thrown in, where it takes a check.
    """

    ability: str = Field(max_length=100)
    bonus_dice: int = Field(default=0, ge=0, le=12)


class ActivationOptions(Document):
    """Options for a passive ability's check; no attributes mean no check.

    Attributes:
        target: Whose ability.
        ability: Its name.
        first: One attribute, or None for no check.
        second: Another attribute.
        tier: The tier that is needed.
    """

    target: CharacterId
    ability: str = Field(max_length=100)
    first: MaidAttribute | None = None
    second: MaidAttribute | None = None
    tier: MaidTier = MaidTier.TEN


def advance_outcome(scene: Scene, advance: MaidAdvance) -> Outcome:
    """The outcome of an advance."""
    return Outcome(scene=scene, headline=f"levels up: {advance.words}", notes=advance.notes)


def ask_for_passive(scene: Scene, options: MaidPassiveOptions, _dice: Dice) -> Outcome:
    """Spend a level-up on a passive step; it stays pending until a GM approves.

    Source: PMM-ADV-05, PMM-ABL-04.
    """
    actor = scene.actor
    assert_level_up(actor)
    advance = advance_passive(actor.sheet, options.ability, options.effect)
    if scene.is_gm:
        return advance_outcome(spend_level_up(scene, actor, advance), advance)
    key = f"passive/{scene.moment}"
    request = PassiveRequest(
        character=actor.id, ability=options.ability, effect=options.effect, words=advance.words
    )
    effect = (options.effect,) if options.effect else ()
    return Outcome(
        scene=scene.with_document(key, request),
        headline=f"asks the GM for {advance.words}",
        notes=effect,
        follow_ups=approval_buttons(key, advance.words),
    )


declare("passive", MaidPassiveOptions, ask_for_passive)


def approval_buttons(key: str, words: str) -> tuple[FollowUp, ...]:
    """The GM's two buttons about a request: approve or decline it."""
    return tuple(
        FollowUp(
            procedure="approve",
            options=MaidApproveOptions(request=key, approved=approved),
            label="Approve" if approved else "Decline",
            audience=Audience.GM,
            group="approve",
            window=Deadline(until=(key,)),
            deal=words if approved else "",
            note="The level-up isn't spent until the GM approves.",
            place=Place.VERDICT,
        )
        for approved in (True, False)
    )


def approve_passive(scene: Scene, options: MaidApproveOptions, _dice: Dice) -> Outcome:
    """Approve a passive step, or decline it; then the level-up stays pending.

    Source: PMM-ABL-04, PMM-ADV-05.
    """
    request = scene.document(options.request)
    if not isinstance(request, PassiveRequest):
        raise UserError("That request has already been decided.")
    scene = scene.with_document(options.request, None)
    character = scene.character(request.character)
    if not options.approved:
        headline = f"declines {request.ability} for {character.name}"
        return Outcome(scene=scene, headline=headline, verdict=DECLINED, moments=(options.request,))
    advance = _approved(character, request)
    return Outcome(
        scene=spend_level_up(scene, character, advance),
        headline=f"approves {advance.words} for {character.name}",
        verdict=Verdict(Family.SUCCESS, "approved"),
        notes=advance.notes,
        moments=(options.request,),
        deal=advance.words,
    )


def _approved(character: Character, request: PassiveRequest) -> MaidAdvance:
    """The advance that was asked for.

    Raises:
        UserError: If it is not possible any more, in words for the GM.
    """
    try:
        assert_level_up(character)
        return advance_passive(character.sheet, request.ability, request.effect)
    except UserError as problem:
        what = f"{character.name} can't get {request.ability} any more: {problem.what}"
        raise UserError(what, "Decline it; the level-up isn't spent.") from problem


declare("approve", MaidApproveOptions, approve_passive, gm_only=True, needs_actor=False)


def _passive(character: Character, name: str) -> MaidAbility:
    ability = character.sheet.ability(name)
    if not ability.is_passive:
        raise UserError(f"{ability.name} is an active ability.", try_this="Use it in a check.")
    return ability


def use_passive(scene: Scene, options: MaidUseOptions, dice: Dice) -> Outcome:
    """Use a passive ability, with the check that the GM has set for it, if any.

    The ability adds nothing to the check, and the check takes no action.

    Source: PMM-ABL-05.
    """
    actor = scene.actor
    assert_can_act(actor)
    ability = _passive(actor, options.ability)
    wants = ability.activation
    if wants is None:
        return Outcome(scene=scene, headline=f"uses {ability.name}", notes=ability.effects)
    plan = CheckPlan(
        first=wants.first,
        second=wants.second,
        bonus_dice=options.bonus_dice,
        needed=wants.tier,
        is_action=False,
        can_be_helped=False,
    )
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.PASSIVE)
    is_active = checked.tier.level >= wants.tier.level
    verdict = Verdict(Family.SUCCESS, "active") if is_active else Verdict(Family.FAILURE, "doesn't work")
    return Outcome(
        scene=checked.scene,
        headline=f"uses {ability.name} with {plan.words}",
        verdict=verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, *(ability.effects if is_active else ())),
    )


declare("use", MaidUseOptions, use_passive, can_repeat=True)


def set_activation(scene: Scene, options: ActivationOptions, _dice: Dice) -> Outcome:
    """Set or remove the check that a passive ability needs.

    Source: PMM-ABL-05.
    """
    character = scene.character(options.target)
    ability = _passive(character, options.ability)
    wants = None
    ruling = "needs no check"
    pair = named_pair(options.first, options.second)
    if pair is not None:
        wants = Activation(first=pair[0], second=pair[1], tier=options.tier)
        ruling = f"needs {wants.first} + {wants.second}, {wants.tier.words}"
    sheet = character.sheet.with_ability(evolve(ability, activation=wants))
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"rules that {character.name}'s {ability.name} {ruling}",
    )


declare("activation", ActivationOptions, set_activation, gm_only=True, needs_actor=False)
