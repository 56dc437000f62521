"""A connection that does not wait for PostgreSQL longer than Discord waits for the bot.

What takes too long the server stops by itself, and says so; it also ends transactions that nobody goes on
with, so that nothing stays locked. Where the network is cut, no word of that arrives: the bot gives up the
connection.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolTimeout

from bot.store.connection import Found, OutcomeUnknown, StoreUnavailable
from bot.store.database_files import EXAMPLE
from bot.store.postgres.patience import USUAL_PATIENCE
from bot.store.records import Kept

if TYPE_CHECKING:
    from psycopg.abc import PQGen


# Discord waits three seconds for an answer. A connection that nobody uses notices a cut network in seconds.
_USUAL: dict[str, str | int | None] = {
    "connect_timeout": 2,
    "application_name": "tablekeeper",
    "keepalives_idle": 3,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5000,  # milliseconds
}

# By SQLSTATE, or the class that it begins with (PostgreSQL's manual, appendix A).
_REASONS = {
    "08": "The database {name} cannot be reached ({detail}): check that it runs and has a connection left, "
    "and check its address.",
    "25P03": "The database {name} waited too long for the bot ({detail}): give the bot's machine more "
    "to work with; the bot goes on by itself.",
    "25006": "The database {name} takes no changes, as a standby: connect to its primary server.",
    "28": "The database {name} refuses the bot ({detail}): mend the user or the password in its address.",
    "3D000": "There is no database {name}: create it, or change the address.",
    "42501": "The database {name} refuses the bot ({detail}): make its user the owner of the database "
    "and of its tables.",
    "53100": "There is no room left for the database {name}: make room on its disk; "
    "the bot goes on by itself.",
    "53300": "The database {name} has no connection left: allow more; the bot goes on by itself.",
    "53": "The database {name} has no room to work ({detail}): give its server more; "
    "the bot goes on by itself.",
    "55P03": "Another program keeps the database {name} locked: end it; the bot goes on by itself.",
    "57014": "The database {name} takes too long ({detail}): look for what slows its server down; "
    "the bot goes on by itself.",
    "57": "The database {name} stopped what it did ({detail}); "
    "the bot goes on by itself when it is up again.",
    "58": "Reading or writing the database {name} failed ({detail}): check its disk; "
    "the bot goes on by itself when that works again.",
    "XX": "The database {name} failed ({detail}): see its server's log.",
    "XX001": "The database {name} is damaged ({detail}): stop the bot and restore a backup.",
}
_REASONS["25P04"] = _REASONS["57014"]  # PostgreSQL 17's transaction_timeout
_REASONS["XX002"] = _REASONS["XX001"]
_UNREACHED = _REASONS["08"]  # whatever was wrong: libpq gives an error in connecting no SQLSTATE
_AGAIN = ("40001", "40P01", "57P01")  # serialization failure, deadlock, ended by an administrator


def address_of(url: str) -> str:
    """Return an address with the settings that it leaves open, for psycopg.

    Raises:
        StoreUnavailable: If the address means nothing to PostgreSQL.
    """
    given = _parts(url)
    return make_conninfo(url, **{key: value for key, value in _USUAL.items() if key not in given})


def name_of(url: str) -> str:
    """Return a database as messages name it: without its user and password.

    Raises:
        StoreUnavailable: If the address means nothing to PostgreSQL.
    """
    parts = _parts(url)
    return f"{parts.get('dbname', 'of the user')} at {parts.get('host', 'localhost')}"


def _parts(url: str) -> Mapping[str, object]:
    try:
        return conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise StoreUnavailable(f"A PostgreSQL database has an address like {EXAMPLE}.") from error


class CommitUnanswered(psycopg.OperationalError):
    """A connection was lost while the server was told to commit: it may have done so, or not."""

    kept: Sequence[Kept] = ()  # what listeners would have been told


def is_passing(error: psycopg.Error, link: "psycopg.Connection[object]") -> bool:
    """Return whether a transaction may succeed if it is run again at once."""
    return error.sqlstate in _AGAIN or is_lost(error, link)


def is_lost(error: psycopg.Error, link: "psycopg.Connection[object]") -> bool:
    """Return whether a connection is lost, or leads to a server that is no longer the one to write to."""
    return link.broken or error.sqlstate == "25006"


def outage(error: BaseException, name: str, *, is_outcome_unknown: bool = False) -> StoreUnavailable | None:
    """Return what an error of PostgreSQL means to the operator.

    Args:
        name: The database, as messages name it.
        is_outcome_unknown: Whether the unit may have been committed all the same.

    Returns:
        None if the database is fine and the error is our fault.
    """
    if isinstance(error, StoreUnavailable):
        return error
    if not isinstance(error, psycopg.Error):
        return None
    state = error.sqlstate
    if state is None:
        is_lost = isinstance(error, (psycopg.OperationalError, PoolTimeout))
        reason = _UNREACHED if is_lost else None
    else:
        reason = _REASONS.get(state) or _REASONS.get(state[:2])
    detail = " ".join(str(error).split())
    if reason is None:
        return None
    unavailable = OutcomeUnknown if is_outcome_unknown else StoreUnavailable
    return unavailable(reason.format(name=name, detail=detail))


RV = TypeVar("RV")

LONG_ANSWER_SECONDS = 120.0  # of what nobody waits for

BEGIN_READING = (
    b"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '60s'"
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
