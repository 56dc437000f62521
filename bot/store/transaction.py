"""A store and its units of work, the same for every engine; and opening the store that a URL names."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol, TypeAlias, TypeVar

from bot.store.connection import Unjournalled
from bot.store.database_files import POSTGRES
from bot.store.postgres.patience import USUAL_PATIENCE, Patience
from bot.store.queries.campaign_queries import (
    CampaignReads,
    CampaignWrites,
    CommandReads,
    CommandWrites,
    CountdownReads,
    CountdownWrites,
    DueTaskReads,
    DueTaskWrites,
    MeetingReads,
    MeetingWrites,
    OwnGameReads,
    OwnGameWrites,
    SessionReads,
    SessionWrites,
)
from bot.store.queries.character_queries import (
    CharacterReads,
    CharacterWrites,
    FavoriteReads,
    FavoriteWrites,
    PersonReads,
    PersonWrites,
)
from bot.store.queries.journal_queries import JournalReads, JournalWrites, OfferReads, OfferWrites
from bot.store.records import Kept, ServerId, Shards

# Every table with something of a server's games in it; those that refer to another stand before it.
TABLES = (
    "follow_ups",
    "boards",
    "messages",
    "due_tasks",
    "drafts",
    "favourites",
    "reveals",
    "meetings",
    "entries",
    "seeds",
    "sessions",
    "documents",
    "countdown_ticks",
    "countdowns",
    "current_characters",
    "portraits",
    "handout_pictures",
    "timers",
    "wounds",
    "resources",
    "characters",
    "gms",
    "places",
    "campaigns",
    "own_games",
    "own_game_versions",
)


_PURGED_BY = "SELECT purged_by FROM servers WHERE server_id = ?"
_NOTE_PURGE = """
INSERT INTO servers (server_id, purged_by) VALUES (?, ?)
ON CONFLICT (server_id) DO UPDATE SET purged_by = excluded.purged_by
"""


class Reader(
    CampaignReads,
    CharacterReads,
    SessionReads,
    CountdownReads,
    JournalReads,
    OfferReads,
    FavoriteReads,
    PersonReads,
    MeetingReads,
    DueTaskReads,
    CommandReads,
    OwnGameReads,
):
    """Reads on a connection."""

    __slots__ = ()


class Transaction(
    CampaignWrites,
    CharacterWrites,
    SessionWrites,
    CountdownWrites,
    JournalWrites,
    OfferWrites,
    FavoriteWrites,
    PersonWrites,
    MeetingWrites,
    DueTaskWrites,
    CommandWrites,
    OwnGameWrites,
    Reader,
):
    """Reads and writes on a connection."""

    __slots__ = ()

    def purge_server(self, server: ServerId, by: str | None = None) -> None:
        """Remove every row of a server, for good.

        Args:
            by: The interaction that asks for it; nothing is removed if it did so before.
        """
        if by is not None:
            if self._one(_PURGED_BY, server) == (by,):
                return
            self._run(_NOTE_PURGE, server, by)
        self._connection.take_long()
        for table in TABLES:
            self._run(f"DELETE FROM {table} WHERE server_id = ?", server)  # noqa: S608 - names are constants
        self._changes.collected.clear()
        self._changes.forget(server)

    @property
    def has_written(self) -> bool:
        """Whether it has written something that is remembered."""
        return self._changes.has_written

    def require_journalled(self) -> None:
        """Check that nothing was changed without a journal entry.

        Raises:
            Unjournalled: If something was.
        """
        if self._changes.collected:
            raise Unjournalled(", ".join(change.table for change in self._changes.collected))


# A unit or a look-up, from being asked for until it is over; the wait for a server's turn in this process,
# and for its row in the database, beside other processes.
StoreWork: TypeAlias = Literal["write", "read", "turn", "row"]


class StoreObserver:
    """Hears of a store's work, on the event loop and in threads. This one ignores it."""

    def during(self, work: StoreWork) -> AbstractContextManager[None]:
        """Return a context that lasts as long as a piece of work."""
        return nullcontext()

    def retried(self) -> None:
        """Hear that a transaction is run again, because of a conflict or a lost connection."""


T = TypeVar("T")


class Store(Protocol):
    """A store, in which units of work run."""

    # Whose servers this process looks after; replaced whenever that changes. A program beside the bot looks
    # after none, so that its changes are told to the bot.
    shards: Shards
    observer: StoreObserver  # hears of its work

    async def run(self, unit: Callable[[Transaction], T]) -> T:
        """Run a unit of work in one transaction; return its result after the commit.

        Raises:
            StoreUnavailable: If the database can't be written just now; nothing was changed.
            OutcomeUnknown: If it can't be told any more whether something was; PostgreSQL only.
            Unjournalled: If the unit changed something without an entry; nothing was changed.
        """
        ...

    async def read(self, query: Callable[[Reader], T]) -> T:
        """Run a query in a read-only transaction; it sees a consistent snapshot.

        Raises:
            StoreUnavailable: If the database can't be read just now.
        """
        ...

    def listen(self, listener: Callable[[Kept], None]) -> Callable[[], None]:
        """Call a listener after each commit with every new journal entry of the servers looked after.

        The listener is called on the event loop and must not wait for anything. On PostgreSQL it is told of
        what other processes write there, too.

        Returns:
            A function that stops it.
        """
        ...

    async def close(self) -> None:
        """Finish waiting work, and close the database."""
        ...


async def open_store(url: str, patience: Patience = USUAL_PATIENCE) -> Store:
    """Open or make the database, and migrate it to this program's schema.

    Args:
        url: ``sqlite:///`` and the name of a file, or libpq's address of a PostgreSQL database.
        patience: How long units of work wait on PostgreSQL.

    Raises:
        StoreUnavailable: If it can't be used; the reason says what to do.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_store import open_postgres  # only who uses it pays for loading it

        return await open_postgres(url, patience)
    from bot.store.sqlite import open_store as open_sqlite

    return await open_sqlite(url)
