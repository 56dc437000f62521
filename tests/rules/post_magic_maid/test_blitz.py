"""Blitz Points: burning them, the seven cards, and getting them back."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import icepool
import pytest

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Chance
from bot.rules.post_magic_maid.blitz import BlitzInputs, blitz_odds, draw_blitz, read_blitz
from bot.rules.post_magic_maid.cards import DECK
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check, draw_chance, is_double_maximum
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import (
    GameTable,
    boxes,
    cards,
    id_of,
    lay_table,
    sheet,
    start_fight,
    vectors,
)

NOTHING = "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠"


@pytest.fixture
def fight() -> GameTable:
    """Ash, Bram, Cleo and Dara act in this order."""
    table = lay_table()
    start_fight(table, "K♠ Q♠ J♠ 10♠")
    return table


@pytest.mark.rule("PMM-BLZ-03")
class TestFirstAce:
    def test_an_ace_makes_the_next_check_a_25_without_dice(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert burned.notes == ("Ash's next check this round is an automatic 25.",)

        done = fight.do("Ash", "check", first="Int", second="Dex")

        assert done.verdict == Verdict(Family.SUCCESS, "tier 25")
        assert done.rolls[0].dice == ()
        assert done.notes == ("Automatic 25: no dice, no modifiers.",)
        assert not fight.seat("Ash").has_automatic

    def test_an_attack_with_an_automatic_25_causes_a_wound_of_tier_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "attack", target="Bram", first="Str", second="Dex", track="rending")

        assert fight.wounds("Bram", "rending") == "0/0/0/1"

    def test_two_aces_still_give_the_drawer_one_automatic_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "act", count=2)

        fight.do("Ash", "check", first="Int", second="Dex")
        second = fight.do("Ash", "check", "d20:15 d12:5", first="Int", second="Dex")

        assert second.rolls[0].total == 10

    def test_an_unused_automatic_25_is_lost_with_the_round(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.clear_rounds()

        assert not fight.seat("Ash").has_automatic
        assert fight.last is not None
        assert "Ash loses an automatic 25 at the end of the round." in fight.last.notes

    def test_an_assist_as_the_first_roll_uses_the_automatic_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        done = fight.do("Ash", "assist", target="Bram", first="Int", second="Dex")

        assert done.rolls[0].outcome == "25"
        assert done.notes[-1] == "Bram's next action gets an assist of tier 25 from Ash."

    def test_an_ace_adds_nothing_to_an_existing_automatic_25(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "encounter.next")

        done = fight.do("Bram", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("Bram already has an automatic 25, so the first ace has no effect.",)


@pytest.mark.rule("PMM-BLZ-04")
class TestFurtherAces:
    def test_the_second_ace_is_given_away(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        menu = burned.follow_ups[0]
        assert menu.label == "Give an ace (1 left) …"
        assert [(choice.label, choice.value) for choice in menu.choices] == [
            (name, str(id_of(name))) for name in ("Bram", "Cleo", "Dara")
        ]

        given = fight.press("Ash", menu, choose="Dara")

        assert given.headline == "gives an ace to Dara"
        assert given.follow_ups == ()
        assert fight.seat("Dara").has_automatic
        assert fight.seat("Ash").aces_to_give == 0
        assert fight.refused("Ash", "give_ace", receiver="Cleo").what == "Ash has no spare ace to give away."

    def test_four_aces_are_one_for_the_drawer_and_three_to_give(self, fight: GameTable) -> None:
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
            "Ash loses an automatic 25 and 1 bonus d8 and 2 spare aces at the end of the round.",
            "Round 2 starts.",
        )

    def test_somebody_with_an_automatic_25_is_marked_and_cannot_get_another(self, fight: GameTable) -> None:
        burned = fight.do("Ash", "blitz", cards("A♠ A♥ Joker 4♠ 5♠ 6♠ 7♠"))

        assert [choice.note for choice in burned.follow_ups[0].choices] == ["already has an automatic 25"] * 3
        mistake = fight.refused("Ash", "give_ace", receiver="Bram")
        assert mistake.what == "Bram already has an automatic 25; a second one would be wasted."
        assert mistake.try_this == "Choose someone else."

    def test_somebody_who_has_acted_is_marked_and_may_still_get_an_ace(self, fight: GameTable) -> None:
        fight.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")
        fight.do("Ash", "encounter.next")

        burned = fight.do("Bram", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        given = fight.do("Bram", "give_ace", receiver="Ash")

        warning = "has already acted this round, so only a defense or contest can use it"
        assert [choice.note for choice in burned.follow_ups[0].choices] == [warning, "", ""]
        assert given.notes == ("Ash's next check this round is an automatic 25.", f"Ash {warning}.")

    def test_somebody_who_cannot_act_is_marked_in_the_ace_menu(self, fight: GameTable) -> None:
        fight.wound("Cleo", "blunt", "0/0/0/1")

        burned = fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert [choice.note for choice in burned.follow_ups[0].choices] == ["", "can't act", ""]

    def test_an_ace_can_only_go_to_another_combatant(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))

        for name in ("Ash", "Ogre"):
            assert fight.refused("Ash", "give_ace", receiver=name).what == (
                "A spare ace must go to another combatant."
            )


@pytest.mark.rule("PMM-BLZ-05")
class TestJoker:
    def test_a_joker_gives_everyone_later_in_the_order_a_25(self, fight: GameTable) -> None:
        fight.do("Ash", "encounter.next")

        done = fight.do("Bram", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("The next check this round is an automatic 25 for Cleo, Dara.",)
        assert [fight.seat(name).has_automatic for name in ("Ash", "Bram", "Cleo", "Dara")] == [
            False,
            False,
            True,
            True,
        ]

    def test_a_joker_drawn_by_the_last_in_the_order_helps_nobody(self, fight: GameTable) -> None:
        for _ in range(3):
            fight.do("GM", "encounter.next")

        done = fight.do("Dara", "blitz", cards("Joker 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.notes == ("The Joker has no effect: nobody acts after this.",)

    def test_two_jokers_are_the_same_as_one(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("Joker Joker 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert done.verdict == Verdict(Family.SUCCESS, "2 Jokers")
        assert done.notes == ("The next check this round is an automatic 25 for Bram, Cleo, Dara.",)

    def test_an_ace_and_a_joker_help_the_drawer_and_all_later(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ Joker 3♠ 4♠ 5♠ 6♠ 7♠"))

        assert all(fight.seat(name).has_automatic for name in ("Ash", "Bram", "Cleo", "Dara"))


@pytest.mark.rule("PMM-BLZ-06")
class TestFaceCards:
    def test_each_face_card_gives_a_bonus_d8(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        assert fight.seat("Ash").bonus_dice == 2
        assert done.notes == ("2 bonus d8s for checks this round.",)

    def test_bonus_dice_may_be_split_over_actions(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))
        fight.do("Ash", "act", count=2)

        fight.do("Ash", "check", "d20:5 d12:5 d8:3", first="Int", second="Dex", bonus_dice=1)
        second = fight.do("Ash", "check", "d20:5 d12:5 d8:7", first="Int", second="Dex", bonus_dice=1)

        assert second.rolls[0].total == 7
        assert fight.seat("Ash").bonus_dice == 0

    def test_two_bonus_dice_on_one_check_are_added(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        done = fight.do("Ash", "check", "d20:5 d12:5 d8:3 d8:7", first="Int", second="Dex", bonus_dice=2)

        assert done.rolls[0].total == 20
        assert [die.is_borrowed for die in done.rolls[0].dice] == [False, False, True, True]

    def test_unused_bonus_dice_are_lost_with_the_round(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("K♠ Q♠ 2♠ 3♠ 4♠ 5♠ 6♠"))

        fight.clear_rounds()

        assert fight.seat("Ash").bonus_dice == 0

    def test_using_more_bonus_dice_than_you_have_is_refused(self, fight: GameTable) -> None:
        mistake = fight.refused("Ash", "check", first="Int", second="Dex", bonus_dice=1)

        assert mistake.what == "Ash has 0 bonus d8 left this round, not 1."

    def test_there_are_twelve_face_cards_and_aces_are_none(self) -> None:
        assert sum(card.rank in {"J", "Q", "K"} for card in DECK) == 12


@pytest.mark.rule("PMM-BLZ-07")
class TestAllSevenCards:
    def test_an_ace_and_two_face_cards_give_a_25_and_two_d8(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ K♥ Q♦ 7♣ 2♠ 9♦ 3♥"))

        assert done.verdict == Verdict(Family.SUCCESS, "an ace, 2 bonus d8s")
        assert (fight.seat("Ash").has_automatic, fight.seat("Ash").bonus_dice) == (True, 2)

    def test_two_aces_a_joker_and_a_face_card_all_take_effect(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards("A♠ A♥ Joker J♣ 4♦ 5♦ 6♦"))

        assert done.verdict == Verdict(Family.SUCCESS, "2 aces, a Joker, a bonus d8")
        assert done.notes == (
            "Ash's next check this round is an automatic 25.",
            "The next check this round is an automatic 25 for Bram, Cleo, Dara.",
            "1 bonus d8 for checks this round.",
        )
        seat = fight.seat("Ash")
        assert (seat.has_automatic, seat.aces_to_give, seat.bonus_dice) == (True, 1, 1)

    def test_numerals_bring_nothing_and_the_point_is_spent(self, fight: GameTable) -> None:
        done = fight.do("Ash", "blitz", cards(NOTHING))

        assert done.verdict == Verdict(Family.FAILURE, "nothing")
        assert done.notes == ()
        assert fight.points("Ash") == 2


@pytest.mark.rule("PMM-BLZ-11")
class TestUsingAnAutomatic25:
    def test_the_first_of_two_actions_is_25_and_the_second_takes_ten_off(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "act", count=2)

        first = fight.do("Ash", "check", first="Str", second="Int")
        second = fight.do("Ash", "check", "d6:1 d20:19", first="Str", second="Int")

        assert (first.rolls[0].total, first.rolls[0].terms) == (25, ())
        assert second.rolls[0].total == 10

    def test_an_automatic_25_in_a_contest_beats_tier_10_by_three(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("GM", "contest", one="Ash", other="Bram", first="Str", second="Int")

        fight.do("Ash", "oppose")
        shown = fight.do("Bram", "oppose", "d6:1 d20:10")

        assert shown.verdict == Verdict(Family.NEWS, "Ash wins, tier 20")

    def test_two_automatic_25s_in_a_contest_are_a_stalemate(self, fight: GameTable) -> None:
        fight.do("Ash", "blitz", cards("A♠ A♥ 3♠ 4♠ 5♠ 6♠ 7♠"))
        fight.do("Ash", "give_ace", receiver="Bram")
        fight.do("GM", "contest", one="Ash", other="Bram", first="Str", second="Int")

        fight.do("Ash", "oppose")
        shown = fight.do("Bram", "oppose")

        assert shown.verdict == Verdict(Family.PARTIAL, "Ash and Bram tie")
        assert shown.notes[0] == "Ash: automatic 25, tier 25"

    def test_a_treatment_with_an_automatic_25_is_of_tier_25(self, fight: GameTable) -> None:
        fight.wound("Bram", "blunt", "0/0/0/1")
        fight.do("Ash", "blitz", cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        fight.do("Ash", "treat", target="Bram")

        assert fight.wounds("Bram", "blunt") == "0/0/0/0"

    def test_bonus_dice_and_magic_are_refused_with_an_automatic_25(self) -> None:
        table = lay_table(sheets={"Ash": sheet(is_magical=True)})
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "blitz", cards("A♠ K♠ 3♠ 4♠ 5♠ 6♠ 7♠"))

        done = table.do(
            "Ash", "attack", target="Bram", first="Str", second="Int", track="blunt", magic=True, bonus_dice=1
        )

        assert done.rolls[0].dice == ()
        assert table.seat("Ash").bonus_dice == 1
        assert table.named("Bram").wounds["blunt"] == boxes("0/0/0/1")


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

    def test_a_gm_may_give_an_npc_blitz_points(self, table: GameTable) -> None:
        table.alter("Ogre", resources={"blitz": 1})
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
        fight.alter("Ash", resources={"blitz": 0})

        assert fight.refused("Ash", "blitz").what == "Ash has no Blitz Points left."

    def test_burning_after_a_roll_on_this_turn_is_refused(self, fight: GameTable) -> None:
        fight.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")

        assert fight.refused("Ash", "blitz").what == "Ash has already rolled this turn."

    def test_a_roll_on_somebody_elses_turn_does_not_prevent_burning(self, table: GameTable) -> None:
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
        assert table.refused("Ash", "blitz").what == "There is no fight in this channel."

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
            "End turn",
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
        table.alter("Ash", resources={"blitz": 5})

        done = table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 5
        assert done.notes == ("Both dice show their highest face, but Blitz Points are at their cap.",)

    def test_a_gm_may_set_nine_blitz_points(self, table: GameTable) -> None:
        table.alter("Ash", resources={"blitz": 9})

        table.do("Ash", "check", "d6:6 d20:20", first="Str", second="Int")

        assert table.points("Ash") == 10


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

    def test_the_chances_of_the_best_effect_drawn_are_exact(self) -> None:
        odds = dict(blitz_odds(BlitzInputs()).chances)

        assert odds["nothing"].fraction == Fraction(682, 14469)
        assert odds["an ace"].fraction == Fraction(45962, 105417)
        assert sum(chance.ways for chance in odds.values()) == odds["nothing"].of == 177100560

    def test_an_enumeration_of_all_hands_matches_the_odds(self) -> None:
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
            counted[str(roll.outcome)] += ways

        assert counted == {name: chance.ways for name, chance in blitz_odds(BlitzInputs()).chances}

    def test_the_odds_match_icepool(self) -> None:
        deck = icepool.Deck({"ace": 4, "joker": 2, "face": 12, "none": 36})
        hands = deck.deal(7).expand()
        names = {"ace": "an ace", "joker": "a Joker", "face": "bonus d8s"}
        worth = hands.map(lambda hand: next((names[kind] for kind in names if kind in hand), "nothing"))

        for name, chance in blitz_odds(BlitzInputs()).chances:
            assert worth.probability(name) == chance.fraction

    def test_the_average_faces_aces_and_jokers_in_seven_cards_are_right(self) -> None:
        def mean(wanted: int) -> Fraction:
            return sum((draw_chance(wanted, least, 7).fraction for least in range(1, 8)), Fraction(0))

        assert mean(12) == Fraction(14, 9)
        assert mean(12) * Fraction(9, 2) == 7
        assert mean(4) == Fraction(14, 27)
        assert mean(2) == Fraction(7, 27)

    def test_the_chance_of_cards_the_deck_does_not_contain_is_zero(self) -> None:
        assert draw_chance(2, 3, 7) == Chance(0, 177100560)
