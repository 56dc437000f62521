"""RPJ: what can't be done is refused in private, with the reason and a way out."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.rules.rpj import RULESET
from tests.cogs.played import Play, get_up, sit_down

MARIT, OSKAR = "Marit Vance", "Oskar Brandt"


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    play = await sit_down(tmp_path, RULESET, MARIT, OSKAR)
    yield play
    await get_up(play)


async def test_a_purchase_that_cannot_be_made_is_refused_in_private(play: Play) -> None:
    """F-RPJ-19."""
    await play.set("money", "yes")
    await play.set("acquisition_checks", "yes")

    said = await play.types(play.alice, "/rpj-gear buy", item="Light armor")

    assert said.is_private
    assert "Coin; Marit Vance has 0." in said.text
    assert "/rpj-gear shop lists what is for sale." in said.text
    log = await play.types(play.bob, "/log")
    assert "wants to buy" not in log.text


async def test_setting_what_is_set_already_is_refused_in_private(play: Play) -> None:
    """F-RPJ-23."""
    has = await play.points(MARIT, "lucky_breaks")

    said = await play.types(
        play.gwen, "/gm set resource", resource="Lucky Breaks", value=has, character=MARIT
    )

    assert said.is_private
    assert "Marit Vance already has" in said.text
