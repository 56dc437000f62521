"""Commands on people and messages, as Discord's client offers them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession

from bot.playground.discord import CannotSend, LocalDiscord, Member
from bot.playground.discord.payloads import Payload
from tests.playground.running import Playground, playground
from tests.playground.sample import Sample
from tests.playground.scene import EPHEMERAL, MESSAGE, Scene
from tests.playground.test_page import act, next_of
from tests.playground.wire import Wire, problem

COMMANDS = "/applications/900000000000000001/commands"
ACT = {"name": "act", "description": "Acts"}
SHEET, UNDO = {"name": "Sheet", "type": 2}, {"name": "Undo this", "type": 3}


async def registered(scene: Scene, *definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """Register these commands; gives them as Discord knows them."""
    status, body = await scene.wire.call("PUT", COMMANDS, [ACT, *definitions])
    assert status == 200
    commands: list[dict[str, Any]] = body[1:]
    return commands


class TestOnAPerson:
    async def test_the_bot_is_told_whom_the_command_is_used_on(self, scene: Scene) -> None:
        (sheet,) = await registered(scene, SHEET)
        bob = scene.alice.server.add_member("Bob")

        interaction, task = await scene.act(asyncio.create_task(scene.alice.use("Sheet", bob)))
        await scene.wire.answer(interaction, MESSAGE, {"content": "Bob's sheet"})
        answer = await task

        data = interaction["data"]
        assert (interaction["type"], data["type"], data["id"]) == (2, 2, sheet["id"])
        assert (data["name"], data["target_id"]) == ("Sheet", str(bob.id))
        assert data["resolved"]["users"][str(bob.id)]["global_name"] == "Bob"
        assert "user" not in data["resolved"]["members"][str(bob.id)]
        assert answer.message is not None
        assert answer.message["type"] == 23
        assert answer.message["interaction_metadata"]["target_user"]["id"] == str(bob.id)
        assert answer.message["interaction"]["name"] == "Sheet"

    async def test_a_person_of_another_server_cannot_be_chosen(self, scene: Scene) -> None:
        await registered(scene, SHEET)
        stranger = scene.local.add_server("Elsewhere").add_member("Stranger")

        with pytest.raises(CannotSend, match="nothing that can be picked here"):
            await scene.alice.use("Sheet", stranger)


class TestOnAMessage:
    async def test_the_bot_is_told_which_message_the_command_is_used_on(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Alice rolls 7"})
        await registered(scene, UNDO)

        interaction, task = await scene.act(asyncio.create_task(scene.alice.use("Undo this", shown)))
        await scene.wire.answer(interaction, MESSAGE, {"content": "Undone"})
        answer = await task

        assert shown.message is not None
        assert answer.message is not None
        number = shown.message["id"]
        assert (interaction["data"]["type"], interaction["data"]["target_id"]) == (3, number)
        assert interaction["data"]["resolved"]["messages"][number]["content"] == "Alice rolls 7"
        assert answer.message["interaction_metadata"]["target_message_id"] == number

    async def test_no_command_is_offered_on_a_private_message(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Psst", "flags": EPHEMERAL})
        await registered(scene, UNDO)

        with pytest.raises(CannotSend, match="only you can see"):
            await scene.alice.use("Undo this", shown)


class TestWhatIsOffered:
    async def test_a_command_is_offered_only_where_it_belongs(self, scene: Scene) -> None:
        await registered(scene, SHEET, UNDO)

        with pytest.raises(CannotSend, match="no command 'Undo this' on a person; there are Sheet"):
            await scene.alice.use("Undo this", scene.alice)
        with pytest.raises(CannotSend, match="There is no command /Sheet"):
            await scene.alice.slash("Sheet")

    async def test_a_command_for_managers_is_not_offered_to_others(self, scene: Scene) -> None:
        await registered(scene, {**SHEET, "default_member_permissions": "32"})

        with pytest.raises(CannotSend, match="Sheet is not shown to Alice"):
            await scene.alice.use("Sheet", scene.alice)

    async def test_only_members_use_the_commands_of_their_server(self, scene: Scene) -> None:
        scope = f"/applications/900000000000000001/guilds/{scene.alice.server.id}/commands"
        await scene.wire.call("PUT", scope, [SHEET])
        stranger = scene.local.add_server("Elsewhere").add_member("Stranger")

        with pytest.raises(CannotSend, match="there are none"):
            await stranger.use("Sheet", stranger)

        interaction, task = await scene.act(asyncio.create_task(scene.alice.use("Sheet", scene.alice)))
        await scene.wire.answer(interaction, MESSAGE, {"content": "x"})
        await task
        assert interaction["data"]["guild_id"] == str(scene.alice.server.id)

    @pytest.mark.parametrize("kind", [2, 3])
    async def test_sixteen_commands_of_one_kind_are_refused(self, wire: Wire, kind: int) -> None:
        names = [{"name": f"Menu {number}", "type": kind} for number in range(16)]
        accepted, _ = await wire.call("PUT", COMMANDS, names[:15])
        refused, body = await wire.call("PUT", COMMANDS, names)

        assert (accepted, refused) == (200, 400)
        assert problem(body) == "APPLICATION_COMMANDS_EXCEEDED"


async def test_the_real_library_gets_the_person_and_the_message(
    sample: Sample, local: LocalDiscord, alice: Member, bob: Member
) -> None:
    who = await alice.use("Who is this?", bob)
    spoken = await bob.slash("say", text="Good evening")
    aloud = await alice.use("Read aloud", spoken)

    assert who.text == "Bob, in Table"
    assert aloud.text == "tablekeeper says: Good evening"
    assert (local.breaches, sample.errors) == ([], [])


@pytest.fixture
async def running() -> AsyncIterator[Playground]:
    async with playground() as started:
        yield started


@pytest.fixture
async def browser(running: Playground) -> AsyncIterator[ClientSession]:
    async with ClientSession(running.address) as session:
        yield session


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
