"""Random checks and presses of every game: a result says what is stored, and caches change nothing."""

import asyncio
import gc
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Audience, CharacterId, Choice, Deadline, FollowUp, NoOptions, Place, TextField
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.store.rows import Memory
from bot.store.sqlite import open_store
from bot.table.base.request import Request
from bot.table.base.results import (
    KeptOptions,
    OpenFollowUp,
    Result,
    follow_up_from_json,
    follow_up_to_json,
)
from bot.table.base.table import Table
from bot.table.base.turn import told_before
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.play import play
from bot.table.play.free_rolls import roll as roll_freely
from tests.databases import prepared_file
from tests.remembered import function_caches
from tests.table.conftest import Clock, Interactions, Person, Secrets

CHECKS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "compare_roll": ("check", {"skill": "Stealth", "difficulty": "Hard"}),
    "post_magic_maid": ("check", {"first": "Str", "second": "Dex"}),
    "rpj": ("check", {"skill": "Concealment", "difficulty": "3"}),
    "swim_class": ("roll", {"skill": "Climb", "difficulty": 3}),
    "sword_and_swarm": ("test", {"attribute": "Mallet"}),
}
ACTS = 30
T = TypeVar("T")


def memories() -> Iterator[Memory]:
    """Return what every open store remembers."""
    return (one for one in gc.get_objects() if isinstance(one, Memory))


class Evening:
    """A player with a ready-made character, who rolls and presses at random."""

    def __init__(self, table: Table, game: str, *, forgets: bool) -> None:
        self.table, self.game, self.chance = table, game, FairDice(b"evening", game)
        self.caches = function_caches() if forgets else []
        self.memories = list(memories()) if forgets else []
        self.gm = Person(1, "Gwen", numbers := Interactions(), manages_server=True)
        self.alice = Person(2, "Alice", numbers)
        self.told: list[Result] = []
        self.open: list[OpenFollowUp] = []

    async def begin(self) -> None:
        game = self.table.games[self.game]
        await campaigns.create(self.table, self.gm.asks(), self.game, "The Mill")
        ready = next(iter(game.creation.offered(game.settings())))
        await characters.take_ready_made(self.table, self.alice.asks(), ready, "Ann")

    async def act(self) -> None:
        for one in self.caches:
            one.cache_clear()
        for memory in self.memories:
            memory.clear()
        request = self.any_of([self.alice, self.gm]).asks()
        what = self.any_of(range(5))
        if what < 2 or not self.open:
            key, given = CHECKS[self.game]
            request = self.alice.asks()
            result = await play.perform(self.table, request, key, given, is_secret=what == 1)
        elif what == 2:
            result = await roll_freely(self.table, request, "4d6kh3 + 2", is_blind=self.any_of([True, False]))
        else:
            result = await self.pressed(request)
        self.open += result.follow_ups
        self.told.append(result)
        assert await self.read_back(request) == result

    def any_of(self, these: Sequence[T]) -> T:
        return these[self.chance.roll(len(these)) - 1]

    async def pressed(self, request: Request) -> Result:
        one = self.any_of(self.open[-6:])
        choices = one.follow_up.choices
        value = self.any_of(choices).value if choices else None
        return (await play.press(self.table, request, one.id, value)).result

    async def read_back(self, request: Request) -> Result:
        again = await self.table.store.read(lambda reader: told_before(reader, request))
        assert again is not None
        return again


async def an_evening(game: str, *, forgets: bool) -> list[Result]:
    """Return everything told in an evening whose dice and choices are always the same."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(prepared_file(Path(folder)))
        table = Table(store=store, games=rulesets(), now=Clock(), new_secret=Secrets())
        try:
            evening = Evening(table, game, forgets=forgets)
            await evening.begin()
            for _ in range(ACTS):
                with suppress(UserError, play.FormWanted):
                    await evening.act()
            return evening.told
        finally:
            await store.close()


@pytest.mark.parametrize("game", CHECKS)
def test_f_perf_03_12_results_are_what_is_stored_with_and_without_caches(game: str) -> None:
    kept = asyncio.run(an_evening(game, forgets=False))
    forgotten = asyncio.run(an_evening(game, forgets=True))

    assert kept == forgotten
    assert len(kept) > ACTS / 2
    assert any(one.rolls for one in kept)


def test_f_perf_03_every_field_of_a_follow_up_and_of_its_questions_is_stored() -> None:
    menu = (Choice("1", "One", "first"),)
    question = TextField(key="why", prompt="Why?", longest=9, choices=menu, most=2)
    every = FollowUp(
        procedure="check",
        options=NoOptions(),
        label="Again",
        audience=Audience.GM,
        character=CharacterId(7),
        choices=menu,
        chosen="target",
        blanks=(question,),
        group="roll",
        stays=True,
        window=Deadline(concerns=(CharacterId(7),), until=("dawn",)),
        rewinds=True,
        deal="6 damage",
        after_seconds=60,
        note="Ann may press.",
        place=Place.VERDICT,
        is_owed=True,
    )

    stored = follow_up_to_json(every)

    assert list(stored) == [*(one.name for one in fields(FollowUp) if one.name != "options"), "options"]
    assert stored["blanks"] == [asdict(question) | {"choices": [asdict(menu[0])]}]
    assert follow_up_from_json(json.loads(json.dumps(stored))) == replace(every, options=KeptOptions())
