"""Queries for favourites: acts that players keep under a name."""

from bot.store.connection import Found
from bot.store.documents import from_text, to_text
from bot.store.name_keys import name_key
from bot.store.queries.base import Reads, Writes
from bot.store.records import FavouriteRecord, ServerId

_OF_CHARACTER = """
SELECT server_id, id, character_id, name, body FROM favourites
WHERE server_id = ? AND character_id = ? ORDER BY id
"""
_SAME = "SELECT id FROM favourites WHERE server_id = ? AND character_id = ? AND name_key = ?"
_SAVE = """
INSERT INTO favourites (server_id, id, character_id, name, name_key, body) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (server_id, id) DO UPDATE SET name = excluded.name, body = excluded.body
"""


class FavouriteReads(Reads):
    """Reads favourites."""

    __slots__ = ()

    def favourites(self, server: ServerId, character: int) -> list[FavouriteRecord]:
        """Return a character's favourites, oldest first."""
        return [_favourite(found) for found in self._all(_OF_CHARACTER, server, character)]


class FavouriteWrites(FavouriteReads, Writes):
    """Writes favourites."""

    __slots__ = ()

    def save_favourite(self, favourite: FavouriteRecord) -> int:
        """Save a favourite in place of the one of the same name, and return its id; not journalled."""
        server, character, key = favourite.server, favourite.character, name_key(favourite.name)
        same = self._one(_SAME, server, character, key)
        id_: int = self._next_id(server, "favourites") if same is None else same[0]
        self._run(_SAVE, server, id_, character, favourite.name, key, to_text(favourite.body))
        return id_

    def drop_favourite(self, server: ServerId, favourite: int) -> None:
        """Forget a favourite; not journalled."""
        self._run("DELETE FROM favourites WHERE server_id = ? AND id = ?", server, favourite)


def _favourite(found: Found) -> FavouriteRecord:
    server, id_, character, name, body = found
    return FavouriteRecord(server=server, id=id_, character=character, name=name, body=from_text(body))
