"""A bot as people write it by hand, with discord.py and aiosqlite: the benchmark's second anchor.

Its one command loads a character, rolls, writes the change and a line of a log, commits, and answers with an
embed. It has nothing else: no seed to prove the dice, no odds, no undo, no buttons, no repeated delivery.
"""

import asyncio
import json
import os
import random  # noqa: TID251  # a bot of its own, not our rules
import time

import aiosqlite
import discord
import yarl
from discord import app_commands

discord.http.Route.BASE = os.environ["TABLEKEEPER_DISCORD__API_URL"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["TABLEKEEPER_DISCORD__GATEWAY_URL"])

TABLES = """
CREATE TABLE IF NOT EXISTS characters (
    guild INTEGER, person INTEGER, name TEXT, sheet TEXT, luck INTEGER, PRIMARY KEY (guild, person)
);
CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY, guild INTEGER, person INTEGER, at INTEGER, text TEXT, dice TEXT
);
"""
SHEET = {
    "attributes": {"Str": 2, "Dex": 3, "Int": 1, "Will": 4},
    "skills": {"climb": 2, "cook": 3, "sneak": 1},
    "traits": ["patient", "curious", "left-handed"],
    "notes": "Some words about her. " * 15,
}


class HandWritten(discord.AutoShardedClient):
    """A client with a database and one command."""

    database: aiosqlite.Connection

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.writing = asyncio.Lock()  # one connection has one transaction at a time

    async def setup_hook(self) -> None:
        """Open the database, as durable as ours, and register the command."""
        path = os.environ["TABLEKEEPER_DATABASE__URL"].removeprefix("sqlite:///")
        self.database = await aiosqlite.connect(path)
        await self.database.execute("PRAGMA journal_mode = WAL")
        await self.database.execute("PRAGMA synchronous = FULL")
        await self.database.executescript(TABLES)
        await self.tree.sync()

    async def close(self) -> None:
        """Close the connection and the database."""
        await super().close()
        await self.database.close()


bot = HandWritten()


@bot.tree.command(name="check", description="Rolls a check")
@app_commands.describe(first="One attribute", second="Another attribute")
async def check(interaction: discord.Interaction[HandWritten], first: str, second: str) -> None:
    """Roll a check, store it and answer."""
    database, key = interaction.client.database, (interaction.guild_id, interaction.user.id)
    async with interaction.client.writing:
        cursor = await database.execute(
            "SELECT name, sheet, luck FROM characters WHERE guild = ? AND person = ?", key
        )
        row = await cursor.fetchone()
        await cursor.close()
        if row is None:
            made = ("Mira", json.dumps(SHEET), 1_000_000)
            await database.execute("INSERT INTO characters VALUES (?, ?, ?, ?, ?)", (*key, *made))
        name, text, luck = row or made
        sheet = json.loads(text)
        dice = [random.randint(1, 12), random.randint(1, 8)]
        bonus = sheet["attributes"][first] + sheet["attributes"][second]
        total = sum(dice) + bonus
        await database.execute(
            "UPDATE characters SET luck = ? WHERE guild = ? AND person = ?", (luck - 1, *key)
        )
        await database.execute(
            "INSERT INTO log (guild, person, at, text, dice) VALUES (?, ?, ?, ?, ?)",
            (*key, int(time.time()), f"{name} checks {first} + {second}: {total}", json.dumps(dice)),
        )
        await database.commit()
    embed = discord.Embed(
        title=f"{name} checks {first} + {second}",
        description=f"{dice[0]} + {dice[1]} + {bonus} = **{total}**",
        colour=discord.Colour.green() if total >= 10 else discord.Colour.red(),
    )
    embed.set_footer(text=f"Luck {luck} → {luck - 1}")
    await interaction.response.send_message(embed=embed)


bot.run(os.environ["TABLEKEEPER_DISCORD__TOKEN"], log_handler=None)
