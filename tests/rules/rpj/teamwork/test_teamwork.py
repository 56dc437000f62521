"""Flashbacks and group checks at one message: proposed, joined, rolled by everybody, rescued."""

import pytest

from bot.rules.kernel.gathering import SharedResult
from bot.rules.rpj.character.lucky_breaks import LUCKY_GROUP
from bot.rules.rpj.teamwork.assisting import Assisted, result_of_assisted
from bot.rules.rpj.teamwork.flashbacks import Proposed
from bot.rules.rpj.teamwork.group_checks import RpjRolling, result_of_group
from tests.rules.gathering import Together, leaves, opened
from tests.rules.rpj.table import LAENIEL, UG, GameTable, breaks, d6, rpj_table

WORDS = "hid the cargo under the floor"
THREE = ("Laeniel", "Ug", "Mira")
HIGH, LOW = d6("6 5"), d6("1 2")


@pytest.fixture
def table() -> GameTable:
    return rpj_table()


def proposed(table: GameTable, who: str = "Laeniel") -> Together:
    return opened(table, table.do(who, "flashback", words=WORDS))


@pytest.mark.rule("RPJ-LUCK-04")
class TestFlashback:
    def test_a_flashback_costs_nothing_until_the_gm_allows_it(self, table: GameTable) -> None:
        asked = proposed(table)

        assert asked.labels == [
            "Allow it · Lucky Breaks 3 → 1 (GM)",
            "Deny … (GM)",
            "Join · costs you 2 Lucky Breaks",
        ]
        assert breaks(table, "Laeniel") == 3

    def test_a_flashback_is_paid_when_the_gm_allows_it(self, table: GameTable) -> None:
        asked = proposed(table)

        asked.press("GM", "Allow it")

        assert (asked.verdict, asked.labels, breaks(table, "Laeniel")) == ("allowed", [], 1)
        assert (
            table.refused("GM", "allow_flashback", at=asked.key).what
            == "This flashback has already been decided."
        )

    def test_a_player_cannot_propose_or_join_a_flashback_they_cannot_pay(self, table: GameTable) -> None:
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))

        assert (
            table.refused("Ug", "flashback", words=WORDS).what
            == "That costs 2 Lucky Breaks; you have 1 left."
        )
        assert table.refused("Ug", "join_flashback", at=proposed(table).key)

    def test_each_player_who_joins_a_flashback_pays_for_themselves(self, table: GameTable) -> None:
        asked = proposed(table)
        asked.press("Ug", "Join")
        assert asked.labels[0] == "Allow it · 2 Lucky Breaks each (GM)"
        assert asked.view().lines[0] == "With Ug."
        assert table.refused("Ug", "join_flashback", at=asked.key).what == "Ug has already joined."

        asked.press("GM", "Allow it")

        assert (breaks(table, "Laeniel"), breaks(table, "Ug")) == (1, 0)

    def test_ten_characters_at_most_can_take_part_in_a_flashback(self, table: GameTable) -> None:
        asked = proposed(table)
        kept = table.scene.document(asked.key)
        assert isinstance(kept, Proposed)
        full = kept.model_copy(update={"joined": (table.named("Ogre").id,) * 9})
        table.scene = table.scene.with_document(asked.key, full)

        assert not [label for label in asked.labels if label.startswith("Join")]
        refused = table.refused("Ug", "join_flashback", at=asked.key)
        assert refused.what == "This flashback is full: 10 characters take part."

    def test_a_player_who_cannot_pay_is_named_and_the_flashback_allowed_without_them(
        self, table: GameTable
    ) -> None:
        """F-RPJ-08."""
        asked = proposed(table)
        asked.press("Ug", "Join")
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))

        assert asked.view().lines[1] == "Ug can't pay: 1 of 2 Lucky Breaks left."
        assert asked.labels[0] == "Allow it without Ug · Lucky Breaks 3 → 1 (GM)"
        asked.press("GM", "Allow it without Ug")

        assert (breaks(table, "Laeniel"), breaks(table, "Ug")) == (1, 1)
        assert (asked.verdict, asked.view().lines) == ("allowed", ("Laeniel: Lucky Breaks 3 → 1",))

    def test_whoever_can_pay_takes_part_in_an_allowed_flashback(self, table: GameTable) -> None:
        key = proposed(table).key
        kept = table.scene.document(key)
        assert isinstance(kept, Proposed)
        joined = (table.ids["Ug"], table.ids["Ogre"])
        table.scene = table.scene.with_document(key, kept.model_copy(update={"joined": joined}))

        table.do("GM", "allow_flashback", at=key)

        after = table.scene.document(key)
        assert isinstance(after, Proposed)
        assert after.members == (table.ids["Laeniel"], table.ids["Ug"])

    def test_whoever_has_left_cannot_pay_for_a_flashback(self, table: GameTable) -> None:
        asked = proposed(table)
        asked.press("Ug", "Join")
        leaves(table, "Ug")

        assert asked.view().lines[1].endswith("can't pay: 0 of 2 Lucky Breaks left.")

    def test_a_flashback_nobody_can_pay_cannot_be_allowed(self, table: GameTable) -> None:
        """F-RPJ-08."""
        asked = proposed(table)
        table.scene = table.scene.with_character(table.named("Laeniel").with_resource("lucky_breaks", 1))

        assert asked.labels[0] == "Deny … (GM)"
        refused = table.refused("GM", "allow_flashback", at=asked.key)
        assert refused.what == "Laeniel can't pay: 1 of 2 Lucky Breaks left."

    def test_a_player_may_leave_a_flashback_and_the_next_one_takes_it_over(self, table: GameTable) -> None:
        """F-RPJ-08."""
        asked = proposed(table)
        assert not [label for label in asked.labels if label.startswith("Leave")]
        asked.press("Ug", "Join")

        asked.press("Laeniel", "Leave")

        assert asked.labels[0] == "Allow it · Lucky Breaks 2 → 0 (GM)"
        assert table.refused("Laeniel", "leave_flashback", at=asked.key)
        assert table.refused("Ug", "leave_flashback", at=asked.key).what == "Nobody else has joined."
        asked.press("GM", "Allow it")
        assert (breaks(table, "Laeniel"), breaks(table, "Ug")) == (3, 0)

    @pytest.mark.parametrize(
        ("who", "left"),
        [("Laeniel", ["Ug", "Ogre"]), ("Ug", ["Laeniel", "Ogre"]), ("GM Ogre", ["Laeniel", "Ug"])],
    )
    def test_the_others_stay_in_a_flashback_that_somebody_leaves(
        self, table: GameTable, who: str, left: list[str]
    ) -> None:
        key = proposed(table).key
        kept = table.scene.document(key)
        assert isinstance(kept, Proposed)
        joined = (table.ids["Ug"], table.ids["Ogre"])
        table.scene = table.scene.with_document(key, kept.model_copy(update={"joined": joined}))

        table.do(who, "leave_flashback", at=key)

        after = table.scene.document(key)
        assert isinstance(after, Proposed)
        assert after.members == tuple(table.ids[name] for name in left)

    @pytest.mark.rule("RPJ-GM-05")
    def test_a_denied_flashback_costs_nothing_and_comes_with_a_reason(self, table: GameTable) -> None:
        asked = proposed(table)
        assert [blank.prompt for blank in asked.button("Deny").blanks] == [
            "Why not?",
            "What could they do instead?",
        ]
        assert table.refused("GM", "deny_flashback", at=asked.key)

        asked.press("GM", "Deny", reason="The guards searched it.")

        assert (asked.verdict, breaks(table, "Laeniel")) == ("denied", 3)
        assert asked.view().lines == ("The guards searched it.", "It costs nothing.")


def basket(table: GameTable, helper: str | None = "Laeniel", difficulty: str = "5") -> Together:
    """Ug weaves a basket (Crafting), difficulty 5."""
    options = {} if helper is None else {"helper": helper}
    return opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty=difficulty, **options))


def kept(asked: Together) -> Assisted:
    found = asked.table.scene.document(asked.key)
    assert isinstance(found, Assisted)
    return found


@pytest.mark.rule("RPJ-SKILL-13")
class TestAssisting:
    def test_the_helper_has_an_easy_and_a_hard_button_with_their_chances(self, table: GameTable) -> None:
        asked = basket(table)

        assert asked.labels == [
            "Laeniel: help, easy 9+ · 83%",
            "Laeniel: help, hard 10+ · 72%",
            "Ug: roll alone against 12+ · 3%",
        ]
        assert asked.verdict is None
        assert asked.view().lines == (
            "Easy (9+): difficulty −1. Hard (10+): difficulty −1 per degree of success.",
        )

    def test_without_a_named_helper_the_first_to_press_helps(self, table: GameTable) -> None:
        asked = basket(table, helper=None)
        assert asked.labels[:2] == ["Help, easy 9+", "Help, hard 10+"]

        asked.press("Laeniel", "Help, easy", d6("3 5"))

        assert [part.who for part in asked.view().parts] == ["Laeniel"]
        assert table.refused("Ogre", "assist", at=asked.key, how="easy").what == (
            "It is too late to help: someone has helped, or the check is rolled."
        )

    def test_a_failed_assist_leaves_the_target_number_unchanged(self, table: GameTable) -> None:
        asked = basket(table)

        asked.press("Laeniel", "Laeniel: help, hard", d6("1 2"))

        assert asked.view().lines == ("It stays at 12+.",)
        assert asked.labels[0].startswith("Ug: roll against 12+ · ")

    def test_a_player_cannot_help_themselves(self, table: GameTable) -> None:
        asked = basket(table, helper=None)

        assert (
            table.refused("Ug", "assisted", skill="Crafting", helper="Ug").what == "You can't help yourself."
        )
        assert table.refused("Ug", "assist", at=asked.key, how="easy").what == "You can't help yourself."

    def test_a_player_may_roll_without_waiting_for_help(self, table: GameTable) -> None:
        asked = basket(table)

        asked.press("Ug", "Ug: roll alone", d6("6 5"))

        assert (asked.labels, [part.who for part in asked.view().parts]) == ([], ["Ug"])
        assert table.refused("Laeniel", "assist", at=asked.key, how="hard")
        assert (
            table.refused("Ug", "assisted_main", at=asked.key).what == "This check has already been rolled."
        )

    @pytest.mark.rule("RPJ-COUNT-10", "RPJ-COUNT-11")
    @pytest.mark.parametrize(("fall", "passed"), [("6 5", True), ("1 2", False)])
    def test_the_main_check_counts_for_whoever_makes_it_once_it_is_rolled(
        self, table: GameTable, fall: str, passed: bool
    ) -> None:
        asked = basket(table)
        asked.press("Laeniel", "Laeniel: help, easy", d6("6 5"))
        before = result_of_assisted(kept(asked), table.scene)

        asked.press("Ug", "Ug: roll against 11+", d6(fall))

        assert before is None
        assert result_of_assisted(kept(asked), table.scene) == SharedResult(
            passed=passed, by=table.ids["Ug"], skill="Crafting"
        )

    def test_a_main_check_the_gm_has_not_decided_does_not_count(self, table: GameTable) -> None:
        asked = basket(table, difficulty="9")

        asked.press("Ug", "Ug: roll alone", d6("6 6"))

        assert result_of_assisted(kept(asked), table.scene) is None


class TestEasyAssist:
    @pytest.mark.rule("RPJ-SKILL-14")
    def test_an_easy_assist_lowers_the_target_number_by_1_whatever_its_degrees(
        self, table: GameTable
    ) -> None:
        asked = basket(table)

        asked.press("Laeniel", "Laeniel: help, easy", d6("6 5"))

        assert asked.view().lines == ("Against 12+ → 11+.",)
        done = asked.press("Ug", "Ug: roll against 11+", d6("6 5"))
        assert done.rolls[0].against == "11+"
        assert asked.view().verdict == done.verdict
        assert asked.view().headline == "checks Crafting with help, against 11+"


class TestHardAssist:
    @pytest.mark.rule("RPJ-SKILL-15")
    def test_a_hard_assist_lowers_the_target_number_by_1_per_degree(self, table: GameTable) -> None:
        asked = basket(table, difficulty="6")

        done = asked.press("Laeniel", "Laeniel: help, hard 10+", d6("5 4"))

        total = done.rolls[0].total
        assert total is not None
        assert asked.view().lines == (f"Against 13+ → {13 - (total - 10)}+.",)

    @pytest.mark.rule("RPJ-SKILL-13", "RPJ-LUCK-03")
    def test_a_lucky_break_on_an_assist_also_lowers_the_main_checks_target(self, table: GameTable) -> None:
        asked = basket(table, difficulty="6")
        failed = asked.press("Laeniel", "Laeniel: help, hard 10+", d6("1 2"))
        assert asked.view().lines == ("It stays at 13+.",)
        lucky = next(one for one in failed.follow_ups if one.group == LUCKY_GROUP)
        assert lucky.window is not None
        assert table.ids["Ug"] in lucky.window.concerns  # the main roll uses the result, and closes it

        asked.follow("Laeniel", lucky, d6("6"))

        assert asked.view().lines[0].startswith("Against 13+ → ")


@pytest.fixture
def trio() -> GameTable:
    return rpj_table(players={"Laeniel": LAENIEL, "Ug": UG, "Mira": UG})


def climb(trio: GameTable, leader: str | None = "Laeniel", members: tuple[str, ...] = THREE) -> Together:
    options = {} if leader is None else {"leader": leader}
    outcome = trio.do("GM", "group", skill="Athleticism", difficulty="4", members=members, **options)
    return opened(trio, outcome)


def rolled(trio: GameTable, *falls: str, leader: str = "Laeniel") -> Together:
    """A group of three in which everybody has rolled so."""
    group = climb(trio, leader)
    for who, fall in zip(THREE, falls, strict=True):
        group.press(who, who, fall)
    return group


@pytest.mark.rule("RPJ-SKILL-18")
class TestRollingAsAGroup:
    def test_each_member_has_a_roll_button_with_their_chance(self, trio: GameTable) -> None:
        labels = climb(trio).labels

        assert [label.split(":")[0] for label in labels] == ["Laeniel (leads)", "Ug", "Mira", "Close (GM)"]
        assert all("roll · " in label for label in labels[:3])
        assert climb(trio).view().lines == ("0 of 3 succeeded, 2 needed · Laeniel leads",)

    def test_a_group_check_cannot_be_rolled_before_it_has_a_leader(self, trio: GameTable) -> None:
        group = climb(trio, leader=None)
        assert group.labels == ["Who leads the group?", "Close (GM)"]
        assert trio.refused("Mira", "group_leader", at=group.key, leader="Ogre")
        refused = trio.refused("Ug", "group_roll", at=group.key)
        assert refused.what == "The group has no leader yet."

        group.press("Mira", "Who leads", choose="Ug")

        assert group.labels[1].startswith("Ug (leads): roll · ")
        group.press("Ug", "Ug", HIGH)
        assert trio.refused("Mira", "group_leader", at=group.key, leader="Mira")

    def test_a_group_check_succeeds_if_half_of_its_members_rounded_up_succeed(self, trio: GameTable) -> None:
        group = rolled(trio, LOW, HIGH, HIGH)

        assert (group.verdict, group.labels) == ("the group succeeds", [])
        assert group.view().lines[0].startswith("2 of 3 succeeded, 2 needed")

    @pytest.mark.rule("RPJ-COUNT-10", "RPJ-SKILL-19")
    def test_a_group_check_counts_for_its_leader_once_it_is_decided(self, trio: GameTable) -> None:
        def result(group: Together) -> SharedResult | None:
            kept = trio.scene.document(group.key)
            assert isinstance(kept, RpjRolling)
            return result_of_group(kept, trio.scene)

        leader = trio.ids["Laeniel"]
        assert result(climb(trio)) is None
        assert result(rolled(trio, LOW, HIGH, HIGH)) == SharedResult(
            passed=True, by=leader, skill="Athleticism"
        )
        failed = rolled(trio, LOW, HIGH, LOW)
        assert result(failed) == SharedResult(passed=False, by=leader, skill="Athleticism")

    @pytest.mark.rule("RPJ-SKILL-19")
    @pytest.mark.parametrize(("payer", "whose"), [("Mira", "their own"), ("Laeniel", "Mira's")])
    def test_a_turned_failure_is_told_by_whose_it_is(self, trio: GameTable, payer: str, whose: str) -> None:
        group = rolled(trio, HIGH, LOW, LOW)

        done = trio.do(payer, "group_turn", at=group.key, member="Mira")

        assert done.headline == f"turns {whose} failure into a success in the group check"
        assert group.verdict == "the group succeeds"

    def test_a_group_check_fails_if_too_few_succeed_and_the_leader_fails_too(self, trio: GameTable) -> None:
        group = rolled(trio, LOW, HIGH, LOW)

        assert (group.verdict, group.labels) == ("the group fails", ["Close (GM)"])
        assert group.view().lines[-1] == "The leader failed too."

    def test_a_group_of_one_is_led_by_its_only_member(self, trio: GameTable) -> None:
        group = climb(trio, leader=None, members=("Ug",))
        group.press("Ug", "Ug", HIGH)

        assert group.verdict == "the group succeeds"

    def test_a_group_of_two_is_led_by_the_one_named(self, trio: GameTable) -> None:
        group = climb(trio, leader="Ug", members=("Laeniel", "Ug"))

        assert group.view().lines == ("0 of 2 succeeded, 1 needed · Ug leads",)

    def test_a_member_rolls_only_once_and_a_stranger_cannot_roll(self, trio: GameTable) -> None:
        group = climb(trio)
        group.press("Ug", "Ug", HIGH)

        assert trio.refused("Ug", "group_roll", at=group.key)
        assert trio.refused("GM Ogre", "group_roll", at=group.key)
        refused = trio.refused("GM", "group", skill="Athleticism", members=("Ug", "Mira"), leader="Laeniel")
        assert refused.what == "The leader must be one of the members."


@pytest.mark.rule("RPJ-SKILL-19")
class TestGroupRescue:
    def test_any_players_lucky_break_can_turn_a_members_failure(self, trio: GameTable) -> None:
        group = rolled(trio, HIGH, LOW, LOW)
        assert group.view().verdict is None
        assert group.labels == [
            "Turn Ug's failure · costs you 1 Lucky Break",
            "Turn Mira's failure · costs you 1 Lucky Break",
            "Close (GM)",
        ]

        group.press("Laeniel", "Turn Ug's")

        assert (group.verdict, breaks(trio, "Laeniel")) == ("the group succeeds", 2)
        ug = next(part for part in group.view().parts if part.who == "Ug")
        assert ug.verdict is not None
        assert (ug.verdict.title, ug.notes[0]) == ("turned to a success", "Laeniel spends a Lucky Break.")

    def test_each_roll_is_told_with_its_own_result_and_is_open_until_the_group_succeeds(
        self, trio: GameTable
    ) -> None:
        group = rolled(trio, LOW, HIGH, LOW, leader="Ug")
        before = [(one.verdict and one.verdict.title, one.is_settled) for one in group.view().parts]

        group.press("Laeniel", "Turn Mira's")

        after = [(one.verdict and one.verdict.title, one.is_settled) for one in group.view().parts]
        assert before == [("failure by 6", False), ("success, 1 degree", False), ("failure by 7", False)]
        assert after == [("failure by 6", True), ("success, 1 degree", True), ("turned to a success", True)]

    def test_only_a_player_character_with_a_lucky_break_can_turn_a_members_failure(
        self, trio: GameTable
    ) -> None:
        group = rolled(trio, HIGH, LOW, LOW)
        trio.scene = trio.scene.with_character(trio.named("Ug").with_resource("lucky_breaks", 0))

        poor = trio.refused("Ug", "group_turn", at=group.key, member="Mira")
        npc = trio.refused("GM Ogre", "group_turn", at=group.key, member="Mira")

        assert poor.what == "That costs a Lucky Break; you have none left."
        assert npc.what == "Only player characters can turn a failure."

    def test_a_members_success_cannot_be_turned(self, trio: GameTable) -> None:
        group = rolled(trio, HIGH, LOW, LOW)

        assert trio.refused("Ug", "group_turn", at=group.key, member="Laeniel")
        assert breaks(trio, "Ug") == 2

    def test_a_lucky_break_for_the_leaders_roll_makes_a_rescue_possible(self, trio: GameTable) -> None:
        group = climb(trio, "Mira")
        group.press("Laeniel", "Laeniel", LOW)
        group.press("Ug", "Ug", LOW)
        failed = group.press("Mira", "Mira", d6("6 1"))
        assert group.verdict == "the group fails"
        lucky = next(one for one in failed.follow_ups if one.group == LUCKY_GROUP)

        group.follow("Mira", lucky, d6("6"))

        assert group.verdict is None
        assert group.labels[0] == "Turn Laeniel's failure · costs you 1 Lucky Break"

    def test_the_gm_can_close_a_group_check_and_end_its_rescue(self, trio: GameTable) -> None:
        group = rolled(trio, HIGH, LOW, LOW)

        group.press("GM", "Close (GM)")

        assert (group.verdict, group.labels) == ("the group fails", [])
        assert group.view().lines == ("1 of 3 succeeded, 2 needed · Laeniel leads",)
        assert trio.refused("Ug", "group_turn", at=group.key, member="Ug")
        assert trio.refused("GM", "group_close", at=group.key, members=THREE)

    def test_a_group_check_closed_before_everyone_rolled_has_no_result(self, trio: GameTable) -> None:
        group = climb(trio)
        group.press("Ug", "Ug", HIGH)

        group.press("GM", "Close (GM)")

        assert (group.verdict, group.labels) == ("closed", [])
