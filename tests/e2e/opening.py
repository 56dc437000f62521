"""How most tests begin: a campaign, and a character for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.playground.discord import LocalDiscord
from bot.rules import rulesets
from bot.ui.commands.options import GAME as OF_GAME
from bot.ui.commands.options import PACKS
from tests.e2e.people import Party, gather
from tests.e2e.sweeping import Leaf
from tests.readme import leaves as subcommands
from tests.readme import top_commands

T = TypeVar("T")
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


def told_apart(leaf: Leaf, of_it: Sequence[T]) -> Sequence[T]:
    """What can make a difference: another game's command is refused whole, to everybody.

    Args:
        leaf: The command.
        of_it: What is tried with it: its options, texts for them, people.
    """
    return of_it[:1] if is_of_another_game(leaf) else of_it


async def switch_briefly(party: Party, pack: str, command: str) -> None:
    """Have the GM switch a pack on, until there is a command of it, and off again; that stays for a week."""
    await party.gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await party.gwen.member.discord.offered(command, party.server)
    await party.gwen.types(f"/campaign settings setting:{pack} value:none")


async def open_every_game(discord: LocalDiscord) -> Party:
    """Have a GM create a campaign of every game with all its packs, and wait for all commands."""
    party = gather(discord, "The Library")
    commands = [leaf for command in await top_commands() for leaf in subcommands(command)]
    for game in rulesets().values():
        await open_campaign(party, name=game.title, game=game.title)
        packs = {
            pack
            for one in commands
            if one.extras.get(OF_GAME) == game.key
            for pack in one.extras.get(PACKS, ())
        }
        for pack in sorted(packs):
            await party.gwen.types(f"/campaign settings setting:{pack} value:yes campaign:{game.title}")
    for command in commands:
        await discord.offered(command.qualified_name, party.server)
    return party
