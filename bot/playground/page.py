"""The page: its sample scenes, its viewers, and its server with everybody's actions."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import sys
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from urllib.parse import urlsplit

from aiohttp import web
from msgspec import Struct, field
from pydantic import BaseModel, ConfigDict, Field

from bot.playground.discord import payloads
from bot.playground.discord.commands import MESSAGE_COMMAND, may_use
from bot.playground.discord.interactions import Answer, Interaction
from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.payloads import CannotSend, Payload, Refusal, Upload
from bot.playground.discord.servers import (
    Channel,
    ChannelType,
    EventStatus,
    Member,
    Permission,
    ScheduledEvent,
    Server,
)

FILE_NAME = "scene.toml"


class Step(BaseModel):
    """One click of a scene: a command that one of the people sends."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    person: str  # who sends it, by the name on the page
    command: str  # the command's path without the slash
    # The texts typed into its options; a completed option takes the first completion.
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    caption: str  # what happens, in a few words
    press: tuple[str, ...] = ()  # labels of buttons pressed next, each on what the last one shows
    # Options that take a name nobody has yet, with the option that completes to those which are taken, as
    # "command:option"; such a name is numbered where it is needed.
    fresh: dict[str, str] = Field(default_factory=dict)
    # Whether the answer is for the person alone; any other private answer is a refusal.
    is_private: bool = False


class Scene(BaseModel):
    """A scene that plays in a few clicks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    steps: tuple[Step, ...] = Field(min_length=1)


class SceneFile(Struct, frozen=True):
    """The file of a scene."""

    name: str
    text: str


def shipped_scenes() -> tuple[Scene, ...]:
    """The scenes of all rulesets, the shortest first."""
    scenes = (parse_scene(found) for found in _found(files("bot.rules")))
    return tuple(sorted(scenes, key=lambda scene: (len(scene.steps), scene.title)))


def parse_scene(found: SceneFile) -> Scene:
    """Read a scene.

    Raises:
        ValueError: It is no TOML, or not a scene; the message names the file.
    """
    try:
        return Scene.model_validate(tomllib.loads(found.text))
    except ValueError as error:
        raise ValueError(f"{found.name}: {error}") from error


def _found(packages: Traversable) -> list[SceneFile]:
    folders = sorted((entry for entry in packages.iterdir() if entry.is_dir()), key=lambda entry: entry.name)
    return [
        SceneFile(f"{folder.name}/{scene.name}", scene.read_text(encoding="utf-8"))
        for folder in folders
        for scene in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if scene.name == FILE_NAME or scene.name.endswith(f".{FILE_NAME}")
    ]


class Cast(Struct, frozen=True):
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


class Tab(Struct, eq=False):
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

    def hear(self, event: payloads.Event) -> None:
        """Forward an event of the local Discord to the tabs it concerns."""
        match event:
            case payloads.MessageCreated() | payloads.MessageUpdated() if (
                event.message["id"] not in self._dismissed
            ):
                self._tell_of_message(event, {"type": "message", "message": event.message})
            case payloads.MessageDeleted():
                self._tell_of_message(event, {"type": "deleted", "message": event.message["id"]})
            case payloads.ModalOpened():
                self._open_form(event)
            case payloads.InteractionFailed():
                self._tell(event.user, {"type": "failed", "sentence": event.sentence})
            case payloads.CommandsChanged():
                for tab in self._tabs:
                    tab.waiting.put_nowait({"type": "commands", "commands": self._commands(tab.person)})
            case payloads.ServerChanged():
                for tab in self._tabs:
                    if tab.person.server is event.server:
                        world = world_of(tab.person, self._cast)
                        tab.waiting.put_nowait({"type": "places", "servers": world["servers"]})
            case payloads.ConnectionChanged():
                self.bot_is(online=event.is_connected, sentence="" if event.is_connected else GONE)

    def _tell_of_message(
        self,
        event: payloads.MessageCreated | payloads.MessageUpdated | payloads.MessageDeleted,
        news: Payload,
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

    def _open_form(self, event: payloads.ModalOpened) -> None:
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


LARGEST_REQUEST_BYTES = 24 * 1024 * 1024
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
OWN_ORIGIN_ONLY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
INERT = "default-src 'none'; sandbox"
CONTENT_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class NotPossible(Exception):
    """The page asked for something impossible; the text is for the person."""


class Page:
    """The page as an aiohttp application."""

    def __init__(self, discord: LocalDiscord, cast: Cast, scenes: tuple[Scene, ...] = ()) -> None:
        self._discord = discord
        self._cast = cast
        self.audience = Audience(discord, cast, scenes)
        self._static = {entry.name: entry for entry in files("bot.playground").joinpath("static").iterdir()}
        self.app = web.Application(
            client_max_size=LARGEST_REQUEST_BYTES, middlewares=[only_from_here, answer_in_words]
        )
        self.app.router.add_get("/", self._index)
        self.app.router.add_get("/static/{name}", self._file)
        self.app.router.add_get("/live", self._live)
        self.app.router.add_get("/api/messages", self._messages)
        self.app.router.add_get("/file/attachments/{channel}/{number:\\d+}/{filename}", self._attachment)
        self.app.router.add_get("/file/emojis/{number:\\d+}.png", self._attachment)
        for path, act in self._acts().items():
            self.app.router.add_post(f"/api/{path}", act)
        self.app.cleanup_ctx.append(self._listen)

    def _acts(self) -> dict[str, Handler]:
        return {
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "use": self._use,
            "press": self._press,
            "select": self._select,
            "submit": self._submit,
            "dismiss": self._dismiss,
            "voice": self._voice,
            "event": self._event,
        }

    async def _listen(self, _: web.Application) -> AsyncIterator[None]:
        stop = self._discord.listen(self.audience.hear)
        yield
        stop()

    async def _index(self, _: web.Request) -> web.Response:
        return self._static_file("index.html")

    async def _file(self, request: web.Request) -> web.Response:
        return self._static_file(request.match_info["name"])

    def _static_file(self, name: str) -> web.Response:
        entry = self._static.get(name)
        content_type = CONTENT_TYPES.get("." + name.rpartition(".")[2])
        if entry is None or content_type is None:
            raise web.HTTPNotFound
        headers = {"Content-Security-Policy": OWN_ORIGIN_ONLY, "Cache-Control": "no-cache"}
        return web.Response(
            body=entry.read_bytes(), content_type=content_type, charset="utf-8", headers=headers
        )

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        response = await self._discord.files.serve(request)
        response.headers["Content-Security-Policy"] = INERT
        if not response.content_type.startswith("image/"):
            response.headers["Content-Disposition"] = "attachment"
        return response

    async def _live(self, request: web.Request) -> web.StreamResponse:
        person = self._cast.person(request.query.get("person")) or self._cast.people[0]
        return await serve_tab(request, Tab(person), self.audience)

    async def _messages(self, request: web.Request) -> web.Response:
        person = self._person(request.query.get("person"))
        return web.json_response(
            {"messages": self.audience.messages(person, request.query.get("channel", ""))}
        )

    async def _say(self, request: web.Request) -> web.Response:
        person, channel, asked = await self._asked(request)
        person.say(str(asked["text"]), channel)
        return web.json_response({})

    async def _slash(self, request: web.Request) -> web.Response:
        asked, uploads = await _asked_with_files(request)
        person, channel = self._where(asked)
        options: dict[str, object] = {
            **asked["options"],
            **{name: uploaded[0] for name, uploaded in uploads.items()},
        }
        return _response(await person.send_command(str(asked["path"]), options, channel=channel))

    async def _autocomplete(self, request: web.Request) -> web.Response:
        person, channel, asked = await self._asked(request)
        choices = await self._discord.hands.autocomplete(
            person,
            str(asked["path"]),
            str(asked["option"]),
            str(asked["text"]),
            asked.get("others") or {},
            channel,
        )
        return web.json_response({"choices": choices})

    async def _use(self, request: web.Request) -> web.Response:
        person, channel, asked = await self._asked(request)
        name, target = str(asked["name"]), str(asked["target"])
        if asked["kind"] == MESSAGE_COMMAND:
            return _response(await person.use(name, self._message(channel, {"message": target})))
        on = next((member for member in person.server.members if str(member.id) == target), None)
        if on is None:
            raise NotPossible("This person is not on this server.")
        return _response(await person.use(name, on, channel=channel))

    async def _press(self, request: web.Request) -> web.Response:
        person, channel, asked = await self._asked(request)
        return _response(await person.press(self._message(channel, asked), str(asked["custom_id"])))

    async def _select(self, request: web.Request) -> web.Response:
        person, channel, asked = await self._asked(request)
        return _response(
            await person.select(self._message(channel, asked), str(asked["custom_id"]), *asked["values"])
        )

    async def _submit(self, request: web.Request) -> web.Response:
        asked, uploads = await _asked_with_files(request)
        person, _ = self._where(asked)
        token = str(asked["modal"])
        form = self.audience.form(token, person)
        if form is None:
            raise NotPossible("This form is not open any more. Press its button again.")
        values = {**asked["values"], **uploads}
        answer = await self._discord.hands.submit(person, form, values, unchecked=False)
        if not answer.failed:
            self.audience.close_form(token)
        return _response(answer)

    async def _dismiss(self, request: web.Request) -> web.Response:
        _, _, asked = await self._asked(request)
        self.audience.dismiss(str(asked["message"]))
        return web.json_response({})

    async def _voice(self, request: web.Request) -> web.Response:
        person, _, asked = await self._asked(request)
        channel = self._cast.channel_of(person, str(asked["voice"])) if asked["voice"] else None
        if channel is None:
            person.server.leave_voice(person)
        elif channel.type is ChannelType.VOICE:
            person.server.join_voice(person, channel)
        return web.json_response({})

    async def _event(self, request: web.Request) -> web.Response:
        person, _, asked = await self._asked(request)
        server = person.server
        event = next(
            (one for one in server.events if str(one.id) == asked["event"] and not one.is_over), None
        )
        if event is None or not person.permissions & Permission.MANAGE_EVENTS:
            raise NotPossible("Only who may manage the server's events can do this, while the event is on.")
        {"start": server.start_event, "end": server.end_event, "cancel": server.cancel_event}[asked["act"]](
            event
        )
        return web.json_response({})

    async def _asked(self, request: web.Request) -> tuple[Member, Channel, Payload]:
        asked = await request.json()
        return *self._where(asked), asked

    def _where(self, asked: Payload) -> tuple[Member, Channel]:
        person = self._person(asked.get("person"))
        channel = self._cast.channel_of(person, str(asked.get("channel")))
        if channel is None:
            raise NotPossible(f"{person.name} does not see this channel.")
        return person, channel

    def _person(self, user_id: str | None) -> Member:
        person = self._cast.person(user_id)
        if person is None:
            raise NotPossible("The playground was started anew. Reload the page.")
        return person

    @staticmethod
    def _message(channel: Channel, asked: Payload) -> Payload:
        return {"id": str(asked["message"]), "channel_id": str(channel.id)}


async def _asked_with_files(request: web.Request) -> tuple[Payload, dict[str, list[Upload]]]:
    """What the page asks, and the files that come with it, by name."""
    form = await request.post()
    asked: Payload = json.loads(str(form["asked"]))
    uploads: dict[str, list[Upload]] = {}
    for name, part in form.items():
        if isinstance(part, web.FileField):
            upload = Upload(part.filename, part.file.read(), part.content_type)
            uploads.setdefault(name, []).append(upload)
    return asked, uploads


def _response(answer: Answer) -> web.Response:
    """The immediate response for the page: what Discord's client says if the bot did not answer.

    Of an answer it says what nobody else sees, so that a scene can tell a refusal.
    """
    failed = answer.failed if not answer.interaction.is_acknowledged else None
    if failed:
        return web.json_response({"failed": failed})
    return web.json_response({"private": answer.text.replace("\\", "")} if answer.ephemeral else {})


@web.middleware
async def only_from_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests under a foreign name or from a foreign page: only this page speaks to this server."""
    if urlsplit(f"//{request.host}").hostname not in LOOPBACK_NAMES:
        raise web.HTTPForbidden(text="This page is only for the machine it runs on.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="Another page may not speak for this one.")
    response = await handler(request)
    if not response.prepared:
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


@web.middleware
async def answer_in_words(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn errors into a sentence for the person."""
    try:
        return await handler(request)
    except (CannotSend, NotPossible) as problem:
        return web.json_response({"failed": str(problem)})
    except Refusal as refusal:
        return web.json_response({"failed": str(refusal)})
    except (KeyError, TypeError, json.JSONDecodeError):
        return web.json_response({"failed": "The page asked for something unknown. Reload it."}, status=400)


PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent (where the system can) and become ``python ARGUMENTS``."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])  # noqa: S606 the same Python, no shell


if __name__ == "__main__":
    main()
