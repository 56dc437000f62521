"""Flashbacks at one message: proposed for free, joined by others, paid when the GM allows them."""

import pytest

from bot.rules.rpj.teamwork.flashbacks import Proposed
from tests.rules.gathering import Together, opened
from tests.rules.rpj.table import GameTable, breaks, rpj_table

WORDS = "hid the cargo under the floor"


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
            "Allow it (GM) · Lucky Breaks 3 → 1",
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
        assert asked.labels[0] == "Allow it (GM) · 2 Lucky Breaks each"
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
        assert asked.labels[0] == "Allow it without Ug (GM) · Lucky Breaks 3 → 1"
        asked.press("GM", "Allow it without Ug")

        assert (breaks(table, "Laeniel"), breaks(table, "Ug")) == (1, 1)
        assert (asked.verdict, asked.view().lines) == ("allowed", ("Laeniel: Lucky Breaks 3 → 1",))

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

        assert asked.labels[0] == "Allow it (GM) · Lucky Breaks 2 → 0"
        assert table.refused("Laeniel", "leave_flashback", at=asked.key)
        assert table.refused("Ug", "leave_flashback", at=asked.key).what == "Nobody else has joined."
        asked.press("GM", "Allow it")
        assert (breaks(table, "Laeniel"), breaks(table, "Ug")) == (3, 0)

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
