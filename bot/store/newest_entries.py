"""The newest journal entries of a memory: what is pressed next is most often what was just journalled."""

from collections.abc import Sequence

from bot.store.connection import Found
from bot.store.records import ServerId

MOST_ENTRIES = 32

Place = tuple[ServerId, int]  # a server, and the id of one of its entries or follow-ups


class NewestEntries:
    """Rows of entries, with what was added to them since: follow-ups, messages, entries shown there.

    Whoever writes one of these rows another way forgets it here.

    Attributes:
        entries: Entries as they are read.
        follow_ups: The follow-ups in *offered* as they are read, with their id second and their entry fourth.
        messages: The channel and message of entries; None if there is none yet.
        offered: The ids of all follow-ups of entries, in order.
        shown_in: The ids of all entries shown in the message of others, in order.
    """

    __slots__ = ("entries", "follow_ups", "messages", "offered", "shown_in")

    def __init__(self) -> None:
        self.entries: dict[Place, Found] = {}
        self.follow_ups: dict[Place, Found] = {}
        self.messages: dict[Place, Found | None] = {}
        self.offered: dict[Place, tuple[int, ...]] = {}
        self.shown_in: dict[Place, tuple[int, ...]] = {}

    def copy(self) -> "NewestEntries":
        """Return the same, to be changed apart from this."""
        copied = NewestEntries()
        for name in self.__slots__:
            getattr(copied, name).update(getattr(self, name))
        return copied

    def clear(self) -> None:
        """Forget everything."""
        for name in self.__slots__:
            getattr(self, name).clear()

    def add(self, server: ServerId, id_: int, row: Found, shown_in: int | None) -> None:
        """Remember a new entry, to which nothing was added yet.

        Args:
            server: The server.
            id_: Its id.
            row: The entry as it will be read.
            shown_in: The entry in whose message it is shown.
        """
        place, shown_where = (server, id_), (server, shown_in or 0)
        self.entries[place] = row
        self.messages[place] = None
        self.offered[place] = self.shown_in[place] = ()
        if shown_where in self.shown_in:
            self.shown_in[shown_where] += (id_,)
        self._keep_few()

    def know(self, server: ServerId, id_: int, row: Found) -> None:
        """Remember an entry that was read, without what was added to it."""
        self.entries[server, id_] = row
        self._keep_few()

    def put_message(self, server: ServerId, entry: int, found: Found | None) -> None:
        """Remember the channel and message of an entry that is known."""
        if (server, entry) in self.entries:
            self.messages[server, entry] = found

    def know_offers(self, server: ServerId, entry: int, rows: Sequence[Found]) -> None:
        """Remember all follow-ups of an entry that is known."""
        if (server, entry) in self.entries:
            self.offered[server, entry] = tuple(row[1] for row in rows)
            self.follow_ups.update(((server, row[1]), row) for row in rows)

    def offer(self, server: ServerId, row: Found) -> None:
        """Remember a new follow-up, if all that its entry had are known."""
        _server, id_, _campaign, entry, *_ = row
        if (server, entry) in self.offered:
            self.follow_ups[server, id_] = row
            self.offered[server, entry] += (id_,)

    def close(self, server: ServerId, entry: int, group: str, closed_by: int) -> None:
        """Close the open follow-ups of an entry's group, if all that it has are known."""
        for id_ in self.offered.get((server, entry), ()):
            *row, of_group, closed = self.follow_ups[server, id_]
            if of_group == group and closed is None:
                self.follow_ups[server, id_] = (*row, of_group, closed_by)

    def offers(self, server: ServerId, entry: int) -> list[Found] | None:
        """Return all follow-ups of an entry; None if they are not known."""
        ids = self.offered.get((server, entry))
        return None if ids is None else [self.follow_ups[server, id_] for id_ in ids]

    def shown(self, server: ServerId, entry: int) -> list[Found] | None:
        """Return all entries shown in the message of another; None if they are not known."""
        ids = self.shown_in.get((server, entry))
        found = [self.entries.get((server, id_)) for id_ in ids or ()]
        return None if ids is None or None in found else [row for row in found if row is not None]

    def _keep_few(self) -> None:
        if len(self.entries) > MOST_ENTRIES:
            self.forget(*next(iter(self.entries)))

    def forget(self, server: ServerId, entry: int) -> None:
        """Forget an entry with all that was added to it."""
        self.entries.pop((server, entry), None)
        self.messages.pop((server, entry), None)
        self.shown_in.pop((server, entry), None)
        for id_ in self.offered.pop((server, entry), ()):
            del self.follow_ups[server, id_]

    def forget_offers(self) -> None:
        """Forget the follow-ups of every entry."""
        self.offered.clear()
        self.follow_ups.clear()
