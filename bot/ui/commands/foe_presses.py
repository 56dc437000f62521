"""Handlers of the GM's foes."""

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.campaigns import bestiary
from bot.table.campaigns.bestiary import BestiaryPage, FoeEntry
from bot.table.encounters import reinforcements
from bot.ui.commands.desk_pages import AtDesk, tell_there
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.foe_replies import NOBODY, foe_form, foe_reply, foe_with, foes_reply
from bot.ui.text.reply import Reply


async def on_foe(interaction: Interaction, press: Press) -> None:
    """Handle a press on the foes' pages."""
    what, home = press.argument(0), press.number(1)
    interaction.client.sheets.forget(interaction)
    match what:
        case "home":
            await _show_all(interaction, home, page=press.number(2))
        case "pick":
            await _show(interaction, home, press.chosen(), is_hidden=False)
        case "show":
            await _show(interaction, home, press.argument(2), is_hidden=bool(press.number(3)))
        case "add":
            await _add(interaction, press, home)
        case "new":
            await ask_form(interaction, foe_form(await _page(interaction, home), home))
        case "copy":
            shown = await _page(interaction, home)
            await ask_form(interaction, foe_form(shown, home, _found(shown, press.argument(2))))
        case "made":
            await _make(interaction, press, home)
        case "save":
            saving = bestiary.save_npc(interaction.client.table, _request(interaction, home), press.chosen())
            await _show_all(interaction, home, await in_time(interaction, saving))
        case "drop":
            foe = _found(await _page(interaction, home), press.argument(2))
            deleting = bestiary.delete(interaction.client.table, _request(interaction, home), foe.name)
            await _show_all(interaction, home, await in_time(interaction, deleting))
        case _:
            raise OutOfDate


def _request(interaction: Interaction, home: int) -> Request:
    return AtDesk(interaction, home).request


async def _turn(interaction: Interaction, reply: Reply) -> None:
    """Change the page that was pressed, or answer a desk in a channel with a private one."""
    await (answer if AtDesk(interaction).is_shared else change)(interaction, reply)


async def _page(interaction: Interaction, home: int) -> BestiaryPage:
    return await bestiary.page(interaction.client.table, _request(interaction, home))


def _found(shown: BestiaryPage, key: str) -> FoeEntry:
    foe = foe_with(shown, key)
    if foe is None:
        raise UserError("That foe isn't in the bestiary any more.", "Open the foes again.")
    return foe


def _news(result: Result | None) -> str:
    return "" if result is None else f"{result.message.who} {result.message.headline}."


async def _show_all(interaction: Interaction, home: int, done: Result | None = None, page: int = 0) -> None:
    shown = await in_time(interaction, _page(interaction, home))
    await _turn(interaction, foes_reply(shown, home, page, _news(done)))


async def _show(interaction: Interaction, home: int, key: str, *, is_hidden: bool) -> None:
    shown = await in_time(interaction, _page(interaction, home))
    await _turn(interaction, foe_reply(_found(shown, key), home, is_hidden=is_hidden))


async def _add(interaction: Interaction, press: Press, home: int) -> None:
    """Add some of a foe to the fight, and tell of it: in public, unless they are hidden."""
    table, request = interaction.client.table, _request(interaction, home)
    count, is_hidden = press.number(3), bool(press.number(4))
    if not 1 <= count <= reinforcements.MOST_AT_ONCE:
        raise OutOfDate
    foe = _found(await in_time(interaction, bestiary.page(table, request)), press.argument(2))
    result = await reinforcements.add(table, request, foe.name, count=count, is_hidden=is_hidden)
    await _turn(interaction, foe_reply(foe, home, is_hidden=is_hidden, news=_news(result)))
    await tell_there(AtDesk(interaction, home), result)


async def _make(interaction: Interaction, press: Press, home: int) -> None:
    """Make the foe of a form, and show it to be added."""
    table, request, like = interaction.client.table, _request(interaction, home), press.argument(2)
    copied = "" if like == NOBODY else _found(await _page(interaction, home), like).name
    name, level = press.fields.get("name", ""), press.choice("level")
    things = press.choices.get("things", ())
    made = await bestiary.make(table, request, name, level, things, like=copied)
    await _show_all(interaction, home, made)
