"""Gifts turned into faults: bonuses become penalties, for fewer points than the gift costs."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.advancement.traits import MOST_TRAITS
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.effects import (
    AttributeAdjust,
    BaseSaveAdd,
    Effect,
    LuckyBreaksMaximum,
    RollBonus,
    UnarmedDamage,
)
from bot.rules.rpj.module.entry import id_of
from bot.rules.rpj.module.module import Module, RpjTrait, TraitKind
from bot.rules.rpj.module.pack_effects import AbilityPower, LoadLimit, RangedDefense, SlotCount
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.wording import character_points

_NUMBERED = (
    RollBonus,
    AttributeAdjust,
    LuckyBreaksMaximum,
    UnarmedDamage,
    AbilityPower,
    SlotCount,
    LoadLimit,
    RangedDefense,
)


def _turned(effect: Effect) -> Effect | None:
    """The reverse of an effect; None where it adds no number."""
    if isinstance(effect, BaseSaveAdd):
        return evolve(effect, count=-effect.count)
    if isinstance(effect, UnarmedDamage):
        effect = evolve(effect, may_choose_lethal=False)
    if isinstance(effect, _NUMBERED) and effect.value > 0:
        return evolve(effect, value=-effect.value)
    return None


def inverted(gift: RpjTrait, name: str, refund: int | None = None) -> RpjTrait:
    """The fault that mirrors a gift.

    Args:
        gift: The gift.
        name: The name of the fault.
        refund: Character points it gives; by default half the gift's cost, rounded down.

    Raises:
        UserError: If the gift adds no number, or the fault gives nothing or as much as the gift costs.

    Source: RPJ-APPX-06 (APPX-06a), RPJ-TRAIT-05.
    """
    effects = tuple(turned for turned in map(_turned, gift.effects) if turned is not None)
    if gift.kind is not TraitKind.GIFT or not effects:
        raise UserError(f"{gift.name} has no bonus to turn into a penalty.")
    given_back = gift.cost // 2 if refund is None else refund
    if not 1 <= given_back < gift.cost:
        raise UserError(
            f"A fault that mirrors {gift.name} must give fewer than its {gift.cost} points.",
            f"Choose 1 to {gift.cost - 1}.",
        )
    return RpjTrait(
        id=id_of(name),
        name=" ".join(name.split()),
        description=f"The reverse of {gift.name}.",
        kind=TraitKind.FAULT,
        cost=-given_back,
        mirrors=gift.id,
        excludes=(gift.id,),
        needs=gift.needs,
        effects=effects,
    )


class InvertOptions(Document):
    """The options of turning a gift into a fault.

    Attributes:
        gift: The gift, by name or id.
        name: The name of the fault.
        refund: Character points it gives; by default half the gift's cost.
    """

    gift: str = Field(max_length=100)
    name: str = Field(min_length=1, max_length=60)
    refund: int | None = Field(default=None, ge=1, le=30)


def _gift(module: Module, typed: str) -> RpjTrait:
    wanted = " ".join(typed.split()).casefold()
    for trait in module.traits:
        if wanted in (trait.name.casefold(), trait.id):
            return trait
    names = ", ".join(trait.name for trait in module.traits if trait.kind is TraitKind.GIFT)
    raise UserError(f"{module.name} has no gift called “{typed}”.", f"Its gifts: {names}.")


def invert(scene: Scene, options: InvertOptions, _dice: Dice) -> Outcome:
    """Add a fault that mirrors a gift to the campaign's traits.

    Raises:
        UserError: If it cannot be added.

    Source: RPJ-APPX-06, RPJ-TRAIT-05.
    """
    settings = scene.settings
    module = module_in(settings)
    fault = inverted(_gift(module, options.gift), options.name, options.refund)
    if not fault.id or module.trait(fault.id) is not None:
        raise UserError(f"You can't use the name {options.name}, or it is taken.", "Choose another name.")
    if len(settings.traits) >= MOST_TRAITS:
        raise UserError(f"A campaign can have {MOST_TRAITS} traits of its own.", "Put more into a module.")
    changed = replace(scene, settings=settings.with_trait(fault))
    note = f"{fault.description} It gives {character_points(-fault.cost)}."
    return Outcome(scene=changed, headline=f"adds a fault: {fault.name}", notes=(note,))


declare("invert", InvertOptions, invert, gm_only=True, needs_actor=False)
