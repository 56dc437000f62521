"""Post-magic-maid: two attribute dice, five tiers, a deck of cards and two wound tracks."""

from bot.rules.kernel import GameCover, Ruleset

COVER = GameCover(
    package=__name__,
    key="post_magic_maid",
    title="Post-magic-maid",
    command="maid",
    credit="Post-magic-maid by trapinnosuke, made from “Rivet” by Viral games",
)


def __getattr__(name: str) -> Ruleset:
    """Load the game when its `RULESET` is first asked for."""
    if name != "RULESET":
        raise AttributeError(name)
    from bot.rules.post_magic_maid.game import GAME

    return GAME
