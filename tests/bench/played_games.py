"""The measured games: their checks, and fights of seven."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from bot.playground.discord import Answer, LocalDiscord, read
from bot.playground.discord.payloads import Payload
from bot.rules import rulesets
from bot.store.records import ServerId
from bot.store.sqlite import open_store
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters
from bot.table.journal import suggest
from tests.bench.engines import PATIENCE_SECONDS
from tests.e2e.people import Party, gather, read_line

FOES = 5
FIGHTERS = FOES + 2
END_TURN = "End the turn"


@dataclass(frozen=True, slots=True)
class MeasuredGame:
    """A game with the check that is measured.

    Attributes:
        title: Its title.
        line: The check, as people type it.
        hears: What every answer to it contains.
        before: What the GM types before there are characters.
        after: What the GM types after that.
        between: What the GM types before each batch of checks.
    """

    title: str
    line: str
    hears: str
    before: str = ""
    after: str = ""
    between: str = ""


MAID = MeasuredGame("Post-magic-maid", "/maid check first:Str second:Dex", "checks Str + Dex")
SWARM = MeasuredGame("Sword & Swarm", "/swarm test attribute:Mallet", "tests Mallet")
# So easy, with so many HP again and again, that failures do not take the character out of the game.
COMPARE = MeasuredGame(
    "Compare Roll",
    "/compare roll skill:Acrobatics/Stealth difficulty:Trivial",
    "checks Stealth",
    before="/campaign settings setting:settle_seconds value:0",  # else rolls settle while others are measured
    after="/compare-gm stat target:Juno Marsh stat:AGI score:20",
    between="/compare-gm fate target:Juno Marsh hp:52",
)
SWIM = MeasuredGame("Project Swim Class", "/swim roll skill:Basic Melee difficulty:4", "rolls Basic Melee")
# Mostly a failure that a Lucky Break may turn.
RPJ = MeasuredGame(
    "RPJ Core",
    "/rpj check skill:Archery difficulty:10",
    "checks Archery",
    before="/campaign settings setting:module value:fantasy",
)
GAMES = (MAID, SWARM, COMPARE, SWIM, RPJ)


async def open_game(discord: LocalDiscord, game: MeasuredGame) -> Party:
    """Have two players play ready-made characters of a game, in a running session in a server of its own."""
    party = gather(discord, game.title)
    await party.gwen.types(f"/campaign create ruleset:{game.title} name:Bench", hears="Bench")
    if game.before:
        await party.gwen.types(game.before)
    ready = await party.alice.is_offered("/character create", "ready")
    for player, name in zip((party.alice, party.bob), ready, strict=False):
        await player.types(f"/character create ready:{name}", hears=name)
    if game.after:
        await party.gwen.types(game.after)
    await party.gwen.types("/session start")
    return party


async def rest(party: Party, game: MeasuredGame) -> None:
    """Have the GM make good what a batch of checks has done."""
    if game.between:
        await party.gwen.types(game.between)


async def check(party: Party, game: MeasuredGame) -> Answer:
    """Have a player make the game's check."""
    command, options = await read_line(game.line, party.alice.member)
    answer = await party.alice.member.send_command(command, options)
    assert game.hears in answer.text, answer.text
    return answer


async def open_fight(discord: LocalDiscord, game: MeasuredGame) -> Party:
    """Begin a fight of two players' characters and five NPCs, in a server of its own."""
    party = await open_game(discord, game)
    await party.gwen.types("/encounter start", hears="starts an encounter")
    for player in (party.alice, party.bob):
        await player.presses("Join", hears="joins the encounter")
    await party.gwen.types(f"/gm encounter add name:Raider count:{FOES}", hears=f"Raider {FOES}")
    await party.gwen.types("/encounter next")
    await party.gwen.types("/encounter next")
    await board_with(party, END_TURN)
    return party


async def end_turn(party: Party) -> Answer:
    """Have the GM end a turn from the board, and wait until the board shows the next."""
    before = await board_with(party, END_TURN)
    answer = await party.gwen.member.press(before, END_TURN)
    await board_with(party, END_TURN, after=acting(read(before)))
    return answer


async def board_with(party: Party, label: str, *, after: str = "") -> Payload:
    """Wait until the fight's board has a control and it is no longer somebody's turn, and return it."""

    def found() -> Iterator[Payload]:
        for posted in party.gwen.member.discord.messages.in_channel(party.server.channels[0]):
            text = read(posted.payload)
            if "[GM …]" in text and f"[{label}]" in text and acting(text) != after:
                yield posted.payload

    await party.gwen.member.discord.until(lambda: any(True for _ in found()), PATIENCE_SECONDS)
    return list(found())[-1]


def acting(board: str) -> str:
    """Return whose turn it is."""
    return next(iter(re.findall(r"▶ \*\*(.+?)\*\*", board)), "")


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
