"""Fights that were stored before everybody in them was one list."""

from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.shared.encounters import SHAPE, Encounter
from tests.rules.rpj.combat.played.brawl import brawl, d6, fight, fighter, in_shape_1, labels

ANN, BEN, ORC = 1, 2, 7
OWN: dict[str, dict[str, Any]] = {
    "swim_class": {"values": [6, 4], "halves_used": 1},
    "compare_roll": {"side": "players", "moved": 2, "burn": 1},
    "post_magic_maid": {"card": "8♥", "drawn": 1, "bonus_dice": 2},
    "sword_and_swarm": {},
}
IN_TURN = {"swim_class", "post_magic_maid", "sword_and_swarm"}


@pytest.mark.parametrize("key", sorted(OWN))
def test_a_fight_stored_in_shape_1_is_read_whole(key: str) -> None:
    """Those who hid were a list of their own, without a name and without what they have left."""
    seats = [{"character": ANN, "name": "Ann", **OWN[key]}, {"character": BEN, "name": "Ben", **OWN[key]}]
    turn = {"turn": 1} if key in IN_TURN else {}
    stored = {"version": 4, "seats": seats, "lurking": [ORC], "round": 3, **turn}

    read = rulesets()[key].documents["encounter"].model_validate(stored)

    assert isinstance(read, Encounter)
    assert (read.shape, read.version, read.round) == (SHAPE, 4, 3)
    assert [(one.character, one.name, one.is_hidden) for one in read.combatants] == [
        (ANN, "Ann", False),
        (BEN, "Ben", False),
        (ORC, "", True),
    ]
    written = read.model_dump(mode="json")
    for one in written["combatants"][:2]:
        assert {field: one[field] for field in OWN[key]} == OWN[key]
    assert read.turn_key == {True: f"3/{BEN}", False: read.turn_key}[key in IN_TURN]
    assert "seats" not in written
    assert "lurking" not in written
    assert type(read).model_validate(written) == read


def test_an_rpj_fight_stored_in_shape_1_is_the_same_fight() -> None:
    """Everybody was there twice, with side, kind and round; most of the rest was a part of its own."""
    table = brawl("Ogre")
    table.do("GM", "fight.mooks", name="Goblin", count=2)
    table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    kept = fight(table)
    stored = in_shape_1(kept)
    assert set(stored) == {
        *("version", "steps", "stances", "legends", "surprise"),
        *("round", "seats", "lurking", "fight"),
    }
    assert [one["name"] for one in stored["seats"]] == ["Laeniel", "Ug", "Ogre"]
    assert len(stored["fight"]["fighters"]) == 5
    assert [step["type"] for step in stored["steps"]] == ["saves"]

    assert type(kept).model_validate(stored) == kept


def test_an_rpj_fight_stored_in_shape_1_plays_on() -> None:
    table = brawl("Ogre")
    table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    stored = in_shape_1(fight(table))
    stored["seats"][1]["saves_lost"] = 2
    table.scene = table.scene.with_document("encounter/7", type(fight(table)).model_validate(stored))

    assert fighter(table, "Ug").saves_lost == 2
    saved = table.do("Ug", "fight.save", d6("6 6"), target=f"c{table.ids['Ug']}")
    assert saved.verdict is not None
    assert saved.verdict.title == "saved"
    table.do("GM", "encounter.next")
    assert "seats" not in fight(table).model_dump()
    assert labels(table.do("GM", "encounter.end")) == []


def test_an_rpj_fight_with_a_turn_of_a_missing_combatant_is_repaired() -> None:
    table = brawl("Ug")
    body = fight(table).model_dump(mode="json")
    body |= {"usual": ["c9", "c1"], "together": ["c9"], "turn": "c9", "grapples": [{"a": "c9", "b": "c1"}]}

    mended = type(fight(table)).model_validate(type(fight(table)).mended(body))

    assert (mended.usual, mended.together, mended.grapples) == (("c1",), (), ())
    assert mended.turn == mended.order[0]


def test_whoever_is_taken_out_of_an_rpj_fight_in_a_shared_turn_leaves_it_to_the_other() -> None:
    kept = fight(brawl("Ug")).changed(together=("c1", "c2"), turn="c2")

    left = kept.without_fighter("c2")

    assert (left.turn, left.together) == ("c1", ("c1",))
    assert left.contradiction() == ""
