"""Free dice, `/roll`, and exact chances, `/odds`: a page for free dice; every game adds its own."""

import asyncio
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.table.base.results import EntryId
from bot.table.campaigns.campaigns import asking
from bot.table.gm import gm_secrets
from bot.table.play import play
from bot.ui.commands.options import ODDS, OF_GAMES
from bot.ui.input.answer import answer, in_time
from bot.ui.input.presses import Interaction, request_of
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import HERE, secret_id
from bot.ui.text.charts import odds_picture
from bot.ui.text.reply import Button
from bot.ui.text.roll_text import odds_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Roll(commands.Cog):
    """The roll command."""

    @app_commands.command(name="roll", description="Roll any dice, such as 4d6kh3+2")
    @app_commands.describe(
        expression="Dice such as 2d6+3, 4d6kh3, 2d20kl1, 3d6e6, (1d8+2)*2",
        label="What the roll is for",
        secret="Show the result only to you (the GM can see it in the journal)",  # noqa: S106  # says what it does
        blind="Show the result only to the GM, not even to you",
    )
    async def roll(
        self,
        interaction: Interaction,
        expression: app_commands.Range[str, 1, 200],
        label: app_commands.Range[str, 1, 80] | None = None,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        """Roll an expression."""
        request = request_of(interaction)
        result = await play.roll(
            interaction.client.table, request, expression, label, is_secret=secret, is_blind=blind
        )
        is_gms = secret and not blind and (await asking(interaction.client.table, request)).is_gm
        await tell(interaction, result, *((show_roll_button(result.entry),) if is_gms else ()))


def show_roll_button(entry: EntryId) -> Button:
    """The button that shows a GM's secret roll to everybody, right under it."""
    return Button(id=secret_id("all", HERE, gm_secrets.SecretKind.ROLL, entry), label="Show to all")


async def dice_odds(
    interaction: discord.Interaction[Any], expression: app_commands.Range[str, 1, 200]
) -> None:
    """Show the chances of free dice."""
    computing = interaction.client.table.computing
    odds, line = await in_time(interaction, computing.run(lambda: play.odds(expression)), adds=True)
    plot = await asyncio.to_thread(odds_picture, odds)
    await answer(interaction, odds_reply(expression, odds, line, plot))


async def setup(bot: "Tablekeeper") -> None:
    """Add the command, and a page of chances for free dice, to the bot."""
    await bot.add_cog(Roll())
    about = "See exact chances without rolling"
    group = app_commands.Group(name=ODDS, description=about, extras={OF_GAMES: True})
    expression = app_commands.describe(expression="Dice such as 2d6+3 or 4d6kh3")
    group.add_command(
        app_commands.Command(
            name="dice", description="See exact chances for any dice", callback=expression(dice_odds)
        )
    )
    bot.tree.add_command(group)
