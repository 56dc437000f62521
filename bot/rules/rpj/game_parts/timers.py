"""What happens when timers run out, by kind of timer."""

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
    """Let timers run out, in order; one ended by an earlier one does nothing.

    Source: RPJ-GM-07, RPJ-MONEY-12, RPJ-SMAG-15, RPJ-COND-03.
    """
    result = HookResult(scene=scene)
    for timer in due:
        if timer.key not in result.scene.character(timer.character).timers:
            continue
        after = _HOMES.get(timer.key, fates.timers_due)(result.scene, (timer,))
        result = HookResult(
            scene=after.scene,
            notes=(*result.notes, *after.notes),
            follow_ups=(*result.follow_ups, *after.follow_ups),
        )
    return result
