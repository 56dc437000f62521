"""Random checks and presses of every game: a result says what is stored, and caches change nothing."""

import asyncio
import gc
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import asdict, replace

from bot.rules import rulesets
from bot.rules.kernel import Audience, CharacterId, Choice, Deadline, FollowUp, NoOptions, Place, TextField
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.store.records import FollowUpId
from bot.store.rows import Memory
from bot.store.sqlite import open_store
from bot.table.base.access import ForGmOnly, Request
from bot.table.base.live_rows import MessagePlace
from bot.table.base.results import (
    ChangeLine,
    KeptOptions,
    OpenFollowUp,
    Result,
    follow_up_from_json,
    follow_up_to_json,
)
from bot.table.base.table import Table
from bot.table.base.turn import earlier_answer
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.journal import journal, log, verify
from bot.table.journal.recap import recap
from bot.table.play import play
from bot.table.play.play import roll as roll_freely
from bot.table.requests import gatherings
from bot.table.sessions import sessions
from tests.databases import prepared_file
from tests.remembered import function_caches
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.counting import everything

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
        again = await self.table.store.read(lambda reader: earlier_answer(reader, request))
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
        is_npcs=True,
    )

    stored = follow_up_to_json(every)

    assert list(stored) == [*(name for name in FollowUp.__struct_fields__ if name != "options"), "options"]
    assert stored["blanks"] == [asdict(question) | {"choices": [asdict(menu[0])]}]
    assert follow_up_from_json(json.loads(json.dumps(stored))) == replace(every, options=KeptOptions())


BUTTONS = 2  # presses at once


async def do(table: Table, who: Person, procedure: str, **given: int) -> Result:
    return await play.perform(table, who.asks(), procedure, given)


def again_of(result: Result) -> FollowUpId:
    assert result.again is not None
    assert result.again.follow_up.label == "Again"
    return result.again.id


async def press_again(table: Table, who: Person, result: Result) -> Result:
    return (await play.press(table, who.asks(), again_of(result))).result


async def refused(table: Table, who: Person, result: Result) -> UserError:
    """Press *Again* where that is refused, and check that nothing has changed."""
    before = everything(table)
    with pytest.raises(UserError) as told:
        await play.press(table, who.asks(), again_of(result))
    assert everything(table) == before
    return told.value


async def test_again_repeats_the_act_with_its_options_in_a_message_of_its_own(
    game: Table, ada: Person
) -> None:
    first = await do(game, ada, "check", bonus=2)

    pressed = await play.press(game, ada.asks(), again_of(first))

    assert pressed.is_apart
    assert pressed.result.entry != first.entry
    assert [roll.against for roll in pressed.result.rolls] == [roll.against for roll in first.rolls]
    assert pressed.message.again is None  # the button has moved on to the new result
    assert pressed.result.again is not None


async def test_again_pays_the_cost_again_until_there_is_nothing_left(game: Table, ada: Person) -> None:
    first = await do(game, ada, "spend")

    second = await press_again(game, ada, first)

    assert second.message.changes == (ChangeLine("Ada", "Luck", "1", "0"),)
    assert "Luck" in (await refused(game, ada, second)).what


async def test_again_pressed_twice_at_once_acts_once(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    button = again_of(first)

    answers = await asyncio.gather(
        *(play.press(game, ada.asks(), button) for _ in range(BUTTONS)), return_exceptions=True
    )

    failed = [one for one in answers if isinstance(one, UserError)]
    assert [one.what for one in failed] == ["That has already been done."]


async def test_nobody_else_but_a_gm_can_press_again(game: Table, ada: Person, bo: Person, gm: Person) -> None:
    first = await do(game, ada, "check")

    assert (await refused(game, bo, first)).what == "That button is for Ada."
    assert (await press_again(game, gm, first)).message.who == "Ada"


async def test_again_is_refused_once_the_character_has_retired(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    await characters.retire(game, ada.asks(), "Ada")

    assert (await refused(game, ada, first)).what == "There is no such character here."


async def test_a_renamed_character_does_it_again_under_its_new_name(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check")
    await characters.rename(game, ada.asks(), "Ada", "Adela")

    assert (await press_again(game, ada, first)).message.who == "Adela"


async def test_a_pushed_result_still_offers_again(game: Table, ada: Person) -> None:
    first = await do(game, ada, "check", bonus=-4)
    push = next(one for one in first.follow_ups if one.follow_up.label.startswith("Push"))

    pushed = (await play.press(game, ada.asks(), push.id)).message

    assert pushed.again is not None
    assert (await press_again(game, ada, pushed)).message.headline == first.message.headline


async def test_undoing_what_was_done_again_offers_it_again(game: Table, ada: Person, gm: Person) -> None:
    first = await do(game, ada, "spend")
    second = await press_again(game, ada, first)

    await journal.undo(game, gm.asks(), second.entry, is_sure=True)

    shown = await journal.entry_result(game, ada.asks(), first.entry)
    assert shown.again is not None


@pytest.mark.parametrize("procedure", ["train", "aim", "whisper"])
async def test_what_is_done_once_or_told_in_private_offers_nothing_again(
    game: Table, ada: Person, procedure: str
) -> None:
    assert (await do(game, ada, procedure)).again is None


async def test_a_secret_result_offers_nothing_again(game: Table, gm: Person) -> None:
    result = await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

    assert result.again is None


TOLD = "rolls for the GM's eyes only"


async def everything_readable(table: Table, who: Person, blind: Result) -> str:
    """Return whatever somebody can read about a roll."""
    exported = [line async for line in verify.export_lines(table, who.asks())]
    standing = await gatherings.standing(table, MessagePlace(who.server, blind.entry))
    found = [str(await log.page(table, who.asks())), str(await recap(table, who.asks(), whole=True))]
    return "\n".join([*found, *exported, str(blind), str(standing)])


class TestBlindRolls:
    async def test_a_player_learns_only_that_they_rolled(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        asked = ada.asks()
        blind = await play.perform(game, asked, "check", {}, is_secret=True)
        again = await play.perform(game, asked, "check", {}, is_secret=True)

        assert (blind.message.who, blind.message.headline, blind.rolls) == ("Ada", TOLD, ())
        assert blind.is_blind
        assert again == blind
        for who in (ada, bo):
            assert "checks Brawn" not in await everything_readable(game, who, blind)
        with pytest.raises(UserError, match="no longer in the journal"):
            await journal.entry_result(game, ada.asks(), blind.entry)
        shown = await controls.open_controls(game, ada.asks(), "Ada")
        assert shown.latest == ""

    async def test_the_gm_reads_the_roll_and_its_dice(self, game: Table, gm: Person, ada: Person) -> None:
        blind = await play.perform(game, ada.asks(), "check", {}, is_secret=True)

        found = await journal.entry_result(game, gm.asks(), blind.entry)

        assert (found.message.headline, len(found.rolls), found.number) == ("checks Brawn", 1, 4)

    async def test_a_player_cannot_undo_what_only_the_gm_saw(self, game: Table, ada: Person) -> None:
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, ada.asks(), "check", {}, is_secret=True)

        undone = await journal.undo(game, ada.asks())

        assert isinstance(undone, journal.Undone)
        assert "spends Luck" in undone.result.message.headline

    async def test_a_player_does_nothing_but_rolls_in_secret(self, game: Table, ada: Person) -> None:
        with pytest.raises(ForGmOnly, match="Only a GM can do that in secret"):
            await play.perform(game, ada.asks(), "spend", {}, is_secret=True)

    async def test_free_dice_can_be_for_the_gms_eyes_only(
        self, game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        blind = await play.roll(game, ada.asks(), "3d6", "the zzyzx door", is_blind=True)
        own = await play.roll(game, gm.asks(), "3d6", "the wall", is_blind=True)

        assert (blind.message.headline, blind.rolls) == (TOLD, ())
        assert "zzyzx" not in str(await log.page(game, ada.asks()))
        assert "zzyzx" in str(await log.page(game, gm.asks()))
        assert (len(own.rolls), own.message.is_public) == (1, False)
        with pytest.raises(UserError, match="nobody is GM"):
            await play.roll(game, neighbour.asks(), "3d6", is_blind=True)
