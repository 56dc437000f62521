"""What is stored about a person: `/privacy`."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.characters import personal_data
from bot.table.characters.personal_data import StoredAbout
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.privacy_replies import forget_question, forgotten_reply, kept_reply, stored_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Privacy(commands.Cog):
    """The privacy command."""

    @app_commands.command(name="privacy", description="See, download or delete what I store about you here")
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is stored about whoever asks."""
        await answer(interaction, stored_reply(*await in_time(interaction, _stored(interaction), adds=True)))


async def _stored(interaction: Interaction) -> tuple[StoredAbout, bytes]:
    table, request = interaction.client.table, request_of(interaction)
    about = await personal_data.stored_about(table, request)
    return about, b"" if about.is_nothing else await personal_data.personal_file(table, request)


async def on_privacy(interaction: Interaction, press: Press) -> None:
    """Handle the privacy buttons: ask whether to delete, delete, or keep."""
    table, request = interaction.client.table, request_of(interaction)
    match press.argument(0):
        case "ask":
            await change(interaction, forget_question(await personal_data.stored_about(table, request)))
        case "yes":
            about = await in_time(interaction, personal_data.forget(table, request))
            await change(interaction, forgotten_reply(about))
        case "no":
            await change(interaction, kept_reply())
        case _:
            raise OutOfDate


async def setup(bot: "Tablekeeper") -> None:
    """Add the command and the button handler to the bot."""
    bot.presses.add("privacy", on_privacy)
    await bot.add_cog(Privacy())
