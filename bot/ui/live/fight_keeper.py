"""Keeping the boards of fights: each is one message, up to date, at the bottom of its channel."""

import asyncio
import hashlib

import discord
import structlog

from bot.table.base.table import Table
from bot.table.encounters import encounter_boards
from bot.table.encounters.encounter_boards import FightBoard, FightPlace, Played
from bot.table.encounters.encounters import Look
from bot.ui.input.answer import post, repost
from bot.ui.live.following import PACE_SECONDS, RETRY_SECONDS, Following
from bot.ui.replies.encounter_replies import board_reply, mark_of, over_reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SETTLE_SECONDS = 0.7  # a result is posted right after it is kept; the board goes below it
MOVE_SECONDS = 2.5  # the least time between two times that a board is posted anew


class FightKeeper:
    """Follows every fight on its board.

    Args:
        client: The connection to Discord.
        table: Whose fights.
        settle_seconds: How long to wait for what is posted along with a change.
        pace_seconds: The least time between two edits of a board.
        move_seconds: The least time between two times that a board is posted anew.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self,
        client: discord.Client,
        table: Table,
        *,
        settle_seconds: float = SETTLE_SECONDS,
        pace_seconds: float = PACE_SECONDS,
        move_seconds: float = MOVE_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._client = client
        self._table = table
        self._pace_seconds = pace_seconds
        self._move_seconds = move_seconds
        self._known: dict[Played, set[FightPlace]] = {}
        self._posted_at: dict[FightPlace, float] = {}
        self._later: dict[FightPlace, asyncio.TimerHandle] = {}
        self._boards: Following[FightPlace] = Following(
            self._show, settle_seconds=settle_seconds, retry_seconds=retry_seconds
        )
        self._campaigns: Following[Played] = Following(self._find, retry_seconds=retry_seconds)

    def hear(self, played: Played, tables: frozenset[str]) -> None:
        """Something was done in a campaign: its fights may be others now, and be covered by results."""
        if "documents" in tables or self._known.get(played):
            self._campaigns.refresh(played)

    async def refresh_all(self) -> None:
        """Bring every board up to date, also those that changed while nobody looked."""
        for place in await encounter_boards.every_fight(self._table):
            self._known.setdefault(Played(place.server, place.campaign), set()).add(place)
            self._boards.refresh(place)

    def close(self) -> None:
        """Let go of everything; the next start makes up for it."""
        for handle in self._later.values():
            handle.cancel()
        self._campaigns.close()
        self._boards.close()

    async def _find(self, played: Played) -> float:
        """Look which fights are on in a campaign, and bring them and those that are over up to date."""
        found = set(await encounter_boards.fights_of(self._table, played))
        for place in found | self._known.get(played, set()):
            self._boards.refresh(place)
            self._look_again(place, self._move_seconds)  # answers may come later than what they tell of
        self._known[played] = found
        return 0

    def _look_again(self, place: FightPlace, seconds: float) -> None:
        """Bring a board up to date once more, some time later; once however often that is asked for."""

        def look() -> None:
            del self._later[place]
            self._boards.refresh(place)

        if place not in self._later:
            self._later[place] = asyncio.get_running_loop().call_later(seconds, look)

    async def _show(self, place: FightPlace) -> float:
        """Show a fight as it is now; the seconds to rest then."""
        board = await encounter_boards.board(self._table, place)
        if board is None:
            return 0
        channel = self._client.get_partial_messageable(place.channel, guild_id=place.server)
        if board.look is None:
            await self._close(channel, board)
            return self._pace_seconds
        mark, turn = mark_of(board), _turn_mark(board.look)
        shown_mark, _, shown_turn = board.shown.partition("/")
        pings = board.pings and turn != shown_turn and bool(board.look.players)
        should_move = pings or await self._is_covered(board)
        wait_seconds = self._posted_at.get(place, 0) + self._move_seconds - _moment()
        if board.message is None or (should_move and wait_seconds <= 0):
            await self._post(channel, board, board.look, f"{mark}/{turn}", pings=pings)
            return self._pace_seconds
        if should_move:
            self._look_again(place, wait_seconds)
        if shown_mark == mark:
            return 0
        await self._edit(channel, board, board.look, f"{mark}/{shown_turn if pings else turn}")
        return self._pace_seconds

    async def _is_covered(self, board: FightBoard) -> bool:
        """Whether something has been posted below a board."""
        if board.message is None:
            return False
        try:
            channel = await self._client.fetch_channel(board.place.channel)
        except (discord.Forbidden, discord.NotFound):
            return False
        last = getattr(channel, "last_message_id", None)
        return last is not None and last > board.message

    async def _edit(
        self, channel: discord.PartialMessageable, board: FightBoard, look: Look, mark: str
    ) -> None:
        assert board.message is not None  # noqa: S101  # what is not posted yet is posted, not edited
        reply = await asyncio.to_thread(board_reply, look)
        try:
            await repost(channel.get_partial_message(board.message), reply)
        except discord.NotFound:
            log.info("board was gone", server=board.place.server)
            await self._post(channel, board, look, mark)
        else:
            await encounter_boards.note_shown(self._table, board, board.message, mark)

    async def _post(
        self,
        channel: discord.PartialMessageable,
        board: FightBoard,
        look: Look,
        mark: str,
        *,
        pings: bool = False,
    ) -> None:
        """Post the board anew, as the newest message; the one that stood before goes."""
        self._posted_at[board.place] = _moment()
        posted = await post(
            channel, await asyncio.to_thread(board_reply, look, look.players if pings else ())
        )
        is_kept = await encounter_boards.note_shown(self._table, board, posted.id, mark)
        await _remove(channel, board.message if is_kept else posted.id)

    async def _close(self, channel: discord.PartialMessageable, board: FightBoard) -> None:
        if board.message is not None:
            try:
                await repost(channel.get_partial_message(board.message), over_reply())
            except discord.NotFound:
                log.info("board was gone", server=board.place.server)
        self._posted_at.pop(board.place, None)
        await encounter_boards.close(self._table, board.place)


async def _remove(channel: discord.PartialMessageable, message: int | None) -> None:
    """Take a message of ours away, if it is still there."""
    if message is None:
        return
    try:
        await channel.get_partial_message(message).delete()
    except discord.HTTPException as error:
        log.warning("board not taken away", reason=error.text)


def _moment() -> float:
    return asyncio.get_running_loop().time()


def _turn_mark(look: Look) -> str:
    return hashlib.sha256(look.view.turn.encode()).hexdigest()[:8]
