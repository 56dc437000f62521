"""Tasks that wait for their time, and live messages: where they are and which of them a change may affect."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.store.records import (
    BoardRecord,
    CampaignId,
    DueTask,
    EntryId,
    EntryRecord,
    FollowUpId,
    Kept,
    MessageRecord,
    ServerId,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Request
from bot.table.base.table import Table

__all__ = [
    "LEFT_SERVER",
    "MISSED",
    "PRESS",
    "RECAP",
    "REMIND",
    "REMIND_EARLY",
    "WELCOMED",
    "BoardRecord",
    "DueTask",
    "LiveRows",
    "MessagePlace",
    "News",
    "RowKey",
    "claim",
    "due",
    "note_done",
]

PRESS: Final = "press"  # press a follow-up that nobody has pressed; its id
RECAP: Final = "recap"  # post the recap of a session that ended by itself; the id of the entry that ended it
LEFT_SERVER: Final = (
    "left"  # delete the data of a server that removed the bot; its id is 0, due since that was
)
MISSED: Final = "missed"  # tell a result about which Discord took no answer; the id of its entry
REMIND: Final = "remind"  # remind people of a planned session; the id of its campaign
REMIND_EARLY: Final = "early"  # remind people of it a day before; the id of its campaign
WELCOMED: Final = "welcomed"  # forget that a server was welcomed; its id is 0, due since that was
CLAIM_SECONDS = 60  # how long somebody has who does a task, before another tries


async def due(table: Table, kind: str) -> tuple[DueTask, ...]:
    """Return the tasks due now that this process has to do, also from before a restart, longest due first."""
    return tuple(await table.store.read(lambda reader: reader.due_tasks(kind, table.now(), table.shards)))


def claim(table: Table, tx: Transaction, task: DueTask) -> bool:
    """Claim a task for a while; return False if somebody else has it or has done it."""
    return tx.postpone_due_task(task, table.now() + CLAIM_SECONDS)


async def note_done(table: Table, task: DueTask) -> None:
    """Note that a task has been done and posted, or is no longer needed."""
    await table.store.run(lambda tx: tx.drop_due_task(task))


PlaceT = TypeVar("PlaceT")
RowKey: TypeAlias = tuple[ServerId, CampaignId, str]


class News(Struct, frozen=True):
    """News of a change in a campaign."""

    server: ServerId
    campaign: CampaignId
    turned: EntryId | None = None  # the earlier entry that was undone or restored; None for something new
    entry: EntryId | None = None  # the entry itself, where the messages go by it


def _no_more(_table: Table, _reader: Reader, _news: News) -> tuple[()]:
    return ()


class LiveRows(Struct, Generic[PlaceT], frozen=True, kw_only=True):
    """The stored rows of one kind of live message: its id, and what it showed last.

    They are not part of the game: not journalled, and untouched by an undo.
    """

    kind: str  # the kind of the rows, or its prefix
    tables: frozenset[str]  # the tables that such a message shows
    place_of: Callable[[BoardRecord], PlaceT]  # makes the place of a row
    # Returns the key of the row of a place; None if there is no such place.
    key_of: Callable[[Reader, PlaceT], RowKey | None]
    # Finds affected messages that have no row, or none yet.
    more: Callable[[Table, Reader, News], Iterable[PlaceT]] = _no_more
    by_entries: frozenset[str] = frozenset()  # the tables where a change of them makes that need its entry
    are_made_when_posted: bool = False  # whether a message posted without a row gets one

    async def campaigns(self, table: Table) -> list[News]:
        """Return news for every campaign, of the servers looked after, that has such a message."""
        rows = await table.store.read(lambda reader: reader.every_board(self.kind, table.shards))
        return list(dict.fromkeys(News(row.server, row.campaign) for row in rows))

    async def changed_by(self, table: Table, news: News) -> list[PlaceT]:
        """Return the messages that the change may affect."""

        def query(reader: Reader) -> list[PlaceT]:
            rows = reader.boards(news.server, news.campaign)
            own = [self.place_of(row) for row in rows if self._is_one(row)]
            return list(dict.fromkeys((*own, *self.more(table, reader, news))))

        return await table.together.read(table.store, query)

    def _is_one(self, row: BoardRecord) -> bool:
        return row.kind == self.kind or row.kind.startswith(f"{self.kind}/")

    def row(self, reader: Reader, place: PlaceT) -> BoardRecord | None:
        """Return where a message is and what it showed last, if stored."""
        key = self.key_of(reader, place)
        return None if key is None else reader.board(*key)

    async def note_shown(
        self, table: Table, place: PlaceT, before: int | None, channel: int, message: int, mark: str
    ) -> bool:
        """Note the message's id and what it shows.

        Args:
            before: The id it had before.
            message: The id it has now.
            mark: The fingerprint of what it shows.

        Returns:
            False if it no longer belongs there, because it was moved meanwhile.
        """

        def unit(tx: Transaction) -> bool:
            key = self.key_of(tx, place)
            row = None if key is None else tx.board(*key)
            if row is None and key is not None and self.are_made_when_posted and before is None:
                server, campaign, kind = key
                row = BoardRecord(server=server, campaign=campaign, kind=kind, channel=channel)
            if row is None or row.channel != channel or row.message not in (before, message):
                return False
            tx.save_board(replace(row, message=message, shown=mark))
            return True

        return await table.store.run(unit)

    async def forget(self, table: Table, place: PlaceT) -> None:
        """Forget a message that is over or gone."""

        def unit(tx: Transaction) -> None:
            key = self.key_of(tx, place)
            if key is not None:
                tx.drop_board(*key)

        await table.store.run(unit)

    def listen(self, table: Table, tell: Callable[[News, bool], None]) -> Callable[[], None]:
        """Call a listener after each commit with news of each change.

        Args:
            tell: Called with the news, and whether a table that such messages show has changed.

        Returns:
            A function that stops it.
        """

        def hear(saved: Kept) -> None:
            concerns = saved.turned is not None or not self.tables.isdisjoint(saved.tables)
            goes_by_it = saved.turned is not None or not self.by_entries.isdisjoint(saved.tables)
            entry = saved.entry if goes_by_it else None
            tell(News(saved.server, saved.campaign, saved.turned, entry), concerns)

        return table.store.listen(hear)


# --- desks in channels -------------------------------------------------------------------------
DESK = "desk"  # how the kind of a row begins that says where a desk stands


class DeskPlace(Struct, frozen=True):
    """A desk in a channel, named by the channel that it leads."""

    server: ServerId
    campaign: CampaignId
    home: int


def desk_key(place: DeskPlace) -> RowKey:
    """Return the key of a desk's row."""
    return place.server, place.campaign, f"{DESK}/{place.home}"


DESK_ROWS = LiveRows(
    kind=DESK,
    tables=frozenset(
        {"campaigns", "characters", "countdowns", "countdown_ticks", "documents", "resources"}
        | {"sessions", "timers", "wounds"}
    ),
    place_of=lambda row: DeskPlace(row.server, row.campaign, int(row.kind.partition("/")[2])),
    key_of=lambda _reader, place: desk_key(place),
)


# --- the messages of results -------------------------------------------------------------------


class MessagePlace(Struct, frozen=True):
    """A message, named by the entry it was posted for."""

    server: ServerId
    entry: EntryId


def note_pressed(tx: Transaction, request: Request, entry: EntryRecord) -> None:
    """Save where the pressed message is, to update it later."""
    if request.message is not None and not entry.is_secret:
        place = MessagePlace(entry.server, opening_of(tx, entry).id)
        pressed = _record(place, request.channel, request.message)
        if tx.message(place.server, place.entry) != pressed:
            tx.save_message(pressed)


async def note_posted(table: Table, posted: Mapping[MessagePlace, tuple[int, int]]) -> None:
    """Save in which channel and message something has been posted."""

    def unit(tx: Transaction) -> None:
        for place, (channel, message) in posted.items():
            tx.save_message(_record(place, channel, message))

    await table.store.run(unit)


def _record(place: MessagePlace, channel: int, message: int) -> MessageRecord:
    return MessageRecord(server=place.server, entry=place.entry, channel=channel, message=message)


async def place_of(table: Table, server: ServerId, follow_up: FollowUpId) -> MessagePlace | None:
    """Return the message that offers a follow-up, or None."""

    def query(reader: Reader) -> MessagePlace | None:
        record = reader.follow_up(server, follow_up)
        entry = None if record is None else reader.entry(server, record.entry)
        return None if entry is None else MessagePlace(server, opening_of(reader, entry).id)

    return await table.store.read(query)


def place_with(reader: Reader, place: MessagePlace) -> MessagePlace:
    """Return the message that shows an entry."""
    entry = reader.entry(place.server, place.entry)
    return place if entry is None else MessagePlace(place.server, opening_of(reader, entry).id)


def opening_of(reader: Reader, entry: EntryRecord) -> EntryRecord:
    """Return the entry whose message shows the given entry."""
    found = None if entry.shown_in is None else reader.entry(entry.server, entry.shown_in)
    return found or entry
