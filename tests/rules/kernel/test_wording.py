from bot.rules.kernel.outcome import shown_number, signed


class TestNumbers:
    def test_a_negative_number_has_a_true_minus(self) -> None:
        assert (shown_number(-3), shown_number(0), shown_number(12)) == ("−3", "0", "12")

    def test_a_signed_number_has_a_plus_or_a_true_minus(self) -> None:
        assert (signed(-3), signed(0), signed(12)) == ("−3", "+0", "+12")
