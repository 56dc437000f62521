"""Handlers of the GM's foes."""

from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.campaigns import bestiary
from bot.table.campaigns.bestiary import BestiaryPage, FoeEntry
from bot.table.encounters import prepared_fights
from bot.table.encounters import prepared_fights as reinforcements
from bot.ui.commands.desk import AtDesk, news_of, show_page, tell_there, turn_to
from bot.ui.input.answer import ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.foe_replies import NOBODY, foe_form, foe_reply, foe_with, foes_reply
from bot.ui.text.reply import Reply


async def on_foe(interaction: Interaction, press: Press) -> None:
    """Handle a press on the foes' pages."""
    seat = AtDesk(interaction, press.number(1))
    match press.argument(0):
        case "home":
            await _show_all(seat, page=press.number(2))
        case "pick":
            await turn_to(seat, _foe_page(seat, press.chosen(), is_hidden=False))
        case "show":
            await turn_to(seat, _foe_page(seat, press.argument(2), is_hidden=bool(press.number(3))))
        case "add":
            await _add(seat, press)
        case "new":
            await ask_form(interaction, foe_form(await _page(seat), seat.home))
        case "copy":
            shown = await _page(seat)
            await ask_form(interaction, foe_form(shown, seat.home, _found(shown, press.argument(2))))
        case "made":
            await _make(seat, press)
        case "save":
            saving = bestiary.save_npc(seat.table, seat.request, press.chosen())
            await _show_all(seat, await in_time(interaction, saving))
        case "drop":
            foe = _found(await _page(seat), press.argument(2))
            deleting = bestiary.delete(seat.table, seat.request, foe.name)
            await _show_all(seat, await in_time(interaction, deleting))
        case _:
            raise OutOfDate


async def _page(seat: AtDesk) -> BestiaryPage:
    return await bestiary.page(seat.table, seat.request)


def _found(shown: BestiaryPage, key: str) -> FoeEntry:
    foe = foe_with(shown, key)
    if foe is None:
        raise UserError("That foe isn't in the bestiary any more.", "Open the foes again.")
    return foe


async def _show_all(seat: AtDesk, done: Result | None = None, page: int = 0) -> None:
    shown = await in_time(seat.interaction, _page(seat))
    await show_page(seat, foes_reply(shown, seat.home, page, news_of(done)))


async def _foe_page(seat: AtDesk, key: str, *, is_hidden: bool) -> Reply:
    return foe_reply(_found(await _page(seat), key), seat.home, is_hidden=is_hidden)


async def _add(seat: AtDesk, press: Press) -> None:
    """Add some of a foe to the fight, and tell of it: in public, unless they are hidden."""
    count, is_hidden = press.number(3), bool(press.number(4))
    if not 1 <= count <= reinforcements.MOST_AT_ONCE:
        raise OutOfDate
    foe = _found(await in_time(seat.interaction, _page(seat)), press.argument(2))
    added = await prepared_fights.bring_in(
        seat.table, seat.request, foe.name, count=count, is_hidden=is_hidden
    )
    await show_page(seat, foe_reply(foe, seat.home, is_hidden=is_hidden, news=news_of(added[-1])))
    for result in added:
        await tell_there(seat, result)


async def _make(seat: AtDesk, press: Press) -> None:
    """Make the foe of a form, and show it to be added."""
    like = press.argument(2)
    copied = "" if like == NOBODY else _found(await _page(seat), like).name
    name, things = press.fields.get("name", ""), press.choices.get("things", ())
    level = press.choice("level")
    made = await bestiary.make(seat.table, seat.request, name, level, things, like=copied)
    await _show_all(seat, made)
