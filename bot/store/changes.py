"""Changes: the one place where journalled rows are made, changed and removed.

Every write is compared with the old row, and the difference is collected for the journal; the same
differences, reversed, are what an undo writes.
"""

from collections.abc import Iterable, Sequence

from bot.store.connection import DatabaseConnection
from bot.store.documents import differences, from_text, put_back, to_text
from bot.store.journalled_tables import JOURNALLED, Key, Row, StoredTable, Value, as_value
from bot.store.records import Change, JsonObject, ServerId
from bot.store.rows import Memories, RememberedRows
from bot.store.store_errors import Contradiction, NameTaken, OutOfBounds, Overtaken


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
