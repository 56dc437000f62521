"""A character's attacks with each weapon, as the sheet and the board of a fight offer them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from bot.rules.compare_roll.character.catalogue import Armed, armed
from bot.rules.compare_roll.character.sheet import Scene, is_standing
from bot.rules.compare_roll.combat.commands.attacks import CompareAttackOptions, attack
from bot.rules.compare_roll.combat.state.encounter import find_fighter
from bot.rules.compare_roll.combat.state.strikes import damage_inputs, dice_words
from bot.rules.compare_roll.resolution.tables import CompareShare
from bot.rules.kernel import Choice, FollowUp
from bot.rules.shared.nearby import choices_among, first_id, foes_first, is_friend
from bot.rules.shared.offering import TryingDice, act_of, is_allowed

MOST_WEAPONS = 12


@dataclass(frozen=True, slots=True)
class WeaponAttack:
    """An attack with one weapon: the menu of its targets, and whether it is possible now."""

    weapon: Armed
    menu: FollowUp
    is_possible: bool

    @property
    def words(self) -> str:
        """The weapon and its damage: "Pistol 9/10 · 1d6"."""
        return f"{self.weapon.words} · {dice_words(damage_inputs(self.weapon, CompareShare.FULL))}"


def targets_of(scene: Scene) -> tuple[Choice, ...]:
    """Whom the acting character can attack; in a fight only foes that still stand."""
    fighting = find_fighter(scene, scene.actor.id) is not None
    return choices_among(
        one for one in foes_first(scene) if is_standing(one) and not (fighting and is_friend(scene, one))
    )


def weapon_attacks(scene: Scene) -> Iterator[WeaponAttack]:
    """The acting character's attacks, with each weapon; none if there is nobody to attack.

    Source: CMP-COM-08, CMP-WPN-08.
    """
    targets = targets_of(scene)
    for weapon in list(armed(scene.actor.sheet, scene.settings))[:MOST_WEAPONS] if targets else ():
        options = CompareAttackOptions(targets=(first_id(targets),), weapon=weapon.weapon.name)
        menu = act_of(scene, "attack", options, "Attack", choices=targets, chosen="targets")
        yield WeaponAttack(weapon, menu, is_allowed(partial(attack, scene, options, TryingDice())))
