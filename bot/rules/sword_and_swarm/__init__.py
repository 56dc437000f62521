"""Sword & Swarm: attribute tests on one die, proficiency tests on two, and seven attributes."""

from bot.rules.kernel import GameCover, Ruleset

COVER = GameCover(
    package=__name__,
    key="sword_and_swarm",
    title="Sword & Swarm",
    command="swarm",
    credit="Sword & Swarm by Revenant Quill",
)


def __getattr__(name: str) -> Ruleset:
    """Load the game when its `RULESET` is first asked for."""
    if name != "RULESET":
        raise AttributeError(name)
    from bot.rules.sword_and_swarm.game import GAME

    return GAME
