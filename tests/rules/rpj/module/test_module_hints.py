"""What is allowed in a module and yet unusual."""

import pytest

from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj.module.module_files import MODULES, assert_can_fight, fight_hints, module_hints, module_of
from tests.rules.rpj.combat.battles import with_armor, with_weapon
from tests.rules.rpj.module.test_modules import small
from tests.rules.rpj.people import FANTASY


@pytest.mark.rule("RPJ-CHAR-21")
class TestSizeOfTheSkillList:
    def test_a_module_with_few_skills_is_advised_to_give_fewer_starting_points(self) -> None:
        assert module_hints(MODULES["generic"]) == (
            "There are only 15 skills; below 25, give fewer starting points.",
        )
        assert MODULES["generic"].characters.start == 40

    def test_a_class_with_too_few_skills_brings_a_hint(self) -> None:
        assert module_hints(small())[0] == "Fencer lists 1 skill for 4 class skills."

    def test_the_skill_hint_leaves_out_skills_that_need_an_optional_rule(self) -> None:
        """F-RPJ-16."""
        assert module_hints(MODULES["fantasy"])[-1] == (
            "Only 24 of the 27 skills are open to everyone; below 25, give fewer starting points."
        )


@pytest.mark.rule("RPJ-CHAR-08", "RPJ-CHAR-21")
@pytest.mark.parametrize(
    ("count", "hint"),
    [
        (24, ["There are only 24 skills; below 25, give fewer starting points."]),
        (25, []),
        (26, []),
    ],
)
def test_twenty_five_skills_are_enough(count: int, hint: list[str]) -> None:
    skills = [{"id": f"skill_{n}", "name": f"Skill {n}", "linked": ["INT"]} for n in range(count)]

    assert list(module_hints(module_of({"id": "m", "name": "M", "skills": skills}))) == hint


@pytest.mark.rule("RPJ-TRAIT-05")
@pytest.mark.parametrize(
    ("trait", "hints"),
    [
        ({"kind": "gift", "cost": 2}, ["Odd: gifts are usually worth 3 to 8 points, not 2."]),
        ({"kind": "gift", "cost": 3}, []),
        ({"kind": "gift", "cost": 8}, []),
        ({"kind": "gift", "cost": 9}, ["Odd: gifts are usually worth 3 to 8 points, not 9."]),
        ({"kind": "fault", "cost": -2}, ["Odd: faults are usually worth 3 to 8 points, not 2."]),
        ({"kind": "fault", "cost": -3}, []),
        ({"kind": "quirk", "cost": 0}, []),
        ({"kind": "gift", "cost": 2, "comes_with_class": True}, []),
        ({"kind": "fault", "cost": -4, "mirrors": "keen"}, []),
        (
            {"kind": "fault", "cost": -5, "mirrors": "keen"},
            ["Odd gives 5, but Keen, its gift, only costs 5."],
        ),
    ],
)
def test_unusual_costs_of_traits_bring_a_hint(trait: dict[str, object], hints: list[str]) -> None:
    skills = [{"id": f"skill_{n}", "name": f"Skill {n}", "linked": ["INT"]} for n in range(25)]
    keen = {"id": "keen", "name": "Keen", "kind": "gift", "cost": 5}
    module = module_of(
        {"id": "m", "name": "M", "skills": skills, "traits": [keen, {"id": "odd", "name": "Odd", **trait}]}
    )

    assert list(module_hints(module)) == hints


@pytest.mark.rule("RPJ-GCS-64")
@pytest.mark.parametrize(("damage", "is_usual"), [(-1, False), (0, True), (4, True), (5, False)])
def test_unusual_damage_brings_a_hint(damage: int, is_usual: bool) -> None:
    module = with_weapon("whip", damage=damage)

    told = f"Whip: damage is usually 0 to 4, not {damage}."
    assert (told in fight_hints(module)) is not is_usual


@pytest.mark.rule("RPJ-GCS-64")
@pytest.mark.parametrize(("save", "is_usual"), [(3, False), (4, True), (7, True), (8, False)])
def test_unusual_saves_bring_a_hint(save: int, is_usual: bool) -> None:
    module = with_armor("shell", saves=[save, save])

    told = f"Shell: saves are usually 4+ to 7+, not {save}+."
    assert fight_hints(module).count(told) == (0 if is_usual else 1)


@pytest.mark.rule("RPJ-GCS-15", "RPJ-GCS-37", "RPJ-GCS-53", "RPJ-GCS-57", "RPJ-GCS-63")
def test_a_module_is_told_what_its_fights_lack() -> None:
    bare = module_of({"id": "m", "name": "M"})

    assert fight_hints(bare) == (
        "No weapons: fights can't be started.",
        "No skill for dodging or absorbing: fights can't be started.",
        "No initiative skill: the Dexterity level is rolled.",
        "No grappling skill: the Strength bonus is rolled.",
        "No skill for unarmed combat: nobody can attack unarmed.",
        "No medical skill: no helping hands, no medical attention.",
    )
    with pytest.raises(UserError) as refused:
        assert_can_fight(bare)
    assert (
        refused.value.what == "M can't be used for fights: no weapons and no skill for dodging or absorbing."
    )
    assert_can_fight(FANTASY)


@pytest.mark.parametrize("field", ["skills", "traits", "classes", "weapons", "gear", "conditions"])
def test_two_entries_with_the_same_id_are_refused(field: str) -> None:
    rows = FANTASY.model_dump(mode="json")[field]

    with pytest.raises(UserErrors) as refused:
        module_of({**FANTASY.model_dump(mode="json"), field: [*rows, rows[0]]})
    assert [one for one in refused.value.problems if "is used twice" in one] == [
        one for one in refused.value.problems if f"the id {rows[0]['id']} is used twice" in one
    ]
    assert any("is used twice" in one for one in refused.value.problems)
