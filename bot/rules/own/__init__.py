"""Games of one's own: a GM's rules in one file, read, proved and played without a line of code."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "game_file", "game_forms", "game_lists", "own_ruleset")
