"""What a store reports of its work, for whoever measures it."""

from contextlib import AbstractContextManager, nullcontext
from typing import Literal, TypeAlias

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
