"""Modules of RPJ at a real table: out, changed, in again, and what follows at once."""

import pytest

from bot.rules.kernel import FileKind
from bot.rules.kernel.errors import UserErrors
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES
from bot.rules.shared.countdowns import Kind, Limits
from bot.table.base.results import ChangeLine
from bot.table.campaigns import fields, modules
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.gm import gm
from bot.table.journal import journal, suggest
from bot.table.play import countdown_plans
from bot.table.play.countdown_plans import Plan
from bot.table.sessions import endings, sessions
from tests.rules.rpj.played.conftest import PLAYED, Played, beaten, labels, lost
from tests.table.counting import values


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


DAY = 86_400


@pytest.mark.rule("RPJ-GM-04")
class TestOverride:
    async def test_the_gm_can_set_any_field_with_a_reason_and_undo_it(self, played: Played) -> None:
        await beaten(played)

        done = await fields.set_field(
            played.table, played.gwen.asks(), "Ug", "health/bleeding", "2", "he hit his head"
        )

        assert (await played.sheet("Ug")).health.bleeding == 2
        assert (done.message.headline, done.message.notes) == (
            "sets Ug's health/bleeding",
            ("he hit his head",),
        )
        assert done.message.changes == (ChangeLine("Ug", "health bleeding", "0", "2"),)
        await journal.undo(played.table, played.gwen.asks(), done.entry)
        assert (await played.sheet("Ug")).health.bleeding == 0

    async def test_the_gm_can_only_set_values_the_module_knows(self, played: Played) -> None:
        with pytest.raises(UserErrors, match="The module has no trait wings"):
            await fields.set_field(
                played.table, played.gwen.asks(), "Ug", "traits", '[{"trait": "wings", "source": "bought"}]'
            )


@pytest.mark.rule("RPJ-GM-03")
class TestCheckIntoCountdown:
    async def test_a_check_becomes_the_first_step_of_a_duel_of_countdowns(self, played: Played) -> None:
        done = await played.do(played.alice, "check", 4, 3, skill="Concealment")

        duel = (await played.press(played.gwen, done, "Countdown")).result

        assert (duel.message.who, duel.message.headline) == (
            "Laeniel",
            "starts a countdown with Concealment: one roll is not enough",
        )
        assert await values(played.table, played.gwen) == {
            "Concealment": "1/4",
            "Concealment: complication": "0/2",
        }
        await played.do(played.bob, "check", 1, 2, skill="Concealment", countdown="Concealment")
        assert await values(played.table, played.gwen) == {
            "Concealment": "1/4",
            "Concealment: complication": "1/2",
        }

    async def test_a_lucky_break_comes_too_late_once_its_check_started_a_countdown(
        self, played: Played
    ) -> None:
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="6")
        assert labels(failed)[0].startswith("Lucky Break")

        await played.press(played.gwen, failed, "Countdown")

        with pytest.raises(Exception, match="used since"):
            await played.press(played.alice, failed, "Lucky Break", 6)

    async def test_undoing_the_start_of_a_duel_removes_its_countdowns(self, played: Played) -> None:
        done = await played.do(played.alice, "check", 4, 3, skill="Concealment")
        duel = (await played.press(played.gwen, done, "Countdown")).result

        await journal.undo(played.table, played.gwen.asks(), duel.entry)

        assert await values(played.table, played.gwen) == {}


@pytest.mark.rule("RPJ-GM-07", "RPJ-COUNT-07")
async def test_a_countdown_may_count_one_success_per_day_of_game_time(played: Played) -> None:
    plan = Plan(name="Cipher", kind=Kind.SUCCESS, difficulty=4, limits=Limits(per_day=True))
    await countdown_plans.begin(played.table, played.gwen.asks(), plan)

    for _ in range(2):
        await played.do(played.alice, "check", 5, 5, skill="Concealment", countdown="Cipher")
    assert await values(played.table, played.gwen) == {"Cipher": "1/4"}

    await played.wait(DAY)
    await played.do(played.alice, "check", 5, 5, skill="Concealment", countdown="Cipher")
    assert await values(played.table, played.gwen) == {"Cipher": "2/4"}


@pytest.mark.rule("RPJ-GM-08")
class TestSessionEnd:
    async def test_the_end_of_a_session_restores_lucky_breaks_but_heals_no_wounds(
        self, played: Played
    ) -> None:
        await beaten(played, 2)
        failed = await played.do(played.alice, "check", 1, 2, skill="Concealment", difficulty="6")
        await played.press(played.alice, failed, "Lucky Break", 1)
        assert await played.breaks("Laeniel") == 2

        ended = await endings.end(played.table, played.gwen.asks())
        assert await played.breaks("Laeniel") == 3
        back = ("Laeniel", "Lucky Breaks", "2", "3")
        assert back in [
            (line.who, line.what, line.before, line.after) for line in ended.result.message.changes
        ]

        await sessions.start(played.table, played.gwen.asks())
        assert await played.breaks("Laeniel") == 3
        assert len(await lost(played)) == 2


async def fight(played: Played) -> None:
    """Laeniel's turn has begun, and the Ogre stands beside her."""
    await played.do(played.gwen, "encounter.start", others=("Laeniel", "Ogre"))
    await played.do(played.gwen, "fight.place", who="Ogre", region="1", beside="Laeniel")
    await played.do(played.gwen, "encounter.order", characters=("Laeniel", "Ogre"))
    await played.do(played.gwen, "encounter.next")


@pytest.mark.rule("RPJ-HEALTH-10")
class TestAHurtNpc:
    async def test_f_opt_08_players_see_that_an_npc_is_hurt_and_the_gm_sees_its_saves(
        self, played: Played
    ) -> None:
        await fight(played)

        hit = await played.do(played.alice, "fight.attack", 5, 5, 1, 1, target="Ogre")

        assert hit.message.changes == (ChangeLine("Ogre", "Condition", "unhurt", "hurt"),)
        assert hit.message.notes == ("Ogre loses a save.",)
        seen = await encounters.gm_look(played.table, played.gwen.asks(), 1)
        assert [line.secrets for line in seen.view.lines if line.name == "Ogre"] == [("saves 2 of 3 (7+)",)]
        public = await encounters.fight_here(played.table, played.alice.asks())
        assert [line.facts[0] for line in public.view.lines if line.name == "Ogre"] == ["hurt"]

    async def test_f_opt_08_the_gm_sees_every_save_of_a_hidden_npc_in_private(self, played: Played) -> None:
        await gm.show_or_hide(played.table, played.gwen.asks(), "Ogre", is_hidden=True)

        saved = await played.do(played.gwen, "save", 1, 1, damage=2, acting="Ogre")

        assert not saved.message.is_public
        assert saved.message.changes == (ChangeLine("Ogre", "Base", "3 of 3 (7+)", "2 of 3 (7+)"),)

    async def test_a_player_characters_lost_saves_are_shown_to_everyone(self, played: Played) -> None:
        lost = await played.do(played.alice, "save", 1, 1, damage=2)

        assert lost.message.changes == (ChangeLine("Laeniel", "Base", "3 of 3 (7+)", "2 of 3 (7+)"),)


class TestNpcSheets:
    @pytest.mark.rule("RPJ-LUCK-01")
    async def test_f_opt_20_npc_sheets_show_no_lucky_breaks(self, played: Played) -> None:
        shown = {
            name: (await characters.sheet(played.table, played.gwen.asks(), name)).sections[0].lines
            for name in ("Ogre", "Laeniel")
        }

        assert [line for line in shown["Ogre"] if "Lucky" in line] == []
        assert "Lucky Breaks 3 of 3" in shown["Laeniel"]
