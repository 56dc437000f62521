"""The group check at one message: everybody's button, the half rule, and the rescue by Lucky Breaks."""

import pytest

from bot.rules.kernel.gathering import SharedResult
from bot.rules.rpj.character.lucky_breaks import LUCKY_GROUP
from bot.rules.rpj.teamwork.group_checks import RpjRolling, result_of_group
from tests.rules.gathering import Together, opened
from tests.rules.rpj.table import LAENIEL, UG, GameTable, breaks, d6, rpj_table

THREE = ("Laeniel", "Ug", "Mira")
HIGH, LOW = d6("6 5"), d6("1 2")


@pytest.fixture
def table() -> GameTable:
    return rpj_table(players={"Laeniel": LAENIEL, "Ug": UG, "Mira": UG})


def climb(table: GameTable, leader: str | None = "Laeniel", members: tuple[str, ...] = THREE) -> Together:
    options = {} if leader is None else {"leader": leader}
    outcome = table.do("GM", "group", skill="Athleticism", difficulty="4", members=members, **options)
    return opened(table, outcome)


def rolled(table: GameTable, *falls: str, leader: str = "Laeniel") -> Together:
    """A group of three in which everybody has rolled so."""
    group = climb(table, leader)
    for who, fall in zip(THREE, falls, strict=True):
        group.press(who, who, fall)
    return group


@pytest.mark.rule("RPJ-SKILL-18")
class TestRollingAsAGroup:
    def test_each_member_has_a_roll_button_with_their_chance(self, table: GameTable) -> None:
        labels = climb(table).labels

        assert [label.split(":")[0] for label in labels] == ["Laeniel (leads)", "Ug", "Mira", "Close (GM)"]
        assert all("roll · " in label for label in labels[:3])
        assert climb(table).view().lines == ("0 of 3 succeeded, 2 needed · Laeniel leads",)

    def test_a_group_check_cannot_be_rolled_before_it_has_a_leader(self, table: GameTable) -> None:
        group = climb(table, leader=None)
        assert group.labels == ["Who leads the group?", "Close (GM)"]
        assert table.refused("Mira", "group_leader", at=group.key, leader="Ogre")
        refused = table.refused("Ug", "group_roll", at=group.key)
        assert refused.what == "The group has no leader yet."

        group.press("Mira", "Who leads", choose="Ug")

        assert group.labels[1].startswith("Ug (leads): roll · ")
        group.press("Ug", "Ug", HIGH)
        assert table.refused("Mira", "group_leader", at=group.key, leader="Mira")

    def test_a_group_check_succeeds_if_half_of_its_members_rounded_up_succeed(self, table: GameTable) -> None:
        group = rolled(table, LOW, HIGH, HIGH)

        assert (group.verdict, group.labels) == ("the group succeeds", [])
        assert group.view().lines[0].startswith("2 of 3 succeeded, 2 needed")

    @pytest.mark.rule("RPJ-COUNT-10", "RPJ-SKILL-19")
    def test_a_group_check_counts_for_its_leader_once_it_is_decided(self, table: GameTable) -> None:
        def result(group: Together) -> SharedResult | None:
            kept = table.scene.document(group.key)
            assert isinstance(kept, RpjRolling)
            return result_of_group(kept, table.scene)

        leader = table.ids["Laeniel"]
        assert result(climb(table)) is None
        assert result(rolled(table, LOW, HIGH, HIGH)) == SharedResult(
            passed=True, by=leader, skill="Athleticism"
        )
        failed = rolled(table, LOW, HIGH, LOW)
        assert result(failed) == SharedResult(passed=False, by=leader, skill="Athleticism")

    @pytest.mark.rule("RPJ-SKILL-19")
    @pytest.mark.parametrize(("payer", "whose"), [("Mira", "their own"), ("Laeniel", "Mira's")])
    def test_a_turned_failure_is_told_by_whose_it_is(self, table: GameTable, payer: str, whose: str) -> None:
        group = rolled(table, HIGH, LOW, LOW)

        done = table.do(payer, "group_turn", at=group.key, member="Mira")

        assert done.headline == f"turns {whose} failure into a success in the group check"
        assert group.verdict == "the group succeeds"

    def test_a_group_check_fails_if_too_few_succeed_and_the_leader_fails_too(self, table: GameTable) -> None:
        group = rolled(table, LOW, HIGH, LOW)

        assert (group.verdict, group.labels) == ("the group fails", ["Close (GM)"])
        assert group.view().lines[-1] == "The leader failed too."

    def test_a_group_of_one_is_led_by_its_only_member(self, table: GameTable) -> None:
        group = climb(table, leader=None, members=("Ug",))
        group.press("Ug", "Ug", HIGH)

        assert group.verdict == "the group succeeds"

    def test_a_group_of_two_is_led_by_the_one_named(self, table: GameTable) -> None:
        group = climb(table, leader="Ug", members=("Laeniel", "Ug"))

        assert group.view().lines == ("0 of 2 succeeded, 1 needed · Ug leads",)

    def test_a_member_rolls_only_once_and_a_stranger_cannot_roll(self, table: GameTable) -> None:
        group = climb(table)
        group.press("Ug", "Ug", HIGH)

        assert table.refused("Ug", "group_roll", at=group.key)
        assert table.refused("GM Ogre", "group_roll", at=group.key)
        refused = table.refused("GM", "group", skill="Athleticism", members=("Ug", "Mira"), leader="Laeniel")
        assert refused.what == "The leader must be one of the members."


@pytest.mark.rule("RPJ-SKILL-19")
class TestGroupRescue:
    def test_any_players_lucky_break_can_turn_a_members_failure(self, table: GameTable) -> None:
        group = rolled(table, HIGH, LOW, LOW)
        assert group.view().verdict is None
        assert group.labels == [
            "Turn Ug's failure · costs you 1 Lucky Break",
            "Turn Mira's failure · costs you 1 Lucky Break",
            "Close (GM)",
        ]

        group.press("Laeniel", "Turn Ug's")

        assert (group.verdict, breaks(table, "Laeniel")) == ("the group succeeds", 2)
        ug = next(part for part in group.view().parts if part.who == "Ug")
        assert ug.verdict is not None
        assert (ug.verdict.title, ug.notes[0]) == ("turned to a success", "Laeniel spends a Lucky Break.")

    def test_each_roll_is_told_with_its_own_result_and_is_open_until_the_group_succeeds(
        self, table: GameTable
    ) -> None:
        group = rolled(table, LOW, HIGH, LOW, leader="Ug")
        before = [(one.verdict and one.verdict.title, one.is_settled) for one in group.view().parts]

        group.press("Laeniel", "Turn Mira's")

        after = [(one.verdict and one.verdict.title, one.is_settled) for one in group.view().parts]
        assert before == [("failure by 6", False), ("success, 1 degree", False), ("failure by 7", False)]
        assert after == [("failure by 6", True), ("success, 1 degree", True), ("turned to a success", True)]

    def test_only_a_player_character_with_a_lucky_break_can_turn_a_members_failure(
        self, table: GameTable
    ) -> None:
        group = rolled(table, HIGH, LOW, LOW)
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        poor = table.refused("Ug", "group_turn", at=group.key, member="Mira")
        npc = table.refused("GM Ogre", "group_turn", at=group.key, member="Mira")

        assert poor.what == "That costs a Lucky Break; you have none left."
        assert npc.what == "Only player characters can turn a failure."

    def test_a_members_success_cannot_be_turned(self, table: GameTable) -> None:
        group = rolled(table, HIGH, LOW, LOW)

        assert table.refused("Ug", "group_turn", at=group.key, member="Laeniel")
        assert breaks(table, "Ug") == 2

    def test_a_lucky_break_for_the_leaders_roll_makes_a_rescue_possible(self, table: GameTable) -> None:
        group = climb(table, "Mira")
        group.press("Laeniel", "Laeniel", LOW)
        group.press("Ug", "Ug", LOW)
        failed = group.press("Mira", "Mira", d6("6 1"))
        assert group.verdict == "the group fails"
        lucky = next(one for one in failed.follow_ups if one.group == LUCKY_GROUP)

        group.follow("Mira", lucky, d6("6"))

        assert group.verdict is None
        assert group.labels[0] == "Turn Laeniel's failure · costs you 1 Lucky Break"

    def test_the_gm_can_close_a_group_check_and_end_its_rescue(self, table: GameTable) -> None:
        group = rolled(table, HIGH, LOW, LOW)

        group.press("GM", "Close (GM)")

        assert (group.verdict, group.labels) == ("the group fails", [])
        assert group.view().lines == ("1 of 3 succeeded, 2 needed · Laeniel leads",)
        assert table.refused("Ug", "group_turn", at=group.key, member="Ug")
        assert table.refused("GM", "group_close", at=group.key, members=THREE)

    def test_a_group_check_closed_before_everyone_rolled_has_no_result(self, table: GameTable) -> None:
        group = climb(table)
        group.press("Ug", "Ug", HIGH)

        group.press("GM", "Close (GM)")

        assert (group.verdict, group.labels) == ("closed", [])
