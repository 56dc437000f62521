"""Copy every row of a database into an empty one, and check the copy."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from graphlib import TopologicalSorter
from hashlib import sha256
from itertools import islice, zip_longest
from typing import Protocol

from msgspec import Struct

from bot.store.connection import CopyRefused, Found, TableColumn
from bot.store.database_files import POSTGRES
from bot.store.records import ServerId
from bot.store.transaction import Reader

NOTE = "copying"  # the table that a half-done copy has: what it is a copy of, and how far it is
OWN = frozenset({"migrations", NOTE})  # of one database: its own history


class CopiedTable(Struct, frozen=True):
    """A table as it is copied."""

    name: str
    key: tuple[str, ...]  # the columns of its key, in order
    others: tuple[str, ...]  # all other columns, by name
    refers_to: frozenset[str]  # the other tables that its rows refer to

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order in which rows are copied."""
        return (*self.key, *self.others)

    @property
    def is_of_servers(self) -> bool:
        """Whether each row belongs to a server."""
        return "server_id" in self.columns

    def rows(self, first: ServerId, last: ServerId) -> str:
        """The SQL for the rows of some servers, or for all rows if they belong to none, by key."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} {self._of(first, last)} ORDER BY {', '.join(self.key)}"  # noqa: E501, S608 - names of the schema

    def _of(self, first: ServerId, last: ServerId) -> str:
        return f"WHERE server_id BETWEEN {first:d} AND {last:d}" if self.is_of_servers else ""

    @property
    def counts(self) -> str:
        """The SQL for how many rows each server has, by server."""
        return f"SELECT server_id, count(*) FROM {self.name} GROUP BY server_id ORDER BY server_id"  # noqa: S608 - the same


def in_order(
    columns: Iterable[TableColumn], references: Collection[tuple[str, str]]
) -> tuple[CopiedTable, ...]:
    """Return the tables of a schema so that each stands after those that it refers to.

    Args:
        columns: The columns of every table.
        references: Which table refers to which.
    """
    keys: dict[str, dict[int, str]] = {}
    others: dict[str, list[str]] = {}
    for column in columns:
        if column.key_place is None:
            others.setdefault(column.table, []).append(column.name)
        else:
            keys.setdefault(column.table, {})[column.key_place] = column.name
    copied = sorted((keys.keys() | others.keys()) - OWN)
    refers_to = {table: {to for by, to in references if by == table != to} for table in copied}
    return tuple(
        CopiedTable(
            table,
            tuple(column for _, column in sorted(keys.get(table, {}).items())),
            tuple(sorted(others.get(table, ()))),
            frozenset(refers_to[table]),
        )
        for table in TopologicalSorter(refers_to).static_order()
    )


def why_unusable(name: str) -> str:
    """Return why a database that is half a copy cannot be used.

    Args:
        name: The database, as messages name it.
    """
    return f"{name} is a copy that was never finished: run `tablekeeper copy` again, or use another database."


class CopySide(Protocol):
    """One of the two databases of a copy; nobody else may use it meanwhile."""

    name: str  # the database, as messages name it
    newest: int  # the schema version this program works with

    def version(self) -> int:
        """Return the schema version; 0 of an empty database.

        Raises:
            StoreUnavailable: If it is another program's or of a newer version.
        """
        ...

    def is_used(self) -> bool:
        """Return whether a bot is seen that uses the database."""
        ...

    def migrate(self) -> None:
        """Bring the database to this program's schema."""
        ...

    def tables(self) -> tuple[CopiedTable, ...]:
        """Return the tables to copy; each stands after those that it refers to."""
        ...

    def has_note(self) -> bool:
        """Return whether the database is a copy that was never finished."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Read the database as it is at one moment, and change nothing."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Write in one transaction."""
        ...

    def each(self, query: str) -> Iterator[Found]:
        """Yield the rows of a query as they are looked at, inside `reading` or `writing`."""
        ...

    def execute(self, statement: str) -> int:
        """Run a statement; return how many rows it changed."""
        ...

    def add(self, table: CopiedTable, rows: Iterable[Found]) -> None:
        """Add rows to a table, which may refer to each other."""
        ...

    def saved(self, row: Found) -> Found:
        """Return a row as this engine saves it."""
        ...

    def reader(self) -> AbstractContextManager[Reader]:
        """Yield the queries of the store, outside `reading` and `writing`."""
        ...

    def finish(self) -> list[str]:
        """Make all that was added ready for use; return what is wrong with it."""
        ...


MOST_FAULTS = 10  # that are told


class Replayed(Struct, frozen=True):
    """What a replay of some servers' journals found; a copy has to give the same."""

    journals: int = 0  # how many campaigns there are
    entries: int = 0  # how many entries they have
    rolls: int = 0  # how many rolls these have
    following: int = 0  # how many of them follow from their seeds and the rules
    faults: int = 0  # how many faults there are; a journal may have some of old
    first_faults: tuple[str, ...] = ()  # the first of them, in words

    def __add__(self, other: "Replayed") -> "Replayed":
        return Replayed(
            self.journals + other.journals,
            self.entries + other.entries,
            self.rolls + other.rolls,
            self.following + other.following,
            self.faults + other.faults,
            (self.first_faults + other.first_faults)[:MOST_FAULTS],
        )

    @property
    def lines(self) -> list[str]:
        """The report, line by line."""
        lines = [
            f"Replayed {several(self.journals, 'journal')}, {several(self.entries, 'entry', 'entries')}: "
            f"{self.following:,} of {several(self.rolls, 'roll')} follow from seeds and rules."
        ]
        if self.faults:
            lines.append(f"Both databases have {several(self.faults, 'fault')}:")
        return [*lines, *self.first_faults]


def several(count: int, one: str, more: str = "") -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


ROWS_AT_ONCE = 20_000  # in one transaction, unless a single server has more
SERVERS_AT_ONCE = 100  # whose journals are replayed by one reader
PARTS = 10  # of the work, after each of which a line is said
NO_SERVER = ServerId(-1)

_MAKE_NOTE = f"CREATE TABLE {NOTE} (source TEXT NOT NULL, until BIGINT NOT NULL)"
_READ_NOTE = f"SELECT source, until FROM {NOTE}"  # noqa: S608 - a constant
_DROP_NOTE = f"DROP TABLE {NOTE}"
_VERSIONS = "SELECT server_id, version FROM servers ORDER BY server_id"

Say = Callable[[str], None]
Replay = Callable[[Reader, Sequence[ServerId]], Replayed]


class Contents(Struct, frozen=True):
    """How much a database holds."""

    servers: dict[ServerId, int]  # how many rows each server has, by server
    others: int  # how many rows belong to no server
    fingerprint: str  # SHA-256 of how many rows each server has in each table

    @property
    def rows(self) -> int:
        """All rows."""
        return self.others + sum(self.servers.values())


class Batch(Struct, frozen=True):
    """Some servers, copied in one transaction: all whose ids are from the first to the last."""

    first: ServerId  # the lowest id
    last: ServerId  # the highest id
    servers: int  # how many there are
    rows: int  # how many rows they have together


def copy_database(
    source_url: str, target_url: str, say: Say, replay: Replay, *, most_rows: int = ROWS_AT_ONCE
) -> None:
    """Copy every row of a database into an empty one, or go on with a copy that was stopped.

    Args:
        source_url: What is copied; no bot may be using it.
        target_url: What becomes the same; it is made if it is a file.
        say: Told how far it is, a line each.
        replay: Replays the journals of some servers.
        most_rows: The most rows of one transaction, unless a single server has more.

    Raises:
        CopyRefused: If the databases are not fit for it, or the copy is not the same.
        StoreUnavailable: If one of them cannot be read or written.
    """
    if source_url == target_url:
        raise CopyRefused("FROM and TO are the same database: name another one to copy to.")
    with ExitStack() as stack:
        source = stack.enter_context(side_of(source_url))
        _require_whole(source)
        target = stack.enter_context(side_of(target_url, is_made=True))
        with source.reading():
            tables, contents = source.tables(), contents_of(source)
            _prepare(source, target, contents)
            if target.tables() != tables:
                raise LookupError(f"the tables of {source.name} and {target.name} differ")
            say(
                f"Copying {source.name} to {target.name}: "
                f"{several(len(contents.servers), 'server')}, {several(contents.rows, 'row')}."
            )
            _copy(source, target, contents, say, most_rows)
            _compare(source, target, contents)
            say(f"Compared: all {several(contents.rows, 'row')} are the same.")
        for line in _replayed(source, target, contents, say, replay).lines:
            say(line)
        if source.is_used() or not _has_same_versions(source, target):
            raise CopyRefused(
                f"A bot was started on {source.name} meanwhile: stop it, empty {target.name}, and copy again."
            )
        problems = target.finish()
        if problems:
            raise CopyRefused(f"{target.name} is damaged ({problems[0]}): check its disk, and copy again.")
        with target.writing():
            target.execute(_DROP_NOTE)


def side_of(url: str, *, is_made: bool = False) -> AbstractContextManager[CopySide]:
    """Open a database for a copy.

    Args:
        url: The database.
        is_made: Whether a file is made if it is missing.

    Raises:
        CopyRefused: If somebody is using it.
        StoreUnavailable: If it cannot be used.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_migrations import opened_postgres  # loaded only where it is used

        return opened_postgres(url)
    from bot.store.backup import opened_sqlite

    return opened_sqlite(url, is_made=is_made)


def contents_of(side: CopySide) -> Contents:
    """Count the rows of a database, inside `reading`."""
    servers: dict[ServerId, int] = {}
    others, digest = 0, sha256()
    for table in side.tables():
        digest.update(f"{table.name}\n".encode())
        if table.is_of_servers:
            for server, count in side.each(table.counts):
                servers[server] = servers.get(server, 0) + count
                digest.update(f"{server} {count}\n".encode())
        else:
            count = sum(1 for _ in side.each(table.rows(NO_SERVER, NO_SERVER)))
            others += count
            digest.update(f"{count}\n".encode())
    return Contents(dict(sorted(servers.items())), others, digest.hexdigest())


def batches(servers: dict[ServerId, int], most_rows: int) -> Iterator[Batch]:
    """Yield servers in batches of at most so many rows, or of a single server.

    Args:
        servers: How many rows each server has, by server.
        most_rows: The most rows of a batch.
    """
    taken: list[ServerId] = []
    rows = 0
    for server, count in servers.items():
        if taken and rows + count > most_rows:
            yield Batch(taken[0], taken[-1], len(taken), rows)
            taken, rows = [], 0
        taken.append(server)
        rows += count
    if taken:
        yield Batch(taken[0], taken[-1], len(taken), rows)


def _require_whole(source: CopySide) -> None:
    """Refuse a source that cannot be copied by this program, or is used."""
    version = source.version()
    if version == 0:
        raise CopyRefused(f"There is nothing in {source.name}: FROM has to be the database to copy.")
    if version < source.newest:
        raise CopyRefused(
            f"{source.name} has schema {version}, but this program copies schema {source.newest}: "
            "start the bot on it once, stop it, and copy again."
        )
    if source.has_note():
        raise CopyRefused(f"{source.name} is itself half of a copy: finish that one first.")
    if source.is_used():
        raise CopyRefused(f"A bot is using {source.name}: stop every bot on it first.")


def _prepare(source: CopySide, target: CopySide, contents: Contents) -> None:
    """Make an empty target ready, or see that what it has is a part of this copy."""
    if target.is_used():
        raise CopyRefused(f"A bot is using {target.name}: stop every bot on it first.")
    if target.version() > 0 and target.has_note():
        target.migrate()
        if _note_of(target)[0] != contents.fingerprint:
            raise CopyRefused(
                f"{target.name} holds a part of another copy, or {source.name} was changed since it began: "
                f"empty {target.name}, and copy again."
            )
        return
    if target.version() > 0 and _has_rows(target):
        raise CopyRefused(f"{target.name} is not empty: name a new database to copy to.")
    target.migrate()
    with target.writing():
        target.execute(_MAKE_NOTE)
        target.execute(f"INSERT INTO {NOTE} VALUES ('{contents.fingerprint}', {NO_SERVER:d})")  # noqa: S608 - hexadecimal
        for table in target.tables():
            if not table.is_of_servers:
                target.add(table, map(target.saved, source.each(table.rows(NO_SERVER, NO_SERVER))))


def _has_rows(side: CopySide) -> bool:
    with side.reading():
        return any(
            next(side.each(f"SELECT 1 FROM {table.name} LIMIT 1"), None) is not None  # noqa: S608 - the schema's
            for table in side.tables()
        )


def _note_of(target: CopySide) -> tuple[str, ServerId]:
    with target.reading():
        source, until = next(target.each(_READ_NOTE))
        return source, until


def _copy(source: CopySide, target: CopySide, contents: Contents, say: Say, most_rows: int) -> None:
    """Copy one batch after the other, each noted in its own transaction."""
    tables, until = source.tables(), _note_of(target)[1]
    waiting = {server: rows for server, rows in contents.servers.items() if server > until}
    servers, unsaid = len(contents.servers) - len(waiting), 0
    for batch in batches(waiting, most_rows):
        with target.writing():
            note = f"UPDATE {NOTE} SET until = {batch.last:d} WHERE until = {until:d}"  # noqa: S608 - numbers
            if not target.has_note() or target.execute(note) != 1:
                raise CopyRefused(f"Another copy to {target.name} is going on: wait until it has ended.")
            for table in tables:
                if table.is_of_servers:
                    target.add(table, map(target.saved, source.each(table.rows(batch.first, batch.last))))
        until, servers, unsaid = batch.last, servers + batch.servers, unsaid + batch.rows
        if unsaid * PARTS >= contents.rows:
            unsaid = 0
            say(f"Copied {servers:,} of {several(len(contents.servers), 'server')}.")


def _compare(source: CopySide, target: CopySide, contents: Contents) -> None:
    """Compare every row.

    Raises:
        CopyRefused: If a row differs; a second copy may be right.
    """
    for table in source.tables():
        parts = (
            batches(contents.servers, ROWS_AT_ONCE)
            if table.is_of_servers
            else (Batch(NO_SERVER, NO_SERVER, 0, 0),)
        )
        for part in parts:
            query = table.rows(part.first, part.last)
            with target.reading():
                pairs = zip_longest(map(target.saved, source.each(query)), target.each(query))
                wrong = next((pair for pair in pairs if pair[0] != pair[1]), None)
            if wrong is not None:
                raise _differing(table, wrong[0] or wrong[1], target)
    with target.reading():
        if contents_of(target).fingerprint != contents.fingerprint:
            raise CopyRefused(f"{target.name} has rows of other servers: empty it, and copy again.")


def _has_same_versions(source: CopySide, target: CopySide) -> bool:
    """Return whether nothing was written in the source's servers since they were copied.

    Whoever writes in a server of PostgreSQL's changes its version. A file has nobody else who could.
    """
    with source.reading(), target.reading():
        return all(one == other for one, other in zip_longest(source.each(_VERSIONS), target.each(_VERSIONS)))


def _differing(table: CopiedTable, row: Found, target: CopySide) -> CopyRefused:
    key = ", ".join(f"{column} {value}" for column, value in zip(table.key, row, strict=False))
    return CopyRefused(
        f"The copy differs in {table.name} ({key}): empty {target.name}, and copy again while no bot runs."
    )


def _replayed(source: CopySide, target: CopySide, contents: Contents, say: Say, replay: Replay) -> Replayed:
    """Replay every journal; one with faults has to have the same in the source."""
    found, done, said = Replayed(), 0, 0
    for servers in _in_parts(contents.servers, SERVERS_AT_ONCE):
        with target.reader() as copy:
            of_these = replay(copy, servers)
        if of_these.faults:
            with source.reader() as original:
                is_same = replay(original, servers) == of_these
            if not is_same:
                raise CopyRefused(
                    f"The journals of {target.name} do not say the same: empty it, "
                    "and copy again while no bot runs."
                )
        found, done = found + of_these, done + len(servers)
        if len(contents.servers) > done >= said + len(contents.servers) / PARTS:
            said = done
            say(f"Replayed the journals of {done:,} of {several(len(contents.servers), 'server')}.")
    return found


def _in_parts(servers: Iterable[ServerId], most: int) -> Iterator[list[ServerId]]:
    rest = iter(servers)
    while part := list(islice(rest, most)):
        yield part
