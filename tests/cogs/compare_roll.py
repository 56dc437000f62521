"""A table of Compare Roll, and what is often done there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.rules.compare_roll import RULESET
from tests.cogs.played import Play, get_up, sit_down

JUNO, OTTO = "Juno Marsh", "Otto Brandt"
FAILED = "d12:12 d12:12 d6:2 d6:4"
AGAIN = "d12:11 d12:11 d6:2 d6:4"  # with Stress 1
TAKE, WAITS = "Accept the Failure", "Accept the Failure · 60 s"
BURN = "Burn 5 High → Success (was Failure)"


@asynccontextmanager
async def table_of_compare_roll(folder: Path) -> AsyncIterator[Play]:
    """Alice plays Juno Marsh, who has 5 High; Bob plays Otto Brandt; the GM has an Ogre with a bat."""
    play = await sit_down(folder, RULESET, JUNO, OTTO)
    await play.types(play.gwen, "/compare-gm fate", target=JUNO, high=5)
    await play.npc("Ogre")
    await play.types(play.gwen, "/compare-gm foe", target="Ogre", hp=30, weapon="Baseball Bat")
    yield play
    await get_up(play)


async def fails(play: Play, fall: str = FAILED) -> None:
    """Have Juno fail a check that 5 High would turn."""
    said = await play.types(play.alice, "/compare roll", fall, skill="Stealth")
    assert BURN in said.labels
    assert WAITS in said.labels


async def ogre_attacks(play: Play, damage: str = "d6:4") -> None:
    """Have the Ogre attack Juno, who may defend."""
    said = await play.types(play.gwen, "/compare attack", damage, targets=JUNO, **{"as": "Ogre"})
    assert "Juno Marsh can defend against 4 damage." in said.text
