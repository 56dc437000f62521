"""Two bots on one PostgreSQL database divide the shards, and do everything once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.discord import LocalDiscord, read
from bot.playground.discord.payloads import Payload
from tests.databases import NewDatabase
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather
from tests.e2e.records import is_whole
from tests.e2e.table import COMMAND_SECONDS, PATIENCE_SECONDS, BotProcess
from tests.faults.proxy import proxied
from tests.store.postgres_server import database_of

SHARDS = 4
FLOOD = "Flood"


class Cluster:
    """Two bots, and a server in each shard.

    Attributes:
        discord: The local Discord.
        bots: The processes.
        parties: The people of a server in each shard, by its number.
    """

    def __init__(self, discord: LocalDiscord, bots: list[BotProcess]) -> None:
        self.discord = discord
        self.bots = bots
        self.parties: dict[int, Party] = {}
        while len(self.parties) < SHARDS:
            party = gather(discord, f"Table {len(discord.servers)}")
            self.parties.setdefault((party.server.id >> 22) % SHARDS, party)

    def held(self, bot: BotProcess) -> list[int]:
        """The shards that a bot holds, as it said last."""
        told: list[list[int]] = [line["shards"] for line in bot.log if line["event"] == "shards held"]
        return told[-1] if told and bot.is_running else []

    async def board_says(self, party: Party, text: str) -> str:
        """Wait until the only countdown board says something, and return its message's id."""

        def boards() -> list[Payload]:
            posted = self.discord.messages.in_channel(party.server.channels[0])
            return [message.payload for message in posted if f"**{FLOOD}**" in read(message.payload)]

        await self.discord.until(lambda: any(text in read(one) for one in boards()))
        (board,) = [one for one in boards() if "[GM …]" in read(one)]
        return str(board["id"])

    async def divided(self) -> None:
        """Wait until each running bot holds its share, and all shards are connected."""
        running = [bot for bot in self.bots if bot.is_running]
        for bot in running:
            await self.holding(bot, SHARDS // len(running))

    async def holding(self, bot: BotProcess, number: int) -> None:
        """Wait until a bot holds so many shards, and all are connected."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.held(bot)) != number:  # noqa: ASYNC110  # a file says it
                await asyncio.sleep(0.1)
        await self.discord.connected(shards=SHARDS)


@pytest.fixture(scope="module")
def engine() -> str:
    """PostgreSQL: only there are shards divided."""
    return "postgres"


@pytest.fixture
async def cluster(tmp_path: Path, database: NewDatabase) -> AsyncIterator[Cluster]:
    """Two running bots that have divided four shards."""
    settings = {"DISCORD__SHARD_COUNT": str(SHARDS), "SESSION__IDLE_HOURS": "0.0005"}
    discord = LocalDiscord(
        deadline_seconds=PATIENCE_SECONDS,
        patience_seconds=PATIENCE_SECONDS,
        command_seconds=COMMAND_SECONDS,
        rate_limits=False,
        max_concurrency=2,
        identify_seconds=0.5,
    )
    with database(tmp_path) as url:
        async with discord:
            folders = [tmp_path / name for name in ("one", "other")]
            for folder in folders:
                folder.mkdir()
            made = Cluster(
                discord, [BotProcess(discord, folder, settings, database=url) for folder in folders]
            )
            try:
                for bot in made.bots:
                    await bot.launch()
                await made.divided()
                yield made
            finally:
                for bot in made.bots:
                    if bot.is_running:
                        await bot.kill()
            assert discord.breaches == []
            assert not any("Traceback" in bot.log_text for bot in made.bots)


async def test_two_bots_divide_the_shards_and_one_takes_over(
    cluster: Cluster,
) -> None:
    one, other = cluster.bots
    assert sorted(cluster.held(one) + cluster.held(other)) == [0, 1, 2, 3]
    for party in cluster.parties.values():
        answer = await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")
        assert answer.interaction.refused_twins == 0
    party, flooded = (cluster.parties[shard] for shard in cluster.held(other))
    await open_campaign(flooded)
    await flooded.gwen.types(f"/gm countdown create name:{FLOOD} kind:success difficulty:9 players:True")
    board = await cluster.board_says(flooded, "0 of 9")
    await open_campaign(party)
    await party.gwen.types("/session start", hears="Session 1 started")

    await other.kill()
    await cluster.divided()

    def recaps() -> int:
        posted = cluster.discord.messages.in_channel(party.server.channels[0])
        return len([message for message in posted if "It ended automatically" in read(message.payload)])

    await cluster.discord.until(lambda: recaps() == 1)
    for each in cluster.parties.values():
        await each.alice.types("/roll expression:2d6", hears="**Alice** rolls")
    assert recaps() == 1
    await flooded.gwen.types(f"/countdown advance name:{FLOOD} steps:2", hears="0 → 2 of 9")
    assert await cluster.board_says(flooded, "2 of 9") == board

    await other.launch()
    await cluster.divided()
    await flooded.gwen.types(f"/countdown advance name:{FLOOD} steps:2", hears="2 → 4 of 9")
    assert await cluster.board_says(flooded, "4 of 9") == board

    assert await one.stop() == 0
    await cluster.divided()
    await flooded.gwen.types(f"/countdown advance name:{FLOOD} steps:2", hears="4 → 6 of 9")
    assert await cluster.board_says(flooded, "6 of 9") == board
    await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")
    assert cluster.discord.gateway.doubles == 0
    assert is_whole(one.database)


async def test_a_bot_whose_network_is_cut_leaves_its_shards_to_the_other(
    cluster: Cluster, postgres: Path
) -> None:
    one, other = cluster.bots
    async with proxied(postgres) as network:
        assert await other.stop() == 0
        other.settings["DATABASE__DIRECT_URL"] = network.url(database_of(other.database))
        await other.launch()
        await cluster.divided()
        network.freeze()
        await cluster.holding(one, SHARDS)

        for party in cluster.parties.values():
            await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")
        await cluster.holding(other, 0)
        assert cluster.discord.gateway.doubles == 0
        network.thaw()
        await cluster.divided()
