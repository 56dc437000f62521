"""What is kept of a release: its database, and what stood in Discord when its bot was stopped.

Times are kept as they were, and moved when a release is opened: as much time has passed since the bot was
stopped as the test says, whatever the time of day is where the test runs.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.playground.discord import Channel, ChannelType, LocalDiscord, Permission, Server
from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.servers import Role
from bot.store.migrate import schema_version
from tests.e2e.people import Actor, Party, Transcript
from tests.e2e.table import Table

FOLDER = Path(__file__).parent
DATABASE, DISCORD, JOURNAL = "table.db.gz", "discord.json.gz", ".jsonl.gz"
PRESSES = "presses.json"
TIMED = "presses to come"  # in the table meta up to schema 3: [server, follow-up, entry, when, message]


@dataclass(frozen=True)
class Release:
    """A release and what is kept of it.

    Attributes:
        folder: Where that is.
    """

    folder: Path

    @property
    def name(self) -> str:
        """Its name: a version or a commit."""
        return self.folder.name

    @property
    def discord(self) -> dict[str, Any]:
        """What stood in Discord."""
        found: dict[str, Any] = json.loads(gzip.decompress((self.folder / DISCORD).read_bytes()))
        return found

    @property
    def journals(self) -> dict[str, bytes]:
        """The journals that its bot gave out, by the names of their servers."""
        found = sorted(self.folder.glob(f"*{JOURNAL}"))
        return {one.name.removesuffix(JOURNAL): gzip.decompress(one.read_bytes()) for one in found}

    @property
    def presses(self) -> list[dict[str, Any]]:
        """What everything that could be pressed did with its own bot."""
        found: list[dict[str, Any]] = json.loads((self.folder / PRESSES).read_text(encoding="utf-8"))
        return found

    def put(self, table: Table, *, seconds_ago: int = 60) -> None:
        """Let a table be as though the release's bot had been stopped so many seconds ago."""
        self.put_database(table.database, seconds_ago=seconds_ago)
        self.put_discord(table.discord)

    def put_database(self, target: Path, *, seconds_ago: int) -> None:
        """Write the database as though its bot had been stopped so many seconds ago."""
        target.write_bytes(gzip.decompress((self.folder / DATABASE).read_bytes()))
        later = int(time.time()) - seconds_ago - int(self.discord["stopped_at"])
        with closing(sqlite3.connect(target)) as connection, connection:
            connection.execute(
                "UPDATE sessions SET started_at = started_at + ?, active_at = active_at + ?", (later, later)
            )
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
        """Let the servers stand in Discord as they did, with every message that has buttons or menus."""
        for kept in self.discord["servers"]:
            discord.servers.append(_server(discord, kept))
        for kept in self.discord["messages"]:
            channel = discord.channel(kept["channel"])
            assert channel is not None
            discord.messages.put_back(channel, kept["payload"], visible_to=kept["visible_to"])
        discord.snowflakes.go_past(self.discord["last_id"])

    def keep(self, database: Path, discord: LocalDiscord, servers: list[Server]) -> None:
        """Keep a database whose bot has been stopped, and what stands in these servers."""
        self.folder.mkdir(exist_ok=True)
        compact = database.with_name("compact.db")
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(compact),))
        kept = {
            "stopped_at": int(time.time()),
            "last_id": discord.snowflakes.next(),
            "servers": [_kept_server(server) for server in servers],
            "messages": _kept_messages(discord, servers),
        }
        written = json.dumps(kept, ensure_ascii=False, sort_keys=True).encode()
        (self.folder / DATABASE).write_bytes(gzip.compress(compact.read_bytes(), mtime=0))
        (self.folder / DISCORD).write_bytes(gzip.compress(written, mtime=0))

    def keep_presses(self, presses: list[Payload], journals: dict[str, bytes]) -> None:
        """Keep what the release's own bot did at each press, and its journals of that."""
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in presses)
        (self.folder / PRESSES).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        for name, content in journals.items():
            (self.folder / f"{name}{JOURNAL}").write_bytes(gzip.compress(content, mtime=0))


def releases() -> list[Release]:
    """Every release of which something is kept."""
    return [Release(found.parent) for found in sorted(FOLDER.glob(f"*/{DATABASE}"))]


def people_of(discord: LocalDiscord, name: str) -> Party:
    """The people of a server that stands in Discord as it did."""
    server = next(one for one in discord.servers if one.name == name)
    transcript = Transcript()
    gwen, alice, bob = (actor(server, person, transcript) for person in ("Gwen", "Alice", "Bob"))
    return Party(server, gwen, alice, bob, transcript)


def actor(server: Server, name: str, transcript: Transcript) -> Actor:
    """Somebody of a server."""
    return Actor(next(one for one in server.members if one.name == name), transcript)


def _kept_server(server: Server) -> Payload:
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


def _kept_messages(discord: LocalDiscord, servers: list[Server]) -> list[Payload]:
    """What can still be pressed or chosen, the oldest first."""
    return [
        {"channel": channel.id, "visible_to": posted.visible_to, "payload": posted.payload}
        for server in servers
        for channel in server.channels
        for posted in discord.messages.in_channel(channel)
        if any(one.get("custom_id") for one in walk_components(posted.payload["components"]))
    ]


def _server(discord: LocalDiscord, kept: Payload) -> Server:
    """A server with everybody in it; the first of its members is its owner."""
    server = Server(discord, kept["name"])
    server.id = kept["id"]
    roles = [
        Role(one["id"], one["name"], Permission(one["permissions"]), position)
        for position, one in enumerate(kept["roles"])
    ]
    server.roles, server.everyone, server.bot_role = roles, roles[0], roles[1]
    server.members.clear()
    for one in kept["members"]:
        member = server.add_member(one["name"])
        member.id, member.roles = one["id"], [role for role in roles if role.id in one["roles"]]
    server.owner = server.members[0]
    server.channels = [
        Channel(one["id"], one["name"], ChannelType(one["type"]), server) for one in kept["channels"]
    ]
    return server
