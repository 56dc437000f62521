"""Fights: the board updates, moves down, survives restarts and deletion, and keeps secrets."""

from __future__ import annotations

import pytest

from bot.playground.discord import read
from tests.e2e.fighting import board_is_last, board_says, boards
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.sweeping import everything_in
from tests.e2e.table import Table

pytestmark = pytest.mark.asyncio(loop_scope="module")

SWARM = "Sword & Swarm"


async def open_fight(house: Table, party: Party) -> tuple[str, str]:
    """Start a fight against three goblins that everybody joins by button; return who acts first."""
    await open_other(party, SWARM)
    await party.gwen.types("/encounter start", hears="starts an encounter")
    await party.alice.presses("Join", hears="joins the encounter")
    await party.bob.presses("Join", hears="joins the encounter")
    await party.gwen.types("/gm encounter add name:Goblin count:3", hears="adds Goblin 1, Goblin 2, Goblin 3")
    await board_says(house, party, "Goblin 3", "[Start round 1]")
    return await names_of(party)


async def names_of(party: Party) -> tuple[str, str]:
    listed = await party.gwen.types("/encounter status")
    lines = [line.split(" · ")[0] for line in listed.text.splitlines()]
    found = [line for line in lines if line and not line.startswith(("#", "-", "Goblin", "**", "Nothing"))]
    return found[0], found[1]


class TestBoard:
    async def test_the_board_is_posted_at_the_start_and_says_whose_turn_it_is(
        self, house: Table, party: Party
    ) -> None:
        first, second = await open_fight(house, party)
        await board_says(house, party, "Before round 1", "Waiting to start", first, "Goblin 3")
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")

        board = await board_says(house, party, "### Round 1", f"▶ **{first}**", second, "[End the turn]")
        assert not board["mentions"]

    async def test_the_board_moves_below_newer_messages(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await party.bob.types("/roll expression:1d6")
        await party.bob.types("/roll expression:1d6")

        await board_is_last(house, party)

    async def test_the_board_closes_when_the_fight_ends(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await board_says(house, party, "Goblin 3")
        await party.gwen.types("/gm encounter end", hears="ends the encounter before the first round")

        await house.discord.until(lambda: not boards(house, party))
        party.gwen.sees("The encounter is over")

    async def test_a_deleted_board_is_posted_again(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        await board_is_last(house, party)
        (board,) = boards(house, party)
        channel = party.server.channels[0]
        house.discord.messages.delete(house.discord.messages.find(channel, int(board["id"])))
        await party.gwen.types("/encounter next", hears=f"**{first} acts**")

        assert (await board_says(house, party, f"▶ **{first}**"))["id"] != board["id"]

    async def test_undoing_the_end_of_a_fight_brings_the_board_back(self, house: Table, party: Party) -> None:
        await open_fight(house, party)
        await party.gwen.types("/gm encounter end", hears="ends the encounter")
        await house.discord.until(lambda: not boards(house, party))
        await party.gwen.types("/undo", hears="undoes")

        await board_says(house, party, "Before round 1", "Goblin 3")

    async def test_the_end_of_the_session_closes_the_board_and_reveals_nobody_hidden(
        self, house: Table, party: Party
    ) -> None:
        await open_fight(house, party)
        await party.gwen.types("/session start")
        await party.gwen.types(
            "/gm encounter add name:Wraith count:2 hidden:True", hears="hides Wraith 1, Wraith 2"
        )
        await party.gwen.types("/session end")
        await party.gwen.presses("End both", hears="Session 1 has ended.")

        await house.discord.until(lambda: not boards(house, party))
        assert "Wraith" not in everything_in(await party.alice.types("/session recap"))
        assert not [read(one) for one in party.alice.member.sees() if "Wraith" in read(one)]

    async def test_a_turn_pings_its_player_if_the_campaign_says_so(self, house: Table, party: Party) -> None:
        first, second = await open_fight(house, party)
        await party.gwen.types("/campaign settings setting:ping_turns value:yes", hears="no → yes")
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")
        board = await board_says(house, party, f"▶ **{first}**", f"<@{party.alice.member.id}>")
        assert [one["id"] for one in board["mentions"]] == [str(party.alice.member.id)]
        await party.alice.presses("End the turn", hears=f"**{second} acts**")

        board = await board_says(house, party, f"▶ **{second}**", f"<@{party.bob.member.id}>")
        assert [one["id"] for one in board["mentions"]] == [str(party.bob.member.id)]


class TestPresses:
    async def test_only_the_acting_player_or_the_gm_can_end_the_turn(
        self, house: Table, party: Party
    ) -> None:
        first, _second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")

        refused = await party.bob.presses("End the turn", hears=f"That button is for {first}.")
        assert refused.ephemeral
        await party.gwen.presses("End the turn", hears="ends the turn")

    async def test_the_gm_can_go_back_a_turn(self, house: Table, party: Party) -> None:
        first, second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")
        await party.alice.presses("End the turn", hears=f"**{second} acts**")
        await board_says(house, party, f"▶ **{second}**")

        await party.gwen.types("/encounter back", hears="undoes")
        await board_says(house, party, f"▶ **{first}**")

    async def test_a_turn_continues_after_a_restart(self, house: Table, party: Party) -> None:
        first, second = await open_fight(house, party)
        await party.alice.presses("Start round 1")
        await board_says(house, party, f"▶ **{first}**")
        await party.alice.presses("End the turn", hears=f"**{second} acts**")
        before = await board_says(house, party, f"▶ **{second}**")
        status = await party.bob.types("/encounter status")
        await board_is_last(house, party)

        await house.restart()

        assert (await party.bob.types("/encounter status")).text == status.text
        await party.bob.presses("End the turn", hears="**Goblin 1 acts**")
        await board_says(house, party, "▶ **Goblin 1**")
        assert read(before)

    async def test_fights_in_two_channels_are_independent(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        attic = party.server.add_channel("attic")
        await party.gwen.types(f"/encounter start others:{first}", where=attic)
        await board_says(house, party, first, lacks="Goblin", where=attic)
        await party.gwen.types("/gm encounter end", where=attic, hears="ends the encounter")

        await board_says(house, party, "Goblin 1", first)


class TestHidden:
    async def test_only_the_gm_learns_of_a_hidden_combatant(self, house: Table, party: Party) -> None:
        first, _second = await open_fight(house, party)
        added = await party.gwen.types("/gm encounter add name:Wraith hidden:True", hears="hides Wraith")
        assert added.ephemeral
        status = await party.gwen.types("/encounter status", hears="Wraith, hidden")
        assert status.ephemeral
        await party.alice.presses("Start round 1", hears=f"**{first} acts**")
        await board_says(house, party, f"▶ **{first}**")

        texts = [
            (await party.alice.types("/encounter status")).text,
            (await party.alice.types("/log")).text,
            *await party.alice.is_offered("/gm encounter reveal", "character"),
            *await party.alice.is_offered("/encounter delay", "after"),
            *await party.alice.is_offered("/encounter leave", "character"),
            *[read(posted) for posted in party.alice.member.sees()],
        ]
        assert not [text for text in texts if "Wraith" in text]
        assert await party.gwen.is_offered("/gm encounter reveal", "character") == ["Wraith"]

        await party.gwen.types("/gm encounter reveal character:Wraith", hears="reveals Wraith")
        await board_says(house, party, "Wraith")
        assert everything_in(await party.alice.types("/encounter status"))
