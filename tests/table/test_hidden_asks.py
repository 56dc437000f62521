"""Asks of which the players see little, and asks that move a countdown."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.rules.shared.countdowns import Kind, Visibility
from bot.store.sqlite import open_store
from bot.table.base.table import Table
from bot.table.countdowns import countdown_actions
from bot.table.journal import log, verify
from bot.table.journal.log import HiddenLines, LogLine
from bot.table.play import countdown_plans
from bot.table.play import countdown_plans as boards
from bot.table.play.countdown_plans import Plan
from bot.table.requests import gatherings
from tests.databases import prepared_file
from tests.table.asking_toy import ASKING_TOY
from tests.table.conftest import Clock, Person, Secrets
from tests.table.requests.test_requested_checks import ask, labels, names, press, standing


@pytest.fixture
async def table(tmp_path: Path, clock: Clock) -> AsyncIterator[Table]:
    store = await open_store(prepared_file(tmp_path))
    yield Table(store=store, games={"toy": ASKING_TOY}, now=clock, new_secret=Secrets())
    await store.close()


class TestHidden:
    async def test_only_the_gm_sees_a_hidden_requests_difficulty_and_results(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        asked = await ask(game, gm, difficulty="-1", is_hidden=True)
        assert (asked.message.headline, labels(asked)[:2]) == (
            "asks for a Brawn check",
            ["Ada: roll", "Bo: roll"],
        )

        done = await press(game, ada, asked, "Ada")

        assert done.own is None
        assert done.whole.gathering is not None
        (part,) = done.whole.gathering.view.parts
        assert (part.verdict, part.moment, done.whole.gathering.beside) == (None, "", ())
        (roll,) = part.rolls
        assert (roll.against, roll.chance, roll.verdict.title) == ("", "", "rolled")
        assert len(roll.dice) == 1
        assert len(await gatherings.look_closer(game, ada.asks(), asked.entry)) == 1

    async def test_neither_log_nor_export_shows_the_roller_a_hidden_result(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        asked = await ask(game, gm, difficulty="-1", is_hidden=True)
        before = (await log.page(game, ada.asks())).lines
        await press(game, ada, asked, "Ada")

        hidden, *others = (await log.page(game, ada.asks())).lines
        assert isinstance(hidden, HiddenLines)
        assert others == list(before)
        exported = "".join([line async for line in verify.export_lines(game, ada.asks())])
        assert "3−" not in exported
        latest = (await log.page(game, gm.asks())).lines[0]
        assert isinstance(latest, LogLine)
        assert latest.message.who == "Ada"

    async def test_the_gm_sees_every_hidden_result(self, game: Table, gm: Person, ada: Person) -> None:
        asked = await ask(game, gm, difficulty="-1", who=["Ada"], is_hidden=True)
        done = await press(game, ada, asked, "Ada")
        assert done.whole.gathering is not None
        assert done.whole.gathering.view.verdict is not None
        assert done.whole.gathering.view.verdict.title == "rolled; the GM knows"

        whole, answer = await gatherings.look_closer(game, gm.asks(), asked.entry)

        assert whole.gathering is not None
        assert whole.gathering.view.parts[0].rolls[0].against == "3−"
        assert answer.rolls[0].against == "3−"


class TestCountdown:
    async def test_each_answer_moves_the_countdown_that_the_gm_chose(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await countdown_plans.begin(
            game, gm.asks(), Plan(name="Doom", kind=Kind.SUCCESS, difficulty=6, visibility=Visibility.GM)
        )
        asked = await ask(game, gm, difficulty="5", countdown="Doom")
        first = await press(game, ada, asked, "Ada")
        (moved,) = (await boards.gm_listing(game, gm.asks())).running
        assert (moved.value, first.own) == (1, None)

        await countdown_actions.delete(game, gm.asks(), "Doom")
        await press(game, bo, asked, "Bo")

        assert names(await standing(game, gm, asked)) == ["Ada", "Bo"]
