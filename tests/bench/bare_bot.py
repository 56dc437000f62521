"""The smallest discord.py bot: two commands, nothing stored: the benchmark's first anchor."""

import os

import discord
import yarl
from discord import app_commands

discord.http.Route.BASE = os.environ["TABLEKEEPER_DISCORD__API_URL"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["TABLEKEEPER_DISCORD__GATEWAY_URL"])

NAMES = ("Mira", "Ondra", "Kit", "Raider 1", "Raider 2", "Raider 3", "Raider 4")


class Bare(discord.AutoShardedClient):
    """A client with two commands."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_scheduled_events=True, voice_states=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()


bot = Bare()


@bot.tree.command(name="line", description="Answers one line")
async def line(interaction: discord.Interaction[Bare]) -> None:
    """Answer with one line."""
    await interaction.response.send_message("You rolled 12.")


@bot.tree.command(name="card", description="Answers a card with two buttons")
async def card(interaction: discord.Interaction[Bare]) -> None:
    """Answer with a card with two buttons."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Details", custom_id="details"))
    view.add_item(discord.ui.Button(label="Undo", custom_id="undo"))
    view.stop()
    embed = discord.Embed(
        description="**Nobody** checks Str + Dex\n5 + 7 = **12**\n-# chance was 58%", colour=1
    )
    await interaction.response.send_message(embed=embed, view=view)


async def offer(_interaction: discord.Interaction[Bare], typed: str) -> list[app_commands.Choice[str]]:
    """Complete a name."""
    return [app_commands.Choice(name=name, value=name) for name in NAMES if typed in name]


@bot.tree.command(name="name", description="Answers a name")
@app_commands.autocomplete(name=offer)
async def name(interaction: discord.Interaction[Bare], name: str) -> None:
    """Answer with the name that was typed."""
    await interaction.response.send_message(name)


bot.run(os.environ["TABLEKEEPER_DISCORD__TOKEN"], log_handler=None)
