"""The countdown board of a campaign: where it is, and what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.rules.kernel import Choice
from bot.rules.shared.countdowns import Status, Visibility
from bot.store.records import BoardRecord, CampaignId, CountdownRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, access_here, access_in, gm_access_here
from bot.table.base.live_rows import LiveRows
from bot.table.base.posting import posting_notes, require_posting
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.journal.suggest import matching
from bot.table.play.countdowns import CountdownView, check_keys, find_countdown, may_know, view

BOARD = "countdowns"
Stood: TypeAlias = BoardRecord  # where a board stood before it was put elsewhere
LATEST_OVER = 10
MOST = 1000


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """The campaign a board belongs to."""

    server: ServerId
    campaign: CampaignId


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board as everybody should see it.

    Attributes:
        place: The campaign it belongs to.
        campaign: Name of the campaign.
        channel: The channel it is in.
        message: Its message; None before it is posted.
        shown: The fingerprint of what it showed last.
        countdowns: The running ones that everybody may know of, with the two of a duel side by side.
    """

    place: BoardPlace
    campaign: str
    channel: int
    message: int | None
    shown: str
    countdowns: tuple[CountdownView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Countdowns as a person may see them.

    Attributes:
        campaign: Name of the campaign.
        is_gm: Whether the person sees the GM's view.
        running: The running ones.
        over: The latest of those that are over.
    """

    campaign: str
    is_gm: bool
    running: tuple[CountdownView, ...]
    over: tuple[CountdownView, ...]


def keep_a_board(tx: Transaction, access: Access) -> tuple[str, ...]:
    """Make sure the campaign has a board: where it is already, else in this channel.

    Returns:
        What to tell if it has none, because the bot may not post here.
    """
    server, campaign = access.campaign.server, access.campaign.id
    if tx.board(server, campaign, BOARD) is not None:
        return ()
    if access.request.lacks:
        return posting_notes(access.request, "There is no board yet; post one with /gm countdown board:")
    channel = access.request.channel
    tx.save_board(BoardRecord(server=server, campaign=campaign, kind=BOARD, channel=channel))
    return ()


ROWS = LiveRows(
    kind=BOARD,
    tables=frozenset({"countdowns", "campaigns"}),
    place_of=lambda row: BoardPlace(row.server, row.campaign),
    key_of=lambda _reader, place: (place.server, place.campaign, BOARD),
)


async def place_board(table: Table, request: Request) -> tuple[BoardPlace, Stood | None]:
    """Put the board into this channel, as its newest message.

    Returns:
        The board's campaign, and where the board was before.

    Raises:
        UserError: If the person is not a GM, or the bot may not post here.
    """

    def unit(tx: Transaction) -> tuple[BoardPlace, Stood | None]:
        access = gm_access_here(table, tx, request)
        require_posting(request)
        server, campaign = access.campaign.server, access.campaign.id
        before = tx.board(server, campaign, BOARD)
        tx.save_board(BoardRecord(server=server, campaign=campaign, kind=BOARD, channel=request.channel))
        return BoardPlace(server, campaign), before

    return await table.store.run(unit)


async def put_back(table: Table, place: BoardPlace, before: Stood | None) -> None:
    """Restore the board's earlier place after posting it again failed."""

    def unit(tx: Transaction) -> None:
        if before is None:
            tx.drop_board(place.server, place.campaign, BOARD)
        else:
            tx.save_board(before)

    await table.store.run(unit)


async def board(table: Table, place: BoardPlace) -> Board | None:
    """Return the board as it should look now; None if the campaign has none."""

    def query(reader: Reader) -> Board | None:
        stored = reader.board(place.server, place.campaign, BOARD)
        campaign = reader.campaign(place.server, place.campaign)
        if stored is None or campaign is None:
            return None
        running = reader.countdowns(place.server, place.campaign, limit=MOST)
        known = [one for one in running if one.visibility != Visibility.GM]
        return Board(
            place=place,
            campaign=campaign.name,
            channel=stored.channel,
            message=stored.message,
            shown=stored.shown,
            countdowns=tuple(view(reader, one, is_gm=False) for one in beside(known)),
        )

    return await table.store.read(query)


def beside(countdowns: Sequence[CountdownRecord]) -> list[CountdownRecord]:
    """Return the countdowns in order, but with the two of a duel side by side."""
    by_id = {one.id: one for one in countdowns}
    ordered: dict[int, CountdownRecord] = {}
    for one in countdowns:
        ordered.setdefault(one.id, one)
        if one.rival is not None and one.rival in by_id:
            ordered.setdefault(one.rival, by_id[one.rival])
    return list(ordered.values())


# --- looking -----------------------------------------------------------------------------------


async def listing(
    table: Table, request: Request, name: str | None = None, *, campaign: CampaignId | None = None
) -> Listing:
    """Return the countdowns of a campaign, or one of them, as far as the person may know.

    Args:
        table: The table.
        request: Who asks.
        name: The name of one; by default all.
        campaign: The campaign; by default that of the place.

    Raises:
        UserError: If there is none of that name that the person may know of.
    """

    def query(reader: Reader) -> Listing:
        access = _access(table, reader, request, campaign)
        server, id_ = access.campaign.server, access.campaign.id
        if name is None:
            running = beside(reader.countdowns(server, id_, limit=MOST))
            over = reader.countdowns(server, id_, are_over=True, limit=MOST)
        else:
            found = find_countdown(reader, access, name)
            running, over = ([found], []) if found.status == Status.RUNNING else ([], [found])
        return Listing(
            campaign=access.campaign.name,
            is_gm=access.is_gm,
            running=_views(reader, access, running),
            over=_views(reader, access, over)[:LATEST_OVER],
        )

    return await table.store.read(query)


def _access(table: Table, reader: Reader, request: Request, campaign: CampaignId | None) -> Access:
    found = None if campaign is None else reader.campaign(request.server, campaign)
    return access_here(table, reader, request) if found is None else access_in(table, reader, request, found)


def _views(reader: Reader, access: Access, found: Sequence[CountdownRecord]) -> tuple[CountdownView, ...]:
    return tuple(view(reader, one, is_gm=access.is_gm) for one in found if may_know(access, one))


async def choices(
    table: Table, request: Request, typed: str, *, are_over: bool = False, for_gm: bool = False
) -> list[Choice]:
    """Return the names of countdowns that the person may know of.

    Args:
        table: The table.
        request: Who asks.
        typed: The part of a name typed so far.
        are_over: Whether to include those that are over.
        for_gm: Whether to offer names only to a GM.
    """

    def query(reader: Reader) -> list[Choice]:
        access = access_here(table, reader, request)
        if for_gm and not access.is_gm:
            return []
        server, campaign = access.campaign.server, access.campaign.id
        found = reader.countdowns(server, campaign, limit=MOST)
        if are_over:
            found += reader.countdowns(server, campaign, are_over=True, limit=MOST)
        names = [one.name for one in found if may_know(access, one)]
        return [Choice(name, name) for name in matching(names, typed)]

    return await table.store.read(query)


async def link_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the ruleset's procedures that a countdown can follow."""

    def query(reader: Reader) -> list[Choice]:
        access = access_here(table, reader, request)
        return [Choice(key, key) for key in matching(check_keys(access), typed)]

    return await table.store.read(query)


async def gm_listing(table: Table, request: Request, campaign: int | None = None) -> Listing:
    """Return the same for a GM; anybody else is refused.

    Raises:
        UserError: If the person is not a GM.
    """
    found = await listing(table, request, campaign=None if campaign is None else CampaignId(campaign))
    if not found.is_gm:
        raise ForGmOnly("Only a GM can see that.")
    return found
