"""Read the rows of a server's tables."""

import unicodedata
from collections.abc import Collection, Sequence
from typing import Protocol

from bot.store.connection import DatabaseConnection, Found
from bot.store.journalled_tables import CHARACTERS, FOLLOW_UPS, REVEALS, Key, Row, StoredTable
from bot.store.records import ServerId

MOST_ENTRIES = 32

Place = tuple[ServerId, int]  # a server, and the id of one of its entries or follow-ups


class NewestEntries:
    """Rows of entries, with what was added to them since: follow-ups, messages, entries shown there.

    Whoever writes one of these rows another way forgets it here.

    Attributes:
        entries: Entries as they are read.
        follow_ups: The follow-ups in *offered* as they are read, with their id second and their entry fourth.
        messages: The channel and message of entries; None if there is none yet.
        offered: The ids of all follow-ups of entries, in order.
        shown_in: The ids of all entries shown in the message of others, in order.
    """

    __slots__ = ("entries", "follow_ups", "messages", "offered", "shown_in")

    def __init__(self) -> None:
        self.entries: dict[Place, Found] = {}
        self.follow_ups: dict[Place, Found] = {}
        self.messages: dict[Place, Found | None] = {}
        self.offered: dict[Place, tuple[int, ...]] = {}
        self.shown_in: dict[Place, tuple[int, ...]] = {}

    def copy(self) -> "NewestEntries":
        """Return the same, to be changed apart from this."""
        copied = NewestEntries()
        for name in self.__slots__:
            getattr(copied, name).update(getattr(self, name))
        return copied

    def clear(self) -> None:
        """Forget everything."""
        for name in self.__slots__:
            getattr(self, name).clear()

    def add(self, server: ServerId, id_: int, row: Found, shown_in: int | None) -> None:
        """Remember a new entry, to which nothing was added yet.

        Args:
            row: The entry as it will be read.
            shown_in: The entry in whose message it is shown.
        """
        place, shown_where = (server, id_), (server, shown_in or 0)
        self.entries[place] = row
        self.messages[place] = None
        self.offered[place] = self.shown_in[place] = ()
        if shown_where in self.shown_in:
            self.shown_in[shown_where] += (id_,)
        self._keep_few()

    def know(self, server: ServerId, id_: int, row: Found) -> None:
        """Remember an entry that was read, without what was added to it."""
        self.entries[server, id_] = row
        self._keep_few()

    def put_message(self, server: ServerId, entry: int, found: Found | None) -> None:
        """Remember the channel and message of an entry that is known."""
        if (server, entry) in self.entries:
            self.messages[server, entry] = found

    def know_offers(self, server: ServerId, entry: int, rows: Sequence[Found]) -> None:
        """Remember all follow-ups of an entry that is known."""
        if (server, entry) in self.entries:
            self.offered[server, entry] = tuple(row[1] for row in rows)
            self.follow_ups.update(((server, row[1]), row) for row in rows)

    def offer(self, server: ServerId, entry: int, rows: Sequence[Found]) -> None:
        """Remember an entry's new follow-ups, if all that it had are known."""
        if (server, entry) in self.offered:
            self.follow_ups.update(((server, row[1]), row) for row in rows)
            self.offered[server, entry] += tuple(row[1] for row in rows)

    def close(self, server: ServerId, entry: int, group: str, closed_by: int) -> None:
        """Close the open follow-ups of an entry's group, if all that it has are known."""
        for id_ in self.offered.get((server, entry), ()):
            *row, of_group, closed = self.follow_ups[server, id_]
            if of_group == group and closed is None:
                self.follow_ups[server, id_] = (*row, of_group, closed_by)

    def offers(self, server: ServerId, entry: int) -> list[Found] | None:
        """Return all follow-ups of an entry; None if they are not known."""
        ids = self.offered.get((server, entry))
        return None if ids is None else [self.follow_ups[server, id_] for id_ in ids]

    def shown(self, server: ServerId, entry: int) -> list[Found] | None:
        """Return all entries shown in the message of another; None if they are not known."""
        ids = self.shown_in.get((server, entry))
        found = [self.entries.get((server, id_)) for id_ in ids or ()]
        return None if ids is None or None in found else [row for row in found if row is not None]

    def _keep_few(self) -> None:
        if len(self.entries) > MOST_ENTRIES:
            self.forget(*next(iter(self.entries)))

    def forget(self, server: ServerId, entry: int) -> None:
        """Forget an entry with all that was added to it."""
        self.entries.pop((server, entry), None)
        self.messages.pop((server, entry), None)
        self.shown_in.pop((server, entry), None)
        for id_ in self.offered.pop((server, entry), ()):
            del self.follow_ups[server, id_]

    def forget_offers(self) -> None:
        """Forget the follow-ups of every entry."""
        self.offered.clear()
        self.follow_ups.clear()


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


def name_key(name: str) -> str:
    """Return the form in which names are compared: without case, outer spaces or variants of a letter."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
