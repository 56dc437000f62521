"""What concerns every server is found for the servers of some shards alone."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.store.records import (
    ALL_SHARDS,
    BoardRecord,
    DueTask,
    IdleRule,
    ServerCommandsRecord,
    ServerId,
    Shards,
)
from bot.store.store import Store
from bot.store.transaction import Reader, Transaction
from tests.store.contract.test_scoping import BEYOND_SERVERS
from tests.store.rows import a_campaign, a_session, an_entry

SERVERS = [ServerId(number << 22 | 77) for number in range(6)]  # two of shard 0, two of 1, one of 2 and 3
SOME = Shards(4, frozenset({1, 3}))
RULE = IdleRule(now=10**9, setting="rest", usual_hours=1, least_hours=1)
OF_ALL = {"meta", "campaign_rulesets"}  # about the program: its notes, and which games it has to load

QUERIES: dict[str, Callable[[Reader, Shards], Any]] = {
    "servers": lambda reader, shards: reader.servers(shards),
    "open_sessions": lambda reader, shards: [one.server for one in reader.open_sessions(shards)],
    "ending_sessions": lambda reader, shards: [one.server for one in reader.ending_sessions(RULE, shards)],
    "every_board": lambda reader, shards: [one.server for one in reader.every_board("own", shards)],
    "due_tasks": lambda reader, shards: [one.server for one in reader.due_tasks("own", 5000, shards)],
    "commands_states": lambda reader, shards: [one.server for one in reader.commands_states(shards)],
}


def fill(tx: Transaction, server: ServerId) -> None:
    """Give a server one of everything that is looked for in all of them."""
    campaign = tx.save_campaign(a_campaign("Own", server=server, is_default=True))
    tx.save_session(a_session(campaign, 1, server=server))
    for kind in ("own", "own/2", "other"):
        tx.save_board(BoardRecord(server=server, campaign=campaign, kind=kind, channel=7))
    tx.save_due_task(DueTask(server=server, kind="own", id=server >> 22, due=5000))
    tx.save_server_commands(
        ServerCommandsRecord(server=server, seen="s", fingerprint="f", ids={}, needs={"toy": None})
    )
    tx.add_entry(an_entry(campaign, f"first {server}", server=server))


@pytest.fixture
async def filled(store: Store) -> Store:
    for server in SERVERS:
        await store.run(lambda tx, server=server: fill(tx, server))  # type: ignore[misc]  # a bound default
    return store


def test_every_query_beyond_a_server_is_limited_to_shards_or_about_the_program() -> None:
    assert set(QUERIES) == BEYOND_SERVERS - OF_ALL


@pytest.mark.parametrize("query", list(QUERIES))
async def test_a_query_finds_the_servers_of_the_shards_alone(filled: Store, query: str) -> None:
    async def found(shards: Shards) -> list[ServerId]:
        return list(dict.fromkeys(await filled.read(lambda reader: QUERIES[query](reader, shards))))

    assert await found(ALL_SHARDS) == SERVERS
    assert await found(Shards(4, frozenset(range(4)))) == SERVERS
    assert await found(SOME) == [server for server in SERVERS if SOME.has(server)] == SERVERS[1::2]
    assert await found(Shards(4, frozenset())) == []
