"""A store, in which units of work run: the same for every engine."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol, TypeAlias, TypeVar

from bot.store.records import Kept, Shards
from bot.store.transaction import Reader, Transaction

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
