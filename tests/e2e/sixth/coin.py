"""Coin Toss: `/coin`."""

from typing import TYPE_CHECKING

from bot.rules import rulesets
from bot.ui.commands.options import CommandGroup, CommandSpec, RulesetCog

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Coin(RulesetCog):
    """Everything one does in Coin Toss."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the command to the bot."""
    toss = CommandSpec(name="toss", about="Toss your coins")
    again = CommandGroup(name="again", about="Toss once more", groups={"now": ("At once", [toss])})
    await bot.add_cog(Coin(bot, rulesets()["coin_toss"], [toss], {}, [again]))
