"""RPJ Core: two d6 and a level against seven and the difficulty, and Lucky Breaks to turn them."""

from typing import TYPE_CHECKING

from bot.rules.kernel.game_covers import GameCover, loads_late

COVER = GameCover(
    package=__name__,
    key="rpj",
    title="RPJ Core",
    command="rpj",
    credit="RPJ Core by Jay Slater, Many Words Press; CC BY-NC-SA and CC BY",
)

if TYPE_CHECKING:  # loaded when it is first asked for
    from bot.rules.rpj.game import RULESET as RULESET
else:
    __getattr__ = loads_late(__name__)
