"""Modules of RPJ at a real table: out, changed, in again, and what follows at once."""

import pytest

from bot.rules.kernel import FileKind
from bot.rules.kernel.errors import UserErrors
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES
from bot.table.campaigns import modules
from bot.table.characters import characters
from bot.table.journal import suggest
from tests.rules.rpj.played.conftest import PLAYED, Played


async def changed(played: Played, old: str, new: str) -> None:
    """Export the module, change its text, and import it."""
    file = await modules.export(played.table, played.gwen.asks())
    text = file.content.decode()
    assert old in text
    await modules.import_(played.table, played.gwen.asks(), text.replace(old, new).encode(), file.name)


@pytest.mark.rule("RPJ-GM-06")
class TestModulesAtTheTable:
    @pytest.mark.parametrize("kind", FileKind)
    async def test_a_module_export_is_the_module_the_campaign_plays(
        self, played: Played, kind: FileKind
    ) -> None:
        file = await modules.export(played.table, played.gwen.asks(), kind)

        assert file.name == f"rpj-module.{kind}"
        assert PLAYED.module is not None
        assert modules.read_file(PLAYED.module, file.content, file.name) == MODULES["fantasy"]

    async def test_a_trait_made_up_by_the_gm_is_exported_with_the_module(self, played: Played) -> None:
        made = {"target": "Laeniel", "name": "Night Eyes", "value": 1, "of": "Perception"}
        await played.do(played.gwen, "give_trait", **made)

        file = await modules.export(played.table, played.gwen.asks())

        assert PLAYED.module is not None
        read = modules.read_file(PLAYED.module, file.content, file.name)
        assert isinstance(read, Module)
        assert read.traits[-1].name == "Night Eyes"
        assert read.traits[-1].effects[0].model_dump(include={"value", "of"}) == {
            "value": 1,
            "of": "perception",
        }

    async def test_a_trait_made_up_for_one_module_returns_when_that_module_is_used_again(
        self, played: Played
    ) -> None:
        made = {"target": "Laeniel", "name": "Bow Arm", "value": 1, "of": "Archery"}
        await played.do(played.gwen, "give_trait", **made)

        await modules.import_(played.table, played.gwen.asks(), b'id = "bare"\nname = "Bare"\n', "bare.toml")
        away = (await modules.export(played.table, played.gwen.asks())).content
        await modules.use(played.table, played.gwen.asks(), "fantasy")

        assert b"Bow Arm" not in away
        assert b"Bow Arm" in (await modules.export(played.table, played.gwen.asks())).content

    async def test_a_skill_renamed_by_an_import_is_suggested_and_rolled_at_once(self, played: Played) -> None:
        await changed(played, 'name = "Concealment"', 'name = "Shadowing"')

        offered = await suggest.things(played.table, played.alice.asks(), "skill", "Shad")
        done = await played.do(played.alice, "check", 4, 3, skill="Shadowing")

        assert [choice.value for choice in offered] == ["Shadowing"]
        assert done.message.headline.startswith("checks Shadowing")
        view = await characters.sheet(played.table, played.alice.asks(), None)
        assert any("Shadowing" in line for section in view.sections for line in section.lines)

    async def test_a_modules_number_of_lucky_breaks_applies_at_once(self, played: Played) -> None:
        await changed(played, 'id = "fantasy"\n', 'id = "fantasy"\nluck = { base = 3 }\n')

        assert (await played.kept("Laeniel")).resources["lucky_breaks"] == (3, 4)

    async def test_importing_a_module_keeps_characters_and_lists_what_no_longer_fits(
        self, played: Played
    ) -> None:
        sheet = await played.sheet("Laeniel")
        await modules.import_(played.table, played.gwen.asks(), b'id = "bare"\nname = "Bare"\n', "bare.toml")

        view = await modules.show(played.table, played.gwen.asks())

        assert await played.sheet("Laeniel") == sheet
        assert view.summary[0] == "The module is empty"
        assert "Laeniel: The module has no skill archery (level 4)." in view.problems
        assert (await characters.sheet(played.table, played.alice.asks(), None)).name == "Laeniel"
        assert (await played.do(played.alice, "attribute", 4, 3, attribute="DEX")).message.verdict is not None

    async def test_a_module_switches_optional_rules_on_unless_the_campaign_disagrees(
        self, played: Played
    ) -> None:
        text = b'id = "bare"\nname = "Bare"\noptional_rules = ["money", "wild_magic"]\n'

        await modules.import_(played.table, played.gwen.asks(), text)

        view = await modules.show(played.table, played.gwen.asks())
        assert view.summary[1].startswith("Optional rules of the module: Money, Wild magic")

    async def test_mistakes_in_an_imported_module_are_reported_with_their_lines(self, played: Played) -> None:
        text = (
            'id = "x"\nname = "X"\n\n[[skills]]\nid = "fly"\nname = "Fly"\nlinked = ["AIR"]\n\n'
            '[[traits]]\nid = "wings"\nname = "Wings"\nkind = "gift"\nmirrors = "fins"\n'
        )
        with pytest.raises(UserErrors) as told:
            await modules.import_(played.table, played.gwen.asks(), text.encode())

        assert told.value.problems == (
            "Line 7: skills, number 1 (fly), linked, number 1: this should be 'STR', 'CON', 'DEX', 'CHA', "
            "'WIL', 'INT' or 'LUCK'.",
            "Line 13: trait wings, mirrors: there is no fins. Allowed: wings.",
        )
