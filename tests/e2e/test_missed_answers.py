"""Answers that Discord does not take: what was saved is told, once, and never done twice (F-REL-06)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from bot.playground.discord import read
from bot.playground.discord.payloads import Payload
from tests.databases import on_both_engines
from tests.e2e.opening import open_play
from tests.e2e.people import Actor, everything_of, gather
from tests.e2e.table import Table

pytestmark = on_both_engines
CALLBACK = r"POST /interactions/\d+/.+/callback"
EXPIRED = {"code": 10062, "message": "Unknown interaction"}


async def types_in_vain(table: Table, actor: Actor, line: str, until: Callable[[], object]) -> None:
    """Type a command whose answer Discord does not take, and wait until something else shows."""
    table.discord.fail_next(CALLBACK, 404, dict(EXPIRED))
    typing = asyncio.create_task(actor.types(line))
    try:
        await table.discord.until(until)
    finally:
        typing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await typing


def seen(actor: Actor, fragment: str) -> list[Payload]:
    """The messages that somebody sees with these words."""
    return [one for one in actor.member.sees() if fragment in read(one)]


def all_over(table: Table, command: str) -> int:
    """How often a command has been answered, and everything after its answer is done."""
    return len([one for one in table.log if one.get("command") == command])


def done(table: Table, server: int) -> int:
    return len(everything_of(table.database, server)["entries"])


async def test_a_public_result_is_posted_in_the_channel_and_can_be_pressed(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = done(table, party.server.id)

    table.expect_breach("did not")
    await types_in_vain(
        table, party.alice, "/roll expression:2d6 label:stairs", lambda: seen(party.bob, "stairs")
    )
    await party.alice.presses("Details", hears="Journal entry")
    later = await party.alice.types("/fair")

    assert len(seen(party.bob, "stairs")) == 1
    assert done(table, party.server.id) == before + 1
    assert later.followups == []


async def test_a_result_that_could_not_be_posted_is_told_to_its_person_after_a_restart(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    await table.discord.until(lambda: all_over(table, "/character create") == 2)
    before = done(table, party.server.id)
    table.expect_breach("did not")
    table.discord.fail_next(r"POST /channels/\d+/messages", 403)
    await types_in_vain(
        table,
        party.alice,
        "/roll expression:2d6 label:stairs",
        lambda: [one for one in table.log if one["event"] == "result not posted"],
    )
    await table.restart()

    others = await party.bob.types("/fair")
    told = await party.alice.types("/fair", hears=["Your roll at <t:", "was saved", "stairs"])
    again = await party.alice.types("/fair")

    assert [one["flags"] & 64 for one in told.followups] == [64]
    assert others.followups == again.followups == []
    assert done(table, party.server.id) == before + 1


async def test_a_secret_result_is_told_to_the_gm_alone(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    table.expect_breach("did not")
    await types_in_vain(
        table,
        party.gwen,
        "/roll expression:2d6 label:kanarie secret:True",
        lambda: [one for one in table.log if one["event"] == "result not told"],
    )

    await party.gwen.types("/fair", hears=["Your roll at <t:", "kanarie"])

    assert seen(party.alice, "kanarie") == []


async def test_a_pressed_result_shows_in_its_message(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    await party.gwen.types("/maid-gm call character:Nettle Quickwater first:Dex second:Lck")
    table.expect_breach("did not")
    table.discord.fail_next(CALLBACK, 404, dict(EXPIRED))
    pressing = asyncio.create_task(party.alice.presses("Roll Dex + Lck"))

    await table.discord.until(lambda: seen(party.bob, "checks Dex + Lck"))
    pressing.cancel()
    later = await party.alice.types("/fair")

    assert len(seen(party.bob, "checks Dex + Lck")) == 1
    assert later.followups == []
