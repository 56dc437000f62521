"""Help: `/help` and `/rules`."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.table.campaigns import rulebook
from bot.table.campaigns.helping import Asking, asking
from bot.ui.commands import other_games
from bot.ui.commands.offered import is_of_games, is_offered
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.replies.help_replies import FIRST_STEPS, NOW, Described, HelpPage, help_reply, rule_reply
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


GMS = ("(GM)", "(needs Manage Server)")  # how the description of a command ends that is not for players


def described(
    tree: "app_commands.CommandTree[Tablekeeper]", who: Asking, ids: Mapping[str, int]
) -> Iterator[Described]:
    """Every command that somebody can use in a place, the game's own first."""
    found = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    for one in sorted(found, key=lambda one: (other_games.GAME not in one.extras, one.qualified_name)):
        if not is_offered(one, who.needs):
            continue
        top = one.root_parent or one
        is_for_gms = "gm" in top.name.split("-") or one.description.endswith(GMS)
        if (is_for_gms and not who.is_gm) or (is_of_games(top) and not who.needs):
            continue
        used = who.used.get(f"play.{one.extras.get(other_games.PROCEDURE)}", 0)
        yield Described(one.qualified_name, one.description, ids.get(top.name, 0), used, _needs(one))


def _needs(command: "app_commands.Command[Any, ..., Any]") -> str:
    """The options a command can't do without, as one types them."""
    needed = [one for one in command.parameters if one.required]
    return " ".join(f"{one.display_name}:{one.choices[0].name if one.choices else '…'}" for one in needed)


def steps(who: Asking) -> tuple[str, ...]:
    """What somebody does first in a place."""
    if not who.needs:
        return FIRST_STEPS
    missing = [] if who.has_character or who.is_gm else ["Make a character: {character create}"]
    if who.is_gm and not who.has_session:
        missing.append("Start a session: {session start}")
    return (NOW, *missing)


async def _reply(interaction: Interaction, page: HelpPage) -> Reply:
    who = await asking(interaction.client.table, request_of(interaction))
    return help_reply(await _commands(interaction, who), steps(who), page)


async def _commands(interaction: Interaction, who: Asking) -> "list[Described]":
    """Every command that somebody can use in a place."""
    bot = interaction.client
    ids = await bot.server_commands.ids(request_of(interaction).server)
    return list(described(bot.tree, who, ids))


async def _titles(interaction: Interaction, typed: str) -> list[Choice]:
    return await rulebook.titles(interaction.client.table, request_of(interaction), typed)


class Help(commands.Cog):
    """The help commands."""

    @app_commands.command(name="help", description="See what you can do now, and every command")
    async def help(self, interaction: Interaction) -> None:
        """Show what one can do now."""
        await answer(interaction, await _reply(interaction, HelpPage()))

    @app_commands.command(name="rules", description="Look up a rule")
    @app_commands.describe(about="A title, a word, or a rule id")
    @app_commands.autocomplete(about=completed(_titles))
    async def rules(self, interaction: Interaction, about: app_commands.Range[str, 1, 100]) -> None:
        """Show a rule."""
        table, request = interaction.client.table, request_of(interaction)
        found = await rulebook.look_up(table, request, about)
        commands = await _commands(interaction, await asking(table, request))
        await answer(interaction, rule_reply(found, commands))


async def on_help(interaction: Interaction, press: Press) -> None:
    """Show the commands that begin with the chosen word, or another page."""
    page = HelpPage(press.values[0] if press.values else "")
    if press.argument(0) == "page":
        page = HelpPage(press.argument(1), press.number(2))
    await change(interaction, await _reply(interaction, page))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handler to the bot."""
    bot.presses.add("help", on_help)
    bot.presses.add(other_games.KIND, other_games.do_instead)
    await bot.add_cog(Help())
