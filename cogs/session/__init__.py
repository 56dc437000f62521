"""Sessions: `/session`, its buttons, and the awards of a session."""

from contextlib import suppress
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.rules.kernel import Choice, Closing
from bot.rules.kernel.errors import UserError
from bot.table.base.access import posting_notes
from bot.table.base.results import Result
from bot.table.gm import gm
from bot.table.gm.gm import require_gm
from bot.table.journal import recap
from bot.table.journal.suggest import matching
from bot.table.play import countdown_actions
from bot.table.sessions import endings, sessions
from bot.table.sessions.sessions import NoSession, SessionStatus
from bot.ui.commands.at_desk import AtDesk, answer_there, tell_there
from bot.ui.commands.options import completed, do
from bot.ui.commands.session_posts import (
    AWARD,
    LONGEST,
    PAGE,
    PREVIEW,
    award_lines,
    award_rows,
    ended_reply,
    post_in_thread,
    present_text,
    preview_reply,
    start_thread,
    started_reply,
    story_before,
)
from bot.ui.input.answer import answer, ask_form, change, in_time
from bot.ui.input.presses import (
    Interaction,
    OutOfDate,
    Press,
    Voice,
    press_id,
    request_in,
    request_of,
    table_and_request,
)
from bot.ui.replies.links import FAIR, HERE, MEET, desk_button, proof_button
from bot.ui.replies.recaps import (
    chronicle_file_reply,
    chronicle_reply,
    more_reply,
    recap_file_reply,
    recap_reply,
)
from bot.ui.text.reply import IN_MENU, Accent, ButtonBeside, Field, Form, MenuField, Reply, private_page
from bot.ui.text.roll_text import escape, listed, plain, shorten
from cogs.session.meetings import ask_plan, find_event, on_meet, plan_for_event, upcoming

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.sessions.endings import Fights, SessionAwards

Name = app_commands.Range[str, 1, 100]
Number = app_commands.Range[int, 1, 100_000]
NOT_POSTED = "The recap will be sent only to you:"
EVENT = "End the session with this scheduled event"
VOICE = "End the session when this voice channel is empty"


async def _events(interaction: Interaction, typed: str) -> list[Choice]:
    names = {
        f"{event.name} · {event.start_time:%d %b %H:%M} UTC": str(event.id) for event in upcoming(interaction)
    }
    return [Choice(names[name], name) for name in matching(names, typed)]


def _event_id(interaction: Interaction, typed: str | None) -> int | None:
    return None if typed is None else find_event(interaction, typed).id


class Session(
    commands.GroupCog,
    group_name="session",
    group_description="Sessions: start and end them, how they stand, and recaps",
):
    """The session commands."""

    @app_commands.command(name="start", description="Start a session")
    @app_commands.describe(event=EVENT, voice=VOICE)
    @app_commands.autocomplete(event=completed(_events))
    async def start(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Start a session."""
        table, request = table_and_request(interaction)
        channel = None if voice is None else voice.id
        started = await sessions.start(table, request, event=_event_id(interaction, event), voice=channel)
        before = await story_before(table, request, started.number)
        message = await answer(interaction, started_reply(started, before))
        await start_thread(interaction, request, started.number, message)

    @app_commands.command(
        name="link", description="End the session automatically with an event or voice channel"
    )
    @app_commands.describe(event=EVENT, voice=VOICE)
    @app_commands.autocomplete(event=completed(_events))
    async def link(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Link the running session."""
        channel = None if voice is None else voice.id
        await do(interaction, sessions.link, event=_event_id(interaction, event), voice=channel)

    @app_commands.command(name="schedule", description="Plan the next session, in the calendar too")
    @app_commands.describe(
        event="An event of the calendar to play in; leave out to make one",
        voice="The voice channel of the new event",
    )
    @app_commands.autocomplete(event=completed(_events))
    async def schedule(
        self, interaction: Interaction, event: Name | None = None, voice: Voice | None = None
    ) -> None:
        """Plan the next session: in a form, or for an event that is there."""
        if event is None:
            await ask_plan(interaction, 0 if voice is None else voice.id)
        else:
            await plan_for_event(interaction, find_event(interaction, event))

    @app_commands.command(name="end", description="Preview the reset, then end the session")
    async def end(self, interaction: Interaction) -> None:
        """Preview the session's end; the button ends it."""
        request = request_of(interaction)
        preview = await endings.end_preview(interaction.client.table, request)
        await answer(interaction, preview_reply(preview, posting_notes(request, NOT_POSTED)))

    @app_commands.command(name="status", description="See the running session and when it ends automatically")
    async def status(self, interaction: Interaction) -> None:
        """Show the running session."""
        found = await sessions.status(*table_and_request(interaction))
        await answer(interaction, status_reply(found))

    @app_commands.command(name="recap", description="See the recap of a session")
    @app_commands.describe(
        number="The session (default: the latest)", show="Show it to everyone here", picture="Add a picture"
    )
    async def recap(
        self,
        interaction: Interaction,
        number: Number | None = None,
        show: bool = False,
        picture: bool = False,
    ) -> None:
        """Show a recap."""
        found = await recap.recap(*table_and_request(interaction), number)
        await answer(interaction, recap_reply(found, is_private=not show, is_drawn=picture))


CLOSINGS = {"settle": Closing.SETTLE, "waive": Closing.WAIVE}
ENDINGS = {"end": "ask", "both": "both", "keep": "keep"}  # what each press makes of fights that run
LED = {
    "all": 3,
    "story": 2,
    **dict.fromkeys((*ENDINGS, *CLOSINGS), 2),
}


async def on_session(interaction: Interaction, press: Press) -> None:
    """Handle the session buttons: end, settle or waive, cancel, and the recap as a file."""
    what, number = press.argument(0), press.number(1)
    home = press.number_or(LED[what], None) if what in LED else None
    seat = AtDesk(interaction, home or HERE)
    table, request = seat.table, seat.request
    if what == "file":
        await answer(interaction, recap_file_reply(await recap.recap(table, request, number, whole=True)))
    elif what == "more":
        shown = more_reply(await recap.recap(table, request, number), press.number(2))
        await (change if "turn" in press.arguments else answer)(interaction, shown)
    elif what in {"all", "story"}:
        await _show_chronicle(seat, press, home)
    elif what in ENDINGS:
        await _end(seat, number, endings.Fights(ENDINGS[what]))
    elif what in CLOSINGS:
        done = await endings.settle(table, request, number, CLOSINGS[what])
        preview = await endings.end_preview(table, request)
        await change(interaction, preview_reply(preview, home=seat.home))
        if done is not None:
            await tell_there(seat, done)
    else:
        await change(interaction, closed_preview_reply(number, has_ended=False))


async def _show_chronicle(seat: AtDesk, press: Press, home: int | None) -> None:
    """Show a page of the chronicle, or all of it as a file; what a desk opens is for GMs."""
    if home is not None:
        await require_gm(seat.table, seat.request)
    is_turned = "turn" in press.arguments
    found = await in_time(seat.interaction, recap.chronicle(seat.table, seat.request), adds=not is_turned)
    if press.argument(0) == "story":
        await answer(seat.interaction, chronicle_file_reply(found))
    else:
        shown = chronicle_reply(found, press.number(1), home)
        await (change if is_turned else answer)(seat.interaction, shown)


async def _end(seat: AtDesk, number: int, fights: "Fights") -> None:
    """End a session, and post its recap where it was played; ask first about a fight that runs."""
    table, request = seat.table, seat.request
    try:
        ended = await endings.end(table, request, number, fights)
    except endings.FightsRun:
        preview = await endings.end_preview(table, request)
        await change(seat.interaction, preview_reply(preview, home=seat.home))
        return
    await change(seat.interaction, closed_preview_reply(number, has_ended=True))
    if not ended.is_news:
        return
    story = await recap.recap(table, request, number)
    if request.lacks:
        await answer(seat.interaction, replace(ended_reply(ended, story), is_private=True))
    else:
        await answer_there(seat, ended_reply(ended, story))
    await post_in_thread(seat.interaction.client, request.server, ended.thread, story)


async def on_award(interaction: Interaction, press: Press) -> None:
    """Show a session's awards, or give one."""
    number, where, what = press.number(), press.argument(1), press.argument(2)
    seat = AtDesk(interaction, press.number_or(5 if what == "give" else 3, HERE))
    table, request = seat.table, seat.request
    awards = await endings.session_awards(table, request, number)
    if what == "open":
        await answer(interaction, awards_reply(awards))
    elif what == "form" and awards.offers and awards.characters:
        await ask_form(interaction, award_form(awards, where, seat.home))
    elif what == "give":
        resource, amount, who = press.argument(3), press.number(4), awards.present
        given = await gm.award(table, request, resource, amount, who, session=number, is_first=True)
        await _show(seat, number, where, given)
    elif what == "sent":
        given = await _give_chosen(seat, press, awards)
        await _show(seat, number, where, given)
    else:
        raise OutOfDate


async def _give_chosen(seat: AtDesk, press: Press, awards: "SessionAwards") -> Result:
    """Give what the form says."""
    known = {str(id_): id_ for id_, _name in awards.characters}
    who = [known[one] for one in press.choices.get("who", ()) if one in known]
    written = press.fields.get("amount", "").strip()
    chosen = press.choices.get("what") or tuple(offer.key for offer in awards.offers[:1])
    if not written.isascii() or not written.isdecimal() or not 1 <= int(written) <= 100:
        raise UserError(f"“{written}” isn't an amount.", "Write a number from 1 to 100.")
    if not who or chosen[0] not in {offer.key for offer in awards.offers}:
        raise OutOfDate
    return await gm.award(seat.table, seat.request, chosen[0], int(written), who, session=awards.number)


async def _show(seat: AtDesk, number: int, where: str, given: Result) -> None:
    """Redraw what the button stands on, and post the award."""
    table, request = seat.table, seat.request
    page = awards_reply(await endings.session_awards(table, request, number))
    if where == PREVIEW:
        with suppress(NoSession):  # it may have ended since
            page = preview_reply(await endings.end_preview(table, request), home=seat.home)
    await change(seat.interaction, page)
    await tell_there(seat, given)


async def on_keep(interaction: Interaction, press: Press) -> None:
    """Keep the chosen countdowns running after the session ends."""
    home = press.number_or(1, HERE)
    table, request = interaction.client.table, request_in(interaction, home)
    await countdown_actions.keep(table, request, [int(value) for value in press.values if value.isdecimal()])
    await change(interaction, preview_reply(await endings.end_preview(table, request), home=home))


# --- words ---------------------------------------------------------------------------------------


def awards_reply(awards: "SessionAwards") -> Reply:
    """The page of a session's awards, for a GM only."""
    lines = [f"**Awards for session {awards.number}** · each character present gets it"]
    lines += award_lines(awards) or ["No player has a character here."]
    text = shorten("\n".join(lines), 4000)
    rows = (*award_rows(awards, PAGE), (desk_button(),))
    return Reply(text=text, accent=Accent.NEWS, rows=rows, is_private=True)


def award_form(awards: "SessionAwards", where: str, home: int = HERE) -> Form:
    """The form in which a GM chooses who gets how much of what."""
    characters = tuple(Choice(str(id_), plain(name, 100)) for id_, name in awards.characters[:IN_MENU])
    who = MenuField(
        key="who",
        label="Who",
        choices=characters,
        most=len(characters),
        chosen=tuple(map(str, awards.present)),
    )
    what = MenuField(
        key="what",
        label="What",
        choices=tuple(Choice(offer.key, offer.title) for offer in awards.offers),
        chosen=(awards.offers[0].key,),
        is_open=True,
    )
    amount = Field(
        key="amount", label="How many each", value=str(awards.offers[0].usual[0]), longest=6, is_required=True
    )
    fields = (who, what, amount) if len(awards.offers) > 1 else (who, amount)
    return Form(id=press_id(AWARD, awards.number, where, "sent", home), title="Award", fields=fields)


def status_reply(status: SessionStatus) -> Reply:
    """The status of a running session."""
    ends = [f"if nothing happens (<t:{status.ends_idle_at}:R>)"]
    ends += ["when its event ends"] if status.event is not None else []
    ends += [f"when <#{status.voice}> is empty"] if status.voice is not None else []
    empty = (
        f"\nThe voice channel has been empty since <t:{status.empty_since}:R>." if status.empty_since else ""
    )
    lines = [
        f"**{escape(status.campaign)}**, session {status.number} · started <t:{status.started_at}:R>",
        f"Players: {present_text(status.present)}",
        f"It ends with /session end, or automatically {listed(ends, ', ')}.{empty}",
    ]
    return private_page((shorten("\n".join(lines), LONGEST), ButtonBeside(FAIR, proof_button())))


def closed_preview_reply(number: int, *, has_ended: bool) -> Reply:
    """The text that replaces the preview once its button is pressed."""
    text = f"Session {number} has ended." if has_ended else f"Session {number} continues."
    return Reply(text=text, is_private=True)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("session", on_session)
    bot.presses.add("award", on_award)
    bot.presses.add(MEET, on_meet)
    bot.presses.add("countkeep", on_keep)
    await bot.add_cog(Session())
