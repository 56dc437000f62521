"""What everybody learns of the GM's characters at a real table, and what only the GM does."""

import pytest

from bot.table.base.results import ChangeLine
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.gm import gm
from tests.rules.rpj.played.conftest import Played


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
