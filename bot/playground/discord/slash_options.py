"""Slash command options, read and checked as Discord's client does before sending."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.playground.discord import definitions
from bot.playground.discord.commands import TypedCommand
from bot.playground.discord.files import SIZE_LIMIT_BYTES
from bot.playground.discord.members import Member
from bot.playground.discord.payloads import Payload, Upload
from bot.playground.discord.refusals import CannotSend
from bot.playground.discord.servers import Channel, Role, Server

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord

LIMIT_WORDS = f"{SIZE_LIMIT_BYTES // 1024**2} MB"
PICKED = (definitions.USER, definitions.CHANNEL, definitions.ROLE, definitions.MENTIONABLE)


class Picker:
    """Turns what a person picked into ids, and collects what those ids stand for."""

    def __init__(self, discord: LocalDiscord, server: Server, channel: Channel) -> None:
        self._discord = discord
        self._server = server
        self._channel = channel
        self.resolved: Payload = {}

    def pick(self, kind: int, value: object) -> str:
        """The id of a picked user, channel, role or file.

        Raises:
            CannotSend: There is no such thing to pick here.
        """
        if kind == definitions.ATTACHMENT:
            if not isinstance(value, Upload):
                raise CannotSend("This option takes a file")
            if len(value.content) > SIZE_LIMIT_BYTES:
                raise CannotSend(f"{value.filename} is too large: a file has at most {LIMIT_WORDS}.")
            attachment = self._discord.files.keep(value, self._channel.id, is_ephemeral=True)
            self._note("attachments", attachment["id"], attachment)
            return str(attachment["id"])
        picked = self._found(kind, value)
        if picked is None:
            raise CannotSend(f"{value!r} is nothing that can be picked here")
        if isinstance(picked, Member):
            self._note("users", picked.id, picked.user_payload())
            self._note("members", picked.id, self._member_part(picked))
        elif isinstance(picked, Role):
            self._note("roles", picked.id, picked.payload())
        else:
            self._note("channels", picked.id, picked.payload() | {"permissions": "0"})
        return str(picked.id)

    def _note(self, what: str, number: object, payload: Payload) -> None:
        self.resolved.setdefault(what, {})[str(number)] = payload

    def _member_part(self, member: Member) -> Payload:
        payload = member.payload(self._channel)
        return {key: payload[key] for key in payload if key not in ("user", "deaf", "mute")}

    def _found(self, kind: int, value: object) -> Member | Role | Channel | None:
        members: list[Member | Role | Channel] = [*self._server.members]
        roles: list[Member | Role | Channel] = [*self._server.roles]
        channels: list[Member | Role | Channel] = [*self._server.channels]
        among = {
            definitions.USER: members,
            definitions.ROLE: roles,
            definitions.CHANNEL: channels,
            definitions.MENTIONABLE: members + roles,
        }[kind]
        return next((thing for thing in among if thing is value or str(thing.id) == str(value)), None)


def fill(
    typed: TypedCommand, given: Mapping[str, object], picker: Picker, *, unchecked: bool
) -> list[Payload]:
    """The options to send, in the definition's order.

    Args:
        typed: The command.
        given: What the person entered, by option name.
        picker: Finds what was picked.
        unchecked: Whether to send what the client would not let anybody send.

    Raises:
        CannotSend: What the client says about an option that does not fit.
    """
    for name in given:
        typed.option(name)
    filled: list[Payload] = []
    for option in typed.options:
        value = given.get(option["name"])
        if value is None:
            if option.get("required") and not unchecked:
                raise CannotSend(f"{option['name']}: This option is required. Specify a value.")
            continue
        filled.append(
            {
                "name": option["name"],
                "type": option["type"],
                "value": _value(option, value, picker, unchecked=unchecked),
            }
        )
    return filled


def fill_unfinished(
    typed: TypedCommand, focused: str, text: str, given: Mapping[str, object], picker: Picker
) -> list[Payload]:
    """The options that an autocomplete sends: those filled in so far, and the one being typed.

    Raises:
        CannotSend: The option does not autocomplete.
    """
    if not typed.option(focused).get("autocomplete"):
        raise CannotSend(f"{focused} does not autocomplete")
    filled: list[Payload] = []
    for option in typed.options:
        name = option["name"]
        if name == focused:
            filled.append({"name": name, "type": option["type"], "value": text, "focused": True})
        elif given.get(name) is not None:
            value = _value(option, given[name], picker, unchecked=True)
            filled.append({"name": name, "type": option["type"], "value": value})
    return filled


def nest(typed: TypedCommand, filled: list[Payload]) -> list[Payload]:
    """The options inside their sub-command and group, as the payload has them."""
    nested = filled
    for part in reversed(typed.path):
        nested = [{"name": part["name"], "type": part["type"], "options": nested}]
    return nested


def _value(option: Payload, value: object, picker: Picker, *, unchecked: bool) -> object:
    kind = option["type"]
    if kind in PICKED or kind == definitions.ATTACHMENT:
        if kind == definitions.CHANNEL and not unchecked:
            _check_channel_type(option, value)
        return picker.pick(kind, value)
    if kind == definitions.BOOLEAN:
        if not isinstance(value, bool) and not unchecked:
            raise CannotSend(f"{option['name']}: Must be true or false.")
        return value
    for choice in option.get("choices") or []:
        if value in (choice["name"], choice["value"]):
            return choice["value"]
    if unchecked:
        return value
    if option.get("choices"):
        raise CannotSend(f"{option['name']}: This is not one of the choices.")
    return _text(option, value) if kind == definitions.STRING else _number(option, value)


def _check_channel_type(option: Payload, value: object) -> None:
    allowed = option.get("channel_types")
    if allowed and isinstance(value, Channel) and value.type.number not in allowed:
        raise CannotSend(f"{option['name']}: This kind of channel cannot be picked.")


def _text(option: Payload, value: object) -> str:
    if not isinstance(value, str):
        raise CannotSend(f"{option['name']}: Enter a text.")
    text = value.strip()
    lowest, highest = option.get("min_length"), option.get("max_length") or definitions.MAX_STRING_LENGTH
    if not text and option.get("required"):
        raise CannotSend(f"{option['name']}: This option is required. Specify a value.")
    if lowest is not None and len(text) < lowest:
        raise CannotSend(f"{option['name']}: Must be {lowest} characters or more.")
    if len(text) > highest:
        raise CannotSend(f"{option['name']}: Must be {highest} characters or fewer.")
    return text


def _number(option: Payload, value: object) -> int | float:
    is_whole = option["type"] == definitions.INTEGER
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(value)
        number = int(str(value)) if is_whole else float(value)
    except ValueError:
        what = "a valid integer" if is_whole else "a valid number"
        raise CannotSend(f"{option['name']}: Input {what}.") from None
    lowest = option.get("min_value", -definitions.SAFE_INTEGER)
    highest = option.get("max_value", definitions.SAFE_INTEGER)
    if number < lowest:
        raise CannotSend(f"{option['name']}: Must be {lowest} or more.")
    if number > highest:
        raise CannotSend(f"{option['name']}: Must be {highest} or less.")
    return number
