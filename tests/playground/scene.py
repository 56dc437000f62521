"""A bot by hand and somebody who acts, for the rules of answering."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.playground.discord import Answer, LocalDiscord, Member
from tests.playground.wire import Wire

T = TypeVar("T")

COMMAND = {
    "name": "act",
    "description": "Acts",
    "options": [{"type": 3, "name": "word", "description": "Which", "autocomplete": True}],
}
GO = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
BUTTON: dict[str, Any] = {"type": 1, "components": [GO]}
TEXT = {"type": 4, "custom_id": "name", "style": 1, "label": "Name"}
MODAL = {"title": "Form", "custom_id": "form", "components": [{"type": 1, "components": [TEXT]}]}
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, OPEN = 4, 5, 6, 7, 8, 9
EPHEMERAL = 64


@dataclass
class Scene:
    """One bot by hand, and Alice, who acts."""

    local: LocalDiscord
    alice: Member
    wire: Wire

    async def act(
        self, doing: Coroutine[Any, Any, Answer] | None = None
    ) -> tuple[dict[str, Any], asyncio.Task[Answer]]:
        """Let Alice act (type /act, unless said otherwise); gives the interaction as the bot gets it."""
        task = asyncio.create_task(doing or self.alice.slash("act"))
        return await self.wire.event("INTERACTION_CREATE"), task

    async def done(
        self, doing: Coroutine[Any, Any, Answer] | None = None, *, content: str = "x"
    ) -> tuple[dict[str, Any], Answer]:
        """Let Alice act and answer with a message; gives what the bot got and what she sees."""
        interaction, task = await self.act(doing)
        await self.wire.answer(interaction, MESSAGE, {"content": content})
        return interaction, await task

    async def refused(self, kind: int, data: object) -> tuple[int, Any]:
        """What a wrong answer to Alice's /act is told; she waits in vain."""
        interaction, task = await self.act()
        told = await self.wire.answer(interaction, kind, data)
        await self.unanswered(task)
        return told

    async def unanswered(self, task: asyncio.Task[T]) -> T:
        """What Alice sees when the time for an answer is over."""
        self.local.interactions.lapse()
        return await task

    async def answered(self, kind: int, data: object = None) -> Answer:
        """Let Alice type /act and answer her."""
        interaction, task = await self.act()
        await self.wire.answer(interaction, kind, data)
        return await task


class Time:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now
