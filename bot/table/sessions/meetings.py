"""The next session as it is planned: when it is, who comes, and who wants to be reminded."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId, CampaignRecord, MeetingRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base import live_rows
from bot.table.base.access import BY_ITSELF, Access, access_in, by_itself
from bot.table.base.live_rows import DueTask
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, record, unit
from bot.table.base.typed_options import one_line

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LEAST_LETTERS = 3
_TIME = re.compile(r"(?:\bat\s+)?(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s*(?P<half>am|pm)?\s*$")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})$")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.?\s?(\d{4})?$")
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])?(\d{1,2})(?::?(\d{2}))?$")


def utc_offset(typed: str) -> int:
    """Return the minutes of a time zone's distance from UTC: "+1", "-5:30", "UTC+2".

    Raises:
        UserError: If it is none.
    """
    found = _OFFSET.match(typed.strip().lower().replace("−", "-").replace("±", "+"))
    minutes = 0 if found is None else 60 * int(found[2]) + int(found[3] or 0)
    if found is None or minutes > 14 * 60 or int(found[3] or 0) > 59:
        raise UserError(f"“{typed}” isn't a time zone.", "Write its distance from UTC, such as +1 or -5:30.")
    return -minutes if found[1] == "-" else minutes


def typed_date(typed: str, offset_minutes: int, now: int) -> int:
    """Return a day and time that people typed, in seconds since 1970.

    Args:
        typed: The day, and behind it the time; without a day it is the next such time.
        offset_minutes: The time zone's distance from UTC.
        now: The present.

    Raises:
        UserError: If it can't be read, or is over.
    """
    zone = timezone(timedelta(minutes=offset_minutes))
    here = datetime.fromtimestamp(now, UTC).astimezone(zone)
    text = typed.strip().lower().replace(",", " ")
    time = _TIME.search(text)
    clock = None if time is None else _clock(time)
    if time is None or clock is None:
        raise _unread(typed)
    words = text[: time.start()].strip()
    day = _day(words, here.date())
    if day is None:
        raise _unread(typed)
    at = datetime(day.year, day.month, day.day, *clock, tzinfo=zone)
    if at <= here and not words:
        at += timedelta(days=1)
    elif at <= here and words[:LEAST_LETTERS] in {"nex", *(name[:LEAST_LETTERS] for name in WEEKDAYS)}:
        at += timedelta(days=7)
    if at <= here:
        raise UserError(f"“{typed}” is over.", "Plan a session for a time to come.")
    return int(at.timestamp())


def _unread(typed: str) -> UserError:
    return UserError(
        f"I can't read “{typed}” as a day and time.",
        "Examples: 2026-11-27 19:30, Friday 19:30, tomorrow 7 pm.",
    )


def _clock(found: "re.Match[str]") -> tuple[int, int] | None:
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if found["minute"] is None and half is None:
        return None
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return (hour, minute) if hour < 24 and minute < 60 else None


def _day(words: str, today: date) -> date | None:
    if words in {"", "today", "tonight"}:
        return today
    if words == "tomorrow":
        return today + timedelta(days=1)
    for place, name in enumerate(WEEKDAYS):
        if len(words) >= LEAST_LETTERS and name.startswith(words.removeprefix("next ")):
            return today + timedelta(days=(place - today.weekday()) % 7)
    iso, dotted = _ISO.match(words), _DOTTED.match(words)
    try:
        if iso is not None:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if dotted is not None:
            found = date(int(dotted[3] or today.year), int(dotted[2]), int(dotted[1]))
            return found if dotted[3] or found >= today else found.replace(year=today.year + 1)
    except ValueError:
        return None
    return None


NEXT_EVENT = "next_event"  # in a campaign's settings: the event that the next session ends with
REMIND_SECONDS = {live_rows.REMIND: 3600, live_rows.REMIND_EARLY: 24 * 3600}  # so long before the session
EARLIEST_SECONDS = 12 * 3600  # a session that begins so long before the planned one is that one
MOST_ANSWERS = 100


class Coming(StrEnum):
    """What somebody answered."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"


class Invited(Document, extra="ignore"):
    """Somebody who answered."""

    name: str  # their name at the time
    answer: Coming | None = None  # whether they come, or None
    is_reminded: bool = False  # whether they want to be reminded an hour before
    is_reminded_early: bool = False  # whether they want to be reminded a day before


class Meeting(Document, extra="ignore"):
    """A planned session."""

    name: str
    starts_at: int  # when it begins
    channel: int  # the channel it was planned in, where reminders go
    event: int | None = None  # its event in the server's calendar, or None
    offset: int = 0  # the planner's time zone: minutes from UTC
    people: dict[int, Invited] = Field(default_factory=dict)  # who answered, by their id

    def names(self, answer: Coming) -> tuple[str, ...]:
        """Return who gave an answer."""
        return tuple(one.name for one in self.people.values() if one.answer is answer)

    @property
    def reminded(self) -> dict[int, str]:
        """Who wants to be reminded an hour before: ids and names."""
        return {id_: one.name for id_, one in self.people.items() if one.is_reminded}

    @property
    def reminded_early(self) -> dict[int, str]:
        """Who wants to be reminded a day before: ids and names."""
        return {id_: one.name for id_, one in self.people.items() if one.is_reminded_early}


class MeetingPlanned(Struct, frozen=True):
    """A session that a GM has planned: the answer, and what is planned."""

    result: Result
    meeting: Meeting


class Reminder(Struct, frozen=True):
    """A reminder to post now, for those who asked."""

    campaign: str
    meeting: Meeting
    people: tuple[int, ...]


def meeting_of(reader: Reader, campaign: CampaignRecord) -> Meeting | None:
    """Return a campaign's planned session, or None."""
    body = reader.meeting(campaign.server, campaign.id)
    return None if body is None else Meeting.model_validate(body)


def _save(table: Table, tx: Transaction, campaign: CampaignRecord, meeting: Meeting) -> None:
    """Save a planned session with the times of its reminders."""
    body = meeting.model_dump(mode="json")
    tx.save_meeting(MeetingRecord(server=campaign.server, campaign=campaign.id, body=body))
    early = meeting.starts_at - REMIND_SECONDS[live_rows.REMIND_EARLY]
    if meeting.starts_at > table.now():
        due = max(table.now(), meeting.starts_at - REMIND_SECONDS[live_rows.REMIND])
        tx.save_due_task(_task(campaign.server, campaign.id, live_rows.REMIND, due))
    if early > table.now():
        tx.save_due_task(_task(campaign.server, campaign.id, live_rows.REMIND_EARLY, early))
    else:
        tx.drop_due_task(_task(campaign.server, campaign.id, live_rows.REMIND_EARLY))


def _task(server: ServerId, campaign: CampaignId, kind: str, due: int = 0) -> DueTask:
    return DueTask(server=server, kind=kind, id=campaign, due=due)


# --- planning ----------------------------------------------------------------------------------


@look(gm=True)
def last_plan(at: ReadTurn) -> Meeting | None:
    """Return what is planned, for the form of a new plan; for a GM only."""
    return meeting_of(at.reader, at.campaign)


@look(gm=True)
def is_planned(at: ReadTurn) -> bool:
    """Return whether this very request has planned a session before; for a GM only."""
    return at.reader.entry_of(at.server, at.request.interaction) is not None


@unit(gm=True)
def plan(at: Turn, name: str, starts_at: int, *, event: int | None = None, offset: int = 0) -> MeetingPlanned:
    """Plan the next session; it takes the place of an earlier plan, and who asked stays reminded.

    Args:
        starts_at: When it begins.
        event: Its event in the server's calendar, whose end ends it, or None.
        offset: The GM's time zone: minutes from UTC.
    """
    again = at.earlier_answer()
    before = meeting_of(at.tx, at.campaign)
    if again is not None and before is not None:
        return MeetingPlanned(again, before)
    people = {} if before is None else before.people
    meeting = Meeting(
        name=one_line(name)[:100],
        starts_at=starts_at,
        channel=at.request.channel,
        event=event,
        offset=offset,
        people={
            id_: one.model_copy(update={"answer": None})
            for id_, one in people.items()
            if one.is_reminded or one.is_reminded_early
        },
    )
    _save(at.table, at.tx, at.campaign, meeting)
    _link(at.tx, at.access, event)
    return MeetingPlanned(
        at.log(
            "session.schedule",
            f"plans the next session: {meeting.name}",
            notes=("It ends with its event in the calendar.",) if event is not None else (),
        ),
        meeting,
    )


def _link(tx: Transaction, access: Access, event: int | None) -> None:
    """Let the next session end with an event, or with none."""
    settings = {key: value for key, value in access.campaign.settings.items() if key != NEXT_EVENT}
    if event is not None:
        settings[NEXT_EVENT] = event
    if settings != access.campaign.settings:
        tx.save_campaign(replace(access.campaign, settings=settings))


@unit(gm=True)
def call_off(at: Turn, starts_at: int) -> MeetingPlanned:
    """Call the planned session off.

    Raises:
        UserError: If it is not planned any more.
    """
    meeting = _current(at.tx, at.access, starts_at)
    _forget(at.tx, at.campaign)
    _link(at.tx, at.access, None)
    return MeetingPlanned(at.log("session.calloff", f"calls off the next session: {meeting.name}"), meeting)


def begin(tx: Transaction, access: Access, now: int) -> None:
    """Forget the planned session when a session starts, unless that is planned for much later."""
    meeting = meeting_of(tx, access.campaign)
    if meeting is not None and meeting.starts_at - now <= EARLIEST_SECONDS:
        _forget(tx, access.campaign)


def _forget(tx: Transaction, campaign: CampaignRecord) -> None:
    tx.drop_meeting(campaign.server, campaign.id)
    for kind in REMIND_SECONDS:
        tx.drop_due_task(_task(campaign.server, campaign.id, kind))


def _current(reader: Reader, access: Access, starts_at: int) -> Meeting:
    """Return the planned session that begins then."""
    meeting = meeting_of(reader, access.campaign)
    if meeting is None:
        raise UserError("No session is planned any more.", "A GM can plan one with /session schedule.")
    if meeting.starts_at != starts_at:
        raise UserError(f"This date is out of date: the next session is <t:{meeting.starts_at}:F>.")
    return meeting


# --- answering ---------------------------------------------------------------------------------


@unit()
def answer(at: Turn, starts_at: int, answer: Coming | None, *, is_early: bool = False) -> Meeting:
    """Note whether somebody comes; without an answer, turn a reminder of theirs on or off.

    Args:
        starts_at: When the session begins that they answer about.
        is_early: Whether it is the reminder a day before.

    Raises:
        UserError: If that session is not planned any more.
    """
    meeting = _current(at.tx, at.access, starts_at)
    known = meeting.people.get(at.request.person, Invited(name=at.request.person_name))
    if at.request.person not in meeting.people and len(meeting.people) >= MOST_ANSWERS:
        raise UserError(f"{MOST_ANSWERS} people have answered already.")
    if answer is not None:
        update: dict[str, object] = {"answer": answer}
    elif is_early:
        update = {"is_reminded_early": not known.is_reminded_early}
    else:
        update = {"is_reminded": not known.is_reminded}
    changed = known.model_copy(update={"name": at.request.person_name, **update})
    meeting = meeting.model_copy(update={"people": {**meeting.people, at.request.person: changed}})
    body = meeting.model_dump(mode="json")
    at.tx.save_meeting(MeetingRecord(server=at.server, campaign=at.campaign.id, body=body))
    return meeting


# --- by itself -----------------------------------------------------------------------------------


async def reminder_of(table: Table, task: DueTask) -> Reminder | None:
    """Return the reminder that is due; call `timed.note_done` once it is posted.

    Returns:
        None if another task is posting it, if nobody asked, or if the session is not planned any more.
    """

    def unit(tx: Transaction) -> Reminder | None:
        if not live_rows.claim(table, tx, task):
            return None
        campaign = tx.campaign(task.server, CampaignId(task.id))
        meeting = None if campaign is None else meeting_of(tx, campaign)
        if campaign is None or meeting is None or meeting.starts_at < table.now():
            tx.drop_due_task(task)
            return None
        people = meeting.reminded_early if task.kind == live_rows.REMIND_EARLY else meeting.reminded
        if not people:
            tx.drop_due_task(task)
            return None
        return Reminder(campaign.name, meeting, tuple(people))

    return await table.store.run(unit)


async def event_changed(table: Table, server: ServerId, event: int, name: str, starts_at: int) -> None:
    """Follow an event of the calendar that was renamed or moved."""

    def unit(tx: Transaction) -> None:
        for one in tx.meetings(server):
            campaign, meeting = tx.campaign(server, one.campaign), Meeting.model_validate(one.body)
            if campaign is not None and meeting.event == event:
                changed = meeting.model_copy(update={"name": one_line(name)[:100], "starts_at": starts_at})
                _save(table, tx, campaign, changed)

    if await _is_for(table, server, event):
        await table.store.run(unit)


async def _is_for(table: Table, server: ServerId, event: int) -> bool:
    """Return whether a session is planned for an event; most events are none of ours."""
    found = await table.store.read(lambda reader: reader.meetings(server))
    return any(one.body.get("event") == event for one in found)


async def event_gone(table: Table, server: ServerId, event: int) -> None:
    """Call off the planned sessions of an event that is over, was deleted or called off.

    Without that, the next session would end with an event that is gone.
    """

    def unit(tx: Transaction) -> None:
        for one in tx.meetings(server):
            campaign, meeting = tx.campaign(server, one.campaign), Meeting.model_validate(one.body)
            if campaign is not None and meeting.event == event:
                _forget(tx, campaign)
                _unlink(table, tx, campaign, meeting)

    if await _is_for(table, server, event):
        await table.store.run(unit)


def _unlink(table: Table, tx: Transaction, campaign: CampaignRecord, meeting: Meeting) -> None:
    """Let the next session no longer end with an event that is gone."""
    interaction = f"event gone:{campaign.id}:{meeting.event}"
    if NEXT_EVENT not in campaign.settings or tx.entry_of(campaign.server, interaction) is not None:
        return
    access = access_in(table, tx, by_itself(campaign.server, meeting.channel, interaction), campaign)
    _link(tx, access, None)
    headline = f"calls off the next session: {meeting.name}"
    message = Message(who=BY_ITSELF, headline=headline, notes=("Its event is gone from the calendar.",))
    record(table, tx, access, "session.calloff", message)
