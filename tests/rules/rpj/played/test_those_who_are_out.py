"""Those who are out at a real table: rolls for life and for waking, driven by the clock."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.defense_layers import Out
from bot.table.base.results import ChangeLine
from tests.rules.rpj.played.conftest import Played, labels
from tests.rules.rpj.played.wounds import beaten, lost, out


class TestIncapacitatedOverTime:
    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_a_bleeding_roll_is_due_every_minute(self, played: Played) -> None:
        await beaten(played)
        assert (await played.kept("Ug")).timers == {"bleeding": 60}

        due = await played.wait(90)
        assert due.message.notes == ("Ug bleeds: a roll is due.",)
        failed = (
            await played.press(played.bob, due, "Ug: roll against bleeding out against 9+ · 28%", 4, 4)
        ).result

        assert failed.message.verdict is not None
        assert failed.message.verdict.title == "still bleeding, 1 of 5"
        assert (await played.kept("Ug")).timers == {"bleeding": 120}

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_a_bleeding_roll_made_by_command_moves_the_next_one_a_minute_on(
        self, played: Played
    ) -> None:
        await beaten(played)
        await played.wait(60)

        await played.do(played.bob, "bleeding", 4, 4)

        assert (await played.kept("Ug")).timers == {"bleeding": 120}
        due = await played.wait(60)
        assert due.message.notes == ("Ug bleeds: a roll is due.",)

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_a_bleeding_roll_is_refused_before_it_is_due(self, played: Played) -> None:
        await beaten(played)
        with pytest.raises(UserError, match="Ug's next roll is due in 1 minute of game time"):
            await played.do(played.bob, "bleeding")

        await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)
        with pytest.raises(UserError, match="due in 1 minute"):
            await played.do(played.bob, "bleeding")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_the_button_of_a_bleeding_roll_made_by_command_no_longer_works(
        self, played: Played
    ) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)

        with pytest.raises(UserError, match="due in 1 minute"):
            await played.press(played.bob, due, "Ug: roll against bleeding out")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_every_minute_that_has_passed_gets_one_bleeding_roll(self, played: Played) -> None:
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
    async def test_f_opt_01_a_try_to_wake_is_refused_before_it_is_due(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        with pytest.raises(UserError, match="Ug's next roll is due in 5 minutes of game time"):
            await played.do(played.bob, "waking")

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-LUCK-02")
    async def test_a_lucky_break_saves_a_character_from_bleeding_to_death(self, played: Played) -> None:
        await beaten(played)
        result = await played.wait(600)
        for number in range(5):
            assert await out(played) is Out.INCAPACITATED, number
            result = (await played.press(played.bob, result, "Ug: roll against bleeding out", 4, 4)).result
        assert await out(played) is Out.DEAD

        saved = (await played.press(played.bob, result, "Lucky Break", 5)).result

        assert saved.message.verdict is not None
        assert saved.message.verdict.title == "stabilized"
        assert await out(played) is Out.INCAPACITATED
        assert (await played.kept("Ug")).timers == {"sleeping": 600 + 8 * 3600}

    @pytest.mark.rule("RPJ-GCS-34", "RPJ-GCS-40")
    async def test_a_stable_character_is_in_action_again_after_eight_hours(self, played: Played) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.press(played.bob, due, "Ug: roll against bleeding out", 6, 6)

        rested = await played.do(played.gwen, "rest", hours=10, who=("Ug",))

        assert ChangeLine("Ug", "State", "stable, unconscious", "in action") in rested.message.changes
        assert await lost(played) == (7,)

    @pytest.mark.rule("RPJ-GCS-35")
    async def test_a_knocked_out_character_tries_to_wake_every_five_minutes(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        due = await played.wait(600)
        asleep = (await played.press(played.bob, due, "Ug: try to wake up against 12+", 1, 2)).result
        assert labels(asleep)[-1] == "Ug: try to wake up against 11+ · 72%"
        awake = (await played.press(played.bob, asleep, "Ug: try", 3, 3)).result

        assert awake.message.changes == (ChangeLine("Ug", "State", "knocked out", "in action"),)

    async def test_a_healthy_character_cannot_roll_against_bleeding_or_to_wake(self, played: Played) -> None:
        for procedure in ("bleeding", "waking"):
            with pytest.raises(UserError):
                await played.do(played.bob, procedure)

    async def test_an_incapacitated_character_cannot_roll_damage_saves(self, played: Played) -> None:
        await beaten(played)

        with pytest.raises(UserError, match="You can't roll damage saves while incapacitated"):
            await played.do(played.bob, "save")
        with pytest.raises(UserError, match="Ug is already out of action"):
            await played.do(played.gwen, "harm", targets=("Ug",))
