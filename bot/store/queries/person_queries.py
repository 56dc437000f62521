"""Queries about a person: what names them, and putting a stand-in in their place."""

import re
from collections.abc import Callable
from typing import Any

from bot.store.documents import from_text, to_text
from bot.store.queries.base import Reads, Writes
from bot.store.records import Json, ServerId

LEAST_ID = 10**15  # Discord's ids are larger; numbers of a game are smaller, and are not mistaken for one

_COUNT = "SELECT count(*) FROM entries WHERE server_id = ? AND person = ?"
_NAMES = "SELECT DISTINCT person_name FROM entries WHERE server_id = ? AND person = ? ORDER BY person_name"
_NAMING = """
SELECT id FROM entries
WHERE server_id = ? AND (person = ? OR instr(told, ?) > 0 OR instr(changes, ?) > 0)
"""
_SAYING = "SELECT id FROM entries WHERE server_id = ? AND instr(told, ?) > 0"
_ENTRY = "SELECT person, told, rolls, changes FROM entries WHERE server_id = ? AND id = ?"
_REWRITE = "UPDATE entries SET told = ?, rolls = ?, changes = ? WHERE server_id = ? AND id = ?"
_RENAME = "UPDATE entries SET person = ?, person_name = ? WHERE server_id = ? AND person = ?"
_HOLDING = {  # columns of JSON or text that may name somebody by their id, with the rest of the row's key
    "documents": (("campaign_id", "key"), ("key", "body")),
    "follow_ups": (("id",), ("body",)),
    "characters": (("id",), ("sheet",)),
    "favourites": (("id",), ("body",)),
}

_NAMED = {  # the column of each table that is a person's id
    "characters": "owner",
    "gms": "person",
    "current_characters": "person",
    "reveals": "person",
}

Retell = Callable[[Any, list[Any], bool], tuple[Any, list[Any]]]


class PersonReads(Reads):
    """Reads what names a person."""

    __slots__ = ()

    def entries_by(self, server: ServerId, person: int) -> int:
        """Return how many journal entries of a server a person made."""
        found = self._one(_COUNT, server, person)
        return 0 if found is None else int(found[0])

    def names_of(self, server: ServerId, person: int) -> list[str]:
        """Return the names under which a person made journal entries in a server."""
        return [found[0] for found in self._all(_NAMES, server, person)]


class PersonWrites(PersonReads, Writes):
    """Puts a stand-in in a person's place."""

    __slots__ = ()

    def replace_person(self, server: ServerId, person: int, stand_in: int, name: str, retell: Retell) -> None:
        """Put a number and a name that are nobody's in a person's place, in every row of a server.

        Rows and the journal's changes of them stay alike, so that undo goes on working. What the person
        began and did not finish is removed. Not journalled.

        Args:
            server: The server.
            person: Who it is.
            stand_in: The number; no id of a person.
            name: The name.
            retell: Gives an entry's text and rolls without the person's name, from both and whether the
                entry is theirs.
        """
        names = [one for one in self.names_of(server, person) if one]
        for entry in self._entries_naming(server, person, names):
            self._rewrite_entry(server, entry, person, stand_in, retell)
        self._run(_RENAME, stand_in, name, server, person)
        for table, (key, columns) in _HOLDING.items():
            self._rewrite_rows(table, key, columns, server, person, stand_in)
        self._run("DELETE FROM drafts WHERE server_id = ? AND person = ?", server, person)
        for table, column in _NAMED.items():
            statement = f"UPDATE {table} SET {column} = ? WHERE server_id = ? AND {column} = ?"  # noqa: S608 - constants
            self._run(statement, stand_in, server, person)
        self._changes.forget()

    def _entries_naming(self, server: ServerId, person: int, names: list[str]) -> list[int]:
        found = {row[0] for row in self._all(_NAMING, server, person, str(person), str(person))}
        for one in names:  # as the name stands in JSON text
            found |= {row[0] for row in self._all(_SAYING, server, to_text(one)[1:-1])}
        return sorted(found)

    def _rewrite_entry(
        self, server: ServerId, entry: int, person: int, stand_in: int, retell: Retell
    ) -> None:
        found = self._one(_ENTRY, server, entry)
        if found is None:  # it has just been found
            raise LookupError(f"entry {entry} is gone")
        told, rolls = retell(from_text(found[1]), from_text(found[2]), found[0] == person)
        texts = [to_text(without_id(one, person, stand_in)) for one in (told, rolls, from_text(found[3]))]
        if texts != list(found[1:]):
            self._run(_REWRITE, *texts, server, entry)

    def _rewrite_rows(
        self,
        table: str,
        key: tuple[str, ...],
        columns: tuple[str, ...],
        server: ServerId,
        person: int,
        stand_in: int,
    ) -> None:
        holds = " OR ".join(f"instr({column}, ?) > 0" for column in columns)
        chosen = ", ".join((*key, *columns))
        select = f"SELECT {chosen} FROM {table} WHERE server_id = ? AND ({holds})"  # noqa: S608 - constants
        assigned = ", ".join(f"{column} = ?" for column in columns)
        mine = " AND ".join(f"{column} = ?" for column in key)
        update = f"UPDATE {table} SET {assigned} WHERE server_id = ? AND {mine}"  # noqa: S608 - constants
        for row in self._all(select, server, *(str(person) for _ in columns)):
            texts = [
                to_text(without_id(from_text(text), person, stand_in))
                if column != "key"
                else without_id(text, person, stand_in)
                for column, text in zip(columns, row[len(key) :], strict=True)
            ]
            self._run(update, *texts, server, *row[: len(key)])


def without_id(value: Json, person: int, stand_in: int) -> Any:
    """Return JSON with another number for a person's id: as a number, within a text, and within a key."""
    if person < LEAST_ID:
        return value
    written = re.compile(rf"(?<!\d){person}(?!\d)")

    def replaced(part: Json) -> Any:
        match part:
            case bool():
                return part
            case int():
                return stand_in if part == person else part
            case str():
                return written.sub(str(stand_in), part)
            case list():
                return [replaced(one) for one in part]
            case dict():
                return {replaced(key): replaced(one) for key, one in part.items()}
            case _:
                return part

    return replaced(value)
