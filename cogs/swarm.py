"""Sword & Swarm: `/swarm`, `/swarm-gm`."""

from importlib.resources import files

from bot.rules.sword_and_swarm import RULESET
from bot.ui.commands.options import tables_setup

setup = tables_setup(files("cogs") / "data", RULESET, "gm")
