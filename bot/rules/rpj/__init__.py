"""RPJ Core: two d6 and a level against seven and the difficulty, and Lucky Breaks to turn them."""

from bot.rules.kernel import GameCover, Ruleset

COVER = GameCover(
    package=__name__,
    key="rpj",
    title="RPJ Core",
    command="rpj",
    credit="RPJ Core by Jay Slater, Many Words Press; CC BY-NC-SA and CC BY",
)


def __getattr__(name: str) -> Ruleset:
    """Load the game when its `RULESET` is first asked for."""
    if name != "RULESET":
        raise AttributeError(name)
    from bot.rules.rpj.game import GAME

    return GAME
