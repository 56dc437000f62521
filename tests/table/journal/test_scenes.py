"""Whom a scene lists: everybody of the campaign that all may know of."""

import pytest

from bot.rules.kernel import Scene
from bot.table.base.access import access_here
from bot.table.base.table import Table
from bot.table.gm import gm as gms
from bot.table.journal.scenes import SceneKeeper
from bot.table.journal.shared_prompts import scene_to_look_at
from tests.table.conftest import Person


def names(scene: Scene) -> list[str]:
    return [scene.character(one).name for one in scene.find_everybody()]


@pytest.mark.parametrize("who", ["gm", "ada"])
async def test_a_scene_lists_players_first_and_nobody_hidden(
    game: Table, gm: Person, ada: Person, who: str
) -> None:
    await gms.make_npc(game, gm.asks(), "Abbot")
    await gms.make_npc(game, gm.asks(), "Imp", is_hidden=True)
    person = gm if who == "gm" else ada
    request = person.asks()
    assert await game.store.read(
        lambda reader: names(scene_to_look_at(reader, access_here(game, reader, request), for_gm=False))
    ) == ["Ada", "Bo", "Abbot"]
    assert await game.store.run(
        lambda tx: names(SceneKeeper(tx, access_here(game, tx, request)).scene(None))
    ) == ["Ada", "Bo", "Abbot"]
