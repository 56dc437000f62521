"""Exact chances: `/odds`, with a page for free dice; every game adds its own."""

import asyncio
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.table.play import free_rolls
from bot.ui.commands.options import ODDS, OF_GAMES
from bot.ui.input.answer import answer, in_time
from bot.ui.text.plots import odds_picture
from bot.ui.text.roll_text import odds_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


async def dice_odds(
    interaction: discord.Interaction[Any], expression: app_commands.Range[str, 1, 200]
) -> None:
    """Show the chances of free dice."""
    computing = interaction.client.table.computing
    odds, line = await in_time(interaction, computing.run(lambda: free_rolls.odds(expression)), adds=True)
    plot = await asyncio.to_thread(odds_picture, odds)
    await answer(interaction, odds_reply(expression, odds, line, plot))


async def setup(bot: "Tablekeeper") -> None:
    """Add a page for free dice."""
    about = "See exact chances without rolling"
    group = app_commands.Group(name=ODDS, description=about, extras={OF_GAMES: True})
    expression = app_commands.describe(expression="Dice such as 2d6+3 or 4d6kh3")
    group.add_command(
        app_commands.Command(
            name="dice", description="See exact chances for any dice", callback=expression(dice_odds)
        )
    )
    bot.tree.add_command(group)
