"""Fights: `/encounter` and the boards."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.rules.kernel import tracker
from bot.table.encounters import encounters
from bot.table.encounters.encounters import Look, for_everybody
from bot.ui.commands.at_desk import with_strip
from bot.ui.commands.options import (
    PRESSED,
    complete_names,
    complete_own_character,
    complete_participant,
    completed_by,
    names,
    play,
)
from bot.ui.input.answer import answer, change
from bot.ui.input.presses import Interaction, Press, given_by, table_and_request
from bot.ui.live.fight_board import GMS, REST, fight_blocks, gm_blocks, over_reply, page_rows
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import foes_button
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import Reply, private_page

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


complete_own_participant = completed_by(encounters.participants, only_own=True)

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]


class Encounter(
    commands.GroupCog, group_name="encounter", group_description="Fights: who is in, whose turn it is"
):
    """The encounter commands."""

    @app_commands.command(
        name="start", description="Start a fight in this channel; players join with a button"
    )
    @app_commands.describe(
        others="Who else is in the fight, separated by commas",
        at_once="Roll the order right away, before anyone acts",
        acting="Who acts (default: your character)",
    )
    @app_commands.rename(acting="as")
    @app_commands.autocomplete(others=complete_names, acting=complete_own_character)
    async def start(
        self,
        interaction: Interaction,
        others: Names | None = None,
        at_once: bool = False,
        acting: Name | None = None,
    ) -> None:
        """Start a fight."""
        await play(interaction, tracker.START, acting=acting, others=names(others), at_once=at_once)

    @app_commands.command(name="join", description="Join the fight in this channel", extras={PRESSED: True})
    @app_commands.describe(character="Who joins (default: your character)")
    @app_commands.autocomplete(character=complete_own_character)
    async def join(self, interaction: Interaction, character: Name | None = None) -> None:
        """Join the fight."""
        await play(interaction, tracker.JOIN, character=character)

    @app_commands.command(name="next", description="End the turn, or start the first round")
    async def next(self, interaction: Interaction) -> None:
        """End the turn."""
        await play(interaction, tracker.NEXT)

    @app_commands.command(name="back", description="Go back to the previous turn", extras={PRESSED: True})
    async def back(self, interaction: Interaction) -> None:
        """Go back one turn."""
        done = await encounters.back(*table_and_request(interaction))
        await answer(interaction, undo_reply(done))

    @app_commands.command(
        name="delay", description="Delay your turn (in games that allow it)", extras={PRESSED: True}
    )
    @app_commands.describe(
        after="Act after this combatant (default: the next one)",
        character="Who delays (default: your character)",
    )
    @app_commands.autocomplete(after=complete_participant, character=complete_own_participant)
    async def delay(
        self, interaction: Interaction, after: Name | None = None, character: Name | None = None
    ) -> None:
        """Delay a turn."""
        await play(interaction, tracker.DELAY, after=after, character=character)

    @app_commands.command(name="leave", description="Leave the fight", extras={PRESSED: True})
    @app_commands.describe(character="Who leaves (default: your character)")
    @app_commands.autocomplete(character=complete_own_participant)
    async def leave(self, interaction: Interaction, character: Name | None = None) -> None:
        """Leave the fight."""
        await play(interaction, tracker.LEAVE, character=character)

    @app_commands.command(name="status", description="See how the fight stands and whose turn it is")
    async def status(self, interaction: Interaction) -> None:
        """Show the fight."""
        found = await encounters.fight_here(*table_and_request(interaction))
        await answer(interaction, status_reply(found))


async def on_fight(interaction: Interaction, press: Press) -> None:
    """Run a board action and post its result; the board updates itself, and the page that was pressed too."""
    page = press.arguments[2] if len(press.arguments) > 2 else ""
    table, request = table_and_request(interaction)
    result = await encounters.take_up(table, request, press.number(), press.argument(1), given_by(press))
    if page:
        await change(interaction, await _page(interaction, press.number(), page))
    await tell(interaction, result)


async def on_kin(interaction: Interaction, press: Press) -> None:
    """Let every foe of a kind act, and post each result."""
    table, request = table_and_request(interaction)
    number, key = press.number(), press.argument(1)
    for result in await encounters.take_up_with_all(table, request, number, key, given_by(press)):
        await tell(interaction, result)


async def on_fight_gm(interaction: Interaction, press: Press) -> None:
    """Show the GM the fight, including everything hidden, and what they can do in it."""
    await answer(interaction, await _page(interaction, press.number(), GMS))


async def on_fight_rest(interaction: Interaction, press: Press) -> None:
    """Show a player the whole fight and everything that it offers them."""
    await answer(interaction, await _page(interaction, press.number(), REST))


async def _page(interaction: Interaction, campaign: int, page: str) -> Reply:
    table, request = table_and_request(interaction)
    try:
        if page == GMS:
            look = await encounters.gm_look(table, request, campaign)
            return await with_strip(interaction, gm_reply(look))
        return rest_reply(await encounters.fight_here(table, request, campaign))
    except encounters.NoEncounter:
        return private_page(over_reply().blocks)


# --- words: for one person -----------------------------------------------------------------------


def status_reply(look: Look) -> Reply:
    """A private view of the fight as the person may see it."""
    return gm_reply(look) if look.is_gm else private_page(fight_blocks(look))


def rest_reply(look: Look) -> Reply:
    """The whole fight with everything that it offers the person who looks."""
    return private_page((*fight_blocks(replace(look, view=for_everybody(look.view))), *page_rows(look, REST)))


def gm_reply(look: Look) -> Reply:
    """The whole fight with everything hidden, and what a GM can do in it."""
    blocks = (*fight_blocks(look), *gm_blocks(look.view), *page_rows(look, GMS))
    return private_page((*blocks, (foes_button(),)))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("fight", on_fight)
    bot.presses.add("fightgm", on_fight_gm)
    bot.presses.add("fightrest", on_fight_rest)
    bot.presses.add("kin", on_kin)
    await bot.add_cog(Encounter(bot))
