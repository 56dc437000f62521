"""Handlers for the award buttons and form of a session's end."""

from contextlib import suppress

from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.gm import gm
from bot.table.sessions import endings
from bot.table.sessions.awards import SessionAwards, session_awards
from bot.table.sessions.sessions import NoSession
from bot.ui.commands.desk_pages import AtDesk, tell_there
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.award_replies import PREVIEW, award_form, awards_reply
from bot.ui.replies.desk_ids import HERE
from bot.ui.replies.session_replies import preview_reply


async def on_award(interaction: Interaction, press: Press) -> None:
    """Show a session's awards, or give one."""
    number, where, what = press.number(), press.argument(1), press.argument(2)
    seat = AtDesk(interaction, press.number_or(5 if what == "give" else 3, HERE))
    table, request = seat.table, seat.request
    awards = await session_awards(table, request, number)
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


async def _give_chosen(seat: AtDesk, press: Press, awards: SessionAwards) -> Result:
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
    page = awards_reply(await session_awards(table, request, number))
    if where == PREVIEW:
        with suppress(NoSession):  # it may have ended since
            page = preview_reply(await endings.end_preview(table, request), home=seat.home)
    await change(seat.interaction, page)
    await tell_there(seat, given)
