"""The gateway of the local Discord: its handshake, its sessions, its rules."""

from __future__ import annotations

import asyncio
import importlib.util
import time

import pytest

from bot.playground.discord import LocalDiscord, Server
from bot.playground.discord.gateway import ACKNOWLEDGE_SECONDS
from bot.playground.discord.payloads import Bulletin
from tests.playground.wire import INTENTS, Wire

GUILDS = 1 << 0
COMPRESSIONS = [None, "zlib-stream", *(["zstd-stream"] if importlib.util.find_spec("zstandard") else [])]


class TestHandshake:
    async def test_the_first_payload_is_hello(self, wire: Wire) -> None:
        hello = await wire.connect()

        assert (hello["op"], hello["d"]["heartbeat_interval"]) == (10, 41250)

    @pytest.mark.parametrize("compress", COMPRESSIONS)
    async def test_ready_names_the_servers_and_guild_create_brings_them(
        self, local: LocalDiscord, server: Server, compress: str | None
    ) -> None:
        async with Wire(local, compress) as wire:
            ready = await wire.ready()
            created = await wire.event("GUILD_CREATE")

        assert ready["guilds"] == [{"id": str(server.id), "unavailable": True}]
        assert ready["resume_gateway_url"] == local.gateway_url
        assert created["name"] == "Table"
        assert [channel["name"] for channel in created["channels"]] == ["table"]

    async def test_a_heartbeat_is_acknowledged_when_the_bot_has_noted_it(self, wire: Wire) -> None:
        await wire.connect()
        sent_at = time.monotonic()
        await wire.send(1, None)

        assert (await wire.receive())["op"] == 11
        assert time.monotonic() - sent_at > ACKNOWLEDGE_SECONDS / 2

    async def test_a_wrong_token_ends_the_connection(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.connect()
        await wire.identify(token="wrong")

        assert await wire.closed_with() == 4004
        assert local.breaches == ["it identified with a wrong token"]

    @pytest.mark.parametrize("intent", [1 << 1, 1 << 8, 1 << 15])
    async def test_a_privileged_intent_is_refused(self, wire: Wire, intent: int) -> None:
        await wire.connect()
        await wire.identify(intents=INTENTS | intent)

        assert await wire.closed_with() == 4014

    async def test_identifying_twice_ends_the_connection(self, wire: Wire) -> None:
        await wire.ready()
        await wire.identify()

        assert await wire.closed_with() == 4005

    async def test_speaking_before_identifying_ends_the_connection(self, wire: Wire) -> None:
        await wire.connect()
        await wire.send(3, {})

        assert await wire.closed_with() == 4003

    async def test_an_unknown_operation_ends_the_connection(self, wire: Wire) -> None:
        await wire.ready()
        await wire.send(99, {})

        assert await wire.closed_with() == 4001

    async def test_an_impossible_shard_is_refused(self, wire: Wire) -> None:
        await wire.connect()
        await wire.identify(shard=(2, 2))

        assert await wire.closed_with() == 4010

    async def test_a_flood_of_payloads_ends_the_connection(self, wire: Wire) -> None:
        await wire.ready()
        for _ in range(120):
            await wire.send(1, None)

        assert await wire.closed_with() == 4008


class TestSessions:
    async def test_a_resumed_session_delivers_missed_events(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        await wire.ready()
        await wire.event("GUILD_CREATE")
        await wire.hang_up()
        await local.until(lambda: not local.gateway.is_connected)
        server.add_channel("kitchen")
        await wire.connect()
        await wire.send(6, {"token": local.token, "session_id": wire.session_id, "seq": wire.sequence})

        assert (await wire.receive())["d"]["name"] == "kitchen"
        assert (await wire.receive())["t"] == "RESUMED"
        assert local.gateway.resumes == 1

    async def test_an_unknown_session_is_invalid(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.connect()
        await wire.send(6, {"token": local.token, "session_id": "none", "seq": 1})
        answer = await wire.receive()

        assert (answer["op"], answer["d"]) == (9, False)

    async def test_a_session_is_gone_after_a_drop_that_cannot_be_resumed(
        self, local: LocalDiscord, wire: Wire
    ) -> None:
        await wire.ready()
        await local.drop_connections(resumable=False)
        await wire.closed_with()
        await wire.connect()
        await wire.send(6, {"token": local.token, "session_id": wire.session_id, "seq": wire.sequence})

        assert (await wire.receive())["op"] == 9

    async def test_a_client_that_closes_with_1000_gives_its_session_up(
        self, local: LocalDiscord, wire: Wire
    ) -> None:
        await wire.ready()
        await wire.hang_up(1000)
        await local.until(lambda: not local.gateway.is_connected)

        assert local.gateway.sessions == []

    async def test_a_connection_that_breaks_keeps_its_session(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.ready()
        await wire.hang_up(4000)
        await local.until(lambda: not local.gateway.is_connected)

        assert len(local.gateway.sessions) == 1


class TestWhatABotHears:
    async def test_events_without_their_intent_are_not_sent(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        await wire.ready(intents=GUILDS)
        await wire.event("GUILD_CREATE")
        alice = server.add_member("Alice")
        server.join_voice(alice, server.add_channel("parlour", "voice"))
        server.schedule_event("Tea")
        server.add_channel("last")

        assert (await wire.receive())["d"]["name"] == "parlour"
        assert (await wire.receive())["d"]["name"] == "last"

    async def test_voice_and_scheduled_events_are_sent(self, server: Server, wire: Wire) -> None:
        await wire.ready()
        alice = server.add_member("Alice")
        parlour = server.add_channel("parlour", "voice")
        server.join_voice(alice, parlour)
        joined = await wire.event("VOICE_STATE_UPDATE")
        server.leave_voice(alice)
        left = await wire.event("VOICE_STATE_UPDATE")
        event = server.schedule_event("Tea", channel=parlour)
        created = await wire.event("GUILD_SCHEDULED_EVENT_CREATE")
        server.start_event(event)
        started = await wire.event("GUILD_SCHEDULED_EVENT_UPDATE")
        server.end_event(event)
        ended = await wire.event("GUILD_SCHEDULED_EVENT_UPDATE")

        assert (joined["user_id"], joined["channel_id"], left["channel_id"]) == (
            str(alice.id),
            str(parlour.id),
            None,
        )
        assert [created["status"], started["status"], ended["status"]] == [1, 2, 3]

    async def test_a_server_created_later_is_joined(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.ready()
        local.add_server("Later")

        assert (await wire.event("GUILD_CREATE"))["name"] == "Later"

    async def test_a_shard_gets_its_own_servers_only(self, local: LocalDiscord) -> None:
        servers = [local.add_server(f"Server {number}") for number in range(4)]
        found: list[set[str]] = []
        for number in range(2):
            async with Wire(local) as wire:
                ready = await wire.ready(shard=(number, 2))
                found.append({server["id"] for server in ready["guilds"]})

        expected = [{str(s.id) for s in servers if (s.id >> 22) % 2 == number} for number in range(2)]
        assert found == expected

    async def test_the_bot_is_connected_when_all_its_shards_are(self, local: LocalDiscord) -> None:
        async with Wire(local) as first, Wire(local) as second:
            await first.ready(shard=(0, 2))
            half = local.gateway.is_connected
            await second.ready(shard=(1, 2))

            assert (half, local.gateway.is_connected) == (False, True)

    async def test_shards_of_a_bucket_that_identify_too_soon_are_a_breach(self) -> None:
        async with LocalDiscord(max_concurrency=2, identify_seconds=60) as local:
            async with Wire(local) as first, Wire(local) as second, Wire(local) as third:
                await first.ready(shard=(0, 4))
                await second.ready(shard=(1, 4))
                before = list(local.breaches)
                await third.ready(shard=(2, 4))

            assert before == []
            assert [one.split(" ", 4)[:4] for one in local.breaches] == [["it", "identified", "shard", "2"]]

    async def test_f_rel_10_every_connection_of_a_bot_is_closed_when_it_leaves(
        self, local: LocalDiscord
    ) -> None:
        async with Wire(local) as wire:
            await wire.ready()
            first = wire.socket
            await wire.ready()

        assert (first.closed, wire.socket.closed) == (True, True)

    async def test_other_peoples_messages_come_without_their_contents(
        self, server: Server, wire: Wire
    ) -> None:
        await wire.ready(intents=INTENTS | (1 << 9))
        server.owner.say("Private words")
        heard = await wire.event("MESSAGE_CREATE")
        await wire.call("POST", f"/channels/{server.channels[0].id}/messages", {"content": "Own words"})
        own = await wire.event("MESSAGE_CREATE")

        assert (heard["content"], own["content"]) == ("", "Own words")

    async def test_members_are_sent_when_asked_for_by_id(self, server: Server, wire: Wire) -> None:
        alice = server.add_member("Alice")
        await wire.ready()
        await wire.send(
            8, {"guild_id": str(server.id), "user_ids": [str(alice.id)], "limit": 1, "nonce": "n"}
        )
        chunk = await wire.event("GUILD_MEMBERS_CHUNK")

        assert [member["user"]["global_name"] for member in chunk["members"]] == ["Alice"]

    async def test_any_event_can_be_dispatched(self, local: LocalDiscord, server: Server, wire: Wire) -> None:
        await wire.ready()
        await local.dispatch("GUILD_BAN_ADD", {"guild_id": str(server.id)}, server)

        assert await wire.event("GUILD_BAN_ADD") == {"guild_id": str(server.id)}


async def test_resuming_with_a_wrong_token_ends_the_connection(wire: Wire) -> None:
    await wire.connect()
    await wire.send(6, {"token": "wrong", "session_id": "x", "seq": 1})

    assert await wire.closed_with() == 4004


async def test_an_event_without_a_server_goes_to_every_shard(local: LocalDiscord, wire: Wire) -> None:
    await wire.ready(intents=INTENTS)
    await local.dispatch("USER_UPDATE", {"id": "5"})

    assert await wire.event("USER_UPDATE") == {"id": "5"}


async def test_whoever_waits_is_told_in_time_though_something_happens_just_then() -> None:
    bulletin = Bulletin()
    asyncio.get_running_loop().call_later(0.01, bulletin.stir)

    waiting = asyncio.create_task(bulletin.until(lambda: False, 0.01))
    await asyncio.wait({waiting}, timeout=60)

    assert isinstance(waiting.exception(), TimeoutError)


async def test_the_bot_counts_as_connected_with_the_shards_it_runs(local: LocalDiscord, wire: Wire) -> None:
    await wire.ready(shard=(1, 3))
    await local.connected(1, shards=1)

    assert not local.gateway.is_connected
