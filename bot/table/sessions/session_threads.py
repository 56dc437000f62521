"""A thread for each session, where a campaign wants one: it gets the session's recap as its last post."""

from bot.store.records import BoardRecord, CampaignId, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import access_here
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import shared_settings

KIND = "thread"  # of board; behind it stands the session's number


async def wants_thread(table: Table, request: Request, number: int) -> bool:
    """Return whether the running session of the place is to get a thread and has none; for a GM only."""

    def query(reader: Reader) -> bool:
        access = access_here(table, reader, request)
        campaign = access.campaign
        running = reader.open_session(campaign.server, campaign.id)
        is_wanted = access.is_gm and shared_settings(campaign).session_threads
        return (
            is_wanted
            and running is not None
            and running.number == number
            and thread_of(reader, campaign.server, campaign.id, number) is None
        )

    return await table.store.read(query)


async def note_thread(table: Table, request: Request, number: int, thread: int) -> None:
    """Note which thread is a session's."""

    def unit(tx: Transaction) -> None:
        campaign = access_here(table, tx, request).campaign
        kind = f"{KIND}/{number}"
        tx.save_board(BoardRecord(server=campaign.server, campaign=campaign.id, kind=kind, channel=thread))

    await table.store.run(unit)


def thread_of(reader: Reader, server: ServerId, campaign: CampaignId, number: int) -> int | None:
    """Return a session's thread, or None."""
    board = reader.board(server, campaign, f"{KIND}/{number}")
    return None if board is None else board.channel
