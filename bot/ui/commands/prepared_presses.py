"""Handlers of the GM's prepared encounters."""

from bot.rules.kernel.errors import UserError
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.campaigns import prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft, PreparedEncounter
from bot.table.encounters import prepared_fights
from bot.ui.commands.desk_pages import AtDesk, tell_there
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press
from bot.ui.replies.foe_replies import NOBODY
from bot.ui.replies.prepared_replies import (
    encounter_form,
    encounter_reply,
    encounter_with,
    encounters_reply,
    fight_form,
)
from bot.ui.text.reply import Reply


async def on_prepared(interaction: Interaction, press: Press) -> None:
    """Handle a press on the pages of prepared encounters."""
    what, home = press.argument(0), press.number(1)
    table, request = interaction.client.table, _request(interaction, home)
    interaction.client.sheets.forget(interaction)
    match what:
        case "home":
            await _show_all(interaction, home)
        case "pick":
            found = await in_time(interaction, _found(interaction, home, press.chosen()))
            await _turn(interaction, encounter_reply(found, home))
        case "new":
            await _listing(interaction, home)  # refuses strangers before anything is written
            await ask_form(interaction, encounter_form(home))
        case "change":
            await ask_form(
                interaction, encounter_form(home, await _found(interaction, home, press.argument(2)))
            )
        case "written":
            await _write(interaction, press, home)
        case "keep":
            await _listing(interaction, home)
            await ask_form(interaction, fight_form(home))
        case "kept":
            saving = prepared_fights.save_fight(table, request, press.fields.get("name", ""))
            await _show_all(interaction, home, await in_time(interaction, saving))
        case "drop":
            found = await _found(interaction, home, press.argument(2))
            await _show_all(interaction, home, await prepared_encounters.delete(table, request, found.name))
        case "start":
            found = await _found(interaction, home, press.argument(2))
            results = await in_time(interaction, prepared_fights.start(table, request, found.name))
            await _turn(interaction, encounter_reply(found, home, "It has started."))
            for result in results:
                await tell_there(AtDesk(interaction, home), result)
        case _:
            raise OutOfDate


def _request(interaction: Interaction, home: int) -> Request:
    return AtDesk(interaction, home).request


async def _turn(interaction: Interaction, reply: Reply) -> None:
    """Change the page that was pressed, or answer a desk in a channel with a private one."""
    await (answer if AtDesk(interaction).is_shared else change)(interaction, reply)


async def _listing(interaction: Interaction, home: int) -> tuple[PreparedEncounter, ...]:
    return await prepared_encounters.listing(interaction.client.table, _request(interaction, home))


async def _found(interaction: Interaction, home: int, key: str) -> PreparedEncounter:
    found = encounter_with(await _listing(interaction, home), key)
    if found is None:
        raise UserError("That encounter isn't prepared any more.", "Open the encounters again.")
    return found


async def _show_all(interaction: Interaction, home: int, done: Result | None = None) -> None:
    news = "" if done is None else f"{done.message.who} {done.message.headline}."
    shown = await in_time(interaction, _listing(interaction, home))
    await _turn(interaction, encounters_reply(shown, home, news))


async def _write(interaction: Interaction, press: Press, home: int) -> None:
    """Prepare or change the encounter of a form."""
    table, request, key = interaction.client.table, _request(interaction, home), press.argument(2)
    was = "" if key == NOBODY else (await _found(interaction, home, key)).name
    fields = press.fields
    draft = EncounterDraft(
        name=fields.get("name", ""),
        foes=fields.get("foes", ""),
        countdowns=fields.get("countdowns", ""),
        text=fields.get("text", ""),
    )
    done = await in_time(interaction, prepared_encounters.write(table, request, draft, was=was))
    await _show_all(interaction, home, done)
