"""What the whole suite shares."""

import faulthandler
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from time import monotonic

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import settings

from bot.ui.input.dice_emojis import set_emojis
from tests.databases import ENGINES, NewDatabase, SpareDatabases, close_readers, prepared_file
from tests.store.postgres_server import installed, pooler, running

MEMORY = Path("/dev/shm")
ENOUGH = 4 << 30

# Tests start many programs, and each imports everything: not to be compiled anew each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test depends on how fast a machine is, or on luck; "--hypothesis-profile=anew" looks for new examples.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("anew", deadline=None)
settings.load_profile("steady")

# On a disk, a database waits at every commit; in memory, where there is plenty, the tests take half the time.
if (
    os.access(MEMORY, os.W_OK)
    and shutil.disk_usage(MEMORY).free >= ENOUGH
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC  # tests start programs that they have written
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

gc.disable()  # until everything is collected: nothing of that is garbage

TESTS = Path(__file__).parent
# What starts programs or plays whole evenings, longest first.
SLOW = ("e2e", "releases", "faults", "cogs", "test_start.py")
QUICK = ("rules", "ui")
HANGING = 900  # seconds
WATCHED = pytest.StashKey[float]()

collect_ignore = ["browser"] if find_spec("playwright") is None else []

# So that what they find wrong is shown.
pytest.register_assert_rewrite("tests.e2e.table", "tests.e2e.people", "tests.e2e.evening")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--discord-spec",
        metavar="PATH",
        type=Path,
        default=None,
        help="Discord's OpenAPI description; without it the contract tests are deselected",
    )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Have each worker begin elsewhere, so that none compiles what another has compiled in a fresh clone."""
    report = yield
    number, workers = worker_of(collector.config)
    if workers > 1 and isinstance(collector, pytest.Directory):
        start = len(report.result) * number // workers
        report.result = [*report.result[start:], *report.result[:start]]
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the contract tests where there is no description; deal the others among the workers."""
    spec: Path | None = config.getoption("--discord-spec")
    contract = [item for item in items if item.get_closest_marker("contract")]
    if contract and (spec is None or not spec.is_file()):
        config.hook.pytest_deselected(items=contract)
        items[:] = [item for item in items if item not in contract]
    _, workers = worker_of(config)
    if workers > 1:
        items.sort(key=lambda item: str(item.path))  # all workers have to have the same order
        items[:] = dealt(items, workers)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line what a run of everything has not tested on this machine, and how to have it tested."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or "CI" in os.environ:
        return
    marks = config.getoption("markexpr")
    left_out = [
        what
        for is_left_out, what in (
            (installed() is None, "PostgreSQL (apt install postgresql)"),
            (pooler() is None, "PgBouncer (apt install pgbouncer)"),
            ("not browser" in marks, "the page in a browser (.ci/run)"),
            ("not contract" in marks, "requests against Discord's API description (.ci/run)"),
        )
        if is_left_out
    ]
    if left_out:
        terminalreporter.write_line(f"Not tested: {', '.join(left_out)}.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With one worker more than cores, something computes while others wait for bots and databases."""
    return 1 + (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Leave what is loaded by now, and stays, out of every later garbage collection; have few of those."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Have a test that hangs say where, on every thread, and fail: pytest's own watch is a thread a test."""
    stash, now = item.config.stash, monotonic()
    if now - stash.get(WATCHED, -HANGING) > HANGING / 10:
        stash[WATCHED] = now
        faulthandler.dump_traceback_later(HANGING, exit=True, file=stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the emojis that a bot in this process has uploaded; for this alone a fixture is slow."""
    set_emojis({})


def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Watch again from the next test on: pytest ends every watch at a failure."""
    node.config.stash[WATCHED] = -HANGING


def worker_of(config: pytest.Config) -> tuple[int, int]:
    """This worker's number, from 0, and how many workers there are."""
    worker = getattr(config, "workerinput", {"workerid": "gw0", "workercount": 1})
    return int(worker["workerid"].removeprefix("gw")), worker["workercount"]


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Deal whole files to as many equal shares as there are workers; all but the first begin with slow ones.

    A worker that is done takes over the end of another's share. So nobody waits at the end for a long test,
    and while the others wait for bots, the first computes.
    """
    files: dict[Path, list[pytest.Item]] = {}
    quick: list[pytest.Item] = []
    for item in items:
        (quick if folder(item.path) in QUICK else files.setdefault(item.path, [])).append(item)
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for path in sorted(files, key=lambda one: (*SLOW, folder(one)).index(folder(one))):
        min(shares[1:], key=len).extend(files[path])
    rest = iter(quick)
    left = len(items)
    for number, share in enumerate(shares):
        size = left // (workers - number)  # as xdist cuts what it hands out
        share.extend(islice(rest, max(size - len(share), 0)))
        left -= size
    return [*chain.from_iterable(shares), *rest]


def folder(path: Path) -> str:
    """The folder of the tests in which a file is, or its own name."""
    return path.relative_to(TESTS).parts[0]


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
        close_readers()


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
