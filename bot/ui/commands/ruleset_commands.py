"""Helpers for ruleset cogs: run a procedure, autocomplete a name."""

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from typing import Any, Concatenate, ParamSpec
from urllib.parse import parse_qsl, urlencode

import discord
import structlog
from discord import app_commands
from msgspec.structs import replace

from bot.app.logs import note_outcome
from bot.rules.kernel import Choice
from bot.rules.kernel.errors import Misnamed, UserError
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import StoreUnavailable
from bot.table.encounters import encounters
from bot.table.journal import suggest
from bot.table.journal.journal import is_kept
from bot.table.play import countdown_plans
from bot.table.play import play as playing
from bot.table.play.play import OtherGame
from bot.ui.input.answer import change
from bot.ui.input.failures import WithButtons
from bot.ui.input.presses import LONGEST_ID, Interaction, Press, press_id
from bot.ui.input.requests import request_of, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.text.reply import Button, Look, Reply
from bot.ui.text.text import escape, plain

ACTOR, SECRET, COUNTDOWN = "acting", "secret", "countdown"
GAME, PACKS, PROCEDURE = "game", "packs", "procedure"  # in a command's extras
KIND = "instead"
Command = app_commands.Command[Any, ..., Any]


def refused(interaction: Interaction, other: OtherGame, given: Mapping[str, Any]) -> UserError:
    """The error with the right command, and a button for it if everything typed fits into one.

    Args:
        interaction: Where the other game's command was typed.
        other: Which game is played here, and what was asked for.
        given: What was typed, by the name of the option.
    """
    found = _command(interaction, other)
    if found is None:
        return other
    line = f"/{found.qualified_name}"
    mistake = WithButtons(other.what, try_this=f"Use {line}.")
    if other.fits and found.extras[PROCEDURE] == other.procedure:
        mistake.buttons = _buttons(interaction, found, given)
    return mistake


def guessed(interaction: Interaction, misnamed: Misnamed, given: Mapping[str, Any]) -> UserError:
    """The error for an unknown name, with a button for each likely match.

    Args:
        interaction: Where it was typed.
        misnamed: What was typed, and what may have been meant.
        given: What was typed, by the name of the option.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command) or PROCEDURE not in command.extras:
        return misnamed
    named = [key for key, value in given.items() if value == misnamed.typed]
    mistake = WithButtons(misnamed.what, misnamed.allowed)
    for name in misnamed.meant:
        rightly = {**given, **dict.fromkeys(named, name)}
        mistake.buttons += _buttons(interaction, command, rightly, label=name)
    return mistake if named else misnamed


def _command(interaction: Interaction, other: OtherGame) -> Command | None:
    """The equivalent command of this campaign's game, else one with the same name."""
    own = [one for one in _commands(interaction) if one.extras.get(GAME) == other.game]
    typed = interaction.command.name if interaction.command else ""
    same = (one for one in own if one.extras.get(PROCEDURE) == other.procedure)
    return next(same, None) or next((one for one in own if one.name == typed), None)


def _commands(interaction: Interaction) -> Iterator[Command]:
    tree, server = interaction.client.tree, interaction.guild
    for one in (*tree.walk_commands(), *(tree.walk_commands(guild=server) if server else ())):
        if isinstance(one, app_commands.Command) and PROCEDURE in one.extras:
            yield one


def _buttons(
    interaction: Interaction, found: Command, given: Mapping[str, Any], label: str = ""
) -> tuple[Button, ...]:
    """A button that runs the command, or none if the input is too long for a button id."""
    typed = {key: value for key, value in given.items() if value is not None}
    words = " ".join([f"/{found.qualified_name}", *(f"{key}:{value}" for key, value in typed.items())])
    if any(isinstance(value, tuple) for value in typed.values()):
        return ()
    arguments = (interaction.id, found.extras[GAME], found.extras[PROCEDURE], urlencode(typed))
    if len(":".join((KIND, "1", *map(str, arguments)))) > LONGEST_ID:
        return ()
    return (Button(id=press_id(KIND, *arguments), label=plain(label or words, 80), look=Look.MAIN),)


async def do_instead(interaction: Interaction, press: Press) -> None:
    """Run what was typed with a wrong command or name, once, under the campaign's rules."""
    table, request = table_and_request(interaction)
    request = replace(request, interaction=press.argument(0))  # however often it is pressed, it is one
    if await is_kept(table, request.server, request.interaction):
        raise UserError("That has already been done.")
    game, procedure, given = press.argument(1), press.argument(2), dict(parse_qsl(press.argument(3)))
    acting, countdown = given.pop(ACTOR, None), given.pop(COUNTDOWN, None)
    is_secret = given.pop(SECRET, "") == str(True)
    result = await playing.perform(
        table, request, procedure, given, game=game, acting=acting, is_secret=is_secret, countdown=countdown
    )
    await change(interaction, Reply(text=escape(f"Done: {result.message.headline}.")))
    await tell(interaction, result)


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

GivenP = ParamSpec("GivenP")
Choices = list[app_commands.Choice[str]]
Complete = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, Choices]]
Offer = Callable[[Interaction, str], Awaitable[list[Choice]]]
UseCase = Callable[..., Awaitable[list[Choice]]]


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


async def do(
    interaction: Interaction,
    use_case: Callable[Concatenate[Table, Request, GivenP], Awaitable[Result]],
    *given: GivenP.args,
    **named: GivenP.kwargs,
) -> None:
    """Have a use case do something for whoever asks, and tell its result."""
    await tell(interaction, await use_case(*table_and_request(interaction), *given, **named))


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


def completed_by(use_case: UseCase, *options: str, **fixed: Any) -> Complete:
    """An autocompletion by a use case.

    Args:
        use_case: What finds the choices for what has been typed; where its module is loaded late, a lambda.
        options: The command's options whose values it takes too, as far as they have been typed.
        fixed: Its other arguments.
    """

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        given = (getattr(interaction.namespace, one) or "" for one in options)
        return await use_case(*table_and_request(interaction), typed, *given, **fixed)

    return completed(offer)


def several_completed_by(use_case: UseCase) -> Complete:
    """An autocompletion of the last of several names separated by commas, by a use case."""

    async def offer(interaction: Interaction, typed: str) -> list[Choice]:
        before, comma, last = typed.rpartition(",")
        found = await use_case(*table_and_request(interaction), last)
        lead = f"{before}{comma} " if comma else ""
        return [Choice(lead + one.value, lead + one.value) for one in found if one.value not in before]

    return completed(offer)


complete_character = completed_by(suggest.characters)
complete_countdown = completed_by(countdown_plans.choices)
complete_names = several_completed_by(suggest.characters)
complete_own_character = completed_by(suggest.characters, only_own=True)


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


complete_participant = completed_by(encounters.participants)
