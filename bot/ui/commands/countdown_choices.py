"""Autocompletion for the options of countdown commands."""

from bot.rules.kernel import Choice
from bot.table.journal.suggest import things
from bot.table.play import boards
from bot.ui.commands.play import completed
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction


async def _running(interaction: Interaction, typed: str) -> list[Choice]:
    return await boards.choices(interaction.client.table, request_of(interaction), typed, for_gm=True)


async def _any(interaction: Interaction, typed: str) -> list[Choice]:
    return await boards.choices(interaction.client.table, request_of(interaction), typed, are_over=True)


async def _any_for_gm(interaction: Interaction, typed: str) -> list[Choice]:
    table, request = interaction.client.table, request_of(interaction)
    return await boards.choices(table, request, typed, are_over=True, for_gm=True)


async def _checks(interaction: Interaction, typed: str) -> list[Choice]:
    return await boards.link_choices(interaction.client.table, request_of(interaction), typed)


async def _skills(interaction: Interaction, typed: str) -> list[Choice]:
    return await things(interaction.client.table, request_of(interaction), "skill", typed)


complete_running = completed(_running)
complete_any = completed(_any)
complete_any_for_gm = completed(_any_for_gm)
complete_skill = completed(_skills)
complete_check = completed(_checks)
