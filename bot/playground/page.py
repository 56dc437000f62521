"""The page's server: static files, what each person sees, and their actions."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from urllib.parse import urlsplit

from aiohttp import web

from bot.playground.audience import Audience, Cast, Tab, serve_tab
from bot.playground.discord.answers import Answer
from bot.playground.discord.commands import MESSAGE_COMMAND
from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.members import Member, Permission
from bot.playground.discord.payloads import Payload, Upload
from bot.playground.discord.refusals import CannotSend, Refusal
from bot.playground.discord.servers import Channel, ChannelType
from bot.playground.shipped_scenes import Scene

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
