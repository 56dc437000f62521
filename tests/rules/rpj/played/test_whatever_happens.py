"""Whatever is rolled, turned and taken back, in whatever order: all of it can be undone."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind
from bot.table.base.results import OpenFollowUp, Result
from bot.table.base.table import Table
from bot.table.countdowns import countdown_actions
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.verify import verify
from bot.table.play import countdown_plans, play
from tests.databases import NewDatabase, on_both_engines, opened
from tests.rules.rpj.played.conftest import PLAYED, Played, lay
from tests.table.conftest import Clock, Secrets
from tests.table.counting import a_plan
from tests.table.whole import everything, state

Act = Callable[["Evening"], Awaitable[Result]]
LINKED = ("check", "save")
WHO = ("alice", "bob", "gwen")


class Evening:
    """A table with everything that can be pressed there."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.open: list[OpenFollowUp] = []
        self.done: list[Result] = []

    async def play(self, act: Act) -> None:
        """Play one act; a mistake changes nothing."""
        before = everything(self.played.table)
        try:
            result = await act(self)
        except UserError:
            assert everything(self.played.table) == before
        else:
            self.open += [one for one in result.follow_ups if not one.follow_up.blanks]
            self.done.append(result)


def does(who: str, procedure: str, /, **options: Any) -> Act:
    async def act(evening: Evening) -> Result:
        person = getattr(evening.played, who)
        acting = "Ug" if who == "gwen" and procedure in ("check", "save", "layer") else None
        return await play.perform(evening.played.table, person.asks(), procedure, options, acting=acting)

    return act


def presses(position: int, who: str) -> Act:
    async def act(evening: Evening) -> Result:
        if not evening.open:
            raise UserError("Nothing can be pressed.")
        one = evening.open[-1 - position % len(evening.open)]
        request = getattr(evening.played, who).asks()
        return (await play.press(evening.played.table, request, one.id)).result

    return act


def turns(position: int, label: str) -> Act:
    """Press one of the buttons whose label begins so, as the GM."""

    async def act(evening: Evening) -> Result:
        found = [one for one in evening.open if one.follow_up.label.startswith(label)]
        if not found:
            raise UserError("There is none.")
        one = found[-1 - position % len(found)]
        return (await play.press(evening.played.table, evening.played.gwen.asks(), one.id)).result

    return act


def ticks(steps: int) -> Act:
    async def act(evening: Evening) -> Result:
        played = evening.played
        return (await countdown_actions.move(played.table, played.gwen.asks(), "Alarm", steps)).result

    return act


def waits(seconds: int) -> Act:
    return lambda evening: evening.played.wait(seconds)


def undoes(position: int) -> Act:
    async def act(evening: Evening) -> Result:
        if not evening.done:
            raise UserError("Nothing was done.")
        one = evening.done[-1 - position % len(evening.done)]
        request = evening.played.gwen.asks()
        done = await journal.undo(evening.played.table, request, one.entry, together=True)
        assert isinstance(done, journal.Undone)
        return done.result

    return act


ANYBODY = st.sampled_from(WHO)
FEW = st.integers(min_value=0, max_value=8)
PAST_ARMOR = "ability, shield, armor"
ACTS = st.one_of(
    *[st.builds(lambda who: does(who, "check", skill="Concealment", difficulty="9"), ANYBODY)] * 3,
    st.builds(lambda who, damage: does(who, "save", damage=damage, times=2), ANYBODY, FEW),
    st.builds(lambda who: does(who, "save", damage=4, bypass=PAST_ARMOR), ANYBODY),
    st.builds(lambda damage: does("gwen", "harm", targets=("Ug", "Laeniel"), damage=damage), FEW),
    st.builds(lambda who: does(who, "layer", name="Rock", saves="5 6", minutes=10), ANYBODY),
    st.builds(lambda who: does(who, "layer", name="Pebble", saves="4", inside="Rock"), ANYBODY),
    st.builds(lambda hours: does("gwen", "rest", hours=hours + 1, who=("Ug", "Laeniel")), FEW),
    st.just(does("gwen", "heal", target="Ug")),
    st.just(does("gwen", "ambush", target="Ug", damage=2)),
    st.just(does("gwen", "lose_break", target="Laeniel")),
    st.just(does("gwen", "stand")),
    st.builds(ticks, st.sampled_from([-1, 1, 2])),
    st.builds(waits, st.sampled_from([60, 600, 30_000])),
    st.builds(undoes, FEW),
    st.builds(presses, FEW, ANYBODY),
    *[st.builds(turns, FEW, st.sampled_from(["Lucky", "Keep", "Ug", "Success", "Let", "In", "One"]))] * 2,
    *[st.builds(turns, st.just(0), st.just("Lucky"))] * 6,
    *[st.builds(turns, st.just(0), st.sampled_from(["Keep", "Ug", "In"]))] * 3,
)
SEQUENCES = cast("st.SearchStrategy[list[Act]]", st.lists(ACTS, min_size=12, max_size=24))


async def an_evening_of(acts: list[Act], folder: Path, url: str) -> None:
    async with opened(url) as store:
        table = Table(store=store, games={"rpj": PLAYED}, now=Clock(), new_secret=Secrets())
        played = await lay(table)
        alarm = a_plan("Alarm", Kind.FAILURE, 5, links=LINKED)
        await countdown_plans.begin(table, played.gwen.asks(), a_plan(links=LINKED), alarm)
        before, evening = state(table), Evening(played)
        for act in acts:
            await evening.play(act)
            await countdowns_add_up(played)
        await the_dice_follow(played, folder)
        for one in reversed(evening.done):
            await take_back(played, one)
        after = state(table)
        after["follow_ups"] = before["follow_ups"]  # those of results that changed nothing stay
        assert after == before


async def countdowns_add_up(played: Played) -> None:
    """Each countdown is where its moves have brought it, and over where it has come to its end."""
    server = played.gwen.server
    campaign = await played.table.store.read(lambda reader: reader.campaigns(server)[0].id)
    running = await played.table.store.read(lambda reader: reader.countdowns(server, campaign))
    for one in running:
        assert one.value < one.difficulty
        assert all(-one.difficulty <= tick.steps <= one.difficulty for tick in one.ticks)


async def the_dice_follow(played: Played, folder: Path) -> None:
    lines = [line async for line in export.export_lines(played.table, played.gwen.asks())]
    (folder / "journal.jsonl").write_text("".join(lines))
    assert verify(folder / "journal.jsonl", {"rpj": PLAYED}).faults == []


NOTHING_TO_UNDO = (
    "That has already been undone.",
    "That changed nothing, so there is nothing to undo.",
)


async def take_back(played: Played, one: Result) -> None:
    refused = ""
    try:
        await journal.undo(played.table, played.gwen.asks(), one.entry, together=True)
    except UserError as mistake:
        refused = mistake.what
    assert refused in ("", *NOTHING_TO_UNDO)


@on_both_engines
class TestAnyEvening:
    @given(acts=SEQUENCES)
    @settings(max_examples=15, deadline=None)
    def test_any_series_of_rolls_lucky_breaks_and_undos_can_be_undone(
        self, database: NewDatabase, acts: list[Act]
    ) -> None:
        with tempfile.TemporaryDirectory() as folder, database(Path(folder)) as url:
            asyncio.run(an_evening_of(acts, Path(folder), url))
