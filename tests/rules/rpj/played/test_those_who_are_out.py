"""Those who are out at a real table: rolls for life and for waking, driven by the clock."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.defense_layers import Out
from bot.table.base.results import ChangeLine
from tests.rules.rpj.played.conftest import Played, labels
from tests.rules.rpj.played.wounds import beaten, lost, out


class TestThoseWhoAreOut:
    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_every_minute_they_roll_for_their_lives(self, played: Played) -> None:
        await beaten(played)
        assert (await played.kept("Ug")).timers == {"bleeding": 60}

        due = await played.wait(90)
        assert due.told.notes == ("Ug bleeds: a roll is due.",)
        failed = (
            await played.press(played.bob, due, "Ug: roll against bleeding out against 9+ · 28%", 4, 4)
        ).result

        assert failed.told.verdict is not None
        assert failed.told.verdict.title == "still bleeding, 1 of 5"
        assert (await played.kept("Ug")).timers == {"bleeding": 120}

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_the_clock_goes_on_with_the_next_roll_after_one_that_was_asked_for(
        self, played: Played
    ) -> None:
        await beaten(played)
        await played.wait(60)

        await played.do(played.bob, "bleeding", 4, 4)

        assert (await played.kept("Ug")).timers == {"bleeding": 120}
        due = await played.wait(60)
        assert due.told.notes == ("Ug bleeds: a roll is due.",)

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_nobody_bleeds_faster_than_the_clock(self, played: Played) -> None:
        await beaten(played)
        with pytest.raises(UserError, match="Ug's next roll is due in 1 minute of game time"):
            await played.do(played.bob, "bleeding")

        await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)
        with pytest.raises(UserError, match="due in 1 minute"):
            await played.do(played.bob, "bleeding")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_the_button_of_a_roll_that_was_typed_is_worth_nothing(
        self, played: Played
    ) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)

        with pytest.raises(UserError, match="due in 1 minute"):
            await played.press(played.bob, due, "Ug: roll against bleeding out")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_every_minute_that_has_passed_is_rolled_for_once(self, played: Played) -> None:
        await beaten(played)
        first = await played.wait(150)
        typed = await played.do(played.bob, "bleeding", 4, 4)
        assert labels(typed)[-1] == "Ug: roll against bleeding out against 9+ · 28%"

        with pytest.raises(UserError, match="This roll has already been made"):
            await played.press(played.bob, first, "Ug: roll against bleeding out")
        await played.press(played.bob, typed, "Ug: roll against bleeding out", 4, 4)

        assert (await played.sheet("Ug")).health.bleeding == 2
        assert (await played.kept("Ug")).timers == {"bleeding": 180}
        with pytest.raises(UserError, match="due in 1 minute"):
            await played.do(played.bob, "bleeding")

    @pytest.mark.rule("RPJ-GCS-35")
    async def test_f_opt_01_nobody_tries_to_wake_before_it_is_time(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        with pytest.raises(UserError, match="Ug's next roll is due in 5 minutes of game time"):
            await played.do(played.bob, "waking")

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-LUCK-02")
    async def test_a_lucky_break_saves_from_death(self, played: Played) -> None:
        await beaten(played)
        result = await played.wait(600)
        for number in range(5):
            assert await out(played) is Out.INCAPACITATED, number
            result = (await played.press(played.bob, result, "Ug: roll against bleeding out", 4, 4)).result
        assert await out(played) is Out.DEAD

        saved = (await played.press(played.bob, result, "Lucky Break", 5)).result

        assert saved.told.verdict is not None
        assert saved.told.verdict.title == "stabilized"
        assert await out(played) is Out.INCAPACITATED
        assert (await played.kept("Ug")).timers == {"sleeping": 600 + 8 * 3600}

    @pytest.mark.rule("RPJ-GCS-34", "RPJ-GCS-40")
    async def test_after_eight_hours_they_are_back(self, played: Played) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.press(played.bob, due, "Ug: roll against bleeding out", 6, 6)

        rested = await played.do(played.gwen, "rest", hours=10, who=("Ug",))

        assert ChangeLine("Ug", "State", "stable, unconscious", "in action") in rested.told.changes
        assert await lost(played) == (7,)

    @pytest.mark.rule("RPJ-GCS-35")
    async def test_the_knocked_out_try_to_wake_every_five_minutes(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        due = await played.wait(600)
        asleep = (await played.press(played.bob, due, "Ug: try to wake up against 12+", 1, 2)).result
        assert labels(asleep)[-1] == "Ug: try to wake up against 11+ · 72%"
        awake = (await played.press(played.bob, asleep, "Ug: try", 3, 3)).result

        assert awake.told.changes == (ChangeLine("Ug", "State", "knocked out", "in action"),)

    async def test_nobody_else_rolls_so(self, played: Played) -> None:
        for procedure in ("bleeding", "waking"):
            with pytest.raises(UserError):
                await played.do(played.bob, procedure)

    async def test_who_is_out_rolls_no_saves(self, played: Played) -> None:
        await beaten(played)

        with pytest.raises(UserError, match="You can't roll damage saves while incapacitated"):
            await played.do(played.bob, "save")
        with pytest.raises(UserError, match="Ug is already out of action"):
            await played.do(played.gwen, "harm", targets=("Ug",))
