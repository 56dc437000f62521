"""Live events of the local Discord for its listeners (the page, the tests)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.playground.discord.payloads import Payload

if TYPE_CHECKING:
    from bot.playground.discord.interactions import Interaction
    from bot.playground.discord.members import Member
    from bot.playground.discord.servers import Channel, Server

LOOK_SECONDS = 0.1  # for what becomes so without anything happening in Discord, such as in a file


class MessageCreated(Struct, frozen=True):
    """A message appeared; *visible_to* is the one person who sees it, or None for the whole channel."""

    server: Server | None
    channel: Channel
    message: Payload
    visible_to: int | None


class MessageUpdated(Struct, frozen=True):
    """A message changed."""

    server: Server | None
    channel: Channel
    message: Payload
    visible_to: int | None


class MessageDeleted(Struct, frozen=True):
    """A message was deleted."""

    server: Server | None
    channel: Channel
    message: Payload
    visible_to: int | None


class ModalOpened(Struct, frozen=True):
    """A form opened for one person."""

    user: Member
    modal: Payload
    interaction: Interaction


class InteractionFailed(Struct, frozen=True):
    """Discord's client tells one person that the bot did not answer."""

    user: Member
    sentence: str
    interaction: Interaction


class CommandsChanged(Struct, frozen=True):
    """The bot registered other commands."""


class ServerChanged(Struct, frozen=True):
    """Something of a server changed: its channels, roles, people, voice or calendar."""

    server: Server


class ConnectionChanged(Struct, frozen=True):
    """The bot connected, or its connection ended."""

    is_connected: bool


Event = (
    MessageCreated
    | MessageUpdated
    | MessageDeleted
    | ModalOpened
    | InteractionFailed
    | CommandsChanged
    | ServerChanged
    | ConnectionChanged
)


class Bulletin:
    """Publishes events to all listeners, at once and in order."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Event], None]] = []
        self._stirred = asyncio.Event()

    def listen(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call *callback* with each event from now on; the returned function ends that."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback) if callback in self._listeners else None

    def publish(self, event: Event) -> None:
        """Publish an event to every listener."""
        for callback in tuple(self._listeners):
            callback(event)
        self.stir()

    def stir(self) -> None:
        """Wake everything that waits in ``until``."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    async def until(self, is_so: Callable[[], object], timeout_seconds: float = 120.0) -> None:
        """Wait until *is_so* holds; asked after everything that happens, and now and then.

        Raises:
            TimeoutError: It did not become so in time.
        """
        async with asyncio.timeout(timeout_seconds):
            while not is_so():
                # With Python 3.11, `asyncio.wait_for` swallows a deadline at which something happens.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._stirred.wait()
