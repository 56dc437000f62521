"""Compare Roll: 2d6 against each of two d12s, Stress and High, weapon tags, two ways to meet death."""

from typing import TYPE_CHECKING

from bot.rules.kernel.game_covers import GameCover, loads_late

COVER = GameCover(
    package=__name__,
    key="compare_roll",
    title="Compare Roll",
    command="compare",
    credit="An untitled game of 2d6 against 2d12, named after its roll",
)

if TYPE_CHECKING:  # loaded when it is first asked for
    from bot.rules.compare_roll.game import RULESET as RULESET
else:
    __getattr__ = loads_late(__name__)
