"""Who of the party is best at a check, before a GM asks for it."""

from dataclasses import dataclass, replace
from fractions import Fraction

from bot.rules.kernel.errors import UserError
from bot.store.transaction import Transaction
from bot.table.base.access import gm_access_here
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.requests.requested_checks import (
    Wanted,
    chance_of,
    everybody_playing,
    find_check,
    scene_of,
    typed_options,
)

MOST_BEST = 3


@dataclass(frozen=True, slots=True)
class MemberChance:
    """Somebody's exact chance to make a check."""

    name: str
    chance: Fraction


@dataclass(frozen=True, slots=True)
class BestAt:
    """Who is best at a check.

    Attributes:
        what: What it is of, else what it is called.
        difficulty: How hard it is; empty where nothing was said.
        best: Those with the best chances, best first; nobody where the check has no chance to reach.
    """

    what: str
    difficulty: str
    best: tuple[MemberChance, ...]


async def best_at(table: Table, request: Request, wanted: Wanted) -> BestAt:
    """Return who of the players' characters is best at a check, by the code that is played; only for a GM.

    Without a difficulty it has the scene's.

    Raises:
        UserError: If there is no such check, or the person is not a GM.
    """

    def unit(tx: Transaction) -> BestAt:
        access = gm_access_here(table, tx, request)
        form = find_check(access, wanted.check)
        asked = wanted
        if form.difficulty and not wanted.difficulty.strip():
            asked = replace(wanted, difficulty=scene_of(tx, access).difficulty)
        options = typed_options(tx, access, form, asked)
        found = []
        for one in everybody_playing(tx, access):
            try:
                chance = chance_of(tx, access, form, options, one)
            except UserError:  # they can't make it at all
                continue
            if chance is not None:
                found.append(MemberChance(one.name, chance))
        found.sort(key=lambda one: (-one.chance, one.name.casefold()))
        what = wanted.what.strip() or form.title
        return BestAt(what, asked.difficulty.strip(), tuple(found[:MOST_BEST]))

    return await table.store.run(unit)
