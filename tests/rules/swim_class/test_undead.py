"""The raised dead act in their caster's place."""

import pytest

from bot.rules.swim_class.encounter import (
    the_encounter,
)
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

pytestmark = pytest.mark.rule("SWIM-MAGIC-19")


def risen() -> GameTable:
    """Ash has raised the orc, with Physical Defense 2."""
    table = lay_table(Ash=sheet({"death": 3, "fire": 1}), Orc=sheet(is_dead=True))
    table.do("Ash", "cast", "5 4 1", spell="raise", corpse="Orc")
    return table


def test_a_raised_corpse_attacks_with_its_own_skills_and_its_caster_is_named() -> None:
    table = risen()
    struck = table.do("Ash", "undead_attack", "5", undead="Orc", skill="basic melee", targets=("Beast",))

    assert struck.headline == "commands Orc, who attacks Beast (Basic Melee 1)"
    assert words(table.do("GM Beast", "defend", "3", skill="physical defense")) == "1 hit"


def test_a_corpse_rises_with_a_death_rank_one_below_its_casters() -> None:
    table = lay_table(Ash=sheet({"death": 3, "fire": 1}), Orc=sheet(is_dead=True))
    done = table.do("Ash", "cast", "5 4 1", spell="raise", corpse="Orc")

    assert done.notes[0].endswith("Physical Defense 2, Death 2.")
    assert (table.rank("Orc", "physical_defense"), table.rank("Orc", "death")) == (2, 2)


def test_a_raised_corpse_can_move_and_roll_any_skill() -> None:
    table = risen()

    assert words(table.do("Ash", "undead_move", undead="Orc")) == "1 square, automatic"
    done = table.do("Ash", "undead_roll", "4 5", undead="Orc", skill="death", difficulty=4)
    assert (done.headline, words(done)) == ("commands Orc, who rolls Death 2", "2 progress")


def test_a_raised_corpse_uses_the_action_of_its_caster() -> None:
    table = risen()
    table.do("GM Ash", "encounter.start", "6 5", others=("Beast",), at_once=True)
    table.do("Ash", "undead_move", "3", undead="Orc", terrain=2)

    assert the_encounter(table.scene).acting.halves_used == 2
    assert table.why("Ash", "move") == "Ash has no action left this turn."
    assert table.why("Ash", "undead_move", undead="Orc") == "Ash has no action left this turn."
    table.do("Ash", "encounter.next")
    assert table.why("Ash", "undead_move", undead="Orc") == "It is Beast's turn, not Ash's."
    table.do("GM Orc", "move")


def test_only_the_caster_commands_a_raised_corpse() -> None:
    table = risen()

    assert table.why("Bram", "undead_move", undead="Orc") == "Bram hasn't raised Orc."
    assert table.why("Ash", "undead_move", undead="Beast") == "Ash hasn't raised Beast."


def test_a_caster_who_is_down_cannot_command_a_raised_corpse() -> None:
    table = risen()
    table.set("Ash", "physical_wounds", 1)

    assert table.why("Ash", "undead_move", undead="Orc") == "Ash is down."


def test_a_dismissed_undead_is_a_corpse_again_and_can_be_raised_again() -> None:
    table = risen()
    assert table.do("Ash", "dismiss", undead="Orc").headline == "dismisses Orc"
    assert table.sheet("Orc").is_dead
    assert table.why("Ash", "undead_move", undead="Orc") == "Ash hasn't raised Orc."

    assert words(table.do("Ash", "cast", "4 4 1", spell="raise", corpse="Orc")) == "raised"


@pytest.mark.rule("SWIM-MAGIC-07")
def test_a_caster_can_put_out_their_light() -> None:
    table = risen()
    assert table.why("Ash", "dismiss") == "Ash has no light to put out."
    table.do("Ash", "cast", spell="light")
    assert table.do("Ash", "dismiss").headline == "puts out the light"
    assert table.sheet("Ash").states.light == 0


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.parametrize(("rank", "faces", "told"), [
    (1, "6", "Beast acts in Ash's place: Physical Defense 1, Death 0."),
    (3, "6 6 1", "Beast acts in Ash's place: Physical Defense 2, Death 2."),
])  # fmt: skip
def test_a_raised_corpse_has_as_much_defense_as_successes(rank: int, faces: str, told: str) -> None:
    table = lay_table(Ash=sheet({"death": rank}))
    table.change("Beast", is_dead=True)
    raised = table.do("Ash", "cast", faces, spell="raise", corpse="Beast", anyway=True)

    assert raised.notes[0] == told
    assert (table.rank("Beast", "physical_defense"), table.rank("Beast", "death")) == (
        faces.count("6"),
        rank - 1,
    )


@pytest.mark.rule("SWIM-MAGIC-15")
def test_becoming_undead_keeps_the_other_tags() -> None:
    table = solo(tags=("guard",))
    table.do("GM", "set_state", target="Ash", state="undead")
    table.do("GM", "set_state", target="Ash", state="undead")
    assert table.sheet("Ash").tags == ("guard", "undead")
    table.do("GM", "set_state", target="Ash", state="undead", on=False)
    assert table.sheet("Ash").tags == ("guard",)
