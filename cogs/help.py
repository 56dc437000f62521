"""Help: `/help` and `/rules`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.table.campaigns import rulebook
from bot.ui.commands import other_games
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.replies.help_replies import Described, help_reply, rule_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


def described(tree: "app_commands.CommandTree[Tablekeeper]") -> Iterator[Described]:
    """Every command of the bot, in alphabetical order."""
    found = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    for command in sorted(found, key=lambda one: one.qualified_name):
        yield Described(command.qualified_name, command.description)


async def _titles(interaction: Interaction, typed: str) -> list[Choice]:
    return await rulebook.titles(interaction.client.table, request_of(interaction), typed)


class Help(commands.Cog):
    """The help commands."""

    @app_commands.command(name="help", description="Get started, and see every command")
    async def help(self, interaction: Interaction) -> None:
        """Show the first steps."""
        await answer(interaction, help_reply(list(described(interaction.client.tree))))

    @app_commands.command(name="rules", description="Look up a rule")
    @app_commands.describe(about="A title, a word, or a rule id")
    @app_commands.autocomplete(about=completed(_titles))
    async def rules(self, interaction: Interaction, about: app_commands.Range[str, 1, 100]) -> None:
        """Show a rule."""
        found = await rulebook.look_up(interaction.client.table, request_of(interaction), about)
        await answer(interaction, rule_reply(found))


async def on_help(interaction: Interaction, press: Press) -> None:
    """Show the commands that begin with the chosen word."""
    chosen = press.values[0] if press.values else None
    await change(interaction, help_reply(list(described(interaction.client.tree)), chosen))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handler to the bot."""
    bot.presses.add("help", on_help)
    bot.presses.add(other_games.KIND, other_games.do_instead)
    await bot.add_cog(Help())
