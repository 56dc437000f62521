"""The bot itself while its database fails: people get a sentence in time, and it goes on by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import psycopg
import pytest

from bot.playground.discord import Answer
from bot.store.postgres.patience import USUAL_PATIENCE
from tests.e2e.evening import play_evening
from tests.e2e.opening import open_play
from tests.e2e.people import Actor, Party, gather
from tests.e2e.records import is_whole, journalled
from tests.e2e.table import Table, open_table
from tests.faults.proxy import Proxy
from tests.paces import IMPATIENT, QUICK
from tests.store.postgres_server import database_of, restart, url_of

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
