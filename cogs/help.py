"""Help: `/help` and `/rules`."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.table.campaigns import rulebook
from bot.table.campaigns.registered_commands import Asking, asking
from bot.ui.commands import play
from bot.ui.commands.options import is_of_games, is_offered
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.replies.help_replies import (
    FIRST_STEPS,
    GM_MENUS,
    NOW,
    Described,
    HelpPage,
    help_reply,
    rule_reply,
)
from bot.ui.text.reply import Reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


Command = app_commands.Command[Any, ..., Any]
GMS = ("(GM)", "(needs Manage Server)")  # how the description of a command ends that is not for players


def described(
    tree: "app_commands.CommandTree[Tablekeeper]", who: Asking, ids: Mapping[str, int]
) -> Iterator[Described]:
    """Every command that somebody can use in a place, the game's own first."""
    walked = (one for one in tree.walk_commands() if isinstance(one, app_commands.Command))
    found = [(one, _described(one)) for one in walked if is_offered(one, who.needs)]
    for one, (told, is_for_gms) in sorted(found, key=_games_own_first):
        top = one.root_parent or one
        if (is_for_gms and not who.is_gm) or (not who.needs and is_of_games(top)):
            continue
        used = who.used.get(f"play.{one.extras.get(play.PROCEDURE)}", 0)
        yield Described(told.line, told.about, ids.get(told.root, 0), used, told.needs)


@lru_cache(maxsize=1024)
def _described(command: Command) -> tuple[Described, bool]:
    """A command by itself, and whether it is for GMs only; nothing of it changes while the bot runs."""
    told = Described(command.qualified_name, command.description, needs=_needs(command))
    return told, "gm" in told.root.split("-") or told.about.endswith(GMS)


def _games_own_first(one: tuple[Command, tuple[Described, bool]]) -> tuple[bool, str]:
    command, (told, _) = one
    return play.GAME not in command.extras, told.line


def _needs(command: Command) -> str:
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
    return (NOW, *missing, *((GM_MENUS,) if who.is_gm else ()))


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
    bot.presses.add(play.KIND, play.do_instead)
    await bot.add_cog(Help())
