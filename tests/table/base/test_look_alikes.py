"""Names that read the same (F-REL-13)."""

import pytest

from bot.table.base.names import look_alike, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mara", "М\u0430ra"),
        ("Oskar", "\u041eskar"),
        ("Ilse", "lIse"),
        ("Nox", "\uff2e\uff2f\uff38"),
        ("Alpha", "\u0391lpha"),
        ("Kot", "Kot\u200d"),
    ],
)
def test_letters_that_look_alike_make_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert look_alike(other, ["Bo", one]) == one


@pytest.mark.parametrize(("one", "other"), [("Al", "Ai"), ("Кот", "Кит"), ("José", "Jose"), ("魔法", "魔術")])
def test_names_that_read_otherwise_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
