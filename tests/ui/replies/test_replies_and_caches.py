"""Evenings of every game, once with a bot that forgets everything before each act: people see the same."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.store.sqlite import open_store
from bot.table.base.results import OpenFollowUp, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.gm import gm
from bot.table.journal import journal
from bot.table.play import play
from bot.table.play.play import roll as roll_freely
from bot.ui.live.fight_board import board_reply
from bot.ui.live.result_messages import reply_of
from bot.ui.replies.result_replies import details_reply, undo_reply
from bot.ui.replies.sheets import sheet_reply
from cogs.character import whole_sheet_reply
from cogs.encounter import status_reply
from tests.databases import prepared_file
from tests.remembered import Remembered
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.play.test_results import CHECKS

ACTS = 30
NAMES = ("Ann", "Ben", "Orc")
WHAT = (
    *("check", "check", "roll", "press", "press", "press", "press", "sheet", "undo"),
    *(tracker.START, tracker.START, tracker.JOIN, tracker.ADD, *[tracker.NEXT] * 4),
)
T = TypeVar("T")


class Evening:
    """Two players and a GM who act at random.

    Attributes:
        seen: Everything that people were shown, in order.
        shown: How many of these were no refusals.
    """

    def __init__(self, folder: Path, game: str) -> None:
        numbers = Interactions()
        self.url, self.game, self.chance = prepared_file(folder), game, FairDice(b"evening", game)
        self.now, self.secrets = Clock(), Secrets()
        self.gm = Person(1, "Gwen", numbers, manages_server=True)
        self.players = [Person(2, "Alice", numbers), Person(3, "Bob", numbers)]
        self.open: list[OpenFollowUp] = []
        self.seen: list[object] = []
        self.shown = 0

    async def start(self) -> None:
        store = await open_store(self.url)
        self.table = Table(store=store, games=rulesets(), now=self.now, new_secret=self.secrets)

    async def stop(self) -> None:
        await self.table.store.close()

    async def begin(self) -> None:
        game = self.table.games[self.game]
        await campaigns.create(self.table, self.gm.asks(), self.game, "The Mill")
        ready = list(game.creation.offered(game.settings()))
        for person, which, name in zip(self.players, ready, NAMES, strict=False):
            await characters.take_ready_made(self.table, person.asks(), which, name)
        await gm.make_npc(self.table, self.gm.asks(), NAMES[2])
        await self.perform(tracker.START, others=NAMES[:2], at_once=True)

    def any_of(self, these: Sequence[T]) -> T:
        return these[self.chance.roll(len(these)) - 1]

    async def act(self) -> None:
        what, one, two = self.any_of(WHAT), self.any_of(NAMES), self.any_of(NAMES)
        player = self.any_of(self.players)
        match what:
            case "check":
                key, given = CHECKS[self.game]
                await self.see(play.perform(self.table, player.asks(), key, given), self.result)
            case "roll":
                rolled = roll_freely(self.table, player.asks(), "4d6kh3 + 2", is_secret=one == "Ann")
                await self.see(rolled, self.result)
            case "press" if self.open:
                await self.see(self.press(), lambda pressed: self.result(pressed.result))
            case "sheet":
                await self.see(characters.sheet(self.table, self.gm.asks(), one), whole_sheet_reply)
            case "undo":
                await self.see(journal.undo(self.table, self.any_of([player, self.gm]).asks()), undo_reply)
            case tracker.START:
                await self.perform(what, others=[one, two], at_once=True)
            case tracker.JOIN:
                await self.perform(what, character=one)
            case tracker.ADD:
                await self.perform(what, characters=[one])
            case tracker.NEXT:
                await self.perform(what)

    async def perform(self, what: str, **given: Any) -> None:
        await self.see(play.perform(self.table, self.gm.asks(), what, given), self.result)

    async def press(self) -> play.Pressed:
        chosen = self.any_of(self.open[-8:])
        choices = chosen.follow_up.choices
        value = self.any_of(choices).value if choices else None
        return await play.press(self.table, self.any_of([self.gm, *self.players]).asks(), chosen.id, value)

    def result(self, result: Result) -> object:
        self.open += result.follow_ups
        return result, reply_of(result), details_reply(result)

    async def look(self) -> None:
        """See what the fight and a sheet look like now."""
        await self.see(
            encounters.fight_here(self.table, self.gm.asks()),
            lambda look: (board_reply(look), status_reply(look)),
        )
        await self.see(characters.sheet(self.table, self.players[0].asks(), None), sheet_reply)

    async def see(self, doing: Coroutine[Any, Any, T], reply: Callable[[T], object]) -> None:
        try:
            self.seen.append(reply(await doing))
        except UserError as refused:
            self.seen.append(refused.sentences)
        except play.FormWanted as wanted:
            self.seen.append(wanted.follow_up)
        else:
            self.shown += 1


def stored_in(database: str) -> list[str]:
    """Return all rows of a database, but for the time at which it was made."""
    connection = sqlite3.connect(database)
    connection.execute("UPDATE migrations SET at = 0")
    rows = list(connection.iterdump())
    connection.close()
    return rows


async def an_evening(game: str, remembered: Remembered | None) -> tuple[list[object], list[str], int]:
    """Return what people saw, what is stored, and how much of the first was no refusal.

    Args:
        game: The key of the game.
        remembered: What to forget before each act, with what the bot's objects remember; None for nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), game)
        await evening.start()
        try:
            await evening.begin()
            for _ in range(ACTS):
                if remembered is not None:
                    await evening.stop()
                    remembered.forget()
                    await evening.start()
                await evening.act()
                await evening.look()
        finally:
            await evening.stop()
        return evening.seen, stored_in(f"{folder}/table.db"), evening.shown


@pytest.mark.parametrize("game", CHECKS)
def test_a_bot_that_forgets_everything_shows_and_stores_the_same(game: str) -> None:
    seen, stored, shown = asyncio.run(an_evening(game, None))
    seen_by_the_forgetful, stored_by_the_forgetful, _ = asyncio.run(an_evening(game, Remembered()))

    assert seen_by_the_forgetful == seen
    assert stored_by_the_forgetful == stored
    assert shown > ACTS
