"""Read the rows of a server's tables."""

from collections.abc import Collection
from typing import Protocol

from bot.store.connection import DatabaseConnection, Found
from bot.store.journalled_tables import CHARACTERS, FOLLOW_UPS, REVEALS, Key, Row, StoredTable
from bot.store.newest_entries import NewestEntries
from bot.store.records import ServerId

CHARACTER_NAMES = "character names"  # answers that stay when nothing of a character is written but its sheet
MOST_ANSWERS = 256  # to questions about the same tables: some are asked with whatever people type
MOST_REMEMBERED = 2048  # rows and answers, after which everything is read anew


class Rows:
    """Reads rows on one connection.

    Args:
        connection: In a transaction.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: DatabaseConnection) -> None:
        self._connection = connection

    def row(self, table: StoredTable, server: ServerId, key: Key) -> Row | None:
        """Return a row as it is now."""
        found: Row | None = self._connection.execute(table.select, (server, *key)).fetchone()
        return found if found is None or table.columns else ()

    def rows_with(self, table: StoredTable, server: ServerId, ids: Collection[int]) -> dict[int, Row]:
        """Return those of some rows that exist, by their one key; read at once."""
        statement = table.select_of_owners(len(ids))
        found = self._connection.execute(statement, (server, *ids)).fetchall()
        return {row[0]: row[1:] for row in found}

    def rows_of(self, table: StoredTable, server: ServerId, owner: int) -> dict[Key, Row]:
        """Return all rows whose key begins with *owner*, in order of their keys."""
        keys = len(table.key) - 1
        found = self._connection.execute(table.select_of_owner, (server, owner)).fetchall()
        return {(owner, *row[:keys]): row[keys:] for row in found}

    def rows_of_all(
        self, table: StoredTable, server: ServerId, owners: Collection[int]
    ) -> dict[int, dict[Key, Row]]:
        """Return the same for each of some owners who have such rows, read at once."""
        keys = len(table.key)
        found: dict[int, dict[Key, Row]] = {}
        statement = table.select_of_owners(len(owners))
        for row in self._connection.execute(statement, (server, *owners)).fetchall():
            found.setdefault(row[0], {})[row[:keys]] = row[keys:]
        return found

    def answer(self, table: str, statement: str, server: ServerId, *parameters: object) -> list[Found]:
        """Return what a query of one table finds among the rows of *server*, its first parameter."""
        return self._connection.execute(statement, (server, *parameters)).fetchall()

    def newest(self, server: ServerId) -> NewestEntries:
        """Return what is remembered of a server's newest entries: nothing."""
        return NewestEntries()


class Memory:
    """What has been read, from one unit to the next, as long as nothing else writes.

    Everything in it is as the database stands within the open transaction: what is written is replaced or
    forgotten at once. Whoever rolls a write back, or finds that another connection has written, clears it.
    """

    __slots__ = ("answers", "asked", "newest", "of_owners", "single", "version")

    def __init__(self) -> None:
        self.version = 0
        self.single: dict[tuple[str, ServerId, Key], Row | None] = {}
        self.of_owners: dict[tuple[str, ServerId, int], dict[Key, Row]] = {}
        self.answers: dict[tuple[str, ServerId], dict[tuple[object, ...], list[Found]]] = {}
        self.asked: dict[frozenset[str], dict[tuple[object, ...], list[Found]]] = {}  # by tables
        self.newest = NewestEntries()

    def of(self, server: ServerId) -> "Memory":
        """Return what is remembered of a server: of all servers, it is in one place."""
        return self

    def copy(self) -> "Memory":
        """Return what is remembered, to be changed apart from this."""
        copied = Memory()
        copied.version = self.version
        copied.newest = self.newest.copy()
        copied.single.update(self.single)
        copied.of_owners.update(self.of_owners)
        copied.answers.update((about, dict(answers)) for about, answers in self.answers.items())
        copied.asked.update((tables, dict(answers)) for tables, answers in self.asked.items())
        return copied

    def forget_asked(self, tables: Collection[str]) -> None:
        """Forget what queries found that looked at one of some tables."""
        for looked_at in [one for one in self.asked if not one.isdisjoint(tables)]:
            del self.asked[looked_at]

    def clear(self) -> None:
        """Forget everything."""
        self.single.clear()
        self.of_owners.clear()
        self.answers.clear()
        self.asked.clear()
        self.newest.clear()

    def is_much(self) -> bool:
        """Return whether it is better to read everything anew than to remember more."""
        answers = len(self.answers) + sum(map(len, self.asked.values()))
        return len(self.single) + len(self.of_owners) + answers > MOST_REMEMBERED

    def keep_if_still(self, version: int) -> None:
        """Forget everything if it is of another version of the database, or too much.

        Args:
            version: A number that changes whenever another connection has written.
        """
        if version != self.version or self.is_much():
            self.clear()
            self.version = version


def put_answer(
    answers: dict[tuple[object, ...], list[Found]], asked: tuple[object, ...], found: list[Found]
) -> None:
    """Remember an answer, among not too many."""
    if len(answers) >= MOST_ANSWERS:
        answers.clear()
    answers[asked] = found


class Memories(Protocol):
    """What is remembered of each server."""

    def of(self, server: ServerId) -> Memory:
        """Return what is remembered of a server, as the open transaction sees it."""
        ...


class RememberedRows(Rows):
    """Reads only what is not remembered yet, while nobody else can write.

    Args:
        connection: In a transaction that has locked what it remembers, or sees only one state of it.
        memories: What is remembered.

    Attributes:
        has_written: Whether something remembered was written or forgotten.
    """

    __slots__ = ("_memories", "has_written")

    def __init__(self, connection: DatabaseConnection, memories: Memories) -> None:
        super().__init__(connection)
        self._memories = memories
        self.has_written = False

    def row(self, table: StoredTable, server: ServerId, key: Key) -> Row | None:
        """Return a row as it is now."""
        if table.is_written_elsewhere:
            return super().row(table, server, key)
        known, single = (table.name, server, key), self._memories.of(server).single
        if known not in single:
            single[known] = super().row(table, server, key)
        return single[known]

    def rows_with(self, table: StoredTable, server: ServerId, ids: Collection[int]) -> dict[int, Row]:
        """Return those of some rows that exist, by their one key; read at once."""
        single = self._memories.of(server).single
        missing = [id_ for id_ in ids if (table.name, server, (id_,)) not in single]
        if missing:
            read = super().rows_with(table, server, missing)
            single.update(((table.name, server, (id_,)), read.get(id_)) for id_ in missing)
        found = ((id_, single[table.name, server, (id_,)]) for id_ in sorted(ids))
        return {id_: row for id_, row in found if row is not None}

    def rows_of(self, table: StoredTable, server: ServerId, owner: int) -> dict[Key, Row]:
        """Return all rows whose key begins with *owner*, in order of their keys."""
        known, of_owners = (table.name, server, owner), self._memories.of(server).of_owners
        found = of_owners.get(known)
        if found is None:
            found = of_owners[known] = super().rows_of(table, server, owner)
        return dict(found)

    def rows_of_all(
        self, table: StoredTable, server: ServerId, owners: Collection[int]
    ) -> dict[int, dict[Key, Row]]:
        """Return the same for each of some owners, read at once."""
        of_owners = self._memories.of(server).of_owners
        missing = [owner for owner in owners if (table.name, server, owner) not in of_owners]
        if missing:
            read = super().rows_of_all(table, server, missing)
            of_owners.update(((table.name, server, owner), read.get(owner, {})) for owner in missing)
        return {owner: dict(of_owners[table.name, server, owner]) for owner in owners}

    def answer(self, table: str, statement: str, server: ServerId, *parameters: object) -> list[Found]:
        """Return what a query of one table finds among the rows of *server*, its first parameter."""
        answers = self._memories.of(server).answers.setdefault((table, server), {})
        asked = (statement, *parameters)
        found = answers.get(asked)
        if found is None:
            found = super().answer(table, statement, server, *parameters)
            put_answer(answers, asked, found)
        return list(found)

    def newest(self, server: ServerId) -> NewestEntries:
        """Return what is remembered of a server's newest entries."""
        return self._memories.of(server).newest

    def written(self, server: ServerId) -> NewestEntries:
        """Return the same, to remember there what was just written."""
        self.has_written = True
        return self._memories.of(server).newest

    def remember(self, table: StoredTable, server: ServerId, key: Key, row: Row | None) -> None:
        """Remember what was just written."""
        memory, owner = self._memories.of(server), key[0]
        if table is CHARACTERS and _named(memory.single.get((table.name, server, key))) != _named(row):
            self.forget_answers(CHARACTER_NAMES, server)
        memory.single[table.name, server, key] = row
        if table is FOLLOW_UPS:
            memory.newest.forget_offers()
        if isinstance(owner, int):
            if table is REVEALS:
                memory.newest.forget(server, owner)
            known = (table.name, server, owner)
            rows = memory.of_owners.get(known)
            if rows is not None:
                memory.of_owners[known] = _with(rows, key, row)
        self.forget_answers(table.name, server)

    def remember_answer(
        self, table: str, statement: str, server: ServerId, *parameters: object, found: list[Found]
    ) -> None:
        """Remember what a query of one table would find now, and forget what others found."""
        self.forget_answers(table, server)
        self._memories.of(server).answers[table, server] = {(statement, *parameters): found}

    def forget_answers(self, table: str, server: ServerId) -> None:
        """Forget what queries on a table found, after one of its rows was written."""
        self.has_written = True
        self._memories.of(server).answers.pop((table, server), None)

    def forget(self, server: ServerId) -> None:
        """Forget everything of a server, after something was written another way."""
        self.has_written = True
        self._memories.of(server).clear()


def _named(character: Row | None) -> Row:
    """Return what is stored of a character before its sheet; of one that is not there, nothing."""
    return () if character is None else character[: CHARACTERS.columns.index("sheet_version")]


def _with(rows: dict[Key, Row], key: Key, row: Row | None) -> dict[Key, Row]:
    """Return an owner's rows with another one in its place in their order, or without it."""
    if row is None:
        return {other: kept for other, kept in rows.items() if other != key}
    if key in rows:
        return {**rows, key: row}
    return dict(sorted({**rows, key: row}.items()))
