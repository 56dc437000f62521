"""Typing every registered command, pressing what stands under it, and reading everything that comes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping

from bot.playground.discord import Answer, LocalDiscord, Member
from bot.playground.discord.component_limits import ComponentType
from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.tree import Leaf


async def type_it(member: Member, leaf: Leaf, values: Mapping[str, object]) -> Answer:
    """Type a command, whether or not the client would let this person."""
    return await member.discord.hands.command(member, leaf.line, values, None, unchecked=True)


def messages(answer: Answer) -> list[Payload]:
    """The answer and what followed it."""
    return [*([answer.message] if answer.message else []), *answer.followups]


def everything_in(answer: Answer) -> str:
    """Whatever an answer brought: texts, ids, forms, completions, files."""
    discord = answer.interaction.member.discord
    parts = [json.dumps(messages(answer), ensure_ascii=False)]
    parts += [json.dumps([answer.modal, answer.choices], ensure_ascii=False)]
    for message in messages(answer):
        for attachment in message.get("attachments") or []:
            parts.append(discord.files.content(attachment).decode(errors="replace"))
    return "\n".join(parts)


async def press_all(member: Member, message: Payload) -> AsyncIterator[tuple[str, Answer]]:
    """Press every button and choose in every menu of a message, whoever it is shown to; fill every form.

    Yields:
        What was pressed, and the answer.
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
    """The control of this name, as the message stands now."""
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
    """Everything that the command's options offer this person."""
    offered: list[str] = []
    for option in leaf.completed:
        for text in typed:
            choices = await member.discord.hands.autocomplete(
                member, leaf.line, option["name"], text, {}, None
            )
            offered += [json.dumps(choice, ensure_ascii=False) for choice in choices]
    return offered


def is_refused(answer: Answer) -> bool:
    """Whether a person is told, and only they, that it is not theirs to do."""
    reasons = ("only the gm", "only a gm", "the gm's", "manages the server", "manage server")
    return answer.ephemeral and any(reason in answer.text.lower() for reason in reasons)
