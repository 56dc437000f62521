"""Assists."""

from typing import Any

import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.post_magic_maid.tiers import TIERS, MaidTier, assisted
from tests.rules.post_magic_maid.play import GameTable, lay_table, start_fight
from tests.rules.post_magic_maid.vectors import vectors

# Falls of a d20 and a d12 that land in each tier.
FALL = {
    "below 10": "d20:1 d12:1",
    "10": "d20:5 d12:5",
    "15": "d20:10 d12:5",
    "20": "d20:10 d12:10",
    "25": "d20:15 d12:10",
}


def assist(table: GameTable, helper: str, tier: str, target: str = "Ash") -> None:
    table.do(helper, "assist", FALL[tier], target=target, first="Int", second="Dex")


def act(table: GameTable, tier: str) -> Any:
    return table.do("Ash", "check", FALL[tier], first="Int", second="Dex")


@pytest.mark.rule("PMM-AST-01")
class TestAssist:
    @pytest.mark.parametrize(
        ("action", "helped_by", "final"),
        [
            ("10", ["20"], "15"),
            ("10", ["25"], "20"),
            ("15", ["20"], "15"),
            ("15", ["25"], "20"),
            ("below 10", ["10"], "below 10"),
            ("below 10", ["15"], "10"),
            ("below 10", ["25"], "20"),
            ("20", ["25"], "20"),
            ("25", ["10"], "25"),
            ("25", ["25"], "25"),
            ("10", ["20", "25"], "20"),
            ("10", ["25", "20"], "20"),
        ],
    )
    def test_an_assist_two_tiers_above_raises_by_one_and_each_further_tier_by_one_more(
        self, table: GameTable, action: str, helped_by: list[str], final: str
    ) -> None:
        for helper, tier in zip(("Bram", "Cleo"), helped_by, strict=False):
            assist(table, helper, tier)

        done = act(table, action)

        assert done.rolls[0].outcome == final
        assert done.verdict.title == MaidTier(final).words

    def test_an_assisted_check_shows_both_tiers_and_the_final_one(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        assert table.last is not None
        assert table.last.headline == "assists Ash"
        assert table.last.notes == ("Ash's next action gets an assist of tier 20 from Bram.",)

        assert act(table, "10").notes == ("An assist of tier 20 lifts it from tier 10.",)

    def test_an_assist_without_effect_is_shown_too(self, table: GameTable) -> None:
        assist(table, "Bram", "20")

        assert act(table, "15").notes == ("The assist was too low to help.",)

    def test_an_assist_helps_one_action(self, table: GameTable) -> None:
        assist(table, "Bram", "25")
        act(table, "10")

        assert act(table, "10").rolls[0].outcome == "10"

    def test_a_helper_who_has_acted_cannot_assist(self) -> None:
        table = lay_table()
        start_fight(table, "Q♠ K♠")
        table.do("Bram", "check", FALL["10"], first="Int", second="Dex")

        assert table.refused("Bram", "assist", target="Ash", first="Int", second="Dex").what == (
            "Bram has no action left this round."
        )

    def test_a_helper_may_assist_before_their_own_turn_and_it_is_their_action(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "20")
        table.do("Ash", "encounter.next")

        assert table.refused("Bram", "check", first="Int", second="Dex").what == (
            "Bram has no action left this round."
        )

    def test_one_of_several_actions_may_be_an_assist_at_its_penalty(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "act", count=2)

        done = table.do("Ash", "assist", "d20:15 d12:10", target="Bram", first="Int", second="Dex")

        assert done.rolls[0].total == 20

    def test_an_assist_lasts_until_the_round_ends(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "25")

        table.clear_rounds()

        assert act(table, "10").rolls[0].outcome == "10"

    def test_an_assist_ends_with_the_encounter(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "25")

        table.do("GM", "encounter.end")

        assert act(table, "10").rolls[0].outcome == "10"

    def test_the_assisted_tier_is_compared_with_a_defence(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        table.do(
            "Ash",
            "attack",
            FALL["10"],
            target="Cleo",
            first="Int",
            second="Dex",
            track="blunt",
            defended=True,
        )

        done = table.do("Cleo", "defend", FALL["10"], first="Int", second="Dex")

        assert done.verdict == Verdict(Family.FAILURE, "tier 10, slight wound")
        assert table.wounds("Cleo", "blunt") == "1/0/0/0"

    def test_the_assisted_tier_is_compared_in_a_contest(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        table.do("GM", "contest", one="Ash", other="Cleo", first="Int", second="Dex")

        table.do("Ash", "oppose", FALL["10"])
        done = table.do("Cleo", "oppose", FALL["10"])

        assert done.verdict == Verdict(Family.NEWS, "Ash wins, tier 10")

    def test_assisting_yourself_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "assist", target="Ash", first="Int", second="Dex").what == (
            "You can't assist yourself."
        )


@pytest.mark.rule("PMM-AST-02")
class TestTable:
    @pytest.mark.parametrize("row", vectors("assist"))
    def test_every_cell_of_the_assist_table_is_right(self, row: dict[str, Any]) -> None:
        assert assisted(MaidTier(row["action"]), MaidTier(row["assist"])) == row["final"]

    def test_an_assist_never_raises_above_one_tier_below_itself(self) -> None:
        for action in TIERS:
            for helped in TIERS:
                final = assisted(action, helped)
                assert final is action or final.level <= helped.level - 1
