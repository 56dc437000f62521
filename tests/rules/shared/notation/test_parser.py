import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import NoSides, TooMuch, Unreadable, parse
from tests.rules.notation.spaced import evenly


class TestSpellings:
    @pytest.mark.parametrize(
        ("typed", "spaced"),
        [
            ("2D6", "2d6"),
            ("D20", "1d20"),
            ("4d6 kh 3", "4d6kh3"),
            (" 4 d 6 k h 3 + 2 ", "4d6kh3 + 2"),
            ("\t2d6\n+\u00a01", "2d6 + 1"),
            ("2d20KL1", "2d20kl1"),
            ("2d20kl", "2d20kl1"),
            ("4d6pl", "4d6pl1"),
            ("4d6k=6", "4d6k6"),
            ("4d6RR<3", "4d6rr<3"),
            ("d%", "1d%"),
            ("d % % 3", "1d% % 3"),
            ("3 − 1 × 2 ÷ 4", "3 - 1 * 2 / 4"),
            ("1 ≤ 2", "1 <= 2"),
            ("(1d6,2d8,)kh1", "(1d6, 2d8)kh1"),
            ("( 3 , )", "(3,)"),
            ("( )", "()"),
            ("1.50 + .5 + 2.", "1.5 + 0.5 + 2"),
            ("2d6[ cold  iron ][]", "2d6 [cold iron]"),
            ("-(1d8+3)[healing]", "-(1d8 + 3) [healing]"),
        ],
    )
    def test_case_and_spaces_between_words_do_not_matter(self, typed: str, spaced: str) -> None:
        assert evenly(parse(typed)) == spaced

    def test_a_label_keeps_its_case(self) -> None:
        assert evenly(parse("2D6 [Holy Fire]")) == "2d6 [Holy Fire]"


class TestRefusals:
    @pytest.mark.parametrize(
        ("typed", "what"),
        [
            ("4d6kx", "I can't read this from “kx” on (character 4)."),
            ("2d6 + attack roll", "I can't read this from “attack roll” on (character 7)."),
            ("4d6 + kh 3", "I can't read this from “kh 3” on (character 7)."),
            ("3kh1", "I can't read this from “kh1” on (character 2)."),
            ("2d6 3", "I can't read this from “3” on (character 5)."),
            ("(1, 2)e6", "I can't read this from “e6” on (character 7)."),
            ("2d6 [fire", "I can't read this from “[fire” on (character 5)."),
            ("1d6 + 🎲🎲🎲", "I can't read this from “🎲🎲🎲” on (character 7)."),
            ("1d6 \x07\u202e", "I can't read this from “��” on (character 5)."),
            ("1d6mi<3", "I can't read this from “<3” on (character 6)."),
            ("2d6.5", "I can't read this from “6.5” on (character 3)."),
            ("((2d6)", "The expression ends too early (after character 6)."),
            ("2d6 +  ", "The expression ends too early (after character 5)."),
            ("4d6k", "The expression ends too early (after character 4)."),
            ("", "There is nothing to roll."),
            ("  ", "There is nothing to roll."),
        ],
    )
    def test_a_refusal_points_at_the_unreadable_place(self, typed: str, what: str) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse(typed)

        assert refusal.value.what == what
        assert refusal.value.allowed

    def test_the_position_in_a_refusal_is_counted_from_one(self) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse("2d6 + ?")

        assert refusal.value.position == 7

    def test_a_long_unreadable_remainder_is_quoted_in_part(self) -> None:
        with pytest.raises(Unreadable, match="from “attack the d…” on"):
            parse("1d20 attack the dragon grappled")

    def test_a_refusal_of_words_suggests_brackets(self) -> None:
        with pytest.raises(Unreadable) as refusal:
            parse("1d20 to hit")

        assert refusal.value.try_this == "Put words into brackets: 2d6 [fire]."

    def test_a_die_without_sides_is_refused(self) -> None:
        with pytest.raises(NoSides):
            parse("1d0")

    @pytest.mark.parametrize(
        ("typed", "limit"),
        [
            ("1" * 201, 200),
            ("201d6", 200),
            ("100d6 + 101d4", 200),
            ("1d1001", 1000),
            ("1000001", 1_000_000),
            ("1000000.5 + 1000001.5", 1_000_000),
            ("4d6kh1000001", 1_000_000),
            ("0.1234567", 6),
            ("(" * 21 + "1" + ")" * 21, 20),
            ("-" * 21 + "1", 20),
        ],
    )
    def test_an_expression_beyond_the_limits_is_refused(self, typed: str, limit: int) -> None:
        with pytest.raises(TooMuch) as refusal:
            parse(typed)

        assert refusal.value.limit == limit

    @pytest.mark.parametrize(
        "typed", ["1" + "+1" * 99, "200d1000", "1000000", "(" * 20 + "1" + ")" * 20, "0" * 199 + "7"]
    )
    def test_an_expression_at_the_limits_is_read(self, typed: str) -> None:
        assert parse(typed)

    def test_every_refusal_is_a_user_error(self) -> None:
        assert issubclass(Unreadable, UserError)
        assert issubclass(TooMuch, UserError)
        assert issubclass(NoSides, UserError)
