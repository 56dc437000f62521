"""Levelling up: advances, die points, larger dice."""

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from bot.rules.post_magic_maid.advancement import growing_attributes, level_ups_for
from bot.rules.post_magic_maid.sheet import MaidAbility, MaidAttribute, MaidSheet
from tests.rules.post_magic_maid.play import GameTable, active, lay_table, passive, sheet

TRACK = (6, 8, 12, 20, 32)


def learner(made: MaidSheet | None = None, *, waiting: int = 10, die_points: int = 0) -> GameTable:
    """Ash with level-ups that wait."""
    table = lay_table(sheets={"Ash": made or sheet()})
    table.alter("Ash", resources={"blitz": 3, "level_ups": waiting, "die_points": die_points})
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
    def test_a_single_and_a_specialization_take_two_level_ups(self) -> None:
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
class TestSpecialization:
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


class TestMenus:
    def test_the_menus_offer_allowed_advances_and_name_the_others(self) -> None:
        made = sheet(
            steps={"Dex": 3},
            abilities=[
                active("Fencing", 3, 2, creation=1, gave_point=True),
                active("Law", 1),
                passive("Contacts"),
            ],
        )
        table = learner(made, waiting=2, die_points=1)

        done = table.do("Ash", "level_up")

        menus = {button.procedure: button for button in done.follow_ups}
        assert list(menus) == ["single", "double", "passive", "specialise", "raise_die"]
        assert done.headline == "chooses a level-up (2 waiting)"
        assert (menus["single"].choices[0].label, menus["single"].choices[0].note) == ("Law", "+5 to +8")
        assert menus["double"].choices[0].note == "+5 to +7"
        assert menus["single"].choices[1].note == "new, +5"
        assert menus["passive"].choices[0].note == "strength 1 to 2"
        assert menus["passive"].choices[1].note == "new"
        assert [choice.value for choice in menus["specialise"].choices] == ["Int", "Str", "Cha", "Wll", "Lck"]
        assert menus["specialise"].choices[0].note == "+0 to +1"
        assert [(choice.value, choice.note) for choice in menus["raise_die"].choices] == [
            ("Str", "d6 to d8"),
            ("Lck", "d6 to d8"),
        ]
        assert done.notes == (
            "Fencing already has three single bonuses.",
            "Fencing already has two double bonuses.",
            "Dex already has three specialization steps.",
            "To add a new ability, press Grow … on your sheet.",
        )

    def test_choosing_from_the_menu_buys_the_advance(self) -> None:
        table = learner()
        menus = {button.procedure: button for button in table.do("Ash", "level_up").follow_ups}

        table.press("Ash", menus["specialise"], choose="Lck")
        table.press("Ash", menus["single"], choose="Law")

        assert grown(table).advances == ("Lck +0 to +1", "Law +0 to +5")

    def test_without_a_level_up_there_is_no_menu(self, table: GameTable) -> None:
        assert table.refused("Ash", "level_up").what == "Ash has no level-up to spend."


@pytest.mark.rule("PMM-ADV-08")
class TestDiePointsFromAbilities:
    def learn(self, table: GameTable, *advances: str) -> None:
        """Take these advances: "single", "passive" on Swordfighting, or "double" with a new one each."""
        for number, kind in enumerate(advances):
            second = {"second": f"Craft {number}"} if kind == "double" else {}
            table.do("GM Ash", kind, ability="Swordfighting", **second)

    def swordfighter(self, ability: MaidAbility) -> GameTable:
        return learner(sheet(abilities=[ability]))

    @pytest.mark.parametrize(
        ("learned", "has"),
        [(("single", "single", "double"), (3, 1, 11, 3)), (("single", "double", "double"), (2, 2, 12, 3))],
    )
    def test_three_singles_or_halves_after_a_creation_single_give_a_die_point(
        self, learned: tuple[str, ...], has: tuple[int, ...]
    ) -> None:
        table = self.swordfighter(active("Swordfighting", 1, creation=1))

        self.learn(table, *learned)

        ability = grown(table).ability("Swordfighting")
        assert (ability.singles, ability.doubles, ability.bonus, ability.from_level_ups) == has
        assert table.points("Ash", "die_points") == 1

    def test_three_singles_on_a_new_ability_give_a_die_point(self) -> None:
        table = learner()

        self.learn(table, "single", "single", "single")

        assert bonuses(table) == {"Swordfighting": 9}
        assert table.points("Ash", "die_points") == 1
        assert table.last is not None
        assert table.last.notes == ("Swordfighting earns a die point.",)

    def test_two_of_three_bonuses_give_no_die_point(self) -> None:
        table = self.swordfighter(active("Swordfighting", 1, creation=1))

        self.learn(table, "single", "single")

        assert bonuses(table) == {"Swordfighting": 9}
        assert table.points("Ash", "die_points") == 0
        assert table.last is not None
        assert table.last.notes == ("Swordfighting: 2/3 towards a die point.",)
        assert table.refused("Ash", "single", ability="Swordfighting").what == (
            "Swordfighting already has three single bonuses."
        )

    def test_three_steps_on_a_creation_passive_give_a_die_point(self) -> None:
        table = self.swordfighter(passive("Swordfighting", creation=1))

        self.learn(table, "passive", "passive", "passive")

        assert grown(table).ability("Swordfighting").passives == 4
        assert table.points("Ash", "die_points") == 1

    def test_three_steps_in_all_on_a_later_passive_give_a_die_point(self) -> None:
        table = learner()

        self.learn(table, "passive", "passive", "passive")

        assert grown(table).ability("Swordfighting").passives == 3
        assert table.points("Ash", "die_points") == 1

    def test_one_double_may_complete_two_abilities(self) -> None:
        table = learner(sheet(abilities=[active("A", 2), active("B", 2)]))

        done = table.do("Ash", "double", ability="A", second="B")

        assert table.points("Ash", "die_points") == 2
        assert done.notes == ("A earns a die point.", "B earns a die point.")

    def test_an_ability_gives_one_die_point_ever(self) -> None:
        table = learner()

        self.learn(table, *["passive"] * 6)

        assert grown(table).ability("Swordfighting").passives == 6
        assert table.points("Ash", "die_points") == 1
        assert table.last is not None
        assert table.last.notes == ()


@pytest.mark.rule("PMM-ADV-09")
class TestDiePointsFromSpecializations:
    def specialized(self, creation: Mapping[str, int], *attributes: str) -> GameTable:
        table = learner(sheet(creation=creation))
        for attribute in attributes:
            table.do("Ash", "specialise", attribute=attribute)
        return table

    def test_the_third_specialization_step_gives_a_die_point(self) -> None:
        table = self.specialized({"Dex": 1}, "Dex", "Dex", "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 4
        assert table.points("Ash", "die_points") == 1
        assert table.last is not None
        assert table.last.notes == ("Dex earns a die point.",)

    def test_creation_bonuses_do_not_count_as_specialization_steps(self) -> None:
        table = self.specialized({"Dex": 2}, "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 3
        assert table.points("Ash", "die_points") == 0

    def test_a_total_of_five_gives_one_die_point(self) -> None:
        table = self.specialized({"Dex": 2}, "Dex", "Dex", "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 5
        assert table.points("Ash", "die_points") == 1

    def test_two_specialization_steps_give_no_die_point(self) -> None:
        assert self.specialized({}, "Dex", "Dex").points("Ash", "die_points") == 0

    def test_two_fully_specialized_attributes_give_two_die_points(self) -> None:
        assert self.specialized({}, *["Dex"] * 3, *["Str"] * 3).points("Ash", "die_points") == 2


@pytest.mark.rule("PMM-ADV-10")
class TestSpendingADiePoint:
    def test_a_larger_die_without_a_die_point_is_refused(self) -> None:
        table = learner()

        assert table.refused("Ash", "raise_die", attribute="Str").what == "Ash has no die point to spend."
        menu = table.do("Ash", "level_up")
        assert "raise_die" not in [button.procedure for button in menu.follow_ups]
        assert "A larger die costs a die point." in menu.notes

    def test_one_level_up_and_one_point_make_one_step(self) -> None:
        table = learner(waiting=1, die_points=2)

        done = table.do("Ash", "raise_die", attribute="Str")

        assert done.headline == "levels up: Str d6 to d8"
        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (1, 0)

    def test_a_larger_die_without_a_level_up_is_refused(self) -> None:
        table = learner(waiting=0, die_points=1)

        assert table.refused("Ash", "raise_die", attribute="Str").what == "Ash has no level-up to spend."

    def test_the_d20_does_not_grow_while_there_is_a_d6(self) -> None:
        table = learner(waiting=1, die_points=1)

        assert table.refused("Ash", "raise_die", attribute="Int").sentences == (
            "Int has a d20, and only your smallest dice can grow.",
            "Right now: Str, Lck.",
        )

    def test_a_point_waits_for_the_next_level_up(self) -> None:
        table = learner(waiting=1)
        table.alter("Ash", sheet=sheet(steps={"Dex": 2}))
        table.do("Ash", "specialise", attribute="Dex")

        assert table.points("Ash", "die_points") == 1
        assert table.refused("Ash", "raise_die", attribute="Str").what == "Ash has no level-up to spend."


@pytest.mark.rule("PMM-ADV-11")
class TestDieTrack:
    @pytest.mark.parametrize(("die", "larger"), [(6, 8), (8, 12), (12, 20), (20, 32)])
    def test_a_die_grows_by_a_step(self, die: int, larger: int) -> None:
        table = learner(sheet(dict.fromkeys(MaidAttribute, die)), die_points=1)

        table.do("Ash", "raise_die", attribute="Str")

        assert grown(table).attributes[MaidAttribute.STR].die == larger

    def test_the_track_ends_at_d32(self) -> None:
        table = learner(sheet(dict.fromkeys(MaidAttribute, 32)), die_points=1)

        assert table.refused("Ash", "raise_die", attribute="Str").what == (
            "A d32 is already the largest die in this campaign."
        )
        assert "Every die is already the largest in this campaign." in table.do("Ash", "level_up").notes

    def test_a_gm_may_extend_the_die_track(self) -> None:
        table = learner(sheet(dict.fromkeys(MaidAttribute, 32)), die_points=1)
        table.settings(die_track="6, 8, 12, 20, 32, 52")

        table.do("Ash", "raise_die", attribute="Str")

        assert grown(table).attributes[MaidAttribute.STR].die == 52


@pytest.mark.rule("PMM-ADV-12")
class TestSmallestDieFirst:
    @pytest.mark.parametrize(
        ("dice", "eligible"),
        [
            ((6, 6, 8, 8, 12, 20), ["Int", "Str"]),
            ((8, 6, 8, 8, 12, 20), ["Str"]),
            ((8, 8, 8, 8, 12, 20), ["Int", "Str", "Dex", "Cha"]),
            ((12, 8, 8, 8, 12, 20), ["Str", "Dex", "Cha"]),
            ((12, 12, 12, 12, 12, 20), ["Int", "Str", "Dex", "Cha", "Wll"]),
            ((32, 32, 32, 32, 32, 32), []),
        ],
    )
    def test_only_the_smallest_dice_grow(self, dice: tuple[int, ...], eligible: list[str]) -> None:
        made = sheet(dict(zip(MaidAttribute, dice, strict=True)))

        assert list(growing_attributes(made, TRACK)) == eligible

    def test_eleven_points_bring_all_to_d20_and_seventeen_to_d32(self) -> None:
        table = learner(waiting=17, die_points=17)

        steps = 0
        while growing := growing_attributes(grown(table), TRACK):
            table.do("Ash", "raise_die", attribute=growing[0])
            steps += 1
            if steps == 11:
                assert {score.die for score in grown(table).attributes.values()} == {20}

        assert steps == 17
        assert {score.die for score in grown(table).attributes.values()} == {32}


@pytest.mark.rule("PMM-ADV-13")
class TestCostOfADieStep:
    def test_two_doubles_and_two_singles_give_two_points(self) -> None:
        table = learner(waiting=4)

        table.do("Ash", "double", ability="A", second="B")
        table.do("Ash", "double", ability="A", second="B")
        table.do("Ash", "single", ability="A")
        table.do("Ash", "single", ability="B")

        assert bonuses(table) == {"A": 9, "B": 9}
        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (2, 0)

    def test_f_small_17_three_abilities_give_three_die_steps_in_nine_level_ups(self) -> None:
        table = learner(waiting=9)
        told = table.do("Ash", "plan", die_steps=3)
        assert told.notes[-1] == "With doubles that raise two abilities at once: 9."

        for ability, second in ("AB", "BC", "CA"):
            table.do("Ash", "double", ability=ability, second=second)
        for ability in "ABC":
            table.do("Ash", "single", ability=ability)
        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (3, 3)
        for _ in range(3):
            smallest = growing_attributes(grown(table), TRACK)[0]
            table.do("Ash", "raise_die", attribute=smallest.value)

        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (0, 0)

    @pytest.mark.parametrize("kind", ["single", "specialise"])
    def test_three_bonuses_and_the_step_itself_cost_four_level_ups(self, kind: str) -> None:
        table = learner(waiting=4)
        options = {"ability": "A"} if kind == "single" else {"attribute": "Dex"}

        for _ in range(3):
            table.do("Ash", kind, **options)
        table.do("Ash", "raise_die", attribute="Str")

        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (0, 0)

    @pytest.mark.parametrize(
        ("steps", "plain", "fewest"), [(1, 4, 4), (2, 8, 6), (3, 12, 9), (5, 20, 15), (17, 68, 51)]
    )
    def test_the_planner_counts_level_ups(self, steps: int, plain: int, fewest: int) -> None:
        assert level_ups_for(steps, with_doubles=False) == plain
        assert level_ups_for(steps, with_doubles=True) == fewest

    def test_the_planner_names_the_nearest_die_point(self) -> None:
        table = learner(sheet(steps={"Dex": 2}, abilities=[active("A", 2)]), die_points=1)

        done = table.do("Ash", "plan", die_steps=2)

        assert not done.is_public
        assert done.notes == (
            "Die points: 1. The nearest is 1 bonus away: A, Dex.",
            "From scratch, 2 die steps cost 8 level-ups with singles, passives or specialization.",
            "With doubles that raise two abilities at once: 6.",
        )

    def test_the_planner_knows_when_all_is_spent(self) -> None:
        table = learner(
            sheet(steps=dict.fromkeys(MaidAttribute, 3), abilities=[active("A", 3, gave_point=True)])
        )

        assert table.do("Ash", "plan").notes[0] == (
            "Die points: 0. The nearest is 3 bonuses away: a new ability."
        )
