"""Changes: the one place where journalled rows are made, changed and removed; and the base of all queries."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import get_annotations
from operator import attrgetter
from typing import Any, Generic, TypeVar

from bot.store.connection import Contradiction, DatabaseConnection, Found, NameTaken, OutOfBounds, Overtaken
from bot.store.journalled_tables import (
    JOURNALLED,
    Claim,
    Key,
    Row,
    StoredTable,
    Value,
    as_value,
    differences,
    from_text,
    put_back,
    to_text,
)
from bot.store.records import Change, Json, JsonObject, Kept, ServerId, Shards
from bot.store.rows import Memories, Memory, RememberedRows, Rows, name_key


class Changes(RememberedRows):
    """Writes rows on one connection and remembers what changed.

    Args:
        connection: In a transaction.
        memories: What is remembered of earlier units.
    """

    __slots__ = ("collected",)

    def __init__(self, connection: DatabaseConnection, memories: Memories) -> None:
        super().__init__(connection, memories)
        self.collected: list[Change] = []

    def put(self, table: StoredTable, server: ServerId, key: Key, after: Row | None) -> None:
        """Write a row, or remove it (None).

        Raises:
            NameTaken: If its name is another's.
            OutOfBounds: If a number in it leaves its bounds.
        """
        self.write(table, server, key, self.row(table, server, key), after)

    def write(
        self, table: StoredTable, server: ServerId, key: Key, before: Row | None, after: Row | None
    ) -> None:
        """Do the same as `put`, for a caller who knows the old row.

        Raises:
            NameTaken: If its name is another's.
            OutOfBounds: If a number in it leaves its bounds.
        """
        if before == after:
            return
        try:
            was, now = self._write(table, (server, *key), before, after)
        except self._connection.IntegrityError as error:
            raise self._connection.refusal(error) from error
        self.remember(table, server, key, after)
        if was is None or now is None or was or now:
            self.collected.append(Change(table.name, table.key_to_json(key), was, now))

    def _write(
        self, table: StoredTable, key: tuple[Value, ...], before: Row | None, after: Row | None
    ) -> tuple[JsonObject | None, JsonObject | None]:
        if after is None:
            self._connection.execute(table.delete, key)
            return table.to_json(before or ()), None
        if before is None:
            self._connection.execute(table.insert, (*key, *after))
            return None, table.to_json(after)
        changed = _changed(before, after)
        statement = table.update(tuple(table.columns[index] for index in changed))
        self._connection.execute(statement, (*(after[index] for index in changed), *key))
        return _difference(table, before, after, changed)

    def revert(self, server: ServerId, changes: Sequence[Change]) -> None:
        """Revert changes, the last one first.

        Raises:
            Overtaken: If something has been changed since.
        """
        with self._connection.at_once():
            for change in reversed(changes):
                table = JOURNALLED[change.table]
                key = table.key_from_json(change.key)
                current = self.row(table, server, key)
                try:
                    self.write(table, server, key, current, _reverted(table, change, current))
                except (Contradiction, NameTaken, OutOfBounds) as error:
                    raise Overtaken(f"{change.table} {change.key} can no longer be as it was") from error


def changes_to_text(changes: Sequence[Change]) -> str:
    """Return changes as text for the journal."""
    return to_text([[one.table, one.key, one.before, one.after] for one in changes])


def changes_from_text(text: str) -> tuple[Change, ...]:
    """Return changes read from the journal."""
    return tuple(Change(*parts) for parts in from_text(text))


def _changed(before: Row, after: Row) -> list[int]:
    """Return the positions of the columns in which two rows differ."""
    return [place for place, old in enumerate(before) if old != after[place]]


def _difference(
    table: StoredTable, before: Row, after: Row, changed: Iterable[int]
) -> tuple[JsonObject, JsonObject]:
    """Return the cells of a row that differ, with all the columns of its claims."""
    was: JsonObject = {}
    now: JsonObject = {}
    for index in changed:
        column, old, new = table.columns[index], before[index], after[index]
        if column in table.documents:
            inner_was, inner_now = differences(from_text(str(old)), from_text(str(new)))
            was.update((f"{column}#{pointer}", value) for pointer, value in inner_was.items())
            now.update((f"{column}#{pointer}", value) for pointer, value in inner_now.items())
        elif column not in table.unjournalled:
            was[column], now[column] = old, new
    for claim in table.claims:
        columns = {*claim.columns, *(column for column, _ in claim.only_where)}.intersection(table.columns)
        if not columns.isdisjoint(was):
            for column in columns:
                place = table.columns.index(column)
                was[column], now[column] = before[place], after[place]
    return was, now


def _reverted(table: StoredTable, change: Change, current: Row | None) -> Row | None:
    """Return the row as it was before *change*."""
    if change.after is None:
        if current is not None or change.before is None:
            raise Overtaken(f"{change.table} {change.key} has been made again since")
        return table.from_json(change.before)
    if current is None:
        raise Overtaken(f"{change.table} {change.key} has been removed since")
    if change.before is None:
        left = table.from_json(change.after)
        was, now = _difference(table, left, current, _changed(left, current))
        if was or now:
            raise Overtaken(f"{change.table} {change.key} has been changed since")
        return None
    return tuple(
        _cell_reverted(table, column, value, change.before, change.after)
        for column, value in zip(table.columns, current, strict=True)
    )


def _cell_reverted(table: StoredTable, column: str, value: Value, was: JsonObject, now: JsonObject) -> Value:
    if column not in table.documents:
        if column not in was:
            return value
        if value != now[column]:
            raise Overtaken(f"{table.name} {column} has been changed since")
        return as_value(was[column])
    inside = f"{column}#"
    inner_was = {cell.removeprefix(inside): one for cell, one in was.items() if cell.startswith(inside)}
    inner_now = {cell.removeprefix(inside): one for cell, one in now.items() if cell.startswith(inside)}
    if not inner_was and not inner_now:
        return value
    document = from_text(str(value))
    put_back(document, inner_was, inner_now)
    return to_text(document)


def marks_of(changes: Iterable[Change]) -> set[str]:
    """Return pieces of text; every entry that can collide with *changes* contains at least one."""
    return {mark for change in changes for mark in _marks(change)}


def _marks(change: Change) -> Iterator[str]:
    """Return the marks of the same row, of rows it refers to or that refer to it, and of its claims."""
    table = JOURNALLED[change.table]
    yield _row_name(table.name, change.key) + ","
    for parent, key in _parents(change, change.before):
        yield _row_name(parent, key) + ","
    if change.before is None:
        for child in JOURNALLED.values():
            if table.name in child.refers_to:
                yield _cell(child.refers_to[table.name], next(iter(change.key.values())))
    for cells in (change.before, change.after):
        for claim in table.claims:
            if cells is not None and claim.mark in cells:
                yield _cell(claim.mark, cells[claim.mark])


def _cell(column: str, value: Json) -> str:
    return to_text({column: value})[1:-1]


def _row_name(table: str, key: JsonObject) -> str:
    return to_text([table, key])[:-1]


def _parents(change: Change, cells: JsonObject | None) -> Iterator[tuple[str, JsonObject]]:
    """Return the table and key of the rows that a made, removed or redirected row refers to."""
    is_whole = change.before is None or change.after is None
    for parent, column in JOURNALLED[change.table].refers_to.items():
        if cells is not None and (is_whole or column in cells):
            yield parent, {"id": (change.key | cells)[column]}


def _claims(change: Change) -> Iterator[str]:
    for cells in (change.before, change.after):
        if cells is None:
            continue
        for claim in JOURNALLED[change.table].claims:
            name = _claimed(claim, change.key | cells)
            if name is not None:
                yield name


def _claimed(claim: Claim, held: JsonObject) -> str | None:
    """Return what a row claims; None if nothing, or if the change doesn't concern it."""
    needed = (*claim.columns, *(column for column, _ in claim.only_where))
    if not held.keys() >= set(needed):
        return None
    if any(held[column] != value for column, value in claim.only_where):
        return None
    return to_text({claim.name: [held[column] for column in claim.columns]})


def collide(earlier: Iterable[Change], later: Sequence[Change]) -> bool:
    """Return whether undoing the *earlier* changes would disturb the *later* ones."""
    return any(_collides(one, other) for one in earlier for other in later)


def _collides(earlier: Change, later: Change) -> bool:
    row, other_row = (earlier.table, earlier.key), (later.table, later.key)
    if row == other_row:
        return _share_cells(earlier, later)
    cells = later.before if later.after is None else later.after  # empty where the key is all
    if earlier.before is None and row in _parents(later, cells):
        return True
    if later.after is None and other_row in _parents(earlier, earlier.before):
        return True
    return not set(_claims(earlier)).isdisjoint(_claims(later))


def _share_cells(one: Change, other: Change) -> bool:
    if one.before is None or one.after is None or other.before is None or other.after is None:
        return True
    if JOURNALLED[one.table].is_one_cell:
        return True
    return any(
        cell == other_cell or cell.startswith(f"{other_cell}/") or other_cell.startswith(f"{cell}/")
        for cell in one.before | one.after
        for other_cell in other.before | other.after
    )


RecordT = TypeVar("RecordT")
Stored = tuple[Callable[[Any], Any], Callable[[Any], Any]]  # reads a column's value, and writes it
NAME_KEY = "name_key"  # a column for finding names, which is no field
_OTHER_NAMES = {"group_key": "group", "session_number": "session"}


class RecordRows(Generic[RecordT]):
    """Records of a kind as rows: each column holds the field that it is named after.

    Flags are stored as 0 or 1, JSON objects as text.

    Args:
        record: The records' class.
        columns: The columns of a row, in order; one of a field's id ends with ``_id``.
        stored: How other fields are read and written that a column cannot hold as they are.
    """

    def __init__(self, record: type[RecordT], columns: Sequence[str], **stored: Stored) -> None:
        types = get_annotations(record)
        names = [_OTHER_NAMES.get(column, column.removesuffix("_id")) for column in columns]
        kinds: dict[str, Stored] = {name: (bool, int) for name in names if types.get(name) is bool}
        kinds |= {name: (from_text, to_text) for name in names if types.get(name) == JsonObject} | stored
        self._record = record
        self._names = names
        self._read = [(name, read) for name, (read, _) in kinds.items()]
        self._get = attrgetter(*("name" if name == NAME_KEY else name for name in names))
        self._write: list[tuple[int, Callable[[Any], Any]]] = [
            (names.index(name), write) for name, (_, write) in kinds.items()
        ]
        if NAME_KEY in names:
            self._write.append((names.index(NAME_KEY), name_key))

    def read(self, row: Sequence[Any], **more: Any) -> RecordT:
        """Return the record of a row, with the fields that are stored elsewhere.

        Of the fields that are read in some way, those without a value are as they are by default.
        """
        found = dict(zip(self._names, row, strict=True))
        found.pop(NAME_KEY, None)
        for name, read in self._read:
            value = found.pop(name)
            if value is not None:
                found[name] = read(value)
        return self._record(**found, **more)

    def row(self, record: RecordT) -> Row:
        """Return the row of a record."""
        values = list(self._get(record))
        for place, write in self._write:
            values[place] = write(values[place])
        return tuple(values)


class Reads:
    """Queries on a connection.

    Args:
        connection: In a transaction, so that all reads are consistent.
    """

    __slots__ = ("_connection", "_rows")

    def __init__(self, connection: DatabaseConnection, rows: Rows | None = None) -> None:
        self._connection = connection
        self._rows = Rows(connection) if rows is None else rows

    def _one(self, statement: str, *parameters: object) -> Found | None:
        found = self._connection.look_up(statement, parameters)
        return found[0] if found else None

    def _all(self, statement: str, *parameters: object) -> list[Found]:
        return self._connection.look_up(statement, parameters)


class Writes(Reads):
    """Queries and writes on a connection.

    Args:
        connection: In a transaction that may write.
        memories: What is remembered of earlier units; by default nothing.
    """

    __slots__ = ("_changes", "kept")

    def __init__(self, connection: DatabaseConnection, memories: Memories | None = None) -> None:
        self._changes = Changes(connection, Memory() if memories is None else memories)
        self.kept: list[Kept] = []  # news of every entry that was added
        super().__init__(connection, self._changes)

    def _run(self, statement: str, *parameters: object) -> None:
        try:
            self._connection.execute(statement, parameters)
        except self._connection.IntegrityError as error:
            raise self._connection.refusal(error) from error

    def _next_id(self, server: ServerId, thing: str, count: int = 1) -> int:
        """Return the id of the first of some new things of a kind; none is used twice."""
        return self._connection.next_id(server, thing, count)


def in_shards(shards: Shards, server: str = "server_id") -> tuple[str, tuple[int, ...]]:
    """Return what follows other conditions of a query, with its parameters; nothing for every shard.

    Args:
        server: The column with the server's id.
    """
    if shards.are_all:
        return "", ()
    if not shards.held:
        return " AND FALSE", ()
    marks = ", ".join("?" * len(shards.held))
    return f" AND ({server} >> 22) % ? IN ({marks})", (shards.count, *sorted(shards.held))
