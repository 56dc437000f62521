"""The real client without a connection: interactions go in as Discord sends them, requests come out.

Everything between is discord.py's own and ours: command tree, views, modals, autocompletion, answers.
Every message that leaves is held against Discord's limits.
"""

import asyncio
import dataclasses
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import app_commands
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.app.client import Tablekeeper
from bot.app.config import DiscordSettings
from bot.playground.discord.message_limits import EPHEMERAL, check_message, check_modal
from bot.playground.discord.payloads import Form, walk_components
from bot.table.base.table import Table
from tests.paces import UNHURRIED
from tests.table.conftest import Person

APPLICATION = 4242
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
FIRST_MESSAGE = 7001
EDIT_SECONDS = 0.01
OPTION_TYPES = {str: 3, int: 4, bool: 5}
Filled = str | tuple[str, ...] | discord.Attachment | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Under:
    """The message under which somebody presses.

    Attributes:
        message: Its id.
        is_private: Whether only they see it.
    """

    message: int = 77
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """One request to Discord.

    Attributes:
        how: "answer", "defer", "edit" (of what was pressed, promised first or not), "choices", "modal",
            "follow-up", or "repost" where nobody had pressed anything.
        body: What it carried.
        files: Names of the files that came with it.
        message: Id of the message that it posts or reposts; 0 for anything else.
    """

    how: str
    body: dict[str, Any]
    files: tuple[str, ...] = ()
    message: int = 0

    @property
    def is_private(self) -> bool:
        """Whether only the person sees it."""
        return bool(self.body.get("flags", 0) & EPHEMERAL)

    @property
    def text(self) -> str:
        """Everything written in it."""
        embeds = [embed.get("description", "") for embed in self.body.get("embeds") or []]
        texts = [one.get("content") for one in walk_components(self.body.get("components"))]
        return "\n".join([*embeds, *(text for text in texts if text)])

    @property
    def alt(self) -> str:
        """What is read aloud of its pictures."""
        items = [
            item for one in walk_components(self.body.get("components")) for item in one.get("items", ())
        ]
        return "\n".join(item.get("description", "") for item in items)

    @property
    def controls(self) -> dict[str, str]:
        """Labels of buttons (and prompts of menus) with their ids; those switched off are left out."""
        return {
            str(one.get("label") or one.get("placeholder")): one["custom_id"]
            for one in walk_components(self.body.get("components"))
            if "custom_id" in one and not one.get("disabled")
        }


class Wire(AsyncWebhookAdapter):
    """Takes down what would be sent, and refuses what Discord would refuse.

    Attributes:
        sent: Every request, in order.
        refusal: What the next request is answered with instead.
        files: What can be fetched, by address.
        on_sent: Called after each request.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py left its types out
        self.sent: list[Sent] = []
        self.files: dict[str, bytes] = {}
        self.refusal: Exception | None = None
        self.on_sent: Callable[[], None] = lambda: None
        self._messages = itertools.count(FIRST_MESSAGE)

    async def fetch(self, url: str) -> bytes:
        """What somebody sent along."""
        return self.files[url]

    async def request(self, route: Any, session: Any, **given: Any) -> Any:
        """Takes a request of discord.py's."""
        if self.refusal is not None:
            refusal, self.refusal = self.refusal, None
            raise refusal
        body, files = _body(given)
        made = _sent(route, body, files)
        _check(made)
        if made.how in ("answer", "follow-up"):
            made = dataclasses.replace(made, message=next(self._messages))
        self.sent.append(made)
        self.on_sent()
        if "callback" in route.path:
            return {"interaction": {"id": "1", "type": 2, "response_message_id": str(made.message)}}
        return _posted(made.message)

    async def repost(self, route: Any, **given: Any) -> Any:
        """Takes an edit of a message that nobody has just pressed."""
        body, files = _body({"payload": given.get("json"), "multipart": given.get("form")})
        message = int(route.url.rsplit("/", 1)[1])
        made = Sent("repost", body, files, message)
        _check(made)
        self.sent.append(made)
        return _posted(message)


def _body(given: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    if given.get("payload") is not None:
        return dict(given["payload"]), ()
    parts: list[dict[str, Any]] = given.get("multipart") or []
    written = [part["value"] for part in parts if part["name"] == "payload_json"]
    files = tuple(part["filename"] for part in parts if "filename" in part)
    return (json.loads(written[0]) if written else {}), files


def _posted(message: int) -> dict[str, Any]:
    """A message as Discord gives it back."""
    made = {"id": str(message), "channel_id": "50", "content": "", "type": 0, "author": _user(1, "Bot")}
    blank: dict[str, Any] = {key: [] for key in ("embeds", "attachments", "mentions", "mention_roles")}
    made |= blank | {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    return made | {"tts": False, "mention_everyone": False, "pinned": False}


def _sent(route: Any, body: dict[str, Any], files: tuple[str, ...]) -> Sent:
    if "callback" in route.path:
        kinds = {MESSAGE: "answer", DEFER: "defer", DEFER_UPDATE: "defer", UPDATE: "edit"}
        how = (kinds | {CHOICES: "choices", MODAL: "modal"})[body["type"]]
        return Sent(how, body.get("data") or {}, files)
    if route.method == "POST":
        return Sent("follow-up", body, files)
    changed = route.url.rsplit("/", 1)[1]
    return Sent("edit", body, files) if changed == "@original" else Sent("repost", body, files, int(changed))


def _check(sent: Sent) -> None:
    if sent.how == "modal":
        form = Form()
        check_modal(form, (), sent.body)
        form.raise_problems()
    elif sent.how in ("answer", "follow-up", "edit", "repost"):
        check_message(sent.body | {"attachments": []}, len(sent.files))
        assert sent.how == "edit" or sent.body["allowed_mentions"] == {"parse": []}


def _user(id_: int, name: str) -> dict[str, Any]:
    return {
        "id": str(id_),
        "username": name.lower(),
        "global_name": name,
        "avatar": None,
        "discriminator": "0",
    }


@dataclass(slots=True)
class Desk:
    """People's hands: what they type, press, choose and write, and what comes of it.

    Attributes:
        bot: The client.
        wire: What it sends.
        kinds: Kinds of press that a test has added.
    """

    bot: Tablekeeper
    wire: Wire
    kinds: set[str]
    _over: asyncio.Event
    _counter: "itertools.count[int]" = field(default_factory=lambda: itertools.count(70_000))

    async def type(self, who: Person, line: str, id_: str | None = None, /, **options: Any) -> list[Sent]:
        """Type a command ("/character create") with its options; gives every answer that is sent."""
        words = line.removeprefix("/").split()
        data = self._command(words, [_option(key, value) for key, value in options.items()])
        attached = {key: value for key, value in options.items() if isinstance(value, discord.Attachment)}
        if attached:
            data["resolved"] = {"attachments": {str(one.id): one.to_dict() for one in attached.values()}}
        return await self._send(who, 2, data, id_)

    async def complete(self, who: Person, line: str, option: str, typed: str, **others: Any) -> list[str]:
        """How what is offered reads while somebody types an option."""
        return [one["name"] for one in await self._completions(who, line, option, typed, **others)]

    async def offered(self, who: Person, line: str, option: str, typed: str, **others: Any) -> list[Any]:
        """The values of what is offered while somebody types an option."""
        return [one["value"] for one in await self._completions(who, line, option, typed, **others)]

    async def _completions(
        self, who: Person, line: str, option: str, typed: str, **others: Any
    ) -> list[dict[str, Any]]:
        options = [_option(key, value) for key, value in others.items()]
        options.append({"name": option, "type": 3, "value": typed, "focused": True})
        data = self._command(line.removeprefix("/").split(), options)
        (sent,) = await self._send(who, 4, data)
        choices: list[dict[str, Any]] = sent.body["choices"]
        return choices

    async def press(
        self, who: Person, custom_id: str, id_: str | None = None, *, under: Under | None = None
    ) -> list[Sent]:
        """Press a button."""
        return await self._control(who, {"component_type": 2, "custom_id": custom_id}, id_, under)

    async def choose(
        self, who: Person, custom_id: str, *values: str, id_: str | None = None, under: Under | None = None
    ) -> list[Sent]:
        """Choose from a menu."""
        data = {"component_type": 3, "custom_id": custom_id, "values": list(values)}
        return await self._control(who, data, id_, under)

    async def fill(self, who: Person, custom_id: str, /, **fields: Filled) -> list[Sent]:
        """Send a form: texts, what is chosen in its menus, files, and other fields as Discord sends them."""
        components = [{"type": 18, "component": _filled(key, value)} for key, value in fields.items()]
        data: dict[str, Any] = {"custom_id": custom_id, "components": components}
        attached = [value for value in fields.values() if isinstance(value, discord.Attachment)]
        if attached:
            data["resolved"] = {"attachments": {str(one.id): one.to_dict() for one in attached}}
        return await self._send(who, 5, data)

    def pressed(self, who: Person) -> "discord.Interaction[Tablekeeper]":
        """A press of a button that nothing has taken yet."""
        async_context.set(self.wire)
        payload: Any = _interaction(who, 3, {"component_type": 2, "custom_id": "x"}, str(next(self._counter)))
        payload["message"] = _message([], Under())
        return discord.Interaction(data=payload, state=self.bot._connection)  # type: ignore[arg-type]  # the client of this state

    async def _control(
        self, who: Person, data: dict[str, Any], id_: str | None, under: Under | None
    ) -> list[Sent]:
        component = {"type": data["component_type"], "custom_id": data["custom_id"], "label": "x", "style": 2}
        if data["component_type"] == 3:
            component["options"] = [{"label": value, "value": value} for value in data["values"]]
        message = _message([{"type": 1, "components": [component]}], under or Under())
        return await self._send(who, 3, data, id_, message=message)

    def _command(self, words: Sequence[str], options: list[dict[str, Any]]) -> dict[str, Any]:
        command = self.bot.tree.get_command(words[0]) or self.bot.own_command
        assert command is not None, f"there is no /{words[0]}"
        inner: dict[str, Any] = {"id": "1", "name": words[0], "type": 1}
        place = inner
        for word in words[1:]:
            assert isinstance(command, app_commands.Group)
            own = self.bot.own_command.get_command(words[0]) if self.bot.own_command else None
            command = command.get_command(word) or own  # a page of /odds is an own game's
            assert command is not None, f"there is no {word} in {words}"
            kind = 2 if isinstance(command, app_commands.Group) else 1
            place["options"] = [{"name": word, "type": kind, "options": []}]
            place = place["options"][0]
        place["options"] = options
        return inner

    async def _send(
        self,
        who: Person,
        kind: int,
        data: dict[str, Any],
        id_: str | None = None,
        message: dict[str, Any] | None = None,
    ) -> list[Sent]:
        before = len(self.wire.sent)
        self._over.clear()
        payload = _interaction(who, kind, data, id_ or str(next(self._counter)))
        if message is not None:
            payload["message"] = message
        async_context.set(self.wire)
        self.bot._connection.parse_interaction_create(payload)  # type: ignore[arg-type]  # one of its kinds
        async with asyncio.timeout(60):
            await self._over.wait()
        return [one for one in self.wire.sent[before:] if one.how != "repost"]


def _filled(key: str, value: Filled) -> dict[str, Any]:
    match value:
        case str():
            return {"type": 4, "custom_id": key, "value": value}
        case tuple():
            return {"type": 3, "custom_id": key, "values": list(value)}
        case discord.Attachment():
            return {"type": 19, "custom_id": key, "values": [str(value.id)]}
        case _:
            return {"custom_id": key, **value}


def _option(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, discord.Attachment):
        return {"name": key, "type": 11, "value": str(value.id)}
    return {"name": key, "type": OPTION_TYPES[type(value)], "value": value}


def _message(components: list[dict[str, Any]], under: Under) -> dict[str, Any]:
    blank: dict[str, Any] = {key: [] for key in ("embeds", "attachments", "mentions", "mention_roles")}
    return blank | {
        "id": str(under.message),
        "flags": EPHEMERAL if under.is_private else 0,
        "channel_id": "50",
        "content": "",
        "type": 0,
        "author": _user(1, "Bot"),
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "pinned": False,
        "components": components,
    }


def _interaction(who: Person, kind: int, data: dict[str, Any], id_: str) -> dict[str, Any]:
    permissions = 1 << 5 if who.manages_server else 0
    member = {
        "user": _user(who.id, who.name),
        "nick": None,
        "roles": [str(role) for role in who.roles],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": str(permissions),
    }
    channel, category = who.places
    return {
        "id": id_,
        "application_id": str(APPLICATION),
        "type": kind,
        "token": "token",
        "version": 1,
        "guild_id": str(who.server),
        "channel_id": str(channel),
        "channel": {
            "id": str(channel),
            "type": 0,
            "name": "table",
            "parent_id": str(category),
            "position": 0,
        },
        "member": member,
        "data": data,
        "app_permissions": str(discord.Permissions.all().value),
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {},
        "context": 0,
        "attachment_size_limit": 10_000_000,
    }


async def open_desk(table: Table) -> Desk:
    """A client on a table, without a connection: with every cog but those of games that the table has not."""
    desk = await bare_desk(table)
    await desk.bot.load_cogs()
    await desk.bot.load_games(table.games)
    return desk


async def bare_desk(table: Table) -> Desk:
    """A client without cogs and without a connection."""
    over = asyncio.Event()
    settings = DiscordSettings(edit_seconds=EDIT_SECONDS)
    bot = Tablekeeper(settings, table, pace=UNHURRIED, on_passed=lambda _passed: over.set())
    await bot._async_setup_hook()
    bot._connection.application_id = APPLICATION
    bot._connection.user = discord.ClientUser(state=bot._connection, data=_user(APPLICATION, "Bot"))  # type: ignore[arg-type]  # as short as it may be
    wire = Wire()
    bot.http.get_from_cdn = wire.fetch  # type: ignore[method-assign]  # no address but loopback is contacted
    bot.http.request = wire.repost  # type: ignore[method-assign]  # the same
    return Desk(bot, wire, set(), over)
