"""What people see of Lucky Breaks and damage: one message that changes, buttons that go, short sentences."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind
from bot.table.base.results import OpenFollowUp, Result
from bot.table.base.table import Table
from bot.table.journal import journal, recap
from bot.table.journal import verify as export
from bot.table.journal.verify import verify
from bot.table.play import countdown_actions, countdown_plans, play
from tests.cogs.desk import Desk, open_desk
from tests.databases import NewDatabase, on_both_engines, opened
from tests.rules.rpj.played.conftest import PLAYED, Played, lay
from tests.table.conftest import Clock, Secrets
from tests.table.counting import a_plan, everything, state


@pytest.fixture
async def desk(played: Played) -> AsyncIterator[Desk]:
    opened = await open_desk(played.table)
    yield opened
    await opened.bot.close()


async def failed_check(desk: Desk, played: Played) -> dict[str, str]:
    """Laeniel fails; the buttons under it."""
    (sent,) = await desk.type(
        played.alice, "rpj check", played.interaction(2, 3), skill="Concealment", difficulty="8"
    )
    assert sent.text.splitlines() == [
        "**Laeniel** checks Concealment, Legendary · **failure by 3**",
        "⚁ ⚂ 5 + Concealment 6 + class skill 1 = **12** against 15+",
        "-# chance was 42%",
    ]
    return sent.controls


class TestLuckyBreakMessages:
    async def test_a_lucky_break_edits_the_message_and_undo_edits_it_back(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        button = controls["Lucky Break · 33% · 3 left"]

        (turned,) = await desk.press(played.alice, button, played.interaction(6))

        assert turned.how == "edit"
        assert turned.text.splitlines() == [
            "**Laeniel** spends a Lucky Break and checks Concealment, Legendary "
            "· ~~failure by 3~~ **success, 1 degree**",
            "~~⚁~~ ⚂ 3 + 🍀 d6 **6** + Concealment 6 + class skill 1 = **16** against 15+",
            "Lucky Breaks 3 → 2",
            "-# chance was 42%",
        ]
        (back,) = await desk.press(played.gwen, turned.controls["Undo"])
        assert back.how == "edit"
        assert "failure by 3" in back.text
        assert button in back.controls.values()

    async def test_a_lucky_break_pressed_too_late_says_why_and_loses_its_button(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        await played.do(played.alice, "check", skill="Concealment")

        edited, sentence = await desk.press(played.alice, controls["Lucky Break · 33% · 3 left"])

        assert not any("Lucky Break" in label for label in edited.controls)
        assert "failure by 3" in edited.text
        assert sentence.is_private
        assert "someone it concerns has acted or rolled since." in sentence.text

    async def test_a_stranger_who_presses_a_lucky_break_is_told_whose_button_it_is(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)

        (sent,) = await desk.press(played.bob, controls["Lucky Break · 33% · 3 left"])

        assert sent.is_private
        assert "That button is for Laeniel." in sent.text


class TestDamageMessages:
    async def test_the_gm_deals_damage_and_the_player_presses_the_save(
        self, desk: Desk, played: Played
    ) -> None:
        (harm,) = await desk.type(played.gwen, "rpj-gm health harm", targets="Ug", damage=2)
        assert harm.text.splitlines()[0] == "**Gwen** deals 2 damage to Ug"

        (save,) = await desk.press(
            played.bob,
            harm.controls["Ug: save 7+ · 58%"],
            played.interaction(2, 3),
        )

        assert not any(label.startswith("Ug: save") for label in save.controls)
        assert save.text.splitlines() == [
            *harm.text.splitlines(),
            "**Ug** rolls a Leather armor save against 2 damage · **failed\\: one 5+ save lost**",
            "⚁ ⚂ **5** against 7+",
            r"Leather armor 2 of 2 \(5+\) → 1 of 2 \(5+\)",
            "-# chance was 58%",
        ]

    async def test_the_lucky_breaks_left_are_shown_to_their_player_alone(
        self, desk: Desk, played: Played
    ) -> None:
        (shown,) = await desk.type(played.alice, "rpj breaks")

        assert shown.is_private
        assert shown.text.splitlines()[0] == "**Laeniel** has 3 of 3 Lucky Breaks left"


class TestChanceShown:
    """F-RPJ-03: the chance shown is the chance before the dice fell, whatever is done about them."""

    async def test_the_chance_shown_does_not_change_when_other_dice_are_kept(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        button = controls["Lucky Break · 33% · 3 left"]
        (turned,) = await desk.press(played.alice, button, played.interaction(6))
        keep = next(id_ for label, id_ in turned.controls.items() if label.startswith("Keep"))

        *_edited, kept = await desk.press(played.alice, keep)

        assert kept.text.splitlines()[-1] == "-# chance was 42%"

    async def test_the_chance_shown_does_not_change_when_a_bonus_is_added(
        self, desk: Desk, played: Played
    ) -> None:
        (failed,) = await desk.type(
            played.bob, "rpj check", played.interaction(2, 2), skill="Diplomacy", difficulty="2"
        )
        assert failed.text.splitlines()[-1] == "-# chance was 28%"  # 9+ with two dice
        toggle = next(id_ for label, id_ in failed.controls.items() if "negotiating prices" in label)

        *_edited, told = await desk.press(played.bob, toggle)

        assert told.text.splitlines()[-1] == "-# chance was 42%"  # 8+ with the bonus

    async def test_the_chance_shown_does_not_change_when_the_gm_accepts_double_sixes(
        self, desk: Desk, played: Played
    ) -> None:
        (open_,) = await desk.type(
            played.alice, "rpj check", played.interaction(6, 6), skill="Concealment", difficulty="16"
        )
        assert open_.text.splitlines()[-1] == "-# chance was 0%"

        *_, page = await desk.press(played.gwen, open_.controls["GM …"])
        shown = await desk.press(played.gwen, page.controls["Accept the critical"])

        assert any("-# chance was 0%" in one.text.splitlines() for one in shown)

    async def test_accepting_a_critical_does_not_count_its_dice_again(
        self, desk: Desk, played: Played
    ) -> None:
        """F-ALL-04: neither as rolls nor as luck."""
        (open_,) = await desk.type(
            played.alice, "rpj check", played.interaction(6, 6), skill="Concealment", difficulty="16"
        )
        before = await recap.recap(played.table, played.alice.asks())
        *_, page = await desk.press(played.gwen, open_.controls["GM …"])
        await desk.press(played.gwen, page.controls["Accept the critical"])

        after = await recap.recap(played.table, played.alice.asks())

        assert (before.rolls, after.rolls) == (1, 1)
        assert after.rollers == before.rollers
        assert after.luckiest == before.luckiest


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
