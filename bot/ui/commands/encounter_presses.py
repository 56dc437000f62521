"""Handlers for the fight board's buttons and menus, and name completion for its commands."""

from bot.rules.kernel import Choice
from bot.table.campaigns import bestiary
from bot.table.encounters import encounters
from bot.table.journal import suggest
from bot.ui.commands.play import completed
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press, given_by
from bot.ui.live.result_messages import tell
from bot.ui.replies.encounter_replies import status_reply


async def on_fight(interaction: Interaction, press: Press) -> None:
    """Run a board action and post its result; the board updates itself."""
    table, request = interaction.client.table, request_of(interaction)
    result = await encounters.take_up(table, request, press.number(), press.argument(1), given_by(press))
    await tell(interaction, result)


async def on_kin(interaction: Interaction, press: Press) -> None:
    """Let every foe of a kind act, and post each result."""
    table, request = interaction.client.table, request_of(interaction)
    number, key = press.number(), press.argument(1)
    for result in await encounters.take_up_with_all(table, request, number, key, given_by(press)):
        await tell(interaction, result)


async def on_fight_gm(interaction: Interaction, press: Press) -> None:
    """Show the GM the fight, including everything hidden."""
    table, request = interaction.client.table, request_of(interaction)
    await answer(interaction, status_reply(await encounters.gm_look(table, request, press.number())))


async def _participants(interaction: Interaction, typed: str) -> list[Choice]:
    return await encounters.participants(interaction.client.table, request_of(interaction), typed)


async def _several(interaction: Interaction, typed: str) -> list[Choice]:
    """Complete the last of several names separated by commas."""
    before, comma, last = typed.rpartition(",")
    found = await _participants(interaction, last)
    lead = f"{before}{comma} " if comma else ""
    return [Choice(f"{lead}{one.value}", f"{lead}{one.value}") for one in found if one.value not in before]


async def _own(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    return await encounters.participants(table, request, typed, only_own=True)


async def _hidden_characters(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    return await encounters.participants(table, request, typed, only_hidden=True)


async def _foes(interaction: Interaction, typed: str) -> list[Choice]:
    """Complete the GM's characters and the foes of the bestiary."""
    table, request = interaction.client.table, request_of(interaction)
    known = await suggest.characters(table, request, typed)
    names = {one.value.casefold() for one in known}
    foes = (one for one in await bestiary.names(table, request, typed) if one.casefold() not in names)
    return [*known, *(Choice(one, f"{one} · bestiary") for one in foes)]


complete_foe = completed(_foes)
complete_participant = completed(_participants)
complete_participants = completed(_several)
complete_own_participant = completed(_own)
complete_hidden = completed(_hidden_characters)
