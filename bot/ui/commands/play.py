"""Helpers for ruleset cogs: run a procedure, autocomplete a name."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.app.logs import note_outcome
from bot.rules.kernel import Choice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.table.base.use_case_errors import StoreUnavailable
from bot.table.journal import suggest
from bot.table.play import boards
from bot.table.play import play as playing
from bot.table.play.play import OtherGame
from bot.ui.commands.other_games import ACTOR, COUNTDOWN, SECRET, guessed, refused
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

Choices = list[app_commands.Choice[str]]
Complete = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, Choices]]
Offer = Callable[[Interaction, str], Awaitable[list[Choice]]]


async def play(
    interaction: Interaction,
    procedure: str,
    *,
    game: str | None = None,
    acting: str | None = None,
    secret: bool = False,
    countdown: str | None = None,
    **given: Any,
) -> None:
    """Run a procedure of the campaign's ruleset and answer with its result.

    Args:
        interaction: Who asked.
        procedure: Its key.
        game: The ruleset whose command it is, by key; None for a command of every game.
        acting: The character to act with, by name; else the one the person plays.
        secret: Told to the GM alone.
        countdown: A countdown that the result moves, by name.
        **given: The procedure's options as typed; None means not given.
    """
    typed = {**given, ACTOR: acting, SECRET: secret or None, COUNTDOWN: countdown}
    try:
        result = await playing.perform(
            interaction.client.table,
            request_of(interaction),
            procedure,
            given,
            game=game,
            acting=acting,
            is_secret=secret,
            countdown=countdown,
        )
    except OtherGame as other:
        raise refused(interaction, other, typed) from None
    except Misnamed as misnamed:
        raise guessed(interaction, misnamed, typed) from None
    await tell(interaction, result)


def completed(offer: Offer) -> Complete:
    """Wrap an autocompletion so that it offers nothing when it fails."""

    async def complete(interaction: discord.Interaction[Any], typed: str) -> Choices:
        try:
            found = await offer(interaction, typed)
        except UserError:
            return []
        except StoreUnavailable as error:
            note_outcome("store unavailable")
            log.warning("nothing suggested", reason=error.reason)
            return []
        except Exception as error:
            log.error("autocompletion failed", exc_info=error)
            return []
        return [app_commands.Choice(name=one.label[:100], value=one.value[:100]) for one in found[:25]]

    return complete


async def _any_character(interaction: Interaction, typed: str) -> list[Choice]:
    return await suggest.characters(interaction.client.table, request_of(interaction), typed)


async def _own_character(interaction: Interaction, typed: str) -> list[Choice]:
    return await suggest.characters(interaction.client.table, request_of(interaction), typed, only_own=True)


async def _several_characters(interaction: Interaction, typed: str) -> list[Choice]:
    """Complete the last of several names separated by commas."""
    before, comma, last = typed.rpartition(",")
    found = await _any_character(interaction, last)
    lead = f"{before}{comma} " if comma else ""
    return [Choice(f"{lead}{one.value}", f"{lead}{one.value}") for one in found if one.value not in before]


async def _countdown(interaction: Interaction, typed: str) -> list[Choice]:
    return await boards.choices(interaction.client.table, request_of(interaction), typed)


complete_character = completed(_any_character)
complete_countdown = completed(_countdown)
complete_names = completed(_several_characters)
complete_own_character = completed(_own_character)


def complete_thing(kind: str, acting_option: str = "character") -> Complete:
    """An autocompletion for one of the ruleset's kinds of things.

    Args:
        kind: A key of the ruleset's `suggestions`.
        acting_option: The command's option that names the acting character, where it has one.
    """

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        acting = getattr(interaction.namespace, acting_option, None)
        said = {name: str(value) for name, value in interaction.namespace if value is not None}
        request = request_of(interaction)
        return await suggest.things(interaction.client.table, request, kind, typed, acting=acting, said=said)

    return completed(offer)
