"""The group check, its rescue, and actions of one player's character against another's."""

import pytest
from pydantic import ValidationError

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.teamwork.assisting import Consent, GroupCheck, GroupPart, GroupState
from tests.rules.rpj.throws import inputs, read

LEADER = CharacterId(1)


def group(*succeeded: bool, is_closed: bool = False) -> GroupCheck:
    """A group in which everybody has rolled; the first leads."""
    members = tuple(CharacterId(number + 1) for number in range(len(succeeded)))
    parts = tuple(
        GroupPart(member=member, succeeded=one) for member, one in zip(members, succeeded, strict=True)
    )
    return GroupCheck(members=members, leader=LEADER, parts=parts, is_closed=is_closed)


@pytest.mark.rule("RPJ-SKILL-18")
class TestGroupCheck:
    @pytest.mark.parametrize(
        ("succeeded", "state"),
        [
            ((True, False, False), GroupState.RESCUE),
            ((True, True, False), GroupState.SUCCESS),
            ((True, True, False, False), GroupState.SUCCESS),
            ((False, True, False, False), GroupState.FAILURE),
            ((True, True, False, False, False), GroupState.RESCUE),
            ((False, True), GroupState.SUCCESS),
            ((True,), GroupState.SUCCESS),
            ((False,), GroupState.FAILURE),
        ],
    )
    def test_a_group_check_needs_half_of_its_members_to_succeed(
        self, succeeded: tuple[bool, ...], state: GroupState
    ) -> None:
        assert group(*succeeded).state is state

    def test_one_success_of_three_leaves_the_gorge_check_open_to_a_rescue(self) -> None:
        rolls = [read(inputs(total - 7, 11), 3, 4) for total in (13, 9, 10)]

        check = group(*(roll.result.is_success for roll in rolls))

        assert [roll.result for roll in rolls] == [RpjResult.SUCCESS, RpjResult.FAILURE, RpjResult.FAILURE]
        assert (check.successes, check.needed, check.state) == (1, 2, GroupState.RESCUE)

    def test_a_group_check_waits_until_everyone_has_rolled(self) -> None:
        half = (GroupPart(member=LEADER, succeeded=True),)

        check = GroupCheck(members=(LEADER, CharacterId(2)), leader=LEADER, parts=half)
        assert check.state is GroupState.ROLLING

    def test_a_group_check_nobody_rescues_fails_when_the_gm_ends_it(self) -> None:
        assert group(True, False, False, False, is_closed=True).state is GroupState.FAILURE

    @pytest.mark.parametrize("members", [(2, 3), (1, 1)])
    def test_the_leader_of_a_group_check_must_be_a_member(self, members: tuple[int, ...]) -> None:
        with pytest.raises(
            ValidationError, match="The leader must be one of the members, and no member can be named twice"
        ):
            GroupCheck(members=tuple(CharacterId(member) for member in members), leader=LEADER)


@pytest.mark.rule("RPJ-SKILL-19")
class TestGroupRescue:
    def test_turning_one_failure_rescues_a_group_of_three(self) -> None:
        assert group(True, False, False).turned(CharacterId(2)).state is GroupState.SUCCESS

    def test_a_group_of_five_may_need_two_failures_turned(self) -> None:
        once = group(True, False, False, False, False).turned(CharacterId(2))

        assert (once.successes, once.state) == (2, GroupState.RESCUE)
        assert once.turned(CharacterId(3)).state is GroupState.SUCCESS

    def test_no_failure_can_be_turned_when_the_leader_failed(self) -> None:
        with pytest.raises(UserError) as refused:
            group(False, False, False).turned(CharacterId(2))

        assert refused.value.sentences == (
            "You can't turn a failure of this group check now.",
            "That is possible once everyone has rolled, if fewer than half succeeded but the leader did.",
        )

    @pytest.mark.parametrize("member", [1, 9])
    def test_only_a_members_failure_can_be_turned(self, member: int) -> None:
        with pytest.raises(UserError, match="That member has no failure to turn"):
            group(True, False, False).turned(CharacterId(member))

    def test_a_members_failure_is_turned_only_once(self) -> None:
        once = group(True, False, False, False, False).turned(CharacterId(2))

        with pytest.raises(UserError, match="That member has no failure to turn"):
            once.turned(CharacterId(2))

    def test_a_group_check_ended_by_the_gm_cannot_be_rescued(self) -> None:
        with pytest.raises(UserError):
            group(True, False, False, is_closed=True).turned(CharacterId(2))


@pytest.mark.rule("RPJ-SKILL-17")
class TestPlayersAgainstPlayers:
    @pytest.mark.parametrize(
        ("target", "gm", "missing"),
        [
            (False, True, "the target's player"),
            (True, False, "the GM"),
            (False, False, "the target's player and the GM"),
        ],
    )
    def test_a_check_against_another_player_waits_until_the_target_and_the_gm_agree(
        self, target: bool, gm: bool, missing: str
    ) -> None:
        with pytest.raises(UserError) as refused:
            Consent(target=target, gm=gm).assert_given()

        assert refused.value.what == f"Still waiting for {missing} to agree."

    def test_a_check_against_another_player_may_go_ahead_once_both_agree(self) -> None:
        Consent(target=True, gm=True).assert_given()
