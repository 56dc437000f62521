"""What happens when timers run out: each kind has its home, and this finds it."""

from collections.abc import Sequence

from bot.rules.rpj import fates
from bot.rules.rpj.money.pockets import MONTH, months_pass
from bot.rules.ruleset import DueTimer, Scene, Turning


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> Turning:
    """Let timers run out, in their order.

    Source: RPJ-GM-07, RPJ-MONEY-12.
    """
    turning = Turning(scene=scene)
    for timer in due:
        happens = months_pass if timer.key == MONTH else fates.timers_due
        after = happens(turning.scene, (timer,))
        turning = Turning(
            scene=after.scene,
            notes=(*turning.notes, *after.notes),
            follow_ups=(*turning.follow_ups, *after.follow_ups),
        )
    return turning
