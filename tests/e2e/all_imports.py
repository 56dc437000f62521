"""Everything a running bot imports; a prepared process imports it beforehand."""

import asyncio
import gc
import sys
from importlib import import_module

from discord.ext import commands

from bot.app.client import cog_modules
from bot.rules import rulesets

sys.dont_write_bytecode = False  # whoever is forked here loads some modules late
rulesets()
LOADED_LATE = (
    "bot.app.metrics",
    "bot.app.monitoring",
    "bot.rules.own.own_ruleset",
    "bot.store.copying",
    "bot.store.postgres.postgres_store",
    "bot.store.sqlite",
    "bot.table.base.stored_rolls",
    "bot.table.campaigns.bestiary",
    "bot.table.campaigns.prepared_encounters",
    "bot.table.characters.creation_pages",
    "bot.table.gm.desk",
    "bot.table.journal.recap",
    "bot.table.journal.verify",
    "bot.table.sessions.endings",
    "PIL.ImageOps",
    "PIL.PngImagePlugin",
    "PIL.WebPImagePlugin",
)
for _name in (*cog_modules(), *LOADED_LATE):
    import_module(_name)


class _Nobody:
    """A bot for whom the games' commands are made, which all bots of a process share."""

    async def add_cog(self, cog: commands.Cog) -> None:
        """Leave it."""


for _game in rulesets().values():
    asyncio.run(import_module(f"cogs.{_game.command}").setup(_Nobody()))
gc.freeze()
