"""Who of the party is best at a check: the exact chances that stand on the buttons once it is asked for."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.table.base.access import ForGmOnly
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.gm import gm as gms
from bot.table.requests import asking_page, requested_checks
from bot.table.requests.asking_page import BestAt, best_at
from bot.table.requests.requested_checks import Wanted
from tests.table.conftest import Person
from tests.table.counting import everything

CHECKS = {
    "rpj": Wanted(check="skill check", what="Perception", difficulty="13"),
    "swim_class": Wanted(check="roll", what="Swim", difficulty="6"),
    "post_magic_maid": Wanted(check="check", what="Str + Dex", difficulty="15"),
}


async def begin(table: Table, game: str, gm: Person, *players: Person) -> Table:
    """A campaign with a ready-made character for each player, and an NPC."""
    whole = replace(table, games=rulesets())
    await campaigns.create(whole, gm.asks(), game, "The Long Road")
    rules = rulesets()[game]
    for player, name in zip(players, list(rules.creation.offered(rules.settings())), strict=False):
        await characters.take_ready_made(whole, player.asks(), name)
    await gms.make_npc(whole, gm.asks(), "Ogre")
    return whole


def shown(best: BestAt) -> list[str]:
    return [f"{one.name}: roll · {percent(one.chance)}" for one in best.best]


@pytest.mark.parametrize("game", CHECKS)
async def test_the_chances_are_those_on_the_buttons(
    table: Table, gm: Person, ada: Person, bo: Person, game: str
) -> None:
    whole = await begin(table, game, gm, ada, bo)
    before = everything(whole)

    best = await best_at(whole, gm.asks(), CHECKS[game])

    assert everything(whole) == before
    asked = await requested_checks.ask(whole, gm.asks(), CHECKS[game])
    assert isinstance(asked, Result)
    assert asked.gathering is not None
    labels = [one.label for one in asked.gathering.view.follow_ups]
    assert sorted(shown(best)) == sorted(label for label in labels if "roll ·" in label) != []
    assert [one.chance for one in best.best] == sorted((one.chance for one in best.best), reverse=True)


async def test_a_check_without_a_difficulty_has_the_scenes(
    table: Table, gm: Person, ada: Person, bo: Person
) -> None:
    whole = await begin(table, "rpj", gm, ada, bo)
    offered = (await asking_page.asking_page(whole, gm.asks())).difficulties
    hard = offered[-1]
    await asking_page.set_scene(whole, gm.asks(), difficulty=hard)

    preset = await best_at(whole, gm.asks(), replace(CHECKS["rpj"], difficulty=""))

    assert (preset.what, preset.difficulty) == ("Perception", hard)
    assert preset == await best_at(whole, gm.asks(), replace(CHECKS["rpj"], difficulty=hard))


async def test_only_a_gm_looks_it_up_and_only_what_the_game_has(
    table: Table, gm: Person, ada: Person
) -> None:
    whole = await begin(table, "rpj", gm, ada)

    with pytest.raises(ForGmOnly):
        await best_at(whole, ada.asks(), CHECKS["rpj"])
    with pytest.raises(UserError, match="You can't ask for"):
        await best_at(whole, gm.asks(), Wanted(check="juggling"))
