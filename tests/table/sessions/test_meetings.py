"""The planned session: answers, reminders, a new date, and who may plan."""

import asyncio
from datetime import UTC, datetime

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.transaction import Reader
from bot.table.base import live_rows
from bot.table.base.table import Table
from bot.table.sessions import meetings, sessions
from bot.table.sessions.meetings import Coming, Meeting, typed_date, utc_offset
from tests.table.conftest import ELSEWHERE, HOME, MORNING, Clock, Person

EVENING = MORNING + 10 * 3600


async def planned(table: Table, gm: Person) -> Meeting | None:
    return await meetings.last_plan(table, gm.asks())


class TestPlanning:
    async def test_a_plan_replaces_an_earlier_one_and_keeps_who_wants_to_be_reminded(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING, event=70, offset=60)
        await meetings.answer(game, ada.asks(), EVENING, Coming.YES)
        await meetings.answer(game, ada.asks(), EVENING, None)
        await meetings.answer(game, bo.asks(), EVENING, Coming.NO)

        done = await meetings.plan(game, gm.asks(), "Saturday\n", EVENING + 86_400)

        assert done.result.message.headline == "plans the next session: Saturday"
        assert done.meeting == await planned(game, gm)
        assert (done.meeting.event, done.meeting.reminded) == (None, {2: "Alice"})
        assert done.meeting.names(Coming.YES) == ()
        with pytest.raises(UserError, match="out of date"):
            await meetings.answer(game, bo.asks(), EVENING, Coming.YES)

    async def test_the_same_request_plans_once(self, game: Table, gm: Person) -> None:
        assert not await meetings.is_planned(game, gm.asks("77"))
        first = await meetings.plan(game, gm.asks("77"), "Friday", EVENING)

        assert await meetings.is_planned(game, gm.asks("77"))
        assert await meetings.plan(game, gm.asks("77"), "Friday", EVENING) == first

    async def test_a_called_off_session_is_gone_with_its_reminder_and_event(
        self, game: Table, gm: Person, ada: Person, clock: Clock
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING, event=70)
        await meetings.answer(game, ada.asks(), EVENING, None)

        done = await meetings.call_off(game, gm.asks(), EVENING)

        assert done.result.message.headline == "calls off the next session: Friday"
        clock.pass_hours(9.5)
        assert await live_rows.due(game, live_rows.REMIND) == ()
        await sessions.start(game, gm.asks())
        assert (await sessions.status(game, gm.asks())).event is None
        with pytest.raises(UserError, match="No session is planned"):
            await meetings.answer(game, ada.asks(), EVENING, Coming.YES)
        with pytest.raises(UserError, match="No session is planned"):
            await meetings.call_off(game, gm.asks(), EVENING)

    @pytest.mark.parametrize(("hours", "is_left"), [(10, False), (100, True)])
    async def test_a_start_uses_up_a_plan_for_the_same_day(
        self, game: Table, gm: Person, hours: int, is_left: bool
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", MORNING + hours * 3600)

        await sessions.start(game, gm.asks())

        assert (await planned(game, gm) is not None) is is_left


class TestAnswering:
    async def test_answers_change_and_two_at_once_are_both_kept(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING)
        await meetings.answer(game, ada.asks(), EVENING, Coming.MAYBE)

        await asyncio.gather(
            meetings.answer(game, ada.asks(), EVENING, Coming.YES),
            meetings.answer(game, bo.asks(), EVENING, Coming.YES),
        )

        found = await planned(game, gm)
        assert found is not None
        assert (found.names(Coming.YES), found.names(Coming.MAYBE)) == (("Alice", "Bob"), ())

    async def test_a_second_press_takes_the_reminder_back(self, game: Table, gm: Person, ada: Person) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING)

        once = await meetings.answer(game, ada.asks(), EVENING, None)
        twice = await meetings.answer(game, ada.asks(), EVENING, None)

        assert (once.reminded, twice.reminded) == ({2: "Alice"}, {})

    async def test_another_server_has_no_part_in_it(self, game: Table, gm: Person, neighbour: Person) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING)

        with pytest.raises(UserError):
            await meetings.answer(game, neighbour.asks(), EVENING, Coming.YES)
        await meetings.event_gone(game, ELSEWHERE, 70)


class TestReminders:
    async def test_an_hour_before_those_who_asked_are_reminded_once(
        self, game: Table, gm: Person, ada: Person, bo: Person, clock: Clock
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING)
        await meetings.answer(game, ada.asks(), EVENING, None)
        await meetings.answer(game, bo.asks(), EVENING, Coming.YES)
        clock.pass_hours(8.9)
        assert await live_rows.due(game, live_rows.REMIND) == ()
        clock.pass_hours(0.1)
        (task,) = await live_rows.due(game, live_rows.REMIND)

        both = await asyncio.gather(meetings.reminder_of(game, task), meetings.reminder_of(game, task))

        (reminder,) = [one for one in both if one is not None]
        assert (reminder.campaign, reminder.meeting.reminded) == ("The Long Road", {2: "Alice"})
        await live_rows.note_done(game, task)
        assert await live_rows.due(game, live_rows.REMIND) == ()

    async def test_a_day_before_those_who_asked_for_that_are_reminded_and_the_others_later(
        self, game: Table, gm: Person, ada: Person, bo: Person, clock: Clock
    ) -> None:
        later = EVENING + 2 * 24 * 3600
        await meetings.plan(game, gm.asks(), "Sunday", later)
        await meetings.answer(game, ada.asks(), later, None, is_early=True)
        await meetings.answer(game, bo.asks(), later, None)
        clock.pass_hours(33.9)
        assert await live_rows.due(game, live_rows.REMIND_EARLY) == ()
        clock.pass_hours(0.1)
        (task,) = await live_rows.due(game, live_rows.REMIND_EARLY)

        early = await meetings.reminder_of(game, task)

        assert early is not None
        assert early.people == (2,)
        await live_rows.note_done(game, task)
        assert (
            await live_rows.due(game, live_rows.REMIND_EARLY)
            == await live_rows.due(game, live_rows.REMIND)
            == ()
        )
        clock.pass_hours(23)
        (task,) = await live_rows.due(game, live_rows.REMIND)
        hour = await meetings.reminder_of(game, task)
        assert hour is not None
        assert hour.people == (3,)

    async def test_a_session_moved_to_the_same_day_has_no_reminder_a_day_before(
        self, game: Table, gm: Person, ada: Person, clock: Clock
    ) -> None:
        later = EVENING + 2 * 24 * 3600
        await meetings.plan(game, gm.asks(), "Sunday", later)
        await meetings.answer(game, ada.asks(), later, None, is_early=True)

        moved = (await meetings.plan(game, gm.asks(), "Friday", EVENING)).meeting
        again = await meetings.answer(game, ada.asks(), EVENING, None, is_early=True)

        assert (moved.reminded_early, again.reminded_early) == ({2: "Alice"}, {})
        clock.pass_hours(48)
        assert await live_rows.due(game, live_rows.REMIND_EARLY) == ()

    async def test_nobody_is_reminded_without_asking(
        self, game: Table, gm: Person, bo: Person, clock: Clock
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING)
        await meetings.answer(game, bo.asks(), EVENING, Coming.YES)
        clock.pass_hours(9)
        (task,) = await live_rows.due(game, live_rows.REMIND)

        assert await meetings.reminder_of(game, task) is None
        assert await live_rows.due(game, live_rows.REMIND) == ()

    async def test_a_moved_event_moves_the_session_and_its_reminder(
        self, game: Table, gm: Person, ada: Person, clock: Clock
    ) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING, event=70)
        await meetings.answer(game, ada.asks(), EVENING, None)

        await meetings.event_changed(game, HOME, 70, "Saturday", EVENING + 3600)
        await meetings.event_changed(game, HOME, 71, "Another", EVENING)

        found = await planned(game, gm)
        assert found is not None
        assert (found.name, found.starts_at) == ("Saturday", EVENING + 3600)
        clock.pass_hours(9.5)
        assert await live_rows.due(game, live_rows.REMIND) == ()
        clock.pass_hours(0.5)
        assert len(await live_rows.due(game, live_rows.REMIND)) == 1

    async def test_a_deleted_event_takes_the_plan_along(self, game: Table, gm: Person) -> None:
        await meetings.plan(game, gm.asks(), "Friday", EVENING, event=70)

        for _ in range(2):
            await meetings.event_gone(game, HOME, 70)

        assert await planned(game, gm) is None
        await sessions.start(game, gm.asks())
        assert (await sessions.status(game, gm.asks())).event is None

        def stored(reader: Reader) -> int:
            return len(reader.meetings(HOME))

        assert await game.store.read(stored) == 0


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
