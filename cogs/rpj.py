"""RPJ Core: `/rpj`, its further commands, and its GM's."""

from importlib.resources import files

from bot.rules.rpj import RULESET
from bot.ui.commands.options import tables_setup

FURTHER = ("fight", "condition", "fire", "gear", "magic", "mass", "together", "gm", "gm-fight")

setup = tables_setup(files("cogs") / "data", RULESET, *FURTHER)
