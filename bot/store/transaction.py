"""The reader and the transaction that units of work use."""

from bot.store.queries.campaign_queries import (
    CampaignReads,
    CampaignWrites,
    CommandReads,
    CommandWrites,
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
)
from bot.store.queries.countdown_queries import CountdownReads, CountdownWrites, DueTaskReads, DueTaskWrites
from bot.store.queries.journal_queries import JournalReads, JournalWrites, OfferReads, OfferWrites
from bot.store.queries.person_queries import PersonReads, PersonWrites
from bot.store.records import ServerId
from bot.store.store_errors import Unjournalled

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
