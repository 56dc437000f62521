"""What is stored about a person, and its removal: F-ALL-28."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, personal_data
from bot.table.characters.personal_data import FORMER, StoredAbout
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal.verify import export_lines, verify
from bot.table.play import play
from bot.table.sessions import endings, meetings, sessions
from bot.table.sessions.meetings import Coming
from tests.databases import on_both_engines
from tests.table.conftest import HOME, Person
from tests.table.toy import TOY
from tests.table.whole import everything

ALICE, WORDS = 200_000_000_000_000_001, "Alyssa Canary"


@pytest.fixture
def alice(ada: Person) -> Person:
    """Alice with an id as Discord gives them, and a name that nothing else has."""
    return replace(ada, id=ALICE, name=WORDS)


@pytest.fixture
async def played(table: Table, gm: Person, alice: Person, bo: Person) -> Table:
    """A campaign in which Alice plays Ada, has begun another, and is a GM."""
    await campaigns.create(table, gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(table, alice.asks(), "Ada")
    await characters.take_ready_made(table, bo.asks(), "Bo")
    await campaigns.set_gm(table, gm.asks(), alice.id, alice.name, is_gm=True)
    await sessions.start(table, alice.asks())
    await play.perform(table, alice.asks(), "check", {})
    await play.perform(table, bo.asks(), "check", {})
    await gm_cases.award(table, alice.asks(), "Luck", -1, ["Bo"])
    return table


def whole_text(table: Table) -> str:
    """Everything in the database, as text."""
    return repr(everything(table))


async def entries(table: Table) -> list[EntryRecord]:
    campaign = (await table.store.read(lambda reader: reader.campaigns(HOME)))[0].id
    return await table.store.read(lambda reader: reader.entries(HOME, campaign, newest_first=False))


async def exported(table: Table, who: Person, tmp_path: Path) -> Path:
    path = tmp_path / "journal.jsonl"
    path.write_text("".join([line async for line in export_lines(table, who.asks())]))
    return path


class TestReading:
    async def test_everything_about_a_person_is_counted(self, played: Table, alice: Person) -> None:
        about = await personal_data.stored_about(played, alice.asks())

        assert about == StoredAbout(names=(WORDS,), characters=("Ada",), entries=4, gm_of=("The Long Road",))

    async def test_somebody_who_did_nothing_here_finds_nothing(
        self, played: Table, neighbour: Person, alice: Person
    ) -> None:
        elsewhere = replace(alice, server=neighbour.server)

        assert (await personal_data.stored_about(played, elsewhere.asks())).is_nothing
        assert json.loads(await personal_data.personal_file(played, elsewhere.asks()))["campaigns"] == []

    async def test_the_file_has_ones_own_sheet_and_dice_and_nobody_elses(
        self, played: Table, alice: Person, bo: Person
    ) -> None:
        file: dict[str, Any] = json.loads(await personal_data.personal_file(played, alice.asks()))

        (campaign,) = file["campaigns"]
        assert (file["person"], file["display_names"]) == (str(ALICE), [WORDS])
        assert [one["name"] for one in campaign["characters"]] == ["Ada"]
        assert [one["kind"] for one in campaign["journal"]] == [
            "character.create",
            "session.start",
            "play.check",
            "gm.award",
        ]
        assert campaign["journal"][2]["rolls"][0]["dice"][0]["sides"] == 6

    async def test_what_only_a_gm_may_read_is_not_in_a_players_file(
        self, played: Table, gm: Person, alice: Person
    ) -> None:
        await gm_cases.make_npc(played, alice.asks(), "Canary Fiend", is_hidden=True)
        await campaigns.set_gm(played, gm.asks(), alice.id, alice.name, is_gm=False)

        file = (await personal_data.personal_file(played, gm.asks())).decode()

        assert "Canary Fiend" not in file

    async def test_a_campaign_of_a_game_that_is_gone_does_not_hide_the_rest(
        self, played: Table, alice: Person
    ) -> None:
        file = json.loads(await personal_data.personal_file(replace(played, games={}), alice.asks()))

        assert [one["name"] for one in file["campaigns"][0]["characters"]] == ["Ada"]
        assert file["campaigns"][0]["journal"] == []


@on_both_engines
class TestRemoval:
    async def test_nothing_names_the_person_any_more(self, played: Table, alice: Person, gm: Person) -> None:
        done = (await entries(played))[-1]
        await journal.undo(played, gm.asks(), done.id, is_sure=True)
        assert f"undoes: {WORDS}" in whole_text(played)

        about = await personal_data.forget(played, alice.asks())

        assert about.characters == ("Ada",)
        left = whole_text(played)
        assert str(ALICE) not in left
        assert WORDS not in left
        assert f"undoes: {FORMER} takes 1 Luck" in left
        assert (await personal_data.stored_about(played, alice.asks())).is_nothing

    async def test_the_character_retires_and_nobody_plays_it(
        self, played: Table, alice: Person, gm: Person
    ) -> None:
        await personal_data.forget(played, alice.asks())

        with pytest.raises(UserError, match="You have no character here"):
            await play.perform(played, alice.asks(), "check", {})
        await characters.take_ready_made(played, alice.asks(), "Ada")

    async def test_others_keep_everything(self, played: Table, alice: Person, bo: Person) -> None:
        before = await personal_data.personal_file(played, bo.asks())
        await personal_data.forget(played, alice.asks())

        assert json.loads(await personal_data.personal_file(played, bo.asks())) == json.loads(before)

    async def test_undo_and_its_undo_go_on_working(
        self, played: Table, alice: Person, gm: Person, bo: Person
    ) -> None:
        await personal_data.forget(played, alice.asks())
        found = {one.kind: one.id for one in await entries(played)}
        found_in = (await entries(played))[0].campaign

        await journal.undo(played, gm.asks(), found["gm.award"], is_sure=True)
        await journal.undo(played, gm.asks(), found["privacy.delete"], is_sure=True)
        again = await journal.undo(played, gm.asks(), found["campaign.gm"], is_sure=True)

        assert isinstance(again, journal.Undone)
        (bos,) = await played.store.read(lambda reader: reader.characters(HOME, found_in, owner=bo.id))
        assert bos.resources["luck"][0] == 2

    async def test_an_export_still_verifies(
        self, played: Table, alice: Person, gm: Person, tmp_path: Path
    ) -> None:
        await endings.end(played, gm.asks())
        await personal_data.forget(played, alice.asks())

        report = verify(await exported(played, gm, tmp_path), {"toy": TOY})

        assert report.faults == []
        assert (report.rolls, report.passed) == (2, 2)

    async def test_two_presses_at_once_remove_once(self, played: Table, alice: Person) -> None:
        done = await asyncio.gather(*(personal_data.forget(played, alice.asks()) for _ in range(3)))

        assert sorted(one.is_nothing for one in done) == [False, True, True]
        assert [one.kind for one in await entries(played)].count("privacy.delete") == 1

    async def test_somebody_without_a_character_leaves_no_trace_either(
        self, played: Table, gm: Person
    ) -> None:
        passer = replace(gm, id=ALICE + 5, name="Walter Canary")
        await play.perform(played, passer.asks(), "omen", {"text": "dark"})

        await personal_data.forget(played, passer.asks())

        assert "Walter Canary" not in whole_text(played)
        assert str(passer.id) not in whole_text(played)

    async def test_a_name_that_a_character_has_too_stays_in_the_story(
        self, table: Table, gm: Person, alice: Person
    ) -> None:
        named = replace(alice, name="Ada")
        await campaigns.create(table, gm.asks(), "toy", "The Long Road")
        await characters.take_ready_made(table, named.asks(), "Ada")
        await play.perform(table, named.asks(), "check", {})

        await personal_data.forget(table, named.asks())

        check = next(one for one in await entries(table) if one.kind == "play.check")
        assert (check.told["who"], check.person_name) == ("Ada", FORMER)
        assert check.person < 1000

    async def test_an_answer_to_a_planned_session_is_told_and_removed(
        self, table: Table, gm: Person, alice: Person
    ) -> None:
        await campaigns.create(table, gm.asks(), "toy", "The Long Road")
        evening = table.now() + 3600
        await meetings.plan(table, gm.asks(), "Friday", evening)
        await meetings.answer(table, alice.asks(), evening, Coming.YES)

        assert (await personal_data.stored_about(table, alice.asks())).answers == 1
        file = json.loads(await personal_data.personal_file(table, alice.asks()))
        assert file["campaigns"][0]["planned_session"]["answer"] == "yes"
        await personal_data.forget(table, alice.asks())

        assert str(ALICE) not in whole_text(table)
        assert WORDS not in whole_text(table)
