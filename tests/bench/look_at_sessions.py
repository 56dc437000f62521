"""Let the watch look at all running sessions; print the CPU seconds of each look, and the bytes written."""

import asyncio
import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from bot.app.pace import STANDARD
from bot.rules import rulesets
from bot.store.sqlite import open_store
from bot.table.base.table import Table
from cogs.watch import Watch


async def main(database: Path, rounds: int) -> None:
    """Look that often."""
    store = await open_store(f"sqlite:///{database}")
    table = Table(store=store, games=rulesets(), now=lambda: int(time.time()), new_secret=lambda: bytes(32))
    bot = SimpleNamespace(table=table, pace=STANDARD, get_guild=lambda _server: None)
    watch = Watch(cast(Any, bot))
    await watch._look_after()
    journal = database.with_name(f"{database.name}-wal")
    looks, size = [], journal.stat().st_size
    for _ in range(rounds):
        begun = time.process_time()
        await watch._look_after()
        looks.append(time.process_time() - begun)
    written = journal.stat().st_size - size
    await store.close()
    sys.stdout.write(json.dumps([looks, written]))


asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
