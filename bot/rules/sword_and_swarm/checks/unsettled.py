"""Pending decisions: failed tests that can still be re-rolled."""

from bot.rules.kernel import settled_as
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import find_character
from bot.rules.sword_and_swarm.character.sheet import Character, Outcome, Scene, Unsettled
from bot.rules.sword_and_swarm.checks.performing import (
    PendingReroll,
    RerollOptions,
    is_the_worst,
    keep,
    reroll,
    reroll_buttons,
)


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every pending re-roll of the campaign. At the session's end it is taken if it can do no harm.

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08.
    """
    found = ((key, scene.document(key)) for key in scene.keys("reroll"))
    return tuple(
        _open(scene, key, pending, roller)
        for key, pending in found
        if isinstance(pending, PendingReroll)
        and (roller := find_character(scene, pending.character)) is not None
    )


def _open(scene: Scene, key: str, pending: PendingReroll, roller: Character) -> Unsettled:
    def settle(now: Scene, dice: Dice) -> Outcome:
        choose = reroll if is_the_worst(pending) else keep
        return choose(now, RerollOptions(pending=key), dice)

    return Unsettled(
        what=f"{roller.name}'s re-roll of {pending.words}",
        concerns=(roller.id,),
        lapses=True,
        answers=reroll_buttons(scene, key, pending),
        settle=settled_as(roller, settle),
        waive=lambda now: now.with_document(key, None),
    )
