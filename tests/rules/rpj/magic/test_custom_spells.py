"""Spells that a GM adds, and list preparation as the shipped psionics have it."""

from pathlib import Path

import pytest

from bot.rules.kernel import FileKind, read_written
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.casters import casting_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.game_parts.suggesting import SUGGESTION_LISTS
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULE_FORM
from bot.rules.rpj.module.settings import RpjSettings, Shipped, module_in
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import GameTable, d6, others, rpj_table

UG = sheet("WIL 4 INT 2", skills=[known("primitive_magic", 3, linked="WIL")], total_points=60)
PSION = sheet("WIL 4 INT 2", skills=[known("psionics", 2, linked="WIL")], total_points=60)
HAIL = {"name": "Hail", "level": 2, "about": "Ice as big as fists.", "attack": True, "damage": 2, "range": 3}


def magic() -> GameTable:
    """Ug the cave-mage of the fantasy module, and the Ogre."""
    return rpj_table(players={"Ug": UG}, structured_magic=True)


@pytest.mark.rule("RPJ-SMAG-01", "RPJ-SMAG-10")
class TestSpellsAddedByTheGm:
    def test_a_spell_the_gm_adds_is_known_and_can_be_cast(self) -> None:
        table = magic()
        done = table.do("GM", "add_spell", **HAIL)
        assert done.headline == "adds Hail (level 2 spell, Primitive Magic)"
        assert done.notes == ("Everyone with a high enough skill knows it.",)
        assert table.do("Ug", "cast", d6("6 5"), spell="Hail", target="Ogre").verdict is not None

    def test_an_added_spell_of_a_taught_skill_must_be_taught_first(self) -> None:
        done = magic().do("GM", "add_spell", **{**HAIL, "skill": "Refined Magic"})
        assert done.notes == ("Teach it with /rpj-gm magic teach.",)

    def test_an_added_spell_with_a_saving_throw_asks_the_target_to_save(self) -> None:
        table = magic()
        table.do("GM", "add_spell", name="Chill", level=1, save="CON")
        assert others(table.do("Ug", "cast", spell="Chill", target="Ogre")) == [
            "Save with Constitution, 10+ · 92%"
        ]

    @pytest.mark.parametrize(
        ("options", "field", "value"),
        [
            ({}, "reach", "your group"),
            ({"range": 0}, "reach", "0 regions"),
            ({"range": 1}, "reach", "1 region"),
            ({"range": 2}, "reach", "2 regions"),
            ({"range": 2}, "greatest_range", 2),
            ({}, "greatest_range", None),
            ({"name": "  Ice   Ball "}, "name", "Ice Ball"),
            ({"about": " Cold. "}, "description", "Cold."),
            ({"actions": 2}, "actions", 2),
            ({}, "actions", 1),
            ({"minutes": 10}, "minutes", 10),
            ({}, "minutes", 0),
            ({}, "save", None),
            ({"damage": 0}, "damage", 0),
            ({}, "damage", None),
            ({"nonlethal": True}, "is_nonlethal", True),
            ({"skill": "refined magic"}, "magic_skill", "refined_magic"),
            ({}, "magic_skill", "primitive_magic"),
        ],
    )
    def test_an_added_spell_is_what_the_gm_wrote(
        self, options: dict[str, object], field: str, value: object
    ) -> None:
        table = magic()
        table.do("GM", "add_spell", **{"name": "Ice", "level": 1, **options})

        assert getattr(table.scene.settings.spells[-1], field) == value

    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({"name": "Pelt"}, "This campaign already has a spell called Pelt."),
            ({"name": " "}, "A spell's name needs at least one visible character."),
            ({"skill": "Cooking"}, "This campaign has no magic skill “Cooking”."),
        ],
    )
    def test_an_added_spell_with_a_taken_name_or_unknown_skill_is_refused(
        self, changes: dict[str, str], told: str
    ) -> None:
        assert magic().refused("GM", "add_spell", **{**HAIL, **changes}).what == told

    def test_an_added_spell_is_exported_with_its_module_and_absent_from_others(self) -> None:
        table = magic()
        table.do("GM", "add_spell", **HAIL)
        assert RULESET.module is not None
        carried = RULESET.module.carried(table.scene.settings)
        assert isinstance(carried, Module)
        assert carried.spell("hail") is not None
        table.settings(module="science_fiction")
        settings = table.scene.settings
        assert isinstance(settings, RpjSettings)
        assert module_in(settings).spell("hail") is None

    def test_the_magic_skills_of_the_module_are_suggested(self) -> None:
        offered = SUGGESTION_LISTS["magic skill"](
            None, RpjSettings(module=Shipped.FANTASY, structured_magic=True)
        )
        assert list(offered) == ["Primitive Magic", "Refined Magic"]


@pytest.mark.rule("RPJ-SMAG-12")
class TestPsionics:
    def psions(self) -> GameTable:
        settings = RpjSettings(module=Shipped.SCIENCE_FICTION, structured_magic=True)
        return rpj_table(settings, {"Psion": PSION})

    def test_a_psion_prepares_a_list_and_spends_ability_slots(self) -> None:
        table = self.psions()
        table.change("Psion", casting={"hours": 2})
        for spell in ("Jolt", "Mind Spike"):
            table.do("Psion", "prepare", spell=spell)
        casting = casting_of(figure_in(table.scene, table.named("Psion")))
        assert casting.prepared == ("jolt", "mind_spike")
        done = table.do("Psion", "cast", spell="Mind Spike", target="Ogre")
        assert done.notes[0] == "Uses a 2nd-level ability slot."

    def test_a_psionic_ability_that_was_not_prepared_cannot_be_used(self) -> None:
        assert self.psions().refused("Psion", "cast", spell="Jolt").what == "You have no slot ready for Jolt."


def test_the_manuals_example_of_magic_money_and_loads_is_a_valid_module() -> None:
    manual = Path("docs/modules.md").read_text(encoding="utf-8").split("```toml\n")[2].partition("```")[0]
    module = read_written(manual, FileKind.TOML, MODULE_FORM)
    assert (module.name, len(module.spells), len(module.abilities)) == ("Reedport", 1, 1)
