"""Handlers of the pages from which a GM asks for checks and gives awards."""

from contextlib import suppress

from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import RollSight
from bot.table.base.results import Result
from bot.table.gm import gm
from bot.table.requests import asking_page, requested_checks
from bot.table.requests.asking_page import best_at, checks_for_all
from bot.table.requests.requested_checks import SilentRolls, Wanted
from bot.table.sessions import endings
from bot.table.sessions.endings import SessionAwards, session_awards
from bot.table.sessions.sessions import NoSession
from bot.ui.commands.desk import AtDesk, tell_there, turn_to
from bot.ui.input.answer import answer, ask_form, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.ask_replies import NO_DIFFICULTY, ask_page_reply, asks_id, silent_reply
from bot.ui.replies.check_forms import best_form, check_form, wanted_by
from bot.ui.replies.desk_ids import HERE
from bot.ui.replies.session_replies import PREVIEW, award_form, awards_reply, preview_reply
from bot.ui.text.reply import Reply


async def on_asks(interaction: Interaction, press: Press) -> None:
    """Handle a press on the page, or its form."""
    seat = AtDesk(interaction, press.number(1))
    match press.argument(0):
        case "open":
            await _open(seat)
        case "home":
            await turn_to(seat, _page(seat))
        case "form":
            offer = await checks_for_all(seat.table, seat.request)
            await ask_form(interaction, check_form(offer, asks_id("ask", seat.home)))
        case "ask":
            asked = requested_checks.ask(seat.table, seat.request, wanted_by(press))
            await _told(seat, await in_time(interaction, asked))
        case "seek":
            offer = await checks_for_all(seat.table, seat.request)
            await ask_form(interaction, best_form(offer, asks_id("best", seat.home)))
        case "best":
            await turn_to(seat, _page(seat, wanted_by(press)))
        case "again":
            again = asking_page.ask_again(seat.table, seat.request, press.number(2), press.number(3))
            await _told(seat, await in_time(interaction, again))
        case "hard":
            chosen = press.chosen()
            difficulty = "" if chosen == NO_DIFFICULTY else chosen
            setting = asking_page.set_scene(seat.table, seat.request, difficulty=difficulty)
            await in_time(interaction, setting)
            await turn_to(seat, _page(seat))
        case "sight":
            setting = asking_page.set_scene(seat.table, seat.request, sight=_sight(press))
            await in_time(interaction, setting)
            await turn_to(seat, _page(seat))
        case _:
            raise OutOfDate


async def open_asks(interaction: Interaction) -> None:
    """Answer with the page, to the GM alone."""
    await _open(AtDesk(interaction))


async def call_for(interaction: Interaction, wanted: Wanted) -> None:
    """Call for a check, as a command or a form says."""
    seat = AtDesk(interaction)
    await _tell(seat, await requested_checks.ask(seat.table, seat.request, wanted))


async def _page(seat: AtDesk, sought: Wanted | None = None) -> Reply:
    """The page as it is now, with who is best at something if a GM asks for that."""
    best = None if sought is None else await best_at(seat.table, seat.request, sought)
    return ask_page_reply(await asking_page.asking_page(seat.table, seat.request), seat.home, best)


async def _open(seat: AtDesk) -> None:
    await answer(seat.interaction, await in_time(seat.interaction, _page(seat), adds=True))


async def _told(seat: AtDesk, asked: Result | SilentRolls) -> None:
    """Show the page as it is now, then what was asked."""
    await turn_to(seat, _page(seat))
    await _tell(seat, asked)


async def _tell(seat: AtDesk, asked: Result | SilentRolls) -> None:
    if isinstance(asked, SilentRolls):
        await answer(seat.interaction, silent_reply(asked))
    else:
        await tell_there(seat, asked)


def _sight(press: Press) -> RollSight:
    try:
        return RollSight(press.chosen())
    except ValueError:
        raise OutOfDate from None


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
