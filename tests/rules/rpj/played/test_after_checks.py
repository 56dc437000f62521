"""What follows a check at a real table: criticals, retries and costs with the countdowns they move."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind
from bot.table.base.results import Result
from bot.table.journal import journal
from bot.table.play import countdown_actions, countdown_plans, play
from bot.table.play import countdown_plans as boards
from bot.table.requests import gatherings
from tests.rules.rpj.played.conftest import Played, button, labels
from tests.rules.rpj.played.test_lucky_breaks import join
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


GROUP = {"skill": "Concealment", "difficulty": "4", "members": ("Laeniel", "Ug"), "leader": "Laeniel"}
HELPED = {"skill": "Concealment", "difficulty": "4"}


async def begin(played: Played, link: str) -> None:
    """Two countdowns that a check moves: the one by success, the other by failure."""
    for name, kind in (("Goal", Kind.SUCCESS), ("Alarm", Kind.FAILURE)):
        plan = a_plan(name, kind, links=(link,) if link else ())
        await countdown_plans.begin(played.table, played.gwen.asks(), plan)


async def stand(played: Played) -> str:
    """How far both are: "Goal, Alarm"."""
    found = await values(played.table, played.gwen)
    return f"{found['Goal'][0]} {found['Alarm'][0]}"


async def a_failed_group(played: Played) -> tuple[Result, Result]:
    """The group, and the leader's failed roll."""
    group = await played.do(played.gwen, "group", **GROUP)
    failed = await join(played, played.alice, group, "Laeniel", 1, 2)
    await join(played, played.bob, group, "Ug", 1, 2)
    return group, failed


@pytest.mark.rule("RPJ-COUNT-10", "RPJ-SKILL-18")
class TestGroupChecks:
    @pytest.mark.parametrize("link", ["check", "group"])
    async def test_a_group_check_counts_once_by_the_groups_result(self, played: Played, link: str) -> None:
        """F-RPJ-02, R-051."""
        await begin(played, link)
        group = await played.do(played.gwen, "group", **GROUP)
        await join(played, played.alice, group, "Laeniel", 1, 2)
        assert await stand(played) == "0 0"

        last = await join(played, played.bob, group, "Ug", 1, 2)

        assert [(one.what, one.before, one.after) for one in last.message.changes] == [
            ("Alarm", "0", "1 of 4 ◼◻◻◻")
        ]
        assert await stand(played) == "0 1"

    async def test_a_group_check_counts_once_even_when_the_gm_closes_it(self, played: Played) -> None:
        await begin(played, "check")
        group, _failed = await a_failed_group(played)

        await join(played, played.gwen, group, "Close")

        assert await stand(played) == "0 1"

    @pytest.mark.rule("RPJ-SKILL-19", "RPJ-LUCK-02")
    async def test_a_lucky_break_that_turns_a_group_check_takes_its_failure_back(
        self, played: Played
    ) -> None:
        await begin(played, "check")
        _group, failed = await a_failed_group(played)

        request = played.alice.asks(played.interaction(6))
        turned = await play.press(played.table, request, button(failed, "Lucky"))

        assert await stand(played) == "1 0"
        await journal.undo(played.table, played.gwen.asks(), turned.result.entry)
        assert await stand(played) == "0 1"

    @pytest.mark.rule("RPJ-SKILL-19")
    async def test_a_failure_turned_for_another_member_takes_the_groups_failure_back(
        self, played: Played
    ) -> None:
        await begin(played, "group")
        members = ("Laeniel", "Ug", "Ogre")
        group = await played.do(played.gwen, "group", **{**GROUP, "members": members})
        await join(played, played.alice, group, "Laeniel", 5, 5)
        await join(played, played.bob, group, "Ug", 1, 2)
        await join(played, played.gwen, group, "Ogre", 1, 2)
        assert await stand(played) == "0 1"

        await join(played, played.bob, group, "Turn Ogre")

        assert await stand(played) == "1 0"

    async def test_the_last_member_to_roll_can_also_turn_the_group_check(self, played: Played) -> None:
        await begin(played, "check")
        group = await played.do(played.gwen, "group", **{**GROUP, "difficulty": "0"})
        await join(played, played.bob, group, "Ug", 1, 2)
        failed = await join(played, played.alice, group, "Laeniel", 1, 1)
        assert await stand(played) == "0 1"

        accepted = await play.press(played.table, played.gwen.asks(), button(failed, "Overrule"))

        assert accepted.result.message.verdict is not None
        assert await stand(played) == "1 0"

    async def test_a_countdown_can_be_named_for_a_whole_group_check(self, played: Played) -> None:
        await begin(played, "")
        group = await played.do(played.gwen, "group", **GROUP, countdown="Alarm")
        await join(played, played.alice, group, "Laeniel", 1, 2)
        assert await stand(played) == "0 0"

        await join(played, played.bob, group, "Ug", 1, 2)

        assert await stand(played) == "0 1"

    async def test_a_members_roll_in_a_group_check_does_not_count_as_a_check_of_its_own(
        self, played: Played
    ) -> None:
        await begin(played, "check")
        group = await played.do(played.gwen, "group", **GROUP)
        await join(played, played.alice, group, "Laeniel", 5, 5)
        await join(played, played.bob, group, "Ug", 1, 2)

        assert await stand(played) == "1 0"


@pytest.mark.rule("RPJ-COUNT-10", "RPJ-COUNT-11", "RPJ-SKILL-13")
class TestAssistedChecks:
    @pytest.mark.parametrize("link", ["check", "assisted"])
    async def test_an_assisted_check_counts_by_the_main_roll_alone(self, played: Played, link: str) -> None:
        """F-RPJ-02, R-051."""
        await begin(played, link)
        asked = await played.do(played.alice, "assisted", **HELPED)
        await join(played, played.bob, asked, "Help, easy", 1, 2)
        assert await stand(played) == "0 0"

        main = await join(played, played.alice, asked, "Laeniel: roll", 1, 2)

        assert await stand(played) == "0 1"
        await play.press(played.table, played.alice.asks(played.interaction(6)), button(main, "Lucky"))
        assert await stand(played) == "1 0"

    async def test_an_assisting_roll_counts_if_the_gm_links_it(self, played: Played) -> None:
        """R-051."""
        await begin(played, "assist")
        asked = await played.do(played.alice, "assisted", **HELPED)

        await join(played, played.bob, asked, "Help, easy", 1, 2)

        assert await stand(played) == "0 1"

    async def test_a_countdown_named_for_an_assisted_check_follows_the_main_roll(
        self, played: Played
    ) -> None:
        await begin(played, "")
        asked = await played.do(played.alice, "assisted", **HELPED, countdown="Alarm")
        await join(played, played.bob, asked, "Help, easy", 1, 2)
        assert await stand(played) == "0 0"

        await join(played, played.alice, asked, "Laeniel: roll", 1, 2)

        assert await stand(played) == "0 1"


@pytest.mark.rule("RPJ-COUNT-10", "RPJ-SKILL-16")
class TestOpposedChecks:
    @pytest.mark.parametrize("link", ["check", "opposed"])
    async def test_an_opposed_check_against_an_npc_is_rolled_and_counted_at_once(
        self, played: Played, link: str
    ) -> None:
        """F-RPJ-02."""
        await begin(played, link)

        await played.do(played.alice, "opposed", 1, 2, skill="Intimidate", target="Ogre")

        assert await stand(played) == "0 1"

    @pytest.mark.parametrize("link", ["check", "opposed"])
    async def test_an_opposed_check_against_a_player_counts_once_both_have_rolled(
        self, played: Played, link: str
    ) -> None:
        """F-RPJ-02."""
        await begin(played, link)
        asked = await played.do(played.alice, "opposed", skill="Intimidate", target="Ug")
        skill = play.Given("intimidate")
        await gatherings.join(played.table, played.bob.asks(), asked.entry, "stand", skill)
        await join(played, played.gwen, asked, "Agree")

        await join(played, played.alice, asked, "Laeniel: roll", 1, 2)

        assert await stand(played) == "0 1"


class TestLinking:
    async def test_the_link_menu_offers_every_kind_of_check(self, played: Played) -> None:
        """F-RPJ-02."""
        offered = await boards.link_choices(played.table, played.gwen.asks(), "")

        assert [one.value for one in offered] == (
            ["assist", "assisted", "attribute", "check", "group", "luck", "opposed", "save"]
        )

    @pytest.mark.parametrize("word", ["roll", "banana", "group_roll", "improve_skill"])
    async def test_linking_a_countdown_to_something_that_is_no_check_is_refused(
        self, played: Played, word: str
    ) -> None:
        """F-RPJ-02."""
        await begin(played, "")

        with pytest.raises(UserError, match=f"has no check called “{word}”") as refused:
            await countdown_actions.link(played.table, played.gwen.asks(), "Alarm", word, is_linked=True)

        assert refused.value.allowed.startswith("Its checks: assist, assisted, attribute, check")
