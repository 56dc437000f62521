"""The GM's foes: the bestiary, one foe with its buttons, and the forms that make foes."""

import hashlib
from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.rules.kernel.game import FoeLevel
from bot.table.base.paging import page_of
from bot.table.campaigns.bestiary import LONGEST_NAME, BestiaryPage, FoeEntry
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import HERE, desk_button
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

KIND = "foe"
NOBODY = "-"
COUNTS = (1, 2, 3, 4, 6, 8)
MOST_THINGS = 5
LONGEST_LIST = 360


def foe_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the foes' pages of a channel."""
    return press_id(KIND, what, home, *arguments)


def key_of_name(name: str) -> str:
    """What stands for a name in a button's id."""
    return hashlib.sha256(name.casefold().encode()).hexdigest()[:12]


def foe_with(shown: BestiaryPage, key: str) -> FoeEntry | None:
    """The foe that a key stands for, or None if it is gone."""
    return next((one for one in shown.foes if key_of_name(one.name) == key), None)


def foes_button(home: int = HERE) -> Button:
    """The button that opens the foes."""
    return Button(id=foe_id("home", home, 0), label="Foes …")


def foes_reply(shown: BestiaryPage, home: int = HERE, page: int = 0, news: str = "") -> Reply:
    """The bestiary.

    Args:
        shown: The foes.
        home: The channel it leads.
        page: Which page of them is in the menu.
        news: What was just done, if anything.
    """
    return private_page(_bestiary(shown, home, page, news))


def _bestiary(shown: BestiaryPage, home: int, page: int, news: str) -> Iterator[Block]:
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
        lines.append(f"**From the book:** {escape(shorten(', '.join(book), LONGEST_LIST))}")
    yield "\n".join(lines)
    if menu.shown:
        choices = tuple(
            Choice(key_of_name(one.name), plain(one.name, 100), "yours" if one.is_own else "the book's")
            for one in menu.shown
        )
        yield Select(id=foe_id("pick", home), prompt="Add, copy or delete a foe …", choices=choices)
    if shown.npcs:
        known = [one for one in shown.npcs if len(one) <= LONGEST_NAME][:IN_MENU]
        saved = tuple(Choice(name, plain(name, 100)) for name in known)
        yield Select(id=foe_id("save", home), prompt="Save an NPC as a foe …", choices=saved)
    buttons = [Button(id=foe_id("new", home), label="New foe …", look=Look.GOOD)]
    if menu.pages > 1:
        buttons.append(Button(id=foe_id("home", home, menu.following), label="More foes"))
    yield tuple(buttons)
    prepared = Button(id=press_id("prep", "home", home), label="Encounters …")
    yield (prepared, desk_button(home))


def foe_reply(foe: FoeEntry, home: int, *, is_hidden: bool, news: str = "") -> Reply:
    """One foe of the bestiary: add some, copy it, delete it."""
    return private_page(_one_foe(foe, home, is_hidden=is_hidden, news=news))


def _one_foe(foe: FoeEntry, home: int, *, is_hidden: bool, news: str) -> Iterator[Block]:
    key, hidden = key_of_name(foe.name), int(is_hidden)
    whose = "one of yours" if foe.is_own else "from the book"
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


def foe_form(shown: BestiaryPage, home: int, like: FoeEntry | None = None) -> Form:
    """The form that makes a foe, or copies one with changes."""
    levels = tuple(Choice(level.value, level.value.capitalize()) for level in FoeLevel)
    name = Field(key="name", label="Name", longest=LONGEST_NAME)
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
