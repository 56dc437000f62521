"""The bot itself while its database fails: people get a sentence in time, and it goes on by itself."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from bot.playground.discord import Answer
from bot.store.postgres.patience import USUAL_PATIENCE
from bot.store.transaction import Store, open_store
from tests.e2e.evening import play_evening
from tests.e2e.opening import open_play
from tests.e2e.people import Actor, Party, gather, is_whole, journalled
from tests.e2e.table import Table, open_table
from tests.faults.proxy import Proxy
from tests.faults.spending import DUSK, is_stored, make_mira, spend, spent
from tests.paces import IMPATIENT, QUICK
from tests.store.postgres_server import database_of, restart, url_of
from tests.store.rows import HERE

UNSAVED = "I can't save anything right now, so nothing was changed. Please try again in a minute."
PACE = replace(QUICK, database=IMPATIENT)
MOST_SECONDS = 8 * USUAL_PATIENCE.answer  # for two commands on a busy machine


@pytest.fixture
async def table(tmp_path: Path, url: str, network: Proxy) -> AsyncIterator[Table]:
    """A table whose bot reaches PostgreSQL over the network."""
    async with open_table(tmp_path, database=network.url(database_of(url)), pace=PACE) as laid:
        yield laid


@pytest.fixture
async def party(table: Table) -> Party:
    """A GM and two players with a campaign."""
    party = gather(table.discord)
    await open_play(party)
    return party


async def roll(actor: Actor) -> Answer:
    return await actor.member.slash("roll", expression="2d6", label="all at once")


async def until_served(actor: Actor, line: str, hears: str) -> None:
    """Type a command again and again until the database can be used."""
    is_served = False
    while not is_served:
        answer = await actor.types(line)
        await actor.member.discord.until(partial(is_answered, answer, hears))
        is_served = hears in answer.text


def is_answered(answer: Answer, hears: str) -> bool:
    """Whether an answer says something, or that the database can't be used."""
    return any(one in answer.text for one in (hears, UNSAVED))


async def test_a_frozen_network_is_said_and_the_bot_goes_on(party: Party, network: Proxy) -> None:
    network.freeze()

    began = time.monotonic()
    await party.alice.types("/roll expression:2d6", hears=UNSAVED)
    await party.alice.types("/character sheet", hears=UNSAVED)
    took = time.monotonic() - began
    network.thaw()

    assert took < MOST_SECONDS
    await until_served(party.alice, "/roll expression:2d6", "**Alice** rolls")
    await until_served(party.alice, "/character sheet", "Rooftop running")


async def test_a_restart_of_the_database_loses_no_answer(
    table: Table, party: Party, url: str, postgres: Path
) -> None:
    rolls = [asyncio.create_task(roll(party.everybody[turn % 3])) for turn in range(60)]
    await table.discord.until(lambda: sum(task.done() for task in rolls) >= 10)
    await asyncio.to_thread(restart, postgres)
    answers = await asyncio.gather(*rolls)

    shown = {str(one.interaction.id) for one in answers if one.failed is None and not one.ephemeral}
    assert shown
    assert shown <= journalled(url)
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")


async def test_an_evening_is_played_behind_a_pooler_while_the_database_is_restarted(
    tmp_path: Path, url: str, postgres: Path, behind_pooler: Path
) -> None:
    through = url_of(behind_pooler, database_of(url))
    settings = {"DATABASE__DIRECT_URL": url, "DISCORD__SHARD_COUNT": "1"}

    async with open_table(tmp_path, database=through, settings=settings, pace=PACE) as table:

        async def restarted() -> None:
            await asyncio.to_thread(restart, postgres)
            await asyncio.to_thread(until_it_answers, through)

        await play_evening(gather(table.discord), restarted)

    assert is_whole(url)


def until_it_answers(url: str) -> None:
    """Wait until a database answers."""
    for _ in range(1200):
        with suppress(psycopg.OperationalError), psycopg.connect(url) as link:
            link.execute("SELECT 1")
            return
        time.sleep(0.05)
    raise TimeoutError(url)


async def spend_and_be_killed(url: str, acknowledged: int) -> list[str]:
    """Let a process spend until so many interactions are acknowledged, and return these."""
    process = await create_subprocess_exec(sys.executable, "-m", "tests.faults.spending", url, stdout=PIPE)
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(acknowledged)]
    process.kill()
    lines += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    return [line.decode().strip() for line in lines if line.endswith(b"\n")]


@pytest.mark.parametrize("acknowledged", [1, 50])
async def test_what_a_killed_process_acknowledged_is_there_once(url: str, acknowledged: int) -> None:
    before = await open_store(url, IMPATIENT)
    await before.run(make_mira)
    await before.close()

    names = await spend_and_be_killed(url, acknowledged)

    store = await open_store(url, IMPATIENT)
    assert [name for name in names if not await is_stored(store, name)] == []
    stored = await all_stored(store)
    assert await spent(store) == len(stored)

    for name in stored:  # another process is asked for the same again
        await store.run(partial(spend, interaction=name))
    assert await spent(store) == len(stored)
    await store.close()


async def all_stored(store: Store) -> list[str]:
    """Every interaction that has an entry, but for the one that made Mira."""
    entries = await store.read(lambda reader: list(reader.entries(HERE, DUSK)))
    return [entry.interaction for entry in entries if entry.interaction != "made"]
