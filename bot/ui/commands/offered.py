"""Which commands are of which game and pack."""

from collections.abc import Collection
from typing import Any

from discord import app_commands

from bot.table.campaigns.registered_commands import need
from bot.ui.commands.other_games import GAME, PACKS

Leaf = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu
AnyCommand = Leaf | app_commands.Group
OF_GAMES = "of games"  # in the extras of a group that every game adds to


def is_of_games(command: AnyCommand) -> bool:
    """Return whether a command has anything of a game, so that only servers that play it have it."""
    if isinstance(command, app_commands.Group):
        return OF_GAMES in command.extras or any(map(is_of_games, command.commands))
    return GAME in command.extras


def is_offered(command: AnyCommand, needs: Collection[str]) -> bool:
    """Return whether a command, but for what is above it, is of no game or of the games and packs given."""
    game, packs = command.extras.get(GAME), command.extras.get(PACKS) or ("",)
    return game is None or (need(game) in needs and any(need(game, pack) in needs for pack in packs))
