"""The texts of RPJ Core's commands; types, bounds and choices come from the procedures."""

from bot.rules.rpj import RULESET
from bot.ui.commands.options import ruleset_setup
from cogs.rpj.breaks import BREAK_LINES
from cogs.rpj.checks import LINES
from cogs.rpj.conditions import CONDITION
from cogs.rpj.fight import FIGHT
from cogs.rpj.fire import FIRE
from cogs.rpj.gear import GEAR
from cogs.rpj.gm import GM, GM_FIGHTS
from cogs.rpj.health import HEALTH, SAVE_LINES
from cogs.rpj.improve import IMPROVE
from cogs.rpj.magic import MAGIC
from cogs.rpj.mass import MASS
from cogs.rpj.together import TOGETHER

setup = ruleset_setup(
    RULESET,
    (*LINES, *BREAK_LINES, *SAVE_LINES),
    {"health": HEALTH, "improve": IMPROVE},
    (FIGHT, CONDITION, FIRE, GEAR, MAGIC, MASS, TOGETHER, GM, GM_FIGHTS),
)
