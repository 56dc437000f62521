"""Shared parts of the JSON payloads between a bot and Discord."""

from __future__ import annotations

import datetime
import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NewType, TypeVar, cast

from aiohttp import web

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
