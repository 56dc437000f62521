"""How hurt somebody looks."""

import pytest

from bot.rules.kernel import CharacterHealth, FoeHealth, looks_for
from bot.rules.kernel.tracker import unknown_health


@pytest.mark.parametrize(
    ("left", "word"),
    [
        (8, ""),
        (7, "scratched"),
        (6, "scratched"),
        (5, "hurt"),
        (4, "hurt"),
        (3, "badly hurt"),
        (2, "badly hurt"),
        (1, "about to fall"),
        (0, "down"),
        (-3, "down"),
    ],
)
def test_health_is_told_in_four_steps_and_nothing_at_full(left: int, word: str) -> None:
    assert looks_for(left, 8) == word


def test_a_campaign_shows_numbers_words_or_nothing() -> None:
    health = CharacterHealth(("HP 3/8",), "badly hurt")

    assert health.seen(FoeHealth.NUMBERS) == ("HP 3/8",)
    assert health.seen(FoeHealth.WORDS) == ("badly hurt",)
    assert health.seen(FoeHealth.NOTHING) == ()
    assert CharacterHealth(("HP 8/8",)).seen(FoeHealth.WORDS) == ()
    assert unknown_health(None, None) == CharacterHealth()
