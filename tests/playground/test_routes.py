"""The REST routes around channels, members, events and the bot itself."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord import LocalDiscord, Member, Permission, Server
from bot.playground.discord.rest import RateLimits
from tests.playground.wire import Wire, problem

TEA = {
    "name": "Tea",
    "privacy_level": 2,
    "entity_type": 3,
    "entity_metadata": {"location": "The parlour"},
    "scheduled_start_time": "2099-01-01T00:00:00+00:00",
    "scheduled_end_time": "2099-01-01T04:00:00+00:00",
}


def path(server: Server, *parts: object) -> str:
    return "/".join(["/channels", str(server.channels[0].id), "messages", *map(str, parts)])


class TestLogin:
    async def test_the_bot_learns_who_it_is(self, wire: Wire) -> None:
        _, user = await wire.call("GET", "/users/@me")
        _, application = await wire.call("GET", "/oauth2/applications/@me")

        assert (user["id"], user["bot"], application["id"]) == (
            wire.application_id,
            True,
            wire.application_id,
        )

    async def test_a_wrong_token_is_unauthorized(self, local: LocalDiscord, wire: Wire) -> None:
        status, body = await wire.call("GET", "/users/@me", token="wrong")

        assert (status, body) == (401, {"message": "401: Unauthorized", "code": 0})
        assert local.breaches == ["GET /users/@me: it called without its token"]

    async def test_the_gateway_is_named(self, local: LocalDiscord, wire: Wire) -> None:
        _, plain = await wire.call("GET", "/gateway")
        _, found = await wire.call("GET", "/gateway/bot")

        assert (plain["url"], found["url"], found["shards"]) == (local.gateway_url, local.gateway_url, 1)
        assert found["session_start_limit"]["remaining"] == 1000

    async def test_json_is_typed_exactly_as_the_client_expects(self, wire: Wire) -> None:
        await wire.call("GET", "/users/@me")

        assert wire.headers["Content-Type"] == "application/json"

    async def test_an_unserved_route_is_a_breach(self, local: LocalDiscord, wire: Wire) -> None:
        status, _ = await wire.call("GET", "/stage-instances")

        assert status == 404
        assert local.breaches == [
            "GET /stage-instances: the local Discord does not serve GET /stage-instances"
        ]

    async def test_requests_are_recorded(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.call("GET", "/gateway")
        (request,) = local.requests

        assert (request.method, request.path, request.body, request.status) == ("GET", "/gateway", None, 200)


class TestChannelMessages:
    async def test_messages_are_sent_fetched_listed_edited_and_deleted(
        self, server: Server, wire: Wire
    ) -> None:
        _, first = await wire.call("POST", path(server), {"content": "One"})
        _, second = await wire.call("POST", path(server), {"content": "Two"})
        _, fetched = await wire.call("GET", path(server, first["id"]))
        _, edited = await wire.call("PATCH", path(server, first["id"]), {"content": "Three"})
        _, listed = await wire.call("GET", path(server) + "?limit=1")
        _, older = await wire.call("GET", path(server) + f"?before={second['id']}")
        status, _ = await wire.call("DELETE", path(server, first["id"]))

        assert (fetched["content"], edited["content"]) == ("One", "Three")
        assert edited["edited_timestamp"] is not None
        assert [message["id"] for message in listed] == [second["id"]]
        assert [message["id"] for message in older] == [first["id"]]
        assert status == 204
        assert [message["content"] for message in server.owner.sees()] == ["Two"]

    async def test_somebody_elses_message_cannot_be_edited(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        said = server.owner.say("Mine")
        status, body = await wire.call("PATCH", path(server, said["id"]), {"content": "Yours"})

        assert (status, body["code"]) == (403, 50005)
        assert local.breaches[0].endswith("it edited somebody else's message")

    async def test_requesting_an_unknown_message_is_a_breach(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        status, body = await wire.call("PATCH", path(server, 5), {"content": "x"})

        assert (status, body["code"], len(local.breaches)) == (404, 10008, 1)

    async def test_requesting_a_deleted_message_is_no_breach(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        _, sent = await wire.call("POST", path(server), {"content": "x"})
        posted = local.posted(server.channels[0].id, int(sent["id"]))
        assert posted is not None
        local.messages.delete(posted)
        status, body = await wire.call("PATCH", path(server, sent["id"]), {"content": "y"})

        assert (status, body["code"], local.breaches) == (404, 10008, [])

    async def test_an_unknown_channel_is_not_found(self, wire: Wire) -> None:
        status, body = await wire.call("POST", "/channels/5/messages", {"content": "x"})

        assert (status, body["code"]) == (404, 10003)

    async def test_an_invalid_id_is_refused(self, wire: Wire) -> None:
        status, body = await wire.call("GET", "/channels/main")

        assert (status, body["code"]) == (400, 50035)

    @pytest.mark.parametrize(
        ("denied", "code"),
        [(Permission.SEND_MESSAGES, 50013), (Permission.VIEW_CHANNEL, 50001)],
    )
    async def test_the_bot_needs_permission_to_send(
        self, local: LocalDiscord, server: Server, wire: Wire, denied: Permission, code: int
    ) -> None:
        server.channels[0].deny(local.application.user_id, denied)
        status, body = await wire.call("POST", path(server), {"content": "x"})

        assert (status, body["code"], len(local.breaches)) == (403, code, 1)

    async def test_the_bot_needs_permission_to_attach(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        server.channels[0].deny(server.bot_role, Permission.ATTACH_FILES)
        status, body = await wire.call("POST", path(server), {"content": "x"}, files=(b"x",))

        assert (status, body["code"]) == (403, 50013)

    async def test_embeds_vanish_without_the_permission(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        server.channels[0].deny(local.application.user_id, Permission.EMBED_LINKS)
        _, sent = await wire.call("POST", path(server), {"content": "x", "embeds": [{"title": "t"}]})

        assert sent["embeds"] == []

    async def test_the_bot_deletes_others_messages_only_with_permission(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        said = server.owner.say("Mine")
        server.channels[0].deny(local.application.user_id, Permission.MANAGE_MESSAGES)
        refused, _ = await wire.call("DELETE", path(server, said["id"]))

        assert refused == 403

    async def test_threads_are_written_to_like_channels(self, server: Server, wire: Wire) -> None:
        thread = server.add_channel("scene", "thread", parent=server.channels[0])
        await wire.call("POST", f"/channels/{thread.id}/messages", {"content": "x"})
        _, fetched = await wire.call("GET", f"/channels/{thread.id}")

        assert (fetched["type"], fetched["parent_id"]) == (11, str(server.channels[0].id))
        assert len(server.owner.sees(thread)) == 1

    async def test_a_reply_names_what_it_answers(self, server: Server, wire: Wire) -> None:
        said = server.owner.say("Question")
        _, sent = await wire.call(
            "POST", path(server), {"content": "Answer", "message_reference": {"message_id": said["id"]}}
        )
        missing, _ = await wire.call(
            "POST", path(server), {"content": "x", "message_reference": {"message_id": "5"}}
        )

        assert (sent["referenced_message"]["content"], missing) == ("Question", 400)

    async def test_a_removed_channel_takes_its_messages_along(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        kitchen = server.add_channel("kitchen")
        _, sent = await wire.call("POST", f"/channels/{kitchen.id}/messages", {"content": "x"})
        server.remove_channel(kitchen)
        status, body = await wire.call("GET", f"/channels/{kitchen.id}/messages/{sent['id']}")

        assert (status, body["code"]) == (404, 10003)

    async def test_an_ephemeral_message_is_not_reached_through_its_channel(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        channel = server.channels[0]
        posted = local.messages.post(channel, {"content": "x"}, [], flags=64, visible_to=server.owner.id)
        status, _ = await wire.call("PATCH", path(server, posted.id), {"content": "y"})
        _, listed = await wire.call("GET", path(server))

        assert (status, listed) == (404, [])

    async def test_a_direct_message_is_seen_by_its_addressee(
        self, local: LocalDiscord, alice: Member, wire: Wire
    ) -> None:
        _, channel = await wire.call("POST", "/users/@me/channels", {"recipient_id": str(alice.id)})
        await wire.call("POST", f"/channels/{channel['id']}/messages", {"content": "Psst"})

        assert [message["content"] for message in alice.sees(local.direct_channel(alice))] == ["Psst"]


class TestServers:
    async def test_a_server_its_channels_and_roles_are_fetched(self, server: Server, wire: Wire) -> None:
        role = server.add_role("Cook")
        _, fetched = await wire.call("GET", f"/guilds/{server.id}")
        _, channels = await wire.call("GET", f"/guilds/{server.id}/channels")
        _, roles = await wire.call("GET", f"/guilds/{server.id}/roles")

        assert (fetched["name"], fetched["owner_id"]) == ("Table", str(server.owner.id))
        assert [channel["name"] for channel in channels] == ["table"]
        assert str(role.id) in [entry["id"] for entry in roles]

    async def test_a_server_the_bot_is_not_in_is_unknown(self, wire: Wire) -> None:
        status, body = await wire.call("GET", "/guilds/5")

        assert (status, body["code"]) == (404, 10004)

    async def test_members_and_users_are_fetched(self, server: Server, alice: Member, wire: Wire) -> None:
        _, member = await wire.call("GET", f"/guilds/{server.id}/members/{alice.id}")
        _, user = await wire.call("GET", f"/users/{alice.id}")
        _, itself = await wire.call("GET", f"/guilds/{server.id}/members/{wire.application_id}")
        missing, body = await wire.call("GET", f"/guilds/{server.id}/members/5")

        assert (member["user"]["id"], user["username"]) == (str(alice.id), "alice")
        assert itself["roles"] == [str(server.bot_role.id)]
        assert (missing, body["code"]) == (404, 10007)

    async def test_scheduled_events_are_listed_until_they_end(self, server: Server, wire: Wire) -> None:
        event = server.schedule_event("Tea")
        where = f"/guilds/{server.id}/scheduled-events"
        _, listed = await wire.call("GET", where)
        _, fetched = await wire.call("GET", f"{where}/{event.id}")
        server.cancel_event(event)
        _, after = await wire.call("GET", where)
        gone, body = await wire.call("GET", f"{where}/{event.id}")

        assert listed == [fetched]
        assert (fetched["name"], fetched["status"], fetched["entity_type"]) == ("Tea", 1, 3)
        assert (after, gone, body["code"]) == ([], 404, 10070)

    async def test_application_emoji_are_made_and_used(self, server: Server, wire: Wire) -> None:
        where = f"/applications/{wire.application_id}/emojis"
        _, made = await wire.call("POST", where, {"name": "mop", "image": "data:image/png;base64,AAAA"})
        _, listed = await wire.call("GET", where)
        button = {"type": 2, "style": 1, "custom_id": "a", "emoji": {"id": made["id"], "name": "mop"}}
        status, _ = await wire.call(
            "POST", path(server), {"components": [{"type": 1, "components": [button]}]}
        )

        assert ([emoji["name"] for emoji in listed["items"]], status) == (["mop"], 200)


class TestCalendar:
    async def test_the_bot_makes_begins_and_ends_an_event(self, server: Server, wire: Wire) -> None:
        parlour = server.add_channel("parlour", "voice")
        where = f"/guilds/{server.id}/scheduled-events"
        asked = {**TEA, "entity_type": 2, "channel_id": str(parlour.id), "entity_metadata": None}
        _, made = await wire.call("POST", where, asked)
        _, begun = await wire.call("PATCH", f"{where}/{made['id']}", {"status": 2, "name": "High tea"})
        _, ended = await wire.call("PATCH", f"{where}/{made['id']}", {"status": 3})
        _, second = await wire.call("POST", where, TEA)
        status, _ = await wire.call("DELETE", f"{where}/{second['id']}")

        assert (made["status"], begun["status"], begun["name"], ended["status"]) == (1, 2, "High tea", 3)
        assert (status, [event.name for event in server.events]) == (204, ["High tea"])

    @pytest.mark.parametrize(
        ("changes", "path_of_problem", "code"),
        [
            ({"name": ""}, ("name",), "BASE_TYPE_REQUIRED"),
            ({"privacy_level": 1}, ("privacy_level",), "BASE_TYPE_CHOICES"),
            ({"entity_type": 9}, ("entity_type",), "BASE_TYPE_CHOICES"),
            ({"entity_type": 2}, ("channel_id",), "BASE_TYPE_REQUIRED"),
            ({"scheduled_end_time": None}, ("scheduled_end_time",), "BASE_TYPE_REQUIRED"),
            ({"scheduled_start_time": None}, ("scheduled_start_time",), "BASE_TYPE_REQUIRED"),
            ({"scheduled_start_time": "soon"}, ("scheduled_start_time",), "DATE_TIME_TYPE_PARSE"),
            (
                {"scheduled_start_time": "2020-01-01T00:00:00+00:00"},
                ("scheduled_start_time",),
                "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
            ),
        ],
    )
    async def test_a_bad_event_is_refused(
        self, server: Server, wire: Wire, changes: dict[str, Any], path_of_problem: tuple[str, ...], code: str
    ) -> None:
        status, body = await wire.call("POST", f"/guilds/{server.id}/scheduled-events", {**TEA, **changes})

        assert (status, problem(body, *path_of_problem)) == (400, code)

    async def test_an_event_cannot_end_before_it_began(self, server: Server, wire: Wire) -> None:
        event = server.schedule_event("Tea")
        where = f"/guilds/{server.id}/scheduled-events/{event.id}"
        status, body = await wire.call("PATCH", where, {"status": 3})

        assert (status, problem(body, "status")) == (400, "BASE_TYPE_CHOICES")

    async def test_the_bot_needs_permission_for_the_calendar(self, server: Server, wire: Wire) -> None:
        server.bot_role.permissions = Permission(0)
        status, body = await wire.call("POST", f"/guilds/{server.id}/scheduled-events", TEA)

        assert (status, body["code"]) == (403, 50013)


class TestFaults:
    async def test_an_injected_failure_happens_once(self, local: LocalDiscord, wire: Wire) -> None:
        local.fail_next("GET /gateway$", 503)
        failed, body = await wire.call("GET", "/gateway")
        fine, _ = await wire.call("GET", "/gateway")

        assert (failed, body["code"], fine, local.breaches) == (503, 0, 200, [])

    async def test_an_injected_429_says_how_long_to_wait(self, local: LocalDiscord, wire: Wire) -> None:
        local.fail_next("/gateway", 429, retry_after=0.25, times=2)
        status, body = await wire.call("GET", "/gateway")

        assert (status, body["retry_after"], body["global"]) == (429, 0.25, False)
        assert (wire.headers["Retry-After"], "Via" in wire.headers) == ("0.25", True)

    async def test_an_injected_body_is_sent_as_it_is(self, local: LocalDiscord, wire: Wire) -> None:
        local.fail_next("/gateway", 400, {"code": 30046, "message": "Too many edits"})

        assert await wire.call("GET", "/gateway") == (400, {"code": 30046, "message": "Too many edits"})


class TestRates:
    async def test_the_sixth_message_in_five_seconds_must_wait(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        headers: list[dict[str, Any]] = []
        for number in range(5):
            await wire.call("POST", path(server), {"content": str(number)})
            headers.append(wire.headers)
        status, body = await wire.call("POST", path(server), {"content": "6"})

        assert [header["X-RateLimit-Remaining"] for header in headers] == ["4", "3", "2", "1", "0"]
        assert (status, 0 < body["retry_after"] <= 5) == (429, True)
        assert local.breaches[0].endswith("it called too often")

    def test_all_calls_of_a_window_lapse_at_once(self) -> None:
        """discord.py takes it so: where they lapsed one by one, it called too often on a fast machine."""
        times = iter([0.0, 1.0, 2.0, 3.0, 4.0, 4.9, 5.0, 5.1, 5.2, 5.3, 5.4, 9.9])
        limits = RateLimits(lambda: next(times))

        waits = [limits.count("PATCH", "/channels/1/messages/2").retry_after for _ in range(12)]

        assert [one is None for one in waits] == [*[True] * 5, False, *[True] * 5, False]
        assert waits[5] == pytest.approx(0.1)

    async def test_rates_can_be_switched_off(self) -> None:
        async with LocalDiscord(rate_limits=False) as local, Wire(local) as wire:
            server = local.add_server("Table")
            found = [await wire.call("POST", path(server), {"content": "x"}) for _ in range(8)]

        assert {status for status, _ in found} == {200}


async def test_a_crash_of_the_local_discord_is_reported(
    local: LocalDiscord, server: Server, wire: Wire
) -> None:
    status, _ = await wire.call("POST", path(server), {"embeds": "not a list"})

    assert status == 500
    assert local.breaches[0].startswith("the local Discord stumbled over POST /channels/")
