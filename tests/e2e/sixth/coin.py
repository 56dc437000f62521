"""Coin Toss: `/coin`."""

from typing import TYPE_CHECKING

from bot.rules import rulesets
from bot.ui.options import Line, RulesetCog

if TYPE_CHECKING:
    from bot.client import Tablekeeper


class Coin(RulesetCog):
    """Everything one does in Coin Toss."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the command to the bot."""
    await bot.add_cog(Coin(bot, rulesets()["coin_toss"], [Line(name="toss", about="Toss your coins")], {}))
