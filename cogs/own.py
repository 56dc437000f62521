"""The command of games of one's own, the same for all of them, so that an edit needs no sync."""

import asyncio
from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.table import own_games
from bot.table.base.table import own_key
from bot.ui.commands import options
from bot.ui.commands.options import ODDS
from bot.ui.input.answer import answer, in_time
from bot.ui.input.presses import Interaction, table_and_request
from bot.ui.text.charts import odds_picture
from bot.ui.text.roll_text import odds_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Answers = app_commands.Range[str, 1, 300]
Number = app_commands.Range[int, -1000, 1000]
AS = "Who acts (default: your character)"
THEIRS = "The number to beat, in an opposed check"
ANSWERS = "Answers, such as: stat=Bold, bonus=1"


def _game(interaction: Interaction) -> str:
    """The key of the game whose command, or whose page of `/odds`, was typed."""
    data: Any = interaction.data
    named = data["options"][0] if data["name"] == ODDS else data
    return own_key(str(named["name"]))


class OwnCommand(app_commands.Group):
    """What one can type in a game of one's own."""

    def __init__(self) -> None:
        super().__init__(name="own", description="Play this server's own game")

    @app_commands.command(name="roll", description="Roll a move or a check, or make a move")
    @app_commands.rename(acting="as")
    @app_commands.describe(
        what="The move or check",
        answers=ANSWERS,
        at="Whom it is aimed at",
        theirs=THEIRS,
        acting=AS,
        secret="Show the result to the GM alone",  # noqa: S106 - says what the option does
        countdown="A countdown this moves",
    )
    @app_commands.autocomplete(
        what=options.complete_thing("roll", "as"),
        answers=options.complete_thing("answers", "as"),
        at=options.complete_character,
        acting=options.complete_own_character,
        countdown=options.complete_countdown,
    )
    async def roll(
        self,
        interaction: Interaction,
        what: Name,
        answers: Answers | None = None,
        at: Name | None = None,
        theirs: Number | None = None,
        acting: Name | None = None,
        secret: bool | None = None,
        countdown: Name | None = None,
    ) -> None:
        """Roll a move or a check."""
        await options.play(
            interaction,
            "roll",
            game=_game(interaction),
            acting=acting,
            secret=bool(secret),
            countdown=countdown,
            what=what,
            answers=answers,
            at=at,
            theirs=theirs,
        )

    @app_commands.command(name="odds", description="See the exact chances of a move or check")
    @app_commands.rename(acting="as")
    @app_commands.describe(what="The move or check", answers=ANSWERS, theirs=THEIRS, acting=AS)
    @app_commands.autocomplete(
        what=options.complete_thing("roll", "as"),
        answers=options.complete_thing("answers", "as"),
        acting=options.complete_own_character,
    )
    async def odds(
        self,
        interaction: Interaction,
        what: Name,
        answers: Answers | None = None,
        theirs: Number | None = None,
        acting: Name | None = None,
    ) -> None:
        """Show chances without rolling."""
        table, request = table_and_request(interaction)
        game = _game(interaction)
        computing = own_games.odds(table, request, game, what, answers or "", theirs, acting)
        title, odds, line = await in_time(interaction, computing, adds=True)
        plot = await asyncio.to_thread(odds_picture, odds)
        await answer(interaction, odds_reply(title, odds, line, plot))

    @app_commands.command(name="clocks", description="See the clocks of the table")
    async def clocks(self, interaction: Interaction) -> None:
        """Show the clocks."""
        await options.play(interaction, "clocks", game=_game(interaction))

    @app_commands.command(name="use", description="Use a thing that you carry")
    @app_commands.rename(acting="as")
    @app_commands.describe(item="The thing", acting=AS)
    @app_commands.autocomplete(
        item=options.complete_thing("carried", "as"), acting=options.complete_own_character
    )
    async def use(self, interaction: Interaction, item: Name, acting: Name | None = None) -> None:
        """Use a thing."""
        await options.play(interaction, "use", game=_game(interaction), acting=acting, item=item)

    @app_commands.command(name="set", description="Set a character's number, or a clock (GM)")
    @app_commands.describe(what="What is set", value="The number, or a die", target="Whose it is")
    @app_commands.autocomplete(what=options.complete_thing("part"), target=options.complete_character)
    async def set_number(
        self,
        interaction: Interaction,
        what: Name,
        value: app_commands.Range[str, 1, 10],
        target: Name | None = None,
    ) -> None:
        """Set a number by hand."""
        await options.play(interaction, "set", game=_game(interaction), what=what, value=value, target=target)

    @app_commands.command(name="give", description="Give a character a thing of the lists (GM)")
    @app_commands.describe(item="The thing", target="To whom")
    @app_commands.autocomplete(item=options.complete_thing("item"), target=options.complete_character)
    async def give(self, interaction: Interaction, item: Name, target: Name) -> None:
        """Give somebody a thing."""
        await options.play(interaction, "take", game=_game(interaction), item=item, target=target)

    @app_commands.command(name="event", description="Call an event for everyone, such as a rest (GM)")
    @app_commands.describe(event="What happens")
    @app_commands.autocomplete(event=options.complete_thing("event"))
    async def event(self, interaction: Interaction, event: Name) -> None:
        """Call an event."""
        await options.play(interaction, "event", game=_game(interaction), event=event)


async def setup(bot: "Tablekeeper") -> None:
    """Let the bot answer the commands of games of one's own."""
    bot.own_command = OwnCommand()
