"""Whom a character can act on, as menus list them."""

from dataclasses import replace

import pytest

from bot.rules.post_magic_maid.sheet import Scene
from bot.rules.shared.offering import choices_among, foes_first, friends_first
from tests.rules.post_magic_maid.play import GameTable, id_of, lay_table, start_fight


@pytest.fixture
def table() -> GameTable:
    """Ash, Bram, Cleo and Dara, and two foes."""
    return lay_table()


def seen_by(table: GameTable, name: str) -> Scene:
    return replace(table.scene, actor_id=id_of(name))


def test_foes_come_before_friends_for_whoever_looks(table: GameTable) -> None:
    scene = seen_by(table, "Bram")
    assert [one.name for one in foes_first(scene)] == ["Ogre", "Wolf", "Ash", "Cleo", "Dara"]
    assert [one.name for one in friends_first(scene)] == ["Ash", "Cleo", "Dara", "Ogre", "Wolf"]
    assert [one.name for one in foes_first(seen_by(table, "Ogre"))] == ["Ash", "Bram", "Cleo", "Dara", "Wolf"]


def test_in_a_fight_only_its_combatants_are_attacked(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠ 3♠ 9♣ 10♥")
    assert [one.name for one in foes_first(seen_by(table, "Ash"))] == ["Ogre", "Dara", "Bram", "Cleo"]
    assert foes_first(seen_by(table, "Wolf"))[0].name == "Ash"


def test_a_combatant_hidden_in_the_fight_is_in_no_menu(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠")
    table.do("GM", "encounter.add", characters=("Wolf",), hidden=True)
    assert "Wolf" not in [one.name for one in friends_first(seen_by(table, "Ash"))]


def test_a_menu_has_each_character_with_its_note(table: GameTable) -> None:
    found = choices_among([table.named("Ash")], lambda one: f"{one.name} here")
    assert [(one.value, one.label, one.note) for one in found] == [("1", "Ash", "Ash here")]
