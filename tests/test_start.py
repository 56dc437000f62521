"""F-ALL-33: ``start.py`` sets up what was pinned, whatever was released since, or says what is in the way."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import start
from tests.package_index import Index, Wheel, asking, package_index

if sys.platform == "win32":
    pytest.skip("starts processes the POSIX way", allow_module_level=True)

import fcntl

ROOT = Path(__file__).parent.parent
SETTING_UP = "Setting up .venv (once, about a minute) ...\n"
WAITING = "Another start is setting up .venv; waiting for it ...\n"

ALPHA = Wheel("alpha", "1.0", requires=("beta[fast]>=1.0", "gamma>=1.0; sys_platform == 'nowhere'"))
BETA = Wheel("beta", "1.0", requires=("delta>=1.0; extra == 'fast'",), extras=("fast",), is_yanked=True)
GAMMA, DELTA = Wheel("gamma", "1.0"), Wheel("delta", "1.0")
PYTEST = Wheel("pytest", "1.0", text="import sys; print('tests', *sys.argv[1:])")
NEWER = tuple(wheel._replace(version="1.5") for wheel in (ALPHA, DELTA, PYTEST))
ELSEWHERE = Wheel("epsilon", "1.0", tag="py3-none-win_arm64")
INDEX = (ALPHA, BETA, BETA._replace(version="1.5", is_yanked=False), DELTA, PYTEST, ELSEWHERE, *NEWER)
RUNTIME = ALPHA.pin + BETA.pin + DELTA.pin + GAMMA.pinned("sys_platform == 'nowhere'")
PINNED = {"alpha 1.0", "beta 1.0", "delta 1.0"}


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with package_index(INDEX) as index:
        yield index


class Project:
    """A folder with start.py, requirements and a program that says what it was given."""

    def __init__(self, folder: Path, index_url: str) -> None:
        self.folder = folder
        self.venv = folder / ".venv"
        self.installed = self.venv / "installed.txt"
        self.environment = asking(index_url, os.environ)

    def write(self, runtime: str = RUNTIME, development: str = "") -> None:
        """Write everything but the environment."""
        (self.folder / "bot").mkdir(parents=True)
        (self.folder / "bot" / "__main__.py").write_text("import sys; print('bot', *sys.argv[1:])")
        shutil.copy(ROOT / "start.py", self.folder)
        self.pin(runtime, development or runtime + PYTEST.pin)

    def pin(self, runtime: str, development: str) -> None:
        """Write the requirements."""
        (self.folder / "requirements.txt").write_text(runtime)
        (self.folder / "requirements-dev.txt").write_text(development)

    def copy(self, folder: Path) -> Project:
        """The same project at another place."""
        shutil.copytree(self.folder, folder, symlinks=True, copy_function=_copied)
        copy = Project(folder, "")
        copy.environment = dict(self.environment)
        return copy

    def begin(self, *words: str, before: Callable[[], object] | None = None) -> subprocess.Popen[str]:
        """Start it, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "start.py", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=before,
        )

    def start(self, *words: str, before: Callable[[], object] | None = None) -> tuple[int, str, str]:
        """Start it and wait for its end: its exit code, what it printed, and what it said."""
        with self.begin(*words, before=before) as process:
            printed, said = process.communicate()
        return process.returncode, printed, said

    def packages(self) -> set[str]:
        """What is installed, but for pip and what may come with it."""
        return packages(self.venv)


def _copied(source: str, target: str) -> None:
    """Copy a file; what is installed is only linked, as nobody writes into it."""
    copy = os.link if "site-packages" in source else shutil.copy2
    copy(source, target)


def packages(environment: Path) -> set[str]:
    found = environment.glob("lib/*/site-packages/*.dist-info")
    names = {path.name.removesuffix(".dist-info").replace("-", " ") for path in found}
    return {name for name in names if name.split()[0] not in ("pip", "setuptools")}


@pytest.fixture(scope="module")
def first_start(
    tmp_path_factory: pytest.TempPathFactory, index: Index
) -> tuple[Project, tuple[int, str, str]]:
    """A project whose first start is over, and how it went."""
    project = Project(tmp_path_factory.mktemp("first") / "Spielabend für vier", index.url)
    project.write()
    project.environment |= {
        "PIP_USER": "1",
        "PIP_TARGET": str(project.folder / "elsewhere"),
        "PIP_QUIET": "3",
    }
    ended = project.start("play", "--port", "0")
    for name in ("PIP_USER", "PIP_TARGET", "PIP_QUIET"):
        del project.environment[name]
    return project, ended


@pytest.fixture
def project(first_start: tuple[Project, object], tmp_path: Path) -> Project:
    """A project whose runtime requirements are installed."""
    return first_start[0].copy(tmp_path / "with spaces")


def dead_index() -> str:
    """The address of nobody."""
    return "http://127.0.0.1:9/simple/"


class TestTheFirstStart:
    def test_it_installs_the_pins_in_one_go_and_says_one_line(
        self, first_start: tuple[Project, tuple[int, str, str]]
    ) -> None:
        project, ended = first_start

        assert ended == (0, "bot play --port 0\n", SETTING_UP)
        assert project.packages() == PINNED
        assert not (project.folder / "elsewhere").exists()

    def test_later_starts_need_no_index_and_say_nothing(self, project: Project) -> None:
        project.environment["PIP_INDEX_URL"] = dead_index()

        assert project.start("run") == (0, "bot run\n", "")

    def test_the_tests_add_what_they_need(self, project: Project) -> None:
        assert project.start("test", "-x") == (0, "tests -q -x\n", SETTING_UP)
        assert project.packages() == {*PINNED, "pytest 1.0"}
        assert project.start("test", "-x") == (0, "tests -q -x\n", "")
        assert project.start("run") == (0, "bot run\n", "")


def pythons() -> dict[str, tuple[Path, Path]]:
    """Each supported Python that is here, with the oldest and the newest pip that it may have brought."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    homes = [*pyenv.glob("3.*"), Path(sys.base_prefix)]
    wheels = {
        tuple(map(int, wheel.name.split("-")[1].split("."))): wheel
        for home in homes
        for wheel in home.glob("lib/python3*/ensurepip/_bundled/pip-*.whl")
    }
    # What the first release of each Python brought.
    oldest = {11: (22, 3), 12: (23, 2), 13: (24, 2), 14: (25, 2)}
    found = {}
    for minor, least in oldest.items():
        places = [str(home / "bin") for home in homes]
        python = shutil.which(f"python3.{minor}", path=os.pathsep.join([*places, os.environ["PATH"]]))
        pips = sorted(version for version in wheels if version >= least)
        for version in {pips[0], pips[-1]} if python and pips else set():
            name = f"3.{minor}, pip {'.'.join(map(str, version))}"
            found[name] = (Path(python or ""), wheels[version])
    return found


@pytest.mark.parametrize(
    ("python", "pip"), [pytest.param(*each, id=name) for name, each in pythons().items()]
)
def test_every_pip_installs_the_pins_though_everything_has_a_newer_release(
    python: Path, pip: Path, index: Index, tmp_path: Path
) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text(RUNTIME)
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path / "made"], check=True)

    subprocess.run(
        [tmp_path / "made" / "bin" / "python", pip / "pip", *start.INSTALL, "-r", pins],
        env=asking(index.url, os.environ),
        stdout=subprocess.DEVNULL,
        check=True,
    )

    assert packages(tmp_path / "made") == PINNED


class TestWhatIsInTheWay:
    def test_without_a_network_there_is_a_sentence(self, project: Project) -> None:
        project.environment["PIP_INDEX_URL"] = dead_index()

        assert project.start("test") == (
            1,
            "",
            f"{SETTING_UP}The package index can't be reached. Check the network and start again.\n",
        )
        assert project.start("run") == (0, "bot run\n", "")

    def test_a_package_without_a_wheel_for_this_machine_is_named(self, project: Project) -> None:
        project.pin(RUNTIME, RUNTIME + ELSEWHERE.pin)

        code, _, said = project.start("test")

        assert code == 1
        assert said.startswith(f"{SETTING_UP}There is no wheel of epsilon 1.0 for Python 3.")
        assert said.endswith(". Try another Python: 3.11 to 3.14.\n")
        assert len(said.splitlines()) == 2

    def test_a_package_that_is_not_the_pinned_one_is_refused(self, project: Project) -> None:
        project.pin(RUNTIME, RUNTIME + PYTEST.pinned(digest="0" * 64))

        assert project.start("test") == (
            1,
            "",
            f"{SETTING_UP}A package isn't the one that was pinned: its hash differs. It was not installed.\n",
        )
        assert "pytest 1.0" not in project.packages()

    def test_for_anything_else_pip_says_the_reason(self, project: Project) -> None:
        project.pin(RUNTIME, RUNTIME + "pytest==1.0\n")

        code, _, said = project.start("test")

        assert code == 1
        assert "Hashes are required in --require-hashes mode" in said
        assert said.endswith("pip could not install requirements-dev.txt; its reason stands above.\n")

    def test_a_folder_that_cannot_be_written_is_named(self, tmp_path: Path) -> None:
        project = Project(tmp_path / "read only", dead_index())
        project.write()
        project.folder.chmod(0o555)

        ended = project.start("play", before=without_root_rights)

        assert ended == (1, "", f"{SETTING_UP}{project.venv} can't be set up: Permission denied.\n")

    def test_a_folder_with_a_colon_is_refused(self, tmp_path: Path) -> None:
        project = Project(tmp_path / "a:b", dead_index())
        project.write()

        code, _, said = project.start("play")

        assert code == 1
        assert said.startswith(f"{SETTING_UP}There can be no environment in this folder: ")

    def test_a_python_without_venv_gets_the_command_that_adds_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "ensurepip", None)

        assert (start.make_environment() or "").startswith("This Python has no venv module. On Debian")

    def test_an_old_python_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(start, "OLDEST", (9, 9))

        assert str(start.main(["play"])).startswith(
            "Tablekeeper needs Python 3.11 or newer; this is Python 3."
        )


def without_root_rights() -> None:
    """Take from a child what lets root write everywhere; others lack it anyway."""
    drop_from_bounding_set, ignore_permissions = 24, 1
    ctypes.CDLL(None).prctl(drop_from_bounding_set, ignore_permissions, 0, 0, 0)


class TestAnInterruptedSetUp:
    def test_ctrl_c_ends_it_quietly_and_the_next_start_does_it_again(
        self, project: Project, index: Index
    ) -> None:
        index.held.add("pytest")
        with project.begin("test", before=hear_ctrl_c) as process:
            assert index.asked.wait(60)
            os.killpg(process.pid, signal.SIGINT)
            printed, said = process.communicate()
        index.held.clear()
        index.released.set()

        assert (process.returncode, printed, said) == (130, "", SETTING_UP)

        (left_over := project.venv / "left-over").touch()
        assert project.start("test", "-x") == (0, "tests -q -x\n", SETTING_UP)
        assert project.packages() == {*PINNED, "pytest 1.0"}
        assert not left_over.exists()

    @pytest.mark.parametrize("state", ["empty", "unfinished", "other pins"])
    def test_an_environment_of_ours_that_does_not_fit_is_made_again(
        self, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        at(tmp_path, monkeypatch)
        (tmp_path / "requirements.txt").write_text(RUNTIME)
        (tmp_path / ".venv/bin").mkdir(parents=True)
        (tmp_path / ".venv/bin/python").touch()
        if state == "empty":
            shutil.rmtree(tmp_path / ".venv/bin")
        if state == "unfinished":
            (tmp_path / ".venv/installed.txt").write_text("unfinished\n")
        if state == "other pins":
            (tmp_path / ".venv/installed.txt").write_text(start.fingerprint("requirements.txt") + "\n")
            (tmp_path / "requirements.txt").write_text(ALPHA.pin)

        assert not start.is_somebody_elses()
        assert not start.is_ready("requirements.txt")


def at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have start.py look at another folder."""
    monkeypatch.setattr(start, "ROOT", folder)
    monkeypatch.setattr(start, "VENV", folder / ".venv")
    monkeypatch.setattr(start, "INSTALLED", folder / ".venv" / "installed.txt")


def hear_ctrl_c() -> None:
    """Undo in a child that background jobs of a shell hear no Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class TestTwoStartsAtOnce:
    def test_one_sets_up_and_the_other_waits(self, project: Project) -> None:
        with (project.folder / "start.py").open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            both = [project.begin("test", "-x"), project.begin("test", "-x")]
            for process in both:
                assert process.stderr is not None
                assert process.stderr.readline() == WAITING
        ended = [process.communicate() for process in both]

        assert sorted(ended) == [("tests -q -x\n", ""), ("tests -q -x\n", SETTING_UP)]
        assert [process.returncode for process in both] == [0, 0]


class TestSomebodyElsesEnvironment:
    def test_a_link_is_used_as_it_is(self, project: Project, tmp_path: Path) -> None:
        other = Project(tmp_path / "other", dead_index())
        other.write(runtime=ALPHA._replace(version="1.5").pin)
        other.venv.symlink_to(project.venv)
        before = project.installed.read_text()

        assert other.start("play") == (0, "bot play\n", "")
        assert project.packages() == PINNED
        assert project.installed.read_text() == before

    def test_what_it_lacks_is_said_and_nothing_is_changed(self, project: Project) -> None:
        project.installed.unlink()

        assert project.start("test") == (
            1,
            "",
            f"{project.venv}, which start.py didn't make, lacks pytest. "
            "Install requirements-dev.txt into it, or remove it, and start.py makes a new one.\n",
        )
        assert project.packages() == PINNED
        assert not project.installed.exists()

    @pytest.mark.parametrize("is_link", [True, False])
    def test_one_without_a_python_is_not_deleted(self, *, is_link: bool, tmp_path: Path) -> None:
        project = Project(tmp_path / "broken", dead_index())
        project.write()
        if is_link:
            project.venv.symlink_to(tmp_path / "gone")
        else:
            (project.venv / "mine").mkdir(parents=True)

        assert project.start("play") == (
            1,
            "",
            f"{project.venv} has no Python that runs. Remove it, and start.py makes a new one.\n",
        )
        assert is_link or (project.venv / "mine").exists()


class TestWindows:
    @pytest.fixture(autouse=True)
    def windows(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        at(tmp_path, monkeypatch)
        monkeypatch.setattr(start, "os", SimpleNamespace(name="nt"))

    def test_its_python_is_in_scripts_and_its_exit_code_is_passed_on(self, tmp_path: Path) -> None:
        (tmp_path / ".venv/Scripts").mkdir(parents=True)
        (tmp_path / ".venv/Scripts/python.exe").symlink_to(sys.executable)

        assert start.become(["-c", "raise SystemExit(3)"]) == 3

    def test_ctrl_c_lets_the_program_finish(self, monkeypatch: pytest.MonkeyPatch) -> None:
        waits = iter((True, True, False))

        class Program:
            def __init__(self, _command: object) -> None: ...

            def __enter__(self) -> Program:
                return self

            def __exit__(self, *_: object) -> None: ...

            def wait(self) -> int:
                if next(waits):
                    raise KeyboardInterrupt
                return 5

        monkeypatch.setattr(subprocess, "Popen", Program)

        assert start.become(["-m", "bot"]) == 5

    def test_a_second_start_waits_without_locking_what_is_read(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tries: list[tuple[int, int]] = []

        def locking(file: int, mode: int, _length: int) -> None:
            tries.append((mode, os.lseek(file, 0, os.SEEK_CUR)))
            if len(tries) < 3:
                raise OSError("taken")

        system = ModuleType("msvcrt")
        system.__dict__.update(locking=locking, LK_NBLCK=2, LK_LOCK=1)
        monkeypatch.setitem(sys.modules, "msvcrt", system)
        monkeypatch.setattr(sys, "platform", "win32")

        with start.one_at_a_time():
            assert [mode for mode, _ in tries] == [2, 1, 1]
        assert min(place for _, place in tries) > (ROOT / "start.py").stat().st_size
        assert capsys.readouterr().err == WAITING
