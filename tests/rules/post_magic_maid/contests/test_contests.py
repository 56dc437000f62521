"""Contests."""

from typing import Any

import pytest

from bot.rules.kernel import Family, Verdict, settle_all
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.acts import read_pair
from bot.rules.post_magic_maid.contests import MaidContest, MaidSide, contest_verdict
from bot.rules.post_magic_maid.tiers import MaidTier, contested
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.combat.turns.test_assists import FALL
from tests.rules.post_magic_maid.play import GameTable, active, id_of, lay_table, sheet, start_fight
from tests.rules.post_magic_maid.vectors import vectors


def contest(table: GameTable, one: str, other: str) -> Verdict | None:
    table.do("GM", "contest", one="Ash", other="Bram", first="Int", second="Dex")
    table.do("Ash", "oppose", one)
    return table.do("Bram", "oppose", other).verdict


@pytest.mark.rule("PMM-CON-01")
class TestContest:
    @pytest.mark.parametrize(
        ("one", "other", "title"),
        [
            (FALL["20"], FALL["10"], "Ash wins, tier 15"),
            (FALL["25"], FALL["below 10"], "Ash wins, tier 25"),
            (FALL["15"], FALL["10"], "Ash wins, tier 10"),
            ("d20:12 d12:12", "d20:11 d12:10", "Ash and Bram tie"),
            (FALL["10"], FALL["25"], "Bram wins, tier 20"),
        ],
    )
    def test_the_difference_in_tiers_is_the_winners_success(
        self, table: GameTable, one: str, other: str, title: str
    ) -> None:
        verdict = contest(table, one, other)

        assert verdict is not None
        assert verdict.title == title

    def test_a_roll_is_hidden_until_all_are_in(self, table: GameTable) -> None:
        called = table.do("GM", "contest", one="Ash", other="Bram", first="Int", second="Dex")
        assert called.headline == "calls for a contest: Ash against Bram"
        assert [button.label for button in called.follow_ups] == [
            "Ash: roll Int + Dex",
            "Bram: roll Int + Dex",
        ]

        hidden = table.press("Ash", called.follow_ups[0], "d20:10 d12:12")
        shown = table.press("Bram", called.follow_ups[1], "d20:5 d12:5")

        assert not hidden.is_public
        assert hidden.notes == ("Still to roll: Bram. Until then, only you see this.",)
        assert shown.is_public
        assert shown.verdict == Verdict(Family.NEWS, "Ash wins, tier 15")
        assert shown.notes == ("Ash: Int d20 10 + Dex d12 12 = 22, tier 20",)

    def test_sides_may_choose_their_attributes(self, table: GameTable) -> None:
        called = table.do(
            "GM", "contest", one="Ash", other="Bram", first="Int", second="Dex", other_first="Str"
        )
        table.press("Ash", called.follow_ups[0], FALL["10"])
        again = table.do("GM", "contest", one="Ash", other="Bram")

        menu = again.follow_ups[1]
        assert called.follow_ups[1].label == "Bram: roll Str + Dex"
        assert len(menu.choices) == 15
        assert menu.choices[0].label == "Int + Str: d20 and d6"
        done = table.press("Bram", menu, "d6:6 d12:1", choose="Str + Dex")
        assert done.headline == "rolls Str + Dex in the contest"
        assert table.refused(
            "Ash", "oppose", contest=again.follow_ups[0].options.model_dump()["contest"]
        ).what == ("Which two attributes to roll is missing.")

    def test_each_side_rolls_once_and_others_cannot_roll(self, table: GameTable) -> None:
        called = table.do("GM", "contest", one="Ash", other="Bram", first="Int", second="Dex")
        table.press("Ash", called.follow_ups[0], FALL["10"])

        with pytest.raises(UserError, match="Ash has already rolled in this contest"):
            table.press("Ash", called.follow_ups[0])
        assert table.refused("Cleo", "oppose").what == "There is no contest for Cleo to roll in."

    def test_a_contest_is_between_different_characters(self, table: GameTable) -> None:
        assert table.refused("GM", "contest", one="Ash", other="Ash").what == (
            "A contest needs two different characters."
        )

    def test_starting_a_contest_on_your_turn_takes_the_action(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "act", count=2)

        table.do("GM", "contest", one="Ash", other="Bram", first="Int", second="Dex")
        mine = table.do("Ash", "oppose", "d20:10 d12:10")
        theirs = table.do("Bram", "oppose", "d20:10 d12:10")

        assert (mine.rolls[0].total, theirs.rolls[0].total) == (15, 20)
        assert (table.seat("Ash").actions_used, table.seat("Bram").actions_used) == (1, 0)
        assert [button.procedure for button in theirs.follow_ups] == ["encounter.next"]

    def test_being_drawn_into_a_contest_takes_no_action(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ Q♠")

        table.do("GM", "contest", one="Bram", other="Ash", first="Int", second="Dex")
        table.do("Bram", "oppose", "d20:10 d12:10")
        table.do("Ash", "oppose", "d20:10 d12:10")

        assert (table.seat("Ash").actions_used, table.seat("Bram").actions_used) == (0, 0)


@pytest.mark.rule("PMM-CON-02")
class TestTable:
    @pytest.mark.parametrize("row", vectors("contest"))
    def test_every_cell_of_the_contest_table_is_right(self, row: dict[str, Any]) -> None:
        assert (contested(MaidTier(row["mine"]), MaidTier(row["theirs"])) or "") == row["success"]

    def test_the_best_of_three_wins_over_the_next_best(self, table: GameTable) -> None:
        table.do("GM", "contest", one="Ash", other="Bram", more=("Cleo",), first="Int", second="Dex")

        table.do("Ash", "oppose", FALL["25"])
        second = table.do("Bram", "oppose", FALL["15"])
        third = table.do("Cleo", "oppose", FALL["10"])

        assert second.notes == ("Still to roll: Cleo. Until then, only you see this.",)
        assert third.verdict == Verdict(Family.NEWS, "Ash wins, tier 15")
        assert [note.split(":")[0] for note in third.notes] == ["Ash", "Bram"]

    def test_two_equal_best_of_three_are_a_stalemate(self, table: GameTable) -> None:
        table.do("GM", "contest", one="Ash", other="Bram", more=("Cleo",), first="Int", second="Dex")

        for name, tier in (("Ash", "20"), ("Bram", "20"), ("Cleo", "10")):
            done = table.do(name, "oppose", FALL[tier])

        assert done.verdict == Verdict(Family.PARTIAL, "Ash and Bram tie, Cleo is out")


@pytest.mark.rule("PMM-CON-01", "PMM-CON-02")
@pytest.mark.parametrize(
    ("tiers", "told"),
    [
        (("15", "10"), "Ash wins, tier 10"),
        (("10", "25"), "Bram wins, tier 20"),
        (("10", "10"), "Ash and Bram tie"),
        (("below 10", "below 10"), "Ash and Bram tie"),
        (("15", "10", "25"), "Cleo wins, tier 15"),
        (("20", "10", "20"), "Ash and Cleo tie, Bram is out"),
        (("10", "20", "20"), "Bram and Cleo tie, Ash is out"),
        (("15", "15", "15"), "Ash, Bram and Cleo tie"),
    ],
)
def test_the_best_is_compared_with_the_next_best_and_equals_tie(tiers: tuple[str, ...], told: str) -> None:
    names = ("Ash", "Bram", "Cleo")
    sides = tuple(
        MaidSide(character=id_of(name), name=name, tier=MaidTier(tier))
        for name, tier in zip(names, tiers, strict=False)
    )

    assert contest_verdict(MaidContest(sides=sides)).title == told


@pytest.mark.rule("PMM-CHK-02")
@pytest.mark.parametrize(
    ("typed", "pair"),
    [
        ("Str + Dex", ("Str", "Dex")),
        ("wll+lck", ("Wll", "Lck")),
        ("Int, Cha", ("Int", "Cha")),
        ("Str", None),
        ("Str + Dex + Cha", None),
        ("Str + Nose", None),
        ("Nose + Str", None),
        ("", None),
    ],
)
def test_a_called_check_names_two_attributes(typed: str, pair: tuple[str, str] | None) -> None:
    if pair is None:
        with pytest.raises(UserError, match="doesn't name two attributes"):
            read_pair(typed)
    else:
        assert tuple(read_pair(typed).values()) == pair


@pytest.mark.rule("PMM-CHK-02")
@pytest.mark.parametrize(
    ("called", "own", "used"), [("", "", 0), ("Song", "", 5), ("", "Song", 5), ("Song", "Dance", 8)]
)
def test_a_called_check_uses_the_ability_that_was_named(called: str, own: str, used: int) -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(active("Song", 1), active("Dance", 2)))})
    table.do("GM", "call", character="Ash", first="Int", second="Dex", ability=called)
    done = table.do("Ash", "answer", "d20:9 d12:4", ability=own)

    assert done.rolls[0].total == 13 + used


@pytest.mark.rule("PMM-CON-01")
def test_an_unrolled_contest_is_settled_with_the_pair_named_or_the_largest_dice() -> None:
    chosen = {"first": "Str", "second": "Lck"}
    for named, bram, ash in (({}, "d20:2 d12:2", "d20:9 d12:4"), (chosen, "d6:1 d6:1", "d6:5 d6:2")):
        table = lay_table()
        table.do("GM", "contest", one="Ash", other="Bram", **named)
        table.do("Bram", "oppose", bram, pair="" if named else "Int + Dex")
        (waiting,) = RULESET.unsettled(table.scene)
        assert waiting.what == "Ash's roll in a contest"
        settle_all(table.scene, RULESET.unsettled, ScriptedDice(ash))
