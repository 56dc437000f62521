"""Voice and the calendar on the page: what sessions can be linked to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession

from bot.playground.discord.payloads import Payload
from tests.playground.running import Playground, playground
from tests.playground.test_page import act, next_of


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
