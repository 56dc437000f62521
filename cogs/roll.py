"""Free dice: `/roll`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.base.results import EntryId
from bot.table.campaigns.registered_commands import asking
from bot.table.gm.gm_secrets import SecretKind
from bot.table.play import free_rolls
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import HERE, secret_id
from bot.ui.text.reply import Button

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
        result = await free_rolls.roll(
            interaction.client.table, request, expression, label, is_secret=secret, is_blind=blind
        )
        is_gms = secret and not blind and (await asking(interaction.client.table, request)).is_gm
        await tell(interaction, result, *((show_roll_button(result.entry),) if is_gms else ()))


def show_roll_button(entry: EntryId) -> Button:
    """The button that shows a GM's secret roll to everybody, right under it."""
    return Button(id=secret_id("all", HERE, SecretKind.ROLL, entry), label="Show to all")


async def setup(bot: "Tablekeeper") -> None:
    """Add the command to the bot."""
    await bot.add_cog(Roll())
