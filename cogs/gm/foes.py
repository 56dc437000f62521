"""The GM's foes: the bestiary, one foe with its buttons, and the forms that make foes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from bot.table.base.access import page_of
from bot.table.base.results import Result
from bot.table.campaigns import bestiary
from bot.table.encounters import encounters, prepared_fights
from bot.ui.commands.at_desk import AtDesk, news_of, show_page, tell_there, turn_to
from bot.ui.input.answer import ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.replies.links import FOES, HERE, desk_button, key_of_name
from bot.ui.text.reply import (
    IN_MENU,
    Block,
    Button,
    Field,
    Form,
    Look,
    MenuField,
    Reply,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.table.campaigns.bestiary import BestiaryPage, FoeEntry


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


async def _page(seat: AtDesk) -> "BestiaryPage":
    return await bestiary.page(seat.table, seat.request)


def _found(shown: "BestiaryPage", key: str) -> "FoeEntry":
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
    if not 1 <= count <= encounters.MOST_AT_ONCE:
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


# --- words ---------------------------------------------------------------------------------------

NOBODY = "-"
COUNTS = (1, 2, 3, 4, 6, 8)
MOST_THINGS = 5
LONGEST_LIST = 360


def foe_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the foes' pages of a channel."""
    return press_id(FOES, what, home, *arguments)


def foe_with(shown: "BestiaryPage", key: str) -> "FoeEntry | None":
    """The foe that a key stands for, or None if it is gone."""
    return next((one for one in shown.foes if key_of_name(one.name) == key), None)


def foes_reply(shown: "BestiaryPage", home: int = HERE, page: int = 0, news: str = "") -> Reply:
    """The bestiary.

    Args:
        shown: The foes.
        home: The channel it leads.
        page: Which page of them is in the menu.
        news: What was just done, if anything.
    """
    return private_page(_bestiary(shown, home, page, news))


def _bestiary(shown: "BestiaryPage", home: int, page: int, news: str) -> Iterator[Block]:
    menu = page_of(shown.foes, page, IN_MENU)
    own = [one.name for one in shown.foes if one.is_own]
    book = [one.name for one in shown.foes if not one.is_own]
    lines = [f"### Foes · {escape(shown.campaign)}"]
    if news:
        lines.append(escape(news))
    lines.append(
        f"**Yours:** {escape(shorten(', '.join(own), LONGEST_LIST))}" if own else "You have none yet."
    )
    if book:
        lines.append(f"**Ready-made:** {escape(shorten(', '.join(book), LONGEST_LIST))}")
    yield "\n".join(lines)
    if menu.shown:
        choices = tuple(Choice(key_of_name(one.name), plain(one.name, 100), one.note) for one in menu.shown)
        yield Select(id=foe_id("pick", home), prompt="Add, copy or delete a foe …", choices=choices)
    if shown.npcs:
        known = [one for one in shown.npcs if len(one) <= bestiary.LONGEST_NAME][:IN_MENU]
        saved = tuple(Choice(name, plain(name, 100)) for name in known)
        yield Select(id=foe_id("save", home), prompt="Save an NPC as a foe …", choices=saved)
    buttons = [Button(id=foe_id("new", home), label="New foe …", look=Look.GOOD)]
    if menu.pages > 1:
        buttons.append(Button(id=foe_id("home", home, menu.following), label="More foes"))
    yield tuple(buttons)
    prepared = Button(id=press_id("prep", "home", home), label="Encounters …")
    yield (prepared, desk_button(home))


def foe_reply(foe: "FoeEntry", home: int, *, is_hidden: bool, news: str = "") -> Reply:
    """One foe of the bestiary: add some, copy it, delete it."""
    return private_page(_one_foe(foe, home, is_hidden=is_hidden, news=news))


def _one_foe(foe: "FoeEntry", home: int, *, is_hidden: bool, news: str) -> Iterator[Block]:
    key, hidden = key_of_name(foe.name), int(is_hidden)
    whose = "one of yours" if foe.is_own else foe.note
    where = "hidden: only you know of them" if is_hidden else "in the open"
    lines = [f"### {escape(foe.name)}", f"-# {whose}", f"Add to the fight in this channel, {where}:"]
    if news:
        lines.insert(1, escape(news))
    yield "\n".join(lines)
    add = [
        Button(id=foe_id("add", home, key, count, hidden), label=f"Add {count}", look=Look.MAIN)
        for count in COUNTS
    ]
    yield from rows_of(add)
    other = "In the open" if is_hidden else "Hidden"
    buttons = [
        Button(id=foe_id("show", home, key, 1 - hidden), label=other),
        Button(id=foe_id("copy", home, key), label="Copy …"),
    ]
    if foe.is_own:
        buttons.append(Button(id=foe_id("drop", home, key), label="Delete", look=Look.GRAVE))
    yield tuple(buttons)
    yield (Button(id=foe_id("home", home, 0), label="All foes"), desk_button(home))


def foe_form(shown: "BestiaryPage", home: int, like: "FoeEntry | None" = None) -> Form:
    """The form that makes a foe, or copies one with changes."""
    levels = tuple(Choice(level.value, level.value.capitalize()) for level in FoeLevel)
    name = Field(key="name", label="Name", longest=bestiary.LONGEST_NAME)
    level = MenuField(
        key="level",
        label="How good it is" if like is None else "Another level (or as it is)",
        choices=levels,
        least=0 if like else 1,
        chosen=() if like else (FoeLevel.ABLE.value,),
        is_open=True,
    )
    fields: list[Field | MenuField] = [name, level]
    if shown.things:
        things = tuple(Choice(one, plain(one, 100)) for one in shown.things if len(one) <= 100)[:IN_MENU]
        most = min(MOST_THINGS, len(things))
        fields.append(MenuField(key="things", label=shown.title[:45], choices=things, least=0, most=most))
    title = "New foe" if like is None else plain(f"Copy of {like.name}", 45)
    key = NOBODY if like is None else key_of_name(like.name)
    return Form(id=foe_id("made", home, key), title=title, fields=tuple(fields))
