"""Asking from the GM's page: requests made again, the scene's difficulty, who sees results (issue 14)."""

import asyncio
from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import ActGroup
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import RollSight
from bot.table.base.access import ForGmOnly, NoCampaign
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.gm import gm as gms
from bot.table.journal import journal, log, verify
from bot.table.journal.log import LogLine
from bot.table.play import play
from bot.table.requests import asking_page, gatherings, requested_checks
from bot.table.requests.asking_page import (
    AskingPage,
    ask_again,
    check_called,
    checks_for_all,
    offered_checks,
    set_scene,
)
from bot.table.requests.gatherings import Joined
from bot.table.requests.requested_checks import SilentRolls, Wanted
from tests.table.conftest import HOME, Person
from tests.table.counting import Rows, everything, state

# A player's own check in each game with difficulties: its procedure, its options, and what a GM presets.
OWN_CHECKS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "rpj": ("check", {"skill": "Perception"}, "difficulty", "9+"),
    "swim_class": ("roll", {"skill": "Swim"}, "difficulty", "6"),
    "compare_roll": ("luck", {}, "difficulty", "Hard"),
    "post_magic_maid": ("check", {"first": "Int", "second": "Str"}, "needed", "20"),
}
CANARY = "Zorblax"


async def begin(table: Table, game: str, gm: Person, *players: Person) -> list[str]:
    """Create a campaign with a ready-made character for each player; return their names."""
    await campaigns.create(table, gm.asks(), game, "The Long Road")
    rules = rulesets()[game]
    names = list(rules.creation.offered(rules.settings()))[: len(players)]
    for player, name in zip(players, names, strict=True):
        await characters.take_ready_made(table, player.asks(), name)
    return names


async def page(table: Table, who: Person, place: int | None = None) -> AskingPage:
    return await asking_page.asking_page(table, who.asks(place=place))


async def ask(table: Table, asker: Person, **wanted: Any) -> Result:
    asked = await requested_checks.ask(table, asker.asks(), Wanted(**wanted))
    assert isinstance(asked, Result)
    return asked


async def press(table: Table, who: Person, asked: Result, name: str) -> Joined:
    assert asked.gathering is not None
    button = next(one for one in asked.gathering.view.follow_ups if one.label.startswith(name))
    return await gatherings.join(table, who.asks(), asked.entry, button.group)


async def heard(table: Table, who: Person) -> str:
    """Everything that a person can read: the log, the journal's export, the recap and their own sheet."""
    lines = [str(line) for line in (await log.page(table, who.asks())).lines]
    lines += [line async for line in verify.export_lines(table, who.asks())]
    lines.append(str(await controls.open_controls(table, who.asks())))
    return "\n".join(lines)


def difficulty(result: Result) -> list[Any]:
    """How hard its rolls were, as each game counts it; nothing where nothing had to be rolled."""
    inputs = [dict(roll.inputs) for roll in result.rolls]
    return [one.get("difficulty", one.get("needed")) for one in inputs]


def played(table: Table) -> Rows:
    """Everything that a roll could change, without the journal."""
    tables = ("characters", "documents", "resources", "timers", "wounds", "boards")
    return {name: rows for name, rows in state(table).items() if name in tables}


class TestDifficulty:
    @pytest.mark.parametrize("game", OWN_CHECKS)
    async def test_players_name_only_the_skill_once_a_scene_has_a_difficulty(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        procedure, given, option, typed = OWN_CHECKS[game]
        await begin(whole, game, gm, ada)
        offered = (await page(whole, gm)).difficulties
        hard = next(one for one in offered if typed.rstrip("+") in one)
        plain = await play.perform(whole, ada.asks(), procedure, given)

        await set_scene(whole, gm.asks(), difficulty=hard)
        preset = await play.perform(whole, ada.asks(), procedure, {**given, option: None})
        said = await play.perform(whole, ada.asks(), procedure, {**given, option: hard})
        elsewhere = await play.perform(whole, ada.asks(place=51), procedure, given)

        assert difficulty(preset) == difficulty(said)
        assert difficulty(elsewhere) == difficulty(plain) != difficulty(preset)

    async def test_what_a_player_says_comes_before_the_scenes_difficulty(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "rpj", gm, ada)
        easy, *_others, hard = (await page(whole, gm)).difficulties
        said = await play.perform(whole, ada.asks(), "check", {"skill": "Perception", "difficulty": easy})

        await set_scene(whole, gm.asks(), difficulty=hard)
        again = await play.perform(whole, ada.asks(), "check", {"skill": "Perception", "difficulty": easy})

        assert again.rolls[0].against == said.rolls[0].against

    async def test_the_sheet_offers_checks_at_the_scenes_difficulty(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "rpj", gm, ada)
        hard = (await page(whole, gm)).difficulties[-1]
        check = await play.perform(whole, ada.asks(), "check", {"skill": "Perception", "difficulty": hard})
        await set_scene(whole, gm.asks(), difficulty=hard)
        who = (await controls.open_controls(whole, ada.asks())).sheet.id
        checks = (await controls.open_group(whole, ada.asks(), who, ActGroup.CHECK)).controls
        key = next(one.key for one in checks if one.act.do.label.startswith("Perception"))

        composed = (await controls.compose(whole, ada.asks(), who, key)).composed

        assert composed is not None
        assert f"against {check.rolls[0].against}" in composed.control.trial.notes

    @pytest.mark.parametrize("game", OWN_CHECKS)
    async def test_a_checks_settings_have_every_difficulty_a_scene_can_have(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        await begin(whole, game, gm, ada)
        who = (await controls.open_controls(whole, ada.asks())).sheet.id
        for set_ in (await page(whole, gm)).difficulties:
            await set_scene(whole, gm.asks(), difficulty=set_)
            for one in (await controls.open_group(whole, ada.asks(), who, ActGroup.CHECK)).controls[:3]:
                composed = (await controls.compose(whole, ada.asks(), who, one.key)).composed

                assert composed is not None
                assert composed.control.act.do.options == one.act.do.options

    async def test_a_request_has_the_scenes_difficulty_unless_it_says_another(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
        await set_scene(whole, gm.asks(), difficulty="Hard")

        preset = await ask(whole, gm, check="Luck check")
        said = await ask(whole, gm, check="Luck check", difficulty="Normal")

        assert preset.message.headline == "asks for a Luck check, difficulty Hard"
        assert said.message.headline == "asks for a Luck check, difficulty Normal"

    async def test_setting_it_is_told_to_nobody_and_can_be_undone(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
        before = played(whole)

        await set_scene(whole, gm.asks(), difficulty="Hard")
        await set_scene(whole, gm.asks(), difficulty="Hard")

        (line, *_others) = (await log.page(whole, gm.asks())).lines
        assert isinstance(line, LogLine)
        assert line.message.headline == "sets the scene's difficulty: none → Hard"
        assert "sets the scene" not in await heard(whole, ada)
        await journal.undo(whole, gm.asks(), line.entry, is_sure=True)
        assert played(whole) == before

    async def test_a_difficulty_that_the_game_does_not_have_is_refused(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)

        with pytest.raises(UserError, match="There is no difficulty “Zorblax” here"):
            await set_scene(whole, gm.asks(), difficulty=CANARY)

    async def test_a_difficulty_that_is_gone_since_is_not_used_on_the_sheet(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "post_magic_maid", gm, ada)
        await set_scene(whole, gm.asks(), difficulty="20")
        shown = await controls.open_controls(whole, ada.asks())

        assert "needed=<MaidTier.TWENTY: '20'>" in str(shown.starts[0].act.do.options)


class TestSight:
    async def test_a_private_result_goes_to_its_roller_and_the_gm(
        self, whole: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        adas, _bos = await begin(whole, "compare_roll", gm, ada, bo)
        await set_scene(whole, gm.asks(), sight=RollSight.PRIVATE)
        asked = await ask(whole, gm, check="Luck check", difficulty="Hard", note="the trap")
        assert asked.message.headline == "asks for a Luck check"
        assert asked.message.notes == ("the trap", "Seen by whoever rolls and the GM only.")

        done = await press(whole, ada, asked, adas)

        assert done.own is not None
        assert len(done.own.rolls) == 1
        assert not done.own.message.is_public
        assert done.whole.gathering is not None
        (part,) = done.whole.gathering.view.parts
        assert (part.rolls, part.moment, part.verdict and part.verdict.title) == ((), "", "rolled")
        assert "checks Luck" in await heard(whole, ada)
        assert "checks Luck" not in await heard(whole, bo)
        assert len(await gatherings.look_closer(whole, bo.asks(), asked.entry)) == 1
        assert len(await gatherings.look_closer(whole, gm.asks(), asked.entry)) == 2

    async def test_a_blind_result_goes_to_the_gm_alone(
        self, whole: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        adas, bos = await begin(whole, "compare_roll", gm, ada, bo)
        await set_scene(whole, gm.asks(), sight=RollSight.BLIND)
        asked = await ask(whole, gm, check="Luck check", difficulty="Hard")
        assert asked.gathering is not None
        assert [one.label for one in asked.gathering.view.follow_ups][:2] == [f"{adas}: roll", f"{bos}: roll"]

        done = await press(whole, ada, asked, adas)
        last = await press(whole, bo, asked, bos)

        assert done.own is None
        assert last.whole.gathering is not None
        view = last.whole.gathering.view
        assert view.verdict is not None
        assert view.verdict.title == "rolled; the GM knows"
        assert [(one.who, one.verdict and one.verdict.title) for one in view.parts] == [
            (adas, "rolled"),
            (bos, "rolled"),
        ]
        for player in (ada, bo):
            assert "checks Luck" not in await heard(whole, player)
        assert "checks Luck" in str((await log.page(whole, gm.asks())).lines)

    async def test_a_silent_check_is_rolled_at_once_and_changes_nothing(
        self, whole: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        names = await begin(whole, "compare_roll", gm, ada, bo)
        await set_scene(whole, gm.asks(), sight=RollSight.SILENT)
        before, sheet = played(whole), await controls.open_controls(whole, ada.asks())
        request = gm.asks()

        rolled = await requested_checks.ask(whole, request, Wanted(check="Luck check", difficulty="Hard"))
        again = await requested_checks.ask(whole, request, Wanted(check="Luck check", difficulty="Hard"))

        assert isinstance(rolled, SilentRolls)
        assert isinstance(again, SilentRolls)
        assert [one.message.who for one in rolled.results] == sorted(names)
        assert all(not one.message.is_public and not one.follow_ups for one in rolled.results)
        assert [one.entry for one in again.results] == [one.entry for one in rolled.results]
        assert played(whole) == before
        assert await controls.open_controls(whole, ada.asks()) == sheet
        assert "checks Luck" not in await heard(whole, ada)
        assert "checks Luck" in str((await log.page(whole, gm.asks())).lines)

    async def test_a_written_check_is_found_by_how_its_name_begins(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "rpj", gm, ada)

        async def called(name: str) -> str:
            return (await check_called(whole, gm.asks(), name)).title

        assert await called(" percep ") == "Skill check: Perception"
        assert await called("saving throw: char") == "Saving throw: Charisma"
        assert await called("Luck check") == "Luck check"
        with pytest.raises(UserError, match="Several checks are called “charisma”") as several:
            await called("charisma")
        assert "Attribute check: Charisma" in several.value.allowed
        with pytest.raises(UserError, match="No check is called “Precepton”") as similar:
            await called("Precepton")
        assert "Did you mean Skill check: Perception?" in similar.value.allowed
        for nothing in ("", "   ", "zzz", "x" * 4000):
            with pytest.raises(UserError, match="No check is called"):
                await called(nothing)

    async def test_only_silent_checks_can_be_asked_of_hidden_characters(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
        await gms.make_npc(whole, gm.asks(), CANARY, is_hidden=True)
        with pytest.raises(UserError, match="hidden characters can't be asked in public"):
            await ask(whole, gm, check="Luck check", who=[CANARY])
        assert CANARY not in str((await checks_for_all(whole, gm.asks())).who)

        await set_scene(whole, gm.asks(), sight=RollSight.SILENT)
        assert CANARY in str((await checks_for_all(whole, gm.asks())).who)
        rolled = await requested_checks.ask(whole, gm.asks(), Wanted(check="Luck check", who=[CANARY]))

        assert isinstance(rolled, SilentRolls)
        assert (await page(whole, gm)).recent[0].label == f"Luck check · {CANARY}"
        assert CANARY not in await heard(whole, ada)

    async def test_a_silent_check_that_somebody_cannot_make_is_refused_whole(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        (adas,) = await begin(whole, "rpj", gm, ada)
        await set_scene(whole, gm.asks(), sight=RollSight.SILENT)
        before = everything(whole)

        with pytest.raises(UserError, match=CANARY):
            await requested_checks.ask(whole, gm.asks(), Wanted(check="skill check", what=CANARY, who=[adas]))
        assert everything(whole) == before


class TestAgain:
    async def test_the_last_five_requests_are_kept_each_once_the_latest_first(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        (adas,) = await begin(whole, "compare_roll", gm, ada)
        for difficulty in ("Normal", "Hard", "Difficult", "Normal"):
            await ask(whole, gm, check="Luck check", difficulty=difficulty)
        await ask(whole, gm, check="Luck check", who=[adas])

        assert [one.label for one in (await page(whole, gm)).recent] == [
            f"Luck check · {adas}",
            "Luck check, Normal · all",
            "Luck check, Difficult · all",
            "Luck check, Hard · all",
        ]

    async def test_one_press_asks_again_and_a_second_one_is_refused(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        (adas,) = await begin(whole, "compare_roll", gm, ada)
        await ask(whole, gm, check="Luck check", difficulty="Hard", who=[adas], note="the trap")
        nora = Person(9, "Nora", gm.interactions, manages_server=True)
        shown = await page(whole, gm)
        first = shown.recent[0].entry

        presses = [ask_again(whole, one.asks(), first, shown.latest) for one in (gm, nora)]
        done = await asyncio.gather(*presses, return_exceptions=True)

        asked = [one for one in done if isinstance(one, Result)]
        refused = [one for one in done if isinstance(one, UserError)]
        assert [one.message.headline for one in asked] == ["asks for a Luck check, difficulty Hard"]
        assert asked[0].message.notes == ("the trap",)
        assert [one.what for one in refused] == ["Something else has been asked for since."]
        assert len((await page(whole, gm)).recent) == 1

    async def test_a_request_that_was_undone_is_not_offered_again(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
        asked = await ask(whole, gm, check="Luck check")

        await journal.undo(whole, gm.asks(), asked.entry, is_sure=True)

        shown = await page(whole, gm)
        assert (shown.recent, shown.latest) == ((), 0)
        with pytest.raises(UserError, match="Something else has been asked for since"):
            await ask_again(whole, gm.asks(), asked.entry, asked.entry)


class TestRights:
    async def test_only_a_gm_of_the_campaign_sees_or_uses_the_page(
        self, whole: Table, gm: Person, ada: Person, bo: Person, neighbour: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
        asked = await ask(whole, gm, check="Luck check")
        former = Person(8, "Fred", gm.interactions)
        await campaigns.set_gm(whole, gm.asks(), former.id, "Fred", is_gm=True)
        await page(whole, former)
        await campaigns.set_gm(whole, gm.asks(), former.id, "Fred", is_gm=False)
        before = everything(whole)

        for stranger in (ada, bo, former):
            for attempt in (
                asking_page.asking_page(whole, stranger.asks()),
                set_scene(whole, stranger.asks(), difficulty="Hard"),
                set_scene(whole, stranger.asks(), sight=RollSight.BLIND),
                ask_again(whole, stranger.asks(), asked.entry, asked.entry),
                checks_for_all(whole, stranger.asks()),
                check_called(whole, stranger.asks(), "Luck"),
                offered_checks(whole, stranger.asks(), ada.id, "Alice"),
                requested_checks.ask(whole, stranger.asks(), Wanted(check="Luck check")),
            ):
                with pytest.raises(ForGmOnly):
                    await attempt
        with pytest.raises(NoCampaign):
            await page(whole, neighbour)
        assert everything(whole) == before
        assert neighbour.server != HOME

    async def test_a_game_without_checks_has_neither_page_nor_forms(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        for attempt in (
            page(game, gm),
            checks_for_all(game, gm.asks()),
            offered_checks(game, gm.asks(), ada.id, "Alice"),
        ):
            with pytest.raises(UserError, match="has no checks to ask for"):
                await attempt
