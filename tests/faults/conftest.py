"""A PostgreSQL server to break, with a network before it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store.transaction import Store, open_store
from tests.faults.proxy import Proxy, proxied
from tests.faults.spending import make_mira
from tests.paces import IMPATIENT
from tests.store.postgres_server import database_of, pooled, prepared_database


@pytest.fixture
def url(postgres: Path) -> str:
    """The address of a new, empty database."""
    return prepared_database(postgres)


@pytest.fixture(scope="module")
def behind_pooler(postgres: Path, pgbouncer: Path) -> Iterator[Path]:
    """The folder of PgBouncer's socket."""
    with pooled(pgbouncer, postgres, connections=3) as folder:
        yield folder


@pytest.fixture
async def network(postgres: Path) -> AsyncIterator[Proxy]:
    """The network before the server."""
    async with proxied(postgres) as proxy:
        yield proxy


@pytest.fixture
async def store(url: str, network: Proxy) -> AsyncIterator[Store]:
    """A store behind the network, with Mira, character 1 of Dusk."""
    opened = await open_store(network.url(database_of(url)), IMPATIENT)
    await opened.run(make_mira)
    yield opened
    await opened.close()
