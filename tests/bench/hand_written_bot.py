"""A bot as people write it by hand, with discord.py and aiosqlite: the benchmark's second anchor.

`/check` loads a character, rolls, writes the change and a line of a log, commits, and answers with an embed.
`/rpj`, `/swim` and `/compare` do for players what our checks of these games do: the dice with their
arithmetic, the chance, and buttons that go on working after a restart. A new check settles what an earlier
one offered.

It has nothing else: no seed to prove the dice, no repeated delivery, no undo but of the
points of a compare roll.
"""

import asyncio
import json
import os
import random  # noqa: TID251  # a bot of its own, not our rules
import re
import time
from typing import Any

import aiosqlite
import discord
import yarl
from discord import app_commands

from tests.bench.hand_written_rolls import (
    OUTCOMES,
    compare_check,
    compared,
    outcome_of,
    rpj_check,
    settle_compare,
    stays_open,
    swim_check,
)

discord.http.Route.BASE = os.environ["TABLEKEEPER_DISCORD__API_URL"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["TABLEKEEPER_DISCORD__GATEWAY_URL"])

TABLES = """
CREATE TABLE IF NOT EXISTS characters (
    guild INTEGER, person INTEGER, name TEXT, sheet TEXT, luck INTEGER, PRIMARY KEY (guild, person)
);
CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY, guild INTEGER, person INTEGER, at INTEGER, text TEXT, dice TEXT
);
CREATE TABLE IF NOT EXISTS offers (
    log INTEGER PRIMARY KEY, guild INTEGER, person INTEGER, state TEXT, is_open INTEGER
);
CREATE INDEX IF NOT EXISTS open_offers ON offers (guild, person) WHERE is_open;
"""
SHEET = {
    "attributes": {"Str": 2, "Dex": 3, "Int": 1, "Will": 4},
    "skills": {"climb": 2, "cook": 3, "sneak": 1, "Archery": 7, "Basic Melee": 3},
    "class skills": ["Archery", "sneak"],
    "traits": ["patient", "curious", "left-handed"],
    "points": {"HP": 1_000_000, "Stress": 0, "High": 0},  # failures never take her out of the game
    "is_out": False,
    "notes": "Some words about her. " * 15,
}
GM_ACTS = {"gm": "", "retry": "Try again", "cost": "It works, at a cost", "complicate": "A complication"}
TOO_LATE = "Too late: play has gone on."
GREY, BLUE = discord.ButtonStyle.secondary, discord.ButtonStyle.primary


class HandWritten(discord.AutoShardedClient):
    """A client with a database and four commands."""

    database: aiosqlite.Connection

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.writing = asyncio.Lock()  # one connection has one transaction at a time

    async def setup_hook(self) -> None:
        """Open the database, as durable as ours, and register the commands and buttons."""
        path = os.environ["TABLEKEEPER_DATABASE__URL"].removeprefix("sqlite:///")
        self.database = await aiosqlite.connect(path)
        await self.database.execute("PRAGMA journal_mode = WAL")
        await self.database.execute("PRAGMA synchronous = FULL")
        await self.database.executescript(TABLES)
        self.add_dynamic_items(Press)
        await self.tree.sync()

    async def close(self) -> None:
        """Close the connection and the database."""
        await super().close()
        await self.database.close()


bot = HandWritten()
Interaction = discord.Interaction[HandWritten]
Key = tuple[int | None, int]  # a server, and the person whose character it is


async def load_character(database: aiosqlite.Connection, key: Key) -> tuple[str, dict[str, Any], int]:
    """Return the name, the sheet and the luck of a character."""
    cursor = await database.execute(
        "SELECT name, sheet, luck FROM characters WHERE guild = ? AND person = ?", key
    )
    row: Any = await cursor.fetchone()
    await cursor.close()
    if row is None:
        row = ("Mira", json.dumps(SHEET), 1_000_000)
        await database.execute("INSERT INTO characters VALUES (?, ?, ?, ?, ?)", (*key, *row))
    name, sheet, luck = row
    return name, json.loads(sheet), luck


async def spend_luck(database: aiosqlite.Connection, key: Key) -> None:
    """Take a point of luck away."""
    await database.execute("UPDATE characters SET luck = luck - 1 WHERE guild = ? AND person = ?", key)


async def save_log(database: aiosqlite.Connection, key: Key, text: str, dice: list[int]) -> int:
    """Write a line of the log, and return its id."""
    cursor = await database.execute(
        "INSERT INTO log (guild, person, at, text, dice) VALUES (?, ?, ?, ?, ?)",
        (*key, int(time.time()), text, json.dumps(dice)),
    )
    return cursor.lastrowid or 0


@bot.tree.command(name="check", description="Rolls a check")
@app_commands.describe(first="One attribute", second="Another attribute")
async def check(interaction: Interaction, first: str, second: str) -> None:
    """Roll a check, store it and answer."""
    database, key = interaction.client.database, (interaction.guild_id, interaction.user.id)
    async with interaction.client.writing:
        name, sheet, luck = await load_character(database, key)
        dice = [random.randint(1, 12), random.randint(1, 8)]
        bonus = sheet["attributes"][first] + sheet["attributes"][second]
        total = sum(dice) + bonus
        await spend_luck(database, key)
        await save_log(database, key, f"{name} checks {first} + {second}: {total}", dice)
        await database.commit()
    embed = discord.Embed(
        title=f"{name} checks {first} + {second}",
        description=f"{dice[0]} + {dice[1]} + {bonus} = **{total}**",
        colour=discord.Colour.green() if total >= 10 else discord.Colour.red(),
    )
    embed.set_footer(text=f"Luck {luck} → {luck - 1}")
    await interaction.response.send_message(embed=embed)


def card_of(id_: int, state: dict[str, Any], luck: int) -> discord.ui.LayoutView:
    """Return the message of a check."""
    told = rpj_check(state, luck) if state["game"] == "rpj" else swim_check(state)
    buttons = [Press(act, id_, label, BLUE) for act, label in told.offers]
    buttons += [Press("details", id_, "Details"), Press("again", id_, "Again")]
    if state["game"] == "rpj":
        buttons.append(Press("gm", id_, "GM …"))
    return card(told.text, buttons, is_good=told.is_good)


def card(text: str, buttons: list["Press"], *, is_good: bool) -> discord.ui.LayoutView:
    """Return a message with its buttons, five in a row."""
    view = discord.ui.LayoutView(timeout=None)
    colour = discord.Colour.green() if is_good else discord.Colour.red()
    rows = [discord.ui.ActionRow[Any](*buttons[start : start + 5]) for start in range(0, len(buttons), 5)]
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(text), *rows, accent_colour=colour))
    return view


async def roll(interaction: Interaction, game: str, skill: str, difficulty: int) -> None:
    """Roll a check of a game, settle what the one before offered, store what its buttons need, and answer."""
    database, key = interaction.client.database, (interaction.guild_id, interaction.user.id)
    is_rpj = game == "rpj"
    async with interaction.client.writing:
        name, sheet, luck = await load_character(database, key)
        if sheet["is_out"] or skill not in sheet["skills"]:
            await interaction.response.send_message(f"{name} can't do that now.", ephemeral=True)
            return
        level = sheet["skills"][skill]
        state: dict[str, Any] = {"game": game, "name": name, "skill": skill, "difficulty": difficulty}
        state["dice"] = [random.randint(1, 6) for _ in range(2 if is_rpj else level)]
        if is_rpj:
            state["terms"] = {skill: level, **({"class skill": 1} if skill in sheet["class skills"] else {})}
        id_ = await save_log(database, key, f"{name}: {skill} against {difficulty}", state["dice"])
        await database.execute(
            "UPDATE offers SET is_open = 0 WHERE guild = ? AND person = ? AND is_open", key
        )
        await database.execute("INSERT INTO offers VALUES (?, ?, ?, ?, 1)", (id_, *key, json.dumps(state)))
        await database.commit()
    await interaction.response.send_message(view=card_of(id_, state, luck))


@bot.tree.command(name="rpj", description="Rolls a check of RPJ")
@app_commands.describe(skill="A skill", difficulty="What is added to 7")
async def rpj(interaction: Interaction, skill: str, difficulty: int = 0) -> None:
    """Roll a check of RPJ."""
    await roll(interaction, "rpj", skill, difficulty)


@bot.tree.command(name="swim", description="Rolls a skill of Swim Class")
@app_commands.describe(skill="A skill", difficulty="What each die must reach")
async def swim(interaction: Interaction, skill: str, difficulty: app_commands.Range[int, 2, 6] = 4) -> None:
    """Roll a skill of Swim Class."""
    await roll(interaction, "swim", skill, difficulty)


def compare_card(
    id_: int, state: dict[str, Any], points: dict[str, int], *, is_open: bool
) -> discord.ui.LayoutView:
    """Return the message of a compare roll; what it offers goes once it is settled."""
    told = compare_check(state, points, is_open=is_open)
    buttons = [Press(act, id_, label, BLUE) for act, label in told.offers]
    buttons.append(Press("details", id_, "Details"))
    if state["changes"]:
        buttons.append(Press("undo", id_, "Undo"))
    return card(told.text, [*buttons, Press("again", id_, "Again")], is_good=told.is_good)


async def save_points(database: aiosqlite.Connection, key: Key, sheet: dict[str, Any]) -> None:
    """Write what a character has left."""
    await database.execute(
        "UPDATE characters SET sheet = ? WHERE guild = ? AND person = ?", (json.dumps(sheet), *key)
    )


async def roll_compare(interaction: Interaction, skill: str, difficulty: int) -> None:
    """Roll a check of Compare Roll, settle the one before if it is open, and answer."""
    database, key = interaction.client.database, (interaction.guild_id, interaction.user.id)
    async with interaction.client.writing:
        name, sheet, _ = await load_character(database, key)
        points = sheet["points"]
        if sheet["is_out"] or skill not in sheet["skills"] or not points["HP"]:
            await interaction.response.send_message(f"{name} can't do that now.", ephemeral=True)
            return
        before, notes = dict(points), []
        cursor = await database.execute(
            "SELECT log, state FROM offers WHERE guild = ? AND person = ? AND is_open", key
        )
        earlier: Any = await cursor.fetchone()
        await cursor.close()
        if earlier is not None:
            was = json.loads(earlier[1])
            if was["game"] == "compare":
                outcome = OUTCOMES[outcome_of(*compared(was))]
                came = [
                    f"Before that, {name} checks {was['skill']}: {outcome}.",
                    *settle_compare(was, points),
                ]
                notes.append(" ".join(came))
            if not points["HP"]:
                words = f"{name}'s last roll is still open, and it brings them to 0 HP. Settle it first."
                await interaction.response.send_message(words, ephemeral=True)
                return
            await database.execute("UPDATE offers SET is_open = 0 WHERE log = ?", earlier[:1])
        dice = [random.randint(1, sides) for sides in (12, 12, 6, 6)]
        terms = {
            skill: sheet["skills"][skill],
            "Dex": sheet["attributes"]["Dex"],
            "Stress": -points["Stress"],
        }
        state: dict[str, Any] = {"game": "compare", "name": name, "skill": skill, "difficulty": difficulty}
        state |= {"dice": dice, "terms": terms, "notes": notes, "before": before, "undone": dict(points)}
        is_open = stays_open(state, points)
        if not is_open:
            notes += settle_compare(state, points)
        state |= {"points": points, "changes": is_open or earlier is not None or points != before}
        if points != before:
            await save_points(database, key, sheet)
        id_ = await save_log(
            database, key, f"{name}: {skill}, {OUTCOMES[outcome_of(*compared(state))]}", dice
        )
        await database.execute(
            "INSERT INTO offers VALUES (?, ?, ?, ?, ?)", (id_, *key, json.dumps(state), is_open)
        )
        await database.commit()
    await interaction.response.send_message(view=compare_card(id_, state, points, is_open=is_open))


@bot.tree.command(name="compare", description="Rolls a check of Compare Roll")
@app_commands.describe(skill="A skill", difficulty="What is added to each d12")
async def compare(
    interaction: Interaction, skill: str, difficulty: app_commands.Range[int, 0, 20] = 2
) -> None:
    """Roll a check of Compare Roll."""
    await roll_compare(interaction, skill, difficulty)


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"(?P<act>[a-z]+\d*):(?P<id>\d+)"):
    """A button under a check."""

    def __init__(self, act: str, id_: int, label: str, style: discord.ButtonStyle = GREY) -> None:
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=f"{act}:{id_}"))
        self.act, self.id_ = act, id_

    @classmethod
    async def from_custom_id(cls, _: Any, item: Any, match: re.Match[str]) -> "Press":
        """Know a button again after a restart."""
        return cls(match["act"], int(match["id"]), item.label)

    async def load(self, interaction: Any) -> Any:
        """Return whose check it is, what its buttons need, and whether it is still open."""
        cursor = await interaction.client.database.execute(
            "SELECT person, state, is_open FROM offers WHERE log = ?", (self.id_,)
        )
        person, text, is_open = await cursor.fetchone()
        return person, json.loads(text), is_open

    async def callback(self, interaction: Any) -> None:
        """Do what the button says, if whoever presses it may."""
        person, state, is_open = await self.load(interaction)
        say, is_gm = interaction.response.send_message, interaction.permissions.manage_guild
        if not is_gm and (self.act in GM_ACTS or interaction.user.id != person):
            await say("That button isn't for you.", ephemeral=True)
        elif self.act == "again" and state["game"] == "compare":
            await roll_compare(interaction, state["skill"], state["difficulty"])
        elif self.act == "again":
            await roll(interaction, state["game"], state["skill"], state["difficulty"])
        elif self.act == "details":
            await say(json.dumps(state), ephemeral=True)
        elif state["game"] == "compare":
            await self.settle(interaction, (interaction.guild_id, person))
        elif not is_open:
            await say(TOO_LATE, ephemeral=True)
        elif self.act == "gm":
            buttons = [Press(act, self.id_, label) for act, label in GM_ACTS.items() if label]
            await say(view=card("What happens?", buttons, is_good=True), ephemeral=True)
        elif self.act in GM_ACTS:
            await say(f"{state['name']}, {state['skill']}: {GM_ACTS[self.act]}.")
        else:
            await self.add_die(interaction, (interaction.guild_id, person), state)

    async def settle(self, interaction: Any, key: Key) -> None:
        """Burn High on an open compare roll or against Stress, accept the roll as it is, or undo it."""
        database, is_calm = interaction.client.database, self.act == "calm"
        burned = int(self.act.removeprefix("burn")) if self.act.startswith("burn") else int(is_calm)
        async with interaction.client.writing:
            _, state, is_open = await self.load(interaction)  # somebody may have pressed meanwhile
            name, sheet, _ = await load_character(database, key)
            points, was = sheet["points"], OUTCOMES[outcome_of(*compared(state))]
            is_late = not is_open or burned > points["High"] or (is_calm and not points["Stress"])
            if points != state["points"] if self.act == "undo" else is_late:
                await interaction.response.send_message(TOO_LATE, ephemeral=True)
                return
            points["High"] -= burned
            if self.act == "undo":
                sheet["points"] = points = state["undone"]
                state |= {"points": None, "notes": ["Undone."]}
            elif is_calm:
                points["Stress"] -= 1
                state["notes"].append(f"{name} burns 1 High against Stress.")
                state["points"] = points
            else:
                what = f"burns {burned} High on a {was}" if burned else "lets the roll stand"
                state["terms"]["High"] = burned
                state["notes"] += [f"{name} {what}.", *settle_compare(state, points)]
                state["points"] = points
            await save_points(database, key, sheet)
            await database.execute(
                "UPDATE offers SET state = ?, is_open = ? WHERE log = ?",
                (json.dumps(state), is_calm, self.id_),
            )
            await save_log(database, key, f"{name}: {self.act}", state["dice"])
            await database.commit()
        view = compare_card(self.id_, state, points, is_open=is_calm)
        await interaction.response.edit_message(view=view)

    async def add_die(self, interaction: Any, key: Key, state: dict[str, Any]) -> None:
        """Spend a Lucky Break, and show the check with its third die."""
        database = interaction.client.database
        async with interaction.client.writing:
            _, _, luck = await load_character(database, key)
            await spend_luck(database, key)
            state["dice"].append(random.randint(1, 6))
            await database.execute("UPDATE offers SET state = ? WHERE log = ?", (json.dumps(state), self.id_))
            await save_log(database, key, f"{state['name']} spends a Lucky Break", state["dice"])
            await database.commit()
        await interaction.response.edit_message(view=card_of(self.id_, state, luck - 1))


bot.run(os.environ["TABLEKEEPER_DISCORD__TOKEN"], log_handler=None)
