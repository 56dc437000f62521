"""A bot of canned answers that speaks the raw protocol, so that the page can be tried alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import ClientSession, FormData, WSMsgType

from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.payloads import Payload

RECORDED: dict[str, Payload] = json.loads(
    Path(__file__).with_name("recorded.json").read_text(encoding="utf-8")
)
EPHEMERAL = 64
FRUITS = ("Apple", "Apricot", "Banana", "Cherry")


def _option(kind: int, name: str, description: str, **more: object) -> Payload:
    return {"type": kind, "name": name, "description": description, **more}


COMMANDS: list[Payload] = [
    {
        "name": "show",
        "description": "Show a recorded message",
        "options": [_option(3, "what", "Which one", required=True)],
    },
    {
        "name": "campaign",
        "description": "Campaigns",
        "options": [
            _option(
                1,
                "create",
                "Open a campaign",
                options=[
                    _option(3, "ruleset", "The rules to play by", required=True, autocomplete=True),
                    _option(3, "name", "What it is called", required=True, min_length=2, max_length=40),
                ],
            ),
            _option(1, "list", "The campaigns of this server"),
        ],
    },
    {
        "name": "roll",
        "description": "Roll dice",
        "options": [
            _option(4, "dice", "How many dice", required=True, min_value=1, max_value=20),
            _option(
                3,
                "edge",
                "Better or worse",
                choices=[{"name": "Better", "value": "up"}, {"name": "Worse", "value": "down"}],
            ),
            _option(5, "secret", "Only for you"),
            _option(6, "against", "Against whom"),
            _option(7, "channel", "Where it is told"),
            _option(8, "role", "Whom it concerns"),
            _option(10, "factor", "Times this", min_value=0.5),
            _option(11, "picture", "A picture of the table"),
        ],
    },
    {"name": "note", "description": "Write a note in a form"},
    {"name": "join", "description": "Join the party in a form with menus and files"},
    {"name": "Sheet", "type": 2},
    {"name": "Read aloud", "type": 3},
    {"name": "slow", "description": "Think first, then answer"},
    {"name": "never", "description": "Never answer"},
    {"name": "gm", "description": "Only for who manages the server", "default_member_permissions": "32"},
]

NOTE_FORM: Payload = {
    "type": 9,
    "data": {
        "custom_id": "note:1",
        "title": "A note",
        "components": [
            {"type": 10, "content": "Kept **between us**."},
            {
                "type": 18,
                "label": "Title",
                "description": "A few words",
                "component": {"type": 4, "custom_id": "title", "style": 1, "min_length": 3, "max_length": 20},
            },
            {
                "type": 18,
                "label": "Text",
                "component": {
                    "type": 4,
                    "custom_id": "text",
                    "style": 2,
                    "required": False,
                    "max_length": 400,
                },
            },
            {
                "type": 18,
                "label": "Mood",
                "component": {
                    "type": 3,
                    "custom_id": "mood",
                    "options": [{"label": "Calm", "value": "calm"}, {"label": "Wild", "value": "wild"}],
                },
            },
        ],
    },
}


def _labelled(label: str, kind: int, custom_id: str, note: str = "", **more: object) -> Payload:
    described = {"description": note} if note else {}
    component = {"type": kind, "custom_id": custom_id, **more}
    return {"type": 18, "label": label, **described, "component": component}


CALLINGS = [
    {"label": "Scout", "value": "scout", "description": "First in, first out"},
    {"label": "Porter", "value": "porter"},
    {"label": "Cook", "value": "cook", "default": True},
]
JOIN_FORM: Payload = {
    "type": 9,
    "data": {
        "custom_id": "join:1",
        "title": "Join the party",
        "components": [
            _labelled("Calling", 21, "calling", "What you do in the party", options=CALLINGS),
            _labelled(
                "What you bring",
                22,
                "brings",
                required=False,
                min_values=0,
                max_values=2,
                options=[{"label": name, "value": name.lower()} for name in ("Rope", "Lamp", "Bread")],
            ),
            _labelled("Friend", 5, "friend", required=False, min_values=0, max_values=1),
            _labelled("I follow the rules of the house", 23, "rules"),
            _labelled("Portrait", 19, "portrait", "A picture of yours", min_values=1, max_values=2),
        ],
    },
}


class ScriptedBot:
    """Connects, registers its commands and answers until it is left.

    Attributes:
        thought: Set to let ``/slow`` finish.
        heard: Every interaction's data, in order.
    """

    def __init__(self, discord: LocalDiscord, pictures: dict[str, bytes]) -> None:
        self._discord = discord
        self._pictures = pictures
        self._session = ClientSession(headers={"Authorization": f"Bot {discord.token}"})
        self.thought = asyncio.Event()
        self.heard: list[Payload] = []

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        await self._discord.connected()
        path = f"{self._discord.api_url}/applications/{self._discord.application.id}/commands"
        async with self._session.put(path, json=COMMANDS) as answer:
            assert answer.status == 200, await answer.text()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading
        await self._session.close()

    async def _read(self) -> None:
        async with (
            asyncio.TaskGroup() as answers,
            self._session.ws_connect(self._discord.gateway_url) as socket,
        ):
            identify = {"token": self._discord.token, "intents": 1, "properties": {}}
            await socket.send_json({"op": 2, "d": identify})
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                event = json.loads(frame.data)
                if event.get("t") == "INTERACTION_CREATE":
                    answers.create_task(self._answer(event["d"]))

    async def _answer(self, interaction: Payload) -> None:
        data = interaction["data"]
        self.heard.append(data)
        if interaction["type"] == 4:
            typed = next(option["value"] for option in _leaves(data["options"]) if option.get("focused"))
            found = [fruit for fruit in FRUITS if typed.lower() in fruit.lower()]
            choices = [{"name": fruit, "value": fruit.lower()} for fruit in found]
            await self._callback(interaction, {"type": 8, "data": {"choices": choices}})
        elif interaction["type"] == 3:
            await self._component(interaction)
        elif interaction["type"] == 5:
            filled = {
                part["component"]["custom_id"]: part["component"]
                for part in data["components"]
                if "component" in part
            }
            if data["custom_id"] == "join:1":
                told = _joined(data, filled)
            else:
                told = f"Noted: {filled['title']['value']} ({filled['mood']['values'][0]})"
            await self._callback(interaction, {"type": 4, "data": {"content": told, "flags": EPHEMERAL}})
        else:
            await self._command(interaction)

    async def _command(self, interaction: Payload) -> None:
        data = interaction["data"]
        match data["name"]:
            case "show":
                await self._show(interaction, data["options"][0]["value"])
            case "note":
                await self._callback(interaction, NOTE_FORM)
            case "join":
                await self._callback(interaction, JOIN_FORM)
            case "Sheet" | "Read aloud":
                await self._callback(interaction, {"type": 4, "data": {"content": _told_of(data)}})
            case "slow":
                await self._callback(interaction, {"type": 5})
                await self.thought.wait()
                await self._edit_original(interaction, {"content": "It took a while."})
            case "never":
                return
            case name:
                words = " ".join(
                    f"{option['name']}={option['value']}" for option in _leaves(data.get("options") or [])
                )
                told = f"**{name}** {words}"
                flags = EPHEMERAL if "secret=True" in words else 0
                await self._callback(interaction, {"type": 4, "data": {"content": told, "flags": flags}})

    async def _component(self, interaction: Payload) -> None:
        data = interaction["data"]
        who = interaction["member"]["user"]["global_name"]
        if data["custom_id"].startswith("luck"):
            told: Payload = {"content": f"{who} pressed: Lucky Breaks 2 → 1", "embeds": [], "components": []}
            await self._callback(interaction, {"type": 7, "data": told})
        elif data["custom_id"].startswith("defend"):
            return
        else:
            told = {"content": f"{who}: {data['custom_id']} {data.get('values', '')}", "flags": EPHEMERAL}
            await self._callback(interaction, {"type": 4, "data": told})

    async def _show(self, interaction: Payload, what: str) -> None:
        member = interaction["member"]
        ids = {
            "CHANNEL": interaction["channel_id"],
            "ALICE": member["user"]["id"],
            "ROLE": (*member["roles"], "0")[0],
        }
        message = json.loads(re.sub("|".join(ids), lambda found: ids[found[0]], json.dumps(RECORDED[what])))
        files = [entry["filename"] for entry in message.get("attachments", [])]
        await self._callback(interaction, {"type": 4, "data": message}, files)

    async def _callback(self, interaction: Payload, body: Payload, files: list[str] | None = None) -> None:
        path = f"{self._discord.api_url}/interactions/{interaction['id']}/{interaction['token']}/callback"
        form = FormData()
        form.add_field("payload_json", json.dumps(body), content_type="application/json")
        for index, name in enumerate(files or []):
            form.add_field(f"files[{index}]", self._pictures[name], filename=name)
        async with self._session.post(
            path, data=form if files else None, json=None if files else body
        ) as answer:
            assert answer.status in (200, 204), await answer.text()

    async def _edit_original(self, interaction: Payload, body: Payload) -> None:
        application = self._discord.application.id
        path = f"{self._discord.api_url}/webhooks/{application}/{interaction['token']}/messages/@original"
        async with self._session.patch(path, json=body) as answer:
            assert answer.status == 200, await answer.text()


def _joined(data: Payload, filled: dict[str, Payload]) -> str:
    """What somebody sent with the form to join."""
    resolved = data["resolved"]
    sizes = ((file["filename"], file["size"]) for file in resolved["attachments"].values())
    files = ", ".join(f"{name} ({size} bytes)" for name, size in sizes)
    friends = [resolved["users"][id_]["global_name"] for id_ in filled["friend"]["values"]]
    chosen = f"{filled['calling']['value']}, {filled['brings']['values']}, {friends}"
    return f"Joined: {chosen}, {filled['rules']['value']}, {files}"


def _told_of(data: Payload) -> str:
    """What a command on a person or message is answered."""
    if data["type"] == 2:
        return f"The sheet of {data['resolved']['users'][data['target_id']]['global_name']}"
    return f"Aloud: {data['resolved']['messages'][data['target_id']]['content']}"


def _leaves(options: list[Payload]) -> list[Payload]:
    """The options that carry values, out of their sub-commands."""
    return [
        leaf
        for option in options
        for leaf in (_leaves(option["options"]) if "options" in option else [option])
    ]
