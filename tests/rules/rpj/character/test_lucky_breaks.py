"""Lucky Breaks: how many there are, what they buy, and what an extra die is worth exactly."""

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from bot.rules.kernel import CharacterId, PersonId, Term
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.lucky_breaks import (
    LUCKY_BREAKS,
    Flashback,
    NotEnoughLuckyBreaks,
    allow_flashback,
    chance_to_improve,
    chance_to_turn,
    deny_flashback,
    give_back,
    lose_for_good,
    lucky_breaks_left,
    propose_flashback,
    refreshed,
    spend,
    with_extra_die,
    with_kept,
    with_word,
)
from bot.rules.rpj.character.sheet import Character, RpjSheet
from bot.rules.rpj.resolution.check import CHECK, RpjResult, check_odds, reading_of
from bot.rules.rpj.teamwork.assisting import GroupCheck, GroupPart, GroupState
from tests.rules.rpj.people import FANTASY, sheet
from tests.rules.rpj.throws import d6, enumerated, inputs, thrown, told


def hero(luck: int = 3, left: int = 2, *, is_npc: bool = False, **more: Any) -> Character:
    return Character(
        id=CharacterId(1),
        name="Ug",
        owner=None if is_npc else PersonId(1),
        sheet=sheet(f"LUCK {luck}", **more),
        resources={LUCKY_BREAKS: left},
    )


def lost(character: Character) -> int:
    assert isinstance(character.sheet, RpjSheet)
    return character.sheet.lucky_breaks_lost


@pytest.mark.rule("RPJ-LUCK-01")
class TestPoolOfLuckyBreaks:
    @pytest.mark.parametrize(
        ("luck", "gone", "traits", "most"),
        [
            (3, 0, [], 2),
            (4, 0, [], 3),
            (6, 0, [], 3),
            (4, 1, [], 2),
            (2, 2, [], 0),
            (2, 5, [], 0),
            (3, 0, ["lucky"], 3),
        ],
    )
    def test_each_session_starts_with_the_maximum_of_lucky_breaks(
        self, luck: int, gone: int, traits: list[str], most: int
    ) -> None:
        character = hero(luck, left=0, lucky_breaks_lost=gone, traits=traits)

        assert lucky_breaks_left(refreshed(character, FANTASY)) == most

    def test_unspent_lucky_breaks_do_not_add_up(self) -> None:
        assert lucky_breaks_left(refreshed(hero(left=1), FANTASY)) == 2

    def test_npcs_have_no_lucky_breaks(self) -> None:
        assert lucky_breaks_left(refreshed(hero(is_npc=True), FANTASY)) == 0

    def test_a_new_character_has_no_lucky_breaks_before_the_first_session(self) -> None:
        fresh = Character(id=CharacterId(2), name="New", owner=PersonId(2), sheet=sheet("LUCK 4"))

        assert lucky_breaks_left(fresh) == 0
        assert lucky_breaks_left(refreshed(fresh, FANTASY)) == 3


@pytest.mark.rule("RPJ-LUCK-02")
class TestExtraDie:
    @pytest.mark.parametrize(
        ("pair", "extra", "level", "target", "kept", "total", "result"),
        [
            ((2, 3), 6, 4, 13, (1, 2), 13, RpjResult.EXACT),
            ((6, 2), 6, 0, 7, (0, 2), 12, RpjResult.CRITICAL_SUCCESS),
            ((1, 1), 4, 0, 7, (0, 2), 5, RpjResult.FAILURE),
            ((5, 4), 1, 0, 7, (0, 1), 9, RpjResult.SUCCESS),
        ],
    )
    def test_an_extra_die_keeps_the_best_two_of_three(
        self,
        pair: tuple[int, int],
        extra: int,
        level: int,
        target: int,
        kept: tuple[int, int],
        total: int,
        result: RpjResult,
    ) -> None:
        after = CHECK.resolve(with_extra_die(thrown(inputs(level, target), *pair)), d6(extra))
        reading = reading_of(after)

        assert (reading.kept, reading.total, reading.result) == (kept, total, result)

    def test_an_extra_die_leaves_the_first_two_dice_as_they_are(self) -> None:
        after = CHECK.resolve(with_extra_die(thrown(inputs(4, 13), 2, 3)), d6(6))

        assert [(die.face, die.label, die.is_kept) for die in after.dice] == [(6, "🍀", True)]
        assert [(die.face, die.is_kept) for die in after.earlier] == [(2, False), (3, True)]
        assert after.terms == (Term("level", 4),)

    def test_the_player_may_keep_other_dice_than_the_best_two(self) -> None:
        three = CHECK.resolve(with_extra_die(thrown(inputs(), 2, 3)), d6(6))

        again = CHECK.resolve(with_kept(three, (0, 1)), d6())

        assert (three.total, again.total, again.dice) == (9, 5, ())

    def test_an_extra_die_can_be_added_before_the_roll(self) -> None:
        roll = thrown(inputs(has_extra_die=True), 2, 3, 6)

        assert [(die.face, die.is_kept) for die in roll.dice] == [(2, False), (3, True), (6, True)]

    def test_a_roll_takes_only_one_extra_die(self) -> None:
        with pytest.raises(UserError, match="This roll already has an extra die"):
            with_extra_die(thrown(inputs(has_extra_die=True), 2, 3, 6))

    def test_an_extra_die_costs_one_lucky_break(self) -> None:
        assert lucky_breaks_left(spend(hero(left=2), 1)) == 1

    @pytest.mark.parametrize(
        ("left", "cost", "told_"),
        [
            (0, 1, "That costs a Lucky Break; you have none left."),
            (1, 2, "That costs 2 Lucky Breaks; you have 1 left."),
        ],
    )
    def test_spending_more_lucky_breaks_than_are_left_is_refused(
        self, left: int, cost: int, told_: str
    ) -> None:
        with pytest.raises(NotEnoughLuckyBreaks) as refused:
            spend(hero(left=left), cost)

        assert refused.value.what == told_

    def test_the_gm_decides_about_double_sixes_after_the_dice_are_rolled(self) -> None:
        lucky = thrown(inputs(0, 20), 6, 6)

        assert CHECK.resolve(with_word(lucky, "accepted"), d6()).outcome == "critical success"
        assert CHECK.resolve(with_word(lucky, "overruled"), d6()).outcome == "failure"


PAIRS = [(2, 3), (1, 1), (4, 5), (1, 6), (6, 6), (5, 6)]
MODES = ["normal", "confirm", "wide"]


class TestWorthOfALuckyBreak:
    def test_a_failed_roll_gives_the_chance_that_a_lucky_break_rescues_it(self) -> None:
        assert chance_to_turn(with_extra_die(thrown(inputs(4, 11), 1, 4))) == Chance(4, 6)
        assert chance_to_turn(with_extra_die(thrown(inputs(4, 13), 2, 3))) == Chance(1, 6)
        assert chance_to_turn(with_extra_die(thrown(inputs(0, 13), 2, 3))) == Chance(0, 6)

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("pair", PAIRS)
    def test_the_chance_of_a_lucky_break_matches_a_count_of_every_third_die(
        self, pair: tuple[int, int], mode: str
    ) -> None:
        criticals = {"mode": mode}
        faces = [*pair, 4] if sum(pair) in {"normal": (), "confirm": (2, 12), "wide": (3, 11)}[mode] else pair
        roll = thrown(inputs(2, 11, criticals=criticals), *faces)
        asked = with_extra_die(roll)

        counted = enumerated(lambda dice: CHECK.resolve(asked, dice))

        assert counted == told(check_odds(asked))
        assert chance_to_turn(with_extra_die(roll)).fraction == sum(
            chance for name, chance in counted.items() if RpjResult(name).is_success
        )

    @pytest.mark.parametrize("pair", PAIRS)
    @pytest.mark.parametrize("target", [7, 9, 11])
    def test_icepool_gives_the_same_chance_for_a_lucky_break(
        self, pair: tuple[int, int], target: int
    ) -> None:
        roll = thrown(inputs(0, target), *pair)
        best = icepool.d6.map(lambda face: sum(sorted((*pair, face))[1:]))

        expected = best.probability(">=", target) if sum(pair) < target else Fraction(1)

        assert chance_to_turn(with_extra_die(roll)).fraction == (
            0 if pair == (1, 1) and target == 2 else expected
        )

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("pair", PAIRS)
    @pytest.mark.parametrize("kind", ["skill", "saving throw"])  # an exact match, and no degrees
    def test_a_success_gives_the_chance_that_a_lucky_break_improves_it(
        self, kind: str, pair: tuple[int, int], mode: str
    ) -> None:
        asks_again = sum(pair) in {"normal": (), "confirm": (2, 12), "wide": (3, 11)}[mode]
        confirmed = [1 if sum(pair) > 7 else 4] if asks_again else []
        roll = thrown(inputs(0, 7, criticals={"mode": mode}, kind=kind), *pair, *confirmed)
        before = reading_of(roll)
        order = list(RpjResult)
        better = 0

        for face, confirmation in product(range(1, 7), repeat=2):
            asked = with_extra_die(roll)
            asks = CHECK.resolve(asked, d6(face, confirmation))
            after = reading_of(asks)
            rank = (order.index(after.result), after.degrees or 0)
            better += rank > (order.index(before.result), before.degrees or 0)

        assert chance_to_improve(with_extra_die(roll), before).fraction == Fraction(better, 36)

    def test_double_sixes_cannot_be_improved(self) -> None:
        best = thrown(inputs(), 6, 6)

        assert not chance_to_improve(with_extra_die(best), reading_of(best)).ways


@pytest.mark.rule("RPJ-LUCK-04")
class TestFlashback:
    def asked(self, words: str = "bribed the guard last night") -> Flashback:
        return propose_flashback(hero(left=2), words, FANTASY)

    @pytest.mark.parametrize("words", ["bribed the guard last night", "hid the cargo"])
    def test_a_flashback_costs_two_lucky_breaks_once_the_gm_allows_it(self, words: str) -> None:
        settled, paid = allow_flashback(self.asked(words), hero(left=2), FANTASY)

        assert settled == Flashback(words=words, is_settled=True)
        assert lucky_breaks_left(paid) == 0

    @pytest.mark.parametrize("words", ["looked for traps before the spray", "shot the inspector beforehand"])
    def test_a_denied_flashback_costs_nothing(self, words: str) -> None:
        settled = deny_flashback(self.asked(words), "That is established already.")

        assert settled == Flashback(words=words, is_settled=True, answer="That is established already.")

    def test_a_flashback_cannot_be_proposed_with_one_lucky_break(self) -> None:
        with pytest.raises(NotEnoughLuckyBreaks):
            propose_flashback(hero(left=1), "bribed the guard last night", FANTASY)

    def test_a_flashback_the_player_can_no_longer_pay_is_refused(self) -> None:
        with pytest.raises(NotEnoughLuckyBreaks):
            allow_flashback(self.asked(), hero(left=1), FANTASY)

    def test_a_flashback_is_decided_only_once(self) -> None:
        settled, paid = allow_flashback(self.asked(), hero(left=2), FANTASY)

        with pytest.raises(UserError, match="This flashback has already been decided"):
            allow_flashback(settled, paid, FANTASY)
        with pytest.raises(UserError, match="This flashback has already been decided"):
            deny_flashback(settled, "Too late.")

    def test_everyone_who_joins_a_flashback_pays_for_it(self) -> None:
        both = [hero(left=2), hero(left=3)]

        left = [lucky_breaks_left(allow_flashback(self.asked(), who, FANTASY)[1]) for who in both]

        assert left == [0, 1]


@pytest.mark.rule("RPJ-GM-05")
class TestDenyingAFlashback:
    @pytest.mark.parametrize(
        ("reason", "instead", "answer"),
        [
            ("He is here.", "", "He is here."),
            ("", "bribe his superior", "Instead: bribe his superior"),
            ("He is here. ", "bribe his superior", "He is here. Instead: bribe his superior"),
            ("he is here", "bribe his superior", "he is here. Instead: bribe his superior"),
        ],
    )
    def test_a_denied_flashback_gives_a_reason_or_an_alternative(
        self, reason: str, instead: str, answer: str
    ) -> None:
        asked = Flashback(words="shot the inspector beforehand")

        assert deny_flashback(asked, reason, instead).answer == answer

    def test_denying_a_flashback_without_a_reason_or_an_alternative_is_refused(self) -> None:
        with pytest.raises(UserError, match="Give a reason or an alternative"):
            deny_flashback(Flashback(words="shot the inspector beforehand"), " ", "")


@pytest.mark.rule("RPJ-LUCK-05")
class TestCheatingDeath:
    @pytest.mark.parametrize(
        ("luck", "gone", "left", "after_left", "after_most"),
        [(4, 0, 3, 2, 2), (2, 1, 0, 0, 0)],
    )
    def test_cheating_death_takes_one_lucky_break_from_every_later_session(
        self, luck: int, gone: int, left: int, after_left: int, after_most: int
    ) -> None:
        burnt = lose_for_good(hero(luck, left, lucky_breaks_lost=gone), FANTASY)

        assert lucky_breaks_left(burnt) == after_left
        assert lucky_breaks_left(refreshed(burnt, FANTASY)) == after_most
        assert lost(burnt) == gone + 1

    def test_a_character_without_lucky_breaks_cannot_cheat_death(self) -> None:
        with pytest.raises(UserError, match="Ug has no Lucky Break to give up"):
            lose_for_good(hero(2, 0, lucky_breaks_lost=2), FANTASY)


@pytest.mark.rule("RPJ-LUCK-06")
class TestRestoringLuckyBreaks:
    @pytest.mark.parametrize(("gone", "back"), [(2, 1), (0, 0)])
    def test_the_gm_can_restore_lucky_breaks_lost_for_good(self, gone: int, back: int) -> None:
        assert lost(give_back(hero(lucky_breaks_lost=gone), 1)) == back

    def test_a_restored_lucky_break_counts_from_the_next_session(self) -> None:
        restored = give_back(hero(left=1, lucky_breaks_lost=1), 1)

        assert lucky_breaks_left(restored) == 1
        assert lucky_breaks_left(refreshed(restored, FANTASY)) == 2


@pytest.mark.rule("RPJ-LUCK-07")
class TestResistingAnotherPlayer:
    def test_resisting_another_player_costs_one_lucky_break(self) -> None:
        assert lucky_breaks_left(spend(hero(left=1), 1)) == 0

    def test_a_character_without_lucky_breaks_cannot_resist_another_player(self) -> None:
        with pytest.raises(NotEnoughLuckyBreaks):
            spend(hero(left=0), 1)


@pytest.mark.rule("RPJ-SKILL-19")
class TestGroupRescue:
    def test_turning_a_failure_in_a_group_check_costs_the_payer_one_lucky_break(self) -> None:
        two, three = CharacterId(2), CharacterId(3)
        rolled = ((CharacterId(1), True), (two, False), (three, False))
        check = GroupCheck(
            members=(CharacterId(1), two, three),
            leader=CharacterId(1),
            parts=tuple(GroupPart(member=member, succeeded=success) for member, success in rolled),
        )

        payer, check = spend(hero(left=2), 1), check.turned(three)

        assert (lucky_breaks_left(payer), check.state) == (1, GroupState.SUCCESS)


@pytest.mark.rule("RPJ-LUCK-01", "RPJ-GM-08")
@pytest.mark.parametrize(
    ("luck", "is_npc", "more", "most"),
    [
        (3, False, {}, 2),
        (4, False, {}, 3),
        (4, False, {"lucky_breaks_lost": 1}, 2),
        (3, False, {"traits": ["lucky"]}, 3),
        (4, True, {}, 0),
    ],
)
def test_only_players_characters_have_lucky_breaks_in_a_new_session(
    luck: int, is_npc: bool, more: dict[str, Any], most: int
) -> None:
    for left in (0, 9):
        assert lucky_breaks_left(refreshed(hero(luck, left, is_npc=is_npc, **more), FANTASY)) == most
