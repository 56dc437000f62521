"""Blitz Points: having, burning and getting them back."""

import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check, is_double_maximum
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, cards, lay_table, start_fight

NOTHING = "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"


@pytest.fixture
def fight() -> GameTable:
    """Ash, Bram, Cleo and Dara act in this order."""
    table = lay_table()
    start_fight(table, "K♠ Q♠ J♠ 10♠")
    return table


@pytest.mark.rule("PMM-BLZ-01")
class TestStartingPoints:
    def test_a_new_character_has_three_blitz_points(self, table: GameTable) -> None:
        assert table.points("Ash") == 3

    def test_burning_a_blitz_point_leaves_two(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))

        assert fight.points("Ash") == 2

    def test_a_fourth_blitz_point_cannot_be_burned(self, fight: GameTable) -> None:
        for _ in range(3):
            fight.do("Ash", "blitz", cards(NOTHING))
            fight.clear_rounds()

        assert fight.points("Ash") == 0
        assert fight.refused("Ash", "blitz").what == "Ash has no Blitz Points left."

    def test_an_npc_has_no_blitz_points(self, table: GameTable) -> None:
        assert table.points("Ogre") == 0

    def test_a_gm_may_give_an_npc_blitz_points(self) -> None:
        table = lay_table()
        table.change("Ogre", resources={"blitz": 1})
        start_fight(table, "2♠ 3♠ 4♠ 5♠ K♠")

        table.do("GM Ogre", "blitz", cards(NOTHING))

        assert table.points("Ogre") == 0


@pytest.mark.rule("PMM-BLZ-02")
class TestBurningAPoint:
    def test_seven_cards_are_drawn_from_the_full_deck_and_shown(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ K♥ Q♦ 7♣ 2♠ 9♦ 3♥"))

        roll = done.rolls[0]
        assert done.headline == "burns a Blitz Point"
        assert [die.shown for die in roll.dice] == ["A♠", "K♥", "Q♦", "7♣", "2♠", "9♦", "3♥"]
        assert [die.sides for die in roll.dice] == [54, 53, 52, 51, 50, 49, 48]
        assert [die.is_kept for die in roll.dice] == [True, True, True, False, False, False, False]

    def test_burning_without_a_point_is_refused(self, fight: GameTable) -> None:
        fight.change("Ash", resources={"blitz": 0})

        assert fight.refused("Ash", "blitz").what == "Ash has no Blitz Points left."

    def test_burning_after_a_roll_on_this_turn_is_refused(self, fight: GameTable) -> None:
        fight.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")

        assert fight.refused("Ash", "blitz").what == "Ash has already rolled this turn."

    def test_a_roll_on_somebody_elses_turn_does_not_prevent_burning(self) -> None:
        table = lay_table()
        start_fight(table, "K♠ K♥ Joker 2♣")
        table.do("Bram", "called", "d20:5 d12:5", first="Int", second="Dex")
        table.do("Cleo", "joker", place="first", who="Bram")

        assert table.do("Bram", "blitz", cards(NOTHING)).headline == "burns a Blitz Point"

    def test_burning_a_second_point_on_the_same_turn_is_refused(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))

        assert fight.refused("Ash", "blitz").what == "Ash has already burned a Blitz Point this turn."

    def test_burning_on_somebody_elses_turn_is_refused(self, fight: GameTable) -> None:
        assert fight.refused("Bram", "blitz").what == "It is not Bram's turn."

    def test_burning_outside_an_encounter_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "blitz").what == "There is no encounter in this channel."

    def test_burning_before_the_initiative_draw_is_refused(self, table: GameTable) -> None:
        table.do("Ash", "initiative")

        assert table.refused("Ash", "blitz").what == "It is not Ash's turn."

    def test_an_assist_before_the_turn_does_not_prevent_burning(self, fight: GameTable) -> None:
        fight.do("Bram", "assist", "d20:5 d12:5", target="Ash", first="Int", second="Dex")
        fight.do("Ash", "encounter.next")

        fight.do("Bram", "blitz", cards(NOTHING))

        assert fight.points("Bram") == 2

    def test_a_button_offers_burning_at_the_start_of_a_turn(self, fight: GameTable) -> None:
        passed = fight.do("Ash", "encounter.next")

        assert [button.label for button in passed.follow_ups] == [
            "Blitz (3 left) · ace 44%",
            "Several actions …",
            "End the turn",
        ]


@pytest.mark.rule("PMM-BLZ-08")
class TestReshuffle:
    def test_every_blitz_draws_from_54_cards(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ A♦ A♣ 5♠ 6♠ 7♠"))
        fight.do("Ash", "encounter.next")

        again = fight.do("Bram", "blitz", cards("A♠ A♥ A♦ A♣ 5♠ 6♠ 7♠"))

        assert again.rolls[0].dice[0].sides == 54
        assert again.verdict == Verdict(Family.SUCCESS, "4 aces")

    def test_initiative_after_a_blitz_draws_from_54(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))
        fight.do("GM", "encounter.end")

        start_fight(fight, "2♠ 3♠")

        assert fight.last is not None
        assert fight.last.rolls[0].dice[0].sides == 54


@pytest.mark.rule("PMM-BLZ-09")
class TestRegainingAPoint:
    def test_both_dice_at_their_highest_give_a_blitz_point(self, table: GameTable) -> None:
        done = table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 4
        assert done.notes == ("Both dice show their highest face: 1 Blitz Point gained.",)

    def test_one_die_below_its_highest_gives_no_point(self, table: GameTable) -> None:
        table.do("Ash", "check", "d6:6 d20:19", first="Str", second="Int")

        assert table.points("Ash") == 3

    def test_a_bonus_d8_at_its_highest_does_not_count(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "check", "d6:6 d20:19 d8:8", first="Str", second="Int", bonus_dice=1)

        assert fight.points("Ash") == 2

    def test_an_automatic_25_gives_no_point(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "check", first="Str", second="Int")

        assert fight.points("Ash") == 2

    def test_npcs_get_no_point_for_a_double_maximum(self, table: GameTable) -> None:
        table.do("GM Ogre", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ogre") == 0

    @pytest.mark.parametrize(("first", "second", "of"), [(6, 6, 36), (8, 12, 96), (12, 20, 240)])
    def test_the_chance_of_a_double_maximum_is_one_in_the_product_of_the_dice(
        self, first: int, second: int, of: int
    ) -> None:
        inputs = MaidCheckInputs.model_validate(
            {"first": {"attribute": "Int", "sides": first}, "second": {"attribute": "Str", "sides": second}}
        )
        rolls = [
            check(inputs, ScriptedDice(f"d{first}:{one} d{second}:{other}"))
            for one in range(1, first + 1)
            for other in range(1, second + 1)
        ]

        assert len(rolls) == of
        assert sum(is_double_maximum(roll) for roll in rolls) == 1


@pytest.mark.rule("PMM-BLZ-10")
class TestNoUpperLimit:
    def test_three_double_maxima_give_six_points_in_all(self, table: GameTable) -> None:
        for _ in range(3):
            table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 6

    def test_a_cap_on_blitz_points_may_be_set(self, table: GameTable) -> None:
        table.settings(blitz_cap=5)
        table.change("Ash", resources={"blitz": 5})

        done = table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 5
        assert done.notes == ("Both dice show their highest face, but Blitz Points are at their cap.",)

    def test_a_gm_may_set_nine_blitz_points(self, table: GameTable) -> None:
        table.change("Ash", resources={"blitz": 9})

        table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 10
