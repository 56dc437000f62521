"""The GM's commands that correct a character by hand: `/gm set`."""

from typing import Literal

from discord import app_commands

from bot.rules.kernel import Choice
from bot.table.campaigns import fields, gm_offers
from bot.table.gm import gm
from bot.ui.commands.play import complete_character, completed
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell

Name = app_commands.Range[str, 1, 100]
Text = app_commands.Range[str, 0, 500]
Count = app_commands.Range[int, 0, 10_000]
Duration = app_commands.Range[int, 1, 100_000]
Unit = Literal["seconds", "minutes", "hours", "days"]
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


async def _resources(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.resource_choices(interaction.client.table, request_of(interaction), typed)


async def _wounds(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.wound_choices(interaction.client.table, request_of(interaction), typed)


async def _timers(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await gm_offers.timer_choices(interaction.client.table, request_of(interaction), typed, who)


async def _fields(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await fields.field_choices(interaction.client.table, request_of(interaction), typed, who)


async def _field_values(interaction: Interaction, typed: str) -> list[Choice]:
    who, field = interaction.namespace.character or "", interaction.namespace.field or ""
    return await fields.field_values(interaction.client.table, request_of(interaction), typed, who, field)


class CorrectionCommands(app_commands.Group):
    """The GM's correction commands."""

    @app_commands.command(name="resource", description="Set how much of a resource a character has")
    @app_commands.describe(character="The character", resource="The resource", value="The new amount")
    @app_commands.autocomplete(character=complete_character, resource=completed(_resources))
    async def set_resource(
        self, interaction: Interaction, character: Name, resource: Name, value: Count
    ) -> None:
        """Set a resource."""
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await gm.set_resource(table, request, resource, value, character))

    @app_commands.command(name="wounds", description="Set how many boxes of a wound level are filled")
    @app_commands.describe(character="The character", level="The track and level", filled="How many boxes")
    @app_commands.autocomplete(character=complete_character, level=completed(_wounds))
    async def set_wounds(self, interaction: Interaction, character: Name, level: Name, filled: Count) -> None:
        """Set wounds."""
        track, _, name = level.partition("·")
        table, request = interaction.client.table, request_of(interaction)
        result = await gm.set_wounds(table, request, track.strip(), name.strip(), filled, character)
        await tell(interaction, result)

    @app_commands.command(name="timer", description="Change when a timer runs out, or stop it")
    @app_commands.describe(
        character="The character",
        timer="The timer",
        amount="Game time until it runs out (leave out to stop it)",
        unit="The unit of time",
    )
    @app_commands.autocomplete(character=complete_character, timer=completed(_timers))
    async def set_timer(
        self,
        interaction: Interaction,
        character: Name,
        timer: Name,
        amount: Duration | None = None,
        unit: Unit = "minutes",
    ) -> None:
        """Set a timer."""
        seconds = None if amount is None else amount * SECONDS[unit]
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await gm.set_timer(table, request, timer, seconds, character))

    @app_commands.command(name="field", description="Set a field of a character's sheet")
    @app_commands.describe(character="The character", field="The field", value="The new value", reason="Why")
    @app_commands.autocomplete(
        character=complete_character, field=completed(_fields), value=completed(_field_values)
    )
    async def set_field(
        self, interaction: Interaction, character: Name, field: Name, value: Text, reason: Text = ""
    ) -> None:
        """Set a field of a sheet."""
        table, request = interaction.client.table, request_of(interaction)
        await tell(interaction, await fields.set_field(table, request, character, field, value, reason))
