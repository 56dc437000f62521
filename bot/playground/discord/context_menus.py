"""Context menus: the commands that the client offers on a person and on a message."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from bot.playground.discord.definitions import MESSAGE_COMMAND, USER, USER_COMMAND
from bot.playground.discord.members import Member
from bot.playground.discord.message_limits import EPHEMERAL
from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import CannotSend

if TYPE_CHECKING:
    from bot.playground.discord.messages import Posted
    from bot.playground.discord.slash_options import Picker


def command_on(offered: list[Payload], name: str, target: Member | Posted) -> Payload:
    """The command of this name that is offered on a person or on a message.

    Raises:
        CannotSend: There is none; on a message that only one person sees, none is offered.
    """
    kind, what = (USER_COMMAND, "person") if isinstance(target, Member) else (MESSAGE_COMMAND, "message")
    if not isinstance(target, Member) and target.payload["flags"] & EPHEMERAL:
        raise CannotSend("No commands are offered on a message that only you can see")
    found = [command for command in offered if command["type"] == kind]
    for command in found:
        if command["name"] == name:
            return command
    known = ", ".join(command["name"] for command in found) or "none"
    raise CannotSend(f"There is no command {name!r} on a {what}; there are {known}")


def target_data(target: Member | Posted, picker: Picker) -> Payload:
    """What an interaction says about the person or message that a command is used on.

    Raises:
        CannotSend: The person is not in this server.
    """
    if isinstance(target, Member):
        return {"target_id": picker.pick(USER, target), "resolved": picker.resolved}
    return {
        "target_id": str(target.id),
        "resolved": {"messages": {str(target.id): copy.deepcopy(target.payload)}},
    }
