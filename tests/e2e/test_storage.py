"""What happens when the database cannot be written, or the process ends in the middle."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from contextlib import closing

from bot.playground.discord import Answer
from tests.databases import on_both_engines
from tests.e2e.opening import open_play
from tests.e2e.people import Actor, everything_of, gather, is_whole, journalled
from tests.e2e.table import Table

HONEST = "I can't save anything right now, so nothing was changed. Please try again in a minute."
AT_ONCE = 24


async def test_a_locked_database_is_reported_and_the_bot_recovers(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = everything_of(table.database, party.server.id)

    with closing(sqlite3.connect(table.database_file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = await party.alice.types("/roll expression:2d6", hears=HONEST)
        other.execute("ROLLBACK")

    assert refused.ephemeral
    assert everything_of(table.database, party.server.id) == before
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


async def test_reading_works_while_the_database_is_locked(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    with closing(sqlite3.connect(table.database_file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await party.alice.types("/character sheet", hears="Rooftop running")
        assert await party.alice.is_offered("/character use", "name", "net") == ["Nettle Quickwater"]
        other.execute("ROLLBACK")


async def test_a_full_disk_is_reported_and_the_bot_recovers(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = everything_of(table.database, party.server.id)
    written = table.database_file.with_name("table.db-wal").stat().st_size
    usual = resource.prlimit(table.pid, resource.RLIMIT_FSIZE, (written, resource.RLIM_INFINITY))

    refused = await party.alice.types("/roll expression:2d6", hears=HONEST)
    resource.prlimit(table.pid, resource.RLIMIT_FSIZE, usual)

    assert refused.ephemeral
    assert everything_of(table.database, party.server.id) == before
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")
    assert is_whole(table.database)


async def test_the_bot_answers_when_the_disk_cannot_take_a_log_line(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    usual = resource.prlimit(table.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    await party.alice.types("/roll expression:2d6", hears=HONEST)
    await party.alice.types("/character sheet", hears="Rooftop running")
    resource.prlimit(table.pid, resource.RLIMIT_FSIZE, usual)

    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


@on_both_engines
async def test_a_bot_killed_while_writing_loses_nothing_it_acknowledged(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    rolls = [asyncio.create_task(roll(party.everybody[turn % 3])) for turn in range(AT_ONCE * 4)]
    await table.discord.until(lambda: sum(task.done() for task in rolls) >= AT_ONCE)
    await table.kill()
    table.expect_breach("it answered /roll after")  # what it had sent may be read once it is gone
    table.discord.interactions.lapse()
    answers = await asyncio.gather(*rolls)

    answered = {str(answer.interaction.id) for answer in answers if answer.failed is None}
    assert len(answered) >= AT_ONCE
    assert answered <= journalled(table.database)
    assert is_whole(table.database)
    await table.start()
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


@on_both_engines
async def test_a_bot_stopped_while_rolling_has_saved_every_answer_it_gave(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)

    rolls = [asyncio.create_task(roll(party.everybody[turn % 3])) for turn in range(AT_ONCE)]
    await table.discord.until(lambda: any(task.done() for task in rolls))
    assert await table.stop() == 0
    table.discord.interactions.lapse()
    answers = await asyncio.gather(*rolls)

    answered = {str(answer.interaction.id) for answer in answers if answer.failed is None}
    unanswered = {str(answer.interaction.id) for answer in answers if answer.failed is not None}
    saved = journalled(table.database)
    assert answered <= saved
    assert not unanswered & saved
    await table.start()


async def roll(actor: Actor) -> Answer:
    return await actor.member.slash("roll", expression="2d6", label="all at once")
