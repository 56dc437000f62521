"""The gateway: its sessions, which survive a lost connection, and its connections."""

from __future__ import annotations

import asyncio
import json
import math
import secrets
from collections import deque
from typing import TYPE_CHECKING

from aiohttp import WSMsgType, web

from bot.playground.discord.compression import Packing, packing_for
from bot.playground.discord.events import ConnectionChanged
from bot.playground.discord.payloads import Payload
from bot.playground.discord.ready import is_for_shard, is_wanted, ready, server_create, without_unwanted

if TYPE_CHECKING:
    from bot.playground.discord.local import LocalDiscord
    from bot.playground.discord.servers import Server

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
            session.tell("GUILD_CREATE", server_create(server, session.intents))

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
