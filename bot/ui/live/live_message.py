"""Live messages: each stands in a channel and updates itself; changes in quick succession at once."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import discord
import structlog
from msgspec import Struct
from msgspec.structs import replace

from bot.table.base.access import WHERE_TO_ALLOW, ServerId
from bot.table.base.live_rows import LiveRows, News
from bot.table.base.table import Shards, Table
from bot.table.base.turn import StoreUnavailable
from bot.ui.input.answer import change, post, promise_change, repost
from bot.ui.input.presses import Interaction, missing
from bot.ui.text.reply import Reply

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_TRIES = 5
FollowedT = TypeVar("FollowedT")


class Following(Generic[FollowedT]):
    """Refreshes places after changes, one refresh at a time for each, and retries failed ones.

    Args:
        show: Shows a place as it is now; gives the seconds to rest before the same place is shown again.
        settle_seconds: How long to wait after a first change, for whatever comes with it.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self,
        show: Callable[[FollowedT], Awaitable[float]],
        *,
        settle_seconds: float,
        retry_seconds: float,
    ) -> None:
        self._show = show
        self._settle_seconds = settle_seconds
        self._retry_seconds = retry_seconds
        self._stale: set[FollowedT] = set()
        self._following: dict[FollowedT, asyncio.Task[None]] = {}

    def refresh(self, place: FollowedT) -> None:
        """Schedule a refresh of a place."""
        self._stale.add(place)
        if place not in self._following:
            task = asyncio.create_task(self._follow(place))
            self._following[place] = task
            task.add_done_callback(lambda ended: self._forget(place, ended))

    def _forget(self, place: FollowedT, ended: asyncio.Task[None]) -> None:
        """Clean up a finished task; start another one if something changed meanwhile."""
        self._following.pop(place, None)
        if place in self._stale and not ended.cancelled():
            self.refresh(place)

    @property
    def waiting(self) -> int:
        """How many places wait for a refresh."""
        return len(self._stale)

    @property
    def is_busy(self) -> bool:
        """Whether a refresh is running."""
        return bool(self._following)

    async def settled(self) -> None:
        """Wait until no refresh is running."""
        while self._following:
            await asyncio.wait(list(self._following.values()))

    def cancel(self, concerns: Callable[[FollowedT], bool] = lambda _place: True) -> None:
        """Cancel the refreshes of some places, or of all."""
        self._stale = {place for place in self._stale if not concerns(place)}
        for place in [place for place in self._following if concerns(place)]:
            self._following[place].cancel()

    async def _follow(self, place: FollowedT) -> None:
        """Refresh a place until it shows the current state."""
        tries = 0
        while place in self._stale:
            await asyncio.sleep(self._settle_seconds)
            self._stale.discard(place)
            try:
                rest_seconds = await self._show(place)
            except Exception as error:
                tries += not isinstance(error, StoreUnavailable)  # an outage lasts as long as it lasts
                if not _may_pass(error) or tries == MOST_TRIES:
                    log.warning("not shown", place=str(place), reason=str(error), exc_info=_bug(error))
                    return
                self._stale.add(place)
                await asyncio.sleep(self._retry_seconds)
            else:
                tries = 0
                await asyncio.sleep(rest_seconds)


def _may_pass(error: Exception) -> bool:
    """Whether an error may pass, so that a retry makes sense."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429
    return isinstance(error, StoreUnavailable | OSError | TimeoutError)


def _bug(error: Exception) -> Any:
    """The error to log, if it is a bug of the bot."""
    is_known = isinstance(error, discord.HTTPException | StoreUnavailable | OSError | TimeoutError)
    return None if is_known else error


MOST_MARKS = 1000  # messages of which it is remembered what they show, and channels what is newest there
UNKNOWN_CHANNEL = 10003  # Discord's number for a channel that is not there
TOO_MANY_EDITS = 30046  # its number for a message older than an hour that was changed too often


class InServer(Protocol):
    """What names a live message; it is in one server."""

    @property
    def server(self) -> ServerId:
        """The server."""
        ...


PlaceT = TypeVar("PlaceT", bound=InServer)
Key = TypeVar("Key")
Known = TypeVar("Known")


class Live(Struct, frozen=True, kw_only=True):
    """A message as it should be now."""

    server: int  # where
    channel: int
    message: int | None  # which message it is; None before it is posted
    shown: str | None  # the mark of what it showed last; None where no row says so
    mark: str  # the mark of what it should show
    draw: Callable[[tuple[int, ...]], Reply]  # makes what it should show, pinging these people
    turn: str = ""  # the mark of whose turn it shows
    pings: tuple[int, ...] = ()  # whom it pings when the turn has changed
    is_over: bool = False  # whether it is shown for the last time


class LiveKind(Struct, Generic[PlaceT], frozen=True, kw_only=True):
    """What tells one kind of live message from the others."""

    name: str  # what it is called in the log
    rows: LiveRows[PlaceT]  # where its messages stand
    # A message as it should be now; None where there is none.
    load: Callable[[Table, PlaceT], Awaitable[Live | None]]
    posts: bool = True  # whether a message that does not stand yet, or that was deleted, is posted
    moves_down: bool = False  # whether it is to be the newest message of its channel
    oldest_seconds: float = 0  # the age from which a message is posted anew instead of changed; 0 for any age
    # Whether a message may be in a channel; where it may not, it is deleted and forgotten. None where that is
    # not known yet: then it stays as it is.
    may_stand: Callable[[discord.Client, Table, PlaceT, int], Awaitable[bool | None]] | None = None


class LiveMessage(Generic[PlaceT]):
    """Keeps every message of a kind up to date: posts, edits, moves down and forgets deleted ones.

    All that counts is stored: after a restart, or in another process, the same messages go on. Those of
    servers that this process doesn't look after are left to whoever does.

    Args:
        client: The connection to Discord.
        table: Whose messages.
        kind: Which kind.
        settle_seconds: How long to wait for what is posted along with a change.
        pace_seconds: The least time between two edits of a message; changes meanwhile become one edit.
        move_seconds: The least time between two times that a message is posted anew.
        retry_seconds: The time after which what Discord did not take is tried again.
    """

    def __init__(
        self,
        client: discord.Client,
        table: Table,
        kind: LiveKind[PlaceT],
        *,
        settle_seconds: float = 0,
        pace_seconds: float,
        move_seconds: float,
        retry_seconds: float,
    ) -> None:
        self._client = client
        self._table = table
        self._kind = kind
        self._pace_seconds = pace_seconds
        self._move_seconds = move_seconds
        self._news: Following[News] = Following(self._find, settle_seconds=0, retry_seconds=retry_seconds)
        self._places: Following[PlaceT] = Following(
            self._show, settle_seconds=settle_seconds, retry_seconds=retry_seconds
        )
        self._in_use: set[tuple[int, int]] = set()  # campaigns with such a message, as far as is known
        self._turns: WeakValueDictionary[PlaceT, asyncio.Lock] = WeakValueDictionary()
        self._marks: OrderedDict[tuple[int, int], str] = OrderedDict()  # by server and message
        self._newest: OrderedDict[int, int] = OrderedDict()  # the bot's own newest message of each channel
        self._standing: OrderedDict[int, PlaceT] = OrderedDict()  # what is to be newest, by channel
        self._unposted: OrderedDict[PlaceT, str] = OrderedDict()  # what those should show that nobody found
        self._changed: set[PlaceT] = set()  # messages to be loaded anew
        self._as_shown: dict[PlaceT, Live] = {}  # what is looked at again, as it was shown
        self._posted_at: dict[PlaceT, float] = {}
        self._later: dict[PlaceT, asyncio.TimerHandle] = {}
        self._refused: set[PlaceT] = set()
        self._gone: set[int] = set()  # channels that are there no more
        self._end: Callable[[], None] | None = None
        self._is_ending = False

    # --- following ------------------------------------------------------------------------------

    def listen(self) -> None:
        """Start listening to events."""
        if self._end is None:
            self._end = self._kind.rows.listen(self._table, self._hear)

    async def refresh_all(self) -> None:
        """Refresh every message, including those that changed while the bot was offline."""
        for news in await self._kind.rows.campaigns(self._table):
            self._news.refresh(news)

    async def changes_ended(self, shards: Shards | None = None) -> None:
        """Wait until no message of some shards is being changed, or none at all."""
        turns = [turn for place, turn in self._turns.items() if shards is None or shards.has(place.server)]
        for turn in turns:
            async with turn:
                pass

    def let_go(self, shards: Shards) -> None:
        """Cancel the changes of some shards' messages, and forget what is remembered of them.

        Args:
            shards: Those that this process no longer holds.
        """
        self._places.cancel(lambda place: shards.has(place.server))
        self._in_use = {one for one in self._in_use if not shards.has(one[0])}
        for mark in [mark for mark in self._marks if shards.has(mark[0])]:
            del self._marks[mark]
        for place in [place for place in self._later if shards.has(place.server)]:
            self._later.pop(place).cancel()
        for channel in [channel for channel, place in self._standing.items() if shards.has(place.server)]:
            del self._standing[channel]
        for remembered in (self._as_shown, self._posted_at, self._unposted):
            for place in [place for place in remembered if shards.has(place.server)]:
                del remembered[place]

    def refresh(self, place: PlaceT) -> None:
        """Schedule a refresh of a message."""
        self._changed.add(place)
        self._places.refresh(place)

    async def settled(self) -> None:
        """Wait until no message is being refreshed."""
        while self._news.is_busy or self._places.is_busy:
            await self._news.settled()
            await self._places.settled()

    @property
    def name(self) -> str:
        """What its kind is called."""
        return self._kind.name

    @property
    def edits_waiting(self) -> int:
        """How many messages wait for an edit."""
        return self._places.waiting

    async def finish(self) -> None:
        """Begin nothing more, and wait for what is being sent: what is cut off would be posted again."""
        self._is_ending = True
        await self.changes_ended()

    def _may_show(self, server: ServerId) -> bool:
        """Return whether messages of a server are to be shown by this process, now."""
        return not self._is_ending and self._table.shards.has(server)

    def close(self) -> None:
        """Cancel everything; the next start catches up."""
        if self._end is not None:
            self._end()
            self._end = None
        for handle in self._later.values():
            handle.cancel()
        self._later.clear()
        self._news.cancel()
        self._places.cancel()

    def _hear(self, news: News, concerns: bool) -> None:
        """Refresh the messages that an event may have changed or pushed up the channel."""
        may_cover = self._kind.moves_down and (news.server, news.campaign) in self._in_use
        if concerns or may_cover:
            self._news.refresh(news)

    async def _find(self, news: News) -> float:
        """Schedule refreshes for messages that may have changed."""
        if not self._may_show(news.server):
            return 0
        places = await self._kind.rows.changed_by(self._table, news)
        if places:
            self._in_use.add((news.server, news.campaign))
        else:
            self._in_use.discard((news.server, news.campaign))
        for place in places:
            self.refresh(place)
            if self._kind.moves_down:  # answers may come later than what they tell of
                self._look_again(place, self._move_seconds)
        return 0

    def _look_again(self, place: PlaceT, seconds: float) -> None:
        """Schedule one later refresh of a message, however often it is requested."""

        def look() -> None:
            del self._later[place]
            self._places.refresh(place)

        if place not in self._later:
            self._later[place] = asyncio.get_running_loop().call_later(seconds, look)

    # --- showing --------------------------------------------------------------------------------

    async def show_now(self, place: PlaceT) -> bool:
        """Refresh a message now; return whether it exists.

        Raises:
            discord.HTTPException: If Discord does not take it.
        """
        async with self._turn(place):
            live = await self._kind.load(self._table, place)
            if live is None:
                return False
            return await self._update(place, live) or live.message is not None

    async def show_pressed(self, interaction: Interaction, place: PlaceT) -> None:
        """Update a message in answer to a press on it.

        What Discord is shown last is what is true last: one after the other, each as it stands then.
        """
        turn = self._turn(place)
        if turn.locked():
            await promise_change(interaction)
        async with turn:
            live = await self._kind.load(self._table, place)
            if live is None:
                return
            await change(interaction, live.draw(()))
            message = interaction.message
            if message is not None and not message.flags.ephemeral:
                is_stored = live.shown is not None
                await self._note(place, message.channel.id, message.id, live.mark, is_stored=is_stored)

    async def note_posted(
        self, place: PlaceT, channel: int, message: int, mark: str, *, is_stored: bool
    ) -> None:
        """Note a message that has just been posted; what has changed while it was on its way is shown there.

        Args:
            channel: Where it stands.
            mark: The mark of what it shows.
            is_stored: Whether a row says so.
        """
        async with self._turn(place):
            await self._note(place, channel, message, mark, is_stored=is_stored)
            if self._unposted.pop(place, mark) != mark:
                self.refresh(place)

    async def _note(self, place: PlaceT, channel: int, message: int, mark: str, *, is_stored: bool) -> None:
        self._as_shown.pop(place, None)
        _remember(self._marks, (place.server, message), mark)
        if is_stored:
            await self._kind.rows.note_shown(self._table, place, None, channel, message, mark)

    def note_newest(self, channel: int, message: int) -> None:
        """Note a message that the bot has posted for everybody; it pushes older ones up the channel.

        It may come long after what it tells of was heard.
        """
        if self._kind.moves_down:
            _remember(self._newest, channel, message)
            place = self._standing.get(channel)
            if place is not None and self._may_show(place.server):
                self._look_again(place, self._move_seconds)

    async def remove(self, server: int, channel: int, message: int) -> None:
        """Delete a message of the bot, if it still exists."""
        stood = self._client.get_partial_messageable(channel, guild_id=server)
        try:
            await stood.get_partial_message(message).delete()
        except discord.NotFound:
            return
        except discord.HTTPException as error:
            log.warning("message not taken away", kind=self._kind.name, server=server, reason=error.text)

    def _turn(self, place: PlaceT) -> asyncio.Lock:
        """The lock to hold while changing a message, so that the last change wins."""
        lock = self._turns.get(place)
        if lock is None:
            lock = self._turns[place] = asyncio.Lock()
        return lock

    async def _show(self, place: PlaceT) -> float:
        """Bring a message up to date; return the seconds to pause before the next refresh."""
        async with self._turn(place):
            if not self._may_show(place.server):
                return 0
            live = await self._load(place)
            if live is None or live.channel in self._gone:
                return 0
            try:
                was_sent = await self._update(place, live)
            except discord.Forbidden:
                self._say_refused(place, live)
                return self._pace_seconds
            except discord.NotFound as error:
                if error.code != UNKNOWN_CHANNEL:
                    raise
                log.info("channel is gone", kind=self._kind.name, server=live.server, channel=live.channel)
                self._gone.add(live.channel)
                await self._kind.rows.forget(self._table, place)
                return self._pace_seconds
            self._refused.discard(place)
            return self._pace_seconds if was_sent else 0

    async def _load(self, place: PlaceT) -> Live | None:
        """A message as it should be now; as it was shown if nothing has been heard of it since."""
        live = self._as_shown.pop(place, None)
        if live is None or place in self._changed:
            self._changed.discard(place)
            live = await self._kind.load(self._table, place)
        return live

    def _say_refused(self, place: PlaceT, live: Live) -> None:
        """Log the permissions the bot lacks, once until the message has been shown again."""
        if place in self._refused:
            return
        self._refused.add(place)
        lacks = ", ".join(self._missing(live)) or "a permission"
        log.warning(
            "message not shown",
            kind=self._kind.name,
            server=live.server,
            channel=live.channel,
            reason=f"I'm missing {lacks} in this channel. {WHERE_TO_ALLOW}",
        )

    def _missing(self, live: Live) -> tuple[str, ...]:
        server = self._client.get_guild(live.server)
        channel = None if server is None else server.get_channel_or_thread(live.channel)
        if server is None or channel is None:
            return ()
        return missing(channel.permissions_for(server.me), in_thread=isinstance(channel, discord.Thread))

    async def _update(self, place: PlaceT, live: Live) -> bool:
        """Post, move or edit a message if needed; return whether Discord was called."""
        if live.is_over:
            await self._end_of(place, live)
            return True
        may_stand = self._kind.may_stand
        if may_stand is not None:
            stays = await may_stand(self._client, self._table, place, live.channel)
            if stays is None:
                return False
            if not stays:
                await self._withdraw(place, live)
                return True
        shown, _, shown_turn = (live.shown or "").partition("/")
        should_ping = bool(live.pings) and live.turn != shown_turn
        if self._kind.moves_down:
            _remember(self._standing, live.channel, place)
        if live.message is None and not self._kind.posts:
            _remember(self._unposted, place, live.mark)
            return False
        if live.message is None:
            return await self._post(place, live, pings=should_ping)
        is_shown = live.mark in (shown, self._marks.get((place.server, live.message)))
        wait_seconds = self._posted_at.get(place, 0) + self._move_seconds - _moment()
        looks_later = not is_shown and wait_seconds > 0  # it is edited now; what covers it is asked then
        should_move = self._kind.moves_down and (should_ping or looks_later or await self._is_covered(live))
        if should_move and wait_seconds <= 0:
            return await self._post(place, live, pings=should_ping)
        if should_move:
            self._look_again(place, wait_seconds)
        if is_shown:
            if place in self._later:  # it has just been posted, and is looked at once more
                self._as_shown[place] = live
            return False
        if self._is_old(live.message):
            return await self._post(place, live, pings=False)
        await self._edit(place, live, live.message, shown_turn if should_ping else live.turn)
        return True

    def _is_old(self, message: int) -> bool:
        """Whether a message is too old to be changed."""
        oldest = self._kind.oldest_seconds
        if not oldest:
            return False
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message)
        return age.total_seconds() > oldest

    async def _withdraw(self, place: PlaceT, live: Live) -> None:
        """Delete a message that may no longer be where it is, and forget it."""
        log.warning("message withdrawn", kind=self._kind.name, server=live.server, channel=live.channel)
        await self._kind.rows.forget(self._table, place)
        if live.message is not None:
            await self.remove(live.server, live.channel, live.message)

    async def _is_covered(self, live: Live) -> bool:
        """Whether something has been posted below a message."""
        if live.message is not None and self._newest.get(live.channel, 0) > live.message:
            return True
        try:
            channel = await self._client.fetch_channel(live.channel)
        except (discord.Forbidden, discord.NotFound):
            return False
        last = getattr(channel, "last_message_id", None)
        return last is not None and live.message is not None and last > live.message

    async def _edit(self, place: PlaceT, live: Live, message: int, turn: str) -> None:
        try:
            await repost(self._channel(live).get_partial_message(message), live.draw(()))
        except discord.NotFound:
            log.info("message was deleted", kind=self._kind.name, server=live.server)
            if self._kind.posts:
                await self._post(place, live, pings=False)
            else:
                await self._kind.rows.forget(self._table, place)
            return
        except discord.HTTPException as error:
            if error.code != TOO_MANY_EDITS or not self._kind.posts:
                raise
            await self._post(place, live, pings=False)
            return
        _remember(self._marks, (place.server, message), live.mark)
        if live.shown is not None:
            mark = _whole_mark(live.mark, turn)
            self._look_at_again(place, live, message, mark)
            before = message if self._kind.posts else None  # an answer may not be noted yet
            await self._kind.rows.note_shown(self._table, place, before, live.channel, message, mark)

    async def _post(self, place: PlaceT, live: Live, *, pings: bool) -> bool:
        """Post a message again as the newest of its channel, and delete the old one."""
        self._posted_at[place] = _moment()
        posted = await post(self._channel(live), live.draw(live.pings if pings else ()))
        mark = _whole_mark(live.mark, live.turn)
        is_noted = await self._kind.rows.note_shown(
            self._table, place, live.message, live.channel, posted, mark
        )
        if is_noted:
            self._look_at_again(place, live, posted, mark)
        needless = live.message if is_noted else posted  # it stands elsewhere by now
        if needless is not None:
            await self.remove(live.server, live.channel, needless)
        return True

    async def _end_of(self, place: PlaceT, live: Live) -> None:
        if live.message is not None:
            try:
                await repost(self._channel(live).get_partial_message(live.message), live.draw(()))
            except discord.NotFound:
                log.info("message was deleted", kind=self._kind.name, server=live.server)
        self._posted_at.pop(place, None)
        self._standing.pop(live.channel, None)
        await self._kind.rows.forget(self._table, place)

    def _channel(self, live: Live) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(live.channel, guild_id=live.server)

    def _look_at_again(self, place: PlaceT, live: Live, message: int, mark: str) -> None:
        """Keep what a message shows for the later look at it, if there is to be one."""
        if place in self._later:
            self._as_shown[place] = replace(live, message=message, shown=mark)


def _remember(known: OrderedDict[Key, Known], key: Key, value: Known) -> None:
    """Remember something beside what came last; the oldest of too many is forgotten."""
    known[key] = value
    known.move_to_end(key)
    while len(known) > MOST_MARKS:
        known.popitem(last=False)


def _whole_mark(mark: str, turn: str) -> str:
    return f"{mark}/{turn}" if turn else mark


def _moment() -> float:
    return asyncio.get_running_loop().time()
