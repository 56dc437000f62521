"""Interactions delivered twice, answers that are lost, two presses at once, and presses by strangers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from bot.playground.discord import Answer, read
from bot.playground.discord.payloads import Payload
from tests.databases import on_both_engines
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import Actor, Party, everything_of, gather
from tests.e2e.table import Table

pytestmark = on_both_engines
CALL = f"/maid-gm call character:{ALICES} first:Dex second:Lck"
CALLBACK = r"POST /interactions/\d+/.+/callback"
EXPIRED = {"code": 10062, "message": "Unknown interaction"}


class TestDeliveredTwice:
    """Discord may deliver an interaction again; it still counts once."""

    async def test_a_command_delivered_twice_runs_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        answer = await party.alice.types("/roll expression:2d6")

        await happens_no_more(house, party, answer)

    async def test_a_campaign_command_delivered_twice_makes_one_campaign(
        self, house: Table, party: Party
    ) -> None:
        answer = await party.gwen.types("/campaign create ruleset:Post-magic-maid name:The Manor")

        await happens_no_more(house, party, answer)

    async def test_a_button_press_delivered_twice_rolls_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(CALL)
        answer = await party.alice.presses("Roll Dex + Lck", hears="checks Dex + Lck")

        await happens_no_more(house, party, answer)

    async def test_an_undo_delivered_twice_undoes_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.alice.types(f"/character rename name:{ALICES} to:Nettle the Second")
        answer = await party.alice.types("/undo", hears="undoes")

        await happens_no_more(house, party, answer)

    async def test_a_menu_choice_delivered_twice_counts_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.alice.types("/character create", hears="1 of 6")
        answer = await party.alice.chooses("One attribute with a d20", "Int")

        await happens_no_more(house, party, answer)

    async def test_a_form_delivered_twice_counts_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.alice.types("/character create")
        for page in range(2, 7):
            await party.alice.presses("Next", hears=f"{page} of 6")
        await party.alice.presses("Enter a name")
        answer = await party.alice.writes("Mina", hears="Mina")

        await happens_no_more(house, party, answer)

    async def test_a_ready_made_character_delivered_twice_joins_once(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        answer = await party.alice.types(f"/character create ready:{ALICES} name:Mina", hears="Mina")

        await happens_no_more(house, party, answer)

    async def test_a_completion_delivered_twice_changes_nothing(self, house: Table, party: Party) -> None:
        await open_play(party)
        before = everything_of(house.database, party.server.id)

        first = await party.alice.is_offered("/character use", "name", "net")
        again = await party.alice.is_offered("/character use", "name", "net")

        assert first == again == [ALICES]
        assert everything_of(house.database, party.server.id) == before


class TestAtTheSameMoment:
    async def test_a_button_pressed_twice_acts_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        await party.gwen.types(CALL)
        called = await party.alice.sees("[Roll Dex + Lck]")

        both = await asyncio.gather(
            *(party.alice.member.press(called, "Roll Dex + Lck") for _ in range(2)),
        )

        await one_is_refused(house, both)
        assert len(rolls_of(house, party)) == 1

    async def test_only_one_roll_is_made_when_gm_and_player_press_together(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(CALL)
        called = await party.alice.sees("[Roll Dex + Lck]")

        both = await asyncio.gather(
            *(one.member.press(called, "Roll Dex + Lck") for one in (party.gwen, party.alice))
        )

        await one_is_refused(house, both)
        assert len(rolls_of(house, party)) == 1

    async def test_only_one_of_two_people_gets_the_same_name(self, house: Table, party: Party) -> None:
        await open_play(party)

        both = await asyncio.gather(
            *(
                one.member.slash("character create", ready=ALICES, name="Mina")
                for one in (party.alice, party.bob)
            )
        )

        assert sorted(answer.ephemeral for answer in both) == [False, True]
        assert [row for row in everything_of(house.database, party.server.id)["characters"] if "Mina" in row]

    async def test_two_undo_presses_undo_a_change_once(self, house: Table, party: Party) -> None:
        await open_play(party)
        renamed = await party.alice.types(f"/character rename name:{ALICES} to:Nettle the Second")

        await asyncio.gather(*(party.alice.member.press(renamed, "Undo") for _ in range(2)))

        await party.gwen.types("/character list", hears=ALICES)
        undone = [row for row in everything_of(house.database, party.server.id)["entries"] if "undo" in row]
        assert len(undone) == 1


class TestStrangers:
    async def test_a_button_is_refused_to_the_player_of_another_character(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        await party.gwen.types(CALL)
        before = everything_of(house.database, party.server.id)

        refused = await party.bob.presses("Roll Dex + Lck", hears=f"That button is for {ALICES}.")

        assert refused.ephemeral
        assert everything_of(house.database, party.server.id) == before

    async def test_undoing_anothers_change_needs_the_gm(self, house: Table, party: Party) -> None:
        await open_play(party)
        renamed = await party.alice.types(f"/character rename name:{ALICES} to:Nettle the Second")
        before = everything_of(house.database, party.server.id)

        asked = await party.bob.member.press(renamed, "Undo")
        again = await party.bob.member.press(asked, "Undo it (GM)")

        assert asked.buttons == ["Undo it (GM)"]
        assert again.ephemeral
        assert "Only a GM can press that button." in again.text
        assert everything_of(house.database, party.server.id) == before

    async def test_a_stranger_cannot_change_or_discard_an_unfinished_character(
        self, house: Table, party: Party
    ) -> None:
        await open_play(party)
        page = await party.alice.types("/character create", hears="1 of 6")
        before = everything_of(house.database, party.server.id)

        for button in page.buttons:
            refused = await party.bob.member.press(page, button, unchecked=True)
            assert refused.ephemeral
            assert "was discarded" in refused.text
        chosen = await party.bob.member.select(page, "One attribute with a d20", "Int", unchecked=True)

        assert "was discarded" in chosen.text
        assert everything_of(house.database, party.server.id) == before


def rolls_of(house: Table, party: Party) -> list[tuple[object, ...]]:
    """Return the journal's entries of checks."""
    entries = everything_of(house.database, party.server.id)["entries"]
    return [row for row in entries if "play.check" in row or "play.answer" in row]


async def happens_no_more(house: Table, party: Party, answer: Answer) -> None:
    """Deliver the interaction again and assert that nothing changes."""
    before = everything_of(house.database, party.server.id)
    await house.discord.deliver_again(answer)
    assert everything_of(house.database, party.server.id) == before


async def test_undoing_an_undo_also_undoes_a_later_undo_in_its_way(house: Table, party: Party) -> None:
    await open_play(party)
    award = f"/gm award resource:Blitz Points characters:{ALICES} amount"
    await party.gwen.types(f"{award}:1", hears="3 → 4")
    first = await latest_entry(party)
    await party.gwen.types(f"{award}:2", hears="4 → 6")
    await party.gwen.types("/undo", hears="undoes")
    undo = await latest_entry(party)
    await party.gwen.types(f"{award}:1", hears="4 → 5")
    await party.gwen.types(f"/gm undo entry:{first}")
    await party.gwen.presses("Undo all 2", hears="undoes")

    await party.gwen.types(f"/gm undo entry:{undo}")
    await party.gwen.presses("Undo all", hears="undoes")

    await party.alice.types("/character sheet", hears="Blitz Points 6")


async def latest_entry(party: Party) -> str:
    """Return the number of the journal's newest entry."""
    log = await party.gwen.types("/log")
    return log.text.split("\n")[1].rpartition(" · #")[2]


async def one_is_refused(house: Table, answers: Sequence[Answer]) -> None:
    """Wait until exactly one of the answers says that it has already been done."""
    await house.discord.until(lambda: sum("has already been done" in one.text for one in answers) == 1)


async def types_in_vain(table: Table, actor: Actor, line: str, until: Callable[[], object]) -> None:
    """Type a command whose answer Discord does not take, and wait until something else shows."""
    table.discord.fail_next(CALLBACK, 404, dict(EXPIRED))
    typing = asyncio.create_task(actor.types(line))
    try:
        await table.discord.until(until)
    finally:
        typing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await typing


def seen(actor: Actor, fragment: str) -> list[Payload]:
    """The messages that somebody sees with these words."""
    return [one for one in actor.member.sees() if fragment in read(one)]


def all_over(table: Table, command: str) -> int:
    """How often a command has been answered, and everything after its answer is done."""
    return len([one for one in table.log if one.get("command") == command])


def done(table: Table, server: int) -> int:
    return len(everything_of(table.database, server)["entries"])


async def test_a_public_result_is_posted_in_the_channel_and_can_be_pressed(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    before = done(table, party.server.id)

    table.expect_breach("did not")
    await types_in_vain(
        table, party.alice, "/roll expression:2d6 label:stairs", lambda: seen(party.bob, "stairs")
    )
    await party.alice.presses("Details", hears="Journal entry")
    later = await party.alice.types("/fair")

    assert len(seen(party.bob, "stairs")) == 1
    assert done(table, party.server.id) == before + 1
    assert later.followups == []


async def test_a_result_that_could_not_be_posted_is_told_to_its_person_after_a_restart(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    await table.discord.until(lambda: all_over(table, "/character create") == 2)
    before = done(table, party.server.id)
    table.expect_breach("did not")
    table.discord.fail_next(r"POST /channels/\d+/messages", 403)
    await types_in_vain(
        table,
        party.alice,
        "/roll expression:2d6 label:stairs",
        lambda: [one for one in table.log if one["event"] == "result not posted"],
    )
    await table.restart()

    others = await party.bob.types("/fair")
    told = await party.alice.types("/fair", hears=["Your roll at <t:", "was saved", "stairs"])
    again = await party.alice.types("/fair")

    assert [one["flags"] & 64 for one in told.followups] == [64]
    assert others.followups == again.followups == []
    assert done(table, party.server.id) == before + 1


async def test_a_secret_result_is_told_to_the_gm_alone(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    table.expect_breach("did not")
    await types_in_vain(
        table,
        party.gwen,
        "/roll expression:2d6 label:kanarie secret:True",
        lambda: [one for one in table.log if one["event"] == "result not told"],
    )

    await party.gwen.types("/fair", hears=["Your roll at <t:", "kanarie"])

    assert seen(party.alice, "kanarie") == []


async def test_a_pressed_result_shows_in_its_message(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    await party.gwen.types("/maid-gm call character:Nettle Quickwater first:Dex second:Lck")
    table.expect_breach("did not")
    table.discord.fail_next(CALLBACK, 404, dict(EXPIRED))
    pressing = asyncio.create_task(party.alice.presses("Roll Dex + Lck"))

    await table.discord.until(lambda: seen(party.bob, "checks Dex + Lck"))
    pressing.cancel()
    later = await party.alice.types("/fair")

    assert len(seen(party.bob, "checks Dex + Lck")) == 1
    assert later.followups == []
