"""Sword & Swarm: attribute tests on one die, proficiency tests on two, and seven attributes."""

from typing import TYPE_CHECKING

from bot.rules.kernel.game_covers import GameCover, loads_late

COVER = GameCover(
    package=__name__,
    key="sword_and_swarm",
    title="Sword & Swarm",
    command="swarm",
    credit="Sword & Swarm by Revenant Quill",
)

if TYPE_CHECKING:  # loaded when it is first asked for
    from bot.rules.sword_and_swarm.game import RULESET as RULESET
else:
    __getattr__ = loads_late(__name__)
