"""Keeping boards up to date: each is one message that edits itself after a change."""

import asyncio
from collections.abc import Iterable

import discord
import structlog

from bot.table.base.posting import CannotPost
from bot.table.play import boards
from bot.table.play.boards import Board, BoardPlace, Stood
from bot.ui.input.answer import post, repost
from bot.ui.live.following import Keeper
from bot.ui.replies.countdown_replies import board_reply, mark_of
from bot.ui.text.reply import Reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class BoardKeeper(Keeper[BoardPlace]):
    """Edits boards after changes, several changes at a time where they come fast."""

    async def _every_one(self) -> Iterable[BoardPlace]:
        return await boards.every_board(self._table)

    async def _show(self, place: BoardPlace) -> float:
        """Show a board as it is now; the seconds to rest then."""
        board = await boards.board(self._table, place)
        if board is None:
            return 0
        mark = mark_of(board)
        if board.message is not None and board.shown == mark:
            return 0
        reply = await asyncio.to_thread(board_reply, board)
        channel = self._client.get_partial_messageable(board.channel, guild_id=place.server)
        message = await _put(channel, board, reply)
        if not await boards.note_shown(self._table, board, message, mark) and message != board.message:
            await channel.get_partial_message(message).delete()  # it stands elsewhere by now
        return self._pace_seconds

    async def place(self, place: BoardPlace, before: Stood | None) -> None:
        """Post a board where it is to stand now; only then the one that stood before goes.

        Raises:
            CannotPost: If the bot may not post there; then it stands where it stood before.
        """
        try:
            await self._show(place)
        except Exception as error:
            await boards.put_back(self._table, place, before)
            if isinstance(error, discord.Forbidden):
                raise CannotPost(("a permission",)) from None
            raise
        if before is not None and before.message is not None:
            await self._remove(place, before.channel, before.message)

    async def _remove(self, place: BoardPlace, channel: int, message: int) -> None:
        stood = self._client.get_partial_messageable(channel, guild_id=place.server)
        try:
            await stood.get_partial_message(message).delete()
        except discord.HTTPException as error:
            log.warning("board not taken away", server=place.server, reason=error.text)


async def _put(channel: discord.PartialMessageable, board: Board, reply: Reply) -> int:
    """Edit the board's message; where it is gone, post another one. Gives the message's id."""
    if board.message is not None:
        try:
            await repost(channel.get_partial_message(board.message), reply)
        except discord.NotFound:
            log.info("board was gone", server=board.place.server)
        else:
            return board.message
    return (await post(channel, reply)).id
