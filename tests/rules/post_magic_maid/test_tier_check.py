"""The check: two attribute dice, what is added, five tiers."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, NamedTerm, Roll, Term, Verdict, settle_all
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.acts import read_pair
from bot.rules.post_magic_maid.contests import MaidContest, MaidSide, contest_verdict
from bot.rules.post_magic_maid.performance import waiting_assist
from bot.rules.post_magic_maid.sheet import AttributeScore, MaidAttribute, MaidSheet
from bot.rules.post_magic_maid.tier_check import Magic, MaidCheckInputs, check, check_odds
from bot.rules.post_magic_maid.tiers import MaidTier, contested, tier_of
from bot.rules.post_magic_maid.wounds import MaidPairOptions, chosen_pair, named_pair
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import (
    GameTable,
    active,
    id_of,
    lay_table,
    passive,
    sheet,
    start_fight,
    vectors,
)
from tests.rules.post_magic_maid.test_attacks import FALL


def inputs(first: int, second: int, modifier: int = 0, **more: Any) -> MaidCheckInputs:
    terms = [{"label": "bonus", "value": modifier}] if modifier else []
    return MaidCheckInputs.model_validate(
        {
            "first": {"attribute": "Int", "sides": first},
            "second": {"attribute": "Str", "sides": second},
            "terms": terms,
            **more,
        }
    )


@pytest.mark.rule("PMM-CHK-01")
class TestAttributes:
    @pytest.mark.parametrize("row", vectors("score"))
    def test_an_attribute_is_shown_as_its_die_and_its_bonus(self, row: dict[str, Any]) -> None:
        score = AttributeScore(die=row["die"], creation=row["creation"], steps=row["steps"])

        assert str(score) == row["shown"]

    def test_a_character_has_six_attributes(self) -> None:
        assert list(MaidAttribute) == ["Int", "Str", "Dex", "Cha", "Wll", "Lck"]


@pytest.mark.rule("PMM-CHK-02")
class TestCheck:
    def test_a_check_adds_both_dice(self) -> None:
        roll = check(inputs(8, 12), ScriptedDice("d8:5 d12:9"))

        assert roll == Roll(
            rule="check",
            inputs=inputs(8, 12),
            dice=(Die(sides=8, face=5, label="Int"), Die(sides=12, face=9, label="Str")),
            total=14,
            verdict=Verdict(Family.SUCCESS, "tier 10"),
            odds=check_odds(inputs(8, 12)),
            outcome="10",
            purpose="check",
        )

    def test_attribute_and_ability_bonuses_are_added(self) -> None:
        fisher = sheet(
            {"Cha": 8, "Dex": 12}, creation={"Cha": 1, "Dex": 2}, abilities=[active("Fishing", 1, creation=1)]
        )
        table = lay_table(sheets={"Ash": fisher})

        done = table.do("Ash", "check", "d8:5 d12:9", first="Cha", second="Dex", ability=" fishing ")

        assert done.headline == "checks Cha + Dex (fishing)"
        assert done.verdict == Verdict(Family.SUCCESS, "tier 20")
        assert done.rolls[0].terms == (Term("Cha", 1), Term("Dex", 2), Term("Fishing", 5))
        assert done.rolls[0].total == 22

    def test_the_second_of_two_actions_takes_ten_off(self) -> None:
        roll = check(inputs(6, 6, -10), ScriptedDice("d6:1 d6:1"))

        assert (roll.total, roll.outcome) == (-8, "below 10")

    def test_a_check_needs_two_different_attributes(self, table: GameTable) -> None:
        mistake = table.refused("Ash", "check", first="Str", second="Str")

        assert mistake.what == "A check needs two different attributes."

    def test_a_gm_may_have_one_attribute_rolled_twice(self, table: GameTable) -> None:
        done = table.do("GM Ash", "check", "d6:2 d6:3", first="Str", second="Str")

        assert done.rolls[0].total == 5

    def test_the_gm_requests_a_check_and_the_player_rolls_it(self, table: GameTable) -> None:
        called = table.do("GM", "call", character="Ash", first="Str", second="Dex", needed="15")

        assert called.headline == "calls for a check of Ash: Str + Dex, tier 15 needed"
        assert [button.label for button in called.follow_ups] == ["Roll Str + Dex · 14%"]

        done = table.press("Ash", called.follow_ups[0], "d6:5 d12:9")

        assert done.verdict == Verdict(Family.FAILURE, "not reached, tier 10")
        assert done.rolls[0].against == "15+"
        assert table.refused("Ash", "answer").what == "No check is waiting for Ash."

    def test_only_the_requested_character_can_answer(self, table: GameTable) -> None:
        called = table.do("GM", "call", character="Ash", first="Str", second="Dex")

        with pytest.raises(Exception, match="No check is waiting for Bram"):
            table.press("Bram", called.follow_ups[0])


@pytest.mark.rule("PMM-CHK-03")
class TestTiers:
    @pytest.mark.parametrize("row", vectors("tier"))
    def test_a_threshold_is_met_by_an_equal_or_higher_total(self, row: dict[str, Any]) -> None:
        assert tier_of(row["total"]) == row["tier"]

    @pytest.mark.parametrize(
        ("modifier", "needed", "fall", "family", "told"),
        [
            (0, "15", "d8:5 d12:9", Family.FAILURE, "not reached, tier 10"),
            (0, "15", "d8:6 d12:9", Family.SUCCESS, "reached, tier 15"),
            (8, "15", "d8:5 d12:9", Family.SUCCESS, "reached, tier 20"),
            (0, None, "d8:5 d12:4", Family.FAILURE, "below 10"),
        ],
    )
    def test_the_tier_needed_is_reached_by_its_threshold(
        self, modifier: int, needed: str | None, fall: str, family: Family, told: str
    ) -> None:
        roll = check(inputs(8, 12, modifier, needed=needed), ScriptedDice(fall))

        assert roll.verdict == Verdict(family, told)
        assert roll.odds is not None
        assert roll.odds.needed == needed


@pytest.mark.rule("PMM-CHK-05")
class TestBonuses:
    @pytest.mark.parametrize(
        ("best", "most"),
        [
            (
                sheet(
                    creation={"Dex": 2, "Int": 1},
                    steps={"Dex": 3, "Int": 3},
                    abilities=[active("Fishing", 3, 2, creation=1, gave_point=True)],
                ),
                22,
            ),
            (sheet(creation={"Dex": 2, "Int": 1}, abilities=[active("Fishing", 1, creation=1)]), 8),
        ],
        ids=["five, four and thirteen", "a new character"],
    )
    def test_the_highest_bonuses_are_added(self, best: MaidSheet, most: int) -> None:
        table = lay_table(sheets={"Ash": best})

        done = table.do("Ash", "check", "d12:1 d20:1", first="Dex", second="Int", ability="Fishing")

        assert sum(term.value for term in done.rolls[0].terms) == most

    def test_two_attributes_at_five_are_impossible(self) -> None:
        both = sheet(creation={"Dex": 2, "Int": 2}, steps={"Dex": 3, "Int": 3})

        assert [problem.sentence for problem in RULESET.sheet_problems(both)] == [
            "A new character has 3 attribute bonuses, not 4."
        ]

    def test_a_new_character_may_add_nothing(self, table: GameTable) -> None:
        done = table.do("Ash", "check", "d6:4 d8:5", first="Str", second="Cha")

        assert done.rolls[0].terms == ()
        assert done.rolls[0].total == 9

    def test_a_check_uses_at_most_one_ability_from_the_sheet(self, table: GameTable) -> None:
        assert table.refused("Ash", "check", first="Str", second="Dex", ability="Fishing").sentences == (
            "There is no ability “Fishing” on the sheet.",
            "Its abilities: none.",
        )


@pytest.mark.rule("PMM-CHK-06")
class TestGameMastersWord:
    def test_a_tier_set_by_the_gm_is_marked(self, table: GameTable) -> None:
        done = table.do("GM Ash", "check", "d20:12 d12:5", first="Int", second="Dex", tier="20")

        assert done.rolls[0].total == 17
        assert done.verdict == Verdict(Family.SUCCESS, "tier 20 (set by the GM)")
        assert done.notes == ()
        assert done.rolls[0].inputs.model_dump()["forced"] is MaidTier.TWENTY

    def test_a_gm_may_force_an_automatic_25(self, table: GameTable) -> None:
        done = table.do("GM Ash", "check", "d20:1 d12:1", first="Int", second="Dex", tier="25")

        assert done.rolls[0].outcome == "25"

    def test_a_player_cannot_set_the_tier(self, table: GameTable) -> None:
        assert table.refused("Ash", "check", first="Int", second="Dex", tier="20").what == (
            "Only a GM can set the tier of a check."
        )


class TestOdds:
    @pytest.mark.parametrize("row", vectors("check_odds"))
    def test_the_ledgers_table_is_exact(self, row: dict[str, Any]) -> None:
        odds = check_odds(inputs(row["first"], row["second"], row["modifier"]))

        assert [chance for _, chance in odds.chances] == [Chance(ways, row["of"]) for ways in row["ways"]]

    @pytest.mark.parametrize(
        ("first", "second", "more"),
        [
            (6, 6, {}),
            (8, 12, {"terms": [{"label": "bonus", "value": 9}]}),
            (12, 20, {"assist": "25"}),
            (6, 8, {"bonus_dice": 2}),
            (6, 8, {"magic": "attack", "terms": [{"label": "penalty", "value": -5}]}),
            (6, 6, {"bonus_dice": 1, "magic": "defence", "assist": "20"}),
            (6, 6, {"forced": "15"}),
            (6, 6, {"is_automatic": True}),
        ],
    )
    def test_an_enumeration_of_all_rolls_matches_the_odds(
        self, first: int, second: int, more: dict[str, Any]
    ) -> None:
        asked = inputs(first, second, **more)
        sides = [first, second, *[8] * asked.bonus_dice, *[6] * (asked.magic is not Magic.NONE)]
        sides = [] if asked.is_automatic else sides
        falls = list(product(*(range(1, each + 1) for each in sides)))
        counted = dict.fromkeys(MaidTier, 0)

        for faces in falls:
            script = " ".join(f"d{die}:{face}" for die, face in zip(sides, faces, strict=True))
            counted[MaidTier(str(check(asked, ScriptedDice(script)).outcome))] += 1

        assert {tier: Fraction(ways, len(falls)) for tier, ways in counted.items()} == {
            tier: chance.fraction for tier, chance in check_odds(asked).chances
        }

    @pytest.mark.parametrize(("first", "second"), [(6, 8), (12, 20), (20, 32)])
    @pytest.mark.parametrize(
        ("modifier", "bonus_dice", "has_magic"), [(0, 0, False), (9, 3, False), (-5, 1, True)]
    )
    def test_the_odds_match_icepool(
        self, first: int, second: int, modifier: int, bonus_dice: int, has_magic: bool
    ) -> None:
        magic = Magic.ATTACK if has_magic else Magic.NONE
        odds = check_odds(inputs(first, second, modifier, bonus_dice=bonus_dice, magic=magic))

        dice = icepool.d(first) + icepool.d(second) + bonus_dice @ icepool.d8 + modifier
        if has_magic:
            dice = dice + icepool.Die([0, 2, 3, 4, 5, 0])
        tiers = dice.map(lambda total: max([t for t in (10, 15, 20, 25) if total >= t], default=0))

        assert [chance.fraction for _, chance in odds.chances] == [
            tiers.probability(tier) for tier in (0, 10, 15, 20, 25)
        ]


class TestInputs:
    def test_a_passive_ability_adds_nothing_and_is_refused(self) -> None:
        table = lay_table(sheets={"Ash": sheet(abilities=[passive("Contacts")])})

        assert table.refused("Ash", "check", first="Str", second="Dex", ability="contacts").what == (
            "Contacts is a passive ability, so it doesn't add to rolls."
        )

    def test_unknown_fields_are_refused(self) -> None:
        with pytest.raises(ValidationError):
            inputs(6, 6, luck=1)

    def test_the_terms_of_a_check_add_up(self) -> None:
        both = (NamedTerm(label="a", value=5), NamedTerm(label="b", value=-10))

        assert inputs(6, 6, terms=both).modifier == -5


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

    def test_starting_a_contest_on_your_turn_takes_the_action(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "act", count=2)

        table.do("GM", "contest", one="Ash", other="Bram", first="Int", second="Dex")
        mine = table.do("Ash", "oppose", "d20:10 d12:10")
        theirs = table.do("Bram", "oppose", "d20:10 d12:10")

        assert (mine.rolls[0].total, theirs.rolls[0].total) == (15, 20)
        assert (table.seat("Ash").actions_used, table.seat("Bram").actions_used) == (1, 0)
        assert [button.procedure for button in theirs.follow_ups] == ["encounter.next"]

    def test_being_drawn_into_a_contest_takes_no_action(self, table: GameTable) -> None:
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
    table = lay_table(sheets={"Ash": sheet({"Int": 6, "Str": 20, "Dex": 6, "Lck": 12})})
    table.do("GM", "contest", one="Ash", other="Bram")
    table.do("Bram", "oppose", "d20:2 d12:2", pair="Int + Dex")
    settle_all(table.scene, RULESET.unsettled, ScriptedDice("d20:9 d12:4"))


@pytest.mark.rule("PMM-CHK-02")
@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        (None, None, None),
        ("Int", "Dex", ("Int", "Dex")),
        ("Int", None, ""),
        (None, "Dex", ""),
        ("Int", "Int", ""),
    ],
)
def test_two_attributes_are_named_or_none(first: str | None, second: str | None, pair: Any) -> None:
    one, other = (None if name is None else MaidAttribute(name) for name in (first, second))
    if pair == "":
        with pytest.raises(UserError, match="two different attributes"):
            named_pair(one, other)
    else:
        assert named_pair(one, other) == pair


@pytest.mark.rule("PMM-CHK-02")
@pytest.mark.parametrize(
    ("options", "pair"),
    [
        ({"first": "Int", "second": "Dex"}, ("Int", "Dex")),
        ({"pair": "Str + Lck", "first": "Int", "second": "Dex"}, ("Str", "Lck")),
        ({"first": "Int"}, ("Wll", "Cha")),
        ({"second": "Int"}, ("Wll", "Cha")),
        ({}, ("Wll", "Cha")),
    ],
)
def test_half_a_choice_of_attributes_is_none(options: dict[str, str], pair: tuple[str, str]) -> None:
    default = (MaidAttribute.WLL, MaidAttribute.CHA)
    chosen = MaidPairOptions.model_validate(options)

    assert chosen_pair(chosen, default) == pair
    if pair == default:
        with pytest.raises(UserError, match="is missing"):
            chosen_pair(chosen)


@pytest.mark.rule("PMM-CON-01")
def test_each_side_of_a_contest_rolls_what_the_gm_named_for_it(table: GameTable) -> None:
    named = {"first": "Int", "second": "Dex", "other_first": "Str", "other_second": "Lck"}
    asked = table.do("GM", "contest", one="Ash", other="Bram", more=("Cleo",), **named)

    assert [one.label for one in asked.follow_ups] == [
        "Ash: roll Int + Dex",
        "Bram: roll Str + Lck",
        "Cleo: roll Str + Lck",
    ]


@pytest.mark.rule("PMM-ATK-03", "PMM-MAG-02")
class TestDefending:
    @pytest.mark.parametrize(("seconds", "waits"), [(0, None), (30, 30)])
    def test_the_best_defense_is_made_after_the_campaigns_time(self, seconds: int, waits: int | None) -> None:
        table = lay_table()
        table.settings(defence="always", defense_seconds=seconds)
        asked = table.do("Ash", "attack", FALL["15"], target="Bram", track="blunt", first="Int", second="Dex")

        assert [one.after_seconds for one in asked.follow_ups] == [waits, None, None]

    @pytest.mark.parametrize(
        ("defended", "wounds", "told"),
        [(True, "0/0/0/1", ("Bram can't defend.",)), (False, "0/0/0/1", ()), (False, "0/0/0/0", ())],
    )
    def test_who_cannot_act_cannot_defend(self, defended: bool, wounds: str, told: tuple[str, ...]) -> None:
        table = lay_table()
        table.wound("Bram", "blunt", wounds)
        options = {"target": "Bram", "track": "rending", "first": "Int", "second": "Dex"}
        done = table.do("Ash", "attack", FALL["15"], defended=defended, **options)

        assert tuple(note for note in done.notes if "defend" in note) == told
        assert table.wounds("Bram", "rending") == "0/1/0/0"

    @pytest.mark.parametrize(
        ("attack", "magic", "note", "wounds"),
        [("20", 1, True, "0/0/0/0"), ("20", 6, False, "1/0/0/0"), ("15", 1, False, "0/0/0/0")],
    )
    def test_a_magic_1_spares_a_wound_that_would_strike(
        self, attack: str, magic: int, note: bool, wounds: str
    ) -> None:
        table = lay_table(sheets={"Bram": sheet(is_magical=True)})
        table.settings(defence="always")
        options = {"track": "blunt", "first": "Int", "second": "Dex"}
        table.do("Ash", "attack", FALL[attack], target="Bram", **options)
        done = table.do("Bram", "defend", f"{FALL['15']} d6:{magic}", magic=True, pair="Int + Dex")

        assert ("Magic 1: −1 wound." in done.notes) is note
        assert table.wounds("Bram", "blunt") == wounds

    @pytest.mark.rule("PMM-AST-01")
    def test_an_assist_waits_for_the_next_action_and_is_not_used_up_by_a_defense(self) -> None:
        table = lay_table()
        table.settings(defence="always")
        table.do("Cleo", "assist", FALL["20"], target="Bram", first="Int", second="Dex")
        table.do("Ash", "attack", FALL["15"], target="Bram", track="blunt", first="Int", second="Dex")
        table.do("Bram", "defend", FALL["10"], pair="Int + Dex")
        assert waiting_assist(table.scene, id_of("Bram")) is not None
        table.do("Bram", "check", FALL["10"], first="Int", second="Dex")
        assert waiting_assist(table.scene, id_of("Bram")) is None

    @pytest.mark.rule("PMM-BLZ-06")
    def test_there_are_no_bonus_dice_outside_a_fight(self) -> None:
        told = lay_table().refused("Ash", "check", first="Int", second="Dex", bonus_dice=1)
        assert told.what == "Ash has 0 bonus d8 left this round, not 1."
