"""Handlers of what a GM does at the desk in a fight."""

from typing import Any

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import END, ORDER, START
from bot.table.base.request import Request
from bot.table.encounters import encounters
from bot.table.gm import desk, gm
from bot.table.play import play
from bot.ui.commands.desk_pages import AtDesk, done_there, request_in_fight, tell_there, turn_page
from bot.ui.input.answer import ask_form
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Press, given_by
from bot.ui.replies.desk_forms import fight_form, in_new_order, order_form


async def _fighting(seat: AtDesk) -> tuple[Request, int]:
    """The request as if it came from the channel of the fight, and the fight's campaign."""
    view = await desk.desk(seat.table, seat.request)
    request = await request_in_fight(seat)
    if request is None:
        raise UserError("Nobody is fighting now.")
    return request, view.campaign


async def take_turn(seat: AtDesk, press: Press) -> None:
    """Do what the board of the fight offers."""
    request, campaign = await _fighting(seat)
    doing = encounters.take_up(seat.table, request, campaign, press.argument(2), given_by(press))
    await done_there(seat, doing, "fight", may_ask=True)


async def take_turns(seat: AtDesk, press: Press) -> None:
    """Let every foe of a kind do what the board offers them."""
    request, campaign = await _fighting(seat)
    key, given = press.argument(2), given_by(press)
    doing = encounters.take_up_with_all(seat.table, request, campaign, key, given)
    results = await in_time(seat.interaction, doing)
    await turn_page(seat, "fight")
    for result in results:
        await tell_there(seat, result)


async def start_fight(seat: AtDesk, press: Press) -> None:
    """Start a fight with whom the form says."""
    if not press.choices:
        view = await desk.desk(seat.table, seat.request)
        if not view.fighters:
            raise UserError("There is nobody here yet.", "Players join with /character create.")
        await ask_form(seat.interaction, fight_form(view, seat.home))
        return
    await gm.require_gm(seat.table, seat.request)
    given: dict[str, Any] = {"others": press.choices.get("who", ())}
    await done_there(seat, play.perform(seat.table, seat.request, START, given), "fight")


async def end_fight(seat: AtDesk, _press: Press) -> None:
    """End the fight, or ask what becomes of what is open."""
    request = await request_in_fight(seat)
    if request is None:
        raise UserError("Nobody is fighting now.")
    await done_there(seat, play.perform(seat.table, request, END, {}))


async def set_order(seat: AtDesk, press: Press) -> None:
    """Let somebody act before somebody else, as the form says."""
    request, campaign = await _fighting(seat)
    lines = (await encounters.gm_look(seat.table, request, campaign)).view.lines
    if not press.choices:
        await ask_form(seat.interaction, order_form(lines, seat.home))
        return
    names = in_new_order(lines, press.choice("who"), press.choice("before"))
    if not names:
        raise UserError("Nobody can act before themselves.", "Choose two combatants of this fight.")
    await done_there(seat, play.perform(seat.table, request, ORDER, {"characters": tuple(names)}), "fight")
