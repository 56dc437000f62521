"""What is remembered of linked voice channels is what the sessions say."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.table.base.request import ServerId
from bot.table.base.table import Table
from bot.table.journal import journal
from bot.table.sessions import autoend, endings, sessions
from bot.table.sessions.autoend import LinkedVoice
from tests.table.conftest import ELSEWHERE, HOME, Person


@pytest.fixture
def reads(game: Table, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every query that the store was asked since."""
    asked: list[Any] = []
    read = game.store.read

    async def counting(query: Callable[[Any], Any]) -> Any:
        asked.append(query)
        return await read(query)

    monkeypatch.setattr(game.store, "read", counting)
    return asked


async def channels(linked: LinkedVoice, server: ServerId = HOME) -> set[int]:
    """The linked channels once the store has told of its commits."""
    await asyncio.sleep(0)
    return set(await linked.of(server))


@pytest.fixture
def linked(game: Table) -> Iterator[LinkedVoice]:
    linked = LinkedVoice(game)
    yield linked
    linked.stop()


async def test_f_perf_01_a_server_is_looked_up_once_while_its_sessions_stay(
    game: Table, gm: Person, linked: LinkedVoice, reads: list[Any]
) -> None:
    await sessions.start(game, gm.asks())
    reads.clear()

    assert [await channels(linked) for _ in range(3)] == [set()] * 3
    assert len(reads) == 1


async def test_every_change_of_a_link_is_seen_at_once(game: Table, gm: Person, linked: LinkedVoice) -> None:
    seen = [await channels(linked)]
    await sessions.start(game, gm.asks(), voice=60)
    seen.append(await channels(linked))
    await sessions.link(game, gm.asks(), voice=61)
    seen.append(await channels(linked))
    ended = await endings.end(game, gm.asks())
    seen.append(await channels(linked))
    await journal.undo(game, gm.asks(), ended.result.entry)
    seen.append(await channels(linked))

    assert seen == [set(found) for found in ((), (60,), (61,), (), (61,))]
    assert await channels(linked, ELSEWHERE) == set()


async def test_a_look_up_during_a_change_is_not_remembered(
    game: Table, gm: Person, linked: LinkedVoice
) -> None:
    before, _ = await asyncio.gather(linked.of(HOME), sessions.start(game, gm.asks(), voice=60))

    assert before in (frozenset(), {60})
    assert await channels(linked) == {60}


async def test_only_so_many_servers_are_remembered(
    game: Table, linked: LinkedVoice, reads: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoend, "MOST_SERVERS", 1)
    for server in (HOME, ELSEWHERE, ELSEWHERE, HOME):
        await linked.of(server)

    assert len(reads) == 3
