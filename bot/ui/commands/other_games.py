"""Suggestions after a command of another game or an unknown name, as buttons."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from discord import app_commands

from bot.rules.kernel.errors import Misnamed, UserError
from bot.table.journal.journal import is_kept
from bot.table.play import play as playing
from bot.table.play.play import OtherGame
from bot.ui.input.answer import change
from bot.ui.input.asked import request_of
from bot.ui.input.failures import WithButtons
from bot.ui.input.presses import LONGEST_ID, Interaction, Press, press_id
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
    table, request = interaction.client.table, request_of(interaction)
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
