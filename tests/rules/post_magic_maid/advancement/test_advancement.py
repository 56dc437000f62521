"""Levelling up: advances, die points, larger dice."""

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from bot.rules.post_magic_maid.sheet import MaidAttribute, MaidSheet
from tests.rules.post_magic_maid.play import GameTable, active, lay_table, passive, sheet

TRACK = (6, 8, 12, 20, 32)


def learner(made: MaidSheet | None = None, *, waiting: int = 10, die_points: int = 0) -> GameTable:
    """Ash with level-ups that wait."""
    table = lay_table(sheets={"Ash": made or sheet()})
    table.change("Ash", resources={"blitz": 3, "level_ups": waiting, "die_points": die_points})
    return table


def grown(table: GameTable) -> MaidSheet:
    return table.named("Ash").sheet


def bonuses(table: GameTable) -> dict[str, int]:
    return {ability.name: ability.bonus for ability in grown(table).abilities}


@pytest.mark.rule("PMM-ADV-01")
class TestAward:
    def test_a_gm_grants_level_ups(self, table: GameTable) -> None:
        done = table.do("GM", "grant", target="Ash", count=2)

        assert done.headline == "gives Ash 2 level-ups"
        assert table.points("Ash", "level_ups") == 2
        assert done.follow_ups[0].label == "Level up (2 waiting)"

    def test_an_advance_without_a_level_up_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "single", ability="Fishing").what == "Ash has no level-up to spend."

    def test_an_advance_spends_one_of_two_level_ups(self) -> None:
        table = learner(waiting=2)

        done = table.do("Ash", "single", ability="Fishing")

        assert table.points("Ash", "level_ups") == 1
        assert grown(table).advances == ("Fishing +0 to +5",)
        assert done.follow_ups[0].label == "Level up (1 waiting)"

    @pytest.mark.parametrize("count", [0, -1])
    def test_granting_no_or_negative_level_ups_is_refused(self, table: GameTable, count: int) -> None:
        with pytest.raises(ValidationError):
            table.do("GM", "grant", target="Ash", count=count)

    def test_granting_one_level_up_uses_the_singular(self, table: GameTable) -> None:
        assert table.do("GM", "grant", target="Ash").headline == "gives Ash a level-up"


@pytest.mark.rule("PMM-ADV-02")
class TestOneAdvanceALevelUp:
    def test_a_single_and_a_specialisation_take_two_level_ups(self) -> None:
        table = learner(waiting=1)
        table.do("Ash", "single", ability="Fishing")

        assert table.refused("Ash", "specialise", attribute="Dex").what == "Ash has no level-up to spend."

    def test_a_die_step_and_a_bonus_take_two_level_ups(self) -> None:
        table = learner(waiting=1, die_points=1)
        table.do("Ash", "raise_die", attribute="Str")

        assert table.refused("Ash", "single", ability="Fishing").what == "Ash has no level-up to spend."

    def test_a_double_bonus_takes_one_level_up(self) -> None:
        table = learner(waiting=1)

        table.do("Ash", "double", ability="Riding", second="Weaving")

        assert table.points("Ash", "level_ups") == 0

    def test_two_singles_take_two_level_ups(self) -> None:
        table = learner(waiting=2)

        table.do("Ash", "single", ability="Fishing")
        table.do("Ash", "single", ability="Fishing")

        assert table.points("Ash", "level_ups") == 0
        assert grown(table).advances == ("Fishing +0 to +5", "Fishing +5 to +8")


@pytest.mark.rule("PMM-ADV-03")
class TestSingle:
    def test_a_new_ability_gets_five_then_eight_then_nine_and_no_more(self) -> None:
        table = learner()

        for bonus in (5, 8, 9):
            table.do("Ash", "single", ability="Fishing")
            assert bonuses(table) == {"Fishing": bonus}

        assert table.refused("Ash", "single", ability="Fishing").what == (
            "Fishing already has three single bonuses."
        )


@pytest.mark.rule("PMM-ADV-04")
class TestDouble:
    def test_a_double_can_go_to_an_old_and_a_new_ability(self) -> None:
        table = learner(sheet(abilities=[active("Fishing", 1, creation=1)]))

        table.do("Ash", "double", ability="Fishing", second="Weaving")

        assert bonuses(table) == {"Fishing": 7, "Weaving": 2}

    def test_a_double_can_go_to_two_new_abilities(self) -> None:
        table = learner()

        table.do("Ash", "double", ability="Fishing", second="Weaving")

        assert bonuses(table) == {"Fishing": 2, "Weaving": 2}

    def test_a_double_twice_on_one_ability_is_refused(self) -> None:
        assert learner().refused("Ash", "double", ability="Fishing", second="fishing").what == (
            "A double bonus must go to two different abilities."
        )

    def test_a_double_on_an_ability_with_two_doubles_is_refused(self) -> None:
        table = learner(sheet(abilities=[active("Fishing", 0, 2)]))

        assert table.refused("Ash", "double", ability="Fishing", second="Weaving").what == (
            "Fishing already has two double bonuses."
        )
        assert table.refused("Ash", "double", ability="Fishing").what == (
            "Fishing already has two double bonuses."
        )

    def test_a_double_without_a_second_ability_asks_by_menu(self) -> None:
        table = learner(sheet(abilities=[active("Fishing", 1), active("Law", 0, 2)]))

        asked = table.do("Ash", "double", ability="Fishing")

        menu = asked.follow_ups[0]
        assert menu.label == "+2 on Fishing and …"
        assert [(choice.value, choice.note) for choice in menu.choices][:2] == [
            ("Sprinting", "new, +2"),
            ("Painting", "new, +2"),
        ]
        table.press("Ash", menu, choose="Painting")
        assert bonuses(table) == {"Fishing": 7, "Law": 4, "Painting": 2}


@pytest.mark.rule("PMM-ADV-05")
class TestPassive:
    def test_a_new_passive_has_strength_one_then_two(self) -> None:
        table = learner()

        for strength in (1, 2):
            table.do("GM Ash", "passive", ability="Contacts")
            assert grown(table).ability("Contacts").passives == strength

    def test_a_passive_from_creation_counts_its_steps_from_zero(self) -> None:
        table = learner(sheet(abilities=[passive("Contacts", creation=1)]))

        done = table.do("GM Ash", "passive", ability="Contacts")

        ability = grown(table).ability("Contacts")
        assert (ability.passives, ability.from_level_ups) == (2, 1)
        assert done.notes == ("Contacts: 1/3 towards a die point.",)

    def test_a_passive_bonus_on_an_active_ability_is_refused(self) -> None:
        table = learner(sheet(abilities=[active("Fishing", 1)]))

        assert table.refused("GM Ash", "passive", ability="Fishing").what == (
            "Fishing is active, so it can't take a passive bonus."
        )


@pytest.mark.rule("PMM-ADV-06")
class TestSpecialisation:
    def test_an_attribute_takes_three_steps_and_no_fourth(self) -> None:
        table = learner()

        for steps in (1, 2, 3):
            table.do("Ash", "specialise", attribute="Dex")
            assert grown(table).attributes[MaidAttribute.DEX].steps == steps

        assert table.refused("Ash", "specialise", attribute="Dex").what == (
            "Dex already has three specialization steps."
        )

    def test_another_attribute_still_takes_steps(self) -> None:
        table = learner(sheet(steps={"Dex": 3, "Str": 1}))

        assert table.refused("Ash", "specialise", attribute="Dex").what.startswith("Dex already has three")
        table.do("Ash", "specialise", attribute="Str")

        assert grown(table).attributes[MaidAttribute.STR].steps == 2

    def test_a_check_adds_the_steps_of_both_attributes(self) -> None:
        table = learner(sheet(steps={"Dex": 3, "Str": 1}))

        done = table.do("Ash", "check", "d12:1 d6:1", first="Dex", second="Str")

        assert done.rolls[0].total == 6


@pytest.mark.rule("PMM-ADV-07")
class TestAttributeTotal:
    @pytest.mark.parametrize(("creation", "bonus"), [(2, 5), (1, 4), (0, 3)])
    def test_creation_and_three_steps_add_up_to_the_attribute_total(self, creation: int, bonus: int) -> None:
        made = sheet(creation={"Dex": creation}, steps={"Dex": 3})

        assert made.attributes[MaidAttribute.DEX].bonus == bonus

    @pytest.mark.parametrize(
        ("creation", "totals"),
        [({"Dex": 2, "Int": 1}, [3, 3, 3, 3, 4, 5]), ({"Dex": 1, "Int": 1, "Cha": 1}, [3, 3, 3, 4, 4, 4])],
    )
    def test_an_attribute_has_its_highest_total_once_all_steps_are_taken(
        self, creation: Mapping[str, int], totals: list[int]
    ) -> None:
        table = learner(sheet(creation=creation), waiting=18)

        for attribute in MaidAttribute:
            for _ in range(3):
                table.do("Ash", "specialise", attribute=attribute)

        assert sorted(score.bonus for score in grown(table).attributes.values()) == totals
