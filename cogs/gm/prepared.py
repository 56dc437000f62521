"""The GM's prepared encounters: the list, one with its buttons, and the forms that write them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import prepared_encounters
from bot.table.encounters import prepared_fights
from bot.ui.commands.at_desk import AtDesk, news_of, show_page, tell_there, turn_to
from bot.ui.input.answer import ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, press_id
from bot.ui.replies.links import HERE, desk_button, desk_id, foes_button, key_of_name
from bot.ui.text.reply import IN_MENU, Block, Button, Field, Form, Look, Reply, Select, private_page
from bot.ui.text.text import escape, plain, shorten
from cogs.gm.foes import NOBODY

if TYPE_CHECKING:
    from bot.table.campaigns.prepared_encounters import PreparedEncounter


async def on_prepared(interaction: Interaction, press: Press) -> None:
    """Handle a press on the pages of prepared encounters."""
    seat = AtDesk(interaction, press.number(1))
    match press.argument(0):
        case "home":
            await _show_all(seat)
        case "pick":
            await turn_to(seat, _page(seat, press.chosen()))
        case "new":
            await _listing(seat)  # refuses strangers before anything is written
            await ask_form(interaction, encounter_form(seat.home))
        case "change":
            found = await _found(seat, press.argument(2))
            await ask_form(interaction, encounter_form(seat.home, found))
        case "written":
            await _write(seat, press)
        case "keep":
            await _listing(seat)
            await ask_form(interaction, fight_form(seat.home))
        case "kept":
            name = press.fields.get("name", "")
            saved = await in_time(interaction, prepared_fights.save_fight(seat.table, seat.request, name))
            await _show_all(seat, saved)
        case "drop":
            found = await _found(seat, press.argument(2))
            await _show_all(seat, await prepared_encounters.delete(seat.table, seat.request, found.name))
        case "start":
            await _start(
                seat, await _found(seat, press.argument(2)), may_add=ALONE not in press.arguments[3:]
            )
        case _:
            raise OutOfDate


async def _listing(seat: AtDesk) -> "tuple[PreparedEncounter, ...]":
    return await prepared_encounters.listing(seat.table, seat.request)


async def _found(seat: AtDesk, key: str) -> "PreparedEncounter":
    found = encounter_with(await _listing(seat), key)
    if found is None:
        raise UserError("That encounter isn't prepared any more.", "Open the encounters again.")
    return found


async def _page(seat: AtDesk, key: str) -> Reply:
    found = await _found(seat, key)
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


async def _show_all(seat: AtDesk, done: Result | None = None) -> None:
    shown = await in_time(seat.interaction, _listing(seat))
    await show_page(seat, encounters_reply(shown, seat.home, news_of(done)))


async def _write(seat: AtDesk, press: Press) -> None:
    """Prepare or change the encounter of a form."""
    key, fields = press.argument(2), press.fields
    was = "" if key == NOBODY else (await _found(seat, key)).name
    draft = prepared_encounters.EncounterDraft(
        name=fields.get("name", ""),
        foes=fields.get("foes", ""),
        countdowns=fields.get("countdowns", ""),
        text=fields.get("text", ""),
    )
    written = prepared_encounters.write(seat.table, seat.request, draft, was=was)
    await _show_all(seat, await in_time(seat.interaction, written))


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
