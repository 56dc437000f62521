"""Modules: what they state, what is wrong with them, how they are written, the three that are shipped."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.rules.kernel import FileKind, read_written, write_document
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj.module.basics import ModuleEntry
from bot.rules.rpj.module.module import GenerationMethod, Module, Pack, RpjTrait, SkillRole
from bot.rules.rpj.module.module_files import (
    MODULE_FORM,
    MODULES,
    RpjSettings,
    assert_can_fight,
    fight_hints,
    module_hints,
    module_of,
)
from tests.rules.rpj.combat.battles import with_armor, with_weapon
from tests.rules.rpj.people import FANTASY

MANUAL = Path("docs/modules.md").read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
SMALL: dict[str, Any] = {
    "id": "small",
    "name": "Small",
    "skills": [{"id": "fencing", "name": "Fencing", "linked": ["DEX"], "roles": ["attack"]}],
    "classes": [{"id": "fencer", "name": "Fencer", "skills": [{"skill": "fencing"}]}],
}


def small(**more: Any) -> Module:
    return module_of({**SMALL, **more})


def problems(written: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(UserErrors) as refused:
        module_of(written)
    return refused.value.problems


class TestShippedModules:
    def test_three_modules_are_shipped(self) -> None:
        assert [(module.id, module.name) for module in MODULES.values()] == [
            ("generic", "Generic"),
            ("fantasy", "Fantasy"),
            ("science_fiction", "Science Fiction"),
        ]

    @pytest.mark.parametrize(
        ("genre", "skills", "classes"), [("generic", 15, 4), ("fantasy", 24, 5), ("science_fiction", 29, 5)]
    )
    def test_the_shipped_modules_hold_the_lists_of_the_appendix(
        self, genre: str, skills: int, classes: int
    ) -> None:
        module = MODULES[genre]

        usual = [skill for skill in module.skills if not skill.needs]
        assert (len(usual), len(module.classes)) == (skills, classes)
        assert [trait.name for trait in module.traits][:7] == [
            "Alert",
            "Battlefield Mobility",
            "Hand-to-Hand Master",
            "Lucky",
            "Quick Draw",
            "Riposte",
            "Tough",
        ]

    @pytest.mark.parametrize(
        ("genre", "role", "skills"),
        [
            ("generic", SkillRole.ATTACK, []),
            ("generic", SkillRole.UNARMED, ["Athleticism"]),
            ("fantasy", SkillRole.ATTACK, ["Blunt Weapons", "Large Blades", "Archery", "Small Blades"]),
            ("fantasy", SkillRole.MEDICAL, ["Alchemy"]),
            ("science_fiction", SkillRole.MEDICAL, ["Medicine"]),
            ("science_fiction", SkillRole.DODGE, ["Dodge"]),
            ("fantasy", SkillRole.INITIATIVE, []),
        ],
    )
    def test_the_shipped_modules_name_the_skills_for_fighting_and_healing(
        self, genre: str, role: SkillRole, skills: list[str]
    ) -> None:
        assert [skill.name for skill in MODULES[genre].skills_for(role)] == skills

    @pytest.mark.parametrize("genre", MODULES)
    def test_every_shipped_class_offers_at_least_four_class_skills(self, genre: str) -> None:
        assert [class_.name for class_ in MODULES[genre].classes if len(class_.skills) < 4] == []

    @pytest.mark.parametrize("genre", MODULES)
    def test_every_entry_of_a_shipped_module_is_found_by_its_id(self, genre: str) -> None:
        module = MODULES[genre]
        finders: tuple[tuple[tuple[ModuleEntry, ...], Any], ...] = (
            (module.skills, module.skill),
            (module.traits, module.trait),
            (module.classes, module.character_class),
        )

        for parts, find in finders:
            assert [find(part.id) for part in parts] == list(parts)
            assert find("nothing") is None

    def test_the_fantasy_module_has_a_hint_only_for_its_few_skills(self) -> None:
        assert module_hints(MODULES["science_fiction"]) == ()
        assert module_hints(MODULES["fantasy"]) == (
            "Only 24 of the 27 skills are open to everyone; below 25, give fewer starting points.",
        )


class TestModuleFiles:
    @pytest.mark.parametrize("kind", FileKind)
    @pytest.mark.parametrize("genre", MODULES)
    def test_a_module_written_to_a_file_reads_back_the_same(self, genre: str, kind: FileKind) -> None:
        assert read_written(write_document(MODULES[genre], kind), kind, MODULE_FORM) == MODULES[genre]

    def test_a_module_is_written_as_toml_with_a_table_for_each_part(self) -> None:
        text = write_document(
            small(luck={"base": 3}, traits=[{"id": "odd", "name": "“Odd”\x7f\n", "kind": "quirk"}]),
            FileKind.TOML,
        )

        assert text == (
            'id = "small"\n'
            'name = "Small"\n'
            "\n"
            "[luck]\n"
            "base = 3\n"
            "\n"
            "[[skills]]\n"
            'id = "fencing"\n'
            'name = "Fencing"\n'
            'linked = ["DEX"]\n'
            'roles = ["attack"]\n'
            "\n"
            "[[classes]]\n"
            'id = "fencer"\n'
            'name = "Fencer"\n'
            'skills = [{ skill = "fencing" }]\n'
            "\n"
            "[[traits]]\n"
            'id = "odd"\n'
            'name = "“Odd”\\u007f\\n"\n'
            'kind = "quirk"\n'
        )
        assert read_written(text, FileKind.TOML, MODULE_FORM).traits[0].name == "“Odd”\x7f\n"

    def test_invalid_toml_is_refused_with_its_place(self) -> None:
        with pytest.raises(UserError) as refused:
            read_written('id = "a"\nname = ', FileKind.TOML, MODULE_FORM)

        assert (
            refused.value.what
            == "I can't read this module. This isn't TOML: Invalid value (at end of document)."
        )

    def test_invalid_json_is_refused_with_its_line(self) -> None:
        with pytest.raises(UserError) as refused:
            read_written('{"id": "a",\n"name": }', FileKind.JSON, MODULE_FORM)

        assert (
            refused.value.what
            == "I can't read this module. This isn't JSON: Expecting value, line 2, column 9."
        )

    def test_a_list_is_refused_as_a_module(self) -> None:
        with pytest.raises(UserError, match="This isn't a module"):
            read_written("[]", FileKind.JSON, MODULE_FORM)


class TestTheManual:
    """`docs/modules.md` has a file that can be read, and the mistake that it shows."""

    def test_the_example_module_in_the_docs_can_be_read(self) -> None:
        module = read_written(MANUAL, FileKind.TOML, MODULE_FORM)

        assert (module.name, [skill.name for skill in module.skills]) == ("Saltmarsh", ["Marsh Lore"])

    def test_the_mistake_shown_in_the_docs_gives_the_message_shown_there(self) -> None:
        with pytest.raises(UserErrors) as refused:
            read_written(MANUAL.replace('"WIL"', '"WIS"'), FileKind.TOML, MODULE_FORM)

        told = (Path("docs") / "modules.md").read_text(encoding="utf-8").replace("\n> ", " ")
        assert refused.value.problems[0] in told


class TestProblemsOfAModule:
    def test_all_problems_of_a_module_are_listed_at_once_with_the_allowed_values(self) -> None:
        written = {
            "name": "Small",
            "colour": "red",
            "luck": {"base": -1},
            "skills": [
                {"id": "fencing", "name": "Fencing", "linked": ["DEXTERITY"]},
                {"id": "fencing", "name": "Fencing", "linked": ["DEX"]},
                {"id": "Two Words", "name": "Two", "linked": []},
                "running",
            ],
            "classes": [{"id": "fencer", "name": "Fencer", "skills": [{"skill": "fencin"}]}],
            "traits": [{"id": "odd", "name": "Odd", "kind": "quirk", "effects": [{"type": "wish"}]}],
            "rules": "none",
        }

        assert problems(json.loads(json.dumps(written))) == (
            "id: this is missing.",
            "luck, base: this should be greater than or equal to 0.",
            "skills, number 1 (fencing), linked, number 1: "
            "this should be 'STR', 'CON', 'DEX', 'CHA', 'WIL', 'INT' or 'LUCK'.",
            "skills, number 3 (Two Words), id: this should use only a-z, 0-9 and _, up to 60 characters.",
            "skills, number 3 (Two Words), linked: this should have at least 1.",
            "skills, number 4: this should be a table of fields.",
            "traits, number 1 (odd), effects, number 1: its type should be one of 'roll_bonus', "
            "'attribute_adjust', 'attribute_raise_permit', 'base_save_add', 'layer_add', 'lucky_breaks', "
            "'unarmed_damage', 'cautious_movement', 'free_attack_on', 'initiative_order', 'grants_maneuver', "
            "'hands', 'capability', 'ability_power', 'slot_count', 'spell_defense', 'innate_slots', "
            "'wealth', 'load_limit', 'ranged_defense', 'ammunition_start'.",
            "rules: this should be a list.",
            "colour: there is no such field.",
            "class fencer, skills: there is no fencin. Allowed: Two Words, fencing.",
        )

    def test_each_id_in_a_module_must_be_unique(self) -> None:
        twice = {**SMALL, "skills": SMALL["skills"] * 2}

        assert problems(twice) == ("skills: the id fencing is used twice; each id must be unique.",)

    @pytest.mark.parametrize(
        ("more", "problem"),
        [
            (
                {
                    "skills": [
                        {**SMALL["skills"][0], "class_costs": [{"class_id": "duelist", "percent": 50}]},
                    ]
                },
                "skill fencing, class_costs: there is no duelist. Allowed: fencer.",
            ),
            (
                {"classes": [{"id": "fencer", "name": "Fencer", "quirks": ["odd"], "gear": []}]},
                "class fencer, quirks: there is no odd. Allowed: none.",
            ),
            (
                {"classes": [{"id": "fencer", "name": "Fencer", "gear": ["sword"]}]},
                "class fencer, gear: there is no sword. Allowed: none.",
            ),
            (
                {"traits": [{"id": "slow", "name": "Slow", "kind": "fault", "mirrors": "fast"}]},
                "trait slow, mirrors: there is no fast. Allowed: slow.",
            ),
            (
                {"traits": [{"id": "slow", "name": "Slow", "kind": "fault", "excludes": ["fast"]}]},
                "trait slow, excludes: there is no fast. Allowed: slow.",
            ),
            (
                {
                    "weapons": [
                        {"id": "bow", "name": "Bow", "skill": "archery", "attribute": "DEX", "damage": 2}
                    ]
                },
                "weapon bow, skill: there is no archery. Allowed: fencing.",
            ),
            (
                {"armor": [{"id": "plate", "name": "Plate", "saves": [5], "skill": "plate_use"}]},
                "armor plate, skill: there is no plate_use. Allowed: fencing.",
            ),
            (
                {
                    "tables": [
                        {
                            "id": "fate",
                            "name": "Fate",
                            "dice": 1,
                            "rows": [{"first": "1", "last": "6", "text": "Again.", "roll_on": "doom"}],
                        }
                    ]
                },
                "table fate, roll_on: there is no doom. Allowed: fate.",
            ),
            (
                {
                    "gear": [
                        {
                            "id": "ring",
                            "name": "Ring",
                            "effects": [
                                {"type": "roll_bonus", "on": "skill", "of": "archery", "value": 1},
                                {"type": "roll_bonus", "on": "skill", "value": 1},
                                {"type": "lucky_breaks", "value": 1},
                                {"type": "roll_bonus", "on": "initiative", "of": "x", "value": 1},
                            ],
                        }
                    ]
                },
                "gear ring, effects, of: there is no archery. Allowed: fencing.",
            ),
            (
                {
                    "gear": [
                        {
                            "id": "ring",
                            "name": "Ring",
                            "effects": [
                                {"type": "roll_bonus", "on": "saving throw", "of": "WIS", "value": 1}
                            ],
                        }
                    ]
                },
                "gear ring, effects, of: there is no WIS. Allowed: CHA, CON, DEX, INT, LUCK, STR, WIL.",
            ),
            (
                {
                    "classes": [
                        {
                            "id": "fencer",
                            "name": "Fencer",
                            "skills": [{"skill": "fencing", "specialty": "Rapier"}, {"skill": "fencing"}],
                        }
                    ]
                },
                "class fencer, skills: fencing has no specialties.",
            ),
            (
                {
                    "skills": [
                        {**SMALL["skills"][0], "has_specialty": True, "specialties": ["Foil", "Sabre"]}
                    ],
                    "classes": [
                        {
                            "id": "fencer",
                            "name": "Fencer",
                            "skills": [
                                {"skill": "fencing", "specialty": "Rapier"},
                                {"skill": "fencing", "specialty": "Foil"},
                            ],
                        }
                    ],
                },
                "class fencer, skills: fencing has no specialty Rapier. Allowed: Foil, Sabre.",
            ),
        ],
    )
    def test_everything_a_module_refers_to_must_exist(self, more: dict[str, Any], problem: str) -> None:
        assert problems({**SMALL, **more}) == (problem,)

    def test_a_decision_table_in_a_module_must_cover_every_key(self) -> None:
        table = {
            "id": "fate",
            "name": "Fate",
            "dice": 1,
            "rows": [{"first": "1", "last": "5", "text": "Well."}],
        }

        assert problems({**SMALL, "tables": [table]}) == ("tables, number 1 (fate): 6 has no row.",)


@pytest.mark.rule("RPJ-TRAIT-05")
class TestCostsOfTraits:
    def hints(self, *traits: dict[str, Any]) -> tuple[str, ...]:
        rows = [{"id": str(trait["name"]).lower(), **trait} for trait in traits]
        return tuple(hint for hint in module_hints(small(traits=rows)) if "skills" not in hint)

    def test_gifts_and_faults_usually_cost_three_to_eight_points(self) -> None:
        assert self.hints({"name": "Alert", "kind": "gift", "cost": 4}) == ()
        assert self.hints({"name": "Alert", "kind": "gift", "cost": 2}) == (
            "Alert: gifts are usually worth 3 to 8 points, not 2.",
        )
        assert self.hints({"name": "Slow", "kind": "fault", "cost": -9}) == (
            "Slow: faults are usually worth 3 to 8 points, not 9.",
        )

    def test_a_fault_should_refund_less_than_its_matching_gift_costs(self) -> None:
        gift = {"name": "Alert", "kind": "gift", "cost": 4}

        assert self.hints(gift, {"name": "Slow", "kind": "fault", "cost": -4, "mirrors": "alert"}) == (
            "Slow gives 4, but Alert, its gift, only costs 4.",
        )
        assert self.hints(gift, {"name": "Slow", "kind": "fault", "cost": -3, "mirrors": "alert"}) == ()

    def test_a_quirk_may_be_free(self) -> None:
        assert self.hints({"name": "Odd", "kind": "quirk"}) == ()

    def test_alert_costs_less_than_the_skill_level_it_stands_for(self) -> None:
        alert = MODULES["fantasy"].trait("alert")

        assert alert is not None
        assert alert.cost == 4 < 5


class TestModuleDefaults:
    def test_a_module_uses_the_books_numbers_unless_it_says_otherwise(self) -> None:
        plain = small()

        assert (plain.attributes.points, plain.attributes.highest, plain.attributes.other_most) == (40, 6, 4)
        assert (plain.luck.base, plain.luck.lucky_from, plain.luck.flashback_cost) == (2, 4, 2)
        assert (plain.characters.class_slots, plain.characters.class_bonus) == (4, 1)
        assert (plain.saves.count, plain.saves.target) == (2, 7)
        assert plain.attributes.methods == tuple(GenerationMethod)

    def test_a_trait_may_have_no_effects_for_the_bot(self) -> None:
        assert RpjTrait.model_validate({"id": "odd", "name": "Odd", "kind": "quirk"}).effects == ()


@pytest.mark.rule("RPJ-CHAR-21")
class TestSizeOfTheSkillList:
    def test_a_module_with_few_skills_is_advised_to_give_fewer_starting_points(self) -> None:
        assert module_hints(MODULES["generic"]) == (
            "There are only 15 skills; below 25, give fewer starting points.",
        )
        assert MODULES["generic"].characters.start == 40

    def test_a_class_with_too_few_skills_brings_a_hint(self) -> None:
        assert module_hints(small())[0] == "Fencer lists 1 skill for 4 class skills."
        enough = module_hints(small(characters={"class_slots": 1}))
        assert not [hint for hint in enough if hint.startswith("Fencer")]

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


WITH_MONEY = RpjSettings(module="own").with_module(
    Module(id="small", name="Small", optional_rules=(Pack.MONEY,))
)
