"""Checks of several: help, the group check and its rescue, and actions against another's character."""

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Audience, CharacterId, Family, Roller
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from bot.rules.rpj.character.sheet import Stats
from bot.rules.rpj.checks.attempts import Assistance, assist_difficulty, assisted_difficulty, retry
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.game_parts.rpj_gm import FOES
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.teamwork.assisting import Consent, GroupCheck, GroupPart, GroupState
from bot.rules.shared.countdowns import Kind, Status
from tests.rules.rpj.people import FANTASY as FANTASY_MODULE
from tests.rules.rpj.people import figure, known, module_with, skill, with_skill
from tests.rules.rpj.table import FANTASY, d6, labels, rpj_table
from tests.rules.rpj.throws import inputs, read, thrown

LEADER = CharacterId(1)
EASY, HARD = Assistance.EASY, Assistance.HARD


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


class TestImprovisedNpcs:
    @pytest.mark.rule("RPJ-GM-01")
    @pytest.mark.parametrize(
        ("how", "trade", "fall", "note"),
        [
            ("masterful", "in it", "d2:2", "Effective level 7 (6 or 7)."),
            ("masterful", "close to it", "", "Effective level 3."),
            ("competent", "in it", "d2:1", "Effective level 4 (4 or 5)."),
            ("competent", "close to it", "", "Effective level 2."),
            ("green", "close to it", "", "Effective level 1."),
            ("green", "outside of it", "d2:1", "Effective level 0 (0 or 1)."),
        ],
    )
    def test_a_word_gives_an_improvised_npc_a_skill_level(
        self, how: str, trade: str, fall: str, note: str
    ) -> None:
        done = rpj_table().do("GM", "npc", fall, how=how, trade=trade)

        assert done.notes == (note,)
        assert not done.is_public

    @pytest.mark.rule("RPJ-GM-02")
    @pytest.mark.parametrize(
        ("how", "note"),
        [
            ("unremarkable", "Attribute level 2, bonus +0."),
            ("average", "Attribute level 3, bonus +1."),
            ("above average", "Attribute level 4, bonus +1."),
        ],
    )
    def test_a_word_gives_an_improvised_npc_an_attribute_level(self, how: str, note: str) -> None:
        assert rpj_table().do("GM", "npc", how=how).notes == (note,)

    @pytest.mark.rule("RPJ-GM-01")
    def test_an_improvised_npc_can_roll_a_skill_check_at_once(self) -> None:
        done = rpj_table().do(
            "GM", "npc", f"d2:2 {d6('3 4')}", how="masterful", what="Picking pockets", difficulty="Moderate"
        )

        assert done.headline == "improvises a masterful NPC: Picking pockets"
        assert {roll.roller for roll in done.rolls} == {Roller(name="Picking pockets")}
        assert done.is_public
        assert done.verdict is not None
        assert done.verdict.family is Family.SUCCESS
        assert (done.rolls[1].total, done.rolls[1].against) == (14, "9+")
        assert [(term.label, term.value) for term in done.rolls[1].terms] == [("Picking pockets", 7)]

    @pytest.mark.rule("RPJ-GM-02")
    def test_an_improvised_npc_can_roll_an_attribute_check_at_once(self) -> None:
        done = rpj_table().do("GM", "npc", d6("1 4"), how="unremarkable", difficulty="0")

        assert done.headline == "improvises an unremarkable NPC"
        assert done.rolls[0].roller == Roller(name="NPC")
        assert (done.rolls[0].total, done.rolls[0].against) == (7, "7+")


@pytest.mark.rule("RPJ-GM-01", "RPJ-GM-02")
class TestFoes:
    """A foe of a level is as good as an improvised NPC at what fights use."""

    @pytest.mark.parametrize(
        ("level", "attribute", "effective"),
        [(FoeLevel.WEAK, 2, 2), (FoeLevel.ABLE, 3, 4), (FoeLevel.STRONG, 4, 6), (FoeLevel.MIGHTY, 4, 7)],
    )
    def test_a_foe_has_the_levels_of_an_improvised_npc(
        self, level: FoeLevel, attribute: int, effective: int
    ) -> None:
        own = FOES.give(FOES.make(level, FANTASY), level, ("Bow", "Club"), FANTASY)
        made = Stats(own, FANTASY_MODULE)

        assert own.attributes == dict.fromkeys(RpjAttribute, attribute)
        wanted = {one.id for one in module_in(FANTASY).skills if one.roles} | {"archery", "blunt_weapons"}
        assert {one.skill for one in own.skills} == wanted
        assert {made.effective_level(skill(one.skill)) for one in own.skills} == {effective}

    def test_a_foe_is_given_each_weapon_once(self) -> None:
        own = FOES.make(FoeLevel.WEAK, FANTASY)

        for names in (("Bow", "Club"), ("Bow",)):
            own = FOES.give(own, FoeLevel.WEAK, names, FANTASY)

        assert sorted(own.belongings) == ["bow", "club"]
        assert set(FOES.things(FANTASY)) == {one.name for one in FANTASY_MODULE.weapons}

    def test_a_foes_skill_with_specialties_has_one_of_them(self) -> None:
        rows = [
            {**row, "roles": ["attack"]} if row["id"] == "crafting" else row
            for row in FANTASY_MODULE.model_dump(mode="json")["skills"]
        ]
        settings = FANTASY.with_module(module_with(skills=rows)).model_copy(update={"module": "own"})
        crafting = FOES.make(FoeLevel.ABLE, settings).own_skill("crafting")
        shipped = skill("crafting")

        assert crafting is not None
        assert crafting.specialty == (*shipped.specialties, *shipped.examples)[0]
        assert all(
            not one.specialty for one in FOES.make(FoeLevel.ABLE, settings).skills if one.skill != "crafting"
        )

    def test_a_foe_made_anew_has_no_conditions(self) -> None:
        table = rpj_table(conditions=True)
        table.do("GM", "condition.add", target="Ogre", name="In a Net", surely=True)

        assert FOES.fresh(table.named("Ogre").sheet).conditions == ()


@pytest.mark.rule("RPJ-GM-03")
class TestCheckIntoCountdown:
    def test_a_successful_check_can_start_a_duel_of_countdowns(self) -> None:
        table = rpj_table()
        done = table.do("Laeniel", "check", d6("4 3"), skill="concealment")
        button = done.follow_ups[-1]

        duel = table.press("GM Laeniel", button)

        assert (button.label, button.audience) == ("Countdown (GM)", Audience.GM)
        assert [(one.name, one.kind, one.difficulty, one.value) for one in duel.countdowns] == [
            ("Concealment", Kind.SUCCESS, 4, 1),
            ("Concealment: complication", Kind.FAILURE, 2, 0),
        ]
        assert duel.notes == (
            "4 successes win, 2 failures lose; this check counts.",
            "For further checks, choose the countdown “Concealment”.",
        )

    def test_a_failed_check_starts_a_duel_with_one_failure(self) -> None:
        table = rpj_table()
        done = table.do("Ug", "check", d6("1 2"), skill="Alchemy")

        duel = table.press("GM Ug", done.follow_ups[-1])

        assert [one.value for one in duel.countdowns] == [0, 1]
        assert {one.status for one in duel.countdowns} == {Status.RUNNING}

    def test_a_check_the_gm_has_not_decided_cannot_start_a_countdown(self) -> None:
        undecided = rpj_table().do("Ug", "check", d6("6 6"), skill="Alchemy", difficulty="12")

        assert "Countdown (GM)" not in labels(undecided)


@pytest.mark.rule("RPJ-SKILL-13")
class TestAssistance:
    @pytest.mark.parametrize(("main", "easy", "hard"), [(5, 2, 3), (6, 2, 3)])
    def test_a_helper_chooses_a_third_or_half_of_the_difficulty(
        self, main: int, easy: int, hard: int
    ) -> None:
        assert (assist_difficulty(EASY, main), assist_difficulty(HARD, main)) == (easy, hard)

    @pytest.mark.parametrize("assistance", Assistance)
    def test_a_failed_assist_leaves_the_difficulty_unchanged(self, assistance: Assistance) -> None:
        assert assisted_difficulty(assistance, 5, read(inputs(0, 9), 1, 1)) == 5

    def test_a_helper_rolls_the_same_skill_with_their_own_bonuses(self) -> None:
        helper = figure(
            "DEX 3", skills=[known("crafting", 1, "Wood")], class_skills=["crafting/Wood"], traits=["haggler"]
        )
        asked = skill_check(helper, skill("crafting"), Situation(difficulty=assist_difficulty(EASY, 5)))

        assert (asked.target, asked.modifier) == (9, 3)

    def test_a_character_who_cannot_use_a_skill_cannot_assist_with_it(self) -> None:
        strict = with_skill(FANTASY_MODULE, "alchemy", usable_at_zero=False)

        with pytest.raises(UserError, match="You can't use Alchemy untrained"):
            skill_check(figure("INT 3", strict), skill("alchemy", strict))


@pytest.mark.rule("RPJ-SKILL-14")
class TestEasyAssistance:
    @pytest.mark.parametrize(("main", "difficulty"), [(5, 2), (1, 1), (0, 0), (7, 3), (-1, 0)])
    def test_an_easy_assist_has_a_third_of_the_difficulty_rounded_up(
        self, main: int, difficulty: int
    ) -> None:
        assert assist_difficulty(EASY, main) == difficulty

    def test_a_successful_easy_assist_lowers_the_difficulty_by_1(self) -> None:
        assert assisted_difficulty(EASY, 5, read(inputs(4, 9), 6, 5)) == 4

    def test_a_total_of_11_succeeds_only_with_the_easy_assist(self) -> None:
        assert read(inputs(4, 11), 3, 4).result is RpjResult.EXACT
        assert read(inputs(4, 12), 3, 4).result is RpjResult.FAILURE


@pytest.mark.rule("RPJ-SKILL-15")
class TestHardAssistance:
    @pytest.mark.parametrize(("main", "difficulty"), [(6, 3), (5, 3)])
    def test_a_hard_assist_has_half_of_the_difficulty_rounded_up(self, main: int, difficulty: int) -> None:
        assert assist_difficulty(HARD, main) == difficulty

    @pytest.mark.parametrize(
        ("main", "level", "faces", "left"),
        [
            (6, 7, (3, 4), 2),
            (6, 3, (3, 4), 6),
            (6, 1, (6, 6), 2),
            (2, 7, (3, 4), -2),
        ],
    )
    def test_a_successful_hard_assist_lowers_the_difficulty_by_its_degrees(
        self, main: int, level: int, faces: tuple[int, int], left: int
    ) -> None:
        helped = read(inputs(level, 10), *faces)

        assert assisted_difficulty(HARD, main, helped) == left


@pytest.mark.rule("RPJ-SKILL-12")
class TestRetryingAFailure:
    @pytest.mark.parametrize(("harder", "target"), [(1, 10), (0, 9), (2, 11)])
    def test_a_retry_can_be_harder_and_starts_with_two_new_dice(self, harder: int, target: int) -> None:
        failed = inputs(0, 9, fallen=(1, 2, 3), has_extra_die=True, kept=(0, 2))

        again = retry(failed, harder)

        assert again.target == target
        assert len(thrown(again, 3, 4).dice) == 2

    def test_a_retry_is_one_harder_by_default(self) -> None:
        assert retry(inputs(0, 9)).difficulty == 3
