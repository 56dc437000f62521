"""Post-magic-maid: `/maid`, `/maid-gm`."""

from importlib.resources import files

from bot.rules.post_magic_maid import RULESET
from bot.ui.commands.options import tables_setup

setup = tables_setup(files("cogs") / "data", RULESET, "gm")
