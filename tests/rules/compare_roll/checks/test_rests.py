"""Short rests, hour by hour, and long ones."""

import pytest

from tests.rules.compare_roll.play import (
    GameTable,
    fight,
    lay_table,
    sheet,
)

PISTOL = {"name": "Pistol", "shots": 10}


@pytest.mark.rule("CMP-REST-01", "CMP-REST-02", "CMP-FT-03")
class TestShortRest:
    def test_a_short_rest_goes_on_until_an_interruption(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 12}, ft_lost=10))
        table.set("Ash", hp=1)
        done = table.do("Ash", "rest", "d6:5 d6:6 d6:2", hours=4, now=True)

        assert (table.hp("Ash"), table.ft("Ash")) == (17, "12/19")
        assert done.headline == "rests for 3 of 4 hours"
        assert "Ash is interrupted in hour 3; the GM says by what." in done.notes
        assert table.scene.clock == 3 * 3600

    def test_a_rest_hour_never_heals_below_0_or_above_maximum_hp(self) -> None:
        table = lay_table(Ash=sheet({"LCK": 3}))
        table.set("Ash", hp=5)
        table.do("Ash", "rest", "d6:1", now=True)
        assert table.hp("Ash") == 5
        table.set("Bram", hp=31)
        table.do("Bram", "rest", "d6:5", now=True, apart=True)
        assert table.hp("Bram") == 32

    @pytest.mark.parametrize(("luck", "stops"), [(7, (1, 2, 3, 4)), (20, (1,)), (3, (1, 2, 3, 4, 5))])
    def test_a_rest_roll_of_4_or_less_with_luck_interrupts_the_rest(
        self, luck: int, stops: tuple[int, ...]
    ) -> None:
        for face in range(1, 7):
            table = lay_table(Ash=sheet({"LCK": luck}))
            done = table.do("Ash", "rest", f"d6:{face}", now=True)
            assert ("Ash is interrupted in hour 1; the GM says by what." in done.notes) is (face in stops)

    @pytest.mark.parametrize(
        ("mode", "lost", "agility", "dice", "after"),
        [
            ("hourly_capped", 12, 8, "d6:5 d6:5 d6:5 d6:5", "7/15"),
            ("hourly_capped", 5, 1, "d6:6 d6:6 d6:6 d6:6", "2/5"),
            ("hourly_capped", 1, 8, "d6:5 d6:5 d6:5", "15/15"),
            ("hourly", 5, 1, "d6:6 d6:6 d6:6 d6:6", "4/5"),
            ("half_at_once", 12, 8, "d6:5 d6:5", "10/15"),
            ("half_at_once", 12, 8, "d6:5", "10/15"),
        ],
    )
    def test_a_short_rest_restores_fortitude_as_the_campaign_sets_it(
        self, mode: str, lost: int, agility: int, dice: str, after: str
    ) -> None:
        luck = 4 if agility == 1 else 7
        table = lay_table(Ash=sheet({"AGI": agility, "LCK": luck}, ft_lost=lost))
        table.settings(short_rest_ft=mode)
        table.do("Ash", "rest", dice, hours=len(dice.split()), now=True)
        assert table.ft("Ash") == after

    @pytest.mark.parametrize(
        ("mode", "dice", "hours"), [("self", "d6:3 d6:6 d6:2", 2), ("party", "d6:3 d6:6", 1)]
    )
    def test_an_interruption_ends_one_rest_or_the_whole_partys_rest(
        self, mode: str, dice: str, hours: int
    ) -> None:
        table = lay_table()
        table.settings(rest_interrupts=mode)
        done = table.do("GM", "rest.call", dice, hours=3, who=("Ash", "Bram"), now=True)
        assert done.headline == f"lets Ash, Bram rest for {hours} of 3 hours"

    @pytest.mark.rule("CMP-STRESS-02", "CMP-HIGH-02")
    def test_stress_and_high_affect_rest_rolls_only_where_the_campaign_says_so(
        self, table: GameTable
    ) -> None:
        table.set("Ash", stress=2, high=1)
        assert "can't burn High" in table.refused("Ash", "rest", burn=1)
        table.settings(stress_applies_to="checks_death_rest")
        done = table.do("Ash", "rest", "d6:6", burn=1, now=True)
        assert [(one.label, one.value) for one in done.rolls[0].terms] == [("Stress", -2), ("High", 1)]

    def test_fighting_or_dying_characters_cannot_rest(self, table: GameTable) -> None:
        fight(table, "Ash", "Ogre")
        assert "is in a fight" in table.refused("Ash", "rest")
        table.set("Bram", hp=0)
        assert "can't rest" in table.refused("Bram", "rest")


@pytest.mark.rule("CMP-REST-03", "CMP-STRESS-05")
class TestLongRest:
    def test_a_long_rest_restores_hp_and_fortitude_but_not_stress(self, table: GameTable) -> None:
        table.set("Ash", hp=3, stress=3, high=2)
        table.change("Ash", ft_lost=14)
        table.do("GM", "long_rest", targets=("Ash", "Ogre"))

        assert (table.hp("Ash"), table.ft("Ash"), table.points("Ash", "stress")) == (32, "14/14", 3)
        assert table.scene.clock == 24 * 3600

    def test_a_long_rest_needs_a_safe_place_and_gives_nothing_when_interrupted(
        self, table: GameTable
    ) -> None:
        table.set("Ash", hp=3)
        table.do("GM", "long_rest", targets=("Ash",), broken=True)
        assert (table.hp("Ash"), table.scene.clock) == (3, 0)
        assert "safe place" in table.refused("GM", "long_rest", targets=("Ash",), safe=False)
