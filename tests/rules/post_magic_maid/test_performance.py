"""Abilities: single and double bonuses, passives, names."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Family, Roll, Verdict
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.sheet import AbilityKind, MaidAbility
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check, check_odds, magic_wounds
from bot.rules.post_magic_maid.tiers import MAGIC
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, active, lay_table, passive, sheet, vectors


def learner(*abilities: MaidAbility, waiting: int = 1) -> GameTable:
    """Ash with these abilities and level-ups that wait."""
    table = lay_table(sheets={"Ash": sheet(abilities=abilities)})
    table.alter("Ash", resources={"blitz": 3, "level_ups": waiting})
    return table


def ability(table: GameTable, name: str) -> MaidAbility:
    return table.named("Ash").sheet.ability(name)


@pytest.mark.rule("PMM-ABL-01", "PMM-ABL-03")
class TestBonuses:
    @pytest.mark.parametrize("row", vectors("ability_bonus"))
    def test_single_and_double_bonuses_add_up(self, row: dict[str, Any]) -> None:
        both = MaidAbility(
            name="Fishing", kind=AbilityKind.ACTIVE, singles=row["singles"], doubles=row["doubles"]
        )

        assert both.bonus == row["bonus"]


@pytest.mark.rule("PMM-ABL-01")
class TestSingles:
    def test_a_fourth_single_bonus_is_refused(self) -> None:
        table = learner(active("Fishing", 3, creation=1))

        assert table.refused("Ash", "single", ability="fishing").what == (
            "Fishing already has three single bonuses."
        )
        with pytest.raises(ValidationError):
            active("Fishing", 4)

    def test_a_roll_of_4_and_6_with_a_single_bonus_is_15(self) -> None:
        table = learner(active("Fishing", 1, creation=1))

        done = table.do("Ash", "check", "d6:4 d8:6", first="Str", second="Wll", ability="Fishing")

        assert (done.rolls[0].total, done.rolls[0].outcome) == (15, "15")

    def test_the_third_single_bonus_is_worth_one_more(self) -> None:
        table = learner(active("Fishing", 2, creation=1))

        table.do("Ash", "single", ability="Fishing")

        assert ability(table, "Fishing").bonus == 9


@pytest.mark.rule("PMM-ABL-02")
class TestDoubles:
    def test_a_double_bonus_gives_two_abilities_two_each(self) -> None:
        table = learner()

        table.do("Ash", "double", ability="riding", second="swimming")

        assert [(each.name, each.bonus) for each in table.named("Ash").sheet.abilities] == [
            ("riding", 2),
            ("swimming", 2),
        ]

    def test_a_double_bonus_twice_on_one_ability_is_refused(self) -> None:
        assert learner().refused("Ash", "double", ability="riding", second="Riding ").what == (
            "A double bonus must go to two different abilities."
        )

    def test_a_double_bonus_on_an_ability_with_two_is_refused(self) -> None:
        table = learner(active("Riding", 0, 2))

        assert table.refused("Ash", "double", ability="swimming", second="riding").what == (
            "Riding already has two double bonuses."
        )


@pytest.mark.rule("PMM-ABL-03")
class TestCombinedValue:
    def test_the_first_single_is_worth_five_also_after_doubles(self) -> None:
        table = learner(active("Riding", 0, 2))

        table.do("Ash", "single", ability="Riding")

        assert ability(table, "Riding").bonus == 9

    def test_creation_bonuses_use_up_the_limits(self) -> None:
        table = learner(active("Fishing", 1, creation=1), waiting=3)

        table.do("Ash", "single", ability="Fishing")
        table.do("Ash", "single", ability="Fishing")

        assert table.refused("Ash", "single", ability="Fishing").what == (
            "Fishing already has three single bonuses."
        )


@pytest.mark.rule("PMM-ABL-04")
class TestPassives:
    def test_a_passive_ability_takes_no_single_bonus(self) -> None:
        table = learner(passive("Contacts"))

        assert table.refused("Ash", "single", ability="Contacts").what == (
            "Contacts is passive, so it can only take passive bonuses."
        )

    def test_a_passive_step_strengthens_the_ability_and_gives_no_bonus(self) -> None:
        table = learner(passive("Contacts", creation=1))

        table.do("GM Ash", "passive", ability="contacts", effect="In two cities.")

        grown = ability(table, "Contacts")
        assert (grown.passives, grown.bonus, grown.effects) == (2, 0, ("In two cities.",))

    def test_the_gm_approves_a_fifth_step(self) -> None:
        table = learner(passive("Contacts", 4, gave_point=True))
        asked = table.do("Ash", "passive", ability="Contacts", effect="Everywhere.")

        assert asked.headline == "asks the GM for Contacts, strength 5"
        assert asked.notes == ("Everywhere.",)
        assert {one.note for one in asked.follow_ups} == {"The level-up isn't spent until the GM approves."}
        (waits,) = RULESET.unsettled(table.scene)  # F-SMALL-21
        assert (waits.what, waits.answers) == ("Ash's request: Contacts, strength 5", asked.follow_ups)
        assert [button.label for button in asked.follow_ups] == ["Approve", "Decline"]
        assert table.points("Ash", "level_ups") == 1

        approved = table.press("GM", asked.follow_ups[0])

        assert approved.headline == "approves Contacts, strength 5 for Ash"
        assert ability(table, "Contacts").passives == 5
        assert table.points("Ash", "level_ups") == 0

    def test_a_declined_step_leaves_the_level_up_pending(self) -> None:
        table = learner(passive("Contacts"))
        asked = table.do("Ash", "passive", ability="Contacts")

        declined = table.press("GM", asked.follow_ups[1])

        assert declined.headline == "declines Contacts for Ash"
        assert declined.verdict == Verdict(Family.FAILURE, "declined")
        assert RULESET.unsettled(table.scene) == ()
        assert table.points("Ash", "level_ups") == 1
        assert ability(table, "Contacts").passives == 1
        assert table.refused("GM", "approve", **asked.follow_ups[0].options.model_dump()).what == (
            "That request has already been decided."
        )

    def test_approving_a_step_needs_an_unspent_level_up(self) -> None:
        table = learner(passive("Contacts"))
        asked = table.do("Ash", "passive", ability="Contacts")
        table.do("Ash", "single", ability="Fishing")

        mistake = table.refused("GM", "approve", **asked.follow_ups[0].options.model_dump())

        assert mistake.what == "Ash can't get Contacts any more: Ash has no level-up to spend."
        assert "Decline it" in " ".join(mistake.sentences)


@pytest.mark.rule("PMM-ABL-05")
class TestRollingForAPassive:
    def table(self) -> GameTable:
        ash = sheet({"Lck": 6, "Wll": 8}, creation={"Wll": 1}, abilities=[passive("Stone skin")])
        table = lay_table(sheets={"Ash": ash})
        table.do("GM", "activation", target="Ash", ability="stone skin", first="Wll", second="Lck", tier="15")
        return table

    def test_a_roll_of_14_does_not_activate_a_passive_of_tier_15(self) -> None:
        table = self.table()

        done = table.do("Ash", "use", "d8:7 d6:6", ability="Stone skin")

        assert done.rolls[0].total == 14
        assert done.verdict == Verdict(Family.FAILURE, "doesn't work")

    def test_a_roll_of_15_activates_a_passive_and_a_double_maximum_gives_a_point(self) -> None:
        table = self.table()

        done = table.do("Ash", "use", "d8:8 d6:6", ability="Stone skin")

        assert done.verdict == Verdict(Family.SUCCESS, "active")
        assert table.points("Ash") == 4

    def test_a_passive_without_a_check_rolls_nothing(self) -> None:
        table = self.table()
        told = table.do("GM", "activation", target="Ash", ability="Stone skin")

        done = table.do("Ash", "use", ability="Stone skin")

        assert told.headline == "rules that Ash's Stone skin needs no check"
        assert (done.headline, done.rolls) == ("uses Stone skin", ())

    def test_an_active_bonus_on_a_passives_name_is_refused(self) -> None:
        table = self.table()
        table.alter("Ash", resources={"level_ups": 1})

        assert table.refused("Ash", "double", ability="stone skin", second="Riding").what == (
            "Stone skin is passive, so it can only take passive bonuses."
        )

    def test_an_active_ability_cannot_be_used_as_a_passive(self) -> None:
        table = learner(active("Fishing", 1))

        assert table.refused("Ash", "use", ability="Fishing").what == "Fishing is an active ability."


@pytest.mark.rule("PMM-ABL-06")
class TestKind:
    def test_an_ability_can_take_a_single_then_a_double(self) -> None:
        table = learner(active("Fishing", 1))

        table.do("Ash", "double", ability="Fishing", second="Riding")

        assert ability(table, "Fishing").bonus == 7

    def test_a_passive_bonus_after_a_single_is_refused(self) -> None:
        table = learner(active("Fishing", 1))

        assert table.refused("Ash", "passive", ability="Fishing").what == (
            "Fishing is active, so it can't take a passive bonus."
        )

    def test_two_doubles_then_a_single_give_nine(self) -> None:
        table = learner(active("Fishing", 0, 2))

        table.do("Ash", "single", ability="Fishing")

        assert ability(table, "Fishing").bonus == 9

    def test_a_double_bonus_after_a_passive_is_refused(self) -> None:
        table = learner(passive("Contacts"))

        assert table.refused("Ash", "double", ability="Contacts", second="Riding").what == (
            "Contacts is passive, so it can only take passive bonuses."
        )


@pytest.mark.rule("PMM-ABL-07")
class TestNames:
    @pytest.mark.parametrize(
        ("one", "other"), [("Swordfighting", "swordfighting"), (" swimming ", "Swimming")]
    )
    def test_case_and_spaces_in_ability_names_make_no_difference(self, one: str, other: str) -> None:
        table = learner(waiting=2)
        table.do("Ash", "single", ability=one)

        table.do("Ash", "single", ability=other)

        assert [each.bonus for each in table.named("Ash").sheet.abilities] == [8]

    @pytest.mark.parametrize("name", ["", "   ", "x" * 61])
    def test_a_name_has_one_to_sixty_characters(self, name: str) -> None:
        with pytest.raises(ValidationError):
            learner().do("Ash", "single", ability=name)

    def test_a_new_name_at_a_level_up_is_a_new_ability(self) -> None:
        table = learner(active("Fishing", 1))

        table.do("Ash", "single", ability="Law")

        assert [each.name for each in table.named("Ash").sheet.abilities] == ["Fishing", "Law"]

    def test_own_abilities_come_first_among_the_suggestions(self) -> None:
        ash = learner(active("Fishing", 1), passive("Contacts")).named("Ash")
        settings = RULESET.settings.model_validate({"suggestions": "Juggling, Fishing"})

        names = {kind: list(offer(ash, settings)) for kind, offer in RULESET.suggestions.items()}

        assert names["ability"] == ["Fishing"]
        assert names["passive"] == ["Contacts"]
        assert names["active_name"][:3] == ["Fishing", "Juggling", "Sprinting"]
        assert names["passive_name"] == ["Contacts", "Damage reduction", "Water walking"]

    def test_suggestions_are_offered_without_a_character(self) -> None:
        names = {kind: list(offer(None, RULESET.settings())) for kind, offer in RULESET.suggestions.items()}

        assert (names["ability"], names["passive"]) == ([], [])
        assert len(names["active_name"]) == 14


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
