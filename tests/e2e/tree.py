"""The registered commands as Discord knows them, for tests that use all of them.

Nothing here knows a command by name. The description of a command, a group or an option says that it is for
the GM ("(GM)", or "GM only" on a group), or for people who manage the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.playground.discord import LocalDiscord, Member, Server, Upload
from bot.playground.discord.commands import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    CHAT_COMMAND,
    GROUP,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    SUBCOMMAND,
    USER,
)
from bot.playground.discord.payloads import Payload

GM_MARKS = ("(GM)", "GM only", "GM:", "(needs Manage Server)")


@dataclass(frozen=True)
class Leaf:
    """A command that can be typed.

    Attributes:
        line: Its words.
        options: Its options' definitions.
        is_for_gm: Whether its description says that it is for the GM.
    """

    line: str
    options: tuple[Payload, ...]
    is_for_gm: bool

    @property
    def texts(self) -> list[Payload]:
        """The options that take any text."""
        return [one for one in self.options if one["type"] == STRING and not one.get("choices")]

    @property
    def completed(self) -> list[Payload]:
        """The options with autocompletion."""
        return [one for one in self.options if one.get("autocomplete")]

    @property
    def for_gm(self) -> list[Payload]:
        """The options marked as the GM's."""
        return [one for one in self.options if is_marked(one)]


def is_marked(definition: Payload) -> bool:
    """Whether a description says that the command or option is for the GM."""
    return any(mark in definition["description"] for mark in GM_MARKS)


def leaves(discord: LocalDiscord) -> list[Leaf]:
    """Return every command that can be typed in some server."""
    commands = [*discord.commands, *(one for server in discord.servers for one in _own(discord, server))]
    typed = [one for one in commands if one.get("type", CHAT_COMMAND) == CHAT_COMMAND]
    found = [leaf for command in typed for leaf in _below(command, (), is_for_gm=False)]
    return list({leaf.line: leaf for leaf in found}.values())


def _own(discord: LocalDiscord, server: Server) -> list[Payload]:
    return discord.registry.registered(server.id)


def _below(definition: Payload, before: tuple[str, ...], *, is_for_gm: bool) -> Iterator[Leaf]:
    words = (*before, definition["name"])
    marked = is_for_gm or is_marked(definition)
    options = definition.get("options") or []
    inner = [one for one in options if one["type"] in (SUBCOMMAND, GROUP)]
    for one in inner:
        yield from _below(one, words, is_for_gm=marked)
    if not inner:
        yield Leaf(" ".join(words), tuple(options), marked)


async def fitting_values(leaf: Leaf, member: Member, *, every: bool = False) -> dict[str, object]:
    """Return a valid value for each required option, or for every option.

    Where an option has autocompletion, the value is the first one offered to *member*.
    """
    given: dict[str, object] = {}
    for option in leaf.options:
        if not every and not option.get("required"):
            continue
        offered = []
        if option.get("autocomplete"):
            hands = member.discord.hands
            offered = await hands.autocomplete(
                member, leaf.line, option["name"], "", given, None, unchecked=True
            )
        given[option["name"]] = offered[0]["value"] if offered else plain_value(option, member)
    return given


def plain_value(option: Payload, member: Member, text: str = "Mina") -> object:
    """Return a valid value for an option without autocompletion."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    match option["type"]:
        case kind if kind == STRING:
            longest = option.get("max_length") or 6000
            return text.ljust(option.get("min_length") or 0, "x")[:longest]
        case kind if kind in (INTEGER, NUMBER):
            least, most = option.get("min_value"), option.get("max_value")
            return max(least if least is not None else 1, min(1, most if most is not None else 1))
        case kind if kind == BOOLEAN:
            return True
        case kind if kind in (USER, MENTIONABLE):
            return member
        case kind if kind == CHANNEL:
            return fitting_channel(option, member)
        case kind if kind == ROLE:
            return member.server.roles[0]
        case kind if kind == ATTACHMENT:
            return Upload("character.json", b"{}")
    raise AssertionError(f"an option of the unknown type {option['type']}")


def fitting_channel(option: Payload, member: Member) -> object:
    """Return a channel of a kind that the option takes, and make one if there is none."""
    allowed = option.get("channel_types")
    channels = member.server.channels
    found = [one for one in channels if not allowed or one.type.number in allowed]
    return found[0] if found else member.server.add_channel("Parlour", "voice")
