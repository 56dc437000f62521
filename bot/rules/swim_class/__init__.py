"""Project Swim Class: every ability is a pool of six-sided dice, and pools grow by use."""

from typing import TYPE_CHECKING

from bot.rules.kernel.game_covers import GameCover, loads_late

COVER = GameCover(
    package=__name__,
    key="swim_class",
    title="Project Swim Class",
    command="swim",
    credit="Project Swim Class by Peter Hanely",
    rules=("rules", "rules_skills", "rules_magic"),
)

if TYPE_CHECKING:  # loaded when it is first asked for
    from bot.rules.swim_class.game import RULESET as RULESET
else:
    __getattr__ = loads_late(__name__)
