"""The stored test data of a release: its database, and its messages in Discord when its bot was stopped.

Times are stored as they were and moved when a release is opened, so that the bot was stopped as long ago as
the test says, whenever it runs.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.playground.discord import Channel, ChannelType, LocalDiscord, Permission, Server, read
from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.servers import Role
from bot.store.migrate import schema_version
from tests.e2e.people import Actor, Party, Transcript
from tests.e2e.table import Table
from tests.e2e.test_rpj_making import give, levels_in

FOLDER = Path(__file__).parent
DATABASE, DISCORD, JOURNAL = "table.db.gz", "discord.json.gz", ".jsonl.gz"
PRESSES = "presses.json"
TIMED = "presses to come"  # in the table meta up to schema 3: [server, follow-up, entry, when, message]


@dataclass(frozen=True)
class Release:
    """A release and its stored test data.

    Attributes:
        folder: The folder of the data.
    """

    folder: Path

    @property
    def name(self) -> str:
        """Its name: a version or a commit."""
        return self.folder.name

    @property
    def discord(self) -> dict[str, Any]:
        """The servers and messages in Discord when the bot was stopped."""
        found: dict[str, Any] = json.loads(gzip.decompress((self.folder / DISCORD).read_bytes()))
        return found

    @property
    def journals(self) -> dict[str, bytes]:
        """The journals that its bot exported, by server name."""
        found = sorted(self.folder.glob(f"*{JOURNAL}"))
        return {one.name.removesuffix(JOURNAL): gzip.decompress(one.read_bytes()) for one in found}

    @property
    def presses(self) -> list[dict[str, Any]]:
        """What each press did with the release's own bot."""
        found: list[dict[str, Any]] = json.loads((self.folder / PRESSES).read_text(encoding="utf-8"))
        return found

    def put(self, table: Table, *, seconds_ago: int = 60) -> None:
        """Set up a table as if the release's bot had been stopped *seconds_ago*."""
        self.put_database(table.database_file, seconds_ago=seconds_ago)
        self.put_discord(table.discord)

    def put_database(self, target: Path, *, seconds_ago: int) -> None:
        """Write the database as if its bot had been stopped *seconds_ago*."""
        target.write_bytes(gzip.decompress((self.folder / DATABASE).read_bytes()))
        later = int(time.time()) - seconds_ago - int(self.discord["stopped_at"])
        with closing(sqlite3.connect(target)) as connection, connection:
            connection.execute(
                "UPDATE sessions SET started_at = started_at + ?, active_at = active_at + ?", (later, later)
            )
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
            if "server_commands" in tables:  # the Discord it is opened with has none of them
                connection.execute("DELETE FROM server_commands")
            if schema_version(connection) > 3:
                connection.execute("UPDATE due_tasks SET due = due + ?", (later,))
            for (text,) in connection.execute("SELECT value FROM meta WHERE key = ?", (TIMED,)).fetchall():
                moved = [[*one[:3], one[3] + later, *one[4:]] for one in json.loads(text)]
                connection.execute("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(moved), TIMED))

    @property
    def servers(self) -> list[str]:
        """The names of its servers."""
        return [str(one["name"]) for one in self.discord["servers"]]

    def put_discord(self, discord: LocalDiscord) -> None:
        """Put the servers back into Discord, with every message that had buttons or menus."""
        for stored in self.discord["servers"]:
            discord.servers.append(_server(discord, stored))
        for stored in self.discord["messages"]:
            channel = discord.channel(stored["channel"])
            assert channel is not None
            discord.messages.put_back(channel, stored["payload"], visible_to=stored["visible_to"])
        discord.snowflakes.go_past(self.discord["last_id"])

    def store(self, database: Path, discord: LocalDiscord, servers: list[Server]) -> None:
        """Store a database whose bot has been stopped, and what is in these servers."""
        self.folder.mkdir(exist_ok=True)
        compact = database.with_name("compact.db")
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(compact),))
        stored = {
            "stopped_at": int(time.time()),
            "last_id": discord.snowflakes.next(),
            "servers": [_stored_server(server) for server in servers],
            "messages": _stored_messages(discord, servers),
        }
        written = json.dumps(stored, ensure_ascii=False, sort_keys=True).encode()
        (self.folder / DATABASE).write_bytes(gzip.compress(compact.read_bytes(), mtime=0))
        (self.folder / DISCORD).write_bytes(gzip.compress(written, mtime=0))

    def store_presses(self, presses: list[Payload], journals: dict[str, bytes]) -> None:
        """Store what the release's own bot did at each press, and the journals after that."""
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in presses)
        (self.folder / PRESSES).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        for name, content in journals.items():
            (self.folder / f"{name}{JOURNAL}").write_bytes(gzip.compress(content, mtime=0))


def releases() -> list[Release]:
    """Return every release with stored test data."""
    return [Release(found.parent) for found in sorted(FOLDER.glob(f"*/{DATABASE}"))]


def people_of(discord: LocalDiscord, name: str) -> Party:
    """Return the people of a stored server."""
    server = next(one for one in discord.servers if one.name == name)
    transcript = Transcript()
    gwen, alice, bob = (actor(server, person, transcript) for person in ("Gwen", "Alice", "Bob"))
    return Party(server, gwen, alice, bob, transcript)


def actor(server: Server, name: str, transcript: Transcript) -> Actor:
    """Return a member of a server."""
    return Actor(next(one for one in server.members if one.name == name), transcript)


def _stored_server(server: Server) -> Payload:
    return {
        "id": server.id,
        "name": server.name,
        "roles": [
            {"id": one.id, "name": one.name, "permissions": int(one.permissions)} for one in server.roles
        ],
        "members": [
            {"id": one.id, "name": one.name, "roles": [role.id for role in one.roles]}
            for one in server.members
        ],
        "channels": [{"id": one.id, "name": one.name, "type": one.type.value} for one in server.channels],
    }


def _stored_messages(discord: LocalDiscord, servers: list[Server]) -> list[Payload]:
    """Return the messages with a button or menu, oldest first."""
    return [
        {"channel": channel.id, "visible_to": posted.visible_to, "payload": posted.payload}
        for server in servers
        for channel in server.channels
        for posted in discord.messages.in_channel(channel)
        if any(one.get("custom_id") for one in walk_components(posted.payload["components"]))
    ]


def _server(discord: LocalDiscord, stored: Payload) -> Server:
    """Rebuild a server with its members; the first of them is the owner."""
    server = Server(discord, stored["name"])
    server.id = stored["id"]
    roles = [
        Role(one["id"], one["name"], Permission(one["permissions"]), position)
        for position, one in enumerate(stored["roles"])
    ]
    server.roles, server.everyone, server.bot_role = roles, roles[0], roles[1]
    server.members.clear()
    for one in stored["members"]:
        member = server.add_member(one["name"])
        member.id, member.roles = one["id"], [role for role in roles if role.id in one["roles"]]
    server.owner = server.members[0]
    server.channels = [
        Channel(one["id"], one["name"], ChannelType(one["type"]), server) for one in stored["channels"]
    ]
    return server


Finish = Callable[[Actor], Awaitable[None]]


async def a_maid(cara: Actor) -> None:
    """Finish a Post-magic-maid character, from the first bonuses."""
    await cara.chooses("Two attributes", "Int", "Cha")
    await cara.presses("Next", hears="3 of 6")
    await cara.chooses("One attribute", "Int")
    await cara.presses("Next", hears="4 of 6")
    await cara.chooses("Kind of bonus", "Single", hears="Name the ability.")
    await cara.presses("Name the ability")
    await cara.writes("Housekeeping", hears="Housekeeping")
    await cara.presses("Next", hears="5 of 6")
    await cara.chooses("Kind of bonus", "Passive")
    await cara.presses("Name the ability")
    await cara.writes({"The passive ability": "Unseen", "What it does": "Nobody notices her."})
    await cara.presses("Next", hears="6 of 6")
    await named_and_finished(cara)


async def a_swimmer(cara: Actor) -> None:
    """Finish a Project Swim Class character, from the two skills."""
    await cara.presses("Next", hears="**Gear**")
    await cara.chooses("Gear", "Great Sword", "Knife")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_knight(cara: Actor) -> None:
    """Finish a Sword & Swarm character, from Star and class."""
    await cara.chooses("Star: ", "4")
    await cara.presses("Write")
    await cara.writes({"Class": "Mason", "ranks": "Architecture 2"}, hears="Mason")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_citizen(cara: Actor) -> None:
    """Finish a Compare Roll character, from the first skills."""
    await cara.presses("Next", hears="**Skills 2**")
    await cara.presses("Next", hears="**Levels 1**")
    await cara.chooses("Stealth", "4 · Artisan", hears=" left")
    await cara.presses("Next", hears="**Custom skills**")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_ranger(cara: Actor) -> None:
    """Finish an RPJ Core character, from the rolled dice."""
    await cara.presses("Roll for Luck", hears="rolls for Luck")
    await give(cara, levels_in(read(await cara.sees("new character"))))
    await cara.presses("Next", hears="3 of 7")
    await cara.chooses("Which class?", "Ranger", hears="Bow")
    await cara.chooses("4 class skills", "Archery", "Survival", "Perception", "Concealment")
    for page in ("4 of 7", "5 of 7", "6 of 7", "7 of 7"):
        await cara.presses("Next", hears=page)
    await named_and_finished(cara)


async def named_and_finished(cara: Actor) -> None:
    """Enter a name on the last page and join the campaign."""
    await cara.presses("Enter a name")
    await cara.writes("Linnet", hears="**Linnet**")
    await cara.presses("Finish", hears="**Linnet** joins the campaign")


FINISHES: dict[str, Finish] = {
    "The Manor House": a_maid,
    "The Harbour": a_swimmer,
    "The Hive": a_knight,
    "The Dome": a_citizen,
    "The Old Pass": a_ranger,
}
