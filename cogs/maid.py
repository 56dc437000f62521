"""Post-magic-maid: `/maid`."""

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.client import Tablekeeper
from bot.ui.play import complete_character, complete_names, complete_own_character, complete_thing, play
from bot.ui.presses import Interaction

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]
Attribute = Literal["Int", "Str", "Dex", "Cha", "Wll", "Lck"]
Tier = Literal["10", "15", "20", "25"]
AnyTier = Literal["below 10", "10", "15", "20", "25"]
BonusDice = app_commands.Range[int, 0, 12]

FIRST, SECOND = "One attribute", "The other attribute"
ABILITY, BONUS = "The ability you use", "Bonus d8s from your pool"
AS = "Who acts; the one you play where left out"


class Maid(commands.GroupCog, group_name="maid", group_description="Play Post-magic-maid"):
    """Everything one does in Post-magic-maid."""

    @app_commands.command(name="check", description="Roll a check with two attributes")
    @app_commands.describe(
        first=FIRST,
        second=SECOND,
        ability=ABILITY,
        needed="The tier the GM wants",
        bonus_dice=BONUS,
        tier="GM: the tier it is to be, whatever the dice say",
        character=AS,
        secret="GM: only you see it",  # noqa: S106  # says what it does
    )
    @app_commands.autocomplete(ability=complete_thing("ability"), character=complete_own_character)
    async def check(
        self,
        interaction: Interaction,
        first: Attribute,
        second: Attribute,
        ability: Name | None = None,
        needed: Tier | None = None,
        bonus_dice: BonusDice | None = None,
        tier: AnyTier | None = None,
        character: Name | None = None,
        secret: bool = False,
    ) -> None:
        """Rolls a check."""
        await play(
            interaction,
            "check",
            acting=character,
            secret=secret,
            first=first,
            second=second,
            ability=ability,
            needed=needed,
            bonus_dice=bonus_dice,
            tier=tier,
        )

    @app_commands.command(name="call", description="GM: call for a check; the player gets a button")
    @app_commands.describe(
        character="From whom", first=FIRST, second=SECOND, ability=ABILITY, needed="The tier you want"
    )
    @app_commands.autocomplete(character=complete_character, ability=complete_thing("ability"))
    async def call(
        self,
        interaction: Interaction,
        character: Name,
        first: Attribute,
        second: Attribute,
        ability: Name | None = None,
        needed: Tier | None = None,
    ) -> None:
        """Calls for a check."""
        await play(
            interaction,
            "call",
            character=character,
            first=first,
            second=second,
            ability=ability,
            needed=needed,
        )

    @app_commands.command(name="blitz", description="Burn a Blitz Point at the start of your turn")
    @app_commands.describe(character=AS)
    @app_commands.autocomplete(character=complete_own_character)
    async def blitz(self, interaction: Interaction, character: Name | None = None) -> None:
        """Burns a Blitz Point."""
        await play(interaction, "blitz", acting=character)

    @app_commands.command(name="initiative", description="Begin an encounter: everybody draws a card")
    @app_commands.describe(
        starter="Who starts it",
        others="Who else takes part, separated by commas",
        opposed="Somebody stands ready to stop them",
    )
    @app_commands.autocomplete(starter=complete_character, others=complete_names)
    async def initiative(
        self,
        interaction: Interaction,
        starter: Name | None = None,
        others: Names | None = None,
        opposed: bool = False,
    ) -> None:
        """Begins an encounter."""
        await play(interaction, "initiative", starter=starter, others=_names(others), opposed=opposed)

    @app_commands.command(name="join", description="Join the encounter that is on")
    @app_commands.describe(character="Who joins; the one you play where left out")
    @app_commands.autocomplete(character=complete_own_character)
    async def join(self, interaction: Interaction, character: Name | None = None) -> None:
        """Joins the encounter."""
        await play(interaction, "join", acting=character)

    @app_commands.command(name="order", description="Show whose turn it is, and who comes next")
    async def order(self, interaction: Interaction) -> None:
        """Shows the order."""
        await play(interaction, "order")

    @app_commands.command(name="act", description="Declare several actions for your turn (each at -5 more)")
    @app_commands.describe(count="How many", character=AS)
    @app_commands.autocomplete(character=complete_own_character)
    async def act(
        self, interaction: Interaction, count: app_commands.Range[int, 1, 10], character: Name | None = None
    ) -> None:
        """Declares actions."""
        await play(interaction, "act", acting=character, count=count)

    @app_commands.command(name="next", description="End the turn; the next one acts")
    async def next(self, interaction: Interaction) -> None:
        """Ends the turn."""
        await play(interaction, "next")

    @app_commands.command(name="end", description="GM: end the encounter")
    async def end(self, interaction: Interaction) -> None:
        """Ends the encounter."""
        await play(interaction, "end")


def _names(typed: str | None) -> tuple[str, ...] | None:
    """Names separated by commas."""
    if typed is None:
        return None
    return tuple(name.strip() for name in typed.split(",") if name.strip())


async def setup(bot: Tablekeeper) -> None:
    """Adds the commands to the bot."""
    await bot.add_cog(Maid())
