"""Many mooks attacking at once, with fewer rolls than mooks."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.kernel import Roll
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.attacks import Hit, RpjAim, attack_check, hit_of, is_open, sure_hit
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.defenses import Defense
from bot.rules.rpj.resolution.check import CHECK, dice_of, reading_of


@dataclass(frozen=True, slots=True)
class Swarmed:
    """One attack of a swarm.

    Attributes:
        aim: The attack.
        roll: The roll whose dice it has, counted from 0.
        hit: What it comes to.
    """

    aim: RpjAim
    roll: int
    hit: Hit


def swarm(
    battle: Battle, aims: Sequence[RpjAim], defense: Defense, rolls: int, dice: Dice
) -> tuple[Swarmed, ...]:
    """The attacks of a swarm: a number of rolls shared among the attacks in order.

    Args:
        battle: The battle.
        aims: The attacks; those with the dice of the first roll are told by it, and so on.
        defense: How the target meets them.
        rolls: How many times dice are rolled.
        dice: Where they fall.

    Raises:
        UserError: If there are more rolls than attacks, or none.

    Source: RPJ-GCS-49, RPJ-INV-04 (INV-04b).
    """
    if not 1 <= rolls <= len(aims):
        raise UserError(f"{rolls} rolls need at least {rolls} attacks.", f"You have {len(aims)}.")
    if is_open(battle[aims[0].target]):
        return tuple(Swarmed(aim, number % rolls, sure_hit(aim.arm)) for number, aim in enumerate(aims))
    thrown: list[Roll] = []
    swarmed: list[Swarmed] = []
    for number, aim in enumerate(aims):
        inputs = attack_check(battle, aim, defense)
        if number < rolls:
            thrown.append(CHECK.resolve(inputs, dice))
            roll = thrown[-1]
        else:
            roll = with_dice_of(thrown[number % rolls], inputs.model_dump())
        swarmed.append(Swarmed(aim, number % rolls, hit_of(roll, aim.arm)))
    return tuple(swarmed)


def with_dice_of(roll: Roll, inputs: dict[str, object]) -> Roll:
    """The same dice read for another attack; nothing is rolled."""
    faces, confirmation = dice_of(roll)
    lying = CHECK.inputs.model_validate({**inputs, "fallen": faces, "confirmation": confirmation})
    return CHECK.resolve(lying, _RpjNoDice())


class _RpjNoDice:
    """Dice already rolled."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} that lies on the table was rolled again")


def hits(swarmed: Sequence[Swarmed]) -> int:
    """The number of hits."""
    return sum(reading_of(one.hit.rolls[0]).result.is_success for one in swarmed)
