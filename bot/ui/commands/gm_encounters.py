"""The GM's commands for fights: `/gm encounter`."""

from discord import app_commands

from bot.rules.kernel import tracker
from bot.table.encounters import prepared_fights
from bot.ui.commands.options import names
from bot.ui.commands.play import complete_foe, complete_hidden, complete_participants, play
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.result_messages import tell

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]
Count = app_commands.Range[int, 1, prepared_fights.MOST_AT_ONCE]


class EncounterCommands(app_commands.Group):
    """The GM's fight commands."""

    @app_commands.command(name="add", description="Add NPCs to the fight, one or several at once")
    @app_commands.describe(
        name="One of your NPCs, a foe of the bestiary, or a new name",
        count="How many; copies and new NPCs are numbered",
        hidden="Hide them from players until /gm encounter reveal",
        mook="New NPCs are mooks, in games that have them",
    )
    @app_commands.autocomplete(name=complete_foe)
    async def add(
        self, interaction: Interaction, name: Name, count: Count = 1, hidden: bool = False, mook: bool = False
    ) -> None:
        """Add NPCs to the fight."""
        table, request = interaction.client.table, request_of(interaction)
        result = await prepared_fights.add(table, request, name, count=count, is_hidden=hidden, is_mook=mook)
        await tell(interaction, result)

    @app_commands.command(name="reveal", description="Reveal a hidden combatant")
    @app_commands.describe(character="Who is revealed")
    @app_commands.autocomplete(character=complete_hidden)
    async def reveal(self, interaction: Interaction, character: Name) -> None:
        """Reveal a hidden combatant."""
        await play(interaction, tracker.REVEAL, character=character)

    @app_commands.command(name="end", description="End the fight and everything that lasts as long as it")
    async def end(self, interaction: Interaction) -> None:
        """End the fight."""
        await play(interaction, tracker.END)

    @app_commands.command(name="order", description="Set the order of turns, in games that leave it to you")
    @app_commands.describe(characters="The new order, separated by commas")
    @app_commands.autocomplete(characters=complete_participants)
    async def order(self, interaction: Interaction, characters: Names) -> None:
        """Set the order."""
        await play(interaction, tracker.ORDER, characters=names(characters))
