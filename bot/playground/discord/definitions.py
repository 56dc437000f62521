"""What Discord demands of a command's definition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.playground.discord.payloads import Payload
from bot.playground.discord.refusals import Form, Path

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
