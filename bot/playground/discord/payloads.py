"""What a bot and Discord tell each other: shared parts of the JSON, error responses, and live events."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NewType, TypeVar, cast

from aiohttp import web
from msgspec import Struct

if TYPE_CHECKING:
    from bot.playground.discord.interactions import Interaction
    from bot.playground.discord.servers import Channel, Member, Server


Payload = dict[str, Any]
"""A JSON object as Discord writes it: the edge where types end."""

Clock = Callable[[], float]
"""Seconds since 1970."""

UserId = NewType("UserId", int)

DISCORD_EPOCH_MILLISECONDS = 1420070400000


class Snowflakes:
    """Hands out rising ids that contain their creation time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._milliseconds = 0
        self._sequence = 0

    def next(self, *, apart: bool = False) -> int:
        """Make a new id.

        Args:
            apart: Whether the id needs a millisecond of its own (servers are spread over shards by it).
        """
        now = int(self._clock() * 1000) - DISCORD_EPOCH_MILLISECONDS
        if apart or now > self._milliseconds:
            self._milliseconds = max(now, self._milliseconds + 1)
            self._sequence = 0
        else:
            self._sequence += 1
        return (self._milliseconds << 22) | self._sequence

    def go_past(self, id: int) -> None:
        """Let every id from now on be higher than one that was made elsewhere."""
        if self._milliseconds <= id >> 22:
            self._milliseconds, self._sequence = (id >> 22) + 1, 0


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file."""

    filename: str
    content: bytes = field(repr=False)
    content_type: str = "application/octet-stream"


JsonT = TypeVar("JsonT")


def copied(value: JsonT) -> JsonT:
    """Return a JSON value that shares nothing that can change; five times as fast as `copy.deepcopy`."""
    return cast("JsonT", pickle.loads(pickle.dumps(value)))  # noqa: S301  # nobody else made these bytes


def timestamp(seconds: float) -> str:
    """The moment as Discord writes it."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat()


def json_response(body: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """An answer whose type is exactly ``application/json``: discord.py parses nothing else."""
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", **(headers or {})},
    )


def walk_components(components: list[Payload] | None) -> Iterator[Payload]:
    """Every component of a message or modal, the nested ones too, in reading order."""
    for component in components or []:
        yield component
        yield from walk_components(component.get("components"))
        for key in ("accessory", "component"):
            if isinstance(component.get(key), dict):
                yield from walk_components([component[key]])


Path = tuple[str | int, ...]


class Refusal(Exception):
    """Discord refuses a request.

    Attributes:
        status: The HTTP status.
        body: Discord's error body.
        sentence: What the bot did, for whoever reads the breaches.
        is_breach: Whether the bot broke a rule (not if a person merely was quicker).
    """

    def __init__(
        self, status: int, code: int, message: str, sentence: str = "", *, is_breach: bool = True
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: Payload = {"message": message, "code": code}
        self.sentence = sentence or message
        self.is_breach = is_breach


class CannotSend(ValueError):
    """Discord's client does not let this person do this; the text is what the client says."""


class Form(Struct):
    """Collects what is wrong with a request body, each problem with its place."""

    problems: list[tuple[Path, str, str]] = []

    def add(self, path: Path, code: str, message: str) -> None:
        """Note a problem."""
        self.problems.append((path, code, message))

    def text(self, path: Path, value: object, lowest: int, highest: int) -> bool:
        """Check a text's length in characters; a missing one is a problem if *lowest* is above 0."""
        if value is None:
            if lowest:
                self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return not lowest
        if not isinstance(value, str):
            self.add(path, "STRING_TYPE_CONVERT", f"Could not interpret {value!r} as string.")
            return False
        if lowest and not value.strip():
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return False
        if not lowest <= len(value) <= highest:
            self._length(path, lowest, highest)
            return False
        return True

    def count(self, path: Path, items: Iterable[object], lowest: int, highest: int) -> bool:
        """Check how many there are."""
        if lowest <= len(list(items)) <= highest:
            return True
        self._length(path, lowest, highest)
        return False

    def number(self, path: Path, value: object, lowest: float, highest: float) -> bool:
        """Check a number's bounds; a missing one is fine."""
        if value is None:
            return True
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return False
        if not lowest <= value <= highest:
            self.add(path, "NUMBER_TYPE_RANGE", f"int value should be between {lowest} and {highest}.")
            return False
        return True

    def one_of(self, path: Path, value: object, allowed: Iterable[object]) -> bool:
        """Check that the value is one of those allowed."""
        choices = tuple(allowed)
        if value in choices and not isinstance(value, bool):
            return True
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices}.")
        return False

    def unique(self, path: Path, values: Iterable[object], code: str, message: str) -> None:
        """Check that no value comes twice."""
        seen: set[object] = set()
        for value in values:
            if value in seen:
                self.add(path, code, f"{message}: {value!r}")
            seen.add(value)

    def _length(self, path: Path, lowest: int, highest: int) -> None:
        if lowest:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {lowest} and {highest} in length.")
        else:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {highest} or fewer in length.")

    def raise_problems(self) -> None:
        """Refuse the request if anything is wrong with it.

        Raises:
            Refusal: 50035 with every problem at its place.
        """
        if not self.problems:
            return
        errors: Payload = {}
        for path, code, message in self.problems:
            place = errors
            for key in path:
                place = place.setdefault(str(key), {})
            place.setdefault("_errors", []).append({"code": code, "message": message})
        said = [
            f"{'.'.join(map(str, path)) or 'body'}: {text} ({code})" for path, code, text in self.problems
        ]
        refusal = Refusal(400, 50035, "Invalid Form Body", "; ".join(said))
        refusal.body["errors"] = errors
        raise refusal


def unknown_message(*, once_existed: bool = False) -> Refusal:
    """No such message, or none that the bot may reach."""
    sentence = "it reached for a message that never was there"
    return Refusal(404, 10008, "Unknown Message", sentence, is_breach=not once_existed)


def unknown_channel() -> Refusal:
    """No such channel."""
    return Refusal(404, 10003, "Unknown Channel", "it reached for a channel that does not exist")


def unknown_server() -> Refusal:
    """No such server, or the bot is not in it."""
    return Refusal(404, 10004, "Unknown Guild", "it reached for a server that it is not in")


def missing_access() -> Refusal:
    """The bot cannot see the channel."""
    return Refusal(403, 50001, "Missing Access", "it reached for a channel that it may not see")


def missing_permissions(what: str) -> Refusal:
    """The bot lacks a permission."""
    return Refusal(403, 50013, "Missing Permissions", f"it lacks the permission to {what}")


def unserved(method: str, path: str) -> Refusal:
    """The local Discord has no such route."""
    return Refusal(404, 0, "404: Not Found", f"the local Discord does not serve {method} {path}")


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
