"""How slots are restored, and how fast magic may grow."""

from collections.abc import Sequence

from bot.rules.kernel import evolve
from bot.rules.rpj.module.costs import POINTS_A_TIER
from bot.rules.rpj.module.slots import Slot

RECOVERY = 2
HOUR_SECONDS = 3600


def hourly_recovery(effective: int) -> int:
    """Levels of slots that one hour of concentration restores.

    Source: RPJ-SMAG-15 (SMAG-15b).
    """
    return max(RECOVERY + effective, 0)


def recovered(slots: Sequence[Slot], allowance: int) -> tuple[Slot, ...]:
    """Slots after a full hour: the highest that fits is restored first, then whatever still fits.

    Args:
        slots: The slots of one source: those of skills, or those of one trait.
        allowance: Levels to restore; what is not used does not carry over.

    Source: RPJ-SMAG-15 (SMAG-15a).
    """
    after = list(slots)
    for place in sorted(range(len(after)), key=lambda place: -after[place].level):
        if after[place].is_spent and after[place].level <= allowance:
            allowance -= after[place].level
            after[place] = evolve(after[place], is_spent=False)
    return tuple(after)


def most_magic(total_points: int) -> int:
    """The largest sum of base levels in all magic skills, where magic builds slowly.

    Source: RPJ-SMAG-23.
    """
    return total_points // POINTS_A_TIER
