"""What happens by itself: buttons pressed after a while, sessions ended, results told late, data deleted."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.store.records import (
    CampaignId,
    EntryId,
    EntryRecord,
    FollowUpId,
    FollowUpRecord,
    IdleRule,
    Kept,
    ServerId,
    SessionRecord,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base import live_rows
from bot.table.base.access import Access, Request, access_in, by_itself
from bot.table.base.live_rows import (
    LEFT_SERVER,
    MISSED,
    RECAP,
    WELCOMED,
    DueTask,
    MessagePlace,
    opening_of,
    place_with,
)
from bot.table.base.results import Result, follow_up_from_json, result_of
from bot.table.base.table import Shards, Table
from bot.table.base.turn import ReadTurn, look
from bot.table.campaigns.campaign_settings import SharedSettings, shared_settings
from bot.table.journal import recap
from bot.table.journal.journal import entry_result
from bot.table.play.play import Pressed, press_in
from bot.table.sessions import endings

if TYPE_CHECKING:
    from bot.table.journal.recap import Recap
    from bot.table.sessions.endings import Reason, SessionEnded


SESSION_END = "session.end"
Waiting = tuple[int, int]  # a server and a person


class Missed(Struct, frozen=True, kw_only=True):
    """A saved result that is still to be told."""

    task: DueTask  # the task of telling it; `timed.note_done` ends it
    at: int  # when it was done
    channel: int  # where
    has_rolls: bool  # whether dice were rolled
    result: Result | None  # the result; None where only a GM may see it
    place: MessagePlace  # the message that shows it

    @property
    def is_public(self) -> bool:
        """Whether everybody may be told."""
        return self.result is not None and self.result.message.is_public


async def note(table: Table, server: ServerId, interaction: str) -> Missed | None:
    """Note that the answer to an interaction was not taken; return what of it is to be told, if anything."""

    def unit(tx: Transaction) -> Missed | None:
        entry = tx.entry_of(server, interaction)
        if entry is None:
            return None
        if entry.kind == SESSION_END:  # its recap is posted as after an end that nobody pressed
            tx.save_due_task(DueTask(server=server, kind=RECAP, id=entry.id, due=table.now()))
            return None
        task = DueTask(server=server, kind=MISSED, id=entry.id, due=table.now())
        tx.save_due_task(task)
        return Missed(
            task=task,
            at=entry.at,
            channel=entry.channel,
            has_rolls=bool(entry.rolls),
            result=None if entry.is_secret else result_of(entry, tx.follow_ups(server, entry.id)),
            place=MessagePlace(server, opening_of(tx, entry).id),
        )

    return await table.store.run(unit)


async def waiting(table: Table) -> set[Waiting]:
    """Return who is still to be told something."""

    def query(reader: Reader) -> set[Waiting]:
        return _waiting(reader, reader.due_tasks(MISSED, _claimed_until(table), table.shards))

    return await table.store.read(query)


@look()
def is_waiting(at: ReadTurn) -> bool:
    """Return whether whoever asks is still to be told something."""
    server = at.server
    tasks = at.reader.due_tasks_of(server, MISSED, _claimed_until(at.table))
    return (server, at.request.person) in _waiting(at.reader, tasks)


def _claimed_until(table: Table) -> int:
    """Return when also that is due which somebody has just begun to tell, and may never have told."""
    return table.now() + live_rows.CLAIM_SECONDS


def _waiting(reader: Reader, tasks: Sequence[DueTask]) -> set[Waiting]:
    found = [reader.entry(task.server, EntryId(task.id)) for task in tasks]
    return {(one.server, one.person) for one in found if one is not None}


async def claim(table: Table, request: Request) -> Sequence[Missed]:
    """Return what is to be told to whoever asks now, oldest first; nobody else gets it meanwhile."""

    def unit(tx: Transaction) -> list[tuple[DueTask, int, int, bool, MessagePlace]]:
        claimed = []
        for task in tx.due_tasks_of(request.server, MISSED, table.now()):
            entry = tx.entry(task.server, EntryId(task.id))
            if entry is not None and entry.person == request.person and live_rows.claim(table, tx, task):
                place = MessagePlace(task.server, opening_of(tx, entry).id)
                claimed.append((task, entry.at, entry.channel, bool(entry.rolls), place))
        return claimed

    return [
        Missed(
            task=task,
            at=at,
            channel=channel,
            has_rolls=has_rolls,
            result=await _result(table, request, EntryId(task.id)),
            place=place,
        )
        for task, at, channel, has_rolls, place in await table.store.run(unit)
    ]


async def _result(table: Table, request: Request, entry: EntryId) -> Result | None:
    try:
        return await entry_result(table, request, entry)
    except UserError:  # only a GM may see it
        return None


async def press_if_open(table: Table, task: DueTask) -> tuple[Pressed, int] | None:
    """Press a follow-up whose time has come; it is pressed only once, however often this is called.

    Args:
        task: What to press; see `timed.due`.

    Returns:
        The result and its channel; call `timed.note_done` once it is posted. None if somebody
        else has the task or was faster, if play has moved on since, and if the press was undone.
    """

    def unit(tx: Transaction) -> tuple[Pressed, int] | None:
        if not live_rows.claim(table, tx, task):
            return None
        follow_up = tx.follow_up(task.server, FollowUpId(task.id))
        entry = None if follow_up is None else tx.entry(task.server, follow_up.entry)
        if follow_up is None or entry is None or _is_over(tx, task, follow_up, entry):
            tx.drop_due_task(task)
            return None
        return press_in(table, tx, _request(task, entry), follow_up.id), entry.channel

    try:
        return await table.store.run(unit)
    except UserError:  # what it offers can no longer be done
        await live_rows.note_done(table, task)
        return None


async def message_of(table: Table, task: DueTask) -> MessagePlace | None:
    """Return the message under which a follow-up stands; None if it is gone."""

    def query(reader: Reader) -> MessagePlace | None:
        follow_up = reader.follow_up(task.server, FollowUpId(task.id))
        return None if follow_up is None else place_with(reader, MessagePlace(task.server, follow_up.entry))

    return await table.store.read(query)


def _interaction(task: DueTask) -> str:
    return f"press:{task.id}"


def _request(task: DueTask, entry: EntryRecord) -> Request:
    """Return a request in nobody's name; the same follow-up gives the same request."""
    return by_itself(task.server, entry.channel, _interaction(task))


def _is_over(tx: Transaction, task: DueTask, follow_up: FollowUpRecord, entry: EntryRecord) -> bool:
    """Return whether there is nothing left to press or to post.

    A deadline names what closes it, and is checked when the follow-up is pressed. Without one, that is
    any later change to what the follow-up's entry changed.
    """
    pressed = tx.entry_of(task.server, _interaction(task))
    if pressed is not None:
        return pressed.undone_by is not None
    if follow_up.closed_by is not None or entry.undone_by is not None:
        return True
    return follow_up_from_json(follow_up.body).window is None and bool(tx.obstacles(entry))


DAY_SECONDS = 24 * 3600
Presence = Callable[[ServerId], bool | None]


async def welcome(table: Table, server: ServerId) -> bool:
    """Return whether a server that has added the bot is to be told how to begin; it is told once.

    One that takes the bot back is told again only after its data would have been deleted, and one that
    has a campaign never.
    """

    def unit(tx: Transaction) -> bool:
        if tx.campaigns(server) or tx.due_task(server, WELCOMED, 0) is not None:
            return False
        tx.save_due_task(DueTask(server=server, kind=WELCOMED, id=0, due=table.now()))
        return True

    return await table.store.run(unit)


async def look_after(table: Table, presence: Presence) -> tuple[ServerId, ...]:
    """Note which servers removed the bot or took it back, and delete what has waited long enough.

    Args:
        presence: Whether the bot is in a server; None if somebody else has to know.

    Returns:
        The servers whose data was deleted now.
    """
    new, back = await table.store.read(lambda reader: _changed(table, reader, presence))
    for server in (*new, *back):
        await table.store.run(partial(_note, server=server, now=table.now(), presence=presence))
    before = table.now() - round(table.left_server_days * DAY_SECONDS)
    waited = await table.store.read(lambda reader: reader.due_tasks(LEFT_SERVER, before, table.shards))
    gone = [task for task in waited if presence(task.server) is False]
    for task in await table.store.read(lambda reader: reader.due_tasks(WELCOMED, before, table.shards)):
        await live_rows.note_done(table, task)
    return tuple([task.server for task in gone if await _delete(table, task, presence)])


async def look_at(table: Table, server: ServerId, presence: Presence) -> None:
    """Note that one server removed the bot or took it back, if it has a campaign."""
    if await table.store.read(lambda reader: reader.campaigns(server)):
        await table.store.run(lambda tx: _note(tx, server, table.now(), presence))


def _changed(table: Table, reader: Reader, presence: Presence) -> tuple[list[ServerId], list[ServerId]]:
    """Return the servers that removed the bot and are not noted, and those noted that have it again."""
    noted = [task.server for task in reader.due_tasks(LEFT_SERVER, table.now(), table.shards)]
    known = frozenset(noted)
    new = [
        server for server in reader.servers(table.shards) if server not in known and presence(server) is False
    ]
    return new, [server for server in noted if presence(server)]


def _note(tx: Transaction, server: ServerId, now: int, presence: Presence) -> None:
    """Note that a server removed the bot, or forget it; each in a unit of its own, which locks one server."""
    noted, is_there = tx.due_task(server, LEFT_SERVER, 0), presence(server)
    if noted is None and is_there is False:
        tx.save_due_task(DueTask(server=server, kind=LEFT_SERVER, id=0, due=now))
    elif noted is not None and is_there:
        tx.drop_due_task(noted)


async def _delete(table: Table, task: DueTask, presence: Presence) -> bool:
    """Delete everything of a server, unless that is done or no longer to be done."""

    def unit(tx: Transaction) -> bool:
        is_due = tx.due_task(task.server, task.kind, task.id) == task and presence(task.server) is False
        if is_due:
            tx.purge_server(task.server)  # this task too
        return is_due

    return await table.store.run(unit)


IDLE_HOURS = "idle_hours"  # the setting of a campaign
LEAST_IDLE_HOURS = 1  # that a campaign can set


class Watched(Struct, frozen=True, kw_only=True):
    """A running session and what may end it."""

    server: ServerId
    campaign: CampaignId
    number: int  # the session's number
    channel: int  # the channel its recap goes to
    event: int | None  # the scheduled event whose end ends it, or None
    voice: int | None  # the voice channel that ends it by staying empty, or None
    is_empty: bool  # whether that channel is known to be empty
    is_quiet: bool  # whether nothing has happened in it for as long as the shortest wait can be


class Due(Struct, frozen=True):
    """A reason to end and its source, a moment or an event. The same pair ends a session only once."""

    reason: "Reason"
    since: int


def due(
    session: SessionRecord, shared: SharedSettings, table: Table, *, event_is_over: bool = False
) -> tuple[Due, ...]:
    """Return why a running session is due to end now, if it is.

    Args:
        shared: Its campaign's shared settings.
        table: The table, for the time and the default durations.
        event_is_over: Whether the linked event is known to have ended or to be gone.
    """
    now = table.now()
    found: list[Due] = []
    if event_is_over and session.event is not None:
        found.append(Due(endings.Reason.EVENT, session.event))
    empty_seconds = 60 * (shared.voice_empty_minutes or table.voice_empty_minutes)
    empty_since = session.empty_since if session.voice is not None else None
    if empty_since is not None and now - empty_since >= empty_seconds:
        found.append(Due(endings.Reason.VOICE, empty_since))
    if now - session.active_at >= 3600 * (shared.idle_hours or table.idle_hours):
        found.append(Due(endings.Reason.IDLE, session.active_at))
    return tuple(found)


async def watched(
    table: Table, server: ServerId | None = None, *, only_ending: bool = False
) -> tuple[Watched, ...]:
    """Return the running sessions of a server, or of every server that this process looks after.

    Args:
        server: The server; None for every one of these.
        only_ending: Whether to leave out those that nothing can be about to end; of every server.
    """
    idle = IdleRule(
        now=table.now(), setting=IDLE_HOURS, usual_hours=table.idle_hours, least_hours=LEAST_IDLE_HOURS
    )

    def query(reader: Reader) -> tuple[Watched, ...]:
        shards = table.shards
        running = (
            reader.ending_sessions(idle, shards) if only_ending else reader.open_sessions(server or shards)
        )
        return tuple(
            Watched(
                server=one.server,
                campaign=one.campaign,
                number=one.number,
                channel=one.channel,
                event=one.event,
                voice=one.voice,
                is_empty=one.empty_since is not None,
                is_quiet=one.active_at <= idle.quiet_since,
            )
            for one in running
        )

    return await table.store.read(query)


async def note_voice(table: Table, session: Watched, *, is_empty: bool) -> None:
    """Note whether a session's voice channel is empty (since now, if it was not before)."""

    def unit(tx: Transaction) -> None:
        running = _still_running(tx, session)
        if running is None or running.voice != session.voice:
            return
        if is_empty and running.empty_since is None:
            tx.save_session(replace(running, empty_since=table.now()))
        if not is_empty and running.empty_since is not None:
            tx.save_session(replace(running, empty_since=None))

    await table.store.run(unit)


def _still_running(reader: Reader, session: Watched) -> SessionRecord | None:
    running = reader.open_session(session.server, session.campaign)
    return running if running is not None and running.number == session.number else None


async def end_if_due(table: Table, session: Watched, *, event_is_over: bool = False) -> "SessionEnded | None":
    """End a session if it is due to end; it ends only once, however often this is called.

    Args:
        event_is_over: Whether its linked event is known to have ended or to be gone.

    Returns:
        How it ended, or None if it goes on or had ended before.
    """

    def query(reader: Reader) -> bool:
        return _ending(table, reader, session, event_is_over=event_is_over) is not None

    def unit(tx: Transaction) -> "SessionEnded | None":
        ending = _ending(table, tx, session, event_is_over=event_is_over)
        if ending is None:  # somebody was faster
            return None
        running, access, reason = ending
        ended = endings.close(table, tx, access, running, reason)
        recap_due = DueTask(
            server=session.server, kind=live_rows.RECAP, id=ended.result.entry, due=table.now()
        )
        tx.save_due_task(recap_due)
        return ended

    return await table.store.run(unit) if await table.store.read(query) else None


def _ending(
    table: Table, reader: Reader, session: Watched, *, event_is_over: bool
) -> "tuple[SessionRecord, Access, Reason] | None":
    """Return a session that is due to end now, in whose name and why; None if it goes on."""
    running = _still_running(reader, session)
    campaign = reader.campaign(session.server, session.campaign)
    if running is None or campaign is None:
        return None
    for found in due(running, shared_settings(campaign), table, event_is_over=event_is_over):
        request = _request_to_end(session, running.channel, found)
        if reader.entry_of(session.server, request.interaction) is None:  # else: taken back since
            return running, access_in(table, reader, request, campaign), found.reason
    return None


def _request_to_end(session: Watched, channel: int, found: Due) -> Request:
    """Return the request of an automatic end; the same reason gives the same request."""
    text = f"end:{session.campaign}:{session.number}:{found.reason}:{found.since}"
    return by_itself(session.server, channel, text)


# --- telling about it --------------------------------------------------------------------------


async def news_of(table: Table, task: DueTask) -> "tuple[SessionEnded, Recap] | None":
    """Return how a session ended and what happened in it, for the task that posts its recap.

    Returns:
        What to post; call `timed.note_done` once it is posted. None if another task is posting it,
        or if the end was undone or removed since.
    """

    def unit(tx: Transaction) -> "tuple[SessionEnded, CampaignId] | None":
        if not live_rows.claim(table, tx, task):
            return None
        entry = tx.entry(task.server, EntryId(task.id))
        campaign = None if entry is None else tx.campaign(task.server, entry.campaign)
        if entry is None or campaign is None or entry.undone_by is not None:
            tx.drop_due_task(task)
            return None
        request = by_itself(task.server, entry.channel, entry.interaction)
        return endings.ended_by(tx, access_in(table, tx, request, campaign), entry), campaign.id

    found = await table.store.run(unit)
    if found is None:
        return None
    ended, campaign = found
    request = by_itself(task.server, ended.channel, "recap")
    return ended, await recap.recap(table, request, ended.number, campaign=campaign)


MOST_SERVERS = 10_000  # whose channels are remembered


class LinkedVoice:
    """The voice channels that the running sessions of each server are linked to."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._channels: dict[ServerId, frozenset[int]] = {}
        self._changes = 0
        self._shards: Shards | None = None  # whose channels are remembered
        self._end: Callable[[], None] | None = None

    def stop(self) -> None:
        """Hear no more of changes."""
        if self._end is not None:
            self._end()

    def _hear(self, saved: Kept) -> None:
        if saved.turned is not None or "sessions" in saved.tables:
            self._changes += 1
            self._channels.pop(saved.server, None)

    async def of(self, server: ServerId) -> frozenset[int]:
        """Return the voice channels that the running sessions of a server are linked to."""
        if self._end is None:
            self._end = self._table.store.listen(self._hear)
        if self._shards is not self._table.shards:  # others may have looked after some of these servers
            self._shards = self._table.shards
            self._changes += 1
            self._channels.clear()
        known = self._channels.get(server)
        if known is not None:
            return known
        before = self._changes
        running = await watched(self._table, server)
        found = frozenset(session.voice for session in running if session.voice is not None)
        if before == self._changes:  # else they may have changed meanwhile
            if len(self._channels) >= MOST_SERVERS:
                self._channels.pop(next(iter(self._channels)))
            self._channels[server] = found
        return found
