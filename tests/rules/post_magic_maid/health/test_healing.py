"""Rest and treatment."""

import pytest

from bot.rules.kernel import Family, Verdict
from tests.rules.post_magic_maid.play import GameTable, lay_table, sheet, start_fight

ENOUGH = {"15": "d20:10 d12:6", "20": "d20:12 d12:10", "25": "d20:18 d12:7"}


def both(table: GameTable) -> tuple[str, str]:
    return table.wounds("Ash", "blunt"), table.wounds("Ash", "rending")


@pytest.mark.rule("PMM-HEAL-01")
class TestRest:
    def test_each_hour_of_rest_heals_one_wound(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "2/1/0/0")
        table.wound("Ash", "rending", "1/0/0/0")

        done = table.do("Ash", "rest", hours=4, now=True)

        assert both(table) == ("0/0/0/0", "0/0/0/0")
        assert done.headline == "rests for 4 hours"
        assert done.notes == ("Ash: 4 wounds healed.", "It is day 1, 04:00.")

    def test_four_three_and_three_wounds_take_ten_hours_of_rest(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "4/3/0/0")
        table.wound("Ash", "rending", "3/0/0/0")

        table.do("Ash", "rest", hours=9, now=True)
        assert both(table) == ("1/0/0/0", "0/0/0/0")
        table.do("Ash", "rest", hours=1, now=True)

        assert both(table) == ("0/0/0/0", "0/0/0/0")

    def test_moderate_rending_does_not_heal_by_rest(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/2/0/0")

        done = table.do("Ash", "rest", hours=5, now=True)

        assert both(table) == ("0/0/0/0", "0/2/0/0")
        assert done.notes[0] == "Ash: nothing healed."

    def test_heavy_blunt_does_not_heal_by_rest(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")

        table.do("Ash", "rest", hours=5, now=True)

        assert both(table) == ("0/0/1/0", "0/0/0/0")

    def test_rest_heals_moderate_blunt_first_then_slight_rending_then_slight_blunt(
        self, table: GameTable
    ) -> None:
        table.wound("Ash", "blunt", "1/1/0/0")
        table.wound("Ash", "rending", "1/0/0/0")

        seen = []
        for _ in range(3):
            table.do("Ash", "rest", hours=1, now=True)
            seen.append(both(table))

        assert seen == [("1/0/0/0", "1/0/0/0"), ("1/0/0/0", "0/0/0/0"), ("0/0/0/0", "0/0/0/0")]

    def test_the_player_may_choose_what_heals_first(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "1/1/0/0")

        done = table.do("Ash", "rest", hours=1, prefer="slight blunt", now=True)

        assert both(table) == ("0/1/0/0", "0/0/0/0")
        assert done.headline == "rests for 1 hour"
        assert done.notes[0] == "Ash: 1 wound healed."

    def test_a_gm_has_several_rest_at_once(self, table: GameTable) -> None:
        for name in ("Ash", "Bram"):
            table.wound(name, "blunt", "3/0/0/0")

        table.do("GM", "rest.call", hours=2, who=("Ash", "Bram"), now=True)

        assert (table.wounds("Ash", "blunt"), table.wounds("Bram", "blunt")) == ("1/0/0/0", "1/0/0/0")
        assert table.scene.clock == 2 * 3600

    def test_resting_in_the_middle_of_an_encounter_is_refused(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")

        assert table.refused("Ash", "rest", hours=1).what == "Ash is in an encounter."


@pytest.mark.rule("PMM-HEAL-02")
class TestTreatmentRoll:
    def test_a_treatment_rolls_int_and_dex_and_14_is_not_enough(self) -> None:
        table = lay_table(sheets={"Bram": sheet(creation={"Int": 1})})
        table.wound("Ash", "rending", "0/1/0/0")

        done = table.do("Bram", "treat", "d20:9 d12:4", target="Ash")

        assert (done.headline, done.rolls[0].total) == ("treats Ash", 14)
        assert done.notes == ("That isn't enough for any of the wounds.",)
        assert table.wounds("Ash", "rending") == "0/1/0/0"

    def test_a_treatment_as_the_first_of_two_actions_takes_five_off(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        table.wound("Ash", "rending", "0/1/0/0")
        table.do("Bram", "act", count=2)

        done = table.do("Bram", "treat", "d20:10 d12:6", target="Ash")

        assert done.rolls[0].total == 11
        assert table.seat("Bram").actions_used == 1

    def test_a_treatment_of_18_and_7_reaches_tier_25(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/0/0/1")

        done = table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        assert done.verdict == Verdict(Family.SUCCESS, "tier 25")

    def test_treating_somebody_without_wounds_is_refused(self, table: GameTable) -> None:
        assert table.refused("Bram", "treat", target="Ash").sentences == ("Ash has no wound you can treat.",)

    def test_a_double_maximum_in_a_treatment_gives_a_blitz_point(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        table.do("Bram", "treat", "d20:20 d12:12", target="Ash")

        assert table.points("Bram") == 4

    def test_a_conscious_character_may_treat_themselves(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        done = table.do("Ash", "treat", ENOUGH["15"], target="Ash")

        assert done.headline == "treats their own wounds"
        table.wound("Ash", "blunt", "0/0/0/1")
        assert table.refused("Ash", "treat", target="Ash").what == "Ash is unconscious."


@pytest.mark.rule("PMM-HEAL-03")
class TestTier15:
    def test_tier_15_removes_a_moderate_rending_wound(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/2/0/0")

        table.do("Bram", "treat", "d20:10 d12:6", target="Ash")
        assert table.wounds("Ash", "rending") == "0/1/0/0"

        table.do("Bram", "treat", "d20:10 d12:5", target="Ash")
        assert table.wounds("Ash", "rending") == "0/0/0/0"

    def test_a_moderate_blunt_wound_is_not_treatable(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/1/0/0")

        assert table.refused("Bram", "treat", target="Ash").sentences == (
            "Ash has no wound you can treat.",
            "The remaining wounds heal with rest.",
        )

    def test_a_treatment_of_14_removes_nothing(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        table.do("Bram", "treat", "d20:10 d12:4", target="Ash")

        assert table.wounds("Ash", "rending") == "0/1/0/0"


@pytest.mark.rule("PMM-HEAL-04")
class TestTier20:
    def test_tier_20_removes_a_heavy_rending_wound_and_its_timer(self, table: GameTable) -> None:
        table.do("GM", "wound", target="Ash", track="rending", tier="20")

        table.do("Bram", "treat", "d20:10 d12:10", target="Ash")

        assert table.wounds("Ash", "rending") == "0/0/0/0"
        assert dict(table.named("Ash").timers) == {}

    def test_tier_20_removes_a_heavy_blunt_wound(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/3/0")

        table.do("Bram", "treat", "d20:12 d12:11", target="Ash")

        assert table.wounds("Ash", "blunt") == "0/0/2/0"

    def test_a_treatment_of_19_does_not_remove_a_heavy_wound(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")

        table.do("Bram", "treat", "d20:10 d12:9", target="Ash")

        assert table.wounds("Ash", "blunt") == "0/0/1/0"

    def test_the_healer_picks_one_of_two_heavy_wounds(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")
        table.wound("Ash", "rending", "0/0/1/0")

        asked = table.do("Bram", "treat", "d20:10 d12:10", target="Ash")

        menu = asked.follow_ups[0]
        assert menu.label == "Treat which wound?"
        assert [choice.label for choice in menu.choices] == ["Heavy blunt", "Heavy rending"]
        done = table.press("Bram", menu, choose="heavy rending")
        assert done.headline == "heals a wound of Ash"
        assert done.verdict == Verdict(Family.SUCCESS, "heavy rending healed")
        assert both(table) == ("0/0/1/0", "0/0/0/0")
        assert table.refused("Bram", "choose_wound", **menu.options.model_dump()).what == (
            "Bram has no treatment to finish."
        )


@pytest.mark.rule("PMM-HEAL-05")
class TestTier25:
    def test_tier_25_wakes_an_unconscious_character(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/0/1")

        table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        table.do("Ash", "check", "d20:1 d12:1", first="Int", second="Dex")

    def test_a_treatment_of_24_does_not_remove_a_mortal_wound(self, table: GameTable) -> None:
        table.do("GM", "wound", target="Ash", track="rending", tier="25")

        table.do("Bram", "treat", "d20:18 d12:6", target="Ash")

        assert table.wounds("Ash", "rending") == "0/0/0/1"
        assert dict(table.named("Ash").timers) == {"mortal": 60}

    def test_a_treatment_of_26_removes_a_mortal_wound_and_its_timer(self, table: GameTable) -> None:
        table.do("GM", "wound", target="Ash", track="rending", tier="25")

        table.do("Bram", "treat", "d20:18 d12:8", target="Ash")

        assert table.wounds("Ash", "rending") == "0/0/0/0"
        assert dict(table.named("Ash").timers) == {}

    def test_the_healer_picks_between_a_mortal_wound_and_unconsciousness(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/0/1")
        table.wound("Ash", "rending", "0/0/0/1")

        asked = table.do("Bram", "treat", "d20:18 d12:8", target="Ash", ability="")

        assert [choice.label for choice in asked.follow_ups[0].choices] == ["Unconscious", "Mortal rending"]


@pytest.mark.rule("PMM-HEAL-06")
class TestLesserWounds:
    def test_a_treatment_of_27_removes_a_moderate_wound_if_there_is_no_other(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        table.do("Bram", "treat", "d20:18 d12:9", target="Ash")

        assert table.wounds("Ash", "rending") == "0/0/0/0"

    def test_a_treatment_of_22_removes_one_of_two_wounds_and_offers_the_gravest_first(
        self, table: GameTable
    ) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")
        table.wound("Ash", "rending", "0/1/0/0")

        asked = table.do("Bram", "treat", "d20:12 d12:10", target="Ash")

        menu = asked.follow_ups[0]
        assert [choice.value for choice in menu.choices] == ["heavy blunt", "moderate rending"]
        graver = {**menu.options.model_dump(), "wound": "mortal rending"}
        assert table.refused("Bram", "choose_wound", **graver).what == (
            "A treatment of tier 20 can't remove that wound from Ash."
        )

    def test_a_treatment_of_12_removes_nothing(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "3/2/1/1")
        table.wound("Ash", "blunt", "4/3/3/1")

        done = table.do("Bram", "treat", "d20:6 d12:6", target="Ash")

        assert done.follow_ups == ()
        assert done.notes == ("That isn't enough for any of the wounds.",)

    def test_an_ability_may_help_a_treatment(self) -> None:
        table = lay_table(sheets={"Bram": sheet(abilities=[])})
        table.wound("Ash", "rending", "0/1/0/0")

        assert table.refused("Bram", "treat", target="Ash", ability="Surgery").what == (
            "There is no ability “Surgery” on the sheet."
        )
