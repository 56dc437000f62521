"""Random actions and undos in a fight: it always stays a possible one (F-REL-04)."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.rules import rulesets
from bot.rules.kernel import Document, EncounterView, Ruleset, Whole, tracker
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Visibility
from bot.store.records import CampaignId, EntryId, Json, JsonObject
from bot.store.sqlite import open_store
from bot.table.base import stored_rolls
from bot.table.base.access import Request
from bot.table.base.results import OpenFollowUp
from bot.table.base.stored_rolls import Unsound, load
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.gm import gm
from bot.table.journal import journal, log, verify
from bot.table.journal.log import HiddenLines, LogLine
from bot.table.play import countdown_actions, countdown_plans, play
from bot.table.play import countdown_plans as boards
from bot.table.play.countdown_plans import Plan
from bot.table.requests import gatherings
from tests.databases import NewDatabase, on_both_engines, opened, prepared_file
from tests.table.asking_toy import ASKING_TOY
from tests.table.conftest import CHANNEL, HOME, Clock, Interactions, Person, Secrets
from tests.table.requests.test_requested_checks import ask, labels, names, press, standing

KEY = f"encounter/{CHANNEL}"
NAMES = ("Ann", "Ben", "Orc", "Imp", "Elf")
GAMES = [game for game in rulesets().values() if game.tracker is not None]
Act = tuple[str, int, int, int]  # what, and three numbers to choose by


class Brawl:
    """A campaign of a game with two players, three NPCs (one of them hidden), and its fight."""

    def __init__(self, table: Table, game: Ruleset) -> None:
        numbers = Interactions()
        self.table, self.game = table, game
        self.gm = Person(1, "Gwen", numbers, manages_server=True)
        self.people = [self.gm, self.gm, Person(2, "Alice", numbers), Person(3, "Bob", numbers)]
        self.entries: list[EntryId] = []
        self.open: list[OpenFollowUp] = []

    async def begin(self) -> None:
        await campaigns.create(self.table, self.gm.asks(), self.game.key, "The Pit")
        ready = list(self.game.creation.offered(self.game.settings()))
        for person, which, name in zip(self.people[2:], ready, NAMES, strict=False):
            await characters.take_ready_made(self.table, person.asks(), which, name)
        for name in NAMES[2:]:
            await gm.make_npc(self.table, self.gm.asks(), name, is_hidden=name == "Imp")

    async def does(self, procedure: str, person: Person | None = None, **given: Any) -> EntryId:
        result = await play.perform(self.table, (person or self.gm).asks(), procedure, given)
        self.entries.append(result.entry)
        self.open += result.follow_ups
        return result.entry

    async def act(self, act: Act) -> None:
        """Do one thing; what is not allowed is not done."""
        what, number, other, third = act
        person = self.people[number % len(self.people)]
        one, two = NAMES[other % len(NAMES)], NAMES[third % len(NAMES)]
        match what:
            case "undo" if self.entries:
                entry = self.entries[-1 - other % min(6, len(self.entries))]
                done = await journal.undo(self.table, self.gm.asks(), entry, together=third % 3 == 0)
                if isinstance(done, journal.Undone):
                    self.entries.append(done.result.entry)
            case "press" if self.open:
                chosen = self.open[-1 - other % min(12, len(self.open))]
                choices = chosen.follow_up.choices
                value = choices[third % len(choices)].value if choices else None
                pressed = await play.press(self.table, person.asks(), chosen.id, value)
                self.entries.append(pressed.result.entry)
                self.open += pressed.result.follow_ups
            case tracker.START:
                await self.does(what, person, others=[one, two], at_once=third % 2 == 0)
            case tracker.ADD:
                await self.does(what, person, characters=[one], hidden=third % 2 == 0)
            case tracker.DELAY:
                await self.does(what, person, character=one, after=two)
            case tracker.ORDER:
                await self.does(what, person, characters=[one, two])
            case tracker.JOIN | tracker.LEAVE | tracker.REVEAL:
                await self.does(what, person, character=one)
            case tracker.NEXT | tracker.END:
                await self.does(what, person)

    async def stored(self) -> JsonObject | None:
        return await self.table.store.read(lambda reader: reader.document(HOME, CampaignId(1), KEY))

    async def check(self) -> None:
        """The fight is allowed as it is stored, and can be looked at."""
        body = await self.stored()
        if body is not None:
            model = self.game.documents["encounter"]
            assert issubclass(model, Whole)
            assert model.model_validate(body).contradiction() == ""
            look = await encounters.fight_here(self.table, self.gm.asks())
            stored_rolls._as_stored.cache_clear()
            assert await encounters.fight_here(self.table, self.gm.asks()) == look
            await self.check_names(look.view)

    async def check_names(self, view: EncounterView) -> None:
        """Completions offer everybody whom the board lists, without building it (F-PERF-05)."""
        shown = [line.name for line in view.lines]
        hidden = [line.name for line in view.hidden]
        table, asks = self.table, self.gm.asks
        assert await offered_names(table, asks()) == sorted(shown)
        assert await offered_names(table, asks(), only_hidden=True) == sorted(hidden)
        assert await offered_names(table, asks(), only_own=True) == sorted((*shown, *hidden))


async def offered_names(table: Table, request: Request, **only: bool) -> list[str]:
    """The names that completions offer for the fight, sorted."""
    return sorted(one.value for one in await encounters.participants(table, request, "", **only))


@asynccontextmanager
async def a_brawl(game: Ruleset, database: NewDatabase) -> AsyncIterator[Brawl]:
    with tempfile.TemporaryDirectory() as folder, database(Path(folder)) as url:
        async with opened(url) as store:
            brawl = Brawl(Table(store=store, games={game.key: game}, now=Clock(), new_secret=Secrets()), game)
            await brawl.begin()
            yield brawl


WHAT = st.sampled_from(
    [
        *(tracker.START, tracker.JOIN, tracker.JOIN, tracker.ADD, tracker.LEAVE, tracker.DELAY),
        *(tracker.ORDER, tracker.REVEAL, tracker.END, *[tracker.NEXT] * 5, *["undo"] * 4, "press", "press"),
    ]
)
NUMBER = st.integers(min_value=0, max_value=29)
ACTS = cast(
    "st.SearchStrategy[list[Act]]", st.lists(st.tuples(WHAT, NUMBER, NUMBER, NUMBER), min_size=8, max_size=40)
)


@on_both_engines
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@given(acts=ACTS)
@settings(max_examples=10, deadline=None)
def test_f_rel_04_no_sequence_of_actions_breaks_a_fight(
    game: Ruleset, database: NewDatabase, acts: Sequence[Act]
) -> None:
    async def evening_long() -> None:
        async with a_brawl(game, database) as brawl:
            await brawl.does(tracker.START, others=["Ann", "Ben", "Orc"])
            with suppress(UserError):
                await brawl.does(tracker.NEXT)
            await brawl.check()
            for act in acts:
                before = await brawl.stored()
                try:
                    await brawl.act(act)
                except UserError:
                    assert await brawl.stored() == before
                else:
                    await brawl.check()

    asyncio.run(evening_long())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
async def test_f_rel_04_a_join_cannot_be_undone_under_the_turns_that_followed(
    game: Ruleset, database: NewDatabase
) -> None:
    async with a_brawl(game, database) as brawl:
        await brawl.does(tracker.START, others=["Ann", "Ben"])
        await brawl.does(tracker.NEXT)
        joined = await brawl.does(tracker.JOIN, character="Orc")
        later = [await brawl.does(tracker.NEXT) for _ in range(2)]
        after = await brawl.stored()

        done = await journal.undo(brawl.table, brawl.gm.asks(), joined)

        assert isinstance(done, journal.UndoBlocked)
        assert [one.entry for one in done.in_the_way] == later[::-1]
        assert await brawl.stored() == after
        together = await journal.undo(brawl.table, brawl.gm.asks(), joined, together=True)
        assert isinstance(together, journal.Undone)
        await brawl.check()
        look = await encounters.fight_here(brawl.table, brawl.gm.asks())
        assert sorted(line.name for line in look.view.lines) == ["Ann", "Ben"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_f_rel_04_an_impossible_stored_fight_is_repaired(game: Ruleset) -> None:
    model = game.documents["encounter"]
    seat = {"character": 1, "name": "Ann"}
    extra = {"compare_roll": {"side": "players"}, "rpj": {"kind": "player", "side": "players"}}.get(
        game.key, {}
    )
    broken = {"seats": [{**seat, **extra}, {**seat, **extra}], "lurking": [1, 7, 7], "round": 2}

    mended = load(model, broken, "The fight")

    found = mended.model_dump(mode="json")
    assert [(one["character"], one["is_hidden"]) for one in found["combatants"]] == [(1, False), (7, True)]


@pytest.mark.parametrize("key", ["post_magic_maid", "swim_class", "sword_and_swarm"])
def test_f_rel_04_a_stored_turn_behind_the_last_becomes_the_last(key: str) -> None:
    model = rulesets()[key].documents["encounter"]
    seats = [{"character": 1, "name": "Ann"}, {"character": 2, "name": "Ben"}]

    behind = load(model, {"seats": seats, "round": 3, "turn": 2}, "The fight").model_dump()
    nobody = load(model, {"seats": [], "round": 3, "turn": 4}, "The fight").model_dump()

    assert (behind["turn"], behind["round"]) == (1, 3)
    assert (nobody["turn"], nobody["round"]) == (0, 0)


def test_f_rel_04_a_fight_that_cannot_be_repaired_is_refused_with_a_way_out() -> None:
    model = rulesets()["sword_and_swarm"].documents["encounter"]

    with pytest.raises(Unsound) as refused:
        load(model, {"seats": [{"character": "nobody"}]}, "The fight")

    assert refused.value.sentences == (
        "The fight is stored in a form I can't read.",
        "A GM can try to undo the latest entries with /undo; /log lists them.",
    )


Place = tuple[str | int, ...]

# What may be otherwise on a beginner's sheet: what is free, what is worse, and what dice still decide.
FREE = {
    "compare_roll": {"is_draft", "has_rolled_assets", "ft_lost", "downed_by"},
    "post_magic_maid": {"is_dead", "abilities/*/effects"},
    "rpj": {"lucky_breaks_lost", "flips_coins"},
    "swim_class": {
        *("is_dead", "traits/*/degree"),
        # As much gear as a beginner's money buys, carried in any way.
        *("items", "items/*/quantity", "items/*/is_equipped", "items/*/is_anchored", "items/*/is_limited"),
    },
    "sword_and_swarm": {
        *("level", "base/Mallet", "base/Key", "base/Runes", "base/Coronet", "base/Star", "encumbrance"),
        *("proficiencies/Architecture", "benefits/*/raises/*/amount", "benefits/*/in_use"),
    },
}


def places(value: Json, place: Place = ()) -> Iterator[tuple[Place, Json]]:
    if place:
        yield place, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*place, key))


def with_value(value: Json, place: Place, new: Json) -> Json:
    if not place:
        return new
    first, *rest = place
    if isinstance(value, dict):
        return {**value, str(first): with_value(value[str(first)], tuple(rest), new)}
    assert isinstance(value, list)
    return [with_value(part, tuple(rest), new) if at == first else part for at, part in enumerate(value)]


def more(value: Json) -> list[Json]:
    """Return better values: other answers, higher numbers, an entry twice."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value + 40, 1000]
    if isinstance(value, list):
        return [[*value, value[0]]] if value else []
    return [7] if value is None else []


def is_let_in(game: Ruleset, given: Json) -> bool:
    """Return whether a player's character with this sheet joins without approval."""
    settings = game.settings()
    try:
        sheet: Document = game.sheet.model_validate(given)
    except ValidationError:
        return False
    if game.sheet_problems(sheet) or game.module_problems(sheet, settings):
        return False
    rules = game.beginner
    return not [*rules.excess(sheet, settings), *rules.claims(sheet, settings)]


@pytest.mark.parametrize("game", rulesets().values(), ids=lambda game: game.key)
def test_f_rel_02_no_sheet_field_bypasses_the_gm(game: Ruleset) -> None:
    free: set[str] = set()
    for ready in game.creation.offered(game.settings()).values():
        whole = ready.model_dump(mode="json")
        for place, value in places(whole):
            if any(is_let_in(game, with_value(whole, place, better)) for better in more(value)):
                free.add("/".join("*" if isinstance(part, int) else part for part in place))

    assert free == FREE[game.key]


@pytest.mark.parametrize("game", rulesets().values(), ids=lambda game: game.key)
def test_a_ready_made_character_is_a_beginner(game: Ruleset) -> None:
    settings = game.settings()

    for ready in game.creation.offered(settings).values():
        assert list(game.beginner.excess(ready, settings)) == []


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
