"""Countdowns: the board updates, two press at once, strangers are refused, nothing leaks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from bot.playground.discord import read
from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import Party, everything_of, gather
from tests.e2e.sweeping import everything_in, messages
from tests.e2e.table import Table, open_table

EVIDENCE = "/gm countdown create name:Evidence Planted kind:success difficulty:4 players:True"


def boards(house: Table, party: Party) -> list[Payload]:
    """Return every countdown board in the party's first channel."""
    channel = party.server.channels[0]
    found = [posted.payload for posted in house.discord.messages.in_channel(channel)]
    return [message for message in found if _has_door(message)]


def _has_door(message: Payload) -> bool:
    """Whether a message has the button to what a countdown board offers its GM."""
    components = walk_components(message.get("components"))
    return any(str(one.get("custom_id", "")).startswith("counts:") for one in components)


async def board_says(house: Table, party: Party, *fragments: str, lacks: str = "|") -> Payload:
    """Wait until the only board has all *fragments* and no longer *lacks*, and return it."""

    def says() -> bool:
        texts = [read(board) for board in boards(house, party)]
        return any(all(one in text for one in fragments) and lacks not in text for text in texts)

    try:
        await house.discord.until(says)
    except TimeoutError:
        shown = [read(board) for board in boards(house, party)]
        raise AssertionError(f"{fragments} not in {shown}{party.transcript.end}") from None
    (board,) = boards(house, party)
    return board


def played_with(house: Table, party: Party) -> object:
    """Return everything stored except where the board is, which is written after it is posted."""
    return {**everything_of(house.database, party.server.id), "boards": ()}


class TestBoard:
    async def test_the_board_is_posted_with_the_first_countdown_and_updates_itself(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(
            EVIDENCE, hears=["starts a countdown\\: Evidence Planted", "0 of 4 ◻◻◻◻", "moderate"]
        )
        first = await board_says(house, party, "**Evidence Planted**", "◻◻◻◻ 0 of 4")

        await party.alice.presses(
            "+ Evidence Planted", hears=[f"**{ALICES}** advances Evidence Planted", "0 → 1 of 4 ◼◻◻◻"]
        )
        later = await board_says(house, party, "◼◻◻◻ 1 of 4")
        await party.alice.types("/undo", hears="undoes")
        await board_says(house, party, "◻◻◻◻ 0 of 4")

        assert later["id"] == first["id"]

    async def test_each_countdown_has_a_clock_picture_with_a_description(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE)
        await party.gwen.types("/gm countdown create name:Doom kind:failure difficulty:2 visibility:known")
        board = await board_says(house, party, "**Doom**")

        pictures = [one for one in walk_components(board["components"]) if one["type"] == 11]
        assert [one["description"] for one in pictures] == [
            "Clock for Evidence Planted: 0 of 4 filled",
            "Clock for Doom: progress hidden",
        ]
        assert all(one["media"]["content_type"] == "image/png" for one in pictures)

    async def test_the_same_board_message_is_updated_after_a_restart(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE)
        before = await board_says(house, party, "0 of 4")

        await house.restart()
        await party.bob.presses("+ Evidence Planted", hears="1 of 4")

        assert (await board_says(house, party, "1 of 4"))["id"] == before["id"]

    async def test_a_deleted_board_is_posted_again(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE)
        board = await board_says(house, party, "0 of 4")
        channel = party.server.channels[0]
        house.discord.messages.delete(house.discord.messages.find(channel, int(board["id"])))

        await party.gwen.types("/countdown advance name:Evidence Planted steps:2", hears="0 → 2 of 4")

        assert (await board_says(house, party, "2 of 4"))["id"] != board["id"]

    async def test_the_gm_can_post_the_board_again(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE)
        before = await board_says(house, party, "0 of 4")
        await party.bob.types("/roll expression:1d6")

        await party.gwen.types("/gm countdown board", hears="Board posted")
        await house.discord.until(
            lambda: [one["id"] for one in boards(house, party)] not in ([], [before["id"]])
        )

        (now,) = await gone(house, party, before)
        assert int(now["id"]) > int(before["id"])

    async def test_many_changes_at_once_need_few_edits(self, tmp_path: Path) -> None:
        async with open_table(
            tmp_path, settings={"DISCORD__EDIT_SECONDS": "1.25"}, rate_limits=True
        ) as table:
            party = gather(table.discord)
            await open_play(party)
            await party.gwen.types("/gm countdown create name:Flood kind:success difficulty:12")
            await board_says(table, party, "0 of 12")

            for _ in range(12):
                await party.gwen.types("/countdown advance name:Flood")

            await board_says(table, party, "No countdowns are running.")
            assert "rate limited" not in table.log_text


async def gone(house: Table, party: Party, before: Payload) -> list[Payload]:
    """Wait until one board is gone, and return the others."""
    await house.discord.until(lambda: before["id"] not in [one["id"] for one in boards(house, party)])
    return boards(house, party)


class TestPresses:
    async def test_two_presses_at_once_fill_the_last_step_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE + " consequence:The press prints it.")
        await party.gwen.types("/countdown advance name:Evidence Planted steps:3")
        board = await board_says(house, party, "3 of 4")

        both = await asyncio.gather(
            *(one.member.press(board, "+ Evidence Planted") for one in (party.alice, party.bob))
        )

        assert sorted("is resolved and no longer moves" in answer.text for answer in both) == [False, True]
        assert any(
            "Evidence Planted is resolved. The press prints it." in one.text.replace("\n", " ")
            for one in both
        )

    async def test_a_stranger_cannot_use_the_boards_buttons(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE)
        board = await board_says(house, party, "0 of 4")
        carol = party.server.add_member("Carol")
        before = played_with(house, party)

        refused = await carol.press(board, "+ Evidence Planted")
        for_gm = await carol.press(board, "GM …")

        assert refused.ephemeral
        assert "You have no character here." in refused.text
        assert "Only a GM can see that." in for_gm.text
        assert played_with(house, party) == before

    async def test_f_all_23_players_cannot_move_a_countdown_by_button_or_command_unless_the_gm_lets_them(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        gwen, alice, _bob = party.everybody
        await gwen.types(
            "/gm countdown create name:Alarm kind:failure difficulty:4", hears="starts a countdown\\: Alarm"
        )
        await board_says(house, party, "0 of 4")
        refused = "Only a GM can move Alarm by hand. One of your checks may advance it"

        await alice.presses("+ Alarm", hears=refused)
        await alice.types("/countdown advance name:Alarm", hears=refused)
        await gwen.types("/gm countdown set name:Alarm players:True", hears="changes Alarm")
        await alice.types("/countdown advance name:Alarm", hears=f"**{ALICES}** advances Alarm")
        await alice.types("/countdown advance name:Alarm steps:2", hears="one step at a time")
        await alice.types("/gm countdown set name:Alarm back:1", hears="Only a GM")
        await board_says(house, party, "1 of 4")
        await alice.presses("+ Alarm", hears=f"**{ALICES}** advances Alarm")
        await gwen.types("/gm countdown set name:Alarm players:False", hears="changes Alarm")
        await alice.types("/countdown advance name:Alarm", hears=refused)

    async def test_a_countdown_that_takes_different_skills_asks_for_the_skill(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE + " skills:2")
        await board_says(house, party, "2 different skills")

        for _ in range(3):
            await party.alice.presses("+ Evidence Planted")
            await party.alice.writes("Hacking", hears="advances Evidence Planted")
            await board_says(house, party, "of 4")
        await party.alice.presses("+ Evidence Planted")
        refused = await party.alice.writes("hacking", hears="needs 2 different skills; use another one.")

        assert refused.ephemeral
        await party.alice.presses("+ Evidence Planted")
        await party.alice.writes("Guile", hears="Evidence Planted is resolved.")

    async def test_a_check_moves_a_linked_countdown(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(EVIDENCE + " check:check")
        await party.gwen.types("/gm countdown create name:Alarm kind:failure difficulty:4 check:check")

        checked = await party.alice.types("/maid check first:Dex second:Lck needed:10")

        moved = "Alarm" if "Alarm 0 → 1 of 4" in checked.text else "Evidence Planted"
        assert f"{moved} 0 → 1 of 4 ◼◻◻◻" in checked.text
        await board_says(house, party, "1 of 4", "0 of 4")

    async def test_the_gm_can_move_a_countdown_in_both_directions(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types("/gm countdown create name:Revolt kind:tug-of-war difficulty:6 note:It fails.")
        await board_says(house, party, "◼◼◼│◻◻◻ 3 of 6")

        seen = await party.gwen.presses("GM …", hears=["GM view", "It fails."])
        await party.gwen.presses("− 1", hears="2 of 6")

        assert seen.ephemeral
        await board_says(house, party, "◼◼◻│◻◻◻ 2 of 6")

    async def test_the_gm_moves_a_countdown_back_or_links_it_by_command(self, party: Party) -> None:
        await open_play(party)
        gwen = party.gwen
        await gwen.types("/gm countdown create name:Alarm kind:failure difficulty:4")
        await gwen.types("/countdown advance name:Alarm steps:2", hears="0 → 2 of 4")

        await gwen.types("/gm countdown set name:Alarm back:1", hears="2 → 1 of 4")
        await gwen.types("/gm countdown set name:Alarm link:check", hears="Alarm")
        await gwen.types("/gm countdown set name:Alarm unlink:check", hears="Alarm")
        await gwen.types("/gm countdown set name:Alarm back:1 to:Alert", hears="a change of its own")

        await gwen.types("/countdown show name:Alarm", hears="1 of 4")


class TestSecrets:
    async def test_players_see_a_gm_only_countdown_nowhere(self, house: Table) -> None:
        party = gather(house.discord)
        await open_play(party)
        gwen, alice = party.gwen, party.alice
        await gwen.types(EVIDENCE)
        secret = "name:Zzyzx Betrayal kind:failure difficulty:4"
        made = await gwen.types(f"/gm countdown create {secret} visibility:gm note:zzyzx check:check")
        await gwen.types(
            "/gm countdown create name:Dread kind:success difficulty:5 visibility:known check:check"
        )
        await gwen.types("/session start")
        for _ in range(3):
            await alice.types("/maid check first:Dex second:Lck needed:10")
        moved = await gwen.types("/countdown advance name:Zzyzx Betrayal", hears="of 4")
        dread = await gwen.types("/countdown advance name:Dread")
        await board_says(house, party, "Dread", "known, progress hidden")

        assert (made.ephemeral, moved.ephemeral, dread.ephemeral) == (True, True, True)
        assert await alice.is_offered("/countdown show", "name", "") == ["Evidence Planted", "Dread"]
        assert await alice.is_offered("/maid check", "countdown", "z") == []
        assert await alice.is_offered("/countdown advance", "name", "") == []
        answers = [
            await alice.types("/countdown show"),
            await alice.types("/log"),
            await alice.types("/fair"),
            await alice.types("/session recap"),
            await alice.presses("Download recap"),
        ]
        await alice.types("/log")
        answers.append(await alice.presses("Download journal"))
        await alice.types("/countdown show name:Zzyzx Betrayal", hears="There is no countdown called")
        public = [json.dumps(message, ensure_ascii=False) for message in alice.member.sees()]
        seen = "\n".join([*public, *(everything_in(one) for one in answers)]).replace(
            "Zzyzx Betrayal” here", ""
        )
        assert "zzyzx" not in seen.lower().replace("called “zzyzx betrayal", "")
        assert "of 5" not in seen
        await gwen.types("/countdown show", hears=["Zzyzx Betrayal", "of 5", "visible only to you"])

    async def test_a_check_that_moves_a_hidden_countdown_looks_like_any_other(self, house: Table) -> None:
        looks = []
        for visibility in ("gm", "known"):
            party = gather(house.discord)
            await open_play(party)
            await party.gwen.types(
                "/gm countdown create name:Doom kind:failure difficulty:9 "
                f"visibility:{visibility} check:check"
            )
            await party.gwen.types(
                "/gm countdown create name:Hope kind:success difficulty:9 visibility:gm check:check"
            )
            answer = await party.alice.types("/maid check first:Dex second:Lck needed:10")
            looks.append(("Doom" in answer.text, "Hope" in answer.text, len(messages(answer))))
            # Something else may change by chance; then the reply shows it and offers Undo.
            assert ("Undo" in answer.buttons) == ("→" in answer.text), party.transcript.end

        assert looks == [(False, False, 1)] * 2


class TestSession:
    async def test_the_end_of_a_session_closes_short_countdowns_except_those_the_gm_keeps(
        self, house: Table, party: Party
    ) -> None:
        """F-ALL-20: the reply says only once that a countdown is closed."""
        await open_play(party)
        await party.gwen.types("/session start")
        for name in ("Chase", "Siege"):
            await party.gwen.types(f"/gm countdown create name:{name} kind:success difficulty:4 players:True")
        await party.gwen.types("/gm countdown create name:War kind:failure difficulty:6 term:long")
        await board_says(house, party, "War")

        await party.gwen.types("/session end", hears="Short countdowns that will be closed: Chase, Siege")
        await party.gwen.chooses(
            "Keep countdowns", "Siege", hears="Short countdowns that will be closed: Chase"
        )
        ended = await party.gwen.presses("End the session", hears=r"1 short countdown closed\: Chase")
        assert ended.text.count("Chase") == 1
        await board_says(house, party, "Siege", "War", lacks="Chase")

        await party.gwen.presses("Undo the reset", hears="")
        await board_says(house, party, "Chase", "Siege", "War")
