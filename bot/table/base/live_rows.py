"""Where live messages stand, and which of them may show something else after something has happened."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from bot.store.boundary import Reader, Transaction
from bot.store.records import BoardRecord, CampaignId, EntryId, Kept, ServerId
from bot.table.base.table import Table

__all__ = ["BoardRecord", "LiveRows", "News", "RowKey"]

PlaceT = TypeVar("PlaceT")
RowKey: TypeAlias = tuple[ServerId, CampaignId, str]


@dataclass(frozen=True, slots=True)
class News:
    """Something has happened in a campaign.

    Attributes:
        server: Where.
        campaign: In which game.
        turned: The earlier entry that was undone or stands again; None where something new was done.
    """

    server: ServerId
    campaign: CampaignId
    turned: EntryId | None = None


async def _no_more(_table: Table, _news: News) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRows(Generic[PlaceT]):
    """The rows of one kind of live message: which message it is, and what it showed last.

    They are no part of the game: not journalled, and an undo leaves them.

    Attributes:
        kind: The kind of the rows, or how their kinds begin.
        tables: The tables that such a message is made of.
        place_of: What the place of a row is called.
        key_of: The key of the row of a place; None where there is no such place.
        more: What has no row of its own, or none yet, and may show something else now.
        are_made_when_posted: Whether a message that has been posted without a row gets one.
    """

    kind: str
    tables: frozenset[str]
    place_of: Callable[[BoardRecord], PlaceT]
    key_of: Callable[[Reader, PlaceT], RowKey | None]
    more: Callable[[Table, News], Awaitable[Iterable[PlaceT]]] = _no_more
    are_made_when_posted: bool = False

    async def campaigns(self, table: Table) -> list[News]:
        """Every campaign that has such a message, as though something had happened there."""
        rows = await table.store.read(lambda reader: reader.every_board(self.kind))
        return list(dict.fromkeys(News(row.server, row.campaign) for row in rows))

    async def changed_by(self, table: Table, news: News) -> list[PlaceT]:
        """The messages that may show something else now."""
        rows = await table.store.read(lambda reader: reader.boards(news.server, news.campaign))
        own = [self.place_of(row) for row in rows if self._is_one(row)]
        return list(dict.fromkeys((*own, *await self.more(table, news))))

    def _is_one(self, row: BoardRecord) -> bool:
        return row.kind == self.kind or row.kind.startswith(f"{self.kind}/")

    def row(self, reader: Reader, place: PlaceT) -> BoardRecord | None:
        """Where a message stands and what it showed last, if that is stored."""
        key = self.key_of(reader, place)
        return None if key is None else reader.board(*key)

    async def note_shown(
        self, table: Table, place: PlaceT, before: int | None, channel: int, message: int, mark: str
    ) -> bool:
        """Note which message it is and what it shows.

        Args:
            table: The table.
            place: The place.
            before: Which message it was.
            channel: Where it stands.
            message: Which message it is now.
            mark: The mark of what it shows.

        Returns:
            False where it is not to stand there any more, because it has been put elsewhere meanwhile.
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
        """Have somebody told, after each commit, where something has happened.

        Args:
            table: The table.
            tell: Called with that, and with whether something has changed that such messages are made of.

        Returns:
            What ends it.
        """

        def hear(kept: Kept) -> None:
            concerns = kept.turned is not None or not self.tables.isdisjoint(kept.tables)
            tell(News(kept.server, kept.campaign, kept.turned), concerns)

        return table.store.listen(hear)
