"""Trouble with Discord's connection: outages, rate limits, errors, restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.playground.discord import LocalDiscord
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import Party, gather
from tests.e2e.records import everything_of, is_registering_noted, journalled
from tests.e2e.table import Table

SHARED = pytest.mark.asyncio(loop_scope="module")
CALLBACK = r"POST /interactions/\d+/.+/callback"


class TestTheGateway:
    @SHARED
    async def test_a_lost_connection_is_resumed_and_commands_sent_meanwhile_are_answered(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        resumed = house.discord.gateway.resumes

        await house.discord.drop_connections(resumable=True)
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert house.discord.gateway.resumes == resumed + 1

    @SHARED
    async def test_the_bot_identifies_again_when_discord_forgot_its_session(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        identified = house.discord.gateway.identifies

        await house.discord.drop_connections(resumable=False)
        await house.discord.until(lambda: house.discord.gateway.is_connected)

        assert house.discord.gateway.identifies == identified + 1
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

    @SHARED
    async def test_unchanged_commands_are_registered_only_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await house.discord.offered("maid check", party.server)
        before = methods_on_commands(house)
        await house.discord.drop_connections(resumable=True)
        await house.discord.connected()
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert methods_on_commands(house) == before


class TestTheApi:
    @SHARED
    async def test_a_rate_limited_answer_is_sent_after_the_wait(self, house: Table, party: Party) -> None:
        await open_play(party)
        house.discord.fail_next(CALLBACK, 429, retry_after=0.2)

        answer = await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert str(answer.interaction.id) in journalled(house.database)

    @SHARED
    @pytest.mark.parametrize("status", [500, 502, 503])
    async def test_a_failed_answer_is_sent_again_without_rolling_again(
        self, house: Table, party: Party, status: int
    ) -> None:
        await open_play(party)
        before = len(everything_of(house.database, party.server.id)["entries"])
        house.discord.fail_next(CALLBACK, status)

        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert len(everything_of(house.database, party.server.id)["entries"]) == before + 1

    @SHARED
    async def test_a_follow_up_message_is_sent_again_after_a_server_error(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(f"/maid-gm call character:{ALICES} first:Dex second:Lck")
        house.discord.fail_next(r"POST /webhooks/\d+/", 503)

        await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")

    @SHARED
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
