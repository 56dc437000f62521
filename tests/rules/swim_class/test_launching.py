"""Opposed rolls as they are made: who gets which dice, who may be a target, and what is asked first."""

from typing import Any

import pytest

from bot.rules.swim_class.attacks import counters_of, range_bonus
from bot.rules.swim_class.powers import (
    SpellKey,
    SwimCastOptions,
    area_bonus,
    line_bonus,
    size_of,
    undead_sheet,
)
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.settling import SwimContest
from bot.rules.swim_class.sheet import States, book_of
from bot.rules.swim_class.tables import SPELLS
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words


def contest_of(table: GameTable) -> SwimContest:
    """The only opposed roll that is open."""
    (found,) = [one for one in table.scene.documents.values() if isinstance(one, SwimContest)]
    return found


@pytest.mark.rule("SWIM-COMB-02")
@pytest.mark.parametrize(
    ("targets", "shares", "places"),
    [
        (("Orc",), "", [(0, 1, 2, 3)]),
        (("Orc",), "2", [(0, 1)]),
        (("Orc", "Beast"), "", [(0, 1), (2, 3)]),
        (("Orc", "Beast"), "3,1", [(0, 1, 2), (3,)]),
        (("Orc", "Beast"), "1, 1", [(0,), (1,)]),
        (("Orc", "Beast", "Bram"), "", [(0, 1), (2,), (3,)]),
    ],
)
def test_dice_are_divided_among_the_targets(
    targets: tuple[str, ...], shares: str, places: list[tuple[int, ...]]
) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}))
    table.do("Ash", "attack", "5 5 5 5", skill="basic melee", targets=targets, shares=shares)

    assert [share.places for share in contest_of(table).shares] == places


@pytest.mark.rule("SWIM-OPP-04")
@pytest.mark.parametrize(
    ("targets", "told"),
    [(("Orc", "Beast"), "4 dice to stop"), (("Orc",), "4 dice to stop"), (("Beast",), "4 hits")],
)
def test_an_attack_waits_while_any_of_its_targets_can_defend(targets: tuple[str, ...], told: str) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}))
    table.set("Beast", "physical_wounds", 5)
    struck = table.do("Ash", "attack", "5 5 5 5", skill="basic melee", targets=targets)

    assert words(struck).startswith(told)


@pytest.mark.rule("SWIM-COMB-02", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"targets": ("Orc", "Beast"), "shares": "3,2"}, "You have 4 dice to divide."),
        ({"targets": ("Orc",), "shares": "5"}, "You have 4 dice to divide."),
        ({"targets": ("Orc", "Beast"), "shares": "4"}, "Divide your dice among the targets."),
        ({"targets": ("Orc",), "shares": "2,2"}, "Divide your dice among the targets."),
        ({"targets": ("Orc", "Orc")}, "Choose each target only once."),
        ({"targets": ("Ash",)}, "You can't target yourself."),
        ({"targets": ("Bram",)}, "Bram is dead."),
        ({"targets": ("Orc",), "distance": 2}, "Orc is 2 squares away."),
    ],
)
def test_who_and_what_cannot_be_attacked(options: dict[str, Any], told: str) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}), Bram=sheet(is_dead=True))

    assert table.why("Ash", "attack", skill="basic melee", **options) == told


@pytest.mark.rule("SWIM-AREA-03")
@pytest.mark.parametrize(
    ("distance", "increment", "bonus"), [(0, 2, 0), (1, 2, 0), (2, 2, 1), (5, 2, 2), (5, 0, 0), (3, 1, 3)]
)
def test_distance_helps_the_defense_by_the_increment(distance: int, increment: int, bonus: int) -> None:
    assert range_bonus(distance, increment) == bonus


@pytest.mark.rule("SWIM-AREA-04", "SWIM-AREA-05")
@pytest.mark.parametrize(("length", "bonus"), [(1, 0), (2, 1), (3, 2), (4, 2), (6, 4)])
def test_a_line_helps_the_defense_by_two_thirds_of_its_length(length: int, bonus: int) -> None:
    options = SwimCastOptions(spell=SpellKey("blaze"), line=length)

    assert line_bonus(length) == bonus
    assert area_bonus(SPELLS["blaze"], options) == (bonus, length)


@pytest.mark.rule("SWIM-AREA-04", "SWIM-MAGIC-06", "SWIM-MAGIC-08", "SWIM-MAGIC-10", "SWIM-MAGIC-12")
@pytest.mark.parametrize(
    ("spell", "form", "options", "told"),
    [
        ("blaze", "fire", {"line": 2}, (1, "")),
        ("blaze", "fire", {"area": 2}, (0, "Blaze has no option “area”.")),
        ("blaze", "fire", {}, (0, "Blaze needs a line.")),
        ("quake", "earth", {"area": 2}, (2, "")),
        ("quake", "earth", {}, (0, "Quake needs an area.")),
        ("spray", "water", {"area": 3}, (3, "")),
        ("spray", "water", {"line": 3}, (2, "")),
        ("spray", "water", {"line": 3, "area": 1}, (0, "Choose an area or a line, not both.")),
        ("spray", "water", {}, (0, "Spray needs an area or a line.")),
    ],
)
def test_a_power_that_fills_an_area_needs_its_shape(
    spell: str, form: str, options: dict[str, int], told: tuple[int, str]
) -> None:
    table = solo({form: 2})
    if told[1]:
        assert table.why("Ash", "cast", spell=spell, targets=("Orc",), **options) == told[1]
        return
    table.do("Ash", "cast", "5 5", spell=spell, targets=("Orc",), **options)
    contest = contest_of(table)

    assert [share.bonus for share in contest.shares] == [told[0]]
    assert (contest.is_area, contest.is_magic, contest.is_melee) == (True, True, False)


@pytest.mark.rule("SWIM-MAGIC-09")
@pytest.mark.parametrize(
    ("traits", "size"), [({}, 0), ({"large": 2}, 2), ({"small": 1}, -1), ({"large": 3, "small": 1}, 2)]
)
def test_the_large_are_harder_to_lift_and_the_small_easier(traits: dict[str, int], size: int) -> None:
    table = lay_table(Ash=sheet({"wind": 2}), Bram=sheet(traits=traits))
    done = table.do("Ash", "cast", "6 6", spell="fly", targets=("Bram",))

    assert size_of(table.sheet("Bram")) == size
    assert done.rolls[0].against == f"{max(1, 3 + size)}+ a die"


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.parametrize(("successes", "rank", "death"), [(1, 1, 0), (3, 4, 3), (2, 0, 0)])
def test_the_raised_dead_are_made_of_successes_and_their_casters_rank(
    successes: int, rank: int, death: int
) -> None:
    made = undead_sheet(successes, rank, id_of("Ash"))

    assert made.ranks == {"physical_defense": successes, "death": death}
    assert (made.tags, made.raised_by) == (("undead",), id_of("Ash"))


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_corpse_rises_unhurt_and_without_money() -> None:
    table = lay_table(Ash=sheet({"death": 2}))
    table.change("Orc", is_dead=True)
    for key in table.named("Orc").resources:
        table.set("Orc", key, 3)
    table.do("Ash", "cast", "6 6", spell="raise", corpse="Orc")

    assert set(table.named("Orc").resources.values()) == {0}


@pytest.mark.rule("SWIM-MAGIC-07")
@pytest.mark.parametrize(
    ("faces", "told", "squares"), [("1 1", "lights 0 squares", 0), ("3 1", "lights 4 squares", 4)]
)
def test_each_success_lights_two_squares(faces: str, told: str, squares: int) -> None:
    table = solo({"fire": 2})
    table.change("Ash", states=States(light=9))
    done = table.do("Ash", "cast", faces, spell="light", push=2)

    assert (words(done), table.sheet("Ash").states.light) == (told, squares)
    assert done.verdict is not None
    assert (done.verdict.family == "success") is bool(squares)


@pytest.mark.rule("SWIM-OPP-01", "SWIM-COMB-03", "SWIM-CHAR-07")
@pytest.mark.parametrize(
    ("skill", "counters"),
    [
        ("stealth", ("spot", "mental_defense")),
        ("grapple", ("brawn",)),
        ("climb", ("climb",)),
        ("craft:wood", ("craft",)),
        ("basic_melee", ("physical_defense",)),
        ("basic_ranged", ("physical_defense",)),
    ],
)
def test_a_skill_is_opposed_by_its_counter_its_defense_or_itself(
    skill: str, counters: tuple[str, ...]
) -> None:
    assert counters_of(book_of(SwimSettings()), skill) == counters


@pytest.mark.rule("SWIM-SKILL-03")
def test_only_the_holder_lets_go_and_only_the_held_break_free(table: GameTable) -> None:
    table.change("Bram", states=States(held_by=id_of("Ash")))

    assert table.why("Cleo", "release", target="Bram") == "Cleo isn't holding Bram."
    assert table.why("Ash", "release", target="Cleo") == "Ash isn't holding Cleo."
    assert table.why("Ash", "escape") == "Ash isn't held."
    assert table.do("Ash", "release", target="Bram").headline == "lets go of Bram"
    assert table.sheet("Bram").states.held_by is None


@pytest.mark.rule("SWIM-OPP-05")
@pytest.mark.parametrize(
    ("procedure", "options"),
    [
        ("attack", {"skill": "basic melee", "targets": ("Orc",)}),
        ("stealth", {"observers": ("Orc",)}),
        ("oppose", {"skill": "climb", "targets": ("Orc",)}),
    ],
)
def test_only_a_gm_makes_targets_unaware(table: GameTable, procedure: str, options: dict[str, Any]) -> None:

    assert table.why("Ash", procedure, unaware=True, **options) == "Only a GM can make targets unaware."
    assert any(
        "can't defend" in note for note in table.do("GM Ash", procedure, "4", unaware=True, **options).notes
    )
