"""The commands the bot has registered, globally and in single servers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.playground.discord.definitions import (
    CHAT_COMMAND,
    GROUP,
    SUBCOMMAND,
    check_definition,
    check_definitions,
)
from bot.playground.discord.events import CommandsChanged
from bot.playground.discord.payloads import Payload
from bot.playground.discord.permissions import Permission
from bot.playground.discord.refusals import CannotSend, Refusal

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Server

DROPPED_WHEN_FALSE = ("required", "autocomplete", "options", "choices")


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command found by the words somebody typed.

    Attributes:
        command: The registered command.
        path: The group's and sub-command's definitions on the way to the leaf, outermost first.
        options: The leaf's own options.
    """

    command: Payload
    path: tuple[Payload, ...]
    options: list[Payload]

    @property
    def line(self) -> str:
        """The command as one types it, without the slash."""
        return " ".join([self.command["name"], *(part["name"] for part in self.path)])

    def option(self, name: str) -> Payload:
        """An option's definition.

        Raises:
            CannotSend: The command has no such option.
        """
        for option in self.options:
            if option["name"] == name:
                return option
        known = ", ".join(option["name"] for option in self.options) or "none"
        raise CannotSend(f"/{self.line} has no option {name!r}; it has {known}")


class Commands:
    """The registered commands."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord
        self.everywhere: list[Payload] = []
        self._in_server: dict[int, list[Payload]] = {}

    def registered(self, server_id: int | None) -> list[Payload]:
        """The commands registered globally, or for one server only."""
        return self.everywhere if server_id is None else self._in_server.get(server_id, [])

    def offered(self, server: Server) -> list[Payload]:
        """The commands that can be typed in a server."""
        return [*self.everywhere, *self._in_server.get(server.id, [])]

    def overwrite(self, definitions: list[Payload], server_id: int | None) -> list[Payload]:
        """Register exactly these commands; those that were there before keep their ids.

        Raises:
            Refusal: A definition breaks one of Discord's limits.
        """
        check_definitions(definitions)
        return self._set([self._registered(item, server_id) for item in definitions], server_id)

    def upsert(self, definition: Payload, server_id: int | None) -> Payload:
        """Register one command, or replace the one of its name.

        Raises:
            Refusal: The definition breaks one of Discord's limits.
        """
        check_definition(definition)
        new = self._registered(definition, server_id)
        others = [command for command in self.registered(server_id) if command["id"] != new["id"]]
        check_definitions([*others, definition])
        self._set([*others, new], server_id)
        return new

    def find(self, command_id: str, server_id: int | None) -> Payload:
        """A command by its id.

        Raises:
            Refusal: There is none.
        """
        for command in self.registered(server_id):
            if command["id"] == command_id:
                return command
        raise Refusal(
            404, 10063, "Unknown application command", "it reached for a command that is not registered"
        )

    def remove(self, command_id: str, server_id: int | None) -> None:
        """Unregister a command.

        Raises:
            Refusal: There is none.
        """
        gone = self.find(command_id, server_id)
        self._set([command for command in self.registered(server_id) if command is not gone], server_id)

    def knows(self, line: str, server: Server, *, unchecked: bool = False) -> bool:
        """Whether there is a command of these words in a server."""
        try:
            self.typed(line, server, unchecked=unchecked)
        except CannotSend:
            return False
        return True

    def typed(self, line: str, server: Server, *, unchecked: bool = False) -> TypedCommand:
        """Find a command by the words somebody typed, such as ``campaign create``.

        *unchecked* finds what only another server has, as a client that is out of date may send it.

        Raises:
            CannotSend: There is no such command, or it needs a sub-command.
        """
        name, *words = line.strip().removeprefix("/").split()
        named = list(_named(name, self.offered(server)))
        if unchecked:
            named += _named(name, self._elsewhere(server))
        if not named:
            offered = ", ".join(one["name"] for one in self.offered(server) if one["type"] == CHAT_COMMAND)
            raise CannotSend(f"There is no command /{name}; there are {offered or 'none'}")
        for command in named[:-1]:
            with contextlib.suppress(CannotSend):
                return _typed(command, words)
        return _typed(named[-1], words)

    def _elsewhere(self, server: Server) -> Iterator[Payload]:
        """The commands that other servers have of their own, the newest server's first."""
        for server_id in reversed(self._in_server):
            if server_id != server.id:
                yield from self._in_server[server_id]

    def _set(self, commands: list[Payload], server_id: int | None) -> list[Payload]:
        if server_id is None:
            self.everywhere = commands
        else:
            self._in_server[server_id] = commands
        self._discord.bulletin.publish(CommandsChanged())
        return commands

    def _registered(self, definition: Payload, server_id: int | None) -> Payload:
        kind = definition.get("type", CHAT_COMMAND)
        before = next(
            (
                item
                for item in self.registered(server_id)
                if (item["name"], item["type"]) == (definition["name"], kind)
            ),
            None,
        )
        command: Payload = {
            "id": before["id"] if before else str(self._discord.snowflakes.next()),
            "application_id": str(self._discord.application.id),
            "version": str(self._discord.snowflakes.next()),
            "type": kind,
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            "integration_types": [0],
            "name_localizations": None,
            "description_localizations": None,
            "description": "",
            **_tidy(definition),
        }
        if server_id is not None:
            return command | {"guild_id": str(server_id)}
        return {"dm_permission": True} | command


def _named(name: str, commands: Iterable[Payload]) -> Iterator[Payload]:
    """The slash commands of one name."""
    return (one for one in commands if (one["name"], one["type"]) == (name, CHAT_COMMAND))


def may_use(command: Payload, permissions: Permission) -> bool:
    """Whether the client shows the command to a person with these permissions."""
    stated = command.get("default_member_permissions")
    if stated is None or permissions & Permission.ADMINISTRATOR:
        return True
    needed = Permission(int(stated))
    return bool(needed) and permissions & needed == needed


def shown_name(command: Payload) -> str:
    """The command as the client shows it: with a slash where it is typed."""
    return f"/{command['name']}" if command["type"] == CHAT_COMMAND else str(command["name"])


def _tidy(definition: Payload) -> Payload:
    """The definition as Discord returns it: without false or empty fields."""
    tidy = {key: value for key, value in definition.items() if value or key not in DROPPED_WHEN_FALSE}
    if stated := definition.get("default_member_permissions"):
        tidy["default_member_permissions"] = str(stated)
    if "options" in tidy:
        tidy["options"] = [_tidy(option) for option in tidy["options"]]
    return tidy


def _typed(command: Payload, words: list[str]) -> TypedCommand:
    """The subcommand of a command that the words lead to.

    Raises:
        CannotSend: There is no such one, or another word is needed.
    """
    line = " ".join([command["name"], *words])
    path: list[Payload] = []
    options: list[Payload] = command.get("options") or []
    for word in words:
        inner = [item for item in options if item["name"] == word and item["type"] in (SUBCOMMAND, GROUP)]
        if not inner:
            raise CannotSend(f"There is no command /{line}: {word!r} is not among {_names(options)}")
        path.append(inner[0])
        options = inner[0].get("options") or []
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in options):
        raise CannotSend(f"/{line} needs one of {_names(options)}")
    return TypedCommand(command, tuple(path), options)


def _names(options: list[Payload]) -> str:
    return ", ".join(option["name"] for option in options) or "nothing"
