"""The modifiers of a roll from traits and equipment."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.implements import SwimItem, SwimRole
from bot.rules.swim_class.character.sheet import Scene, SwimSheet
from bot.rules.swim_class.character.skills import parent_of
from bot.rules.swim_class.resolution.tables import SkillKey


def trait_modifier(sheet: SwimSheet, skill: SkillKey) -> int:
    """The modifier of each die of a skill from traits.

    Source: SWIM-RACE-06 (SWIM-R88, SWIM-R89).
    """
    plain = parent_of(skill)
    total = 0
    for trait, held in sheet.known_traits:
        total += held.degree if trait.plus == plain else 0
        total -= (held.degree if held.penalty is None else held.penalty) if trait.minus == plain else 0
    return total


@dataclass(frozen=True, slots=True)
class SwimGear:
    """Equipment's effect on a roll: a bonus, cancelled criticals, dice, and the items they come from."""

    bonus: int
    cancels: int
    dice: int
    dice_from: str
    uses: tuple[str, ...]


def gear_for(scene: Scene, sheet: SwimSheet, role: SwimRole, skill: SkillKey, named: str = "") -> SwimGear:
    """The best effects of each kind among the equipment in use.

    Raises:
        UserError: If the named item is not on the sheet.

    Source: SWIM-IMPL-01 to SWIM-IMPL-03, SWIM-IMPL-09 (SWIM-R66), SWIM-ITEM-05.
    """
    chosen = None if not named else sheet.find_item(named)
    if named and chosen is None:
        raise UserError(f"You have no “{named.strip()}”.", try_this="See /swim-gear list.")
    in_use = [item for item in sheet.items if item.is_equipped and not item.is_by_choice]
    helping = in_use if chosen is None else [chosen]
    bonus, bonus_from = _best(scene, [(item.bonus(role, skill), item) for item in helping])
    cancelling = helping if chosen is None or chosen in in_use else [*in_use, chosen]
    cancels, cancels_from = _best(scene, [(item.cancels_for(skill), item) for item in cancelling])
    dice, dice_from = _best(scene, [(item.dice_for(skill), item) for item in in_use])
    uses = tuple(dict.fromkeys((*bonus_from, *cancels_from, *dice_from)))
    return SwimGear(bonus, cancels, dice, dice_from[0] if dice_from else "", uses)


def _best(scene: Scene, found: Sequence[tuple[int, SwimItem]]) -> tuple[int, tuple[str, ...]]:
    """The best bonus and its source; all of them if the campaign lets them add up."""
    giving = [(bonus, item.name) for bonus, item in found if bonus > 0]
    if scene.settings.stack_implements:
        return sum(bonus for bonus, _ in giving), tuple(name for _, name in giving)
    if not giving:
        return 0, ()
    bonus, name = max(giving, key=lambda one: one[0])
    return bonus, (name,)
