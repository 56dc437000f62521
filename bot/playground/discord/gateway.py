"""The gateway: its sessions, which survive a lost connection, and its connections."""

from __future__ import annotations

import asyncio
import importlib
import json
import math
import secrets
import zlib
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from aiohttp import WSMsgType, web

from bot.playground.discord.payloads import ConnectionChanged, Payload
from bot.playground.discord.servers import ChannelType

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Server


class Packing(Protocol):
    """Packs payload after payload in one stream."""

    def pack(self, raw: bytes) -> str | bytes:
        """The frame to send."""
        ...


class Plain:
    """No compression: one text frame a payload."""

    def pack(self, raw: bytes) -> str:
        """The payload as text."""
        return raw.decode()


class ZlibStream:
    """``compress=zlib-stream``: one context a connection, a sync flush after each payload."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, raw: bytes) -> bytes:
        """The payload's part of the stream."""
        return self._stream.compress(raw) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """``compress=zstd-stream``: the same with Zstandard."""

    def __init__(self) -> None:
        self._stream, self._flush_block = _zstd_stream()

    def pack(self, raw: bytes) -> bytes:
        """The payload's part of the stream."""
        packed: bytes = self._stream.compress(raw) + self._stream.flush(self._flush_block)
        return packed


def _zstd_stream() -> tuple[Any, int]:
    """A Zstandard compressor of the standard library (3.14) or of the package that clients use before it."""
    try:
        standard = importlib.import_module("compression.zstd")
    except ModuleNotFoundError:
        package = importlib.import_module("zstandard")
        return package.ZstdCompressor().compressobj(), package.COMPRESSOBJ_FLUSH_BLOCK
    return standard.ZstdCompressor(), standard.ZstdCompressor.FLUSH_BLOCK


def packing_for(asked: str | None) -> Packing:
    """The packing that a client asked for in its gateway address."""
    if asked == "zlib-stream":
        return ZlibStream()
    if asked == "zstd-stream":
        return ZstdStream()
    return Plain()


SERVERS, MEMBERS, VOICE, MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 1, 1 << 7, 1 << 9, 1 << 12
SCHEDULED_EVENTS = 1 << 16

INTENT_BY_PREFIX = {
    "GUILD_SCHEDULED_EVENT_": SCHEDULED_EVENTS,
    "GUILD_MEMBER_": MEMBERS,
    "GUILD_MEMBERS_CHUNK": SERVERS,
    "VOICE_STATE_": VOICE,
    "MESSAGE_": MESSAGES | DIRECT_MESSAGES,
    "GUILD_": SERVERS,
    "CHANNEL_": SERVERS,
    "THREAD_": SERVERS,
}


def is_for_shard(server_id: int, shard: tuple[int, int]) -> bool:
    """Whether a shard, as (number, count), covers a server."""
    number, count = shard
    return (server_id >> 22) % count == number


def is_wanted(event_name: str, intents: int) -> bool:
    """Whether a bot with these intents is sent this event."""
    for prefix, intent in INTENT_BY_PREFIX.items():
        if event_name.startswith(prefix):
            return bool(intents & intent)
    return True


def without_unwanted(event_name: str, data: Payload, intents: int, discord: LocalDiscord) -> Payload:
    """The event with what the intents do not cover left blank: other people's message contents."""
    if not event_name.startswith("MESSAGE_") or "author" not in data:
        return data
    if data["author"]["id"] == str(discord.application.user_id):
        return data
    return data | {"content": "", "embeds": [], "attachments": [], "components": []}


def ready(discord: LocalDiscord, session_id: str, shard: tuple[int, int], servers: list[Server]) -> Payload:
    """The first event of a session."""
    return {
        "v": 10,
        "user": discord.application.own_user_payload(),
        "session_id": session_id,
        "session_type": "normal",
        "resume_gateway_url": discord.gateway_url,
        "shard": list(shard),
        "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
        "application": {"id": str(discord.application.id), "flags": 0},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "user_settings": {},
        "_trace": ["local"],
    }


def server_create(server: Server, intents: int) -> Payload:
    """A server with everything in it that the intents cover."""
    threads = [channel.payload() for channel in server.channels if channel.type is ChannelType.THREAD]
    channels = [channel.payload() for channel in server.channels if channel.type is not ChannelType.THREAD]
    hears_voice, sees_events = bool(intents & VOICE), bool(intents & SCHEDULED_EVENTS)
    own = server.discord.application.member_payload(server.bot_role.id)
    present = [member.payload() for member in server.members if intents & MEMBERS or member in server.voice]
    return server_payload(server) | {
        "joined_at": "2024-01-01T00:00:00+00:00",
        "large": False,
        "unavailable": False,
        "member_count": len(server.members) + 1,
        "channels": channels,
        "threads": threads,
        "members": [own, *present],
        "voice_states": [server.voice_state(member) for member in server.voice] if hears_voice else [],
        "guild_scheduled_events": (
            [event.payload() for event in server.events if not event.is_over] if sees_events else []
        ),
        "presences": [],
        "stage_instances": [],
        "soundboard_sounds": [],
    }


def server_payload(server: Server) -> Payload:
    """A server as REST gives it."""
    return {
        "id": str(server.id),
        "name": server.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": str(server.owner.id),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "roles": [role.payload() for role in server.roles],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": str(server.channels[0].id) if server.channels else None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
        "approximate_member_count": len(server.members) + 1,
    }


HEARTBEAT_INTERVAL_MILLISECONDS = 41250
ACKNOWLEDGE_SECONDS = 0.1  # as over a network: discord.py notes when it sent a heartbeat a moment afterwards
PRIVILEGED_INTENTS = (1 << 1) | (1 << 8) | (1 << 15)  # members, presences, message content
REPLAY_LENGTH = 2000
SENDS_PER_MINUTE = 120


class Session:
    """The events sent to one identified shard; it outlives its connection."""

    def __init__(self, shard: tuple[int, int], intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.intents = intents
        self.sequence = 0
        self.sent: deque[Payload] = deque(maxlen=REPLAY_LENGTH)
        self.connection: Connection | None = None

    def tell(self, event_name: str, data: Payload) -> None:
        """Send an event, now or when the session is resumed."""
        self.sequence += 1
        event: Payload = {"op": 0, "t": event_name, "s": self.sequence, "d": data}
        self.sent.append(event)
        if self.connection is not None:
            self.connection.send(event)

    def missed_since(self, sequence: int) -> list[Payload]:
        """What was sent after *sequence*."""
        return [event for event in self.sent if event["s"] > sequence]


class Connection:
    """One WebSocket of the bot."""

    def __init__(self, gateway: Gateway, socket: web.WebSocketResponse, packing: Packing) -> None:
        self._gateway = gateway
        self._socket = socket
        self._packing = packing
        self._waiting: asyncio.Queue[Payload] = asyncio.Queue()
        self._heard_at: deque[float] = deque(maxlen=SENDS_PER_MINUTE)
        self.session: Session | None = None

    def send(self, payload: Payload) -> None:
        """Queue a payload; they leave in order."""
        self._waiting.put_nowait(payload)

    async def close(self, code: int) -> None:
        """End the connection from Discord's side."""
        self._leave_session()
        await self._socket.close(code=code)

    async def run(self) -> None:
        """Serve the connection until it ends."""
        writer = asyncio.create_task(self._write())
        self.send(
            {"op": 10, "d": {"heartbeat_interval": HEARTBEAT_INTERVAL_MILLISECONDS}, "s": None, "t": None}
        )
        try:
            async for frame in self._socket:
                if frame.type is not WSMsgType.TEXT:
                    await self._break_off(4002, "it sent the gateway something that is not text")
                    return
                await self._hear(json.loads(frame.data))
        finally:
            writer.cancel()
            self._leave_session(deliberate=self._socket.close_code in (1000, 1001))

    async def _write(self) -> None:
        while True:
            payload = await self._waiting.get()
            frame = self._packing.pack(json.dumps(payload, separators=(",", ":")).encode())
            if self._socket.closed:
                return
            try:
                if isinstance(frame, str):
                    await self._socket.send_str(frame)
                else:
                    await self._socket.send_bytes(frame)
            except ConnectionError:
                return

    async def _hear(self, payload: Payload) -> None:
        operation, data = payload.get("op"), payload.get("d")
        if self._is_flooding():
            await self._break_off(4008, "it sent the gateway more than 120 payloads in a minute")
        elif operation == 1:
            acknowledgement = {"op": 11, "d": None, "s": None, "t": None}
            asyncio.get_running_loop().call_later(ACKNOWLEDGE_SECONDS, self.send, acknowledgement)
        elif operation == 2 and isinstance(data, dict):
            await self._identify(data)
        elif operation == 6 and isinstance(data, dict):
            await self._resume(data)
        elif self.session is None:
            await self._break_off(4003, "it spoke to the gateway before it identified")
        elif operation == 8 and isinstance(data, dict):
            self._gateway.send_members(self.session, data)
        elif operation not in (3, 4):
            await self._break_off(4001, f"it sent the gateway the unknown operation {operation}")

    def _is_flooding(self) -> bool:
        now = asyncio.get_running_loop().time()
        is_full = len(self._heard_at) == SENDS_PER_MINUTE and now - self._heard_at[0] < 60
        self._heard_at.append(now)
        return is_full

    async def _identify(self, data: Payload) -> None:
        if self.session is not None:
            await self._break_off(4005, "it identified twice on one connection")
        elif data.get("token") != self._gateway.token:
            await self._break_off(4004, "it identified with a wrong token")
        elif data.get("intents", 0) & PRIVILEGED_INTENTS:
            await self._break_off(
                4014, "it asked for privileged intents, which the application does not have"
            )
        else:
            number, count = data.get("shard") or (0, 1)
            if not 0 <= number < count:
                await self._break_off(4010, f"shard {number} of {count} cannot be")
                return
            self._gateway.note_identify(number)
            self._gateway.begin(self, Session((number, count), data.get("intents", 0)))

    async def _resume(self, data: Payload) -> None:
        if data.get("token") != self._gateway.token:
            await self._break_off(4004, "it resumed with a wrong token")
        elif not self._gateway.resume(self, str(data.get("session_id")), int(data.get("seq") or 0)):
            self.send({"op": 9, "d": False, "s": None, "t": None})

    async def _break_off(self, code: int, sentence: str) -> None:
        self._gateway.note_breach(sentence)
        await self.close(code)

    def _leave_session(self, *, deliberate: bool = False) -> None:
        session, self.session = self.session, None
        if session is not None and session.connection is self:
            session.connection = None
            self._gateway.connection_ended(session, deliberate=deliberate)


class Gateway:
    """All gateway sessions of the bot."""

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord
        self._connections: set[Connection] = set()
        self.sessions: list[Session] = []
        self.identifies = 0
        self.resumes = 0
        self.doubles = 0  # shards that identified while another connection had them
        self._identified_at: dict[int, float] = {}  # by bucket

    @property
    def token(self) -> str:
        """The valid token."""
        return self._discord.token

    @property
    def is_connected(self) -> bool:
        """Whether the bot is connected with every shard it runs."""
        live = self.live_shards
        return any(len(live) == count for _, count in live)

    @property
    def live_shards(self) -> set[tuple[int, int]]:
        """The shards that are connected, as (number, count)."""
        return {session.shard for session in self.sessions if session.connection is not None}

    def session_for(self, server: Server) -> Session | None:
        """The newest session whose shard covers the server."""
        fitting = [session for session in self.sessions if is_for_shard(server.id, session.shard)]
        return max(fitting, key=lambda session: session.connection is not None, default=None)

    def tell(self, event_name: str, data: Payload, server: Server | None) -> bool:
        """Send an event to the shard of *server* (or to all); return whether any shard got it."""
        if server is not None:
            session = self.session_for(server)
            receivers = [session] if session else []
        else:
            receivers = list(self.sessions)
        for session in receivers:
            if is_wanted(event_name, session.intents):
                session.tell(event_name, without_unwanted(event_name, data, session.intents, self._discord))
        return bool(receivers)

    def welcome(self, server: Server) -> None:
        """The bot joins a server made after it connected."""
        session = self.session_for(server)
        if session is not None:
            told = server_create(server, session.intents)
            del told["unavailable"]  # Discord leaves it out of a server that has just added the bot
            session.tell("GUILD_CREATE", told)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Accept a connection."""
        socket = web.WebSocketResponse(max_msg_size=4096 + 1)
        await socket.prepare(request)
        connection = Connection(self, socket, packing_for(request.query.get("compress")))
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
        return socket

    def begin(self, connection: Connection, session: Session) -> None:
        """A shard identified: READY, then its servers."""
        self.identifies += 1
        self.doubles += session.shard in self.live_shards
        self.sessions = [
            other for other in self.sessions if other.connection or other.shard[1] == session.shard[1]
        ]
        self.sessions = [other for other in self.sessions if other.shard != session.shard]
        self.sessions.append(session)
        connection.session, session.connection = session, connection
        servers = [server for server in self._discord.servers if is_for_shard(server.id, session.shard)]
        session.tell("READY", ready(self._discord, session.id, session.shard, servers))
        for server in servers:
            session.tell("GUILD_CREATE", server_create(server, session.intents))
        self._discord.bulletin.publish(ConnectionChanged(self.is_connected))

    def resume(self, connection: Connection, session_id: str, sequence: int) -> bool:
        """Carry a session over to a new connection, with what it missed."""
        session = next((known for known in self.sessions if known.id == session_id), None)
        if session is None:
            return False
        self.resumes += 1
        for event in session.missed_since(sequence):
            connection.send(event)
        connection.session, session.connection = session, connection
        session.tell("RESUMED", {"_trace": []})
        self._discord.bulletin.publish(ConnectionChanged(self.is_connected))
        return True

    def connection_ended(self, session: Session, *, deliberate: bool) -> None:
        """A connection is over; a client that closes with 1000 or 1001 gives its session up."""
        if deliberate and session in self.sessions:
            self.sessions.remove(session)
        self._discord.bulletin.publish(ConnectionChanged(self.is_connected))

    def send_members(self, session: Session, asked: Payload) -> None:
        """Answer a request for members by id."""
        server = self._discord.server(int(asked.get("guild_id", 0)))
        if server is None:
            return
        wanted = [int(user_id) for user_id in asked.get("user_ids") or []]
        found = [member for member in server.members if member.id in wanted]
        chunk: Payload = {"guild_id": str(server.id), "members": [member.payload() for member in found]}
        chunk |= {"chunk_index": 0, "chunk_count": 1, "nonce": asked.get("nonce")}
        session.tell("GUILD_MEMBERS_CHUNK", chunk)

    def note_identify(self, shard: int) -> None:
        """Record that a shard identifies, and whether that is too soon after another one of its bucket."""
        bucket, now = shard % self._discord.max_concurrency, asyncio.get_running_loop().time()
        passed = now - self._identified_at.get(bucket, -math.inf)
        self._identified_at[bucket] = now
        if passed < self._discord.identify_seconds:
            self.note_breach(f"it identified shard {shard} {passed:.2f} s after another one of its bucket")

    def note_breach(self, sentence: str) -> None:
        """Record a gateway rule that the bot broke."""
        self._discord.note_breach(sentence)

    async def drop(self, *, resumable: bool) -> None:
        """End all connections, as an outage does."""
        if not resumable:
            self.sessions.clear()
        for connection in tuple(self._connections):
            await connection.close(4000)

    async def close(self) -> None:
        """End all connections for good."""
        self.sessions.clear()
        for connection in tuple(self._connections):
            await connection.close(1001)
