"""Queries about a person: what names them, and putting a stand-in in their place."""

import re
from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from typing import Any

from msgspec import Struct

from bot.store.journalled_tables import from_text, to_text
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
_PERSON_COLUMNS = ("person", "owner")  # columns that are a person's id, in whatever table

Retell = Callable[[Any, list[Any], bool], tuple[Any, list[Any]]]


class _Holding(Struct, frozen=True):
    """A table with something of servers' in it."""

    name: str
    key: tuple[str, ...]  # its key columns after the server
    people: tuple[str, ...]  # its columns that are a person's id
    texts: tuple[str, ...]  # its columns of text, which may name somebody by their id

    @property
    def holds(self) -> str:
        """The condition for rows of a server whose texts have something in them."""
        either = " OR ".join(f"instr({column}, ?) > 0" for column in self.texts)
        return f"server_id = ? AND ({either})"


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

    def rows_naming(self, server: ServerId, person: int) -> int:
        """Return how many rows of a server, beside journal entries, name a person by their id in a text."""
        count = 0
        for table in self._other_tables() if person >= LEAST_ID else ():
            if table.texts:
                statement = f"SELECT count(*) FROM {table.name} WHERE {table.holds}"  # noqa: S608 - names of the schema
                found = self._one(statement, server, *(str(person) for _ in table.texts))
                count += 0 if found is None else int(found[0])
        return count

    def _other_tables(self) -> list[_Holding]:
        """Return every table with rows of servers but the journal's own, as the schema has them."""
        tables = []
        for name, of_table in groupby(self._connection.columns(), key=attrgetter("table")):
            columns = list(of_table)
            if name != "entries" and "server_id" in [column.name for column in columns]:
                tables.append(
                    _Holding(
                        name=name,
                        key=tuple(
                            one.name
                            for one in columns
                            if one.key_place is not None and one.name != "server_id"
                        ),
                        people=tuple(one.name for one in columns if one.name in _PERSON_COLUMNS),
                        texts=tuple(one.name for one in columns if one.is_text),
                    )
                )
        return tables


class PersonWrites(PersonReads, Writes):
    """Puts a stand-in in a person's place."""

    __slots__ = ()

    def replace_person(self, server: ServerId, person: int, stand_in: int, name: str, retell: Retell) -> None:
        """Put a number and a name that are nobody's in a person's place, in every row of a server.

        Rows and the journal's changes of them stay alike, so that undo goes on working. What the person
        began and did not finish is removed. Not journalled.

        Args:
            stand_in: The number; no id of a person.
            retell: Gives an entry's text and rolls without the person's name, from both and whether the
                entry is theirs.
        """
        names = [one for one in self.names_of(server, person) if one]
        for entry in self._entries_naming(server, person, names):
            self._rewrite_entry(server, entry, person, stand_in, name, retell)
        self._run(_RENAME, stand_in, name, server, person)
        self._run("DELETE FROM drafts WHERE server_id = ? AND person = ?", server, person)
        for table in self._other_tables():
            for column in table.people:
                statement = f"UPDATE {table.name} SET {column} = ? WHERE server_id = ? AND {column} = ?"  # noqa: S608 - names of the schema
                self._run(statement, stand_in, server, person)
            self._rewrite_rows(table, server, person, stand_in, name)
        self._changes.forget(server)

    def _entries_naming(self, server: ServerId, person: int, names: list[str]) -> list[int]:
        found = {row[0] for row in self._all(_NAMING, server, person, str(person), str(person))}
        for one in names:  # as the name stands in JSON text
            found |= {row[0] for row in self._all(_SAYING, server, to_text(one)[1:-1])}
        return sorted(found)

    def _rewrite_entry(
        self, server: ServerId, entry: int, person: int, stand_in: int, name: str, retell: Retell
    ) -> None:
        found = self._one(_ENTRY, server, entry)
        if found is None:  # it has just been found
            raise LookupError(f"entry {entry} is gone")
        told, rolls = retell(from_text(found[1]), from_text(found[2]), found[0] == person)
        parts = (told, rolls, from_text(found[3]))
        texts = [to_text(without_id(one, person, stand_in, name)) for one in parts]
        if texts != list(found[1:]):
            self._run(_REWRITE, *texts, server, entry)

    def _rewrite_rows(self, table: _Holding, server: ServerId, person: int, stand_in: int, name: str) -> None:
        key, texts = table.key, table.texts
        if not texts:
            return
        chosen = ", ".join((*key, *texts))
        select = f"SELECT {chosen} FROM {table.name} WHERE {table.holds}"  # noqa: S608 - names of the schema
        assigned = ", ".join(f"{column} = ?" for column in texts)
        mine = "".join(f" AND {column} = ?" for column in key)
        update = f"UPDATE {table.name} SET {assigned} WHERE server_id = ?{mine}"  # noqa: S608 - the same
        for row in self._all(select, server, *(str(person) for _ in texts)):
            rewritten = [_text_without_id(one, person, stand_in, name) for one in row[len(key) :]]
            self._run(update, *rewritten, server, *row[: len(key)])


def _text_without_id(text: Any, person: int, stand_in: int, name: str) -> Any:
    """Return a column's text, JSON or not, with another number for a person's id."""
    if isinstance(text, str) and text[:1] in ("{", "["):
        return to_text(without_id(from_text(text), person, stand_in, name))
    return without_id(text, person, stand_in, name)


def without_id(value: Json, person: int, stand_in: int, name: str) -> Any:
    """Return JSON with another number for a person's id: as a number, within a text, and within a key.

    What stands under such a key is about the person: a name there becomes *name*.
    """
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
                return {replaced(key): replaced(_nameless(key, one)) for key, one in part.items()}
            case _:
                return part

    def _nameless(key: str, part: Json) -> Json:
        if written.search(key) is None:
            return part
        if isinstance(part, dict) and isinstance(part.get("name"), str):
            return {**part, "name": name}
        return name if key.endswith("/name") and isinstance(part, str) else part

    return replaced(value)
