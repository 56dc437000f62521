"""Any skill against any other, the campaign's own included."""

import pytest

from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet, words


def trickery(table: GameTable, **more: object) -> None:
    table.do("GM", "add_skill", name="Trickery", opposed="Mental Defense", **more)


@pytest.mark.rule("SWIM-OPP-01", "SWIM-SKILL-18", "SWIM-CHAR-07")
class TestOpposing:
    """F-SWIM-08"""

    def test_tracking_is_opposed_by_the_quarrys_stealth(self) -> None:
        table = lay_table(Ash=sheet({"tracking": 2}), Orc=sheet({"stealth": 1}))
        done = table.do("Ash", "oppose", "6 2", skill="tracking", targets=("Orc",))

        assert done.headline == "sets Tracking against Orc's Stealth (Tracking 2)"
        assert [one.label for one in done.follow_ups] == [
            "Orc: Stealth · stops it 0%",
            "Orc doesn't oppose",
        ]
        against = table.do("GM Orc", "defend", "3")
        assert (faced(against), words(against)) == (
            "3 stops 2 · through: 6",
            "Ash: success, 1 progress",
        )
        assert (table.points("Orc", "scratches"), table.points("Orc", "physical_wounds")) == (0, 0)

    def test_arm_wrestling_is_brawn_against_brawn(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 2}), Orc=sheet({"brawn": 2}))
        table.do("Ash", "oppose", "3 2", skill="brawn", targets=("Orc",))

        assert words(table.do("GM Orc", "defend", "3 2")) == "Ash: fails"  # F-SWIM-33

    def test_the_opposing_skill_can_be_chosen(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"spot": 1, "dark_vision": 2}))
        done = table.do("Ash", "oppose", "5 5", skill="finesse", targets=("Orc",), against="spot")

        menu = next(one for one in done.follow_ups if one.choices)
        assert [one.value for one in menu.choices] == ["dark_vision", "spot"]

    def test_several_characters_can_oppose_one_roll(self) -> None:
        table = lay_table(Ash=sheet({"walk": 2}))
        done = table.do("Ash", "oppose", "6 6", skill="walk", targets=("Bram", "Orc"))
        waits = list(dict.fromkeys(one.note for one in done.follow_ups))
        assert waits == ["Bram can oppose.", "Orc can oppose."]

        assert words(table.do("Bram", "defend", "6")) == "Ash: success, 1 progress against Bram"
        assert words(table.do("GM Orc", "defend", "1")) == "Ash: success, 2 progress against Orc"

    def test_an_opposed_roll_may_need_a_set_amount_of_progress(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"finesse": 1}))
        done = table.do("Ash", "oppose", "6 6", skill="finesse", targets=("Orc",), progress=2)

        assert done.rolls[0].odds.needed == "2 successes"  # type: ignore[union-attr]
        assert words(table.do("GM Orc", "defend", "6")) == "Ash: fails, 1 of 2 progress"

    def test_an_opposed_roll_short_of_the_needed_progress_fails_with_critical_failures(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 3}), Orc=sheet({"finesse": 1}))
        table.do("Ash", "oppose", "6 1 1", skill="finesse", targets=("Orc",), progress=2)

        done = table.do("GM Orc", "defend", "2")
        assert any("1 critical" in note for note in done.notes)

    def test_an_opposed_roll_may_also_have_a_difficulty(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}), Orc=sheet({"finesse": 1}))
        table.do("Ash", "oppose", "6 3", skill="finesse", targets=("Orc",), difficulty=4)

        assert words(table.do("GM Orc", "decline")) == "Ash: success, 1 progress"

    def test_helpers_lend_dice_to_an_opposed_roll(self) -> None:
        table = lay_table(Ash=sheet({"brawn": 2}), Bram=sheet({"brawn": 2}))
        table.do("Bram", "aid", target="Ash", skill="brawn")

        assert len(table.do("Ash", "oppose", "6 3 2", skill="brawn", targets=("Orc",)).rolls[0].dice) == 3

    def test_only_a_gm_says_that_an_opponent_is_unaware(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2}))
        opposed = {"skill": "finesse", "targets": ("Orc",), "unaware": True}

        assert table.refused("Ash", "oppose", **opposed) == "Only a GM can make targets unaware."
        assert words(table.do("GM Ash", "oppose", "6 3", **opposed)) == "success, 2 progress"

    def test_composure_cannot_be_rolled_against_an_opponent(self) -> None:
        assert lay_table().refused("Ash", "oppose", skill="composure", targets=("Orc",)) == (
            "You can't roll Composure."
        )

    def test_an_unknown_opposing_skill_is_refused(self) -> None:
        assert lay_table().refused("Ash", "oppose", skill="spot", targets=("Orc",), against="surfing") == (
            "There is no skill “surfing” in this campaign."
        )


@pytest.mark.rule("SWIM-CHAR-07")
class TestAddedSkills:
    """F-SWIM-08"""

    def test_an_added_skill_is_opposed_by_the_counter_it_names(self) -> None:
        table = lay_table(Orc=sheet({"mental_defense": 2}))
        trickery(table)
        done = table.do("Ash", "oppose", "6", skill="trickery", targets=("Orc",))

        assert done.headline == "sets Trickery against Orc's Mental Defense (Trickery 1)"

    def test_an_added_stealth_skill_can_be_used_to_hide(self) -> None:
        table = lay_table()
        trickery(table, attack="stealth")
        table.do("Ash", "stealth", "6", skill="trickery", observers=("Orc",))

        assert words(table.do("GM Orc", "defend", "2")) == "unnoticed by Orc"
        assert table.refused("Ash", "stealth", skill="spot", observers=("Orc",)) == (
            "You can't hide with Spot."
        )

    def test_an_added_stealth_skill_without_a_counter_is_opposed_by_its_defense(self) -> None:
        table = lay_table()
        table.do("GM", "add_skill", name="Mask", attack="stealth", pool="social")
        done = table.do("Ash", "stealth", "6", skill="mask", observers=("Orc",))

        assert done.follow_ups[0].label == "Orc: Social Defense · stops it 17%"

    def test_an_added_magic_skill_attacks_against_its_defense(self) -> None:
        table = lay_table()
        table.do("GM", "add_skill", name="Psionics", attack="magic", pool="mental")
        table.do("Ash", "attack", "6", skill="psionics", targets=("Orc",))

        assert words(table.do("GM Orc", "defend", "2")) == "1 hit"

    def test_an_added_attack_skill_without_a_counter_is_opposed_by_its_defense(self) -> None:
        table = lay_table()
        table.do("GM", "add_skill", name="Persuasion", attack="ranged", pool="social")
        done = table.do("Ash", "oppose", "6", skill="persuasion", targets=("Orc",))

        assert done.headline == "sets Persuasion against Orc's Social Defense (Persuasion 1)"
        assert words(table.do("GM Orc", "defend", "2")) == "Ash: success, 1 progress"
        assert (table.points("Orc", "scratches"), table.points("Orc", "social_wounds")) == (0, 0)
