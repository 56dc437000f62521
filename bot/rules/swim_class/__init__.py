"""Project Swim Class: every ability is a pool of six-sided dice, and pools grow by use."""

from bot.rules.kernel import GameCover, Ruleset

COVER = GameCover(
    package=__name__,
    key="swim_class",
    title="Project Swim Class",
    command="swim",
    credit="Project Swim Class by Peter Hanely",
    rules=("rules", "rules_skills", "rules_magic"),
)


def __getattr__(name: str) -> Ruleset:
    """Load the game when its `RULESET` is first asked for."""
    if name != "RULESET":
        raise AttributeError(name)
    from bot.rules.swim_class.game import GAME

    return GAME
