"""Everybody's dice against fair ones: `/stats`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.base.access import ForGmOnly
from bot.table.journal.dice_stats import dice_stats
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of
from bot.ui.replies.fairness_replies import KIND, everyone_reply, stats_reply
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class StatsCommand(commands.Cog):
    """The command about dice."""

    @app_commands.command(name="stats", description="See your dice against what fair dice would show")
    async def stats(self, interaction: Interaction) -> None:
        """Show the person's own dice."""
        await answer(interaction, await in_time(interaction, _page(interaction), adds=True))


async def _page(interaction: Interaction, person: int | None = None, sides: int | None = None) -> Reply:
    """Somebody's dice; their chances are computed off the event loop."""
    found = await dice_stats(interaction.client.table, request_of(interaction), person, sides)
    return await interaction.client.table.computing.run(lambda: stats_reply(found, sides))


async def _everyone(interaction: Interaction) -> Reply:
    found = await dice_stats(interaction.client.table, request_of(interaction))
    if not found.is_gm:
        raise ForGmOnly("Only a GM can see other people's dice.")
    return await interaction.client.table.computing.run(lambda: everyone_reply(found))


async def on_stats(interaction: Interaction, press: Press) -> None:
    """Turn to another page: somebody's dice, one size of them, or everyone's."""
    match press.argument(0):
        case "all":
            page = _everyone(interaction)
        case "who":
            page = _page(interaction, number_of(press.chosen()))
        case "page":
            page = _page(interaction, press.number(1))
        case "size":
            page = _page(interaction, press.number(1), number_of(press.chosen()))
        case _:
            raise OutOfDate
    shown = await in_time(interaction, page)
    await change(interaction, shown)


async def setup(bot: "Tablekeeper") -> None:
    """Add the command and the button handler to the bot."""
    bot.presses.add(KIND, on_stats)
    await bot.add_cog(StatsCommand())
