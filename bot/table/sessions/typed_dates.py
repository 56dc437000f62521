"""Days and times as people type them: "2026-11-27 19:30", "27.11. 19:30", "Friday 19:30", "tomorrow 7 pm"."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

from bot.rules.kernel.errors import UserError

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
