"""Compare Roll: 2d6 against each of two d12s, Stress and High, weapon tags, two ways to meet death."""

from bot.rules.kernel import GameCover, Ruleset

COVER = GameCover(
    package=__name__,
    key="compare_roll",
    title="Compare Roll",
    command="compare",
    credit="An untitled game of 2d6 against 2d12, named after its roll",
)


def __getattr__(name: str) -> Ruleset:
    """Load the game when its `RULESET` is first asked for."""
    if name != "RULESET":
        raise AttributeError(name)
    from bot.rules.compare_roll.game import GAME

    return GAME
