"""The check: two attribute dice, what is added, five tiers."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, NamedTerm, Roll, Term, Verdict
from bot.rules.kernel.odds import Chance
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.sheet import AttributeScore, MaidAttribute
from bot.rules.post_magic_maid.tier_check import Magic, MaidCheckInputs, check, check_odds
from bot.rules.post_magic_maid.tiers import MaidTier, tier_of
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, active, lay_table, passive, sheet
from tests.rules.post_magic_maid.vectors import vectors


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

    def test_the_tier_needed_is_not_reached_by_fourteen(self) -> None:
        roll = check(inputs(8, 12, needed="15"), ScriptedDice("d8:5 d12:9"))

        assert roll.verdict == Verdict(Family.FAILURE, "not reached, tier 10")
        assert roll.odds is not None
        assert roll.odds.needed == "15"

    def test_the_tier_needed_is_reached_by_its_own_threshold(self) -> None:
        roll = check(inputs(8, 12, needed="15"), ScriptedDice("d8:6 d12:9"))

        assert roll.verdict == Verdict(Family.SUCCESS, "reached, tier 15")

    def test_the_tier_needed_is_reached_by_twenty_two(self) -> None:
        roll = check(inputs(8, 12, 8, needed="15"), ScriptedDice("d8:5 d12:9"))

        assert roll.verdict == Verdict(Family.SUCCESS, "reached, tier 20")

    def test_a_total_below_ten_is_shown_as_below_ten(self) -> None:
        roll = check(inputs(8, 12), ScriptedDice("d8:5 d12:4"))

        assert roll.verdict == Verdict(Family.FAILURE, "below 10")


@pytest.mark.rule("PMM-CHK-05")
class TestBonuses:
    def test_the_highest_bonuses_are_five_four_and_thirteen(self) -> None:
        best = sheet(
            creation={"Dex": 2, "Int": 1},
            steps={"Dex": 3, "Int": 3},
            abilities=[active("Fencing", 3, 2, creation=1, gave_point=True)],
        )
        table = lay_table(sheets={"Ash": best})

        done = table.do("Ash", "check", "d12:1 d20:1", first="Dex", second="Int", ability="Fencing")

        assert sum(term.value for term in done.rolls[0].terms) == 22

    def test_two_attributes_at_five_are_impossible(self) -> None:
        both = sheet(creation={"Dex": 2, "Int": 2}, steps={"Dex": 3, "Int": 3})

        assert [problem.sentence for problem in RULESET.sheet_problems(both)] == [
            "A new character has 3 attribute bonuses, not 4."
        ]

    def test_a_new_character_may_add_nothing(self, table: GameTable) -> None:
        done = table.do("Ash", "check", "d6:4 d8:5", first="Str", second="Cha")

        assert done.rolls[0].terms == ()
        assert done.rolls[0].total == 9

    def test_a_new_character_adds_eight_at_best(self) -> None:
        best = sheet(creation={"Dex": 2, "Str": 1}, abilities=[active("Fishing", 1, creation=1)])
        table = lay_table(sheets={"Ash": best})

        done = table.do("Ash", "check", "d12:1 d6:1", first="Dex", second="Str", ability="Fishing")

        assert sum(term.value for term in done.rolls[0].terms) == 8

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
