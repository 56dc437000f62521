"""Project Swim Class: `/swim`, `/swim-fight`, `/swim-gear`, `/swim-magic`, `/swim-gm`."""

from importlib.resources import files

from bot.rules.swim_class import RULESET
from bot.ui.commands.options import tables_setup

setup = tables_setup(files("cogs") / "data", RULESET, "fight", "gear", "magic", "gm")
