"""What happens when the database cannot be written for a while, or the process ends in the middle."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from contextlib import closing

from bot.playground.discord import Answer
from tests.e2e.opening import open_play
from tests.e2e.people import Actor, gather
from tests.e2e.records import everything_of, is_whole, journalled
from tests.e2e.table import Table

HONEST = "I can't save anything right now, so nothing was changed. Please try again in a minute."
AT_ONCE = 24


async def test_a_locked_database_is_told_honestly_and_the_bot_goes_on_by_itself(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = everything_of(table.database, party.server.id)

    with closing(sqlite3.connect(table.database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = await party.alice.types("/roll expression:2d6", hears=HONEST)
        other.execute("ROLLBACK")

    assert refused.ephemeral
    assert everything_of(table.database, party.server.id) == before
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


async def test_reading_goes_on_while_nothing_can_be_written(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    with closing(sqlite3.connect(table.database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await party.alice.types("/character sheet", hears="Rooftop running")
        assert await party.alice.is_offered("/character use", "name", "net") == ["Nettle Quickwater"]
        other.execute("ROLLBACK")


async def test_a_disk_without_room_is_told_honestly_and_the_bot_goes_on_by_itself(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = everything_of(table.database, party.server.id)
    written = table.database.with_name("table.db-wal").stat().st_size
    usual = resource.prlimit(table.pid, resource.RLIMIT_FSIZE, (written, resource.RLIM_INFINITY))

    refused = await party.alice.types("/roll expression:2d6", hears=HONEST)
    resource.prlimit(table.pid, resource.RLIMIT_FSIZE, usual)

    assert refused.ephemeral
    assert everything_of(table.database, party.server.id) == before
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")
    assert is_whole(table.database)


async def test_a_disk_that_takes_not_even_the_log_keeps_nobody_from_an_answer(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    usual = resource.prlimit(table.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    await party.alice.types("/roll expression:2d6", hears=HONEST)
    await party.alice.types("/character sheet", hears="Rooftop running")
    resource.prlimit(table.pid, resource.RLIMIT_FSIZE, usual)

    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


async def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_acknowledged(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    rolls = [asyncio.create_task(roll(party.everybody[turn % 3])) for turn in range(AT_ONCE * 4)]
    await table.discord.until(lambda: sum(task.done() for task in rolls) >= AT_ONCE)
    await table.kill()
    table.discord.interactions.lapse()
    answers = await asyncio.gather(*rolls)

    told = {str(answer.interaction.id) for answer in answers if answer.failed is None}
    assert len(told) >= AT_ONCE
    assert told <= journalled(table.database)
    assert is_whole(table.database)
    await table.start()
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


async def test_the_operator_may_end_the_bot_in_the_middle_and_every_answer_still_holds(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    rolls = [asyncio.create_task(roll(party.everybody[turn % 3])) for turn in range(AT_ONCE)]
    await table.discord.until(lambda: any(task.done() for task in rolls))
    assert await table.stop() == 0
    table.discord.interactions.lapse()
    answers = await asyncio.gather(*rolls)

    told = {str(answer.interaction.id) for answer in answers if answer.failed is None}
    untold = {str(answer.interaction.id) for answer in answers if answer.failed is not None}
    kept = journalled(table.database)
    assert told <= kept
    assert not untold & kept
    await table.start()


async def roll(actor: Actor) -> Answer:
    return await actor.member.slash("roll", expression="2d6", label="all at once")
