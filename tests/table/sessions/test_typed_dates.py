"""Days and times as people type them."""

from datetime import UTC, datetime

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.sessions.meetings import typed_date, utc_offset

NOW = int(datetime(2026, 11, 23, 12, 0, tzinfo=UTC).timestamp())  # a Monday


def typed(text: str, offset: int = 0) -> str:
    return datetime.fromtimestamp(typed_date(text, offset, NOW), UTC).strftime("%Y-%m-%d %H:%M")


class TestTypedDates:
    @pytest.mark.parametrize(
        ("text", "read"),
        [
            ("2026-11-27 19:30", "2026-11-27 19:30"),
            ("27.11. 19.30", "2026-11-27 19:30"),
            ("27.11.2027 19:30", "2027-11-27 19:30"),
            ("3.1. 20:00", "2027-01-03 20:00"),
            ("Friday 19:30", "2026-11-27 19:30"),
            ("fri, 7 pm", "2026-11-27 19:00"),
            ("next Friday at 19:30", "2026-11-27 19:30"),
            ("monday 11:00", "2026-11-30 11:00"),
            ("Mon 13:00", "2026-11-23 13:00"),
            ("tomorrow 7:15 pm", "2026-11-24 19:15"),
            ("today 12:30", "2026-11-23 12:30"),
            ("19:30", "2026-11-23 19:30"),
            ("11:30", "2026-11-24 11:30"),
            ("tomorrow 12 am", "2026-11-24 00:00"),
        ],
    )
    def test_a_day_and_time_is_read(self, text: str, read: str) -> None:
        assert typed(text) == read

    def test_the_time_is_that_of_the_zone(self) -> None:
        assert typed("2026-11-27 19:30", 60) == "2026-11-27 18:30"
        assert typed("2026-11-27 19:30", -330) == "2026-11-28 01:00"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "soon",
            "Friday",
            "Friday 25:00",
            "31.2. 19:00",
            "2026-13-01 19:00",
            "someday 19:30",
            "13 pm",
            "7",
        ],
    )
    def test_nonsense_is_refused_with_examples(self, text: str) -> None:
        with pytest.raises(UserError, match="can't read"):
            typed(text)

    @pytest.mark.parametrize("text", ["2026-11-22 19:30", "today 11:00"])
    def test_the_past_is_refused(self, text: str) -> None:
        with pytest.raises(UserError, match="is over"):
            typed(text)


class TestZones:
    @pytest.mark.parametrize(
        ("text", "minutes"),
        [("+1", 60), ("-5:30", -330), ("−5:30", -330), ("UTC+2", 120), ("0", 0), ("±0", 0), ("gmt", None)],
    )
    def test_a_zone_is_hours_from_utc(self, text: str, minutes: int | None) -> None:
        if minutes is None:
            with pytest.raises(UserError, match="time zone"):
                utc_offset(text)
        else:
            assert utc_offset(text) == minutes

    @pytest.mark.parametrize("text", ["", "CET", "+15", "+1:75"])
    def test_nonsense_is_no_zone(self, text: str) -> None:
        with pytest.raises(UserError, match="time zone"):
            utc_offset(text)
