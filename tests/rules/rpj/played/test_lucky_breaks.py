"""Lucky Breaks at a real table: turning a roll, the way back, and until when."""

import asyncio
from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Visibility
from bot.table.base.results import ChangeLine, Result
from bot.table.journal import journal, log
from bot.table.journal import verify as export
from bot.table.journal.entries import Expired
from bot.table.journal.log import HiddenLines, LogLine
from bot.table.journal.recap import recap
from bot.table.journal.verify import verify
from bot.table.play import countdown_plans, play
from bot.table.play.play import Pressed
from bot.table.requests import gatherings
from bot.table.sessions import endings, sessions
from bot.ui.replies.recaps import fact_lines
from tests.rules.rpj.played.conftest import PLAYED, Played, button, labels
from tests.table.conftest import Person
from tests.table.counting import a_plan, everything, state, values

HARD: dict[str, Any] = {
    "skill": "Concealment",
    "difficulty": "8",
}  # 15+ with a level of 7: the dice must come to 8


async def refused(played: Played, who: str, result: Any, label: str) -> UserError:
    person = {"Alice": played.alice, "Bob": played.bob, "GM": played.gwen}[who]
    before = everything(played.table)
    with pytest.raises(UserError) as told:
        await played.press(person, result, label)
    assert everything(played.table) == before
    return told.value


LINKED = ("check",)


@pytest.mark.rule("RPJ-LUCK-02")
class TestAThirdDie:
    async def test_a_failure_shows_the_chance_of_a_lucky_break_and_a_6_turns_it(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        assert labels(failed)[0] == "Lucky Break · 33% · 3 left"

        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result

        assert turned.message.verdict is not None
        assert (turned.message.verdict.title, turned.rolls[0].total) == ("success, 1 degree", 16)
        assert [die.face for die in turned.rolls[0].earlier] == [2, 3]
        assert turned.message.changes == (ChangeLine("Laeniel", "Lucky Breaks", "3", "2"),)
        assert await played.breaks("Laeniel") == 2

    async def test_a_lucky_break_that_turns_nothing_is_still_spent(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 5, 2, **HARD)

        still = (await played.press(played.alice, failed, "Lucky Break", 1)).result

        assert still.rolls[0].total == 14
        assert await played.breaks("Laeniel") == 2
        assert not any(label.startswith("Lucky Break") for label in labels(still))

    async def test_a_lucky_break_can_improve_a_success(self, played: Played) -> None:
        done = await played.do(played.alice, "check", 5, 3, **HARD)
        assert labels(done)[0] == "Lucky Break · better 50%"

        better = (await played.press(played.alice, done, "Lucky Break", 6)).result

        assert better.message.verdict is not None
        assert better.message.verdict.title == "success, 3 degrees"

    async def test_the_player_can_choose_other_dice_of_the_three_for_free(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result
        assert [label for label in labels(turned) if label.startswith("Keep")] == [
            "Keep 2 and 6: exact success"
        ]

        other = (await played.press(played.alice, turned, "Keep 2 and 6")).result

        assert other.message.verdict is not None
        assert other.message.verdict.title == "success, perhaps with a complication"
        assert await played.breaks("Laeniel") == 2
        assert [label for label in labels(other) if label.startswith("Keep")] == [
            "Keep 3 and 6: success by 1"
        ]

    async def test_dice_that_make_a_failure_worse_are_not_offered(self, played: Played) -> None:
        """F-RPJ-11."""
        failed = await played.do(played.alice, "check", 1, 3, **HARD)

        still = (await played.press(played.alice, failed, "Lucky Break", 1)).result

        assert still.message.verdict is not None
        assert still.message.verdict.title.startswith("failure by")
        assert not [label for label in labels(still) if label.startswith("Keep")]

    async def test_an_opposed_check_still_names_its_opponent_after_a_lucky_break(
        self, played: Played
    ) -> None:
        before = await played.do(
            played.alice, "opposed", 2, 3, 1, skill="Concealment", target="Ogre", lucky_break=True
        )
        failed = await played.do(played.alice, "opposed", 1, 2, skill="Concealment", level=8)

        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result

        assert (
            before.message.headline
            == "spends a Lucky Break and checks Concealment against Ogre (Concealment 1)"
        )
        assert failed.message.headline == "checks Concealment against level 8"
        assert turned.message.headline == "spends a Lucky Break and checks Concealment against level 8"

    async def test_the_gms_characters_have_no_lucky_break_button(self, played: Played) -> None:
        failed = await played.do(played.gwen, "check", 2, 3, acting="Ogre", **HARD)

        assert not any("Lucky" in label for label in labels(failed))

    async def test_a_character_without_lucky_breaks_has_no_lucky_break_button(self, played: Played) -> None:
        for _ in range(3):
            failed = await played.do(played.alice, "check", 2, 3, **HARD)
            await played.press(played.alice, failed, "Lucky Break", 1)
        failed = await played.do(played.alice, "check", 2, 3, **HARD)

        assert not any("Lucky" in label for label in labels(failed))

    async def test_a_roll_no_lucky_break_can_turn_says_so_and_has_no_button(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="12")

        assert not any(label.startswith("Lucky Break") for label in labels(failed))
        assert failed.message.notes == ("A Lucky Break can't turn this roll.",)

    async def test_only_its_player_and_the_gm_can_press_a_lucky_break_button(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)

        assert (await refused(played, "Bob", failed, "Lucky Break")).what == "That button is for Laeniel."
        await played.press(played.gwen, failed, "Lucky Break", 1)
        assert await played.breaks("Laeniel") == 2

    async def test_a_lucky_break_button_cannot_be_pressed_twice(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        await played.press(played.alice, failed, "Lucky Break", 1)

        assert (await refused(played, "Alice", failed, "Lucky Break")).what == "That has already been done."

    async def test_the_last_lucky_break_is_spent_once_even_if_pressed_twice_at_the_same_time(
        self, played: Played
    ) -> None:
        """The GM presses too; under two results of which neither closes the other."""
        for _ in range(2):
            failed = await played.do(played.alice, "check", 2, 3, **HARD)
            await played.press(played.alice, failed, "Lucky Break", 1)
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        requests = [who.asks() for who in (played.alice, played.gwen, played.alice)]

        answers = await asyncio.gather(
            *(play.press(played.table, request, button(failed, "Lucky Break")) for request in requests),
            return_exceptions=True,
        )

        assert sorted(type(one).__name__ for one in answers) == ["DoneAlready", "DoneAlready", "Pressed"]
        assert await played.breaks("Laeniel") == 0


@pytest.mark.rule("RPJ-LUCK-03")
class TestRewindingACheck:
    async def test_a_turned_failure_takes_its_countdown_tick_back_and_the_success_counts(
        self, played: Played
    ) -> None:
        await countdown_plans.begin(
            played.table,
            played.gwen.asks(),
            a_plan("Evidence Planted", links=LINKED),
            a_plan(links=LINKED).against("Intrusions Detected", 2, kind=Kind.FAILURE),
        )
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        await played.do(played.bob, "check", 1, 2, skill="Blunt Weapons", difficulty="9")
        assert await values(played.table, played.gwen) == {
            "Evidence Planted": "0/4 closed",
            "Intrusions Detected": "2/2 resolved",
        }

        assert isinstance(await refused(played, "Alice", failed, "Lucky Break"), Expired)

    async def test_a_countdown_tick_made_in_between_survives_a_turned_failure(self, played: Played) -> None:
        await countdown_plans.begin(
            played.table, played.gwen.asks(), a_plan("Intrusions Detected", Kind.FAILURE, links=LINKED)
        )
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        await played.do(played.bob, "check", 1, 2, skill="Blunt Weapons", difficulty="9")

        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result

        assert turned.message.changes[1:] == (
            ChangeLine("Laeniel", "Intrusions Detected", "2", "1 of 4 ◼◻◻◻"),
        )

    async def test_a_lucky_break_that_turns_nothing_changes_no_countdown(self, played: Played) -> None:
        await countdown_plans.begin(
            played.table, played.gwen.asks(), a_plan("Intrusions Detected", Kind.FAILURE, links=LINKED)
        )
        failed = await played.do(played.alice, "check", 2, 3, **HARD)

        still = (await played.press(played.alice, failed, "Lucky Break", 1)).result

        assert [line.what for line in still.message.changes] == ["Lucky Breaks"]
        assert await values(played.table, played.gwen) == {"Intrusions Detected": "1/4"}

    async def test_keeping_other_dice_that_also_succeed_moves_no_countdown_again(
        self, played: Played
    ) -> None:
        await countdown_plans.begin(
            played.table, played.gwen.asks(), a_plan("Intrusions Detected", Kind.FAILURE, links=LINKED)
        )
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result
        assert await values(played.table, played.gwen) == {"Intrusions Detected": "0/4"}

        await played.press(played.alice, turned, "Keep 2 and 6")

        assert await values(played.table, played.gwen) == {"Intrusions Detected": "0/4"}

    async def test_a_critical_the_gm_accepts_counts_for_linked_countdowns(self, played: Played) -> None:
        await countdown_plans.begin(played.table, played.gwen.asks(), a_plan("Evidence", links=LINKED))
        asked = await played.do(played.bob, "check", 6, 6, skill="Alchemy", difficulty="9")
        assert await values(played.table, played.gwen) == {"Evidence": "0/4"}

        await played.press(played.gwen, asked, "Accept")

        assert await values(played.table, played.gwen) == {"Evidence": "1/4"}

    async def test_a_success_at_a_cost_takes_the_failures_countdown_tick_back(self, played: Played) -> None:
        await countdown_plans.begin(
            played.table, played.gwen.asks(), a_plan("Intrusions Detected", Kind.FAILURE, links=LINKED)
        )
        failed = await played.do(played.alice, "check", 2, 3, **HARD)

        await played.press(played.gwen, failed, "At a cost")

        assert await values(played.table, played.gwen) == {"Intrusions Detected": "0/4"}

    async def test_undoing_a_lucky_break_gives_it_back(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        before = state(played.table)
        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result

        asked = await journal.undo(played.table, played.alice.asks(), turned.entry)
        assert isinstance(asked, journal.UndoNeedsGm)
        await journal.undo(played.table, played.gwen.asks(), turned.entry)

        assert state(played.table) == before
        assert await played.breaks("Laeniel") == 3

    async def test_a_lucky_break_reveals_nothing_about_a_hidden_countdown(self, played: Played) -> None:
        doom = a_plan("Doom", Kind.FAILURE, links=LINKED, visibility=Visibility.GM)
        await countdown_plans.begin(played.table, played.gwen.asks(), doom)
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        pressed = await played.press(played.alice, failed, "Lucky Break", 6)
        lines = [line async for line in export.export_lines(played.table, played.alice.asks())]

        assert "Doom" not in str(pressed)
        assert "Doom" not in "".join(lines)
        assert await values(played.table, played.gwen) == {"Doom": "0/4"}

    async def test_the_dice_of_a_roll_and_of_its_lucky_break_can_be_checked_from_the_export(
        self, played: Played, tmp_path: Any
    ) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result
        await played.press(played.alice, turned, "Keep 2 and 6")
        await endings.end(played.table, played.gwen.asks())
        lines = [line async for line in export.export_lines(played.table, played.gwen.asks())]
        (tmp_path / "journal.jsonl").write_text("".join(lines))

        report = verify(tmp_path / "journal.jsonl", {"rpj": PLAYED})

        assert (report.faults, report.rolls, report.dice) == ([], 3, 3)


@pytest.mark.rule("RPJ-LUCK-03")
class TestDeadlineOfALuckyBreak:
    @pytest.mark.parametrize("others", ["check", "stand", "end"])
    async def test_a_lucky_break_comes_too_late_once_play_goes_on(self, played: Played, others: str) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        if others == "check":
            await played.do(played.alice, "check", **HARD)
        elif others == "stand":
            await played.do(played.gwen, "stand")
        else:
            await endings.end(played.table, played.gwen.asks())

        why = {
            "check": "someone it concerns has acted or rolled since",
            "stand": "the GM has closed it",
            "end": "the fight or the session has ended",
        }
        assert (await refused(played, "Alice", failed, "Lucky Break")).what == (
            f"Too late to change this roll: {why[others]}."
        )

    async def test_the_gm_may_make_one_characters_rolls_final(self, played: Played) -> None:
        one = await played.do(played.alice, "check", 2, 3, **HARD)
        other = await played.do(played.bob, "check", 1, 4, skill="Blunt Weapons", difficulty="9")
        stood = await played.do(played.gwen, "stand", target="Laeniel")

        assert stood.message.headline == "makes Laeniel's rolls final: no more Lucky Breaks"
        assert isinstance(await refused(played, "Alice", one, "Lucky Break"), Expired)
        assert isinstance(await played.press(played.bob, other, "Lucky Break", 1), Pressed)

    async def test_a_secret_roll_of_the_gm_leaves_a_lucky_break_possible_and_stays_unseen(
        self, played: Played
    ) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        await played.do(played.gwen, "check", acting="Laeniel", secret=True, **HARD)

        pressed = await played.press(played.alice, failed, "Lucky Break", 6)

        hers, all_ = (
            await log.page(played.table, played.alice.asks()),
            await log.page(played.table, played.gwen.asks()),
        )
        (secret,) = [one for one in all_.lines if isinstance(one, LogLine) and one.is_secret]
        hidden = [one for one in hers.lines if isinstance(one, HiddenLines)]
        assert [(one.first, one.last) for one in hidden] == [(secret.number, secret.number)]
        assert pressed.result.message.is_public

    async def test_looking_at_the_lucky_breaks_left_does_not_make_one_too_late(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        looked = await played.do(played.alice, "breaks")

        assert looked.message.headline == "has 3 of 3 Lucky Breaks left"
        assert not looked.message.is_public
        assert isinstance(await played.press(played.alice, failed, "Lucky Break", 1), Pressed)


@pytest.mark.rule("RPJ-LUCK-01", "RPJ-GM-08")
class TestSessions:
    async def test_the_session_end_lists_the_lucky_breaks_spent_and_restores_them(
        self, played: Played
    ) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        await played.press(played.alice, failed, "Lucky Break", 1)

        ended = await endings.end(played.table, played.gwen.asks())
        lines = [(one.who, one.what, one.before, one.after) for one in ended.result.message.changes]
        assert lines == [("Laeniel", "Lucky Breaks", "2", "3")]
        assert (await recap(played.table, played.gwen.asks())).turned == 0
        await sessions.start(played.table, played.gwen.asks())

        assert await played.breaks("Laeniel") == 3

    async def test_the_recap_counts_failures_rescued_by_lucky_breaks(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 2, 3, **HARD)
        turned = (await played.press(played.alice, failed, "Lucky Break", 6)).result
        await played.press(played.alice, turned, "Keep 2 and 6")

        told = await recap(played.table, played.gwen.asks())

        assert told.turned == 1
        assert "1 failure rescued" in fact_lines(told)


class TestLosingLuckyBreaksForGood:
    @pytest.mark.rule("RPJ-LUCK-05")
    async def test_a_player_agrees_to_lose_a_lucky_break_for_good_when_the_gm_offers(
        self, played: Played
    ) -> None:
        offered = await played.do(
            played.gwen, "lose_break", target="Laeniel", reason="The fall should have killed her."
        )
        assert labels(offered) == ["Give up a Lucky Break permanently · 3 → 2 per session"]
        assert (await refused(played, "Bob", offered, "Give up")).what == "That button is for Laeniel."

        given = (await played.press(played.alice, offered, "Give up")).result

        assert given.message.changes == (
            ChangeLine("Laeniel", "Lucky Breaks", "3", "2"),
            ChangeLine("Laeniel", "Lucky Breaks lost permanently", "0", "1"),
        )

    @pytest.mark.rule("RPJ-LUCK-06")
    async def test_a_lucky_break_the_gm_restores_counts_from_the_next_session(self, played: Played) -> None:
        offered = await played.do(played.gwen, "lose_break", target="Laeniel")
        await played.press(played.alice, offered, "Give up")

        back = await played.do(played.gwen, "restore_break", target="Laeniel", count=3)

        assert back.message.headline == "restores a lost Lucky Break to Laeniel"
        assert (await played.sheet("Laeniel")).lucky_breaks_lost == 0
        assert await played.breaks("Laeniel") == 2
        with pytest.raises(UserError, match="Laeniel has no permanently lost Lucky Breaks"):
            await played.do(played.gwen, "restore_break", target="Laeniel")

    async def test_only_the_gm_can_offer_restore_or_close_lucky_breaks(self, played: Played) -> None:
        for procedure in ("lose_break", "restore_break", "stand"):
            with pytest.raises(UserError):
                await played.do(played.alice, procedure, target="Laeniel")


GROUP = {"skill": "Concealment", "difficulty": "4", "members": ("Laeniel", "Ug"), "leader": "Laeniel"}


async def join(played: Played, who: Person, group: Result, label: str, *faces: int) -> Result:
    """Press the button at the group's message whose label begins so; gives what came of it."""
    seen = (await gatherings.look_closer(played.table, who.asks(), group.entry))[0]
    assert seen.gathering is not None
    name = next(one.group for one in seen.gathering.view.follow_ups if one.label.startswith(label))
    request = who.asks(played.interaction(*faces))
    await gatherings.join(played.table, request, group.entry, name)
    return await play.perform(played.table, request, "check", {})  # the same interaction: told again


async def came_to(played: Played, group: Result) -> str:
    seen = (await gatherings.look_closer(played.table, played.gwen.asks(), group.entry))[0]
    assert seen.gathering is not None
    verdict = seen.gathering.view.verdict
    return "" if verdict is None else verdict.title


@pytest.mark.rule("RPJ-SKILL-19", "RPJ-LUCK-02")
class TestLuckInAGroupCheck:
    async def test_a_member_can_turn_their_own_roll_after_the_others_have_rolled(
        self, played: Played
    ) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        assert await came_to(played, group) == "the group fails"

        await play.press(played.table, played.alice.asks(played.interaction(6)), button(failed, "Lucky"))

        assert await came_to(played, group) == "the group succeeds"
        assert await played.breaks("Laeniel") == 2

    async def test_undoing_a_members_lucky_break_fails_the_group_again(self, played: Played) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        request = played.alice.asks(played.interaction(6))
        turned = await play.press(played.table, request, button(failed, "Lucky"))

        await journal.undo(played.table, played.gwen.asks(), turned.result.entry)

        assert await came_to(played, group) == "the group fails"
        assert await played.breaks("Laeniel") == 3

    async def test_a_members_lucky_break_comes_too_late_once_they_have_acted_again(
        self, played: Played
    ) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        await played.do(played.alice, "check", skill="Concealment")

        with pytest.raises(Expired):
            await play.press(played.table, played.alice.asks(), button(failed, "Lucky"))
