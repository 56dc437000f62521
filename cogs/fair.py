"""The journal and its fairness: `/fair`, `/log`."""

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.table.base.results import EntryId
from bot.table.journal import log
from bot.table.journal.dice_stats import fairness
from bot.table.journal.log import LogFilter
from bot.ui.commands.journals import give_journal
from bot.ui.commands.play import complete_character
from bot.ui.commands.secret_presses import on_given, on_secrets
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press, number_of
from bot.ui.replies.fairness_replies import fair_reply, how_reply, log_reply
from bot.ui.replies.secret_replies import GIVEN, SECRETS

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Fair(commands.Cog):
    """The fairness and journal commands."""

    @app_commands.command(name="fair", description="See the dice seeds and check any roll yourself")
    async def fair(self, interaction: Interaction) -> None:
        """Show the seeds."""
        await _show_seeds(interaction)

    @app_commands.command(name="log", description="Read the log of every roll and change")
    @app_commands.describe(
        character="Only what this character did",
        person="Only what this person did",
        session="Only this session",
        kind="Only entries of this kind",
    )
    @app_commands.autocomplete(character=complete_character)
    async def log(
        self,
        interaction: Interaction,
        character: app_commands.Range[str, 1, 100] | None = None,
        person: discord.Member | None = None,
        session: app_commands.Range[int, 1, 100_000] | None = None,
        kind: Literal["rolls", "changes", "undone", "secret"] | None = None,
    ) -> None:
        """Show the latest page of the journal."""
        who = None if person is None else person.id
        only = LogFilter(character=character, person=who, session=session, kind=kind)
        table, request = interaction.client.table, request_of(interaction)
        await answer(interaction, log_reply(await log.page(table, request, only)))


async def _show_seeds(interaction: Interaction) -> None:
    found = await fairness(interaction.client.table, request_of(interaction))
    await answer(interaction, fair_reply(found))


async def on_fair(interaction: Interaction, press: Press) -> None:
    """Handle the fairness buttons: the seeds, how to check them, the journal as a file."""
    match press.arguments[0]:
        case "file":
            await give_journal(interaction)
        case "how":
            await answer(interaction, how_reply())
        case _:
            await _show_seeds(interaction)


async def on_log(interaction: Interaction, press: Press) -> None:
    """Turn a page of the journal, or limit it to what was chosen in its menu."""
    before = press.number() or None
    found = await log.page(
        interaction.client.table,
        request_of(interaction),
        _chosen(press.values[0]) if press.values else _limited(press),
        before=None if before is None else EntryId(before),
    )
    await change(interaction, log_reply(found))


def _chosen(value: str) -> LogFilter:
    """The choice of the page's menu."""
    what, _, which = value.partition("/")
    if what == "kind":
        return LogFilter(kind=which)
    number = number_of(which) if which else None
    match what:
        case "session":
            return LogFilter(session=number)
        case "character":
            return LogFilter(character=number)
        case "person":
            return LogFilter(person=number)
        case _:
            return LogFilter()


def _limited(press: Press) -> LogFilter:
    """What the page of a button is limited to; an older one knows the character only."""
    character = press.number(1) or None
    person = session = kind = None
    if len(press.arguments) > 2:
        person, session = press.number(2) or None, press.number(3) or None
        kind = None if press.argument(4) == "all" else press.argument(4)
    return LogFilter(character=character, person=person, session=session, kind=kind)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("fair", on_fair)
    bot.presses.add("log", on_log)
    bot.presses.add(SECRETS, on_secrets)
    bot.presses.add(GIVEN, on_given)
    await bot.add_cog(Fair())
