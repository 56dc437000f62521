"""The board of a campaign's countdowns."""

import discord

from bot.table.base.request import CannotPost
from bot.table.base.table import Table
from bot.table.play import countdown_plans
from bot.table.play.countdown_plans import BoardPlace, Stood
from bot.ui.live.live_message import Live, LiveKind, LiveMessage
from bot.ui.replies.countdown_replies import board_reply, mark_of


async def _load(table: Table, place: BoardPlace) -> Live | None:
    board = await countdown_plans.board(table, place)
    if board is None:
        return None
    return Live(
        server=place.server,
        channel=board.channel,
        message=board.message,
        shown=board.shown,
        mark=mark_of(board),
        draw=lambda _pings: board_reply(board),
    )


COUNTDOWN_BOARD = LiveKind(name="countdown board", rows=countdown_plans.ROWS, load=_load)


async def put_here(
    live: LiveMessage[BoardPlace], table: Table, place: BoardPlace, before: Stood | None
) -> None:
    """Post the board in its new place, then delete the old one.

    Raises:
        CannotPost: If the bot may not post there; then it stands where it stood before.
    """
    try:
        await live.show_now(place)
    except Exception as error:
        await countdown_plans.put_back(table, place, before)
        if isinstance(error, discord.Forbidden):
            raise CannotPost(("a permission",)) from None
        raise
    if before is not None and before.message is not None:
        await live.remove(place.server, before.channel, before.message)
