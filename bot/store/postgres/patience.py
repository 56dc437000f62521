"""How long a store on PostgreSQL waits, and for what."""

from msgspec import Struct


class Patience(Struct, frozen=True, kw_only=True):
    """How long a unit of work waits, in seconds; Discord waits for three."""

    start: float = 2.0  # for the first connection
    connection: float = 2.0  # for each of the others
    answer: float = 2.5  # for all answers of the server
    statement: float = 2.0  # for one of them, after which the server gives up by itself
    lock: float = 1.8  # for a lock, after which the server gives up
    unit: float = 5.0  # until the server ends a transaction that nobody goes on with
    retry: float = 1.5  # after that, nothing is tried again
    least: float = 0.4  # for a connection or an answer, in the last try

    @property
    def limits(self) -> str:
        """The statements that tell the server."""
        limits = {
            "lock_timeout": self.lock,
            "statement_timeout": self.statement,
            "idle_in_transaction_session_timeout": self.unit,
        }
        return "; ".join(f"SET LOCAL {name} = '{seconds * 1000:.0f}ms'" for name, seconds in limits.items())


class LockTimes(Struct, frozen=True, kw_only=True):
    """How long things take with the locks of shards, in seconds."""

    look: float = 1.0  # between two looks at the locks
    silence: float = 5.0  # how long a process counts on its locks after a query that was answered
    release: float = 7.0  # how long the server keeps the locks of a process that it hears nothing from
    retry: float = 0.25  # between two tries to reach the server
    turn: float = 0.25  # between two looks at who may identify, while somebody waits
    identify: float = 5.0  # the least time between two identifies of a bucket


USUAL_PATIENCE = Patience()
USUAL_TIMES = LockTimes()
