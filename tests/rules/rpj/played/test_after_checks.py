"""What follows a check at a real table: criticals, retries and costs with the countdowns they move."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind
from bot.table.play import countdown_plans
from tests.rules.rpj.played.conftest import Played, labels
from tests.table.counting import a_plan, values


async def linked(played: Played, name: str, kind: Kind) -> None:
    """A countdown that every check of a skill moves."""
    plan = a_plan(name, kind, links=("check",))
    await countdown_plans.begin(played.table, played.gwen.asks(), plan)


@pytest.mark.rule("RPJ-DICE-03")
class TestCriticals:
    async def test_double_sixes_below_the_target_move_no_countdown_before_the_gm_decides(
        self, played: Played
    ) -> None:
        await linked(played, "Goal", Kind.SUCCESS)
        await linked(played, "Doom", Kind.FAILURE)

        asked = await played.do(played.bob, "check", 6, 6, skill="Alchemy", difficulty="12")
        assert await values(played.table, played.gwen) == {"Goal": "0/4", "Doom": "0/4"}

        accepted = (await played.press(played.gwen, asked, "Accept")).result
        assert accepted.message.verdict is not None
        assert accepted.message.verdict.title == "critical success, 1 degree"
        assert await values(played.table, played.gwen) == {"Goal": "1/4", "Doom": "0/4"}

    async def test_double_sixes_the_gm_overrules_count_as_a_failure(self, played: Played) -> None:
        await linked(played, "Doom", Kind.FAILURE)
        asked = await played.do(played.bob, "check", 6, 6, skill="Alchemy", difficulty="12")

        await played.press(played.gwen, asked, "Overrule")

        assert await values(played.table, played.gwen) == {"Doom": "1/4"}

    async def test_double_ones_the_gm_overrules_take_the_failure_back(self, played: Played) -> None:
        await linked(played, "Goal", Kind.SUCCESS)
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.alice, "check", 1, 1, skill="Concealment", difficulty="-5")
        assert await values(played.table, played.gwen) == {"Goal": "0/4", "Doom": "1/4"}

        await played.press(played.gwen, failed, "Overrule")

        assert await values(played.table, played.gwen) == {"Goal": "1/4", "Doom": "0/4"}

    async def test_a_player_cannot_decide_about_their_own_critical(self, played: Played) -> None:
        asked = await played.do(played.bob, "check", 6, 6, skill="Alchemy", difficulty="12")

        with pytest.raises(UserError, match="Only a GM can press that button"):
            await played.press(played.bob, asked, "Accept")


@pytest.mark.rule("RPJ-SKILL-12")
class TestFailures:
    async def test_a_retry_takes_the_first_failure_back_and_counts_itself(self, played: Played) -> None:
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.bob, "check", 1, 2, skill="Alchemy", difficulty="12")
        assert await values(played.table, played.gwen) == {"Doom": "1/4"}

        offered = (await played.press(played.gwen, failed, "Retry")).result
        assert await values(played.table, played.gwen) == {"Doom": "0/4"}
        await played.press(played.bob, offered, "Try again", 2, 1)

        assert await values(played.table, played.gwen) == {"Doom": "1/4"}

    async def test_a_success_at_a_cost_counts_as_a_success(self, played: Played) -> None:
        await linked(played, "Goal", Kind.SUCCESS)
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.bob, "check", 1, 2, skill="Alchemy", difficulty="12")

        await played.press(played.gwen, failed, "At a cost")

        assert await values(played.table, played.gwen) == {"Goal": "1/4", "Doom": "0/4"}

    async def test_a_countdown_named_for_a_check_also_follows_its_retry(self, played: Played) -> None:
        plan = a_plan("Doom", Kind.FAILURE)
        await countdown_plans.begin(played.table, played.gwen.asks(), plan)
        failed = await played.do(
            played.gwen, "check", 1, 2, skill="Alchemy", difficulty="12", acting="Ug", countdown="Doom"
        )
        offered = (await played.press(played.gwen, failed, "Retry")).result

        await played.press(played.bob, offered, "Try again", 2, 1)

        assert await values(played.table, played.gwen) == {"Doom": "1/4"}


@pytest.mark.rule("RPJ-SKILL-12", "RPJ-LUCK-03")
class TestLuckAfterTheGmsDecision:
    """F-RPJ-04: the window of a failure closes when the next try is rolled, not when it is offered."""

    @pytest.mark.parametrize("word", ["Retry", "At a cost"])
    async def test_a_lucky_break_still_turns_a_failure_after_the_gms_decision(
        self, played: Played, word: str
    ) -> None:
        await linked(played, "Goal", Kind.SUCCESS)
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="4")

        said = (await played.press(played.gwen, failed, word)).result
        assert [die.face for die in said.rolls[0].earlier] == [1, 2]
        assert said.rolls[0].dice == ()
        turned = (await played.press(played.alice, said, "Lucky Break", 6)).result

        assert [die.face for die in turned.rolls[0].earlier] == [1, 2]
        assert [die.face for die in turned.rolls[0].dice] == [6]
        assert await played.breaks("Laeniel") == 2
        assert await values(played.table, played.gwen) == {"Goal": "1/4", "Doom": "0/4"}

    async def test_a_lucky_break_comes_too_late_once_the_retry_is_rolled(self, played: Played) -> None:
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="4")
        said = (await played.press(played.gwen, failed, "Retry")).result
        await played.press(played.alice, said, "Try again", 2, 1)

        with pytest.raises(UserError, match="That has already been done"):
            await played.press(played.alice, said, "Lucky Break", 6)

        assert await played.breaks("Laeniel") == 3

    async def test_after_a_lucky_break_that_turns_nothing_the_gm_decides_again(self, played: Played) -> None:
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="4")
        said = (await played.press(played.gwen, failed, "At a cost")).result

        again = (await played.press(played.alice, said, "Lucky Break", 1)).result

        assert await values(played.table, played.gwen) == {"Doom": "1/4"}
        assert "At a cost (GM)" in labels(again)


@pytest.mark.rule("RPJ-TRAIT-02")
class TestTraitsAfterwards:
    async def test_a_trait_named_after_the_roll_turns_the_failure(self, played: Played) -> None:
        await linked(played, "Doom", Kind.FAILURE)
        failed = await played.do(played.bob, "check", 4, 3, skill="Diplomacy", difficulty="1")
        assert await values(played.table, played.gwen) == {"Doom": "1/4"}

        turned = (await played.press(played.bob, failed, "+1 negotiating prices")).result

        assert turned.message.headline == "checks Diplomacy, negotiating prices"
        assert await values(played.table, played.gwen) == {"Doom": "0/4"}
