"""What a module needs to fight by, and what its numbers come to."""

import pytest

from bot.rules.rpj.combat.bindings import left_out, missing, unusual
from bot.rules.rpj.combat.survival import expected_hits, expected_survival
from bot.rules.rpj.shipped import MODULES
from tests.rules.rpj.combat.battles import with_armor, with_weapon, without_role
from tests.rules.rpj.people import FANTASY, module_with


@pytest.mark.rule("RPJ-GCS-63")
class TestBindings:
    def test_shipped_modules_can_fight(self) -> None:
        for name, module in MODULES.items():
            assert missing(module) == (("No skill is for attacks.",) if name == "generic" else ())

    def test_what_is_missing_is_told(self) -> None:
        without_skills = without_role("dodge", without_role("absorb", without_role("attack")))
        bare = module_with(without_skills, weapons=[], classes=[])

        assert missing(bare) == (
            "There are no weapons.",
            "No skill is for attacks.",
            "No skill is for dodging or absorbing.",
        )

    def test_what_a_module_does_without_is_told(self) -> None:
        assert left_out(FANTASY) == ("No initiative skill: the Dexterity level is rolled.",)
        assert left_out(without_role("medical", without_role("grapple")))[1:] == (
            "No grappling skill: the Strength bonus is rolled.",
            "No medical skill: no helping hands, no medical attention.",
        )


@pytest.mark.rule("RPJ-GCS-64")
class TestDesign:
    @pytest.mark.parametrize(
        ("damage", "row"),
        [(0, (12.0, 6.0, 3.6, 2.4)), (2, (3.6, 2.4, 1.7, 1.4)), (4, (1.7, 1.4, 1.2, 1.1))],
    )
    def test_so_many_hits_break_a_save(self, damage: int, row: tuple[float, ...]) -> None:
        assert tuple(round(float(expected_hits(save, damage)), 1) for save in (4, 5, 6, 7)) == row

    def test_to_two_places(self) -> None:
        assert float(expected_hits(7, 2)) == pytest.approx(36 / 26)
        assert round(float(expected_hits(7, 4)), 2) == 1.09

    def test_what_is_unusual_is_told(self) -> None:
        strange = with_armor("skin", with_weapon("cannon", damage=6), saves=[3, 8, 8])

        assert unusual(FANTASY) == ()
        assert unusual(strange) == (
            "Cannon: damage is usually 0 to 4, not 6.",
            "Skin: saves are usually 4+ to 7+, not 3+.",
            "Skin: saves are usually 4+ to 7+, not 8+.",
        )


@pytest.mark.rule("RPJ-GCS-65")
@pytest.mark.parametrize(("saves", "hits"), [((7, 7), 2.77), ((7, 7, 7, 7), 5.54)])
def test_base_saves_stand_so_many_hits(saves: tuple[int, ...], hits: float) -> None:
    assert round(float(expected_survival(saves, 2)), 2) == hits
