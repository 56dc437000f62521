"""Somebody who is hurt, and how badly."""

from bot.rules.rpj.module.defense_layers import Out
from bot.table.base.results import Result
from tests.rules.rpj.played.conftest import Played

PAST_ARMOR = {"bypass": "ability, shield, armor"}


async def lost(played: Played, name: str = "Ug") -> tuple[int, ...]:
    return (await played.sheet(name)).health.lost_base


async def out(played: Played, name: str = "Ug") -> Out:
    return (await played.sheet(name)).health.out


async def beaten(played: Played, count: int = 3) -> Result:
    """Ug fails so many base saves; gives the last result."""
    for _ in range(count):
        result = await played.do(played.bob, "save", 1, 3, damage=2, **PAST_ARMOR)
    return result
