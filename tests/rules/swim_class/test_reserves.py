"""Reserves and prepared actions: what they ask for, and how each skill carries one out."""

from typing import Any

import pytest

from bot.rules.kernel import FollowUp
from bot.rules.swim_class.sheet import Reserve, ReserveKind, States
from tests.rules.swim_class.play import GameTable, lay_table, sheet
from tests.rules.swim_class.test_pool_sizes import fighting

RANKS = {
    "basic_melee": 2, "grapple": 2, "stealth": 2, "climb": 2, "walk": 2, "fire": 2, "earth": 2, "death": 2,
    "life": 2, "wind": 2, "craft:wood": 2,
}  # fmt: skip


def prepared(skill: str, spell: str = "", *, is_fight: bool = False) -> GameTable:
    """Ash has prepared an action."""
    table = fighting("Ash", "Orc", Ash=RANKS) if is_fight else lay_table(Ash=sheet(RANKS))
    held = Reserve(skill=skill, kind=ReserveKind.ACTION, trigger="now", spell=spell)
    table.change("Ash", states=States(reserve=held))
    return table


def asked(button: FollowUp) -> tuple[str, list[str], list[tuple[str, int]]]:
    """What a button says, its menu, and its fields with their limits."""
    return (
        button.label,
        [one.label for one in button.choices],
        [(one.key, one.longest) for one in button.blanks],
    )


@pytest.mark.rule("SWIM-COMB-14", "SWIM-MAGIC-01")
@pytest.mark.parametrize(
    ("skill", "spell", "is_fight", "told"),
    [
        ("basic_melee", "", True, ("Trigger Basic Melee: which target?", ["Orc"], [])),
        ("basic_melee", "", False, ("Trigger Basic Melee: which target?", [], [("targets", 200)])),
        ("grapple", "", True, ("Trigger Grapple: which target?", ["Orc"], [])),
        ("stealth", "", True, ("Trigger Stealth: which target?", ["Orc"], [])),
        ("fire", "", True, ("Trigger Fire: which power?", ["Blaze", "Light"], [])),
        ("fire", "blaze", True,
         ("Trigger Blaze: who is in the area?", [], [("targets", 200), ("line", 80)])),
        ("earth", "quake", True,
         ("Trigger Quake: who is in the area?", [], [("targets", 200), ("area", 80)])),
        ("wind", "blow", True,
         ("Trigger Blow: who is in the area?", [], [("targets", 200), ("area", 80)])),
        ("death", "stun", True, ("Trigger Stun: which target?", ["Orc"], [])),
        ("death", "death", False, ("Trigger Death: which target?", [], [("targets", 200)])),
        ("life", "heal", True, ("Trigger Healing: which target?", ["Orc"], [])),
    ],
)  # fmt: skip
def test_what_is_missing_is_asked_before_a_prepared_action(
    skill: str, spell: str, is_fight: bool, told: tuple[Any, ...]
) -> None:
    done = prepared(skill, spell, is_fight=is_fight).do("Ash", "trigger")

    assert done.rolls == ()
    assert asked(done.follow_ups[0]) == told
    sizes = {"line": "Length in squares", "area": "Side in squares"}
    prompts = {blank.key: blank.prompt for blank in done.follow_ups[0].blanks}
    assert {key: prompts[key] for key in prompts if key in sizes} == {
        key: words for key, words in sizes.items() if key in prompts
    }


@pytest.mark.rule("SWIM-COMB-14")
@pytest.mark.parametrize(
    ("skill", "spell", "options", "faces", "headline"),
    [
        ("basic_melee", "", {"targets": ("Orc",)}, "5 5", "attacks Orc (Basic Melee 2)"),
        ("grapple", "", {"targets": ("Orc",)}, "5 5", "grapples Orc (Grapple 2)"),
        ("stealth", "", {"targets": ("Orc",)}, "5 5", "hides from Orc (Stealth 2)"),
        ("climb", "", {"targets": ("Orc",)}, "5 5", "sets Climb against Orc's Climb (Climb 2)"),
        ("climb", "", {"difficulty": 4}, "5 5", "moves (Climb 2)"),
        ("craft:wood", "", {"difficulty": 4}, "5 5", "rolls Craft (wood) 2"),
        ("fire", "light", {}, "", "casts Light"),
        (
            "death",
            "stun",
            {"targets": ("Orc",), "distance": 1},
            "5 5",
            "casts Stun at Orc at 1 square (Death 2)",
        ),
        ("earth", "quake", {"targets": ("Orc",), "area": 1}, "5 5", "casts Quake at Orc (Earth 2)"),
        ("fire", "blaze", {"targets": ("Orc",), "line": 3}, "5 5", "casts Blaze at Orc (Fire 2)"),
    ],
)
def test_a_prepared_action_is_carried_out_as_its_own_command(
    skill: str, spell: str, options: dict[str, Any], faces: str, headline: str
) -> None:
    table = prepared(skill, spell)
    done = table.do("Ash", "trigger", faces, **options)

    assert done.headline == headline
    assert "Prepared action: now" in done.notes
    assert table.sheet("Ash").states.reserve is None


@pytest.mark.rule("SWIM-COMB-13", "SWIM-COMB-14")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"skill": "throw"}, "Throw can't defend."),
        ({"skill": "throw", "kind": "action", "trigger": " "}, "A prepared action needs a trigger."),
        ({"skill": "fire", "spell": "light"}, "A defense needs no spell."),
        ({"skill": "fire", "kind": "action", "trigger": "x", "spell": "quake"},
         "Quake is a power of Earth, not of Fire."),
    ],
)  # fmt: skip
def test_what_cannot_be_held(options: dict[str, str], told: str) -> None:
    assert lay_table(Ash=sheet(RANKS)).why("Ash", "reserve", **options) == told


@pytest.mark.rule("SWIM-COMB-13", "SWIM-COMB-14")
@pytest.mark.parametrize(
    ("options", "headline", "notes", "label"),
    [
        ({"skill": "basic melee"}, "holds Basic Melee in reserve for a defense",
         ("+1 die on one defense.",), ""),
        ({"skill": "spot"}, "holds Spot in reserve for a defense", ("+0 dice on one defense.",), ""),
        ({"skill": "climb", "kind": "action", "trigger": " the door "},
         "holds Climb in reserve: the door", (), "Trigger Climb"),
        ({"skill": "fire", "kind": "action", "trigger": "x", "spell": "light"},
         "holds Light in reserve: x", (), "Trigger Light"),
        ({"skill": "fire", "kind": "action", "trigger": "x"},
         "holds Fire in reserve: x", (), "Trigger Fire: which power?"),
    ],
)  # fmt: skip
def test_what_is_held_is_told(
    options: dict[str, str], headline: str, notes: tuple[str, ...], label: str
) -> None:
    done = lay_table(Ash=sheet(RANKS)).do("Ash", "reserve", **options)

    assert (done.headline, done.notes) == (headline, notes)
    assert [one.label for one in done.follow_ups] == [label] * bool(label)


@pytest.mark.rule("SWIM-COMB-14")
def test_only_what_was_prepared_is_triggered() -> None:
    table = lay_table(Ash=sheet(RANKS))
    assert table.why("Ash", "trigger") == "Ash has no prepared action."
    table.change("Ash", states=States(reserve=Reserve(skill="climb", kind=ReserveKind.DEFENCE)))
    assert table.why("Ash", "trigger") == "Ash has no prepared action."
    assert prepared("fire", "light").why("Ash", "trigger", spell="blaze") == "You prepared Light, not Blaze."
    assert prepared("grapple").why("Ash", "trigger", targets=("Orc", "Beast")) == (
        "You can grapple only one target."
    )
