"""The page's viewers: one WebSocket per tab, each sent only what its person may see."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from aiohttp import web

from bot.playground.discord import events
from bot.playground.discord.commands import may_use
from bot.playground.discord.interactions import Interaction
from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.members import Member, Permission
from bot.playground.discord.payloads import Payload
from bot.playground.discord.servers import Channel, ChannelType, EventStatus, ScheduledEvent, Server
from bot.playground.shipped_scenes import Scene


@dataclass(frozen=True, slots=True)
class Cast:
    """The servers, and the people you can act as."""

    servers: tuple[Server, ...]  # the table first
    people: tuple[Member, ...]  # in the order of the page's switch
    titles: dict[int, str]  # what somebody is at the table, by user id

    def person(self, user_id: str | None) -> Member | None:
        """The person with this id."""
        return next((person for person in self.people if str(person.id) == user_id), None)

    def channel_of(self, person: Member, channel_id: str) -> Channel | None:
        """A channel of the person's own server that the person may see."""
        for channel in person.server.channels:
            if str(channel.id) == channel_id and may_see(person, channel):
                return channel
        return None


def gather(discord: LocalDiscord) -> Cast:
    """Create the servers, their channels and the people."""
    table = discord.add_server("The Round Table")
    for name in ("side-quest", "talk"):
        table.add_channel(name)
    table.add_channel("voice", ChannelType.VOICE)
    players = table.add_role("Players")
    gm = table.owner
    gm.name = "GM"
    alice = table.add_member("Alice", roles=(players,))
    bob = table.add_member("Bob", roles=(players,))
    elsewhere = discord.add_server("Elsewhere")
    elsewhere.add_channel("talk")
    mallory = elsewhere.owner
    mallory.name = "Mallory"
    titles = {gm.id: "Owner", alice.id: "Player", bob.id: "Player", mallory.id: "Owner"}
    return Cast((table, elsewhere), (gm, alice, bob, mallory), titles)


def may_see(person: Member, channel: Channel) -> bool:
    """Whether the person sees the channel at all."""
    return channel.server is person.server and bool(person.permissions_in(channel) & Permission.VIEW_CHANNEL)


def world_of(person: Member, cast: Cast) -> Payload:
    """What the page shows as this person: their own server in full, the others by name."""
    return {
        "me": str(person.id),
        "people": [_person(one) for one in cast.people],
        "servers": [_server(server, person, cast) for server in cast.servers],
    }


def _person(person: Member) -> Payload:
    return {
        "id": str(person.id),
        "name": person.name,
        "server": str(person.server.id),
        "owner": person is person.server.owner,
        "may_run_events": bool(person.permissions & Permission.MANAGE_EVENTS),
        "permissions": str(int(person.permissions)),
    }


def _event(event: ScheduledEvent) -> Payload:
    return {
        "id": str(event.id),
        "name": event.name,
        "starts": int(event.starts_at),
        "is_active": event.status is EventStatus.ACTIVE,
    }


def _server(server: Server, person: Member, cast: Cast) -> Payload:
    brief: Payload = {"id": str(server.id), "name": server.name}
    if server is not person.server:
        return brief
    application = server.discord.application
    shown = [channel for channel in server.channels if channel.type is not ChannelType.CATEGORY]
    bot: Payload = {"id": str(application.user_id), "name": application.name, "bot": True}
    return brief | {
        "channels": [
            {"id": str(channel.id), "name": channel.name, "type": channel.type.number}
            for channel in shown
            if may_see(person, channel)
        ],
        "voice": [
            {"person": str(member.id), "channel": str(channel.id)} for member, channel in server.voice.items()
        ],
        "events": [_event(event) for event in server.events if not event.is_over],
        "roles": [{"id": str(role.id), "name": role.name} for role in server.roles],
        "members": [
            *(
                {
                    "id": str(member.id),
                    "name": member.name,
                    "bot": False,
                    "title": cast.titles.get(member.id, ""),
                }
                for member in server.members
            ),
            bot,
        ],
    }


MOST_OPEN_FORMS = 200
STARTING = "The bot is starting…"
GONE = "The bot is not connected. Commands will not be answered until it is back."


@dataclass(eq=False, slots=True)
class Tab:
    """One open page, as one person."""

    person: Member
    waiting: asyncio.Queue[Payload] = field(default_factory=asyncio.Queue)


class Audience:
    """All open tabs, with what only the page knows: open forms and dismissed messages."""

    def __init__(self, discord: LocalDiscord, cast: Cast, scenes: tuple[Scene, ...]) -> None:
        self._discord = discord
        self._cast = cast
        self._scenes = scenes
        self._tabs: set[Tab] = set()
        self._forms: dict[str, Interaction] = {}
        self._dismissed: set[str] = set()
        self._bot: Payload = {"online": False, "sentence": STARTING}

    def follow(self, tab: Tab) -> None:
        """Send this tab the current state, then every event from now on."""
        self._tabs.add(tab)
        tab.waiting.put_nowait({"type": "hello", "world": self._world(tab.person)})

    def leave(self, tab: Tab) -> None:
        """Forget a closed tab."""
        self._tabs.discard(tab)

    def bot_is(self, *, online: bool, sentence: str = "") -> None:
        """Publish the state of the bot."""
        self._bot = {"online": online, "sentence": sentence}
        for tab in self._tabs:
            tab.waiting.put_nowait({"type": "bot", "bot": self._bot})

    def form(self, token: str, person: Member) -> Interaction | None:
        """The form that this person has open."""
        interaction = self._forms.get(token)
        return interaction if interaction is not None and interaction.member is person else None

    def close_form(self, token: str) -> None:
        """Close a form after it was sent."""
        self._forms.pop(token, None)

    def dismiss(self, message_id: str) -> None:
        """Hide an ephemeral message that its reader dismissed."""
        self._dismissed.add(message_id)

    def messages(self, person: Member, channel_id: str) -> list[Payload]:
        """What this person sees in a channel, oldest first."""
        channel = self._cast.channel_of(person, channel_id)
        if channel is None:
            return []
        return [message for message in person.sees(channel) if message["id"] not in self._dismissed]

    def hear(self, event: events.Event) -> None:
        """Forward an event of the local Discord to the tabs it concerns."""
        match event:
            case events.MessageCreated() | events.MessageUpdated() if (
                event.message["id"] not in self._dismissed
            ):
                self._tell_of_message(event, {"type": "message", "message": event.message})
            case events.MessageDeleted():
                self._tell_of_message(event, {"type": "deleted", "message": event.message["id"]})
            case events.ModalOpened():
                self._open_form(event)
            case events.InteractionFailed():
                self._tell(event.user, {"type": "failed", "sentence": event.sentence})
            case events.CommandsChanged():
                for tab in self._tabs:
                    tab.waiting.put_nowait({"type": "commands", "commands": self._commands(tab.person)})
            case events.ServerChanged():
                for tab in self._tabs:
                    if tab.person.server is event.server:
                        world = world_of(tab.person, self._cast)
                        tab.waiting.put_nowait({"type": "places", "servers": world["servers"]})
            case events.ConnectionChanged():
                self.bot_is(online=event.is_connected, sentence="" if event.is_connected else GONE)

    def _tell_of_message(
        self, event: events.MessageCreated | events.MessageUpdated | events.MessageDeleted, news: Payload
    ) -> None:
        news["channel"] = str(event.channel.id)
        for tab in self._tabs:
            is_for_them = event.visible_to in (None, tab.person.id)
            if is_for_them and may_see(tab.person, event.channel):
                tab.waiting.put_nowait(news)

    def _tell(self, person: Member, news: Payload) -> None:
        for tab in self._tabs:
            if tab.person is person:
                tab.waiting.put_nowait(news)

    def _open_form(self, event: events.ModalOpened) -> None:
        token = str(event.interaction.id)
        while len(self._forms) >= MOST_OPEN_FORMS:
            self._forms.pop(next(iter(self._forms)))
        self._forms[token] = event.interaction
        self._tell(event.user, {"type": "modal", "modal": {**event.modal, "token": token}})

    def _commands(self, person: Member) -> list[Payload]:
        return [
            command
            for command in self._discord.registry.offered(person.server)
            if may_use(command, person.permissions)
        ]

    def _world(self, person: Member) -> Payload:
        application = self._discord.application
        return world_of(person, self._cast) | {
            "commands": self._commands(person),
            "scenes": [scene.model_dump() for scene in self._scenes],
            "files": self._discord.origin,
            "bot": {"id": str(application.user_id), "name": application.name, "state": self._bot},
        }


async def serve_tab(request: web.Request, tab: Tab, audience: Audience) -> web.WebSocketResponse:
    """Send events to one tab until it is closed."""
    socket = web.WebSocketResponse(heartbeat=20, max_msg_size=4096)
    await socket.prepare(request)
    audience.follow(tab)
    sending = asyncio.create_task(_send(socket, tab))
    try:
        async for _ in socket:
            pass
    finally:
        audience.leave(tab)
        sending.cancel()
    return socket


async def _send(socket: web.WebSocketResponse, tab: Tab) -> None:
    while True:
        await socket.send_json(await tab.waiting.get())
