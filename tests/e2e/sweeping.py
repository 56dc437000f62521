"""Typing every registered command, pressing every control of its answer, and reading all of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from bot.playground.discord import Answer, LocalDiscord, Member
from bot.playground.discord.message_limits import ComponentType
from bot.playground.discord.payloads import Payload, walk_components
from tests.databases import Row
from tests.e2e.people import Party
from tests.e2e.records import everything_of
from tests.e2e.tree import Leaf


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


async def completions(member: Member, leaf: Leaf, typed: tuple[str, ...] = ("",)) -> list[str]:
    """Return everything that a command's options offer this person."""
    offered: list[str] = []
    for option in leaf.completed:
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
