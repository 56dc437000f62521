"""Cards for the order of acting."""

from fractions import Fraction
from math import comb, perm
from typing import Any

import icepool
import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, Character, CharacterId, Family, Outcome, Verdict
from bot.rules.post_magic_maid.cards import DECK
from bot.rules.post_magic_maid.encounter import DrawInputs, draw_odds, draw_order_cards
from bot.rules.post_magic_maid.initiative import choices
from bot.rules.post_magic_maid.tier_check import draw_chance
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, cards, order, sheet, start_fight, vectors


@pytest.mark.rule("PMM-INI-01")
class TestOpeningAct:
    def test_an_unopposed_starter_acts_at_once_and_then_all_draw(self, table: GameTable) -> None:
        started = table.do("Ash", "initiative", others=("Bram", "Cleo"))
        assert started.headline == "starts a fight"

        assert started.rolls == ()
        assert started.notes == (
            "Nobody can interrupt Ash, who acts first. Then everyone draws.",
            "Fighting: Ash, Bram, Cleo.",
        )

        struck = table.do(
            "Ash", "attack", "d6:6 d12:6", target="Bram", first="Str", second="Dex", track="blunt"
        )

        assert table.wounds("Bram", "blunt") == "1/0/0/0"
        assert [button.label for button in struck.follow_ups] == ["Let Bram defend", "Draw cards"]

        drawn = table.press("Ash", struck.follow_ups[1], cards("2♠ 3♠ 4♠"))

        assert [roll.roller and roll.roller.name for roll in drawn.rolls] == ["Ash", "Bram", "Cleo"]
        assert table.wounds("Bram", "blunt") == "1/0/0/0"
        assert order(table) == ["Cleo", "Bram", "Ash"]

    def test_an_opposed_starter_draws_with_the_others(self, table: GameTable) -> None:
        started = table.do("Ash", "initiative", cards("2♠ 3♠ 4♠"), opposed=True, others=("Bram", "Cleo"))

        assert [roll.purpose for roll in started.rolls] == ["initiative", "initiative", "initiative"]
        assert started.verdict == Verdict(Family.NEWS, "Cleo goes first")

    def test_an_opposed_starter_does_not_act_before_the_draw(self, table: GameTable) -> None:
        started = table.do("Ash", "initiative", opposed=True)

        assert started.notes[0] == "Someone could interrupt, so everyone draws first."
        assert table.refused("Ash", "check", first="Str", second="Dex").what == (
            "The cards for this fight are not drawn yet."
        )

    def test_the_starter_acts_once_before_the_draw_and_nobody_else_does(self, table: GameTable) -> None:
        table.do("Ash", "initiative", others=("Bram",))
        table.do("Ash", "check", "d6:1 d12:1", first="Str", second="Dex")

        assert table.refused("Ash", "check", first="Str", second="Dex").sentences == (
            "Ash has no action left this round.",
            "Declare several actions with /maid act before your first one.",
            "Draw cards with /encounter next.",
        )
        assert table.refused("Bram", "check", first="Str", second="Dex").what == (
            "The cards for this fight are not drawn yet."
        )

    def test_a_gm_may_have_anybody_roll_before_the_draw(self, table: GameTable) -> None:
        table.do("Ash", "initiative", others=("Ogre",))

        done = table.do("GM Ogre", "check", "d6:1 d12:1", first="Str", second="Dex")

        assert done.follow_ups == ()

    def test_others_join_with_their_own_button(self, table: GameTable) -> None:
        started = table.do("Ash", "initiative")
        join = started.follow_ups[0]

        joined = table.press("Bram", join)

        assert (join.label, join.audience, join.stays) == ("Join", Audience.ANYONE, True)
        assert joined.headline == "joins the fight"
        assert joined.notes == ()

    def test_drawing_cards_needs_two_combatants(self, table: GameTable) -> None:
        table.do("Ash", "initiative")

        assert table.refused("Ash", "encounter.next").what == "Nobody else has joined yet."

    def test_only_the_starter_or_the_gm_draws_the_cards(self, table: GameTable) -> None:
        table.do("Ash", "initiative", others=("Bram",))

        assert (
            table.refused("Bram", "encounter.next").what
            == "Only Ash's player or a GM can have the cards drawn."
        )
        table.do("GM", "encounter.next", cards("2♠ 3♠"))

    def test_a_channel_has_one_encounter_at_a_time(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")

        assert table.refused("Cleo", "initiative").what == "There is already a fight in this channel."

    def test_a_player_starts_with_a_character_of_their_own(self, table: GameTable) -> None:
        assert table.refused("Bram", "initiative", starter="Ash").what == "Ash isn't your character."
        assert table.do("GM", "initiative", starter="Ogre").headline == "lets Ogre start a fight"
        assert table.encounter().starter == 5


class TestHiddenOnes:
    def test_hidden_combatants_draw_no_card_before_they_are_revealed(self, table: GameTable) -> None:
        table.scene = table.scene.with_character(replace(table.named("Ogre"), is_hidden=True))

        started = table.refused("GM", "initiative", starter="Ash", others=("Ogre",))
        table.do("GM", "initiative", starter="Ash")
        joined = table.refused("GM", "encounter.join", character="Ogre")

        assert started.what == joined.what
        assert started.try_this == "To keep Ogre hidden, use /gm encounter add with hidden."


@pytest.mark.rule("PMM-INI-02")
class TestRanking:
    @pytest.mark.parametrize(
        ("drawn", "acting"),
        [("7♣ K♦ A♥", ["Cleo", "Bram", "Ash"]), ("9♠ 2♠ 10♣ 3♣", ["Cleo", "Ash", "Dara", "Bram"])],
    )
    def test_the_highest_card_acts_first(self, table: GameTable, drawn: str, acting: list[str]) -> None:
        start_fight(table, drawn)

        assert order(table) == acting

    def test_the_draw_shows_each_card_with_its_name_and_then_the_order(self, table: GameTable) -> None:
        """F-ALL-04, F-ALL-09: each draw is of whoever drew it."""
        start_fight(table, "7♣ K♦")

        assert table.last is not None
        drawn = [(roll.roller and roll.roller.name, roll.dice[0].shown) for roll in table.last.rolls]
        assert drawn == [("Ash", "7♣"), ("Bram", "K♦")]
        assert table.last.notes == ("Order: Bram, Ash.",)

    def test_the_55th_participant_draws_as_a_late_arrival(self, table: GameTable) -> None:
        crowd = {
            CharacterId(100 + n): Character(
                id=CharacterId(100 + n), name=f"Guard {n}", owner=None, sheet=sheet()
            )
            for n in range(54)
        }
        for guard in crowd.values():
            table.scene = table.scene.with_character(guard)
        all_cards = " ".join(f"d{left}:1" for left in range(54, 0, -1))

        done = table.do("Ash", "initiative", f"{all_cards} d54:1", opposed=True, others=tuple(crowd))

        assert [roll.dice[0].sides for roll in done.rolls[-2:]] == [1, 54]
        assert len(table.encounter().shown) == 55
        assert order(table)[2:4] == ["Ash", "Guard 53"]


@pytest.mark.rule("PMM-INI-03")
class TestJoker:
    def test_a_jokers_holder_chooses_first_and_last(self, table: GameTable) -> None:
        start_fight(table, "K♠ K♥ Joker 2♣")
        assert table.last is not None
        first, last = table.last.follow_ups[:2]
        assert (first.label, last.label) == ("Who goes first?", "Who goes last?")
        assert [choice.label for choice in first.choices] == ["Cleo", "Ash", "Bram", "Dara"]

        table.press("Cleo", first, choose="Bram")
        done = table.press("Cleo", last, choose="Ash")

        assert order(table) == ["Bram", "Cleo", "Dara", "Ash"]
        assert done.headline == "lets Ash go last"
        assert done.verdict == Verdict(Family.NEWS, "Bram goes first")

    def test_a_jokers_holder_may_go_first(self, table: GameTable) -> None:
        start_fight(table, "K♠ K♥ Joker 2♣")

        table.do("Cleo", "joker", place="first", who="Cleo")
        table.do("Cleo", "joker", place="last", who="Ash")

        assert order(table) == ["Cleo", "Bram", "Dara", "Ash"]

    def test_without_a_choice_the_holder_goes_first_and_the_lowest_card_last(self, table: GameTable) -> None:
        start_fight(table, "K♠ K♥ Joker 2♣")

        assert order(table) == ["Cleo", "Ash", "Bram", "Dara"]

    def test_first_and_last_are_two_different_participants(self, table: GameTable) -> None:
        start_fight(table, "K♠ K♥ Joker 2♣")
        table.do("Cleo", "joker", place="first", who="Ash")

        assert table.refused("Cleo", "joker", place="last", who="Ash").what == (
            "First and last must be different characters."
        )
        assert table.refused("Cleo", "joker", place="last", who="Ogre").what == (
            "That character isn't in the fight."
        )

    def test_only_the_jokers_holder_chooses_and_only_before_the_first_action(self, table: GameTable) -> None:
        start_fight(table, "K♠ K♥ Joker 2♣")

        assert table.refused("Ash", "joker", place="first", who="Ash").what == ("Ash can't choose the order.")
        table.do("Cleo", "check", "d6:1 d12:1", first="Str", second="Dex")
        assert table.refused("Cleo", "joker", place="first", who="Ash").what == (
            "Cleo can't choose the order."
        )


@pytest.mark.rule("PMM-INI-04")
class TestBothJokers:
    @pytest.mark.parametrize("drawn", ["Joker 5♠ Joker 6♠", "5♠ Joker 6♠ Joker"])
    def test_the_holder_of_the_later_one_chooses(self, table: GameTable, drawn: str) -> None:
        start_fight(table, drawn)

        chooser = ("Ash", "Bram", "Cleo", "Dara")[3 - drawn.split()[::-1].index("Joker")]
        assert order(table)[0] == chooser
        assert table.encounter().chooser == table.named(chooser).id

    def test_nobody_can_hold_both_jokers(self, table: GameTable) -> None:
        start_fight(table, "Joker Joker")

        assert sorted(seat.card for seat in table.encounter().shown) == ["Joker1", "Joker2"]

    def test_without_a_choice_the_later_one_goes_first_and_the_lowest_card_last(
        self, table: GameTable
    ) -> None:
        start_fight(table, "Joker 5♠ Joker A♠")

        assert order(table) == ["Cleo", "Ash", "Dara", "Bram"]

    def test_the_other_joker_acts_before_any_ace_unless_placed(self, table: GameTable) -> None:
        start_fight(table, "Joker A♠ Joker 5♥")

        table.do("Cleo", "joker", place="first", who="Dara")
        table.do("Cleo", "joker", place="last", who="Bram")

        assert order(table) == ["Dara", "Cleo", "Ash", "Bram"]


@pytest.mark.rule("PMM-INI-05")
class TestEqualRanks:
    @pytest.mark.parametrize(
        ("drawn", "acting"),
        [
            ("K♣ K♦ K♥ K♠", ["Dara", "Cleo", "Bram", "Ash"]),
            ("9♣ 9♦", ["Bram", "Ash"]),
            ("8♠ 9♣", ["Bram", "Ash"]),
        ],
        ids=["spades, hearts, diamonds, clubs", "diamonds before clubs", "rank before suit"],
    )
    def test_suits_decide(self, table: GameTable, drawn: str, acting: list[str]) -> None:
        start_fight(table, drawn)

        assert order(table) == acting

    def test_redrawing_is_limited_to_the_tied(self, table: GameTable) -> None:
        table.settings(tie_break="redraw")
        first = cards("9♠ K♠ 9♣")
        again = cards("2♠ 3♠", gone="9♠ K♠ 9♣")

        done = table.do("Ash", "initiative", f"{first} {again}", opposed=True, others=("Bram", "Cleo"))

        tied = [roll.roller and roll.roller.name for roll in done.rolls if roll.purpose == "tie-break"]
        assert tied == ["Ash", "Cleo"]
        assert order(table) == ["Bram", "Cleo", "Ash"]

    def test_redrawing_goes_on_until_the_tie_is_broken(self, table: GameTable) -> None:
        table.settings(tie_break="redraw")
        first = cards("9♠ 9♣")
        again = cards("2♠ 2♥", gone="9♠ 9♣")
        last = cards("5♠ 6♠", gone="9♠ 9♣ 2♠ 2♥")

        table.do("Ash", "initiative", f"{first} {again} {last}", opposed=True, others=("Bram",))

        assert order(table) == ["Bram", "Ash"]

    @staticmethod
    def whole_deck(table: GameTable, guards: int) -> Outcome:
        """The initiative of Ash and so many guards, for which all cards are drawn."""
        table.settings(tie_break="redraw")
        crowd = {
            CharacterId(100 + n): Character(
                id=CharacterId(100 + n), name=f"Guard {n}", owner=None, sheet=sheet()
            )
            for n in range(guards)
        }
        for guard in crowd.values():
            table.scene = table.scene.with_character(guard)
        all_cards = " ".join(f"d{left}:1" for left in range(54, 0, -1))
        return table.do("Ash", "initiative", all_cards, opposed=True, others=tuple(crowd))

    def test_the_last_cards_are_enough_for_as_many_tied(self, table: GameTable) -> None:
        done = self.whole_deck(table, 26)

        assert sum(roll.purpose == "tie-break" for roll in done.rolls) == 27

    def test_suits_decide_a_tie_when_too_few_cards_are_left_to_redraw(self, table: GameTable) -> None:
        done = self.whole_deck(table, 53)

        assert {roll.purpose for roll in done.rolls} == {"initiative"}
        assert [str(seat.drawn_card) for seat in table.encounter().shown[:4]] == [
            "Joker",
            "Joker",
            "A♠",
            "A♥",
        ]


@pytest.mark.rule("PMM-INI-06")
class TestOrderPersists:
    def test_every_round_has_the_same_order(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")

        acted = [table.encounter().shown[0].name]
        for _ in range(8):
            done = table.do("GM", "encounter.next")
            assert done.verdict is not None
            acted.append(done.verdict.title.removesuffix(" acts"))

        assert acted == ["Cleo", "Bram", "Ash"] * 3
        assert table.encounter().round == 3

    def test_unconscious_combatants_are_skipped_and_stay_in_the_order(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")
        table.wound("Bram", "blunt", "0/0/0/1")

        done = table.do("Cleo", "encounter.next")

        assert (done.headline, done.verdict) == ("ends the turn", Verdict(Family.NEWS, "Ash acts"))
        assert done.notes == ("Bram can't act and is skipped.",)
        assert order(table) == ["Cleo", "Bram", "Ash"]
        assert [line.facts for line in table.board().lines][1] == (
            "3♠",
            "blunt: 1 unconscious",
            "unconscious",
        )

    def test_unconscious_combatants_are_skipped_right_after_the_draw(self, table: GameTable) -> None:
        table.do("Ash", "initiative", others=("Bram",))
        table.do("Ash", "attack", "d20:20 d12:8", target="Bram", first="Int", second="Dex", track="blunt")

        done = table.do("Ash", "encounter.next", cards("2♠ 3♠"))

        assert done.verdict == Verdict(Family.NEWS, "Ash goes first")
        assert done.notes == ("Order: Bram, Ash.", "Bram can't act and is skipped.")

    def test_a_combatant_who_left_the_campaign_is_skipped(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")
        table.retire("Bram")

        assert table.do("Cleo", "encounter.next").notes == ("Bram can't act and is skipped.",)

    def test_only_a_gm_can_end_the_turn_of_one_who_left_the_campaign(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        table.retire("Bram")

        found = [(one.label, one.audience) for one in choices(table.scene)]
        assert found == [("End turn", Audience.GM)]

    def test_a_new_encounter_draws_anew(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        table.do("GM", "encounter.end")

        start_fight(table, "3♠ 2♠")

        assert order(table) == ["Ash", "Bram"]

    def test_only_the_player_or_the_gm_ends_a_turn(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")

        assert table.refused("Ash", "encounter.next").what == "It is Bram's turn."

    def test_an_old_turn_button_does_not_end_another_turn(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        assert table.last is not None
        button = table.last.follow_ups[-1]
        table.press("Bram", button)

        assert table.refused("GM", button.procedure, **button.options.model_dump()).what == (
            "That turn is already over."
        )

    def test_an_encounter_where_nobody_can_act_asks_to_be_ended(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        for name in ("Ash", "Bram"):
            table.wound(name, "blunt", "0/0/0/1")

        assert table.refused("GM", "encounter.next").sentences == (
            "Nobody in the order can act any more.",
            "End the fight with /gm encounter end.",
        )

    def test_the_board_announces_the_draw_before_cards_are_drawn(self, table: GameTable) -> None:
        table.do("Ash", "initiative")

        assert table.refused("GM", "encounter.next").what == "Nobody else has joined yet."
        assert table.board().on == "Ash acts, then everyone draws"
        assert table.do("GM", "encounter.end").headline == "ends the fight before the first round"


class TestOdds:
    @pytest.mark.parametrize("row", vectors("initiative_odds"))
    def test_the_ledgers_table_is_exact(self, row: dict[str, Any]) -> None:
        n = row["participants"]
        odds = dict(draw_odds(DrawInputs(names=("x",) * n)).chances)
        alike = 1 - sum(
            Fraction(comb(2, jokers) * comb(13, n - jokers) * 4 ** (n - jokers), comb(54, n))
            for jokers in range(min(2, n) + 1)
        )

        assert f"{float(1 - odds['no Joker'].fraction) * 100:.3f}" == row["a_joker"]
        assert f"{float(odds['both Jokers'].fraction) * 100:.3f}" == row["both_jokers"]
        assert f"{float(alike) * 100:.3f}" == row["shared_rank"]
        assert draw_chance(2, 2, n).fraction == odds["both Jokers"].fraction

    @pytest.mark.parametrize(("count", "gone"), [(1, ()), (2, ()), (2, ("A♠", "Joker1")), (1, ("2♠",))])
    def test_an_enumeration_of_all_draws_matches_the_odds(self, count: int, gone: tuple[str, ...]) -> None:
        inputs = DrawInputs(names=("x",) * count, gone=gone)
        left = 54 - len(gone)
        counted = dict.fromkeys(("no Joker", "a Joker", "both Jokers"), 0)
        scripts: list[list[str]] = [[]]
        for sides in range(left, left - count, -1):
            scripts = [[*script, f"d{sides}:{face}"] for script in scripts for face in range(1, sides + 1)]

        for script in scripts:
            counted[str(draw_order_cards(inputs, ScriptedDice(" ".join(script))).outcome)] += 1

        assert {name: Fraction(ways, perm(left, count)) for name, ways in counted.items() if ways} == {
            name: chance.fraction for name, chance in draw_odds(inputs).chances if chance.ways
        }

    @pytest.mark.parametrize("count", [2, 5, 10])
    def test_the_odds_match_icepool(self, count: int) -> None:
        jokers = icepool.Deck({1: 2, 0: 52}).deal(count).sum()

        for number, (_, chance) in enumerate(draw_odds(DrawInputs(names=("x",) * count)).chances):
            assert jokers.probability(number) == chance.fraction


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

    @pytest.mark.parametrize(("drawn", "first"), [("K♦ 9♠", "Ash"), ("9♠ Joker", "Bram")])
    def test_a_late_joker_stands_first_and_chooses_nothing(
        self, table: GameTable, drawn: str, first: str
    ) -> None:
        start_fight(table, drawn)
        chooser = table.encounter().chooser

        table.do("Cleo", "encounter.join", cards("Joker"))

        assert order(table)[:2] == ["Cleo", first]
        assert table.encounter().chooser == chooser
        assert table.encounter().current == table.seat(first)

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

        assert table.refused("Ash", "encounter.join").what == "Ash is already in the fight."
        assert table.refused("Cleo", "encounter.join", character="Dara").what == "Dara isn't your character."


@pytest.mark.rule("PMM-INI-02", "PMM-DECK-01")
def test_a_card_is_worth_its_rank_from_two_to_the_joker() -> None:
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

    assert {card.rank: card.strength for card in DECK if not card.is_joker} == {
        rank: worth for worth, rank in enumerate(ranks, start=2)
    }
    assert {card.strength for card in DECK if card.is_joker} == {15}
    assert len(DECK) == len({card.code for card in DECK}) == 54
