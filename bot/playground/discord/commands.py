"""The commands the bot has registered, globally and in single servers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.playground.discord.message_limits import EPHEMERAL
from bot.playground.discord.payloads import CannotSend, CommandsChanged, Form, Path, Payload, Refusal, copied
from bot.playground.discord.servers import Member, Permission

if TYPE_CHECKING:
    from bot.playground.discord.hands import Picker
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.messages import Posted
    from bot.playground.discord.servers import Server


CHAT_COMMAND, USER_COMMAND, MESSAGE_COMMAND = 1, 2, 3
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(
    1, 12
)

MAX_COMMANDS = {CHAT_COMMAND: 100, USER_COMMAND: 15, MESSAGE_COMMAND: 15}
MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_CHARACTERS = 8000
MAX_STRING_LENGTH = 6000
SAFE_INTEGER = 2**53

_NAME = re.compile(r"[-_'\w]{1,32}")


def check_definitions(definitions: list[Payload]) -> None:
    """Refuse a set of commands that Discord would refuse.

    Raises:
        Refusal: With every problem of every command.
    """
    form = Form()
    for kind, most in MAX_COMMANDS.items():
        if sum(definition.get("type", CHAT_COMMAND) == kind for definition in definitions) > most:
            form.add((), "APPLICATION_COMMANDS_EXCEEDED", f"At most {most} commands of type {kind}")
    keys = [(definition.get("type", CHAT_COMMAND), definition.get("name")) for definition in definitions]
    form.unique((), keys, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    for index, definition in enumerate(definitions):
        _check_command(form, (index,), definition)
    form.raise_problems()


def check_definition(definition: Payload) -> None:
    """Refuse one command that Discord would refuse.

    Raises:
        Refusal: With every problem.
    """
    form = Form()
    _check_command(form, (), definition)
    form.raise_problems()


def command_characters(definition: Payload) -> int:
    """The characters of a command's names, descriptions and choice values together."""
    own = len(definition.get("name") or "") + len(definition.get("description") or "")
    choices = definition.get("choices") or []
    own += sum(len(str(choice.get("name", ""))) + len(str(choice.get("value", ""))) for choice in choices)
    return own + sum(command_characters(option) for option in definition.get("options") or [])


def _check_command(form: Form, path: Path, definition: Payload) -> None:
    kind = definition.get("type", CHAT_COMMAND)
    if not form.one_of((*path, "type"), kind, MAX_COMMANDS):
        return
    if kind != CHAT_COMMAND:
        form.text((*path, "name"), definition.get("name"), 1, 32)
        if definition.get("description") or definition.get("options"):
            form.add(
                (*path, "description"), "BASE_TYPE_MAX_LENGTH", "Context menus have no description or options"
            )
        return
    _check_name(form, (*path, "name"), definition.get("name"))
    form.text((*path, "description"), definition.get("description"), 1, 100)
    _check_options(form, path, definition, depth=0)
    if (size := command_characters(definition)) > MAX_CHARACTERS:
        message = f"Command exceeds maximum size ({MAX_CHARACTERS}): it has {size}"
        form.add(path, "APPLICATION_COMMAND_TOO_LARGE", message)


def _check_name(form: Form, path: Path, name: object) -> None:
    if not form.text(path, name, 1, 32) or not isinstance(name, str):
        return
    if not _NAME.fullmatch(name) or name != name.lower():
        form.add(path, "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")


def _check_options(form: Form, path: Path, holder: Payload, depth: int) -> None:
    options = holder.get("options") or []
    form.count((*path, "options"), options, 0, MAX_OPTIONS)
    names = [option.get("name") for option in options]
    message = "Option names must be unique"
    form.unique((*path, "options"), names, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
    kinds = [option.get("type") for option in options]
    nested = [kind in (SUBCOMMAND, GROUP) for kind in kinds]
    if any(nested) and not all(nested):
        message = "Sub-command and sub-command group option types are mutually exclusive with all other types"
        form.add((*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        message = "Required options must be placed before non-required options"
        form.add((*path, "options"), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
    for index, option in enumerate(options):
        _check_option(form, (*path, "options", index), option, depth)


def _check_option(form: Form, path: Path, option: Payload, depth: int) -> None:
    kind = option.get("type")
    _check_name(form, (*path, "name"), option.get("name"))
    form.text((*path, "description"), option.get("description"), 1, 100)
    if not form.one_of((*path, "type"), kind, range(SUBCOMMAND, ATTACHMENT + 1)):
        return
    if kind in (SUBCOMMAND, GROUP):
        if depth == 2 or (kind == GROUP and depth == 1):
            message = "Sub-commands and groups nest at most command, group, sub-command"
            form.add((*path, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
            return
        _check_options(form, path, option, depth + 1)
        _check_members(form, path, option, kind)
        return
    _check_choices(form, path, option)
    _check_bounds(form, path, option)


def _check_members(form: Form, path: Path, option: Payload, kind: int) -> None:
    for index, inner in enumerate(option.get("options") or []):
        is_subcommand = inner.get("type") == SUBCOMMAND
        if is_subcommand != (kind == GROUP):
            message = "A group holds sub-commands, a sub-command holds neither groups nor sub-commands"
            place = (*path, "options", index, "type")
            form.add(place, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _check_choices(form: Form, path: Path, option: Payload) -> None:
    choices = option.get("choices") or []
    kind = option["type"]
    if choices and kind not in (STRING, INTEGER, NUMBER):
        form.add(
            (*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "This type takes no choices"
        )
        return
    if option.get("autocomplete") and (choices or kind not in (STRING, INTEGER, NUMBER)):
        message = "Autocomplete is for texts and numbers without choices"
        form.add((*path, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID", message)
    form.count((*path, "choices"), choices, 0, MAX_CHOICES)
    check_choices(form, (*path, "choices"), choices, kind)
    for what in ("name", "value"):
        values = [choice.get(what) for choice in choices]
        message = f"Option choice {what}s must be unique"
        form.unique(
            (*path, "choices"), values, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", message
        )


def check_choices(form: Form, path: Path, choices: list[Payload], kind: int) -> None:
    """Check choices, of a definition or an autocomplete: names of 1-100 characters, values that fit."""
    for index, choice in enumerate(choices):
        place = (*path, index)
        form.text((*place, "name"), choice.get("name"), 1, 100)
        value = choice.get("value")
        if kind == STRING:
            form.text((*place, "value"), value, 1, 100)
        elif value is None or (kind == INTEGER and not isinstance(value, int)):
            form.add((*place, "value"), "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        else:
            form.number((*place, "value"), value, -SAFE_INTEGER, SAFE_INTEGER)


def _check_bounds(form: Form, path: Path, option: Payload) -> None:
    kind = option["type"]
    for lowest, highest, kinds, floor, ceiling in _bounds():
        low, high = option.get(lowest), option.get(highest)
        if low is None and high is None:
            continue
        if kind not in kinds:
            form.add(
                (*path, lowest), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", f"This type takes no {lowest}"
            )
            continue
        fits = form.number((*path, lowest), low, floor, ceiling)
        fits &= form.number((*path, highest), high, 1 if lowest == "min_length" else floor, ceiling)
        if fits and low is not None and high is not None and low > high:
            message = f"{lowest} must be less than or equal to {highest}"
            form.add((*path, lowest), "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_INVALID", message)


def _bounds() -> Iterator[tuple[str, str, tuple[int, ...], int, int]]:
    yield "min_value", "max_value", (INTEGER, NUMBER), -SAFE_INTEGER, SAFE_INTEGER
    yield "min_length", "max_length", (STRING,), 0, MAX_STRING_LENGTH


DROPPED_WHEN_FALSE = ("required", "autocomplete", "options", "choices")


class TypedCommand(Struct, frozen=True):
    """A command found by the words somebody typed."""

    command: Payload  # the registered command
    # The group's and sub-command's definitions on the way to the leaf, outermost first.
    path: tuple[Payload, ...]
    options: list[Payload]  # the leaf's own options

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
        offered = self.offered(server)
        refused = None
        for command in _named(name, chain(offered, self._elsewhere(server) if unchecked else ())):
            try:
                return _typed(command, words)
            except CannotSend as error:
                refused = error
        names = ", ".join(one["name"] for one in offered if one["type"] == CHAT_COMMAND)
        raise refused or CannotSend(f"There is no command /{name}; there are {names or 'none'}")

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
        "resolved": {"messages": {str(target.id): copied(target.payload)}},
    }
