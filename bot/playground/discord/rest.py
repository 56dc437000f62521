"""REST v10: authentication, injected failures, and every route."""

from __future__ import annotations

import asyncio
import datetime
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, web
from msgspec import Struct

from bot.playground.discord.gateway import server_payload
from bot.playground.discord.message_limits import EPHEMERAL
from bot.playground.discord.messages import Posted, edit_of_another
from bot.playground.discord.payloads import (
    Clock,
    Form,
    Payload,
    Refusal,
    Upload,
    json_response,
    missing_access,
    missing_permissions,
    unknown_channel,
    unknown_server,
    unserved,
)
from bot.playground.discord.servers import (
    Channel,
    ChannelType,
    EventStatus,
    Permission,
    ScheduledEvent,
    Server,
)

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


def add_routes(rest: Rest) -> None:
    """Teach *rest* every route."""
    for method, template, handler in (
        ("GET", "/gateway", _gateway),
        ("GET", "/gateway/bot", _gateway_bot),
        ("GET", "/users/@me", lambda call: call.discord.application.own_user_payload()),
        ("GET", "/oauth2/applications/@me", lambda call: call.discord.application.payload()),
        ("GET", "/applications/@me", lambda call: call.discord.application.payload()),
        ("GET", "/users/@me/guilds", _own_servers),
        ("POST", "/users/@me/channels", _open_direct),
        ("GET", "/users/{user}", _user),
        ("GET", "/channels/{channel}", lambda call: _channel(call).payload()),
        ("POST", "/channels/{channel}/typing", _typing),
        ("GET", "/channels/{channel}/messages", _list_messages),
        ("POST", "/channels/{channel}/messages", _send_message),
        ("GET", "/channels/{channel}/messages/{message}", lambda call: _readable(call).payload),
        ("PATCH", "/channels/{channel}/messages/{message}", _edit_message),
        ("DELETE", "/channels/{channel}/messages/{message}", _delete_message),
        ("POST", "/channels/{channel}/messages/{message}/threads", _start_thread),
        ("GET", "/guilds/{server}", lambda call: server_payload(server_of(call))),
        (
            "GET",
            "/guilds/{server}/channels",
            lambda call: [c.payload() for c in server_of(call).channels if not c.is_thread],
        ),
        ("GET", "/guilds/{server}/roles", lambda call: [role.payload() for role in server_of(call).roles]),
        ("GET", "/guilds/{server}/members/{user}", _member),
        ("GET", "/applications/{application}/emojis", lambda call: {"items": call.discord.emojis}),
        ("POST", "/applications/{application}/emojis", _create_emoji),
    ):
        rest.route(method, template, handler)


def _gateway(call: Call) -> Payload:
    return {"url": call.discord.gateway_url}


def _gateway_bot(call: Call) -> Payload:
    discord = call.discord
    limit: Payload = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000}
    limit["max_concurrency"] = discord.max_concurrency
    return {
        "url": discord.gateway_url,
        "shards": discord.recommended_shards,
        "session_start_limit": limit,
    }


def server_of(call: Call) -> Server:
    """The server that a path names.

    Raises:
        Refusal: The bot is in no such server.
    """
    server = call.discord.server(call.number("server"))
    if server is None:
        raise unknown_server()
    return server


def _channel(call: Call) -> Channel:
    channel = call.discord.channel(call.number("channel"))
    if channel is None:
        raise unknown_channel()
    if channel.server is not None and not channel.server.bot_permissions(channel) & Permission.VIEW_CHANNEL:
        raise missing_access()
    return channel


def _own_servers(call: Call) -> list[Payload]:
    return [server_payload(server) for server in call.discord.servers]


def _open_direct(call: Call) -> Payload:
    member = call.discord.person(int(call.form.get("recipient_id", 0)))
    if member is None:
        raise Refusal(400, 50033, "Invalid Recipient(s)", "it opened a conversation with nobody")
    return call.discord.direct_channel(member).payload() | {"recipients": [member.user_payload()]}


def _user(call: Call) -> Payload:
    number = call.number("user")
    if number == call.discord.application.user_id:
        return call.discord.application.user_payload()
    member = call.discord.person(number)
    if member is None:
        raise Refusal(404, 10013, "Unknown User", "it asked for a user that does not exist")
    return member.user_payload()


def _typing(call: Call) -> None:
    _writable(call)


def _writable(call: Call, *, has_files: bool = False) -> Channel:
    channel = _channel(call)
    if channel.server is None:
        return channel
    held = channel.server.bot_permissions(channel)
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    if not held & needed:
        raise missing_permissions(f"send messages in #{channel.name}")
    if has_files and not held & Permission.ATTACH_FILES:
        raise missing_permissions(f"attach files in #{channel.name}")
    return channel


def _send_message(call: Call) -> Payload:
    channel = _writable(call, has_files=bool(call.files))
    body: Payload = {**call.form, "flags": (call.form.get("flags") or 0) & ~EPHEMERAL}
    if channel.server and not channel.server.bot_permissions(channel) & Permission.EMBED_LINKS:
        body["embeds"] = []
    extra: Payload = {}
    reference = call.form.get("message_reference")
    if reference:
        extra = _reply_part(call, channel, reference)
    return call.discord.messages.post(channel, body, call.files, extra=extra).payload


def _reply_part(call: Call, channel: Channel, reference: Payload) -> Payload:
    try:
        answered = call.discord.messages.find(channel, int(reference.get("message_id", 0)))
    except Refusal:
        if reference.get("fail_if_not_exists", True):
            form = Form()
            form.add(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            form.raise_problems()
        return {}
    return {"type": 19, "message_reference": reference, "referenced_message": answered.payload}


def _message(call: Call) -> Posted:
    posted = call.discord.messages.find(_channel(call), call.number("message"))
    if posted.visible_to is not None:
        raise Refusal(
            404, 10008, "Unknown Message", "it reached for an ephemeral message through its channel"
        )
    return posted


def _readable(call: Call) -> Posted:
    channel = _channel(call)
    if channel.server and not channel.server.bot_permissions(channel) & Permission.READ_MESSAGE_HISTORY:
        raise missing_permissions(f"read the history of #{channel.name}")
    return _message(call)


def _start_thread(call: Call) -> Payload:
    """Start a thread under a message; it has the message's id."""
    posted, channel, form = _readable(call), _channel(call), Form()
    server, name = channel.server, call.form.get("name")
    if server is None or not server.bot_permissions(channel) & Permission.CREATE_PUBLIC_THREADS:
        raise missing_permissions(f"start a thread in #{channel.name}")
    form.text(("name",), name, 1, 100)
    form.raise_problems()
    if any(one.id == posted.id for one in server.channels):
        sentence = "it started a second thread under one message"
        raise Refusal(400, 160004, "A thread has already been created for this message", sentence)
    return server.add_channel(str(name), ChannelType.THREAD, channel, id=posted.id).payload()


def _list_messages(call: Call) -> list[Payload]:
    messages = [
        posted for posted in call.discord.messages.in_channel(_channel(call)) if posted.visible_to is None
    ]
    before, after = int(call.query.get("before", 1 << 63)), int(call.query.get("after", 0))
    found = [posted.payload for posted in messages if after < posted.id < before]
    limit = int(call.query.get("limit", 50))
    return list(reversed(found[:limit] if "after" in call.query else found[-limit:]))


def _edit_message(call: Call) -> Payload:
    posted = _message(call)
    if refusal := edit_of_another(posted, call.discord.application.user_id):
        raise refusal
    return call.discord.messages.edit(posted, call.form, call.files).payload


def _delete_message(call: Call) -> None:
    posted = _message(call)
    is_own = edit_of_another(posted, call.discord.application.user_id) is None
    server = posted.channel.server
    if not is_own and server and not server.bot_permissions(posted.channel) & Permission.MANAGE_MESSAGES:
        raise missing_permissions("delete other people's messages")
    call.discord.messages.delete(posted)


def _member(call: Call) -> Payload:
    server, number = server_of(call), call.number("user")
    if number == call.discord.application.user_id:
        return call.discord.application.member_payload(server.bot_role.id)
    member = server.member(number)
    if member is None:
        raise Refusal(404, 10007, "Unknown Member", "it asked for a member who is not there", is_breach=False)
    return member.payload()


def _create_emoji(call: Call) -> Payload:
    form = Form()
    form.text(("name",), call.form.get("name"), 2, 32)
    form.text(("image",), call.form.get("image"), 1, 400_000)
    form.raise_problems()
    emoji: Payload = {"id": str(call.discord.snowflakes.next()), "name": call.form["name"], "roles": []}
    emoji |= {"require_colons": True, "managed": False, "animated": False, "available": True}
    call.discord.files.keep_emoji(emoji, call.form["image"])
    call.discord.emojis.append(emoji | {"user": call.discord.application.user_payload()})
    return call.discord.emojis[-1]


STAGE, VOICE, EXTERNAL = 1, 2, 3


def add_event_routes(rest: Rest) -> None:
    """Teach *rest* the routes of scheduled events."""
    every, one = "/guilds/{server}/scheduled-events", "/guilds/{server}/scheduled-events/{event}"
    rest.route(
        "GET", every, lambda call: [item.payload() for item in server_of(call).events if not item.is_over]
    )
    rest.route("POST", every, _create)
    rest.route("GET", one, lambda call: _event(call).payload())
    rest.route("PATCH", one, _edit)
    rest.route("DELETE", one, _delete)


def _event(call: Call) -> ScheduledEvent:
    number = call.number("event")
    for event in server_of(call).events:
        if event.id == number and not event.is_over:
            return event
    sentence = "it asked for a scheduled event that is not there"
    raise Refusal(404, 10070, "Unknown Guild Scheduled Event", sentence, is_breach=False)


def _create(call: Call) -> Payload:
    server = server_of(call)
    _require(server, Permission.CREATE_EVENTS)
    form, asked = Form(), call.form
    form.text(("name",), asked.get("name"), 1, 100)
    form.text(("description",), asked.get("description"), 0, 1000)
    form.one_of(("privacy_level",), asked.get("privacy_level"), (2,))
    starts_at = _moment(form, "scheduled_start_time", asked)
    ends_at = _moment(form, "scheduled_end_time", asked)
    if starts_at is None:
        form.add(("scheduled_start_time",), "BASE_TYPE_REQUIRED", "This field is required")
    elif starts_at < call.discord.clock():
        message = "Cannot schedule event in the past."
        form.add(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", message)
    channel = _place(form, call, server, ends_at)
    form.raise_problems()
    event = server.schedule_event(
        asked["name"],
        starts_at=starts_at,
        ends_at=ends_at,
        channel=channel,
        description=asked.get("description"),
        creator=call.discord.application.user_payload(),
    )
    return event.payload()


def _place(form: Form, call: Call, server: Server, ends_at: float | None) -> Channel | None:
    """Where the event is held: a channel, or elsewhere, and then its end must be known."""
    kind = call.form.get("entity_type")
    if not form.one_of(("entity_type",), kind, (STAGE, VOICE, EXTERNAL)):
        return None
    if kind == EXTERNAL:
        location = (call.form.get("entity_metadata") or {}).get("location")
        form.text(("entity_metadata", "location"), location, 1, 100)
        if ends_at is None:
            form.add(("scheduled_end_time",), "BASE_TYPE_REQUIRED", "This field is required")
        return None
    wanted = str(call.form.get("channel_id"))
    channel = next((place for place in server.channels if str(place.id) == wanted), None)
    if channel is None:
        form.add(("channel_id",), "BASE_TYPE_REQUIRED", "This field is required")
    return channel


def _edit(call: Call) -> Payload:
    server, event, form = _changeable(call), _event(call), Form()
    if "name" in call.form:
        form.text(("name",), call.form["name"], 1, 100)
    status = call.form.get("status")
    if status is not None:
        following = {
            EventStatus.SCHEDULED: (EventStatus.ACTIVE, EventStatus.CANCELLED),
            EventStatus.ACTIVE: (EventStatus.COMPLETED,),
        }
        form.one_of(("status",), status, map(int, following[event.status]))
    form.raise_problems()
    event.name = call.form.get("name", event.name)
    event.description = call.form.get("description", event.description)
    server.set_event_status(event, EventStatus(status) if status is not None else event.status)
    return event.payload()


def _delete(call: Call) -> None:
    server = _changeable(call)
    server.remove_event(_event(call))


def _changeable(call: Call) -> Server:
    """The server whose event is to be changed: one's own with either permission, others' with one."""
    server, event = server_of(call), _event(call)
    is_own = event.creator["id"] == str(call.discord.application.user_id)
    _require(server, Permission.MANAGE_EVENTS | (Permission.CREATE_EVENTS if is_own else 0))
    return server


def _require(server: Server, any_of: int) -> None:
    if not (server.everyone.permissions | server.bot_role.permissions) & any_of:
        raise missing_permissions("keep the calendar")


def _moment(form: Form, key: str, asked: Payload) -> float | None:
    if asked.get(key) is None:
        return None
    try:
        return datetime.datetime.fromisoformat(str(asked[key])).timestamp()
    except ValueError:
        form.add((key,), "DATE_TIME_TYPE_PARSE", f"Could not parse {asked[key]}. Should be ISO8601.")
        return None


def add_interaction_routes(rest: Rest) -> None:
    """Teach *rest* the routes of commands, callbacks and follow-ups."""
    for scope in (
        "/applications/{application}/commands",
        "/applications/{application}/guilds/{server}/commands",
    ):
        rest.route("GET", scope, lambda call: call.discord.registry.registered(_scope(call)))
        rest.route(
            "PUT", scope, lambda call: call.discord.registry.overwrite(list(call.body or []), _scope(call))
        )
        rest.route("POST", scope, lambda call: call.discord.registry.upsert(call.form, _scope(call)))
        one = scope + "/{command}"
        rest.route("GET", one, lambda call: call.discord.registry.find(call.parts["command"], _scope(call)))
        rest.route("PATCH", one, _edit_command)
        rest.route("DELETE", one, _delete_command)
    rest.route("POST", "/interactions/{interaction}/{token}/callback", _callback)
    webhook = "/webhooks/{application}/{token}"
    rest.route("POST", webhook, _follow_up)
    rest.route("GET", webhook + "/messages/{message}", _get_answer)
    rest.route("PATCH", webhook + "/messages/{message}", _edit_answer)
    rest.route("DELETE", webhook + "/messages/{message}", _delete_answer)


def _scope(call: Call) -> int | None:
    if call.number("application") != call.discord.application.id:
        raise Refusal(403, 20012, "You are not authorized to perform this action on this application")
    return call.number("server") if "server" in call.parts else None


def _edit_command(call: Call) -> Payload:
    before = call.discord.registry.find(call.parts["command"], _scope(call))
    return call.discord.registry.upsert({**before, **call.form}, _scope(call))


def _delete_command(call: Call) -> None:
    call.discord.registry.remove(call.parts["command"], _scope(call))


def _callback(call: Call) -> Payload | None:
    interaction = call.discord.interactions.by_callback(call.number("interaction"), call.parts["token"])
    response = call.discord.callbacks.answer(interaction, call.form, call.files)
    return response if call.query.get("with_response", "").lower() in ("1", "true") else None


def _follow_up(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    return call.discord.callbacks.follow_up(interaction, call.form, call.files).payload


def _get_answer(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    return call.discord.callbacks.message(interaction, call.parts["message"]).payload


def _edit_answer(call: Call) -> Payload:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    posted = call.discord.callbacks.message(interaction, call.parts["message"])
    return call.discord.callbacks.edit(interaction, posted, call.form, call.files).payload


def _delete_answer(call: Call) -> None:
    interaction = call.discord.interactions.by_token(call.parts["token"])
    call.discord.callbacks.delete(
        interaction, call.discord.callbacks.message(interaction, call.parts["message"])
    )
