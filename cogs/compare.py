"""Compare Roll: `/compare`, `/compare-gm`."""

from importlib.resources import files

from bot.rules.compare_roll import RULESET
from bot.ui.commands.options import tables_setup

setup = tables_setup(files("cogs") / "data", RULESET, "gm")
