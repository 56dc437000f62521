"""Trouble with Discord's connection: outages, rate limits, errors, restarts; and emojis."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.discord import LocalDiscord, read
from bot.playground.discord.payloads import Payload
from tests.databases import NewDatabase
from tests.e2e.opening import ALICES, open_campaign, open_play
from tests.e2e.people import Actor, Party, everything_of, gather, is_registering_noted, is_whole, journalled
from tests.e2e.table import COMMAND_SECONDS, PATIENCE_SECONDS, BotProcess, Table, open_table
from tests.faults.proxy import proxied
from tests.store.postgres_server import database_of

CALLBACK = r"POST /interactions/\d+/.+/callback"
ALL = 66
CHECK = "/maid check first:Int second:Cha"
DRAWN = r"Int <:tk_d8_[1-8]:\d+>"


class TestTheGateway:
    async def test_a_lost_connection_is_resumed_and_commands_sent_meanwhile_are_answered(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        resumed = house.discord.gateway.resumes

        await house.discord.drop_connections(resumable=True)
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert house.discord.gateway.resumes == resumed + 1

    async def test_the_bot_identifies_again_when_discord_forgot_its_session(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        identified = house.discord.gateway.identifies

        await house.discord.drop_connections(resumable=False)
        await house.discord.until(lambda: house.discord.gateway.is_connected)

        assert house.discord.gateway.identifies == identified + 1
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

    async def test_unchanged_commands_are_registered_only_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await house.discord.offered("maid check", party.server)
        before = methods_on_commands(house)
        await house.discord.drop_connections(resumable=True)
        await house.discord.connected()
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert methods_on_commands(house) == before


class TestTheApi:
    async def test_a_rate_limited_answer_is_sent_after_the_wait(self, house: Table, party: Party) -> None:
        await open_play(party)
        house.discord.fail_next(CALLBACK, 429, retry_after=0.2)

        answer = await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert str(answer.interaction.id) in journalled(house.database)

    @pytest.mark.parametrize("status", [500, 502, 503])
    async def test_a_failed_answer_is_sent_again_without_rolling_again(
        self, house: Table, party: Party, status: int
    ) -> None:
        await open_play(party)
        before = len(everything_of(house.database, party.server.id)["entries"])
        house.discord.fail_next(CALLBACK, status)

        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert len(everything_of(house.database, party.server.id)["entries"]) == before + 1

    async def test_a_follow_up_message_is_sent_again_after_a_server_error(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(f"/maid-gm call character:{ALICES} first:Dex second:Lck")
        house.discord.fail_next(r"POST /webhooks/\d+/", 503)

        await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")

    async def test_a_refused_answer_is_followed_by_one_that_says_it_was_saved(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        house.expect_trace("HTTPException")
        house.discord.fail_next(CALLBACK, 400)

        answer = await party.alice.types("/roll expression:2d6", hears="It was done and saved all the same")

        assert answer.ephemeral
        assert str(answer.interaction.id) in journalled(house.database)


class TestStartingUp:
    @pytest.mark.parametrize("status", [429, 500, 503])
    async def test_the_bot_starts_while_discord_answers_with_errors(
        self, tmp_path: Path, status: int
    ) -> None:
        async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as discord:
            table = Table(discord, tmp_path)
            discord.fail_next(r"GET /(users/@me|gateway/bot)", status, retry_after=0.1)

            await table.start()

            assert await table.stop() == 0
            table.assert_clean()


class TestRestarts:
    async def test_old_buttons_work_after_a_restart(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        await party.gwen.types(f"/maid-gm call character:{ALICES} first:Dex second:Lck")
        renamed = await party.bob.types("/character rename name:Bram Ostergard to:Bram the Elder")

        await table.restart()

        await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")
        await party.bob.member.press(renamed, "Undo")
        await party.gwen.types("/character list", hears=[ALICES, "Bram Ostergard"])

    async def test_an_open_form_and_the_wizard_work_after_a_restart(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        await party.alice.types("/character create", hears="1 of 6")
        for page in range(2, 7):
            await party.alice.presses("Next", hears=f"{page} of 6")
        await party.alice.presses("Enter a name")

        await table.restart()

        await party.alice.writes("Mina", hears="Mina")
        await party.alice.presses("Back", hears="5 of 6")
        await party.alice.types("/character create", hears="5 of 6")

    async def test_a_running_command_is_finished_before_the_bot_stops(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        table.discord.fail_next(CALLBACK, 429, retry_after=0.5)

        rolling = asyncio.create_task(party.alice.member.slash("roll", expression="2d6"))
        await table.discord.until(lambda: any(one.status == 429 for one in table.discord.requests))
        assert await table.stop() == 0

        answer = await rolling
        assert answer.failed is None
        assert "**Alice** rolls" in answer.text

    async def test_a_restart_does_not_register_the_commands_again(self, table: Table) -> None:
        party = gather(table.discord)
        await table.discord.until(lambda: is_registering_noted(table.database))
        table.discord.requests.clear()

        await table.restart()
        await table.discord.until(lambda: methods_on_commands(table))
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert methods_on_commands(table) == ["GET"]


def methods_on_commands(table: Table) -> list[str]:
    """Return the HTTP methods of all requests about the registered commands."""
    return [one.method for one in table.discord.requests if one.path.endswith("/commands")]


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


async def test_f_all_29_results_show_dice_as_emojis_that_are_uploaded_once(tmp_path: Path) -> None:
    async with open_table(tmp_path, settings={"DISCORD__EMOJIS": "true"}) as table:
        party = gather(table.discord)
        await open_play(party)
        first = await checked(table, party.alice, starts=1)
        await table.restart()
        second = await checked(table, party.alice, starts=2)

    assert re.search(DRAWN, first), first
    assert re.search(DRAWN, second), second
    assert len(table.discord.emojis) == ALL


async def checked(table: Table, actor: Actor, starts: int) -> str:
    """Make a check once the emojis are known after so many starts; return the answer."""
    await table.discord.until(lambda: table.log_text.count("emojis ready") == starts)
    return (await actor.types(CHECK, hears="checks Int + Cha")).text
