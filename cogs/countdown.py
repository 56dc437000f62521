"""Countdowns: `/countdown`, and the buttons of the board that follows them."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.table.countdowns import countdown_actions
from bot.table.play import countdown_plans
from bot.ui.commands.countdowns import (
    complete_any,
    complete_running,
    complete_skill,
    on_count,
    on_counts,
    on_keep,
    on_skill,
    show_done,
    table_and_request,
)
from bot.ui.commands.play import complete_character
from bot.ui.input.answer import answer
from bot.ui.input.presses import Interaction
from bot.ui.replies.countdown_replies import listing_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 60]
Skill = app_commands.Range[str, 1, 80]
Steps = app_commands.Range[int, 1, 12]


class Countdown(
    commands.GroupCog, group_name="countdown", group_description="Countdowns to good and bad things"
):
    """The countdown commands."""

    @app_commands.command(name="show", description="See the countdowns you know about")
    @app_commands.describe(name="Only this one, even if it is over")
    @app_commands.autocomplete(name=complete_any)
    async def show(self, interaction: Interaction, name: Name | None = None) -> None:
        """Show countdowns."""
        await answer(
            interaction, listing_reply(await countdown_plans.listing(*table_and_request(interaction), name))
        )

    @app_commands.command(name="advance", description="Advance a countdown (players need GM permission)")
    @app_commands.describe(
        name="The countdown",
        steps="How many steps (players: always one)",
        character="Whose success it is; its limits apply (players: their own)",
        skill="The skill used; its limits apply",
    )
    @app_commands.autocomplete(name=complete_running, character=complete_character, skill=complete_skill)
    async def advance(
        self,
        interaction: Interaction,
        name: Name,
        steps: Steps = 1,
        character: Name | None = None,
        skill: Skill | None = None,
    ) -> None:
        """Advance a countdown."""
        done = await countdown_actions.advance(
            *table_and_request(interaction), name, steps, skill=skill or "", character=character
        )
        await show_done(interaction, done)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("count", on_count)
    bot.presses.add("counts", on_counts)
    bot.presses.add("countskill", on_skill)
    bot.presses.add("countkeep", on_keep)
    await bot.add_cog(Countdown(bot))
