"""F-ALL-01: a procedure belongs to its game; another game's campaign is not changed by it."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import gm as gm_cases
from bot.table.play import play
from bot.table.play.play import OtherGame
from tests.table.conftest import Person
from tests.table.counting import everything

GAMES = rulesets()


@pytest.mark.parametrize("played", sorted(GAMES))
async def test_a_procedure_of_another_game_is_refused(table: Table, gm: Person, played: str) -> None:
    here = replace(table, games=GAMES)
    await campaigns.create(here, gm.asks(), played, "The Long Road")
    await gm_cases.make_npc(here, gm.asks(), "Raider")
    before = everything(here)

    tried = 0
    for game in GAMES.values():
        for procedure in game.procedures if game.key != played else ():
            with pytest.raises(OtherGame, match=f"This campaign plays {GAMES[played].title}"):
                await play.perform(here, gm.asks(), procedure, {}, game=game.key, acting="Raider")
            tried += 1

    assert tried > 100
    assert everything(here) == before


async def test_the_right_command_is_offered_only_to_those_who_may_use_it(
    table: Table, gm: Person, ada: Person
) -> None:
    here = replace(table, games=GAMES)
    await campaigns.create(here, gm.asks(), "swim_class", "The Long Road")
    hour = {"hours": "1"}

    with pytest.raises(OtherGame) as told_to_gm:
        await play.perform(here, gm.asks(), "clock", hour, game="post_magic_maid")
    with pytest.raises(OtherGame) as told_to_player:
        await play.perform(here, ada.asks(), "clock", hour, game="post_magic_maid")

    assert (told_to_gm.value.fits, told_to_player.value.fits) == (True, False)
