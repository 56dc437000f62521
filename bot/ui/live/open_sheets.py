"""Keeping the sheets and desks that people have open up to date with what others do."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from weakref import WeakValueDictionary

import discord
from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.table.base.table import Shards, Table
from bot.table.characters import controls
from bot.ui.input.answer import answer, change, change_answer, in_time, promise_change
from bot.ui.input.presses import Interaction
from bot.ui.live.live_message import Following
from bot.ui.text.reply import Reply

LASTING_SECONDS = 14 * 60  # Discord takes changes of a private message for 15 minutes after a press
MOST_OPEN = 1000  # of all servers; who comes later presses Refresh
MOST_OF_ONE = 4  # of one person in a server, such as a sheet and a desk on two devices

Place = tuple[int, int]  # a server and a message


class PrivatePage(Struct, frozen=True):
    """What is shown in a private message."""

    reply: Reply  # the message
    character: int | None = None  # whose sheet it is; None for a desk, which shows what everybody does


Draw = Callable[[], Awaitable[PrivatePage]]


class _Open(Struct, frozen=True):
    """A private message that somebody has open, and what it shows."""

    interaction: Interaction
    message: int
    draw: Draw
    shown: PrivatePage
    until: float


class _Coming(Struct, eq=False):
    """A page from when it is drawn until it is kept up to date."""

    server: int  # where
    draw: Draw
    is_old: bool = False  # whether it may show something else by now

    async def drawn(self) -> PrivatePage:
        """The page as it is from now on."""
        self.is_old = False
        return await self.draw()


class OpenSheets:
    """The sheets and desks that each person opened last in a server; forgotten with the process.

    Args:
        table: The table.
        pace_seconds: The shortest time between two changes of one message.
        settle_seconds: How long to wait after a first change, for whatever comes with it.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self, table: Table, *, pace_seconds: float, settle_seconds: float, retry_seconds: float
    ) -> None:
        self._table = table
        self._pace_seconds = pace_seconds
        self._open: dict[Place, _Open] = {}
        self._coming: set[_Coming] = set()
        self._turns: WeakValueDictionary[Place, asyncio.Lock] = WeakValueDictionary()
        self._following: Following[Place] = Following(
            self._show, settle_seconds=settle_seconds, retry_seconds=retry_seconds
        )
        self._end: Callable[[], None] | None = None

    def listen(self) -> None:
        """Start listening to changes."""
        self._end = controls.listen(self._table, self._hear)

    async def settled(self) -> None:
        """Wait until no message is being drawn."""
        await self._following.settled()

    @property
    def edits_waiting(self) -> int:
        """How many messages wait for an edit."""
        return self._following.waiting

    def close(self) -> None:
        """Forget every message."""
        if self._end is not None:
            self._end()
        self._open.clear()
        self._following.cancel()

    @contextmanager
    def coming(self, interaction: Interaction, draw: Draw) -> Iterator[_Coming]:
        """Listen to what changes while a page is drawn and sent."""
        coming = _Coming(interaction.guild_id or 0, draw)
        self._coming.add(coming)
        try:
            yield coming
        finally:
            self._coming.discard(coming)

    def keep(self, interaction: Interaction, message: int, coming: _Coming, shown: PrivatePage) -> None:
        """Keep a private message up to date that was just shown as an answer.

        Args:
            interaction: What it was the answer to.
            coming: What it is drawn with, and what has been heard since.
            shown: What it shows.
        """
        server, person = interaction.guild_id or 0, interaction.user.id
        self._open.pop((server, message), None)
        own = [at for at, one in self._open.items() if at[0] == server and one.interaction.user.id == person]
        everybody = list(self._open)[: max(0, len(self._open) + 1 - MOST_OPEN)]
        for place in (*own[: max(0, len(own) + 1 - MOST_OF_ONE)], *everybody):
            self._open.pop(place, None)
        until = time.monotonic() + LASTING_SECONDS
        self._open[server, message] = _Open(interaction, message, coming.draw, shown, until)
        if coming.is_old:
            self._following.refresh((server, message))

    @asynccontextmanager
    async def leave(self, interaction: Interaction) -> AsyncIterator[None]:
        """Leave the message that was pressed to what is shown there next.

        Whatever is on its way there would otherwise arrive behind that.
        """
        if interaction.message is None:
            yield
            return
        place = interaction.guild_id or 0, interaction.message.id
        self._open.pop(place, None)  # a change whose pictures are still being drawn is not sent
        turn = self._turn(place)
        if turn.locked():
            await promise_change(interaction)
        async with turn:
            self._open.pop(place, None)
            yield

    def _turn(self, place: Place) -> asyncio.Lock:
        """The lock to hold while a message is changed."""
        turn = self._turns.get(place)
        if turn is None:
            turn = self._turns[place] = asyncio.Lock()
        return turn

    def refresh_all(self) -> None:
        """Look at every message again, after news may have been missed."""
        for place in self._open:
            self._following.refresh(place)
        for coming in self._coming:
            coming.is_old = True

    def forget_servers(self, shards: Shards) -> None:
        """Forget the messages of servers that another process looks after now, and hears of."""
        for place in [place for place in self._open if shards.has(place[0])]:
            del self._open[place]

    def _hear(self, server: int, character: int | None) -> None:
        """Refresh the messages that may show something else now: all of a server, or those of a character."""
        for place, one in self._open.items():
            if place[0] == server and (character is None or one.shown.character in {None, character}):
                self._following.refresh(place)
        for coming in self._coming:
            coming.is_old |= coming.server == server

    async def _show(self, place: Place) -> float:
        """Change a message to what it has to show now."""
        sheet = self._open.get(place)
        if sheet is None:
            return 0
        if time.monotonic() >= sheet.until:
            self._drop(place, sheet)
            return 0
        try:
            page = await sheet.draw()
            if self._open.get(place) is not sheet or page == sheet.shown:
                return 0
            is_open = partial(self._is_open, place, sheet)  # somebody may turn it while pictures are drawn
            async with self._turn(place):
                await change_answer(sheet.interaction, sheet.message, page.reply, is_open)
        except (UserError, discord.NotFound, discord.Forbidden):  # no longer theirs, or closed
            self._drop(place, sheet)
            return 0
        if self._open.get(place) is sheet:
            self._open[place] = replace(sheet, shown=page)
        return self._pace_seconds

    def _is_open(self, place: Place, sheet: _Open) -> bool:
        return self._open.get(place) is sheet

    def _drop(self, place: Place, sheet: _Open) -> None:
        """Forget a sheet unless its person has opened another one."""
        if self._open.get(place) is sheet:
            del self._open[place]


async def answer_and_follow(interaction: Interaction, draw: Draw) -> None:
    """Answer with a private message that is then kept up to date."""
    sheets = interaction.client.sheets
    with sheets.coming(interaction, draw) as coming:
        shown = await in_time(interaction, coming.drawn(), adds=True)
        message = await answer(interaction, shown.reply)
        if message is not None:
            sheets.keep(interaction, message, coming, shown)


async def change_and_follow(interaction: Interaction, draw: Draw) -> None:
    """Change the private message that was pressed to another page, and keep that up to date."""
    sheets = interaction.client.sheets
    with sheets.coming(interaction, draw) as coming:
        shown = await in_time(interaction, coming.drawn())
        await change(interaction, shown.reply)
        if interaction.message is not None:
            sheets.keep(interaction, interaction.message.id, coming, shown)
