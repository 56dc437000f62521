"""What the whole suite shares."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from bot.ui.input.dice_emojis import set_emojis
from tests.databases import ENGINES, NewDatabase, SpareDatabases, prepared_file
from tests.store.pooler import pooler
from tests.store.postgres_server import installed, running

# Every bot loads its cogs anew, and every program everything: not to be compiled anew each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test depends on how fast a machine is, or on luck; "--hypothesis-profile=anew" looks for new examples.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("anew", deadline=None)
settings.load_profile("steady")

collect_ignore = ["browser"] if find_spec("playwright") is None else []

pytest.register_assert_rewrite("tests.e2e.table")  # so that what it finds unclean is shown


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--discord-spec",
        metavar="PATH",
        type=Path,
        default=None,
        help="Discord's OpenAPI description; without it the contract tests are deselected",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the contract tests out where there is nothing to hold them against."""
    spec: Path | None = config.getoption("--discord-spec")
    if spec is not None and spec.is_file():
        return
    contract = [item for item in items if item.get_closest_marker("contract")]
    if contract:
        config.hook.pytest_deselected(items=contract)
        items[:] = [item for item in items if item not in contract]


@pytest.fixture(autouse=True)
def no_emojis() -> Iterator[None]:
    """Forget afterwards the emojis that a bot in this process has uploaded."""
    yield
    set_emojis({})


@pytest.fixture(scope="session")
def discord_spec(request: pytest.FixtureRequest) -> Path:
    """Where Discord's API description lies."""
    path: Path = request.config.getoption("--discord-spec")
    return path


def _needed(found: Path | None, name: str, package: str) -> Path:
    """Return where a program is; whoever has none is told so and goes without, but CI has to have it."""
    if found is None:
        lacking = f"{name} is not installed (apt install {package})"
        if "CI" in os.environ:
            pytest.fail(lacking)
        pytest.skip(lacking)
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder of a running PostgreSQL server."""
    with running(_needed(installed(), "PostgreSQL", "postgresql")) as folder:
        yield folder


@pytest.fixture(scope="session")
def pgbouncer() -> Path:
    """PgBouncer's program."""
    return _needed(pooler(), "PgBouncer", "pgbouncer")


@pytest.fixture(scope="session")
def spare_databases(postgres: Path) -> SpareDatabases:
    """Databases of the PostgreSQL server, one for each test that asks."""
    return SpareDatabases(postgres)


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> str:
    """Which engine databases are of: SQLite, unless the test is for both."""
    which: str = getattr(request, "param", ENGINES[0])
    return which


@pytest.fixture(scope="module")
def database(engine: str, request: pytest.FixtureRequest) -> NewDatabase:
    """Makes a database, a file in a folder or one of the PostgreSQL server, and yields its address."""

    @contextmanager
    def file(folder: Path) -> Iterator[str]:
        yield prepared_file(folder)

    if engine == "sqlite":
        return file
    spare: SpareDatabases = request.getfixturevalue("spare_databases")
    return lambda _folder: spare.one()
