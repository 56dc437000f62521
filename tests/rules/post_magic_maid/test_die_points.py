"""Die points and larger dice."""

from collections.abc import Mapping

import pytest

from bot.rules.post_magic_maid.advancement import growing_attributes, level_ups_for
from bot.rules.post_magic_maid.sheet import MaidAbility, MaidAttribute, MaidSheet
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


@pytest.mark.rule("PMM-ADV-08")
class TestDiePointsFromAbilities:
    def learn(self, table: GameTable, *advances: str) -> None:
        """Take these advances: "single", "passive" on Swordfighting, or "double" with a new one each."""
        for number, kind in enumerate(advances):
            second = {"second": f"Craft {number}"} if kind == "double" else {}
            table.do("GM Ash", kind, ability="Swordfighting", **second)

    def swordfighter(self, ability: MaidAbility) -> GameTable:
        return learner(sheet(abilities=[ability]))

    def test_two_singles_and_a_half_after_a_creation_single_give_a_die_point(self) -> None:
        table = self.swordfighter(active("Swordfighting", 1, creation=1))

        self.learn(table, "single", "single", "double")

        ability = grown(table).ability("Swordfighting")
        assert (ability.singles, ability.doubles, ability.bonus, ability.from_level_ups) == (3, 1, 11, 3)
        assert table.points("Ash", "die_points") == 1

    def test_a_single_and_two_halves_after_a_creation_single_give_a_die_point(self) -> None:
        table = self.swordfighter(active("Swordfighting", 1, creation=1))

        self.learn(table, "single", "double", "double")

        ability = grown(table).ability("Swordfighting")
        assert (ability.singles, ability.doubles, ability.bonus) == (2, 2, 12)
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
class TestDiePointsFromSpecialisations:
    def specialised(self, creation: Mapping[str, int], *attributes: str) -> GameTable:
        table = learner(sheet(creation=creation))
        for attribute in attributes:
            table.do("Ash", "specialise", attribute=attribute)
        return table

    def test_the_third_specialisation_step_gives_a_die_point(self) -> None:
        table = self.specialised({"Dex": 1}, "Dex", "Dex", "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 4
        assert table.points("Ash", "die_points") == 1
        assert table.last is not None
        assert table.last.notes == ("Dex earns a die point.",)

    def test_creation_bonuses_do_not_count_as_specialisation_steps(self) -> None:
        table = self.specialised({"Dex": 2}, "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 3
        assert table.points("Ash", "die_points") == 0

    def test_a_total_of_five_gives_one_die_point(self) -> None:
        table = self.specialised({"Dex": 2}, "Dex", "Dex", "Dex")

        assert grown(table).attributes[MaidAttribute.DEX].bonus == 5
        assert table.points("Ash", "die_points") == 1

    def test_two_specialisation_steps_give_no_die_point(self) -> None:
        assert self.specialised({}, "Dex", "Dex").points("Ash", "die_points") == 0

    def test_two_fully_specialised_attributes_give_two_die_points(self) -> None:
        assert self.specialised({}, *["Dex"] * 3, *["Str"] * 3).points("Ash", "die_points") == 2


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
        table.change("Ash", sheet=sheet(steps={"Dex": 2}))
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
