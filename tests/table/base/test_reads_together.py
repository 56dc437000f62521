"""Queries asked for at the same moment share one read, and none sees what was before it."""

import asyncio

from bot.store.transaction import Reader
from bot.table.base.table import ReadsTogether, Table


def running(_reader: Reader) -> str:
    return "running"


def snapshot(reader: Reader) -> int:
    return id(reader)


async def test_queries_of_the_same_moment_run_in_one_read(table: Table) -> None:
    together = ReadsTogether()
    asked = (together.read(table.store, snapshot) for _ in range(3))

    assert len(set(await asyncio.gather(*asked, together.read(table.store, snapshot)))) == 1


async def test_each_query_gets_its_own_answer(table: Table) -> None:
    together = ReadsTogether()
    one, word, three = await asyncio.gather(
        together.read(table.store, lambda _reader: 1),
        together.read(table.store, running),
        together.read(table.store, lambda _reader: 3),
    )

    assert (one, word, three) == (1, "running", 3)


async def test_a_query_that_fails_fails_alone(table: Table) -> None:
    together = ReadsTogether()

    def failing(_reader: Reader) -> str:
        raise LookupError("its own")

    before, failed, after = await asyncio.gather(
        together.read(table.store, running),
        together.read(table.store, failing),
        together.read(table.store, lambda _reader: 3),
        return_exceptions=True,
    )

    assert (before, after) == ("running", 3)
    assert isinstance(failed, LookupError)


async def test_a_query_asked_for_once_a_read_has_begun_waits_for_the_next(table: Table) -> None:
    together = ReadsTogether()
    begun: list[str] = []
    early = asyncio.create_task(together.read(table.store, lambda _reader: begun.append("early")))
    await asyncio.sleep(0)  # it is asked for
    await asyncio.sleep(0)  # its read begins

    await together.read(table.store, lambda _reader: begun.append("late"))

    assert early.done()
    assert begun == ["early", "late"]
