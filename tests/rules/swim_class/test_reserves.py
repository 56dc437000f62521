"""Reserves and prepared actions: what they ask for, how skills carry them out; straining."""

from typing import Any

import pytest

from bot.rules.kernel import FollowUp
from bot.rules.swim_class.sheet import Reserve, ReserveKind, States
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words
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


def labels(table: GameTable) -> list[tuple[str, str]]:
    assert table.last is not None
    return [(button.label, button.audience) for button in table.last.follow_ups]


@pytest.mark.rule("SWIM-POOL-06")
def test_straining_first_shows_its_gain_and_its_cost_without_rolling() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)

    assert (asked.headline, asked.verdict, asked.rolls) == ("wants to strain Spot", None, ())
    assert asked.notes == ("6 dice, then Spot 3 → 2, for good. The GM allows it in desperate situations.",)
    assert labels(table) == [("Allow: 6 dice, then Spot 3 → 2", "gm"), ("Roll without straining", "owner")]
    assert table.rank("Ash", "spot") == 3


@pytest.mark.rule("SWIM-POOL-06")
def test_a_strained_roll_the_gm_allows_is_made_for_the_player_character() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("GM Ash", asked.follow_ups[0], "5 5 1 1 1 1")

    assert words(done) == "2 progress"
    assert table.rank("Ash", "spot") == 2


@pytest.mark.rule("SWIM-POOL-06")
def test_the_player_may_roll_without_straining_instead() -> None:
    table = solo({"spot": 3})
    asked = table.do("Ash", "roll", skill="spot", difficulty=4, strain=True, consented=False)
    done = table.press("Ash", asked.follow_ups[1], "5 1 1")

    assert (words(done), table.rank("Ash", "spot")) == ("1 progress", 3)


@pytest.mark.rule("SWIM-POOL-06")
def test_straining_a_skill_of_rank_1_is_refused_without_asking_the_gm(table: GameTable) -> None:
    assert table.why("Ash", "roll", skill="spot", strain=True, consented=False) == (
        "Spot 1 can't be strained."
    )


@pytest.mark.rule("SWIM-POOL-06")
def test_straining_a_defense_also_needs_the_gms_permission() -> None:
    table = lay_table(Ash=sheet({"physical_defense": 2}), Orc=sheet({"basic_melee": 2}))
    table.do("GM Orc", "attack", "2 3", skill="basic melee", targets=("Ash",))
    table.do("Ash", "defend", skill="physical defense", strain=True, consented=False)

    assert labels(table)[0] == ("Allow: 4 dice, then Physical Defense 2 → 1", "gm")


@pytest.mark.rule("SWIM-POOL-06")
def test_straining_an_automatic_success_shows_only_its_cost() -> None:
    table = solo({"spot": 2})
    table.do("Ash", "roll", skill="spot", strain=True, consented=False)

    assert labels(table)[0][0] == "Allow: Spot 2 → 1"


@pytest.mark.rule("SWIM-POOL-06")
def test_further_parts_of_a_strained_action_need_no_second_permission() -> None:
    table = solo({"climb": 2})
    table.do("Ash", "roll", "5 3", skill="climb", difficulty=4, dice=2, strain=True)
    done = table.do("Ash", "roll", "5 5", skill="climb", difficulty=4, dice=2, strain=True, consented=False)

    assert words(done) == "2 progress"


@pytest.mark.rule("SWIM-POOL-06")
@pytest.mark.rule("SWIM-ADV-05", "SWIM-ADV-07", "SWIM-POOL-06")
def test_an_advance_of_a_strained_skill_is_an_epic_success_without_a_gain() -> None:
    table = solo({"climb": 2})
    table.do("Ash", "roll", "4 5 6 4", skill="climb", difficulty=4, strain=True)

    assert table.rank("Ash", "climb") == 2
    assert [(one.before, one.after) for one in table.sheet("Ash").epics] == [(2, 3)]
