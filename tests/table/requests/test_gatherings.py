"""Shared prompts: the message follows the document, whatever is pressed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind
from bot.store.sqlite import open_store
from bot.table.base.access import ForGmOnly
from bot.table.base.live_rows import MessagePlace, News
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.typed_options import Written
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import countdown_plans, play
from bot.table.play import countdown_plans as boards
from bot.table.play.countdown_plans import Plan
from bot.table.play.play import NOTHING_WRITTEN, FormWanted, Given
from bot.table.requests import gatherings
from bot.table.requests.gatherings import Joined, NoLongerOffered
from tests.databases import prepared_file
from tests.table.asking_toy import ASKING_TOY
from tests.table.conftest import HOME, Clock, Person, Secrets
from tests.table.counting import everything
from tests.table.play.test_play import do, entries


@pytest.fixture
async def table(tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games={"toy": ASKING_TOY}, now=clock, new_secret=Secrets())
    await store.close()


async def press(
    table: Table,
    who: Person,
    raft: Result,
    name: str,
    chosen: str | None = None,
    written: Mapping[str, Written] = NOTHING_WRITTEN,
) -> Joined:
    return await gatherings.join(table, who.asks(), raft.entry, name, Given(chosen, written))


def told(result: Result) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return how often each has pulled, and the notes."""
    assert result.gathering is not None
    view = result.gathering.view
    return {part.who: part.notes[0] for part in view.parts}, view.lines


class TestPressing:
    async def test_a_procedure_opens_a_shared_prompt_and_each_press_is_noted(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        raft = await do(game, ada, "launch")
        assert told(raft) == ({}, ("wind calm",))

        await press(game, bo, raft, "pull")
        pulled = await press(game, ada, raft, "pull")

        assert told(pulled.whole) == ({"Bo": "1 pulls", "Ada": "1 pulls"}, ("wind calm",))
        assert pulled.own is not None  # no part of the message has its moment, so it is told by itself
        assert pulled.own.message.headline == "pulls"

    async def test_a_choice_from_a_shared_prompts_menu_counts(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        raft = await do(game, ada, "launch")

        turned = await press(game, bo, raft, "turn", chosen="west")

        assert told(turned.whole) == ({}, ("wind west",))
        with pytest.raises(UserError, match="can't choose that"):
            await press(game, bo, raft, "turn", chosen="north")

    async def test_a_shared_prompt_shows_its_verdict_once_it_has_ended(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        raft = await do(game, ada, "launch")

        pressed = [await press(game, who, raft, "pull") for who in (ada, bo, ada)]

        views = [one.whole.gathering.view for one in pressed if one.whole.gathering]
        assert [one.verdict and one.verdict.title for one in views] == [None, None, "across"]
        with pytest.raises(NoLongerOffered):
            await press(game, bo, raft, "pull")

    async def test_undoing_one_press_restores_the_message(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        raft = await do(game, ada, "launch")
        await press(game, bo, raft, "pull")
        last = await press(game, ada, raft, "pull")
        assert last.own is not None

        await journal.undo(game, ada.asks(), last.own.entry)

        (whole,) = await gatherings.look_closer(game, gm.asks(), raft.entry)
        assert told(whole)[0] == {"Bo": "1 pulls"}


class TestInPublic:
    async def test_a_shared_prompt_for_others_is_never_secret(self, game: Table, gm: Person) -> None:
        await gms.make_npc(game, gm.asks(), "Shade", is_hidden=True)
        await gms.make_npc(game, gm.asks(), "Crow")
        before = everything(game)

        for who, is_secret in (("Crow", True), ("Shade", False)):
            with pytest.raises(UserError, match="Others have to press"):
                await play.perform(game, gm.asks(), "launch", {}, acting=who, is_secret=is_secret)

        assert everything(game) == before

    async def test_a_countdown_named_for_a_shared_prompt_moves_with_its_rolls(
        self, game: Table, gm: Person, bo: Person
    ) -> None:
        plan = Plan(name="Across", kind=Kind.SUCCESS, difficulty=6)
        await countdown_plans.begin(game, gm.asks(), plan)
        await gms.make_npc(game, gm.asks(), "Crow")
        raft = await play.perform(game, gm.asks(), "launch", {}, acting="Crow", countdown="Across")

        done = await press(game, bo, raft, "shout")

        (moved,) = (await boards.gm_listing(game, gm.asks())).running
        assert moved.value == 1
        assert done.own is not None
        assert [line.what for line in done.own.message.changes] == ["Across"]


class TestForms:
    async def test_a_press_with_a_form_asks_for_the_text_first(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        raft = await do(game, ada, "launch")
        before = everything(game)

        with pytest.raises(FormWanted) as wanted:
            await press(game, gm, raft, "christen")
        assert [blank.prompt for blank in wanted.value.follow_up.blanks] == ["What is it called?"]
        with pytest.raises(ForGmOnly):
            await press(game, ada, raft, "christen")
        assert everything(game) == before

        named = await press(game, gm, raft, "christen", written={"name": " Hope "})

        assert told(named.whole) == ({}, ("wind calm",))
        latest = (await entries(game, gm))[0]
        assert latest.told["headline"] == "christens it Hope"

    async def test_a_follow_up_with_a_form_asks_for_the_text_first(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        built = await do(game, ada, "build")
        button = built.follow_ups[0].id

        with pytest.raises(UserError, match="That button is for Ada"):
            await play.press(game, bo.asks(), button, None, {"name": "Doom"})
        with pytest.raises(FormWanted):
            await play.press(game, ada.asks(), button)
        with pytest.raises(UserError, match="at most 20 characters"):
            await play.press(game, ada.asks(), button, None, {"name": "x" * 21})
        named = await play.press(game, ada.asks(), button, None, {"name": "Hope", "other": "x"})

        assert named.result.message.headline == "christens it Hope"


class TestMessage:
    async def test_a_posted_message_is_updated_until_it_is_gone(self, game: Table, ada: Person) -> None:
        raft = await do(game, ada, "launch")
        place = MessagePlace(HOME, raft.entry)
        unknown = await gatherings.standing(game, place)
        assert unknown is not None
        assert unknown.message is None  # nobody knows yet which message it is

        await gatherings.ROWS.note_shown(game, place, None, 50, 77, "mark")

        standing = await gatherings.standing(game, place)
        assert standing is not None
        assert (standing.channel, standing.message, standing.shown) == (50, 77, "mark")
        assert standing.whole.entry == raft.entry
        (news,) = await gatherings.ROWS.campaigns(game)
        assert await gatherings.ROWS.changed_by(game, news) == [place]
        await gatherings.ROWS.forget(game, place)
        gone = await gatherings.standing(game, place)
        assert gone is not None
        assert (gone.message, gone.shown) == (None, None)
        assert await gatherings.ROWS.campaigns(game) == []

    async def test_the_oldest_of_many_prompts_are_not_updated_but_can_be_pressed(
        self, game: Table, ada: Person
    ) -> None:
        rafts = [await do(game, ada, "launch") for _ in range(12)]

        (news,) = await gatherings.ROWS.campaigns(game)
        followed = {place.entry for place in await gatherings.ROWS.changed_by(game, news)}

        assert followed == {raft.entry for raft in rafts[2:]}
        assert told((await press(game, ada, rafts[0], "pull")).whole)[0] == {"Ada": "1 pulls"}

    async def test_listeners_are_told_of_changes_that_may_affect_a_prompt(
        self, game: Table, ada: Person
    ) -> None:
        raft = await do(game, ada, "launch")
        heard: list[News] = []
        end = gatherings.ROWS.listen(game, lambda news, concerns: heard.append(news) if concerns else None)

        await press(game, ada, raft, "pull")
        await asyncio.sleep(0)

        assert len(heard) == 1
        assert await gatherings.ROWS.changed_by(game, heard[0]) == [MessagePlace(HOME, raft.entry)]
        end()

    async def test_points_that_change_elsewhere_may_affect_a_prompt(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, ada, "launch")
        heard: list[News] = []
        end = gatherings.ROWS.listen(game, lambda news, concerns: heard.append(news) if concerns else None)

        await gms.set_resource(game, gm.asks(), "luck", 0, "Ada")
        await asyncio.sleep(0)

        assert len(heard) == 1
        end()
