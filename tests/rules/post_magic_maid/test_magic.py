"""The magic die."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Family, Roll, Verdict
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check, check_odds, magic_wounds
from bot.rules.post_magic_maid.tiers import MAGIC
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, lay_table, sheet


@pytest.fixture
def mages() -> GameTable:
    """Ash and Bram can do magic; Int is on a d20, Dex on a d12."""
    return lay_table(sheets={name: sheet(is_magical=True) for name in ("Ash", "Bram")})


def strike(table: GameTable, fall: str, track: str = "blunt", **more: bool) -> Verdict | None:
    done = table.do(
        "Ash", "attack", fall, target="Bram", first="Int", second="Dex", track=track, magic=True, **more
    )
    return done.verdict


def magic_roll(face: int, *, base: str = "d20:12 d12:5") -> Roll:
    inputs = MaidCheckInputs.model_validate(
        {
            "first": {"attribute": "Int", "sides": 20},
            "second": {"attribute": "Dex", "sides": 12},
            "magic": "attack",
        }
    )
    return check(inputs, ScriptedDice(f"{base} d6:{face}"))


@pytest.mark.rule("PMM-MAG-01")
class TestAccess:
    def test_magic_without_the_gms_permission_is_refused(self, table: GameTable) -> None:
        mistake = table.refused(
            "Ash", "attack", target="Bram", first="Int", second="Dex", track="blunt", magic=True
        )

        assert mistake.sentences == ("Ash can't do magic.", "A GM decides who can do magic.")

    def test_a_check_outside_combat_has_no_magic(self, mages: GameTable) -> None:
        with pytest.raises(ValidationError):
            mages.do("Ash", "check", first="Int", second="Dex", magic=True)

    def test_magic_in_an_attack_rolls_a_d6(self, mages: GameTable) -> None:
        strike(mages, "d20:12 d12:5 d6:4")

        assert mages.last is not None
        die = mages.last.rolls[0].dice[2]
        assert (die.sides, die.label, die.is_borrowed, die.is_kept) == (6, "magic", True, True)

    def test_an_attack_without_magic_rolls_no_magic_die(self, mages: GameTable) -> None:
        done = mages.do(
            "Ash", "attack", "d20:12 d12:5", target="Bram", first="Int", second="Dex", track="blunt"
        )

        assert len(done.rolls[0].dice) == 2

    def test_an_automatic_25_rolls_no_magic_die(self) -> None:
        inputs = MaidCheckInputs.model_validate(
            {
                "first": {"attribute": "Int", "sides": 20},
                "second": {"attribute": "Dex", "sides": 12},
                "magic": "attack",
                "is_automatic": True,
            }
        )

        assert check(inputs, ScriptedDice("")).dice == ()

    def test_the_gm_grants_and_revokes_magic(self, table: GameTable) -> None:
        given = table.do("GM", "magic", target="Ash")
        assert given.headline == "rules that Ash can do magic"
        assert table.named("Ash").sheet.is_magical

        taken = table.do("GM", "magic", target="Ash", allowed=False)
        assert taken.headline == "rules that Ash cannot do magic"
        assert not table.named("Ash").sheet.is_magical


@pytest.mark.rule("PMM-MAG-02")
class TestOne:
    def test_a_magic_1_in_an_attack_causes_another_wound_of_its_tier(self, mages: GameTable) -> None:
        strike(mages, "d20:12 d12:5 d6:1")

        assert mages.wounds("Bram", "blunt") == "0/2/0/0"
        assert mages.last is not None
        assert mages.last.notes == ("Magic 1: +1 wound.",)

    def test_a_magic_1_on_a_miss_does_nothing(self, mages: GameTable) -> None:
        strike(mages, "d20:4 d12:5 d6:1")

        assert mages.wounds("Bram", "blunt") == "0/0/0/0"
        assert mages.last is not None
        assert mages.last.notes == ("Magic 1: no effect on a miss.",)

    def test_two_heavy_rending_wounds_are_a_heavy_and_a_mortal_one(self, mages: GameTable) -> None:
        strike(mages, "d20:15 d12:5 d6:1", "rending")

        assert mages.wounds("Bram", "rending") == "0/0/1/1"

    def defended(self, table: GameTable, attack_fall: str, *, attack_magic: bool) -> str:
        table.do(
            "Ash",
            "attack",
            attack_fall,
            target="Bram",
            first="Int",
            second="Dex",
            track="blunt",
            magic=attack_magic,
            defended=True,
        )
        table.do("Bram", "defend", "d20:4 d12:5 d6:1", first="Int", second="Dex", magic=True)
        return table.wounds("Bram", "blunt")

    def test_a_magic_1_in_a_defense_removes_the_only_wound(self, mages: GameTable) -> None:
        assert self.defended(mages, "d20:12 d12:5", attack_magic=False) == "0/0/0/0"
        assert mages.last is not None
        assert mages.last.verdict == Verdict(Family.SUCCESS, "no wound, by magic")
        assert mages.last.notes == ("Magic 1: −1 wound.",)

    def test_a_magic_1_in_a_defense_removes_one_of_two_wounds(self, mages: GameTable) -> None:
        assert self.defended(mages, "d20:12 d12:5 d6:1", attack_magic=True) == "0/1/0/0"


@pytest.mark.rule("PMM-MAG-03")
class TestTwoToFive:
    def test_a_magic_face_of_2_to_5_is_added(self) -> None:
        roll = magic_roll(4)

        assert (roll.total, roll.outcome) == (21, "20")

    def test_a_magic_2_turns_13_into_15(self) -> None:
        roll = magic_roll(2, base="d20:8 d12:5")

        assert (roll.total, roll.outcome) == (15, "15")

    def test_the_magic_die_adds_fourteen_sixths_on_average(self) -> None:
        assert Fraction(sum(row.adds for row in MAGIC.values()), 6) == Fraction(14, 6)
        assert Fraction(sum((magic_roll(face).total or 0) - 17 for face in range(1, 7)), 6) == Fraction(7, 3)


@pytest.mark.rule("PMM-MAG-04")
class TestSix:
    def test_a_magic_6_adds_nothing(self) -> None:
        roll = magic_roll(6)

        assert (roll.total, magic_wounds(roll)) == (17, 0)
        assert not roll.dice[2].is_kept

    def test_a_magic_6_leaves_24_at_tier_20(self) -> None:
        assert magic_roll(6, base="d20:12 d12:12").outcome == "20"

    def test_a_magic_6_adds_and_removes_no_wound(self, mages: GameTable) -> None:
        strike(mages, "d20:12 d12:3 d6:6", defended=True)

        done = mages.do("Bram", "defend", "d20:10 d12:5 d6:6", first="Int", second="Dex", magic=True)

        assert done.rolls[0].total == 15
        assert done.verdict == Verdict(Family.SUCCESS, "no wound")


def test_each_face_of_the_magic_die_comes_once_in_six() -> None:
    inputs = MaidCheckInputs.model_validate(magic_roll(1).inputs)
    odds = check_odds(inputs)

    assert odds.chances[0][1].of == 6 * 240
    assert [row.face for row in MAGIC.values()] == [1, 2, 3, 4, 5, 6]
