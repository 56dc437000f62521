"""Databases for measuring: a campaign ready to play, and many strangers' characters."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from bot.rules import rulesets
from bot.store.records import ServerId
from bot.store.sqlite import open_store
from bot.table.base.access import Request
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import suggest

SECRET = bytes(32)
COMMAND = "maid"  # the command of the measured game
STRANGERS = 10_000_000  # ids of filled-in rows begin here
A_SERVER = 100  # characters per server
COPIED = (
    "campaigns",
    "characters",
    "resources",
    "wounds",
    "current_characters",
    "documents",
    "seeds",
    "sessions",
    "server_commands",
    "own_games",
    "own_game_versions",
)
NAMED = {"name": "'Stranger ' || n", "name_key": "'stranger ' || n"}


async def play_ready(database: Path, server: int, person: int, command: str = COMMAND) -> None:
    """Have *person* play a ready-made character of a game, in a campaign that is made if there is none."""
    store = await open_store(f"sqlite:///{database}")
    table = Table(store=store, games=rulesets(), now=lambda: int(time.time()), new_secret=lambda: SECRET)
    game = next(game for game in table.games.values() if game.command == command)
    request = Request(
        server=ServerId(server),
        places=(1,),
        person=person,
        person_name="Alice",
        manages_server=True,
        interaction="campaign",
    )
    if not await store.read(lambda reader: list(reader.campaigns(request.server))):
        await campaigns.create(table, request, game.key, "Bench")
    request = replace(request, interaction=f"character {person}")
    ready_made = (await suggest.ready_made(table, request, ""))[0].value
    await characters.take_ready_made(table, request, ready_made, f"Player {person}")
    await store.close()


def copy_server(database: Path, server: int, copies: Sequence[int]) -> None:
    """Give other servers the same campaigns, characters and sessions as one has.

    The journal is left out: its ids are counted for the whole file.
    """
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TEMP TABLE copies (server INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO copies VALUES (?)", ((one,) for one in copies))
        for table in COPIED:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join("copies.server" if one == "server_id" else f"first.{one}" for one in columns)
            connection.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} "
                f"FROM (SELECT * FROM {table} WHERE server_id = ?) AS first CROSS JOIN copies",
                (server,),
            )
        connection.execute("ANALYZE")


def fill(database: Path, count: int) -> None:
    """Add *count* characters of strangers, a hundred to a server, each with resources and wounds."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("CREATE TEMP TABLE n (n INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO n VALUES (?)", ((number,) for number in range(count)))
    servers = f"SELECT n, {STRANGERS} + n / {A_SERVER} AS server FROM n"
    for table, key, made, kept in (
        ("campaigns", "id", {"server_id": "server"}, f"n % {A_SERVER} = 0"),
        ("characters", "id", {"server_id": "server", "id": f"{STRANGERS} + n", **NAMED}, "1"),
        ("resources", "character_id", {"server_id": "server", "character_id": f"{STRANGERS} + n"}, "1"),
        ("wounds", "character_id", {"server_id": "server", "character_id": f"{STRANGERS} + n"}, "1"),
    ):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(made.get(column, f"first.{column}") for column in columns)
        first = f"SELECT * FROM {table} WHERE {key} = (SELECT min({key}) FROM {table})"
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} "
            f"FROM ({first}) AS first CROSS JOIN ({servers}) WHERE {kept}"
        )
        connection.commit()
    connection.execute("ANALYZE")
    connection.close()
