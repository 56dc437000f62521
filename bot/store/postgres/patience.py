"""How long a store on PostgreSQL waits, and for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a unit of work waits, in seconds; Discord waits for three.

    Attributes:
        start: For the first connection.
        connection: For each of the others.
        answer: For all answers of the server.
        statement: For one of them, after which the server gives up by itself.
        lock: For a lock, after which the server gives up.
        unit: Until the server ends a transaction that nobody goes on with.
        retry: After that, nothing is tried again.
        least: For a connection or an answer, in the last try.
    """

    start: float = 2.0
    connection: float = 2.0
    answer: float = 2.5
    statement: float = 2.0
    lock: float = 1.8
    unit: float = 5.0
    retry: float = 1.5
    least: float = 0.4

    @property
    def limits(self) -> str:
        """The statements that tell the server."""
        limits = {
            "lock_timeout": self.lock,
            "statement_timeout": self.statement,
            "idle_in_transaction_session_timeout": self.unit,
        }
        return "; ".join(f"SET LOCAL {name} = '{seconds * 1000:.0f}ms'" for name, seconds in limits.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class LockTimes:
    """How long things take with the locks of shards, in seconds.

    Attributes:
        look: Between two looks at the locks.
        silence: How long a process counts on its locks after a query that was answered.
        release: How long the server keeps the locks of a process that it hears nothing from.
        retry: Between two tries to reach the server.
        turn: Between two looks at who may identify, while somebody waits.
        identify: The least time between two identifies of a bucket.
    """

    look: float = 1.0
    silence: float = 5.0
    release: float = 7.0
    retry: float = 0.25
    turn: float = 0.25
    identify: float = 5.0


USUAL_PATIENCE = Patience()
USUAL_TIMES = LockTimes()
