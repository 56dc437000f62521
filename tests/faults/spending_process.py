"""A process that spends until it is killed, and says what was acknowledged."""

import asyncio
import sys
from functools import partial

from bot.store.engines import open_store
from tests.faults.spending import spend
from tests.paces import IMPATIENT


async def keep_spending(url: str) -> None:
    """Spend in four units at a time, and write down each interaction once it is acknowledged."""
    store = await open_store(url, IMPATIENT)

    async def work(name: str) -> None:
        number = 0
        while True:
            interaction = f"{name} {number}"
            await store.run(partial(spend, interaction=interaction))
            sys.stdout.write(f"{interaction}\n")
            sys.stdout.flush()
            number += 1

    await asyncio.gather(*(work(name) for name in "abcd"))


if __name__ == "__main__":
    asyncio.run(keep_spending(sys.argv[1]))
