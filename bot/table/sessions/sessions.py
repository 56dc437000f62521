"""Sessions: start one and show its status. Its end is in `bot.table.sessions.endings`."""

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.store.records import NO_LIMIT, BoardRecord, CampaignId, EntryRecord, ServerId, SessionRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, posting_notes
from bot.table.base.results import Result, result_of
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.campaigns.campaign_settings import shared_settings
from bot.table.journal.scenes import run_hook
from bot.table.play.actions import open_things
from bot.table.sessions import meetings
from bot.table.sessions.meetings import NEXT_EVENT

KIND = "thread"  # of board; behind it stands the session's number


@look()
def wants_thread(at: ReadTurn, number: int) -> bool:
    """Return whether the running session of the place is to get a thread and has none; for a GM only."""
    campaign = at.campaign
    running = at.reader.open_session(campaign.server, campaign.id)
    is_wanted = at.is_gm and shared_settings(campaign).session_threads
    return (
        is_wanted
        and running is not None
        and running.number == number
        and thread_of(at.reader, campaign.server, campaign.id, number) is None
    )


@unit()
def note_thread(at: Turn, number: int, thread: int) -> None:
    """Note which thread is a session's."""
    campaign = at.campaign
    kind = f"{KIND}/{number}"
    at.tx.save_board(BoardRecord(server=campaign.server, campaign=campaign.id, kind=kind, channel=thread))


def thread_of(reader: Reader, server: ServerId, campaign: CampaignId, number: int) -> int | None:
    """Return a session's thread, or None."""
    board = reader.board(server, campaign, f"{KIND}/{number}")
    return None if board is None else board.channel


class NoSession(UserError):
    """No session is running."""

    def __init__(self) -> None:
        super().__init__("No session is running here.", try_this="Start one with /session start.")


class Present(Struct, frozen=True):
    """A player with the character they play now."""

    person: int
    character: str


class SessionStarted(Struct, frozen=True, kw_only=True):
    """A session that has just started."""

    result: Result  # the answer
    number: int  # the session's number
    present: tuple[Present, ...]  # who plays whom


class SessionStatus(Struct, frozen=True, kw_only=True):
    """The status of a running session."""

    campaign: str  # name of its campaign
    number: int  # the session's number
    started_at: int  # when it began
    active_at: int  # when something last happened in it
    ends_idle_at: int  # when it ends by itself if nothing happens
    event: int | None  # the scheduled event whose end ends it, or None
    voice: int | None  # the voice channel that ends it by staying empty, or None
    empty_since: int | None  # since when that channel is known to be empty, or None
    present: tuple[Present, ...]  # who plays whom


# --- starting ----------------------------------------------------------------------------------


@unit()
def start(at: Turn, *, event: int | None = None, voice: int | None = None) -> SessionStarted:
    """Start a session of the campaign of the place.

    Args:
        event: A scheduled event whose end ends the session.
        voice: A voice channel that ends it by staying empty.

    Raises:
        UserError: If one is running already.
    """
    again = at.tx.entry_of(at.server, at.request.interaction)
    if again is not None:
        return _started(at.tx, at.access, again)
    at.access.require_gm()
    running = at.tx.open_session(at.server, at.campaign.id)
    if running is not None:
        raise UserError(
            f"Session {running.number} is already running.", try_this="End it first with /session end."
        )
    return _begin(at, event=event, voice=voice)


def _begin(at: Turn, *, event: int | None, voice: int | None) -> SessionStarted:
    server, campaign = at.server, at.campaign.id
    earlier = at.tx.sessions(server, campaign)
    begun = SessionRecord(
        server=server,
        campaign=campaign,
        number=earlier[0].number + 1 if earlier else 1,
        channel=at.request.channel,
        started_at=at.table.now(),
        active_at=at.table.now(),
        event=_scheduled(at.tx, at.access) if event is None else event,
        voice=voice,
    )
    at.tx.save_session(begun)
    meetings.begin(at.tx, at.access, at.table.now())
    waiting = [one.what for one in open_things(at.tx, at.access)]
    still = [f"Still open from before: {'; '.join(waiting)}."] if waiting else []
    still += posting_notes(at.request, "If it ends automatically, its recap won't be posted:")
    hook_result, lines = run_hook(at.tx, at.access, at.game.start_session)
    result = at.log(
        "session.start",
        f"starts session {begun.number}",
        changes=lines,
        notes=(*hook_result.notes, *still),
        session=begun.number,
        follow_ups=hook_result.follow_ups,
    )
    entry = at.tx.entry(server, result.entry)
    assert entry is not None  # noqa: S101  # it has just been kept
    return _started(at.tx, at.access, entry)


def _started(tx: Reader, access: Access, entry: EntryRecord) -> SessionStarted:
    assert entry.session is not None  # noqa: S101  # a start is an entry of its own session
    return SessionStarted(
        result=result_of(entry, tx.follow_ups(entry.server, entry.id)),
        number=entry.session,
        present=present(tx, access),
    )


def present(reader: Reader, access: Access) -> tuple[Present, ...]:
    """Return who plays whom now: each player's current character, else their only one."""
    server, campaign = access.campaign.server, access.campaign.id
    found: list[Present] = []
    owned: dict[int, list[str]] = {}
    current: dict[int, str] = {}
    for one in reader.character_names(server, campaign, limit=NO_LIMIT):
        if one.owner is None:
            continue
        owned.setdefault(one.owner, []).append(one.name)
        if reader.current_character(server, campaign, one.owner) == one.id:
            current[one.owner] = one.name
    for person, names in owned.items():
        if person in current or len(names) == 1:
            found.append(Present(person, current.get(person, names[0])))
    return tuple(found)


@act(gm=True)
def link(at: Turn, *, event: int | None = None, voice: int | None = None) -> Result:
    """Link a scheduled event or a voice channel that ends the running session; None changes nothing."""
    running = running_session(at.tx, at.access)
    linked = replace(running, event=event or running.event)
    if voice is not None:
        linked = replace(linked, voice=voice, empty_since=None)
    at.tx.save_session(linked)
    return at.log("session.link", f"links session {running.number}")


def _scheduled(tx: Transaction, access: Access) -> int | None:
    """Take the event saved for the next session out of the store and return it."""
    stored = dict(access.campaign.settings)
    event = stored.pop(NEXT_EVENT, None)
    if event is not None:
        tx.save_campaign(replace(access.campaign, settings=stored))
    return event if isinstance(event, int) else None


# --- looking -----------------------------------------------------------------------------------


@look()
def status(at: ReadTurn) -> SessionStatus:
    """Return the status of the campaign's running session.

    Raises:
        NoSession: If none is running.
    """
    running = running_session(at.reader, at.access)
    return SessionStatus(
        campaign=at.campaign.name,
        number=running.number,
        started_at=running.started_at,
        active_at=running.active_at,
        ends_idle_at=running.active_at + idle_seconds(at.table, at.access),
        event=running.event,
        voice=running.voice,
        empty_since=running.empty_since,
        present=present(at.reader, at.access),
    )


def idle_seconds(table: Table, access: Access) -> int:
    """Return the seconds without play after which a session ends by itself."""
    return round(3600 * (shared_settings(access.campaign).idle_hours or table.idle_hours))


def running_session(reader: Reader, access: Access) -> SessionRecord:
    """Return the running session.

    Raises:
        NoSession: If none is.
    """
    running = reader.open_session(access.campaign.server, access.campaign.id)
    if running is None:
        raise NoSession
    return running
