"""The texts of RPJ Core's commands; types, bounds and choices come from the procedures."""

from bot.rules.rpj import RULESET
from bot.ui.commands.options import ruleset_setup
from cogs.rpj.checks import BREAK_LINES, IMPROVE, LINES, TOGETHER
from cogs.rpj.fight import FIGHT, FIRE, MASS
from cogs.rpj.gear import GEAR, MAGIC
from cogs.rpj.gm import GM, GM_FIGHTS
from cogs.rpj.health import CONDITION, HEALTH, SAVE_LINES

TYPED = (
    *("check", "propose", "detail", "ladder", "pick", "breaks", "health show", "improve prices"),
    *(
        "improve skill",
        "improve drop",
        "-fight task",
        "-fight treat",
        "-together opposed",
        "-together assisted",
    ),
    "-together flashback",
)

setup = ruleset_setup(
    RULESET,
    (*LINES, *BREAK_LINES, *SAVE_LINES),
    {"health": HEALTH, "improve": IMPROVE},
    (FIGHT, CONDITION, FIRE, GEAR, MAGIC, MASS, TOGETHER, GM, GM_FIGHTS),
    TYPED,
)
