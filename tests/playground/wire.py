"""A bot without a library: it speaks the gateway and REST by hand, rightly or wrongly."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import json
import zlib
from collections.abc import Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import aiohttp

from bot.playground.discord import Answer, LocalDiscord, Member

INTENTS = (1 << 0) | (1 << 7) | (1 << 16)


class Wire:
    """One REST client and, once ``identify`` is called, one gateway connection."""

    def __init__(self, local: LocalDiscord, compress: str | None = None) -> None:
        self._local = local
        self._compress = compress
        self._inflate = _inflater(compress)
        self._sockets = contextlib.AsyncExitStack()
        self.session_id = ""
        self.sequence = 0
        self.application_id = str(local.application.id)

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sockets.aclose()
        await self._http.close()

    async def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        files: tuple[bytes, ...] = (),
    ) -> tuple[int, Any]:
        """Call REST; gives the status and, if it is JSON, the body."""
        headers = {"Authorization": f"Bot {token or self._local.token}"}
        sent: dict[str, Any] = {"json": body} if body is not None else {}
        if files:
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps(body), content_type="application/json")
            for index, content in enumerate(files):
                form.add_field(f"files[{index}]", io.BytesIO(content), filename=f"file{index}.png")
            sent = {"data": form}
        async with self._http.request(
            method, self._local.api_url + path, headers=headers, **sent
        ) as response:
            self.headers = dict(response.headers)
            is_json = response.content_type == "application/json"
            return response.status, (await response.json() if is_json else None)

    async def connect(self) -> dict[str, Any]:
        """Open the gateway; gives the first payload."""
        query = f"?v=10&encoding=json{'&compress=' + self._compress if self._compress else ''}"
        connecting = self._http.ws_connect(self._local.gateway_url + query)
        self.socket = await self._sockets.enter_async_context(connecting)
        return await self.receive()

    async def receive(self) -> dict[str, Any]:
        """The next payload."""
        frame = await self.socket.receive(timeout=60)
        assert frame.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), frame
        raw = self._inflate.decompress(frame.data) if isinstance(frame.data, bytes) else frame.data
        payload: dict[str, Any] = json.loads(raw)
        self.sequence = payload.get("s") or self.sequence
        return payload

    async def send(self, operation: int, data: object) -> None:
        """Send a payload."""
        await self.socket.send_json({"op": operation, "d": data})

    async def event(self, name: str) -> dict[str, Any]:
        """The data of the next event of this name; others are passed over."""
        while True:
            payload = await self.receive()
            if payload["t"] == name:
                data: dict[str, Any] = payload["d"]
                return data

    async def identify(
        self, *, token: str | None = None, intents: int = INTENTS, shard: tuple[int, int] = (0, 1)
    ) -> None:
        """Identify on an open connection."""
        await self.send(2, {"token": token or self._local.token, "intents": intents, "shard": list(shard)})

    async def ready(self, **options: Any) -> dict[str, Any]:
        """Connect and identify; gives READY."""
        await self.connect()
        await self.identify(**options)
        ready = await self.event("READY")
        self.session_id = ready["session_id"]
        return ready

    async def closed_with(self) -> int | None:
        """Wait until Discord closes the connection; gives the code."""
        async with asyncio.timeout(60):
            async for _ in self.socket:
                pass
        return self.socket.close_code

    async def hang_up(self, code: int = 4000) -> None:
        """Close the connection from the bot's side."""
        await self.socket.close(code=code)

    async def answer(
        self, interaction: dict[str, Any], kind: int, data: object = None, **options: Any
    ) -> tuple[int, Any]:
        """Call an interaction back."""
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
        return await self.call("POST", path, {"type": kind, "data": data}, **options)

    async def follow_up(self, interaction: dict[str, Any], body: object) -> tuple[int, Any]:
        """Send a further message."""
        return await self.call("POST", f"/webhooks/{self.application_id}/{interaction['token']}", body)

    async def edit(
        self, interaction: dict[str, Any], body: object, which: str = "@original", **options: Any
    ) -> tuple[int, Any]:
        """Edit the answer or a follow-up."""
        path = f"/webhooks/{self.application_id}/{interaction['token']}/messages/{which}"
        return await self.call("PATCH", path, body, **options)


def _inflater(compress: str | None) -> Any:
    if compress == "zstd-stream":
        return importlib.import_module("zstandard").ZstdDecompressor().decompressobj()
    return zlib.decompressobj()


def problem(body: dict[str, Any], *path: str | int) -> str:
    """The code of the first problem that an Invalid Form Body names at a place."""
    assert body["code"] == 50035, body
    place = body["errors"]
    for key in path:
        place = place[str(key)]
    code: str = place["_errors"][0]["code"]
    return code


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
