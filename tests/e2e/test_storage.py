"""What happens when the database cannot be written, holds nonsense, or the process ends."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from bot.playground.discord import Answer
from tests.databases import on_both_engines
from tests.e2e.opening import ALICES, open_other, open_play
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


def rewrite(table: Table, what: str, column: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the JSON of every row of a table directly in the database."""
    with closing(sqlite3.connect(table.database_file)) as connection, connection:
        for (text,) in connection.execute(f"SELECT {column} FROM {what}").fetchall():
            document = json.loads(text)
            change(document)
            connection.execute(
                f"UPDATE {what} SET {column} = ? WHERE {column} = ?", (json.dumps(document), text)
            )


async def test_f_rel_04_a_stored_fight_with_an_impossible_turn_continues(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    await open_other(party, "Post-magic-maid")
    await gwen.types("/encounter start others:Nettle Quickwater, Bram Ostergard", hears="Bram Ostergard")
    begun = await gwen.types("/encounter next", hears="goes first")
    first = next(
        name for name in ("Nettle Quickwater", "Bram Ostergard") if f"{name} goes first" in begun.text
    )
    await table.stop()
    rewrite(table, "documents", "body", lambda fight: fight.update(turn=9) if "combatants" in fight else None)
    await table.start()

    await gwen.types("/encounter status", hears="Round 1")
    await gwen.types("/encounter next", hears=[f"**{first} acts**", "Round 2 starts."])
    await alice.types("/maid check first:Int second:Dex", hears=ALICES)


async def test_f_rel_03_an_unknown_trait_on_an_old_sheet_has_no_effect(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, _bob = party.everybody
    await open_other(party, "Project Swim Class")
    await table.stop()
    nonsense = [{"key": "nonsense", "degree": 1, "penalty": None}]
    rewrite(table, "characters", "sheet", lambda sheet: sheet.update(traits=nonsense))
    await table.start()

    await alice.types("/character sheet", hears="Sable Thornwick")
    await alice.types("/swim roll skill:Stealth difficulty:2", hears="Sable Thornwick")
    await gwen.types(
        "/gm set field character:Sable Thornwick field:kind value:Winged Folk", hears="Winged folk"
    )


async def test_f_rel_04_an_unreadable_sheet_is_reported_with_a_way_out(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    await open_other(party, "Sword & Swarm")
    await table.stop()
    rewrite(table, "characters", "sheet", lambda sheet: sheet.update(level="high"))
    await table.start()
    table.expect_trace("stored document unsound")

    said = ["sheet is stored in a form I can't read.", "/undo"]
    await alice.types("/character sheet", hears=said)
    await bob.types("/swarm test attribute:Key", hears=said)
    await gwen.types("/roll expression:2d6", hears="2d6")
