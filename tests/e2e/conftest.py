"""Fixtures of the end-to-end tests: a running bot and people around it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.databases import NewDatabase
from tests.e2e.opening import open_every_game
from tests.e2e.people import Party, gather
from tests.e2e.table import Room, Table, open_table


def _spec(request: pytest.FixtureRequest) -> Path | None:
    spec: Path | None = request.config.getoption("--discord-spec")
    return spec


@pytest.fixture
async def table(
    tmp_path: Path, database: NewDatabase, request: pytest.FixtureRequest
) -> AsyncIterator[Table]:
    """Two servers, a GM, two players, a stranger, and the running bot."""
    with database(tmp_path) as url:
        async with open_table(tmp_path, spec=_spec(request), database=url) as laid:
            yield laid


@pytest.fixture(scope="module")
async def house(
    tmp_path_factory: pytest.TempPathFactory, database: NewDatabase, request: pytest.FixtureRequest
) -> AsyncIterator[Table]:
    """One running bot for all tests of a module; each plays in a server of its own."""
    folder = tmp_path_factory.mktemp("house")
    with database(folder) as url:
        async with open_table(folder, spec=_spec(request), database=url) as laid:
            yield laid


@pytest.fixture
async def party(house: Table) -> Party:
    """A GM and two players in a server of their own, with the module's bot."""
    return gather(house.discord)


@pytest.fixture
async def room(house: Table) -> Room:
    """As `table`, in two servers of its own, with the module's bot, which no test may stop."""
    return Room(house.discord, house.database)


@pytest.fixture(scope="module")
async def library(house: Table) -> Party:
    """A server with a campaign of every game and all its packs, so that Discord knows every command."""
    return await open_every_game(house.discord)
