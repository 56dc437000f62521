"""A connection that does not wait for PostgreSQL longer than Discord waits for the bot.

What takes too long the server stops by itself, and says so; it also ends transactions that nobody goes on
with, so that nothing stays locked. Where the network is cut, no word of that arrives: the bot gives up the
connection.
"""

from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from bot.store.connection import Found
from bot.store.postgres.patience import USUAL_PATIENCE

if TYPE_CHECKING:
    from psycopg.abc import PQGen

RV = TypeVar("RV")

LONG_ANSWER_SECONDS = 120.0  # of what nobody waits for

BEGIN_READING = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '60s'"
)
TAKE_LONG = "SET LOCAL statement_timeout = '120s'"


class ImpatientLink(psycopg.Connection[Found]):
    """A connection that is given up as soon as the server is silent for too long.

    Attributes:
        patience: How long units of work wait.
        answer_seconds: How long one answer may take.
    """

    patience = USUAL_PATIENCE
    answer_seconds = USUAL_PATIENCE.answer

    def wait(self, gen: "PQGen[RV]", interval: float = 0.1, timeout: float | None = None) -> RV:
        """Wait for the server.

        Raises:
            OperationalError: If it is silent for too long; the connection is closed.
        """
        limit = self.answer_seconds if timeout is None else timeout
        try:
            return super().wait(gen, interval, limit)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no answer for {limit:.1f} seconds") from error


def is_pooled(link: "psycopg.Connection[Found]") -> bool:
    """Return whether a pooler is in between (PgBouncer): it doesn't tell which process of the server it asks.

    Each transaction may then meet another process, which knows none of the prepared statements.
    """
    return link.execute("SELECT pg_backend_pid()").fetchone() != (link.info.backend_pid,)
