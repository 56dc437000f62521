"""REST v10: authentication, injected failures and routing."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, web
from msgspec import Struct

from bot.playground.discord.payloads import Clock, Form, Payload, Refusal, Upload, json_response, unserved

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord


class Rule(Struct, frozen=True):
    """One kind of call, and how many of it fit in how many seconds, for each group of the pattern."""

    bucket: str
    pattern: re.Pattern[str]
    limit: int
    per_seconds: float


RULES = (
    Rule("send", re.compile(r"POST /channels/(\d+)/messages"), 5, 5.0),
    Rule("edit", re.compile(r"PATCH /channels/(\d+)/messages/\d+"), 5, 5.0),
    Rule("follow-up", re.compile(r"(?:POST|PATCH) /webhooks/\d+/([^/]+)(?:/messages/[^/]+)?"), 5, 2.0),
)


class Bucket(Struct):
    """The calls of one kind to one place since a moment; they lapse all at once, as discord.py expects."""

    rule: Rule
    began: float
    calls: int = 0


class Verdict(Struct, frozen=True):
    """The result for a call: the headers to send, and how long to wait if it came too early."""

    headers: dict[str, str]
    retry_after: float | None


class RateLimits:
    """Counts calls, bucket by bucket."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def count(self, method: str, path: str) -> Verdict:
        """Count a call."""
        for rule in RULES:
            match = rule.pattern.fullmatch(f"{method} {path}")
            if match:
                return self._count(rule, match[1])
        return Verdict({}, None)

    def _count(self, rule: Rule, place: str) -> Verdict:
        now = self._clock()
        self._forget_idle(now)
        bucket = self._buckets.setdefault((rule.bucket, place), Bucket(rule, now))
        if now - bucket.began >= rule.per_seconds:
            bucket.began, bucket.calls = now, 0
        is_full = bucket.calls >= rule.limit
        if not is_full:
            bucket.calls += 1
        reset_after = bucket.began + rule.per_seconds - now
        headers = {
            "X-RateLimit-Bucket": rule.bucket,
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(rule.limit - bucket.calls),
            "X-RateLimit-Reset": f"{now + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        }
        return Verdict(headers, reset_after if is_full else None)

    def _forget_idle(self, now: float) -> None:
        if len(self._buckets) < 1000:
            return
        for key, bucket in list(self._buckets.items()):
            if now - bucket.began >= bucket.rule.per_seconds:
                del self._buckets[key]


API_PREFIX = "/api/v10"
KEPT_REQUESTS = 20_000
EDIT_CALLBACK = 7
NEEDS_NO_TOKEN = re.compile(r"/(interactions|webhooks)/\d+/[^/]+.*|/gateway")


class Request(Struct, frozen=True):
    """A request of the bot, recorded for later inspection."""

    method: str
    path: str
    body: Any
    at: float
    status: int


class Call(Struct, frozen=True):
    """A request being routed."""

    discord: LocalDiscord
    method: str
    path: str
    parts: dict[str, str]
    query: dict[str, str]
    body: Any
    files: list[Upload]

    def number(self, name: str) -> int:
        """A part of the path as an id.

        Raises:
            Refusal: It is not one.
        """
        text = self.parts[name]
        if not text.isdigit():
            form = Form()
            form.add((name,), "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
            form.raise_problems()
        return int(text)

    @property
    def form(self) -> Payload:
        """The body as an object."""
        return self.body if isinstance(self.body, dict) else {}


Route = Callable[[Call], Payload | list[Payload] | None]


class _Fault(Struct):
    pattern: re.Pattern[str]
    status: int
    body: Payload | None
    retry_after: float | None
    times: int


class Rest:
    """All routes, behind the same checks."""

    def __init__(self, discord: LocalDiscord, limits: RateLimits | None) -> None:
        self._discord = discord
        self._limits = limits
        self._routes: list[tuple[str, re.Pattern[str], Route]] = []
        self._faults: list[_Fault] = []
        self.requests: list[Request] = []

    def route(self, method: str, template: str, handler: Route) -> None:
        """Serve a path such as ``/channels/{channel}/messages``."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
        self._routes.append((method, re.compile(pattern), handler))

    def fail_next(
        self, pattern: str, status: int, body: Payload | None, retry_after: float | None, times: int
    ) -> None:
        """Answer the next *times* requests whose ``METHOD /path`` matches with an error."""
        self._faults.append(_Fault(re.compile(pattern), status, body, retry_after, times))

    async def serve(self, http: web.Request) -> web.StreamResponse:
        """Answer a request as Discord would."""
        path = http.path.removeprefix(API_PREFIX)
        body, files = await _read(http)
        response = self._injected(http.method, path) or self._limited(http, path, body, files)
        record = Request(http.method, path, body, self._discord.clock(), response.status)
        self.requests.append(record)
        if len(self.requests) > KEPT_REQUESTS:
            del self.requests[: KEPT_REQUESTS // 2]
        self._discord.bulletin.stir()
        if self._discord.edit_seconds and _is_edit(http.method, path, body):
            await asyncio.sleep(self._discord.edit_seconds)
        return response

    def _limited(self, http: web.Request, path: str, body: Any, files: list[Upload]) -> web.Response:
        if self._limits is None:
            return self._respond(http, path, body, files)
        verdict = self._limits.count(http.method, path)
        if verdict.retry_after is not None:
            self._discord.note_breach(f"{http.method} {_shortened(path)}: it called too often")
            return _too_many(verdict.retry_after, None, verdict.headers)
        response = self._respond(http, path, body, files)
        response.headers.update(verdict.headers)
        return response

    def _respond(self, http: web.Request, path: str, body: Any, files: list[Upload]) -> web.Response:
        request = f"{http.method} {_shortened(path)}"
        breach = f"the local Discord stumbled over {request}: {body!r}"  # if so, aiohttp answers with 500
        try:
            self._check_token(http, path)
            call, handler = self._find(http, path, body, files)
            result = handler(call)
            breach = ""
        except Refusal as refusal:
            breach = f"{request}: {refusal.sentence}" if refusal.is_breach else ""
            return json_response(refusal.body, refusal.status)
        finally:
            if breach:
                self._discord.note_breach(breach)
            self._judge(http.method, path, body)
        return web.Response(status=204) if result is None else json_response(result)

    def _find(self, http: web.Request, path: str, body: Any, files: list[Upload]) -> tuple[Call, Route]:
        for method, pattern, handler in self._routes:
            match = pattern.fullmatch(path)
            if match and method == http.method:
                parts, query = match.groupdict(), dict(http.query)
                return Call(self._discord, method, path, parts, query, body, files), handler
        raise unserved(http.method, path)

    def _check_token(self, http: web.Request, path: str) -> None:
        if NEEDS_NO_TOKEN.fullmatch(path):
            return
        if http.headers.get("Authorization") != f"Bot {self._discord.token}":
            raise Refusal(401, 0, "401: Unauthorized", "it called without its token")

    def _judge(self, method: str, path: str, body: Any) -> None:
        if self._discord.description is None:
            return
        if problem := self._discord.description.problem(method, path, body):
            self._discord.note_breach(problem)

    def _injected(self, method: str, path: str) -> web.Response | None:
        for fault in self._faults:
            if fault.times and fault.pattern.search(f"{method} {path}"):
                fault.times -= 1
                return _fault_response(fault)
        return None


def _is_edit(method: str, path: str, body: Any) -> bool:
    """Whether a request edits a message: by itself, or as the answer to a press."""
    is_callback = path.endswith("/callback") and isinstance(body, dict)
    return (method == "PATCH" and "/messages/" in path) or (is_callback and body.get("type") == EDIT_CALLBACK)


def _fault_response(fault: _Fault) -> web.Response:
    if fault.status == 429:
        return _too_many(0.1 if fault.retry_after is None else fault.retry_after, fault.body, {})
    body = fault.body if fault.body is not None else {"message": f"{fault.status}: injected", "code": 0}
    return json_response(body, fault.status)


def _too_many(retry_after: float, body: Payload | None, headers: dict[str, str]) -> web.Response:
    """A 429; without ``Via`` the client takes it for a ban by the network in front of Discord."""
    said = {
        "message": "You are being rate limited.",
        "retry_after": retry_after,
        "global": False,
        **(body or {}),
    }
    marks = {"Via": "1.1 local", "Retry-After": str(retry_after), "X-RateLimit-Scope": "user"}
    return json_response(said, 429, headers | marks)


def _shortened(path: str) -> str:
    """The path without the long token in it."""
    return re.sub(r"[\w-]{60,}", "{token}", path)


async def _read(http: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON body, and the files of a multipart one in their order."""
    if not http.content_type.startswith("multipart/"):
        raw = await http.read()
        return (json.loads(raw) if raw else None), []
    body: Any = None
    files: dict[int, Upload] = {}
    async for part in await http.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        content = await part.read(decode=False)
        if part.name == "payload_json":
            body = json.loads(content)
        else:
            number = int(re.sub(r"\D", "", part.name or "") or len(files))
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files[number] = Upload(part.filename or "unknown", bytes(content), kind)
    return body, [files[number] for number in sorted(files)]
