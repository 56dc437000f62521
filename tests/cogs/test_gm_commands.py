"""What only a GM does stands below `/gm` and each game's `/<game>-gm`, and nowhere else."""

from collections.abc import Iterator

import discord
from discord import app_commands

from bot.playground.discord.commands import command_characters
from bot.rules import rulesets
from bot.ui.commands.play import GAME, PROCEDURE
from tests.readme import Top, leaves, top_commands

MOST_CHARACTERS = 6400  # of Discord's 8,000, to leave room
MOST_SHARED = 18
ADMINISTRATORS = "campaign"  # needs Manage Server or a GM; a server hides it as a whole


def is_gms(top: Top) -> bool:
    """Whether a command is the GM's by its name."""
    return "gm" in top.name.split("-")


async def players() -> list[Top]:
    """Every command that is not the GM's."""
    return [top for top in await top_commands() if not is_gms(top)]


def procedures(top: Top) -> Iterator[tuple[str, bool]]:
    """Each line that does a procedure of a game, and whether only a GM may do that."""
    for leaf in leaves(top):
        if PROCEDURE in leaf.extras:
            procedure = rulesets()[leaf.extras[GAME]].procedures[leaf.extras[PROCEDURE]]
            yield leaf.qualified_name, procedure.gm_only


class TestPlayersCommands:
    async def test_nothing_in_a_players_command_is_only_for_gms(self) -> None:
        wrong = [name for top in await players() for name, gm_only in procedures(top) if gm_only]
        marked = [
            leaf.qualified_name
            for top in await players()
            if top.name != ADMINISTRATORS
            for leaf in leaves(top)
            if "(GM" in leaf.description
        ]

        assert (wrong, marked) == ([], [])


class TestGmCommands:
    async def test_each_game_has_a_gm_command_that_says_so(self) -> None:
        found = {top.name: top.description for top in await top_commands() if is_gms(top)}

        assert set(found) == {"gm", "rpj-gm-fight", *(f"{game.command}-gm" for game in rulesets().values())}
        assert [name for name, about in found.items() if not about.startswith("GM only: ")] == []

    async def test_discord_hides_none_of_them_from_gms_who_are_no_administrators(self) -> None:
        hidden = [top.name for top in await top_commands() if top.default_permissions is not None]

        assert hidden == []


class TestGmAsk:
    async def test_hidden_says_what_players_still_see(self) -> None:
        """F-REL-18: the dice and the total are public, whatever is hidden."""
        asks = [
            leaf for top in await top_commands() for leaf in leaves(top) if leaf.qualified_name == "gm ask"
        ]
        (about,) = [one.description for leaf in asks for one in leaf.parameters if one.name == "hidden"]

        assert about == "Hide the difficulty and the outcome (not the dice and totals) from players"


class TestSizes:
    async def test_every_command_stays_well_below_discords_8000_characters(self) -> None:
        tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
        sizes = {top.name: command_characters(top.to_dict(tree)) for top in await top_commands()}

        assert {name: size for name, size in sizes.items() if size > MOST_CHARACTERS} == {}

    async def test_at_most_18_commands_are_shared_by_all_games(self) -> None:
        games = {game.command for game in rulesets().values()}
        shared = [top.name for top in await top_commands() if top.name.split("-")[0] not in games]

        assert len(shared) <= MOST_SHARED
