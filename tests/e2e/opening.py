"""How most tests begin: a campaign, and a character for each player."""

from __future__ import annotations

from bot.rules import rulesets
from tests.e2e.people import Party
from tests.e2e.tree import Leaf

GAME = "Post-magic-maid"
ALICES, BOBS = "Nettle Quickwater", "Bram Ostergard"


async def open_campaign(party: Party, name: str = "The Manor", game: str = GAME) -> None:
    """Have the GM create a campaign."""
    await party.gwen.types(f"/campaign create ruleset:{game} name:{name}", hears=name)


async def open_play(party: Party, name: str = "The Manor") -> None:
    """Have the GM create a campaign and both players take a ready-made character."""
    await open_campaign(party, name)
    await party.alice.types(f"/character create ready:{ALICES}", hears=ALICES)
    await party.bob.types(f"/character create ready:{BOBS}", hears=BOBS)


async def open_other(party: Party, game: str) -> None:
    """Have the GM create a campaign of another game and both players take one of its characters."""
    await open_campaign(party, game=game)
    ready = await party.alice.is_offered("/character create", "ready")
    for player, name in zip((party.alice, party.bob), ready, strict=False):
        await player.types(f"/character create ready:{name}", hears=name)


def is_of_another_game(leaf: Leaf) -> bool:
    """Whether a command belongs to another game than `GAME`, and is refused in its campaigns."""
    command = leaf.line.split()[0].split("-")[0]
    return any(one.command == command and one.title != GAME for one in rulesets().values())
