"""Planning the next session in a form, and the buttons of its card."""

from datetime import UTC, datetime, timedelta

import discord

from bot.rules.kernel.errors import UserError
from bot.table.sessions import meetings
from bot.table.sessions.meetings import Coming, typed_date, utc_offset
from bot.ui.commands.desk import AtDesk, answer_there
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_in, request_of
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.desk_ids import HERE
from bot.ui.replies.meeting_replies import (
    NotInCalendar,
    add_event,
    called_off_reply,
    meeting_reply,
    moved_reply,
    not_in_calendar_reply,
    plan_form,
    remove_event,
)

MOST_HOURS = 72


async def ask_plan(interaction: Interaction, voice: int = 0, card: int = 0, home: int | None = None) -> None:
    """Open the form in which a GM plans the next session.

    Args:
        interaction: What asks for it.
        voice: The voice channel it is held in, or 0.
        card: When the session begins on whose card this was asked, or 0.
        home: The channel that the desk leads where this was asked; None where it was not at a desk.
    """
    last = await meetings.last_plan(interaction.client.table, request_in(interaction, home or HERE))
    await ask_form(interaction, plan_form(last, voice, card, home))


async def on_meet(interaction: Interaction, press: Press) -> None:
    """Handle the card's buttons and the form."""
    table, request, what = interaction.client.table, request_of(interaction), press.argument(0)
    if what == "plan":
        await _plan(interaction, press)
    elif what == "change":
        await ask_plan(interaction, card=press.number(1), home=press.number_or(2, None))
    elif what == "off":
        planned = await meetings.call_off(table, request, press.number(1))
        await change(interaction, called_off_reply(planned.meeting, request.person_name))
        await remove_event(interaction, planned.meeting.event)
    elif what in {"remind", "early", *Coming}:
        given = Coming(what) if what in set(Coming) else None
        is_early = what == "early"
        meeting = await meetings.answer(table, request, press.number(1), given, is_early=is_early)
        await change(interaction, meeting_reply(meeting))
    else:
        raise OutOfDate


async def _plan(interaction: Interaction, press: Press) -> None:
    """Plan what the form says; in the calendar too, where the bot may."""
    home = press.number_or(3, None)
    seat, written = AtDesk(interaction, home or HERE), press.fields
    table, request = seat.table, seat.request
    is_elsewhere = request.channel != interaction.channel_id
    offset = utc_offset(written.get("zone", ""))
    starts_at = typed_date(written.get("when", ""), offset, table.now())
    hours = _hours(written.get("hours", ""))
    was_planned, before = await meetings.is_planned(table, request), await meetings.last_plan(table, request)
    is_on_card = before is not None and press.number(2) == before.starts_at
    await interaction.response.defer(thinking=not (is_on_card or is_elsewhere))
    begins = datetime.fromtimestamp(starts_at, UTC)
    event, why = None, ""
    if not was_planned:
        try:
            event = await add_event(
                interaction, written.get("name", ""), begins, begins + timedelta(hours=hours), press.number(1)
            )
        except NotInCalendar as error:
            why = str(error)
    planned = await meetings.plan(
        table, request, written.get("name", ""), starts_at, event=event, offset=offset
    )
    if before is not None and is_on_card:
        await change(interaction, moved_reply(before, planned.meeting))
    await answer_there(seat, meeting_reply(planned.meeting))
    if before is not None and before.event != event:
        await remove_event(interaction, before.event)
    if why:
        await answer(interaction, not_in_calendar_reply(why, home))


def _hours(written: str) -> float:
    try:
        hours = float(written.strip().replace(",", "."))
    except ValueError:
        hours = 0
    if not 0 < hours <= MOST_HOURS:
        raise UserError(f"“{written}” isn't a number of hours.", f"Write a number up to {MOST_HOURS}.")
    return hours


async def plan_for_event(interaction: Interaction, event: discord.ScheduledEvent) -> None:
    """Plan the next session for an event that is in the calendar already."""
    table, request = interaction.client.table, request_of(interaction)
    starts_at = int(event.start_time.timestamp())
    planned = await meetings.plan(table, request, event.name, starts_at, event=event.id)
    await answer(interaction, meeting_reply(planned.meeting))
