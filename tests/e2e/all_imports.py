"""Everything a running bot imports; a prepared process imports it beforehand."""

import gc
import sys
from importlib import import_module

from bot.app.client import cog_modules
from bot.rules import rulesets

sys.dont_write_bytecode = False  # whoever is forked here loads some modules late
rulesets()
for _name in cog_modules():
    import_module(_name)
gc.freeze()
