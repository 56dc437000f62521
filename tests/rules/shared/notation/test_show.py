from fractions import Fraction

import pytest

from bot.rules.shared.notation import Fragment, Label, ShownDie, Value, fragments, roll, shown
from tests.dice import ScriptedDice


def drawn(expression: str, script: str = "") -> str:
    """A roll in plain characters: ``~dropped~``, ``{label}``, ``1>2`` counts as, ``6!`` exploded."""
    return "".join(map(_drawn, fragments(roll(expression, ScriptedDice(script)))))


def _drawn(fragment: Fragment) -> str:
    match fragment:
        case ShownDie():
            faces = [
                f"{face.shown}{'!' if face.exploded else ''}"
                + (f">{face.counts_as}" if face.counts_as != face.shown else "")
                for face in fragment.rolled.faces
            ]
            text = "/".join(faces)
        case Label():
            text = f"{{{fragment.text}}}"
        case _:
            text = fragment.text
    return text if fragment.kept else f"~{text}~"


@pytest.mark.parametrize(
    ("expression", "script", "line"),
    [
        ("4d6kh3+2", "d6:4 d6:1 d6:6 d6:3", "4d6kh3 (4, ~1~, 6, 3) + 2"),
        ("2d6ro1", "d6:1 d6:3 d6:5", "2d6ro1 (1/5, 3)"),
        ("1d6e6", "d6:6 d6:2", "1d6e6 (6!, 2)"),
        ("2d6mi2 [fire] * 3", "d6:1 d6:3", "2d6mi2 (1>2, 3) {fire} × 3"),
        ("(1d4, 2d6kh1)kh1", "d4:4 d6:1 d6:3", "(1d4 (4), ~2d6kh1 (~~1~~, ~~3~~)~)kh1"),
        ("(1d6+2)k3 - -1", "d6:2", "(~1d6 (~~2~~) + 2~)k3 − −1"),
        ("(3,) >= 1.5", "", "(3,) ≥ 1.5"),
        ("d%", "d10:1", "1d% (0)"),
    ],
)
def test_a_roll_is_drawn_from_left_to_right(expression: str, script: str, line: str) -> None:
    assert drawn(expression, script) == line


def test_neighbouring_texts_are_one_fragment() -> None:
    assert len(fragments(roll("1 + 2 - 3", ScriptedDice("")))) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (-3, "−3"), (Fraction(7, 2), "3.5"), (Fraction(-1, 4), "−0.25"), (Fraction(1, 3), "1/3")],
)
def test_a_number_is_shown_as_a_short_decimal_or_a_fraction(value: Value, text: str) -> None:
    assert shown(value) == text
