"""Brief rests, and what the message of a longer one says. How hours are shared: tests/rules/shared."""

import pytest

from bot.rules.swim_class.damage import add_wounds
from bot.rules.swim_class.tables import Pool
from tests.rules.shared.test_resting import button, wounded
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words


@pytest.mark.rule("SWIM-REST-02", "SWIM-COMB-12")
class TestBriefRest:
    def test_a_brief_rest_takes_no_time_and_is_not_shared(self) -> None:
        table = wounded()
        done = table.do("Ash", "rest", "1 2")

        assert (done.headline, done.gathering, table.scene.clock) == ("takes a brief rest", "", 0)
        assert table.points("Ash", "scratches") == 0

    def test_nobody_rests_in_the_middle_of_a_fight(self) -> None:
        table = wounded()
        table.do("Ash", "encounter.start", others=("Orc",))

        assert table.why("Ash", "rest") == "Ash is in a fight."
        assert table.why("Ash", "rest", hours=2) == "Ash is in a fight."


@pytest.mark.rule("SWIM-COMB-11", "SWIM-COMB-12")
class TestRestMessage:
    """F-SWIM-11"""

    def test_the_message_of_a_rest_shows_its_dice(self) -> None:
        table = wounded()
        done = table.do("Ash", "rest", "1 2  6 1 1 1  6 2 2 2", hours=2, now=True)

        assert not done.is_brief
        assert done.notes == ()
        assert len(done.rolls) == 3

    def test_the_message_of_a_shared_rest_names_who_advanced_or_healed(self) -> None:
        table = wounded()
        table.do("Ash", "rest", hours=1)
        table.press("Bram", button(table, "Rest too"))
        done = table.press("Ash", button(table, "Rest now"), "4 5  6 1 1 1  1")

        assert done.notes == ("Ash: Epic success: Composure 2 → 3.", "Bram: nothing healed.")

    def test_the_message_of_a_rest_says_when_there_was_nothing_to_heal(self) -> None:
        assert lay_table().do("Cleo", "rest", hours=1, now=True).notes == ("Nothing to heal.",)


@pytest.mark.rule("SWIM-COMB-09")
class TestStabilisingInTime:
    def dying(self) -> GameTable:
        table = lay_table(Ash=sheet({"agility": 3}))
        table.set("Ash", "physical_wounds", 5)
        return table

    @pytest.mark.parametrize("began", [0, 500])
    @pytest.mark.parametrize(("seconds", "is_early"), [(0, True), (59, True), (60, False)])
    def test_outside_a_fight_one_rolls_once_a_minute(self, began: int, seconds: int, is_early: bool) -> None:
        table = self.dying()
        table.scene = table.scene.at_clock(began)
        table.do("Ash", "stabilise", "1")
        table.scene = table.scene.at_clock(table.scene.clock + seconds)
        if is_early:
            assert "already tried to stabilize this minute" in table.why("Ash", "stabilise")
        else:
            table.do("Ash", "stabilise", "1")

    def test_in_a_fight_one_rolls_once_on_each_own_turn(self) -> None:
        table = self.dying()
        table.set("Ash", "physical_wounds", 0)
        table.do("Ash", "encounter.start", others=("Bram",))
        table.do("GM", "encounter.next", "6 6 6 1")
        table.set("Ash", "physical_wounds", 5)
        table.do("Ash", "stabilise", "1")
        assert "this turn" in table.why("Ash", "stabilise")
        table.do("GM", "encounter.next")
        assert table.why("Ash", "stabilise") == "It is Bram's turn."
        table.do("GM Ash", "stabilise", "1")
        table.do("GM", "encounter.next")
        table.do("Ash", "stabilise", "1")


@pytest.mark.rule("SWIM-COMB-09")
@pytest.mark.parametrize(("wounds", "is_stable"), [(0, True), (1, False)])
def test_only_new_damage_ends_a_stable_state(wounds: int, is_stable: bool) -> None:
    table = solo(stable=(Pool.PHYSICAL,))
    table.set("Ash", "physical_wounds", 3)
    scene = add_wounds(table.scene, id_of("Ash"), Pool.PHYSICAL, wounds, 1)

    assert (Pool.PHYSICAL in scene.character(id_of("Ash")).sheet.stable) is is_stable
    assert scene.character(id_of("Ash")).left("scratches") == 1


@pytest.mark.rule("SWIM-COMB-09")
class TestTime:
    def test_after_a_failed_try_the_gm_can_pass_a_minute(self) -> None:
        table = solo({"physical_defense": 1})
        table.set("Ash", "physical_wounds", 4)
        minute, again = table.do("Ash", "stabilise", "1").follow_ups
        assert (minute.label, again.label) == ("Pass a minute (GM)", "Stabilize Ash (physical)")

        assert table.press("GM", minute).headline == "advances the clock by 1 minute"
        assert table.scene.clock == 60
        assert words(table.press("Ash", again, "3")) == "stable"

    @pytest.mark.parametrize(
        ("hours", "minutes", "seconds", "told"),
        [
            (1, 0, 3600, "1 hour"),
            (0, 1, 60, "1 minute"),
            (2, 0, 7200, "2 hours"),
            (0, 90, 5400, "90 minutes"),
            (1, 2, 3720, "1 hour and 2 minutes"),
        ],
    )
    def test_the_gm_lets_hours_and_minutes_pass(
        self, table: GameTable, hours: int, minutes: int, seconds: int, told: str
    ) -> None:
        done = table.do("GM", "clock", hours=hours, minutes=minutes)

        assert (done.headline, table.scene.clock) == (f"advances the clock by {told}", seconds)
        assert table.why("GM", "clock") == "Give hours or minutes."


@pytest.mark.rule("SWIM-MAGIC-14", "SWIM-MAGIC-16")
class TestHealing:
    def wounded(self, wounds: int, rank: int = 2) -> GameTable:
        table = lay_table(Ash=sheet({"life": 2}), Bram=sheet({"physical_defense": rank}))
        table.set("Bram", "physical_wounds", wounds)
        return table

    @pytest.mark.parametrize("began", [0, 9000])
    @pytest.mark.parametrize(("seconds", "is_early"), [(0, True), (3599, True), (3600, False)])
    def test_outside_a_fight_healing_is_rolled_once_an_hour(
        self, began: int, seconds: int, is_early: bool
    ) -> None:
        table = self.wounded(1)
        table.scene = table.scene.at_clock(began)
        table.do("Ash", "cast", "1 1", spell="heal", targets=("Bram",))
        table.scene = table.scene.at_clock(began + seconds)
        if is_early:
            refused = table.why("Ash", "cast", spell="heal", targets=("Bram",))
            assert refused == "You have already healed Bram within the last hour."
            table.do("Ash", "cast", "1 1", spell="heal")
        else:
            table.do("Ash", "cast", "1 1", spell="heal", targets=("Bram",))

    @pytest.mark.parametrize(
        ("wounds", "distance", "difficulty"),
        [(1, 0, 3), (1, 1, 4), (1, 2, 5), (6, 0, 4), (6, 1, 4), (7, 1, 5), (7, 2, 5), (7, 3, 6), (8, 3, 6)],
    )
    def test_healing_must_reach_the_distance_or_the_damage_below_0(
        self, wounds: int, distance: int, difficulty: int
    ) -> None:
        table = self.wounded(wounds)
        done = table.do("Ash", "cast", "1 2", spell="heal", targets=("Bram",), distance=distance)

        assert done.rolls[0].against == f"{difficulty}+ a die"

    @pytest.mark.parametrize(
        ("wounds", "faces", "told", "left", "is_stable"),
        [
            (1, "1 2", "0 healed", 1, False),
            (1, "6 6", "1 healed", 0, False),
            (2, "6 1", "1 healed", 1, False),
            (3, "1 2", "0 healed", 3, False),
            (3, "6 1", "1 healed, stable", 2, False),
            (4, "6 1", "1 healed, stable", 3, True),
            (4, "6 6", "2 healed, stable", 2, False),
        ],
    )
    def test_each_success_heals_and_one_makes_the_dying_stable(
        self, wounds: int, faces: str, told: str, left: int, is_stable: bool
    ) -> None:
        table = self.wounded(wounds)
        done = table.do("Ash", "cast", faces, spell="heal", targets=("Bram",), distance=0)

        assert words(done) == told
        assert table.points("Bram", "physical_wounds") == left
        assert (Pool.PHYSICAL in table.sheet("Bram").stable) is is_stable
