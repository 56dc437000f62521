"""Queries for the commands that Discord has for single servers."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from bot.store.connection import Found
from bot.store.documents import from_text, to_text
from bot.store.queries.base import Reads, Writes
from bot.store.queries.shard_conditions import in_shards
from bot.store.records import CommandsState, ServerCommandsRecord, ServerId, Shards

_ALL = """
SELECT known.server_id, ruleset, settings, seen, fingerprint, ids, needs
FROM (
    SELECT server_id FROM campaigns WHERE is_archived = 0 UNION SELECT server_id FROM server_commands
) AS known
LEFT JOIN server_commands ON server_commands.server_id = known.server_id
LEFT JOIN campaigns ON campaigns.server_id = known.server_id AND is_archived = 0
WHERE TRUE
"""
_PLAYED = "SELECT ruleset, settings FROM campaigns WHERE server_id = ? AND is_archived = 0 ORDER BY id"
_SENT = "SELECT seen, fingerprint, ids, needs FROM server_commands WHERE server_id = ?"
_SAVE = """
INSERT INTO server_commands (server_id, seen, fingerprint, ids, needs) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (server_id) DO UPDATE SET
    seen = excluded.seen, fingerprint = excluded.fingerprint, ids = excluded.ids, needs = excluded.needs
"""


class CommandReads(Reads):
    """Reads which commands Discord has."""

    __slots__ = ()

    def commands_state(self, server: ServerId) -> CommandsState:
        """Return a server's commands, with the campaigns they depend on."""
        played = tuple((ruleset, settings) for ruleset, settings in self._all(_PLAYED, server))
        return CommandsState(server, played, _record(server, self._one(_SENT, server)))

    def campaign_rulesets(self) -> frozenset[str]:
        """Return the rulesets of all campaigns of all servers."""
        return frozenset(str(ruleset) for (ruleset,) in self._all("SELECT DISTINCT ruleset FROM campaigns"))

    def commands_states(self, shards: Shards) -> Iterator[CommandsState]:
        """Yield that of every server of some shards with a campaign or commands; only to update these."""
        here, numbers = in_shards(shards, "known.server_id")
        rows = self._connection.each(f"{_ALL}{here} ORDER BY known.server_id, campaigns.id", numbers)
        for id_, of_server in groupby(rows, key=itemgetter(0)):
            server, found = ServerId(id_), list(of_server)
            played = tuple((row[1], row[2]) for row in found if row[1] is not None)
            yield CommandsState(server, played, _record(server, found[0][3:]))


class CommandWrites(CommandReads, Writes):
    """Writes which commands Discord has."""

    __slots__ = ()

    def save_server_commands(self, record: ServerCommandsRecord) -> None:
        """Save which commands Discord has for a server; not journalled."""
        ids, needs = to_text(record.ids), to_text(record.needs)
        self._run(_SAVE, record.server, record.seen, record.fingerprint, ids, needs)

    def drop_server_commands(self, server: ServerId) -> None:
        """Forget which commands Discord has for a server; not journalled."""
        self._run("DELETE FROM server_commands WHERE server_id = ?", server)


def _record(server: ServerId, found: Found | None) -> ServerCommandsRecord | None:
    if found is None or found[0] is None:
        return None
    seen, fingerprint, ids, needs = found
    return ServerCommandsRecord(
        server=server, seen=seen, fingerprint=fingerprint, ids=from_text(ids), needs=from_text(needs)
    )
