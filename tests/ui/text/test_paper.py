from __future__ import annotations

import pytest
from PIL import ImageFont

from bot.ui.text.paper import KNOWN, plain_letters


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("3 min · 2 people", "3 min · 2 people"),
        ("Brawn 3 → 4", "Brawn 3 > 4"),
        ("“Élan”, half of it: −½", '"Elan", half of it: -1/2'),
        ("骰子", "??"),
    ],
)
def test_a_text_is_drawn_in_letters_that_the_font_has(text: str, drawn: str) -> None:
    assert plain_letters(text, 40) == drawn


@pytest.mark.parametrize("letter", KNOWN)
def test_the_font_has_the_letters_beyond_ascii_that_are_drawn(letter: str) -> None:
    font = ImageFont.load_default(26)
    assert bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))
