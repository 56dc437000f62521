"""Typing every registered command, pressing every control of its answer, and reading all of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.playground.discord import Answer, LocalDiscord, Member, Server, Upload
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
from bot.playground.discord.message_limits import ComponentType
from bot.playground.discord.payloads import Payload, walk_components
from tests.databases import Row
from tests.e2e.people import Party, everything_of

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


async def fitting_values(
    leaf: Leaf, member: Member, *, every: bool = False, asks: bool = True
) -> dict[str, object]:
    """Return a valid value for each required option, or for every option.

    Where an option has autocompletion, the value is the first one offered to *member*, if that is asked.
    """
    given: dict[str, object] = {}
    for option in leaf.options:
        if not every and not option.get("required"):
            continue
        offered = []
        if asks and option.get("autocomplete"):
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


class Tables:
    """Tables that are all as they were laid: one is laid anew once something stored of it has changed.

    Args:
        database: The address of the bot's database.
        lay: Lays the table of this name.
    """

    def __init__(self, database: str, lay: Callable[[str], Awaitable[Party]]) -> None:
        self._database = database
        self._lay = lay
        self._laid: dict[str, tuple[Party, dict[str, list[Row]]]] = {}

    async def laid(self, name: str) -> Party:
        """The people at the table of this name."""
        if name in self._laid:
            party, stored = self._laid[name]
            if everything_of(self._database, party.server.id) == stored:
                return party
        party = await self._lay(name)
        self._laid[name] = party, everything_of(self._database, party.server.id)
        return party


async def type_it(member: Member, leaf: Leaf, values: Mapping[str, object]) -> Answer:
    """Type a command, even if the client would not let this person."""
    return await member.discord.hands.command(member, leaf.line, values, None, unchecked=True)


def messages(answer: Answer) -> list[Payload]:
    """Return an answer's message and its follow-up messages."""
    return [*([answer.message] if answer.message else []), *answer.followups]


def everything_in(answer: Answer) -> str:
    """Return everything in an answer: texts, ids, forms, completions, files."""
    discord = answer.interaction.member.discord
    parts = [json.dumps(messages(answer), ensure_ascii=False)]
    parts += [json.dumps([answer.modal, answer.choices], ensure_ascii=False)]
    for message in messages(answer):
        for attachment in message.get("attachments") or []:
            parts.append(discord.files.content(attachment).decode(errors="replace"))
    return "\n".join(parts)


async def press_all(member: Member, message: Payload) -> AsyncIterator[tuple[str, Answer]]:
    """Press every button, use every menu and fill every form of a message, even one hidden from *member*.

    Yields:
        The pressed control's name, and the answer.
    """
    names = [one["custom_id"] for one in walk_components(message.get("components")) if one.get("custom_id")]
    for name in names:
        component = _still_there(member.discord, message, name)
        if component is None:
            continue
        if component["type"] == ComponentType.BUTTON:
            answer = await member.press(message, name, unchecked=True)
        else:
            choice = component["options"][0]["value"]
            answer = await member.select(message, name, choice, unchecked=True)
        yield name, answer
        if answer.modal is not None:
            yield f"{name} (form)", await _filled(member, answer)


def _still_there(discord: LocalDiscord, message: Payload, name: str) -> Payload | None:
    """Return the control of this name from the message as it is now, or None if it is gone."""
    posted = discord.posted(int(message["channel_id"]), int(message["id"]))
    controls = walk_components(posted.payload["components"]) if posted is not None else iter(())
    return next((one for one in controls if one.get("custom_id") == name), None)


async def _filled(member: Member, opened: Answer, text: str = "Anything") -> Answer:
    assert opened.modal is not None
    fields = {
        one["custom_id"]: text
        for one in walk_components(opened.modal["components"])
        if one["type"] == ComponentType.TEXT_INPUT
    }
    hands = member.discord.hands
    return await hands.submit(member, opened, fields, unchecked=True)


async def completions(
    member: Member, leaf: Leaf, options: Sequence[Payload], typed: tuple[str, ...] = ("",)
) -> list[str]:
    """Return everything that these options of a command offer this person."""
    offered: list[str] = []
    for option in options:
        for text in typed:
            choices = await member.discord.hands.autocomplete(
                member, leaf.line, option["name"], text, {}, None, unchecked=True
            )
            offered += [json.dumps(choice, ensure_ascii=False) for choice in choices]
    return offered


def is_refused(answer: Answer) -> bool:
    """Whether an answer tells one person privately that they are not allowed to do that."""
    reasons = ("only the gm", "only a gm", "the gm's", "manages the server", "manage server")
    return answer.ephemeral and any(reason in answer.text.lower() for reason in reasons)
