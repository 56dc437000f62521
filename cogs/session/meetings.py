"""The planned session: its form, its card with answers, and its event in the calendar."""

import contextlib
from datetime import UTC, datetime, timedelta

import discord

from bot.rules.kernel.errors import UserError
from bot.table.sessions import meetings
from bot.table.sessions.meetings import Coming, Meeting, typed_date, utc_offset
from bot.ui.commands.at_desk import AtDesk, answer_there
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id, request_in, table_and_request
from bot.ui.replies.links import HERE, MEET, desk_button
from bot.ui.text.reply import Accent, Button, Field, Form, Look, Reply
from bot.ui.text.roll_text import escape, listed, shorten

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
    table, request, what = *table_and_request(interaction), press.argument(0)
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
    table, request = table_and_request(interaction)
    starts_at = int(event.start_time.timestamp())
    planned = await meetings.plan(table, request, event.name, starts_at, event=event.id)
    await answer(interaction, meeting_reply(planned.meeting))


# --- the calendar --------------------------------------------------------------------------------

OVER = (discord.EventStatus.completed, discord.EventStatus.canceled)


def upcoming(interaction: Interaction) -> list[discord.ScheduledEvent]:
    """The server's upcoming and running events, the next one first."""
    known = interaction.guild.scheduled_events if interaction.guild else ()
    return sorted((event for event in known if event.status not in OVER), key=lambda event: event.start_time)


def find_event(interaction: Interaction, typed: str) -> discord.ScheduledEvent:
    """Find an event by id or name.

    Raises:
        UserError: If the server has no such event ahead.
    """
    for event in upcoming(interaction):
        if typed in (str(event.id), event.name):
            return event
    raise UserError(
        f"There is no upcoming event “{typed}”.",
        try_this="Create it in the server's calendar, then choose it here.",
    )


class NotInCalendar(Exception):
    """The bot could not make an event; its text says what is missing."""


async def add_event(
    interaction: Interaction, name: str, starts_at: datetime, ends_at: datetime, voice: int
) -> int:
    """Make an event in the server's calendar and return its id.

    Args:
        interaction: What asks for it.
        starts_at: When it begins.
        ends_at: When it ends.
        voice: The voice channel it is held in, or 0.

    Raises:
        NotInCalendar: If the bot may not, or Discord refuses.
    """
    server = interaction.guild
    if server is None or not server.me.guild_permissions.create_events:
        raise NotInCalendar("I'm missing Create Events (Server Settings > Roles > my role).")
    try:
        if voice:
            event = await server.create_scheduled_event(
                name=name,
                start_time=starts_at,
                end_time=ends_at,
                entity_type=discord.EntityType.voice,
                privacy_level=discord.PrivacyLevel.guild_only,
                channel=discord.Object(voice),
            )
        else:
            event = await server.create_scheduled_event(
                name=name,
                start_time=starts_at,
                end_time=ends_at,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                location=f"#{getattr(interaction.channel, 'name', 'here')}"[:100],
            )
    except discord.HTTPException as error:
        raise NotInCalendar(f"Discord refused it ({error.text or error.status}).") from error
    return event.id


async def remove_event(interaction: Interaction, event: int | None) -> None:
    """Take an event out of the calendar if the bot made it; others' events stay."""
    found = (
        None if event is None or interaction.guild is None else interaction.guild.get_scheduled_event(event)
    )
    if found is not None and found.creator_id == interaction.client.application_id:
        with contextlib.suppress(discord.HTTPException):
            await found.delete()


# --- words ---------------------------------------------------------------------------------------

MOST_NAMES = 8
WORDS = {Coming.YES: "Coming", Coming.MAYBE: "Maybe", Coming.NO: "Can't come"}
LOOKS = {Coming.YES: Look.GOOD, Coming.MAYBE: Look.PLAIN, Coming.NO: Look.PLAIN}
LONGEST = 4000


def meeting_reply(meeting: Meeting) -> Reply:
    """The card of a planned session, on which people answer."""
    answered = [
        f"{words}: {_names(names)}" for answer, words in WORDS.items() if (names := meeting.names(answer))
    ]
    lines = [
        f"**Next session: {escape(meeting.name)}**",
        f"<t:{meeting.starts_at}:F> (<t:{meeting.starts_at}:R>)",
        *(answered or ["Nobody has answered yet."]),
    ]
    if meeting.reminded:
        lines.append(f"-# Reminder an hour before: {_names(tuple(meeting.reminded.values()))}")
    if meeting.reminded_early:
        lines.append(f"-# A day before: {_names(tuple(meeting.reminded_early.values()))}")
    if meeting.event is not None:
        lines.append("-# In the calendar: it ends with its event.")
    answers = tuple(
        Button(id=press_id(MEET, answer.value, meeting.starts_at), label=words, look=LOOKS[answer])
        for answer, words in WORDS.items()
    )
    reminders = (
        Button(id=press_id(MEET, "remind", meeting.starts_at), label="Remind me"),
        Button(id=press_id(MEET, "early", meeting.starts_at), label="A day before"),
    )
    others = (
        Button(id=press_id(MEET, "change", meeting.starts_at), label="Change …"),
        Button(id=press_id(MEET, "off", meeting.starts_at), label="Call off"),
    )
    return Reply(
        text=shorten("\n".join(lines), LONGEST), accent=Accent.NEWS, rows=(answers, reminders, others)
    )


def _names(names: tuple[str, ...]) -> str:
    shown = [escape(name) for name in names[:MOST_NAMES]]
    more = len(names) - len(shown)
    return listed([*shown, f"{more} more" if more > 0 else ""], ", ")


def called_off_reply(meeting: Meeting, who: str) -> Reply:
    """What takes the place of the card once the session is called off."""
    text = f"~~{escape(meeting.name)}, <t:{meeting.starts_at}:F>~~\n{escape(who)} called this session off."
    return Reply(text=text, accent=Accent.FAILURE)


def moved_reply(before: Meeting, after: Meeting) -> Reply:
    """What takes the place of the card once the session is planned anew."""
    text = f"~~{escape(before.name)}, <t:{before.starts_at}:F>~~\nPlanned anew: <t:{after.starts_at}:F>"
    return Reply(text=text, accent=Accent.NEWS)


def not_in_calendar_reply(why: str, home: int | None = None) -> Reply:
    """What a GM is told where the session is planned but not in the calendar.

    Args:
        why: Why not.
        home: The channel that the desk leads from which it was planned; None where it was not.
    """
    lines = [
        f"The session is planned, but not in the calendar: {why}",
        "Create the event in the calendar yourself, then link it with `/session schedule event:`.",
    ]
    rows = () if home is None else ((desk_button(home),),)
    return Reply(text="\n".join(lines), accent=Accent.PARTIAL, rows=rows, is_private=True)


def plan_form(last: Meeting | None, voice: int, card: int = 0, home: int | None = None) -> Form:
    """The form in which a GM plans the next session."""
    offset = 0 if last is None else last.offset
    sign = "-" if offset < 0 else "+"
    zone = f"{sign}{abs(offset) // 60}" + (f":{abs(offset) % 60:02}" if offset % 60 else "")
    return Form(
        id=press_id(MEET, "plan", voice, card, *(() if home is None else (home,))),
        title="Plan the next session",
        fields=(
            Field(key="name", label="Name", value="" if last is None else last.name, longest=100),
            Field(key="when", label="Day and time", note="2026-11-27 19:30, Friday 19:30 or tomorrow 7 pm"),
            Field(key="zone", label="Time zone (hours from UTC)", note="+1, -5:30", value=zone, longest=12),
            Field(key="hours", label="Hours it takes", value="4", longest=4),
        ),
    )
