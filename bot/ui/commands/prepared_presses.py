"""Handlers of the GM's prepared encounters."""

from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.campaigns import prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft, PreparedEncounter
from bot.table.encounters import prepared_fights
from bot.ui.commands.desk import AtDesk, news_of, show_page, tell_there, turn_to
from bot.ui.input.answer import ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.foe_replies import NOBODY
from bot.ui.replies.prepared_replies import (
    ALONE,
    encounter_form,
    encounter_reply,
    encounter_with,
    encounters_reply,
    fight_form,
)
from bot.ui.text.reply import Reply


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


async def _listing(seat: AtDesk) -> tuple[PreparedEncounter, ...]:
    return await prepared_encounters.listing(seat.table, seat.request)


async def _found(seat: AtDesk, key: str) -> PreparedEncounter:
    found = encounter_with(await _listing(seat), key)
    if found is None:
        raise UserError("That encounter isn't prepared any more.", "Open the encounters again.")
    return found


async def _page(seat: AtDesk, key: str) -> Reply:
    found = await _found(seat, key)
    joins = await prepared_fights.is_fight_here(seat.table, seat.request)
    return encounter_reply(found, seat.home, joins=joins)


async def _start(seat: AtDesk, one: PreparedEncounter, *, may_add: bool) -> None:
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
    draft = EncounterDraft(
        name=fields.get("name", ""),
        foes=fields.get("foes", ""),
        countdowns=fields.get("countdowns", ""),
        text=fields.get("text", ""),
    )
    written = prepared_encounters.write(seat.table, seat.request, draft, was=was)
    await _show_all(seat, await in_time(seat.interaction, written))
