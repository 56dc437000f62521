"""Cards that go back, and those who come late."""

import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.post_magic_maid.encounter import DrawInputs, draw_order_cards
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, cards, order, start_fight


@pytest.mark.rule("PMM-INI-07")
class TestCardsGoBack:
    def test_four_cards_are_drawn_without_replacement_and_the_next_draw_is_from_54(
        self, table: GameTable
    ) -> None:
        start_fight(table, "2♠ 3♠ 4♠ 5♠")
        assert table.last is not None
        assert [roll.dice[0].sides for roll in table.last.rolls] == [54, 53, 52, 51]

        late = table.do("GM", "encounter.join", "d54:1", character="Ogre")

        assert late.rolls[0].dice[0].sides == 54

    def test_54_participants_empty_the_deck(self) -> None:
        script = " ".join(f"d{left}:1" for left in range(54, 0, -1))

        roll = draw_order_cards(DrawInputs(names=("x",) * 54), ScriptedDice(script))

        assert len({die.shown for die in roll.dice}) == 53  # both Jokers look alike
        assert roll.outcome == "both Jokers"

    def test_a_blitz_right_after_the_initiative_draw_is_from_54(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")

        done = table.do("Bram", "blitz", cards("2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"))

        assert done.rolls[0].dice[0].sides == 54


@pytest.mark.rule("PMM-INI-08")
class TestLateArrivals:
    def test_a_newcomer_is_placed_by_card(self, table: GameTable) -> None:
        start_fight(table, "K♦ 9♠ 4♣")

        done = table.do("Dara", "encounter.join", cards("10♥"))

        assert order(table) == ["Ash", "Dara", "Bram", "Cleo"]
        assert done.notes == ("Order: Ash, Dara, Bram, Cleo.",)
        assert done.verdict == Verdict(Family.NEWS, "10♥, place 2 of 4")

    def test_an_identical_card_goes_after_the_one_in_place(self, table: GameTable) -> None:
        start_fight(table, "K♦ 9♠ 4♣")

        table.do("Dara", "encounter.join", cards("9♠"))

        assert order(table) == ["Ash", "Bram", "Dara", "Cleo"]

    def test_a_late_joker_stands_first_and_chooses_nothing(self, table: GameTable) -> None:
        start_fight(table, "K♦ 9♠")

        table.do("Cleo", "encounter.join", cards("Joker"))

        assert order(table) == ["Cleo", "Ash", "Bram"]
        assert table.encounter().chooser is None
        assert table.encounter().current == table.seat("Ash")

    def test_newcomers_stay_between_the_chosen_first_and_last(self, table: GameTable) -> None:
        start_fight(table, "Joker 2♠ K♦")
        table.do("Ash", "joker", place="first", who="Bram")
        table.do("Ash", "joker", place="last", who="Ash")

        table.do("Dara", "encounter.join", cards("A♥"))
        table.do("GM", "encounter.join", cards("2♣"), character="Ogre")

        assert order(table) == ["Bram", "Dara", "Cleo", "Ogre", "Ash"]

    def test_the_turn_stays_when_a_newcomer_enters(self, table: GameTable) -> None:
        start_fight(table, "K♦ 9♠ 4♣")
        table.do("Ash", "encounter.next")

        table.do("Dara", "encounter.join", cards("A♥"))

        current = table.encounter().current
        assert current is not None
        assert current.name == "Bram"

    def test_a_player_joins_once_and_with_their_own_character(self, table: GameTable) -> None:
        start_fight(table, "K♦ 9♠")

        assert table.refused("Ash", "encounter.join").what == "Ash is already in the encounter."
        assert table.refused("Cleo", "encounter.join", character="Dara").what == "Dara isn't your character."
