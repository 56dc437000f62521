"""Sessions: start one and show its status. Its end is in `bot.table.sessions.endings`."""

from dataclasses import dataclass, replace

from bot.rules.kernel.errors import UserError
from bot.store.records import NO_LIMIT, BoardRecord, CampaignId, EntryRecord, ServerId, SessionRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_here, gm_access_here, seed_in_use
from bot.table.base.request import Request, posting_notes
from bot.table.base.results import Message, Result, result_of
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import shared_settings
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import run_hook
from bot.table.play.actions import open_things
from bot.table.sessions import meetings
from bot.table.sessions.meetings import NEXT_EVENT

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


class NoSession(UserError):
    """No session is running."""

    def __init__(self) -> None:
        super().__init__("No session is running here.", try_this="Start one with /session start.")


@dataclass(frozen=True, slots=True)
class Present:
    """A player with the character they play now."""

    person: int
    character: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    """A session that has just started.

    Attributes:
        result: The answer.
        number: The session's number.
        seed: Number of the seed in use.
        commitment: Its SHA-256.
        present: Who plays whom.
    """

    result: Result
    number: int
    seed: int
    commitment: str
    present: tuple[Present, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStatus:
    """The status of a running session.

    Attributes:
        campaign: Name of its campaign.
        number: The session's number.
        started_at: When it began.
        active_at: When something last happened in it.
        ends_idle_at: When it ends by itself if nothing happens.
        event: The scheduled event whose end ends it, or None.
        voice: The voice channel that ends it by staying empty, or None.
        empty_since: Since when that channel is known to be empty, or None.
        seed: Number of the seed in use.
        commitment: Its SHA-256.
        present: Who plays whom.
    """

    campaign: str
    number: int
    started_at: int
    active_at: int
    ends_idle_at: int
    event: int | None
    voice: int | None
    empty_since: int | None
    seed: int
    commitment: str
    present: tuple[Present, ...]


# --- starting ----------------------------------------------------------------------------------


async def start(
    table: Table, request: Request, *, event: int | None = None, voice: int | None = None
) -> SessionStarted:
    """Start a session of the campaign of the place.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        event: A scheduled event whose end ends the session.
        voice: A voice channel that ends it by staying empty.

    Raises:
        UserError: If one is running already.
    """

    def unit(tx: Transaction) -> SessionStarted:
        again = tx.entry_of(request.server, request.interaction)
        access = access_here(table, tx, request)
        if again is not None:
            return _started(tx, access, again)
        access.require_gm()
        running = tx.open_session(request.server, access.campaign.id)
        if running is not None:
            raise UserError(
                f"Session {running.number} is already running.", try_this="End it first with /session end."
            )
        return _begin(table, tx, access, event=event, voice=voice)

    return await table.store.run(unit)


def _begin(
    table: Table, tx: Transaction, access: Access, *, event: int | None, voice: int | None
) -> SessionStarted:
    server, campaign = access.campaign.server, access.campaign.id
    earlier = tx.sessions(server, campaign)
    begun = SessionRecord(
        server=server,
        campaign=campaign,
        number=earlier[0].number + 1 if earlier else 1,
        channel=access.request.channel,
        started_at=table.now(),
        active_at=table.now(),
        event=_scheduled(tx, access) if event is None else event,
        voice=voice,
    )
    tx.save_session(begun)
    meetings.begin(tx, access, table.now())
    waiting = [one.what for one in open_things(tx, access)]
    still = [f"Still open from before: {'; '.join(waiting)}."] if waiting else []
    still += posting_notes(access.request, "If it ends automatically, its recap won't be posted:")
    hook_result, lines = run_hook(tx, access, access.game.start_session)
    message = Message(
        who=access.request.person_name,
        headline=f"starts session {begun.number}",
        changes=lines,
        notes=(*hook_result.notes, *still),
    )
    result = record(
        table, tx, access, "session.start", message, session=begun.number, follow_ups=hook_result.follow_ups
    )
    entry = tx.entry(server, result.entry)
    assert entry is not None  # noqa: S101  # it has just been kept
    return _started(tx, access, entry)


def _started(tx: Reader, access: Access, entry: EntryRecord) -> SessionStarted:
    seed = seed_in_use(tx, access)
    return SessionStarted(
        result=result_of(entry, tx.follow_ups(entry.server, entry.id)),
        number=entry.session or 0,
        seed=seed.number,
        commitment=seed.commitment,
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


async def link(
    table: Table, request: Request, *, event: int | None = None, voice: int | None = None
) -> Result:
    """Link a scheduled event or a voice channel that ends the running session; None changes nothing."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        running = running_session(tx, access)
        linked = replace(running, event=event or running.event)
        if voice is not None:
            linked = replace(linked, voice=voice, empty_since=None)
        tx.save_session(linked)
        message = Message(who=request.person_name, headline=f"links session {running.number}")
        return record(table, tx, access, "session.link", message)

    return await table.store.run(unit)


def _scheduled(tx: Transaction, access: Access) -> int | None:
    """Take the event saved for the next session out of the store and return it."""
    stored = dict(access.campaign.settings)
    event = stored.pop(NEXT_EVENT, None)
    if event is not None:
        tx.save_campaign(replace(access.campaign, settings=stored))
    return event if isinstance(event, int) else None


# --- looking -----------------------------------------------------------------------------------


async def status(table: Table, request: Request) -> SessionStatus:
    """Return the status of the campaign's running session.

    Raises:
        NoSession: If none is running.
    """

    def query(reader: Reader) -> SessionStatus:
        access = access_here(table, reader, request)
        running = running_session(reader, access)
        seed = seed_in_use(reader, access)
        return SessionStatus(
            campaign=access.campaign.name,
            number=running.number,
            started_at=running.started_at,
            active_at=running.active_at,
            ends_idle_at=running.active_at + idle_seconds(table, access),
            event=running.event,
            voice=running.voice,
            empty_since=running.empty_since,
            seed=seed.number,
            commitment=seed.commitment,
            present=present(reader, access),
        )

    return await table.store.read(query)


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
