"""Presses at the same time (F-ALL-05): nobody has to press again, and forms open during a redraw.

Discord takes half a second here to confirm an edit, and people press in that time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.playground.discord import Answer, read
from tests.databases import NewDatabase, on_both_engines
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.table import Table, open_table
from tests.e2e.test_countdowns import board_says
from tests.e2e.test_rpj_making import open_fantasy

pytestmark = on_both_engines

EDIT_SECONDS = 0.5
ASKED = "/gm ask check:check what:Str + Dex difficulty:15"


@pytest.fixture(scope="module")
async def house(
    tmp_path_factory: pytest.TempPathFactory, database: NewDatabase, request: pytest.FixtureRequest
) -> AsyncIterator[Table]:
    """One running bot on a Discord with slow edits."""
    spec: Path | None = request.config.getoption("--discord-spec")
    folder = tmp_path_factory.mktemp("house")
    with database(folder) as url:
        async with open_table(folder, spec=spec, database=url, edit_seconds=EDIT_SECONDS) as laid:
            yield laid


class TestAForm:
    async def test_a_form_opens_while_the_message_is_redrawn_after_your_own_choice(
        self, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_fantasy(party, "structured_magic", "wild_magic")
        await gwen.types("/gm award resource:Character points amount:60 characters:Ilsa Roan", hears="60")
        await alice.types("/rpj improve skill skill:Fire Magic level:3", hears="learns Fire Magic 3")
        await alice.types("/rpj-magic ability make target:Gorm Halvard", hears="builds an ability")

        await alice.chooses("Range", "Within sight · +2", hears="cost 2")
        opened = await alice.presses("Save it …")

        assert opened.modal is not None
        assert opened.modal["title"].startswith("Save it …")
        await alice.writes("Ember")
        await alice.types("/rpj-magic ability list", hears="Ember · cost 2")

    async def test_a_form_opens_while_the_message_is_redrawn_after_another_press(self, party: Party) -> None:
        gwen, alice, bob = party.everybody
        await open_other(party, "RPJ Core")
        await alice.types("/rpj-together flashback words:hid a rope here", hears="proposes a flashback")

        joined, opened = await asyncio.gather(bob.presses("Join"), gwen.presses("Deny"))

        assert opened.modal is not None
        assert "With " in joined.text
        await gwen.writes({"Why not?": "Nobody was here.", "What could they do instead?": ""}, hears="denied")

    async def test_a_form_opens_from_a_result_and_from_the_countdown_board(
        self, house: Table, party: Party
    ) -> None:
        gwen, alice, _bob = party.everybody
        await open_other(party, "RPJ Core")
        await alice.types("/rpj propose skill:Athleticism how:climb the wall", hears="proposes Athleticism")
        under_a_result = await gwen.presses("It fits")
        await gwen.types(
            "/gm countdown create name:Alarm difficulty:4 kind:success once_a_skill:True players:True"
        )
        await board_says(house, party, "**Alarm**")
        on_a_board = await alice.presses("+ Alarm")

        assert under_a_result.modal is not None
        assert on_a_board.modal is not None

    async def test_a_form_of_the_wizard_opens_while_its_page_turns(self, party: Party) -> None:
        _gwen, alice, _bob = party.everybody
        await open_other(party, "Sword & Swarm")
        await alice.types("/character create")

        await alice.presses("Next")
        opened = await alice.presses("Write")

        assert opened.modal is not None


class TestTwoPeople:
    async def test_two_people_who_press_at_once_both_roll(self, party: Party) -> None:
        gwen, alice, bob = party.everybody
        await open_other(party, "Post-magic-maid")
        asked = await gwen.types(ASKED, hears="Still to roll")

        both = await asyncio.gather(alice.presses("Nettle"), bob.presses("Bram"))

        assert [one.failed for one in both] == [None, None]
        await shows(party, asked, "**Nettle Quickwater**", "**Bram Ostergard**")
        assert [one.text for one in both if "ress again" in one.text] == []

    async def test_a_person_who_presses_twice_rolls_once(self, house: Table, party: Party) -> None:
        gwen, alice, _bob = party.everybody
        await open_other(party, "Post-magic-maid")
        asked = await gwen.types(ASKED, hears="Still to roll")

        both = await asyncio.gather(alice.presses("Nettle"), alice.presses("Nettle"))

        await house.discord.until(lambda: sum("That has already been done" in one.text for one in both) == 1)
        await shows(party, asked, "**Nettle Quickwater**", "Still to roll\\: Bram Ostergard")
        log = await gwen.types("/log")
        assert log.text.count("**Nettle Quickwater** checks Str + Dex") == 1


async def shows(party: Party, answer: Answer, *fragments: str) -> None:
    """Wait until an answer's message says all of this."""

    def says() -> bool:
        text = read(answer.message or {})
        return all(one in text for one in fragments)

    await party.gwen.member.discord.until(says)
