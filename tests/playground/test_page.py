"""The page's own server: what each person is told, and what their actions come to."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, FormData

from bot.playground.discord import Member
from bot.playground.discord.payloads import Payload
from bot.playground.discord.servers import Permission
from tests.playground.running import Playground, playground


@pytest.fixture
async def running() -> AsyncIterator[Playground]:
    async with playground() as started:
        yield started


@pytest.fixture
async def browser(running: Playground) -> AsyncIterator[ClientSession]:
    async with ClientSession(running.address) as session:
        yield session


def people(running: Playground) -> tuple[Member, ...]:
    return running.cast.people


def here(person: Member) -> dict[str, str]:
    return {"person": str(person.id), "channel": str(person.server.channels[0].id)}


async def send(browser: ClientSession, person: Member, path: str, **options: object) -> Payload:
    form = FormData()
    form.add_field("asked", json.dumps({**here(person), "path": path, "options": options}))
    async with browser.post("/api/slash", data=form) as answer:
        told: Payload = await answer.json()
        return told


async def submit(
    browser: ClientSession, person: Member, form: Payload, values: Payload, *files: tuple[str, bytes]
) -> Payload:
    """Send a filled form; each file goes along under its field's name."""
    data = FormData()
    data.add_field("asked", json.dumps({**here(person), "modal": form["token"], "values": values}))
    for field, content in files:
        data.add_field(field, io.BytesIO(content), filename=f"{field}.png")
    async with browser.post("/api/submit", data=data) as answer:
        told: Payload = await answer.json()
        return told


async def act(browser: ClientSession, person: Member, what: str, **asked: object) -> Payload:
    async with browser.post(f"/api/{what}", json={**here(person), **asked}) as answer:
        told: Payload = await answer.json()
        return told


async def messages(browser: ClientSession, person: Member) -> list[Payload]:
    async with browser.get("/api/messages", params=here(person)) as answer:
        told: list[Payload] = (await answer.json())["messages"]
        return told


async def next_of(socket: ClientWebSocketResponse, kind: str) -> Payload:
    while True:
        event: Payload = await socket.receive_json(timeout=60)
        if event["type"] == kind:
            return event


class TestTheFiles:
    async def test_the_page_and_every_file_it_names_are_served(self, browser: ClientSession) -> None:
        index = await (await browser.get("/")).text()

        for name in ("app.js", "base.css", "messages.css", "parts.css", "composer.css", "icon.svg"):
            assert f"/static/{name}" in index
            assert (await browser.get(f"/static/{name}")).status == 200

    async def test_the_page_may_only_load_its_own_files(self, browser: ClientSession) -> None:
        policy = (await browser.get("/")).headers["Content-Security-Policy"]

        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
        assert "unsafe" not in policy

    async def test_a_file_outside_the_folder_is_not_found(self, browser: ClientSession) -> None:
        assert (await browser.get("/static/..%2fpage.py")).status == 404


class TestWhoMaySpeak:
    async def test_a_foreign_page_may_not_act(self, browser: ClientSession, running: Playground) -> None:
        alice = people(running)[1]

        answer = await browser.post(
            "/api/say", json={**here(alice), "text": "hi"}, headers={"Origin": "https://example.org"}
        )

        assert answer.status == 403
        assert alice.sees() == []

    async def test_a_foreign_name_for_this_machine_is_refused(self, browser: ClientSession) -> None:
        answer = await browser.get("/", headers={"Host": "example.org"})

        assert answer.status == 403

    async def test_a_page_of_an_earlier_run_is_told_to_reload(self, browser: ClientSession) -> None:
        answer = await browser.post("/api/say", json={"person": "1", "channel": "2", "text": "hi"})

        assert await answer.json() == {"failed": "The playground was started anew. Reload the page."}


class TestWhatEachPersonSees:
    async def test_the_world_holds_ones_own_server_and_only_the_names_of_others(
        self, browser: ClientSession, running: Playground
    ) -> None:
        mallory = people(running)[3]

        async with browser.ws_connect(f"/live?person={mallory.id}") as socket:
            world = (await next_of(socket, "hello"))["world"]

        assert [person["name"] for person in world["people"]] == ["GM", "Alice", "Bob", "Mallory"]
        table, elsewhere = world["servers"]
        assert set(table) == {"id", "name"}
        assert [member["name"] for member in elsewhere["members"]] == ["Mallory", "Tablekeeper"]
        assert [channel["name"] for channel in elsewhere["channels"]] == ["table", "talk"]

    async def test_a_message_reaches_its_own_server_live_and_nobody_else(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, mallory = people(running)

        async with (
            browser.ws_connect(f"/live?person={bob.id}") as at_bob,
            browser.ws_connect(f"/live?person={mallory.id}") as at_mallory,
        ):
            await next_of(at_bob, "hello")
            await next_of(at_mallory, "hello")
            await act(browser, alice, "say", text="Two of them.")
            heard = await next_of(at_bob, "message")
            await act(browser, mallory, "say", text="Nothing here.")
            heard_elsewhere = await next_of(at_mallory, "message")

        assert (heard["message"]["content"], heard["channel"]) == ("Two of them.", here(alice)["channel"])
        assert heard_elsewhere["message"]["content"] == "Nothing here."
        assert [message["content"] for message in await messages(browser, mallory)] == ["Nothing here."]

    async def test_another_servers_channel_is_not_readable(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, _, mallory = people(running)
        await act(browser, alice, "say", text="Hush.")

        asked = {"person": str(mallory.id), "channel": here(alice)["channel"]}

        assert (await (await browser.get("/api/messages", params=asked)).json()) == {"messages": []}

    async def test_a_private_answer_is_sent_only_to_its_person(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = people(running)

        async with browser.ws_connect(f"/live?person={bob.id}") as at_bob:
            await next_of(at_bob, "hello")
            told = await send(browser, alice, "roll", dice=2, secret=True)
            await act(browser, alice, "say", text="Done.")
            heard = await next_of(at_bob, "message")

        assert told == {"private": "**roll** dice=2 secret=True"}
        assert heard["message"]["content"] == "Done."
        assert [message["flags"] for message in await messages(browser, alice)] == [64, 0]
        assert len(await messages(browser, bob)) == 1

    async def test_a_dismissed_message_stays_away(self, browser: ClientSession, running: Playground) -> None:
        alice = people(running)[1]
        await send(browser, alice, "roll", dice=2, secret=True)
        (private,) = await messages(browser, alice)

        await act(browser, alice, "dismiss", message=private["id"])

        assert await messages(browser, alice) == []

    async def test_commands_for_managers_are_offered_to_managers(
        self, browser: ClientSession, running: Playground
    ) -> None:
        gm, alice, _, _ = people(running)

        async def offered(person: Member) -> list[str]:
            async with browser.ws_connect(f"/live?person={person.id}") as socket:
                world = (await next_of(socket, "hello"))["world"]
            return [command["name"] for command in world["commands"]]

        assert "gm" in await offered(gm)
        assert "gm" not in await offered(alice)

    async def test_a_channel_closed_to_a_person_is_not_listed(
        self, browser: ClientSession, running: Playground
    ) -> None:
        bob = people(running)[2]
        bob.server.channels[1].deny(bob, Permission.VIEW_CHANNEL)

        async with browser.ws_connect(f"/live?person={bob.id}") as socket:
            world = (await next_of(socket, "hello"))["world"]

        names = [channel["name"] for channel in world["servers"][0]["channels"]]
        assert names == ["table", "talk", "voice"]


class TestWhatOneDoes:
    async def test_a_command_carries_every_kind_of_option(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = people(running)
        table = alice.server
        form = FormData()
        options = {
            "dice": 3,
            "edge": "up",
            "against": str(bob.id),
            "channel": str(table.channels[1].id),
            "role": str(table.roles[2].id),
            "factor": 1.5,
        }
        form.add_field("asked", json.dumps({**here(alice), "path": "roll", "options": options}))
        form.add_field("picture", b"\x89PNG", filename="table.png", content_type="image/png")

        assert await (await browser.post("/api/slash", data=form)).json() == {}

        sent = {option["name"]: option["value"] for option in running.bot.heard[-1]["options"]}
        resolved = running.bot.heard[-1]["resolved"]
        assert (sent["dice"], sent["edge"], sent["factor"]) == (3, "up", 1.5)
        assert resolved["users"][sent["against"]]["global_name"] == "Bob"
        assert resolved["channels"][sent["channel"]]["name"] == "side-quest"
        assert resolved["roles"][sent["role"]]["name"] == "Players"
        assert resolved["attachments"][sent["picture"]]["filename"] == "table.png"

    async def test_an_option_out_of_bounds_is_reported_as_a_sentence(
        self, browser: ClientSession, running: Playground
    ) -> None:
        told = await send(browser, people(running)[1], "roll", dice=21)

        assert told == {"failed": "dice: Must be 20 or less."}
        assert running.bot.heard == []

    async def test_the_bot_completes_an_option(self, browser: ClientSession, running: Playground) -> None:
        told = await act(
            browser,
            people(running)[0],
            "autocomplete",
            path="campaign create",
            option="ruleset",
            text="ap",
            others={"name": "Long"},
        )

        assert told == {
            "choices": [{"name": "Apple", "value": "apple"}, {"name": "Apricot", "value": "apricot"}]
        }

    async def test_a_command_without_an_answer_fails_as_in_the_client(
        self, browser: ClientSession, running: Playground
    ) -> None:
        running.lose_patience()

        told = await send(browser, people(running)[1], "never")

        assert told == {"failed": "The application did not respond"}

    async def test_a_deferred_answer_is_first_a_thinking_message(
        self, browser: ClientSession, running: Playground
    ) -> None:
        alice = people(running)[1]

        async with browser.ws_connect(f"/live?person={alice.id}") as socket:
            await next_of(socket, "hello")
            sending = asyncio.create_task(send(browser, alice, "slow"))
            thinking = await next_of(socket, "message")
            running.bot.thought.set()
            answered = await next_of(socket, "message")
            await sending

        assert thinking["message"]["flags"] & 128
        assert answered["message"]["content"] == "It took a while."
        assert answered["message"]["id"] == thinking["message"]["id"]

    async def test_a_press_changes_its_message(self, browser: ClientSession, running: Playground) -> None:
        _, alice, bob, _ = people(running)
        await send(browser, alice, "show", what="check failed")
        (message,) = await messages(browser, bob)

        assert await act(browser, bob, "press", message=message["id"], custom_id="luck:1:7") == {}

        assert [m["content"] for m in await messages(browser, bob)] == ["Bob pressed: Lucky Breaks 2 → 1"]

    async def test_an_unanswered_press_fails_as_in_the_client(
        self, browser: ClientSession, running: Playground
    ) -> None:
        alice = people(running)[1]
        await send(browser, alice, "show", what="check failed")
        (message,) = await messages(browser, alice)
        running.lose_patience()

        told = await act(browser, alice, "press", message=message["id"], custom_id="defend:1:7")

        assert told == {"failed": "This interaction failed"}

    async def test_a_choice_carries_its_values(self, browser: ClientSession, running: Playground) -> None:
        alice = people(running)[1]
        await send(browser, alice, "show", what="selects")
        (message,) = await messages(browser, alice)

        values = ["scout", "porter"]
        told = await act(browser, alice, "select", message=message["id"], custom_id="part:1:1", values=values)

        assert told == {"private": "Alice: part:1:1 ['scout', 'porter']"}
        assert running.bot.heard[-1]["values"] == ["scout", "porter"]

    async def test_a_form_opens_live_and_is_sent_by_its_person_only(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = people(running)
        values = {"title": "Rope", "text": "", "mood": ["calm"]}

        async with browser.ws_connect(f"/live?person={alice.id}") as socket:
            await next_of(socket, "hello")
            await send(browser, alice, "note")
            form = (await next_of(socket, "modal"))["modal"]
        by_another = await submit(browser, bob, form, values)
        sent = await submit(browser, alice, form, values)

        assert by_another == {"failed": "This form is not open any more. Press its button again."}
        assert sent == {"private": "Noted: Rope (calm)"}
        assert [message["content"] for message in await messages(browser, alice)] == ["Noted: Rope (calm)"]

    async def test_a_form_carries_choices_and_files_that_are_served_from_here(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = people(running)
        async with browser.ws_connect(f"/live?person={alice.id}") as socket:
            await next_of(socket, "hello")
            await send(browser, alice, "join")
            form = (await next_of(socket, "modal"))["modal"]
        values = {"calling": "scout", "brings": ["lamp"], "friend": [str(bob.id)], "rules": True}
        too_large = ("portrait", b"x" * (10 * 1024 * 1024 + 1))

        refused = await submit(browser, alice, form, values, too_large)
        sent = await submit(browser, alice, form, values, ("portrait", b"one"), ("portrait", b"second"))

        assert refused == {"failed": "portrait.png is too large: a file has at most 10 MB."}
        files = "portrait.png (3 bytes), portrait.png (6 bytes)"
        assert sent == {"private": f"Joined: scout, ['lamp'], ['Bob'], True, {files}"}
        uploaded = list(running.bot.heard[-1]["resolved"]["attachments"].values())
        assert [file["url"].startswith(running.discord.origin) for file in uploaded] == [True, True]
        assert await (await browser.get(uploaded[1]["url"])).read() == b"second"

    async def test_a_command_is_used_on_a_person_and_on_a_message(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = people(running)
        await act(browser, bob, "say", text="Good evening")
        (message,) = await messages(browser, alice)

        on_bob = await act(browser, alice, "use", kind=2, name="Sheet", target=str(bob.id))
        on_message = await act(browser, alice, "use", kind=3, name="Read aloud", target=message["id"])
        on_nobody = await act(browser, alice, "use", kind=2, name="Sheet", target="5")
        unknown = await act(browser, alice, "use", kind=3, name="Sheet", target=message["id"])

        assert (on_bob, on_message) == ({}, {})
        assert [one["content"] for one in await messages(browser, alice)] == [
            "Good evening",
            "The sheet of Bob",
            "Aloud: Good evening",
        ]
        assert on_nobody == {"failed": "This person is not on this server."}
        assert unknown == {"failed": "There is no command 'Sheet' on a message; there are Read aloud"}

    async def test_a_file_is_served_without_rights_of_its_own(
        self, browser: ClientSession, running: Playground
    ) -> None:
        alice = people(running)[1]
        await send(browser, alice, "show", what="board")
        (message,) = await messages(browser, alice)
        picture, journal = (f"/file/{file['url'].split('/', 3)[3]}" for file in message["attachments"])

        shown, offered = await browser.get(picture), await browser.get(journal)

        assert (shown.status, shown.content_type) == (200, "image/png")
        assert shown.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert offered.headers["Content-Disposition"] == "attachment"
        assert offered.headers["X-Content-Type-Options"] == "nosniff"

    async def test_an_emoji_the_bot_uploaded_has_its_picture(
        self, browser: ClientSession, running: Playground
    ) -> None:
        local = running.discord
        path = f"{local.api_url}/applications/{local.application.id}/emojis"
        emoji = {"name": "d6_4", "image": "data:image/png;base64," + base64.b64encode(b"\x89PNG").decode()}
        headers = {"Authorization": f"Bot {local.token}"}
        uploaded = await (await browser.post(path, json=emoji, headers=headers)).json()

        answer = await browser.get(f"/file/emojis/{uploaded['id']}.png")

        assert (answer.content_type, await answer.read()) == ("image/png", b"\x89PNG")

    async def test_nonsense_from_the_page_is_reported_as_a_sentence(self, browser: ClientSession) -> None:
        answer = await browser.post("/api/say", data=b"{")

        assert (answer.status, await answer.json()) == (
            400,
            {"failed": "The page asked for something unknown. Reload it."},
        )

    async def test_the_page_hears_when_the_bot_is_gone(
        self, browser: ClientSession, running: Playground
    ) -> None:
        async with browser.ws_connect("/live") as socket:
            assert (await next_of(socket, "hello"))["world"]["bot"]["state"]["online"] is True
            await running.discord.drop_connections(resumable=False)
            gone = await next_of(socket, "bot")

        assert gone["bot"]["online"] is False

    async def test_nothing_here_breaks_a_rule_of_discord(
        self, browser: ClientSession, running: Playground
    ) -> None:
        alice = people(running)[1]
        shown = ("markdown", "embed", "check failed", "selects", "board", "hostile", "elsewhere")

        told = [await send(browser, alice, "show", what=what) for what in shown]

        assert told == [{}] * 7
        assert running.discord.breaches == []


STATIC = Path(__file__).parents[2] / "bot" / "playground" / "static"


def test_no_script_writes_markup() -> None:
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(")
    found = [
        f"{script.name}: {word}"
        for script in STATIC.glob("*.js")
        for word in forbidden
        if word in script.read_text(encoding="utf-8")
    ]

    assert found == []


def test_no_file_names_an_address_elsewhere() -> None:
    files = [path for path in STATIC.iterdir() if path.suffix in (".js", ".css", ".html", ".svg")]
    named = {
        found for path in files for found in re.findall(r"(?:https?|wss?)://[\w.]+", path.read_text("utf-8"))
    }

    assert named == {"http://www.w3.org"}  # the name of SVG, never fetched


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in STATIC.iterdir()}

    assert {name: length for name, length in lengths.items() if length > 400} == {}


class TestVoice:
    async def test_joining_and_leaving_is_seen_live(
        self, browser: ClientSession, running: Playground
    ) -> None:
        _, alice, bob, _ = running.cast.people
        voice = alice.server.channels[-1]

        async with browser.ws_connect(f"/live?person={bob.id}") as socket:
            await act(browser, alice, "voice", voice=str(voice.id))
            joined = (await next_of(socket, "places"))["servers"][0]["voice"]
            await act(browser, alice, "voice", voice="")
            left = (await next_of(socket, "places"))["servers"][0]["voice"]

        assert joined == [{"person": str(alice.id), "channel": str(voice.id)}]
        assert left == []

    async def test_a_text_channel_cannot_be_joined(self, browser: ClientSession, running: Playground) -> None:
        alice = running.cast.people[1]

        await act(browser, alice, "voice", voice=str(alice.server.channels[0].id))

        assert alice.server.voice == {}


class TestTheCalendar:
    async def test_somebody_who_manages_events_starts_and_ends_them(
        self, browser: ClientSession, running: Playground
    ) -> None:
        gm = running.cast.people[0]
        event = gm.server.schedule_event("Next evening")

        async def on_the_page() -> list[Payload]:
            async with browser.ws_connect(f"/live?person={gm.id}") as socket:
                events: list[Payload] = (await next_of(socket, "hello"))["world"]["servers"][0]["events"]
                return events

        assert [(shown["name"], shown["is_active"]) for shown in await on_the_page()] == [
            ("Next evening", False)
        ]
        assert await act(browser, gm, "event", event=str(event.id), act="start") == {}
        assert [shown["is_active"] for shown in await on_the_page()] == [True]
        assert await act(browser, gm, "event", event=str(event.id), act="end") == {}
        assert await on_the_page() == []

    async def test_a_player_cannot_end_an_event(self, browser: ClientSession, running: Playground) -> None:
        alice = running.cast.people[1]
        event = alice.server.schedule_event("Next evening")

        told = await act(browser, alice, "event", event=str(event.id), act="end")

        assert told["failed"].startswith("Only who may manage the server's events")
        assert not event.is_over
