"""Blitz Points: burning them, the seven cards, and getting them back."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import icepool
import pytest

from bot.rules.dice import ScriptedDice
from bot.rules.odds import Chance
from bot.rules.post_magic_maid.blitz import BlitzInputs, blitz_odds, draw_blitz, read_blitz
from bot.rules.post_magic_maid.cards import DECK
from bot.rules.post_magic_maid.checks import CheckInputs, check, is_double_maximum
from bot.rules.post_magic_maid.odds import draw_chance
from bot.rules.ruleset import Family, Verdict
from tests.rules.post_magic_maid.play import GameTable, boxes, cards, lay_table, sheet, start_fight
from tests.rules.post_magic_maid.vectors import vectors

NOTHING = "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"


@pytest.fixture
def fight() -> GameTable:
    """Ash, Bram, Cleo and Dara act in this order."""
    table = lay_table()
    start_fight(table, "K♠ Q♠ J♠ 10♠")
    return table


@pytest.mark.rule("PMM-BLZ-01")
class TestStartingPoints:
    def test_a_new_character_has_three(self, table: GameTable) -> None:
        assert table.points("Ash") == 3

    def test_burning_one_leaves_two(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))

        assert fight.points("Ash") == 2

    def test_after_three_there_is_none_to_burn(self, fight: GameTable) -> None:
        for _ in range(3):
            fight.do("Ash", "blitz", cards(NOTHING))
            fight.clear_rounds()

        assert fight.points("Ash") == 0
        assert fight.refused("Ash", "blitz").what == "Ash has no Blitz Points left."

    def test_a_foe_has_none(self, table: GameTable) -> None:
        assert table.points("Ogre") == 0

    def test_a_gm_may_give_a_foe_some(self) -> None:
        table = lay_table()
        table.change("Ogre", resources={"blitz": 1})
        start_fight(table, "2♠ 3♠ 4♠ 5♠ K♠")

        table.do("GM Ogre", "blitz", cards(NOTHING))

        assert table.points("Ogre") == 0


@pytest.mark.rule("PMM-BLZ-02")
class TestBurningAPoint:
    def test_seven_cards_are_drawn_from_the_whole_deck_and_told(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ K♥ Q♦ 7♣ 2♠ 9♦ 3♥"))

        roll = done.rolls[0]
        assert done.headline == "burns a Blitz Point"
        assert [die.shown for die in roll.dice] == ["A♠", "K♥", "Q♦", "7♣", "2♠", "9♦", "3♥"]
        assert [die.sides for die in roll.dice] == [54, 53, 52, 51, 50, 49, 48]
        assert [die.is_kept for die in roll.dice] == [True, True, True, False, False, False, False]

    def test_it_is_refused_without_a_point(self, fight: GameTable) -> None:
        fight.change("Ash", resources={"blitz": 0})

        assert fight.refused("Ash", "blitz").what == "Ash has no Blitz Points left."

    def test_it_is_refused_after_a_roll_on_this_turn(self, fight: GameTable) -> None:
        fight.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")

        assert fight.refused("Ash", "blitz").what == "Ash has rolled on this turn already."

    def test_a_second_one_on_the_same_turn_is_refused(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))

        assert fight.refused("Ash", "blitz").what == "A Blitz Point was burned on this turn already."

    def test_it_is_refused_on_another_ones_turn(self, fight: GameTable) -> None:
        assert fight.refused("Bram", "blitz").what == "It is not Bram’s turn."

    def test_it_is_refused_outside_an_encounter(self, table: GameTable) -> None:
        assert table.refused("Ash", "blitz").what == "There is no encounter in this channel."

    def test_it_is_refused_before_the_cards_for_the_order_are_drawn(self, table: GameTable) -> None:
        table.do("Ash", "initiative")

        assert table.refused("Ash", "blitz").what == "It is not Ash’s turn."

    def test_an_assist_before_the_turn_does_not_matter(self, fight: GameTable) -> None:
        fight.do("Bram", "assist", "d20:5 d12:5", target="Ash", first="Int", second="Dex")
        fight.do("Ash", "next")

        fight.do("Bram", "blitz", cards(NOTHING))

        assert fight.points("Bram") == 2

    def test_a_button_offers_it_at_the_start_of_a_turn(self, fight: GameTable) -> None:
        passed = fight.do("Ash", "next")

        assert [button.label for button in passed.follow_ups] == [
            "Blitz (3 left)",
            "Several actions …",
            "End the turn",
        ]


@pytest.mark.rule("PMM-BLZ-03")
class TestFirstAce:
    def test_the_next_check_is_a_25_without_dice(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert burned.notes == ("Ash’s next check this round is 25.",)

        done = fight.do("Ash", "check", first="Int", second="Dex")

        assert done.verdict == Verdict(Family.SUCCESS, "tier 25")
        assert done.rolls[0].dice == ()
        assert done.notes == ("An automatic 25: no dice, and nothing is added or taken off.",)
        assert not fight.seat("Ash").has_automatic

    def test_an_attack_with_it_places_a_wound_of_tier_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "attack", target="Bram", first="Str", second="Dex", track="rending")

        assert fight.wounds("Bram", "rending") == "0/0/0/1"

    def test_two_aces_are_still_one_automatic_25_of_ones_own(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "act", count=2)

        fight.do("Ash", "check", first="Int", second="Dex")
        second = fight.do("Ash", "check", "d20:15 d12:5", first="Int", second="Dex")

        assert second.rolls[0].total == 10

    def test_it_is_lost_where_its_holder_never_rolls_this_round(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.clear_rounds()

        assert not fight.seat("Ash").has_automatic
        assert fight.last is not None
        assert "Ash loses an automatic 25 with the round." in fight.last.notes

    def test_an_assist_that_is_the_first_roll_is_a_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        done = fight.do("Ash", "assist", target="Bram", first="Int", second="Dex")

        assert done.rolls[0].fell == "25"
        assert done.notes[-1] == "Bram’s next action has an assist of tier 25 from Ash."

    def test_an_ace_adds_nothing_to_an_automatic_25_one_has(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "next")

        done = fight.do("Bram", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("Bram has an automatic 25 already; the first ace adds nothing.",)


@pytest.mark.rule("PMM-BLZ-04")
class TestFurtherAces:
    def test_the_second_ace_is_given_away(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        menu = burned.follow_ups[0]
        assert menu.label == "Give an ace (1 left) …"
        assert [choice.value for choice in menu.choices] == ["Bram", "Cleo", "Dara"]

        given = fight.press("Ash", menu, choose="Dara")

        assert given.headline == "gives an ace to Dara"
        assert given.follow_ups == ()
        assert fight.seat("Dara").has_automatic
        assert fight.seat("Ash").aces_to_give == 0
        assert fight.refused("Ash", "give_ace", receiver="Cleo").what == "Ash has no spare ace to give."

    def test_four_aces_are_ones_own_and_three_gifts(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ A♦ A♣ 5♠ 6♠ 7♠"))

        for name in ("Bram", "Cleo", "Dara"):
            fight.do("Ash", "give_ace", receiver=name)

        assert all(fight.seat(name).has_automatic for name in ("Ash", "Bram", "Cleo", "Dara"))

    def test_a_gift_that_is_never_given_is_lost_with_the_round(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ A♦ 4♠ 5♠ 6♠ K♠"))

        fight.clear_rounds()

        assert fight.seat("Ash").aces_to_give == 0
        assert fight.last is not None
        assert fight.last.notes == (
            "Ash loses an automatic 25 and 1 bonus d8 and 2 spare aces with the round.",
        )

    def test_whoever_has_an_automatic_25_already_is_marked_and_refused(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ A♥ Joker 4♠ 5♠ 6♠ 7♠"))

        assert [choice.note for choice in burned.follow_ups[0].choices] == ["has an automatic 25 already"] * 3
        mistake = fight.refused("Ash", "give_ace", receiver="Bram")
        assert mistake.what == "Bram has an automatic 25 already; a second one would be wasted."
        assert mistake.try_this == "Choose somebody else."

    def test_whoever_has_acted_is_marked_and_may_still_get_it(self, fight: GameTable) -> None:
        fight.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")
        fight.do("Ash", "next")

        burned = fight.do("Bram", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        given = fight.do("Bram", "give_ace", receiver="Ash")

        warning = "has acted this round; only a defence or contest is left"
        assert [choice.note for choice in burned.follow_ups[0].choices] == [warning, "", ""]
        assert given.notes == ("Ash’s next check this round is 25.", f"Ash {warning}.")

    def test_whoever_cannot_act_is_marked(self, fight: GameTable) -> None:
        fight.wound("Cleo", "blunt", "0/0/0/1")

        burned = fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert [choice.note for choice in burned.follow_ups[0].choices] == ["", "cannot act", ""]

    def test_it_goes_to_another_participant_only(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        for name in ("Ash", "Ogre"):
            assert fight.refused("Ash", "give_ace", receiver=name).what == (
                "A spare ace goes to somebody else who takes part."
            )


@pytest.mark.rule("PMM-BLZ-05")
class TestJoker:
    def test_everyone_later_in_the_order_gets_a_25(self, fight: GameTable) -> None:
        fight.do("Ash", "next")

        done = fight.do("Bram", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("The next check this round is 25 for Cleo, Dara.",)
        assert [fight.seat(name).has_automatic for name in ("Ash", "Bram", "Cleo", "Dara")] == [
            False,
            False,
            True,
            True,
        ]

    def test_the_last_in_the_order_helps_nobody(self, fight: GameTable) -> None:
        for _ in range(3):
            fight.do("GM", "next")

        done = fight.do("Dara", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("Nobody acts after that.",)

    def test_two_jokers_are_the_same_as_one(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("Joker Joker 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.verdict == Verdict(Family.SUCCESS, "2 Jokers")
        assert done.notes == ("The next check this round is 25 for Bram, Cleo, Dara.",)

    def test_an_ace_and_a_joker_help_the_drawer_and_all_later(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ Joker 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert all(fight.seat(name).has_automatic for name in ("Ash", "Bram", "Cleo", "Dara"))


@pytest.mark.rule("PMM-BLZ-06")
class TestFaceCards:
    def test_each_gives_a_bonus_d8(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        assert fight.seat("Ash").bonus_dice == 2
        assert done.notes == ("2 bonus d8s for checks of this round.",)

    def test_they_may_be_split_over_actions(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))
        fight.do("Ash", "act", count=2)

        fight.do("Ash", "check", "d20:5 d12:5 d8:3", first="Int", second="Dex", bonus_dice=1)
        second = fight.do("Ash", "check", "d20:5 d12:5 d8:7", first="Int", second="Dex", bonus_dice=1)

        assert second.rolls[0].total == 7
        assert fight.seat("Ash").bonus_dice == 0

    def test_two_on_one_check_are_added(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        done = fight.do("Ash", "check", "d20:5 d12:5 d8:3 d8:7", first="Int", second="Dex", bonus_dice=2)

        assert done.rolls[0].total == 20
        assert [die.is_borrowed for die in done.rolls[0].dice] == [False, False, True, True]

    def test_what_is_left_is_gone_with_the_round(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        fight.clear_rounds()

        assert fight.seat("Ash").bonus_dice == 0

    def test_more_than_there_are_cannot_be_used(self, fight: GameTable) -> None:
        mistake = fight.refused("Ash", "check", first="Int", second="Dex", bonus_dice=1)

        assert mistake.what == "Ash has 0 bonus d8 left this round, not 1."

    def test_there_are_twelve_face_cards_and_aces_are_none(self) -> None:
        assert sum(card.rank in {"J", "Q", "K"} for card in DECK) == 12


@pytest.mark.rule("PMM-BLZ-07")
class TestAllSevenCards:
    def test_an_ace_and_two_faces(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ K♥ Q♦ 7♣ 2♠ 9♦ 3♥"))

        assert done.verdict == Verdict(Family.SUCCESS, "an ace, 2 bonus d8s")
        assert (fight.seat("Ash").has_automatic, fight.seat("Ash").bonus_dice) == (True, 2)

    def test_two_aces_a_joker_and_a_face(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ A♥ Joker J♣ 4♦ 5♦ 6♦"))

        assert done.verdict == Verdict(Family.SUCCESS, "2 aces, a Joker, a bonus d8")
        assert done.notes == (
            "Ash’s next check this round is 25.",
            "The next check this round is 25 for Bram, Cleo, Dara.",
            "1 bonus d8 for checks of this round.",
        )
        seat = fight.seat("Ash")
        assert (seat.has_automatic, seat.aces_to_give, seat.bonus_dice) == (True, 1, 1)

    def test_numerals_bring_nothing_and_the_point_is_spent(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards(NOTHING))

        assert done.verdict == Verdict(Family.FAILURE, "nothing")
        assert done.notes == ()
        assert fight.points("Ash") == 2


@pytest.mark.rule("PMM-BLZ-08")
class TestReshuffle:
    def test_every_blitz_draws_from_54_cards(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ A♦ A♣ 5♠ 6♠ 7♠"))
        fight.do("Ash", "next")

        again = fight.do("Bram", "blitz", cards("A♠ A♥ A♦ A♣ 5♠ 6♠ 7♠"))

        assert again.rolls[0].dice[0].sides == 54
        assert again.verdict == Verdict(Family.SUCCESS, "4 aces")

    def test_initiative_after_a_blitz_draws_from_54(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards(NOTHING))
        fight.do("GM", "end")

        start_fight(fight, "2♠ 3♠")

        assert fight.last is not None
        assert fight.last.rolls[0].dice[0].sides == 54


@pytest.mark.rule("PMM-BLZ-09")
class TestRegainingAPoint:
    def test_both_dice_at_their_highest_give_one(self, table: GameTable) -> None:
        done = table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 4
        assert done.notes == ("Both dice show their highest face: a Blitz Point.",)

    def test_one_die_below_gives_none(self, table: GameTable) -> None:
        table.do("Ash", "check", "d6:6 d20:19", first="Str", second="Int")

        assert table.points("Ash") == 3

    def test_a_bonus_d8_at_its_highest_does_not_count(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "check", "d6:6 d20:19 d8:8", first="Str", second="Int", bonus_dice=1)

        assert fight.points("Ash") == 2

    def test_an_automatic_25_gives_none(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "check", first="Str", second="Int")

        assert fight.points("Ash") == 2

    def test_foes_get_none(self, table: GameTable) -> None:
        table.do("GM Ogre", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ogre") == 0

    @pytest.mark.parametrize(("first", "second", "of"), [(6, 6, 36), (8, 12, 96), (12, 20, 240)])
    def test_the_chance_is_one_in_the_product_of_the_dice(self, first: int, second: int, of: int) -> None:
        inputs = CheckInputs.model_validate(
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
    def test_three_double_maxima_make_six(self, table: GameTable) -> None:
        for _ in range(3):
            table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 6

    def test_a_cap_may_be_set(self, table: GameTable) -> None:
        table.settings(blitz_cap=5)
        table.change("Ash", resources={"blitz": 5})

        done = table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 5
        assert done.notes == ("Both dice show their highest face, but Blitz Points are at their limit.",)

    def test_a_gm_may_set_nine(self, table: GameTable) -> None:
        table.change("Ash", resources={"blitz": 9})

        table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 10


@pytest.mark.rule("PMM-BLZ-11")
class TestUsingAnAutomatic25:
    def test_the_first_of_two_actions_is_25_and_the_second_takes_ten_off(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "act", count=2)

        first = fight.do("Ash", "check", first="Str", second="Int")
        second = fight.do("Ash", "check", "d6:1 d20:19", first="Str", second="Int")

        assert (first.rolls[0].total, first.rolls[0].terms) == (25, ())
        assert second.rolls[0].total == 10

    def test_in_a_contest_it_beats_tier_ten_by_three(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("GM", "contest", one="Ash", other="Bram", first="Str", second="Int")

        fight.do("Ash", "oppose")
        shown = fight.do("Bram", "oppose", "d6:1 d20:10")

        assert shown.verdict == Verdict(Family.NEWS, "Ash prevails, tier 20")

    def test_two_of_them_are_a_stalemate(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "give_ace", receiver="Bram")
        fight.do("GM", "contest", one="Ash", other="Bram", first="Str", second="Int")

        fight.do("Ash", "oppose")
        shown = fight.do("Bram", "oppose")

        assert shown.verdict == Verdict(Family.PARTIAL, "stalemate")
        assert shown.notes[0] == "Ash: Str + Int, automatic = 25, tier 25"

    def test_a_treatment_with_it_is_of_tier_25(self, fight: GameTable) -> None:
        fight.wound("Bram", "blunt", "0/0/0/1")
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "treat", target="Bram")

        assert fight.wounds("Bram", "blunt") == "0/0/0/0"

    def test_bonus_dice_and_magic_are_not_used_with_it(self) -> None:
        table = lay_table(sheets={"Ash": sheet(is_magical=True)})
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "blitz", cards("A♠ K♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        done = table.do(
            "Ash", "attack", target="Bram", first="Str", second="Int", track="blunt", magic=True, bonus_dice=1
        )

        assert done.rolls[0].dice == ()
        assert table.seat("Ash").bonus_dice == 1
        assert table.named("Bram").wounds["blunt"] == boxes("0/0/0/1")


class TestOdds:
    @pytest.mark.parametrize("row", vectors("blitz_odds"))
    def test_the_ledgers_table_is_exact(self, row: dict[str, Any]) -> None:
        wanted = {"aces": 4, "jokers": 2, "faces": 12}[row["cards"]]
        exactly = (
            draw_chance(wanted, row["count"], 7).fraction - draw_chance(wanted, row["count"] + 1, 7).fraction
        )

        assert f"{float(exactly) * 100:.4f}".removesuffix(".0000") == row["percent"]

    @pytest.mark.parametrize(
        ("wanted", "least", "chance"),
        [
            (4, 1, Fraction(45962, 105417)),
            (4, 2, Fraction(903, 11713)),
            (2, 1, Fraction(350, 1431)),
            (2, 2, Fraction(7, 477)),
            (12, 1, Fraction(160387, 189210)),
            (6, 1, Fraction(718552, 1229865)),
        ],
    )
    def test_the_ledgers_chances_are_exact(self, wanted: int, least: int, chance: Fraction) -> None:
        assert draw_chance(wanted, least, 7).fraction == chance

    def test_the_chances_of_the_best_thing_drawn(self) -> None:
        odds = dict(blitz_odds(BlitzInputs()).chances)

        assert odds["nothing"].fraction == Fraction(682, 14469)
        assert odds["an ace"].fraction == Fraction(45962, 105417)
        assert sum(chance.ways for chance in odds.values()) == odds["nothing"].of == 177100560

    def test_every_kind_of_hand_counted_gives_the_odds(self) -> None:
        counted = dict.fromkeys(("nothing", "bonus d8s", "a Joker", "an ace"), 0)
        suits = {"A♠": "A♠ A♥ A♦ A♣", "K♠": "K♠ K♥ K♦ K♣ Q♠ Q♥ Q♦", "Joker": "Joker Joker"}
        numerals = " ".join(f"{rank}♠" for rank in range(2, 9))

        for aces, jokers, faces in combinations(range(10), 3):
            hand = (aces, jokers - aces - 1, faces - jokers - 1)
            if hand[0] > 4 or hand[1] > 2:
                continue
            picked = [
                *suits["A♠"].split()[: hand[0]],
                *suits["Joker"].split()[: hand[1]],
                *suits["K♠"].split()[: hand[2]],
                *numerals.split()[: 7 - sum(hand)],
            ]
            roll = draw_blitz(BlitzInputs(), ScriptedDice(cards(" ".join(picked))))
            drawn = read_blitz(roll)
            assert (drawn.aces, drawn.jokers, drawn.faces) == hand
            ways = comb(4, hand[0]) * comb(2, hand[1]) * comb(12, hand[2]) * comb(36, 7 - sum(hand))
            counted[str(roll.fell)] += ways

        assert counted == {name: chance.ways for name, chance in blitz_odds(BlitzInputs()).chances}

    def test_icepool_agrees(self) -> None:
        deck = icepool.Deck({"ace": 4, "joker": 2, "face": 12, "none": 36})
        hands = deck.deal(7).expand()
        names = {"ace": "an ace", "joker": "a Joker", "face": "bonus d8s"}
        worth = hands.map(lambda hand: next((names[kind] for kind in names if kind in hand), "nothing"))

        for name, chance in blitz_odds(BlitzInputs()).chances:
            assert worth.probability(name) == chance.fraction

    def test_seven_cards_hold_as_many_faces_aces_and_jokers_on_average(self) -> None:
        def mean(wanted: int) -> Fraction:
            return sum((draw_chance(wanted, least, 7).fraction for least in range(1, 8)), Fraction(0))

        assert mean(12) == Fraction(14, 9)
        assert mean(12) * Fraction(9, 2) == 7
        assert mean(4) == Fraction(14, 27)
        assert mean(2) == Fraction(7, 27)

    def test_a_chance_of_what_the_deck_does_not_hold_is_none(self) -> None:
        assert draw_chance(2, 3, 7) == Chance(0, 177100560)
