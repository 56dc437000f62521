"""Desks that stand in channels: where they are, and what they show."""

from dataclasses import dataclass, replace

from bot.rules.kernel.errors import UserError
from bot.store.records import BoardRecord, CampaignId, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import access_in, gm_access_here
from bot.table.base.live_rows import LiveRows
from bot.table.base.request import Request, of_nobody
from bot.table.base.table import Table
from bot.table.gm.desk import DESK, Desk, desk_from


@dataclass(frozen=True, slots=True)
class DeskPlace:
    """A desk in a channel, named by the channel that it leads."""

    server: ServerId
    campaign: CampaignId
    home: int


@dataclass(frozen=True, slots=True)
class StandingDesk:
    """A desk in a channel as it should look now.

    Attributes:
        desk: What it shows.
        row: Where it is.
    """

    desk: Desk
    row: BoardRecord


@dataclass(frozen=True, slots=True)
class Insiders:
    """Who may see a desk in a channel: the people who are GMs, and the role that makes somebody one."""

    people: frozenset[int]
    role: int | None


async def insiders(table: Table, server: ServerId, campaign: CampaignId) -> Insiders:
    """Return who may see a campaign's desk, besides those who manage the server."""

    def query(reader: Reader) -> Insiders:
        found = reader.campaign(server, campaign)
        return Insiders(frozenset(reader.gms(server, campaign)), None if found is None else found.gm_role)

    return await table.store.read(query)


async def campaign_of(table: Table, request: Request) -> CampaignId:
    """Return the campaign whose desk a person asks for.

    Raises:
        UserError: If they are not its GM.
    """

    def query(reader: Reader) -> CampaignId:
        access = gm_access_here(table, reader, request)
        return access.campaign.id

    return await table.store.read(query)


async def place_desk(table: Table, request: Request, channel: int) -> tuple[DeskPlace, BoardRecord | None]:
    """Put the desk that leads the request's channel into another channel.

    Returns:
        The desk, and where it stood before.

    Raises:
        UserError: If the person is not a GM, or the channel belongs to another campaign.
    """

    def unit(tx: Transaction) -> tuple[DeskPlace, BoardRecord | None]:
        access = gm_access_here(table, tx, request)
        there = tx.campaign_at(request.server, (channel, *request.places[1:]))
        if there is None or there.id != access.campaign.id:
            raise UserError(
                f"That channel doesn't belong to {access.campaign.name}.", "Add it with /campaign bind first."
            )
        place = DeskPlace(access.campaign.server, access.campaign.id, request.channel)
        before = tx.board(*_row_key(place))
        server, campaign, kind = _row_key(place)
        tx.save_board(BoardRecord(server=server, campaign=campaign, kind=kind, channel=channel))
        return place, before

    return await table.store.run(unit)


async def put_back(table: Table, place: DeskPlace, before: BoardRecord | None) -> None:
    """Restore where a desk stood, such as after it could not be posted elsewhere."""

    def unit(tx: Transaction) -> None:
        if before is None:
            tx.drop_board(*_row_key(place))
        else:
            tx.save_board(before)

    await table.store.run(unit)


async def take_away(table: Table, request: Request) -> BoardRecord | None:
    """Forget the desk that leads the request's channel, and return where it stood.

    Raises:
        UserError: If the person is not a GM.
    """

    def unit(tx: Transaction) -> BoardRecord | None:
        access = gm_access_here(table, tx, request)
        key = _row_key(DeskPlace(access.campaign.server, access.campaign.id, request.channel))
        before = tx.board(*key)
        tx.drop_board(*key)
        return before

    return await table.store.run(unit)


def _row_key(place: DeskPlace) -> tuple[ServerId, CampaignId, str]:
    return place.server, place.campaign, f"{DESK}/{place.home}"


async def standing_desk(table: Table, place: DeskPlace) -> StandingDesk | None:
    """Return a desk as it should look now; None if there is none (any more)."""

    def query(reader: Reader) -> StandingDesk | None:
        row, campaign = reader.board(*_row_key(place)), reader.campaign(place.server, place.campaign)
        if row is None or campaign is None or campaign.is_archived or campaign.ruleset not in table.games:
            return None
        nobody = of_nobody(place.server, place.home)
        access = replace(access_in(table, reader, nobody, campaign), is_gm=True)
        return StandingDesk(desk_from(reader, access), row)

    return await table.store.read(query)


SHOWN = frozenset(
    {"campaigns", "characters", "countdowns", "countdown_ticks", "documents", "resources"}
    | {"sessions", "timers", "wounds"}
)
ROWS = LiveRows(
    kind=DESK,
    tables=SHOWN,
    place_of=lambda row: DeskPlace(row.server, row.campaign, int(row.kind.partition("/")[2])),
    key_of=lambda _reader, place: _row_key(place),
)
