"""Ids that are made of names (F-REL-12)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.rpj.module.basics import id_of
from bot.rules.swim_class.sheet import folded

NAMES = ["Кот", "Кит", "魔法", "魔術", "★", "😀", "---", "...", "2 魔法", "2 魔術", "Fire 2"]


def test_a_name_of_latin_letters_keeps_its_plain_id() -> None:
    assert [id_of(name) for name in ("Slow to React", "Café", "Mk 2", "")] == [
        "slow_to_react",
        "caf",
        "mk_2",
        "",
    ]


def test_names_in_other_scripts_have_ids_of_their_own() -> None:
    assert len({id_of(name) for name in NAMES}) == len(NAMES)
    assert id_of("КОТ") == id_of(" кот ")


@given(st.text(min_size=1, max_size=60))
def test_every_visible_name_has_an_id(name: str) -> None:
    if name.split():
        assert re.fullmatch("[a-z0-9_]{1,60}", id_of(name))
        assert folded(name)


@pytest.mark.parametrize("name", ["/", "_", "★"])
def test_a_skill_of_signs_has_a_key_that_stays_the_same(name: str) -> None:
    assert folded(folded(name)) == folded(name) != ""
