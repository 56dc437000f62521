"""A complete local Discord on loopback."""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from aiohttp import web
from msgspec import Struct

from bot.playground.discord.commands import Commands, TypedCommand
from bot.playground.discord.gateway import Gateway
from bot.playground.discord.hands import Hands
from bot.playground.discord.interactions import Answer, Callbacks, Interactions
from bot.playground.discord.messages import Files, Messages, Posted
from bot.playground.discord.payloads import Bulletin, Clock, Event, Payload, Refusal, Snowflakes
from bot.playground.discord.rest import (
    API_PREFIX,
    RateLimits,
    Request,
    Rest,
    add_event_routes,
    add_interaction_routes,
    add_routes,
)
from bot.playground.discord.servers import Channel, ChannelType, Member, Server

if TYPE_CHECKING:
    from bot.playground.discord.message_limits import Description


LOCAL_TOKEN = "OTAwMDAwMDAwMDAwMDAwMDAx.LOCAL0.the-local-discord-knows-no-secrets"  # noqa: S105 no secret: loopback


class Application(Struct, frozen=True):
    """Who the bot is."""

    id: int = 900000000000000001
    name: str = "Tablekeeper"
    token: str = LOCAL_TOKEN

    @property
    def user_id(self) -> int:
        """The bot user's id, the same number as the application's."""
        return self.id

    def user_payload(self) -> Payload:
        """The bot user as others see it."""
        return {
            "id": str(self.user_id),
            "username": self.name.lower(),
            "global_name": None,
            "discriminator": "0001",
            "avatar": None,
            "bot": True,
            "public_flags": 0,
            "flags": 0,
        }

    def own_user_payload(self) -> Payload:
        """The bot user as it sees itself."""
        return self.user_payload() | {"mfa_enabled": True, "verified": True, "email": None, "locale": "en-US"}

    def member_payload(self, role_id: int) -> Payload:
        """The bot as a member of a server."""
        return {
            "user": self.user_payload(),
            "nick": None,
            "avatar": None,
            "roles": [str(role_id)],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
        }

    def payload(self) -> Payload:
        """The application as its own bot sees it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "description": "",
            "bot_public": False,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "team": None,
            "flags": 0,
            "owner": {"id": "1", "username": "operator", "discriminator": "0", "avatar": None},
            "summary": "",
            "rpc_origins": [],
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "approximate_guild_count": 1,
            "bot": self.user_payload(),
        }


LOOPBACK = "127.0.0.1"
MAX_REQUEST_BYTES = 64 * 1024 * 1024
PATIENCE_SECONDS = 15.0
COMMAND_SECONDS = 3.0


class LocalDiscord:
    """Discord's REST v10 and gateway on 127.0.0.1, strict as the real one; use it as a context manager.

    Attributes:
        breaches: Every rule of Discord's that the bot broke, a sentence each.
        servers: The servers the bot is in.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        spec: Path | None = None,
        deadline_seconds: float = 3.0,
        patience_seconds: float = PATIENCE_SECONDS,
        command_seconds: float = COMMAND_SECONDS,
        clock: Clock = time.time,
        recommended_shards: int = 1,
        rate_limits: bool = True,
        edit_seconds: float = 0.0,
        max_concurrency: int = 16,
        identify_seconds: float = 0.0,
    ) -> None:
        """Prepare a Discord.

        Args:
            port: Where to listen; 0 takes a free port.
            spec: Discord's OpenAPI file, to judge every request body by; needs jsonschema-rs.
            deadline_seconds: How long the bot has for its first answer.
            patience_seconds: How long a person watches the bot think after it deferred.
            command_seconds: How long a person waits for a command that is not there yet.
            clock: The time of day.
            recommended_shards: How many shards ``GET /gateway/bot`` recommends.
            rate_limits: Whether a bot that calls too often is told to wait, as by Discord.
            edit_seconds: How long the bot waits to hear that a message was edited; people see it at once.
            max_concurrency: How many shards may identify at once, each in a bucket of its own.
            identify_seconds: The least time between two identifies of a bucket; Discord's is 5.
        """
        self.port = port
        self.deadline_seconds = deadline_seconds
        self.patience_seconds = patience_seconds
        self.command_seconds = command_seconds
        self.clock = clock
        self.edit_seconds = edit_seconds
        self.recommended_shards = recommended_shards
        self.max_concurrency = max_concurrency
        self.identify_seconds = identify_seconds
        self.application = Application()
        self.breaches: list[str] = []
        self.servers: list[Server] = []
        self.emojis: list[Payload] = []
        self.snowflakes = Snowflakes(clock)
        self.bulletin = Bulletin()
        self.files = Files(self)
        self.messages = Messages(self)
        self.registry = Commands(self)
        self.interactions = Interactions(self)
        self.callbacks = Callbacks(self)
        self.gateway = Gateway(self)
        self.hands = Hands(self)
        self.rest = Rest(self, RateLimits(clock) if rate_limits else None)
        self.description = _description(spec) if spec else None
        self._direct: dict[int, Channel] = {}
        self._runner: web.AppRunner | None = None
        add_routes(self.rest)
        add_interaction_routes(self.rest)
        add_event_routes(self.rest)

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=MAX_REQUEST_BYTES)
        application.router.add_get("/gateway", self.gateway.serve)
        application.router.add_get("/gateway/", self.gateway.serve)
        application.router.add_get("/attachments/{channel}/{number:\\d+}/{filename}", self.files.serve)
        application.router.add_route("*", "/{tail:.*}", self.rest.serve)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, LOOPBACK, self.port).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def origin(self) -> str:
        """The origin of all its URLs."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def api_url(self) -> str:
        """What the bot takes as ``discord.api_url``."""
        return self.origin + API_PREFIX

    @property
    def gateway_url(self) -> str:
        """What the bot takes as ``discord.gateway_url``."""
        return f"ws://{LOOPBACK}:{self.port}/gateway"

    @property
    def token(self) -> str:
        """The token the bot logs in with."""
        return self.application.token

    @property
    def commands(self) -> list[Payload]:
        """The commands registered globally."""
        return self.registry.everywhere

    @property
    def requests(self) -> list[Request]:
        """Every REST request so far."""
        return self.rest.requests

    def add_server(self, name: str) -> Server:
        """Make a server; a connected bot joins it."""
        server = Server(self, name)
        self.servers.append(server)
        self.gateway.welcome(server)
        return server

    def fail_next(
        self,
        method_and_path_regex: str,
        status: int,
        body: Payload | None = None,
        retry_after: float | None = None,
        times: int = 1,
    ) -> None:
        """Answer the next *times* requests whose ``METHOD /path`` matches with an error (429, 503)."""
        self.rest.fail_next(method_and_path_regex, status, body, retry_after, times)

    def listen(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call *callback* with everything that happens; the returned function ends that."""
        return self.bulletin.listen(callback)

    async def until(self, is_so: Callable[[], object], timeout_seconds: float = 120.0) -> None:
        """Wait until *is_so* holds.

        Raises:
            TimeoutError: It did not become so in time.
        """
        await self.bulletin.until(is_so, timeout_seconds)

    async def connected(self, timeout_seconds: float = 120.0, *, shards: int | None = None) -> None:
        """Wait until the bot is connected with all its shards, or with as many as given.

        Raises:
            TimeoutError: It did not connect in time.
        """
        if shards is None:
            await self.until(lambda: self.gateway.is_connected, timeout_seconds)
        else:
            await self.until(lambda: len(self.gateway.live_shards) >= shards, timeout_seconds)

    async def drop_connections(self, *, resumable: bool) -> None:
        """End the bot's connections; its session lives on only if *resumable*."""
        await self.gateway.drop(resumable=resumable)

    async def deliver_again(self, answer: Answer, timeout_seconds: float = 1.0) -> bool:
        """Deliver the same interaction to the bot again.

        Returns:
            Whether it tried to acknowledge it again (which Discord refuses), within the time given.
        """
        before = answer.interaction.refused_twins
        self.interactions.deliver_again(answer.interaction)
        try:
            await self.until(lambda: answer.interaction.refused_twins > before, timeout_seconds)
        except TimeoutError:
            return False
        return True

    async def dispatch(self, event_name: str, data: Payload, server: Server | None = None) -> None:
        """Send the bot any gateway event."""
        self.gateway.tell(event_name, data, server)

    def note_breach(self, sentence: str) -> None:
        """Record a rule that the bot broke."""
        self.breaches.append(sentence)
        self.bulletin.stir()

    async def offered(self, line: str, server: Server, *, unchecked: bool = False) -> TypedCommand:
        """Find a command by the words somebody typed; wait a while for one that is just being registered.

        Raises:
            CannotSend: There is none.
        """
        with contextlib.suppress(TimeoutError):
            await self.until(
                lambda: self.registry.knows(line, server, unchecked=unchecked), self.command_seconds
            )
        return self.registry.typed(line, server, unchecked=unchecked)

    def server(self, server_id: int) -> Server | None:
        """A server by its id."""
        return next((server for server in self.servers if server.id == server_id), None)

    def channel(self, channel_id: int) -> Channel | None:
        """A channel of any server, or a direct conversation, by its id."""
        everywhere = [channel for server in self.servers for channel in server.channels]
        return next(
            (channel for channel in (*everywhere, *self._direct.values()) if channel.id == channel_id), None
        )

    def person(self, user_id: int) -> Member | None:
        """A person by their id."""
        return next(
            (person for server in self.servers for person in server.members if person.id == user_id), None
        )

    def direct_channel(self, member: Member) -> Channel:
        """The direct messages between the bot and one person."""
        if member.id not in self._direct:
            number = self.snowflakes.next()
            self._direct[member.id] = Channel(number, member.name, ChannelType.DIRECT, None)
        return self._direct[member.id]

    def posted(self, channel_id: int, message_id: int) -> Posted | None:
        """A posted message, if it still exists."""
        channel = self.channel(channel_id)
        if channel is None:
            return None
        try:
            return self.messages.find(channel, message_id)
        except Refusal:
            return None


@cache
def _description(spec: Path) -> Description:
    """Discord's description; its module is imported only here because jsonschema-rs is for developers."""
    module = importlib.import_module("bot.playground.discord.message_limits")
    description: Description = module.Description(spec)
    return description
