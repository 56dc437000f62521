"""The GM's foes: the bestiary with its forms, and prepared encounters."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from bot.table.base.access import page_of
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import bestiary, prepared_encounters
from bot.table.encounters import encounters, prepared_fights
from bot.ui.commands.at_desk import AtDesk, news_of, show_page, tell_there, turn_to
from bot.ui.input.answer import ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.replies.links import FOES, HERE, desk_button, desk_id, foes_button, key_of_name
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
from bot.ui.text.roll_text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.table.campaigns.bestiary import BestiaryPage, FoeEntry
    from bot.table.campaigns.prepared_encounters import PreparedEncounter


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


async def on_prepared(interaction: Interaction, press: Press) -> None:
    """Handle a press on the pages of prepared encounters."""
    seat = AtDesk(interaction, press.number(1))
    match press.argument(0):
        case "home":
            await _show_prepared(seat)
        case "pick":
            await turn_to(seat, _page_of_one(seat, press.chosen()))
        case "new":
            await _listing(seat)  # refuses strangers before anything is written
            await ask_form(interaction, encounter_form(seat.home))
        case "change":
            found = await _found_prepared(seat, press.argument(2))
            await ask_form(interaction, encounter_form(seat.home, found))
        case "written":
            await _write(seat, press)
        case "keep":
            await _listing(seat)
            await ask_form(interaction, fight_form(seat.home))
        case "kept":
            name = press.fields.get("name", "")
            saved = await in_time(interaction, prepared_fights.save_fight(seat.table, seat.request, name))
            await _show_prepared(seat, saved)
        case "drop":
            found = await _found_prepared(seat, press.argument(2))
            await _show_prepared(seat, await prepared_encounters.delete(seat.table, seat.request, found.name))
        case "start":
            await _start(
                seat, await _found_prepared(seat, press.argument(2)), may_add=ALONE not in press.arguments[3:]
            )
        case _:
            raise OutOfDate


async def _listing(seat: AtDesk) -> "tuple[PreparedEncounter, ...]":
    return await prepared_encounters.listing(seat.table, seat.request)


async def _found_prepared(seat: AtDesk, key: str) -> "PreparedEncounter":
    found = encounter_with(await _listing(seat), key)
    if found is None:
        raise UserError("That encounter isn't prepared any more.", "Open the encounters again.")
    return found


async def _page_of_one(seat: AtDesk, key: str) -> Reply:
    found = await _found_prepared(seat, key)
    joins = await prepared_fights.is_fight_here(seat.table, seat.request)
    return encounter_reply(found, seat.home, joins=joins)


async def _start(seat: AtDesk, one: "PreparedEncounter", *, may_add: bool) -> None:
    """Start an encounter, unless another GM was quicker; then offer to add its foes to that fight."""
    doing = prepared_fights.start(seat.table, seat.request, one.name, may_add=may_add)
    try:
        started = await in_time(seat.interaction, doing)
    except prepared_fights.FightMeanwhile as told:
        await show_page(seat, encounter_reply(one, seat.home, " ".join(told.sentences), joins=True))
        return
    first = started[0].entry if started else None
    await show_page(seat, encounter_reply(one, seat.home, "It has started.", first, joins=True))
    for result in started:
        await tell_there(seat, result)


async def _show_prepared(seat: AtDesk, done: Result | None = None) -> None:
    shown = await in_time(seat.interaction, _listing(seat))
    await show_page(seat, encounters_reply(shown, seat.home, news_of(done)))


async def _write(seat: AtDesk, press: Press) -> None:
    """Prepare or change the encounter of a form."""
    key, fields = press.argument(2), press.fields
    was = "" if key == NOBODY else (await _found_prepared(seat, key)).name
    draft = prepared_encounters.EncounterDraft(
        name=fields.get("name", ""),
        foes=fields.get("foes", ""),
        countdowns=fields.get("countdowns", ""),
        text=fields.get("text", ""),
    )
    written = prepared_encounters.write(seat.table, seat.request, draft, was=was)
    await _show_prepared(seat, await in_time(seat.interaction, written))


# --- words ---------------------------------------------------------------------------------------

PREPARED = "prep"
LONGEST_SHOWN = 400
ALONE = "alone"  # in the id of a start where no fight ran when it was offered


def prepared_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the prepared encounters of a channel."""
    return press_id(PREPARED, what, home, *arguments)


def encounter_with(shown: "Sequence[PreparedEncounter]", key: str) -> "PreparedEncounter | None":
    """The encounter that a key stands for, or None if it is gone."""
    return next((one for one in shown if key_of_name(one.name) == key), None)


def encounters_reply(shown: "Sequence[PreparedEncounter]", home: int = HERE, news: str = "") -> Reply:
    """Every prepared encounter.

    Args:
        home: The channel the pages lead.
        news: What was just done, if anything.
    """
    return private_page(_all(shown, home, news))


def _all(shown: "Sequence[PreparedEncounter]", home: int, news: str) -> Iterator[Block]:
    listed = "\n".join(f"**{escape(one.name)}** · {_foes(one)}" for one in shown[:IN_MENU])
    lines = [
        "### Prepared encounters",
        escape(news),
        shorten(listed, LONGEST_SHOWN * 2) or "There are none yet.",
    ]
    yield "\n".join(line for line in lines if line)
    if shown:
        choices = tuple(Choice(key_of_name(one.name), plain(one.name, 100)) for one in shown[:IN_MENU])
        yield Select(id=prepared_id("pick", home), prompt="Open an encounter …", choices=choices)
    yield (
        Button(id=prepared_id("new", home), label="New …", look=Look.GOOD),
        Button(id=prepared_id("keep", home), label="Save fight …"),
    )
    yield (foes_button(home), desk_button(home))


def _foes(one: "PreparedEncounter") -> str:
    return escape(shorten(", ".join(one.foe_lines.splitlines()) or "no foes", 120))


def encounter_reply(
    one: "PreparedEncounter", home: int, news: str = "", started: EntryId | None = None, *, joins: bool
) -> Reply:
    """One prepared encounter: start, change or delete it.

    Args:
        home: The channel that the desk leads.
        news: What was just done, if anything.
        started: The first entry of its start, to undo all of it; None if it was not just started.
        joins: Whether a fight runs, which its foes would join.
    """
    return private_page(_one(one, home, news, started, joins=joins))


def _one(
    one: "PreparedEncounter", home: int, news: str, started: EntryId | None, *, joins: bool
) -> Iterator[Block]:
    ground = "Its ground and cover are saved with it." if one.ground else ""
    hurt = "Some start as they stood in a fight." if any(foe.sheet for foe in one.foes) else ""
    countdowns = ", ".join(one.countdown_lines.splitlines())
    lines = [
        f"### {escape(one.name)}",
        escape(news),
        f"**Foes:** {_foes(one)}",
        f"**Countdowns:** {escape(countdowns)}" if countdowns else "",
        f"-# {' '.join(part for part in (hurt, ground) if part)}" if hurt or ground else "",
        f">>> {escape(shorten(one.text, LONGEST_SHOWN))}" if one.text else "",
    ]
    yield "\n".join(line for line in lines if line)
    key = key_of_name(one.name)
    start = Button(id=prepared_id("start", home, key, ALONE), label="Start", look=Look.GOOD)
    add = Button(id=prepared_id("start", home, key), label="Add to fight", look=Look.GOOD)
    yield (
        add if joins else start,
        Button(id=prepared_id("change", home, key), label="Change …"),
        Button(id=prepared_id("drop", home, key), label="Delete", look=Look.GRAVE),
    )
    end = [Button(id=prepared_id("home", home), label="All encounters"), desk_button(home)]
    if started is not None:
        end.append(Button(id=desk_id("undo", home, "home", started), label="Undo start"))
    yield tuple(end)


def encounter_form(home: int, old: "PreparedEncounter | None" = None) -> Form:
    """The form in which an encounter is prepared or changed."""
    key = NOBODY if old is None else key_of_name(old.name)
    fields = (
        Field(
            key="name",
            label="Name",
            value="" if old is None else old.name,
            longest=prepared_encounters.LONGEST_NAME,
        ),
        Field(
            key="foes",
            label="Foes, one kind a line",
            note="Wolf x3 · Spider hidden · Ogre as now (an NPC of yours, with its wounds and conditions)",
            value="" if old is None else old.foe_lines,
            longest=1000,
            is_required=False,
            is_long=True,
        ),
        Field(
            key="countdowns",
            label="Countdowns, one a line",
            note="A name and its steps, such as: Alarm 4, or Treachery 3 hidden",
            value="" if old is None else old.countdown_lines,
            longest=500,
            is_required=False,
            is_long=True,
        ),
        Field(
            key="text",
            label="Text to read aloud",
            value="" if old is None else old.text,
            longest=prepared_encounters.LONGEST_TEXT,
            is_required=False,
            is_long=True,
        ),
    )
    title = "New encounter" if old is None else plain(f"Change {old.name}", 45)
    return Form(id=prepared_id("written", home, key), title=title, fields=fields)


def fight_form(home: int) -> Form:
    """The form that names the encounter as which the fight is saved."""
    name = Field(key="name", label="Name", longest=prepared_encounters.LONGEST_NAME)
    return Form(id=prepared_id("kept", home), title="Save this fight", fields=(name,))
