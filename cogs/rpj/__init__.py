"""RPJ Core: `/rpj`. Types, bounds and choices come from the procedures; here are the words."""

from typing import TYPE_CHECKING

from bot.rules.rpj import RULESET
from bot.ui.commands.options import RulesetCog
from cogs.rpj.breaks import BREAKS
from cogs.rpj.checks import LINES
from cogs.rpj.conditions import CONDITION
from cogs.rpj.fight import FIGHT
from cogs.rpj.fire import FIRE
from cogs.rpj.gear import GEAR
from cogs.rpj.gm import GM
from cogs.rpj.health import HEALTH, SAVE_LINES
from cogs.rpj.improve import IMPROVE
from cogs.rpj.magic import MAGIC
from cogs.rpj.mass import MASS
from cogs.rpj.together import TOGETHER

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


class Rpj(RulesetCog):
    """Everything one does in RPJ Core."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands to the bot."""
    groups = {"break": BREAKS, "health": HEALTH, "improve": IMPROVE, "gm": GM}
    further = (FIGHT, CONDITION, FIRE, GEAR, MAGIC, MASS, TOGETHER)
    await bot.add_cog(Rpj(bot, RULESET, (*LINES, *SAVE_LINES), groups, further))
