"""Handlers of the page from which a GM asks for checks."""

from bot.rules.shared.asking import RollSight
from bot.table.base.results import Result
from bot.table.requests import asking_page, requested_checks
from bot.table.requests.check_offers import checks_for_all
from bot.table.requests.requested_checks import SilentRolls, Wanted
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.live.result_messages import tell
from bot.ui.replies.ask_replies import KIND, NO_DIFFICULTY, ask_page_reply, silent_reply
from bot.ui.replies.check_forms import check_form, wanted_by
from bot.ui.text.reply import Reply


async def on_asks(interaction: Interaction, press: Press) -> None:
    """Handle a press on the page, or its form."""
    table, request = interaction.client.table, request_of(interaction)
    match press.argument(0):
        case "open":
            await open_asks(interaction)
        case "home":
            await _turn(interaction)
        case "form":
            offer = await checks_for_all(table, request)
            await ask_form(interaction, check_form(offer, press_id(KIND, "ask")))
        case "ask":
            asked = requested_checks.ask(table, request, wanted_by(press))
            await _told(interaction, await in_time(interaction, asked))
        case "again":
            again = asking_page.ask_again(table, request, press.number(1), press.number(2))
            await _told(interaction, await in_time(interaction, again))
        case "hard":
            chosen = _chosen(press)
            difficulty = "" if chosen == NO_DIFFICULTY else chosen
            await in_time(interaction, asking_page.set_scene(table, request, difficulty=difficulty))
            await _turn(interaction)
        case "sight":
            await in_time(interaction, asking_page.set_scene(table, request, sight=_sight(press)))
            await _turn(interaction)
        case _:
            raise OutOfDate


async def open_asks(interaction: Interaction) -> None:
    """Answer with the page, to the GM alone."""
    await answer(interaction, await in_time(interaction, _page(interaction), adds=True))


async def call_for(interaction: Interaction, wanted: Wanted) -> None:
    """Call for a check, as a command or a form says."""
    asked = await requested_checks.ask(interaction.client.table, request_of(interaction), wanted)
    await _tell(interaction, asked)


async def _page(interaction: Interaction) -> Reply:
    table, request = interaction.client.table, request_of(interaction)
    return ask_page_reply(await asking_page.asking_page(table, request))


async def _turn(interaction: Interaction) -> None:
    """Change the message that was pressed to the page as it is now."""
    await change(interaction, await in_time(interaction, _page(interaction)))


async def _told(interaction: Interaction, asked: Result | SilentRolls) -> None:
    """Show the page as it is now, then what was asked."""
    await _turn(interaction)
    await _tell(interaction, asked)


async def _tell(interaction: Interaction, asked: Result | SilentRolls) -> None:
    if isinstance(asked, SilentRolls):
        await answer(interaction, silent_reply(asked))
    else:
        await tell(interaction, asked)


def _chosen(press: Press) -> str:
    if not press.values:
        raise OutOfDate
    return press.values[0]


def _sight(press: Press) -> RollSight:
    try:
        return RollSight(_chosen(press))
    except ValueError:
        raise OutOfDate from None
