"""Post-magic-maid: two attribute dice, five tiers, a deck of cards and two wound tracks."""

from typing import TYPE_CHECKING

from bot.rules.kernel.game_covers import GameCover, loads_late

COVER = GameCover(
    package=__name__,
    key="post_magic_maid",
    title="Post-magic-maid",
    command="maid",
    credit="Post-magic-maid by trapinnosuke, made from “Rivet” by Viral games",
)

if TYPE_CHECKING:  # loaded when it is first asked for
    from bot.rules.post_magic_maid.game import RULESET as RULESET
else:
    __getattr__ = loads_late(__name__)
