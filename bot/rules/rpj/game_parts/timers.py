"""What happens when timers run out: each kind has its home, and this finds it."""

from collections.abc import Callable, Mapping, Sequence

from bot.rules.kernel import DueTimer
from bot.rules.rpj.character.concentration import CONCENTRATION, hours_pass
from bot.rules.rpj.character.conditions_on_sheet import CONDITION
from bot.rules.rpj.character.pockets import MONTH, months_pass
from bot.rules.rpj.character.sheet import HookResult, Scene
from bot.rules.rpj.combat.commands import bleeding_and_waking as fates
from bot.rules.rpj.conditions.condition_ticks import conditions_pass
from bot.rules.rpj.magic.ability_commands import PRACTICE, practice_ends

_HOMES: Mapping[str, Callable[[Scene, Sequence[DueTimer]], HookResult]] = {
    MONTH: months_pass,
    CONCENTRATION: hours_pass,
    CONDITION: conditions_pass,
    PRACTICE: practice_ends,
}


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Let timers run out, in their order; one that an earlier one has ended does nothing.

    Source: RPJ-GM-07, RPJ-MONEY-12, RPJ-SMAG-15, RPJ-COND-03.
    """
    turning = HookResult(scene=scene)
    for timer in due:
        if timer.key not in turning.scene.character(timer.character).timers:
            continue
        after = _HOMES.get(timer.key, fates.timers_due)(turning.scene, (timer,))
        turning = HookResult(
            scene=after.scene,
            notes=(*turning.notes, *after.notes),
            follow_ups=(*turning.follow_ups, *after.follow_ups),
        )
    return turning
