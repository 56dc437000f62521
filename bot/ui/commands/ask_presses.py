"""Handlers of the page from which a GM asks for checks."""

from bot.rules.shared.asking import RollSight
from bot.table.base.results import Result
from bot.table.requests import asking_page, requested_checks
from bot.table.requests.best_at import best_at
from bot.table.requests.check_offers import checks_for_all
from bot.table.requests.requested_checks import SilentRolls, Wanted
from bot.ui.commands.desk_pages import AtDesk, tell_there, turn_to
from bot.ui.input.answer import answer, ask_form
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.ask_replies import NO_DIFFICULTY, ask_page_reply, asks_id, silent_reply
from bot.ui.replies.check_forms import best_form, check_form, wanted_by
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
