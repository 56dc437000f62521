"""Trouble on the way to Discord and back: outages, rate limits, errors, restarts."""

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
    async def test_a_lost_connection_is_resumed_and_what_was_typed_meanwhile_is_answered(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        resumed = house.discord.gateway.resumes

        await house.discord.drop_connections(resumable=True)
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert house.discord.gateway.resumes == resumed + 1

    @SHARED
    async def test_a_session_that_discord_forgot_is_begun_anew(self, house: Table, party: Party) -> None:
        await open_play(party)
        identified = house.discord.gateway.identifies

        await house.discord.drop_connections(resumable=False)
        await house.discord.until(lambda: house.discord.gateway.is_connected)

        assert house.discord.gateway.identifies == identified + 1
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

    @SHARED
    async def test_commands_that_have_not_changed_are_registered_once(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await house.discord.drop_connections(resumable=True)
        await house.discord.connected()

        assert methods_on_commands(house).count("PUT") == 1


class TestTheApi:
    @SHARED
    async def test_an_answer_told_to_wait_comes_after_the_wait(self, house: Table, party: Party) -> None:
        await open_play(party)
        house.discord.fail_next(CALLBACK, 429, retry_after=0.2)

        answer = await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert str(answer.interaction.id) in journalled(house.database)

    @SHARED
    @pytest.mark.parametrize("status", [500, 502, 503])
    async def test_an_answer_that_failed_is_given_again_and_the_dice_fall_once(
        self, house: Table, party: Party, status: int
    ) -> None:
        await open_play(party)
        before = len(everything_of(house.database, party.server.id)["entries"])
        house.discord.fail_next(CALLBACK, status)

        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert len(everything_of(house.database, party.server.id)["entries"]) == before + 1

    @SHARED
    async def test_what_follows_an_answer_comes_in_spite_of_an_error(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(f"/maid call character:{ALICES} first:Dex second:Lck")
        house.discord.fail_next(r"POST /webhooks/\d+/", 503)

        await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")

    @SHARED
    async def test_an_answer_that_discord_refuses_is_followed_by_the_truth(
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
    async def test_the_bot_starts_although_discord_is_in_trouble(self, tmp_path: Path, status: int) -> None:
        async with LocalDiscord() as discord:
            table = Table(discord, tmp_path)
            discord.fail_next(r"GET /(users/@me|gateway/bot)", status, retry_after=0.1)

            await table.start()

            assert await table.stop() == 0
            table.assert_clean()


class TestRestarts:
    async def test_everything_is_there_again_and_old_buttons_work(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        await party.gwen.types(f"/maid call character:{ALICES} first:Dex second:Lck")
        renamed = await party.bob.types("/character rename name:Bram Ostergard to:Bram the Elder")

        await table.restart()

        await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")
        await party.bob.member.press(renamed, "Undo")
        await party.gwen.types("/character list", hears=[ALICES, "Bram Ostergard"])

    async def test_a_form_that_was_open_is_taken_and_a_menu_goes_on(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        await party.alice.types("/character create", hears="1 of 6")
        await party.alice.chooses("One attribute with a d20", "Int", hears="d12")
        for page in range(2, 7):
            await party.alice.presses("Next", hears=f"{page} of 6")
        await party.alice.presses("Enter a name")

        await table.restart()

        await party.alice.writes("Mina", hears="Mina")
        await party.alice.presses("Back", hears="5 of 6")
        await party.alice.types("/character create", hears="5 of 6")

    async def test_what_is_under_way_is_finished_before_the_bot_ends(self, table: Table) -> None:
        party = gather(table.discord)
        await open_play(party)
        table.discord.fail_next(CALLBACK, 429, retry_after=0.5)

        rolling = asyncio.create_task(party.alice.member.slash("roll", expression="2d6"))
        await table.discord.until(lambda: any(one.status == 429 for one in table.discord.requests))
        assert await table.stop() == 0

        answer = await rolling
        assert answer.failed is None
        assert "**Alice** rolls" in answer.text

    async def test_commands_are_not_registered_again(self, table: Table) -> None:
        party = gather(table.discord)
        await table.discord.until(lambda: is_registering_noted(table.database))
        table.discord.requests.clear()

        await table.restart()
        await table.discord.until(lambda: methods_on_commands(table))
        await party.alice.types("/roll expression:2d6", hears="**Alice** rolls")

        assert methods_on_commands(table) == ["GET"]


def methods_on_commands(table: Table) -> list[str]:
    """What was asked of Discord about the registered commands."""
    return [one.method for one in table.discord.requests if one.path.endswith("/commands")]
