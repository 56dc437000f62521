"""F-ALL-33: the pins are everything there is to install, so that nothing is looked for beside them."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from discord import app_commands
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.rules import rulesets
from cogs.own import OwnCommand
from tests.readme import (
    ROOT,
    game_pages,
    leaves,
    pages,
    paths_named,
    settings_named,
    spoken_lines,
    top_commands,
    typed_lines,
)

TOP = Path(__file__).parent.parent
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ASKED = {
    "requirements.txt": PROJECT["dependencies"],
    "requirements-dev.txt": PROJECT["dependencies"] + EXTRAS["dev"],
    "requirements-browser.txt": PROJECT["dependencies"] + EXTRAS["dev"] + EXTRAS["browser"],
}
SYSTEMS = {
    "Linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macOS": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "Windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = [(system, python) for system in SYSTEMS for python in PYTHONS]


class Pin(NamedTuple):
    """One package at one version, where its marker holds."""

    name: str
    version: str
    marker: Marker | None
    hashes: frozenset[str]

    def holds(self, machine: dict[str, str]) -> bool:
        """Whether a machine gets it."""
        return self.marker is None or self.marker.evaluate({**machine})


def pins(file: str) -> list[Pin]:
    text = (TOP / file).read_text(encoding="utf-8").replace("\\\n", " ")
    return [_pin(line) for line in text.splitlines()]


def _pin(line: str) -> Pin:
    asked, *hashes = line.split(" --hash=")
    requirement = Requirement(asked.strip())
    (exactly,) = requirement.specifier
    assert exactly.operator == "==", line
    assert not requirement.extras, line
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each.strip()) for each in hashes), line
    return Pin(
        canonicalize_name(requirement.name),
        exactly.version,
        requirement.marker,
        frozenset(each.strip() for each in hashes),
    )


def machine(system: str, python: str) -> dict[str, str]:
    """What markers ask of a machine."""
    return this_machine() | SYSTEMS[system] | {"python_version": python, "python_full_version": f"{python}.0"}


def this_machine() -> dict[str, str]:
    return {name: str(value) for name, value in default_environment().items()}


def needed(asked: list[str], here: dict[str, str], extra: str = "") -> list[Requirement]:
    """The requirements that hold on a machine, for one extra or without."""
    requirements = [Requirement(each) for each in asked]
    return [
        each for each in requirements if each.marker is None or each.marker.evaluate({**here, "extra": extra})
    ]


def metadata_of(pin: Pin) -> list[str]:
    """What a pinned package asks for, if it is installed here in the pinned version."""
    try:
        found = distribution(pin.name)
    except PackageNotFoundError:
        return []
    return list(found.requires or ()) if found.version == pin.version else []


INSTALLED = [file for file in ASKED if file != "requirements-browser.txt" or find_spec("playwright")]


@pytest.mark.parametrize("file", INSTALLED)
class TestEveryFile:
    def test_every_pin_has_a_version_and_hashes(self, file: str) -> None:
        assert len(pins(file)) > 10
        assert [pin.name for pin in pins(file) if not pin.hashes] == []

    @pytest.mark.parametrize(("system", "python"), MACHINES)
    def test_whatever_is_needed_is_pinned_in_the_range_asked_for(
        self, file: str, system: str, python: str
    ) -> None:
        here = machine(system, python)
        holding = [pin for pin in pins(file) if pin.holds(here)]
        pinned = {pin.name: pin for pin in holding}
        assert len(pinned) == len(holding)

        waiting = [("pyproject.toml", each) for each in needed(ASKED[file], here)]
        looked_at: set[tuple[str, str]] = set()
        missing: list[str] = []
        while waiting:
            by, asked = waiting.pop()
            name = canonicalize_name(asked.name)
            if name not in pinned or not asked.specifier.contains(pinned[name].version, prereleases=True):
                missing.append(f"{by} needs {asked}")
                continue
            for extra in ("", *asked.extras):
                if (name, extra) not in looked_at:
                    looked_at.add((name, extra))
                    waiting += [(name, each) for each in needed(metadata_of(pinned[name]), here, extra)]

        assert missing == []
        assert {name for name, _ in looked_at} == set(pinned), "something is pinned that nothing needs"


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [("requirements.txt", "requirements-dev.txt"), ("requirements-dev.txt", "requirements-browser.txt")],
)
def test_a_larger_file_has_the_same_pins_and_more(smaller: str, larger: str) -> None:
    def lines(file: str) -> set[tuple[str, str, str, frozenset[str]]]:
        return {(pin.name, pin.version, str(pin.marker), pin.hashes) for pin in pins(file)}

    assert lines(smaller) < lines(larger)


def test_the_packages_of_this_environment_are_looked_into() -> None:
    """A package of another version than the pinned one would say nothing of it."""
    here = this_machine()

    assert [
        f"{pin.name} {pin.version}"
        for pin in pins("requirements-dev.txt")
        if pin.holds(here) and distribution(pin.name).version != pin.version
    ] == []


PATHS_OF_THE_METRICS_PORT = {"metrics", "health", "live"}
FOLDERS = {"data", "etc", "opt", "var"}  # of a machine
EXAMPLES = {"coin toss"}  # of the sixth ruleset, which is not there
OWN_GAMES = ("ash", "lamp", "night", "salt", "train")  # the pages' own games, which share their commands
FUTURE = {"bot/rules/coin_toss/__init__.py", "cogs/coin.py"}  # where its files would go
SOURCES = ("bot", "cogs", "tests")
CLASS = re.compile(r"`([A-Z][a-z]\w*)(?:\.([a-z_]+))?[`(]")
FROM_LIBRARIES = {("Fraction", ""), ("GroupCog", "")}
OPTION = re.compile(r"(?:^| )([a-z_]+):")


def name_of(page: Path) -> str:
    """The page's path from the root."""
    return page.relative_to(ROOT).as_posix()


class TestCommands:
    async def test_every_command_and_option_that_a_page_shows_is_there(self) -> None:
        commands = {
            leaf.qualified_name: {option.display_name for option in leaf.parameters}
            for command in await top_commands()
            for leaf in leaves(command)
        }
        for leaf in OwnCommand().commands:
            assert isinstance(leaf, app_commands.Command)
            options = {option.display_name for option in leaf.parameters}
            commands |= {f"{game} {leaf.name}": options for game in OWN_GAMES}
        groups = {name.rsplit(" ", at)[0] for name in commands for at in (1, 2) if name.count(" ") >= at}
        wrong = []
        for page in pages():
            for line in typed_lines(page.read_text(encoding="utf-8")):
                name = OPTION.split(line)[0].strip()
                unknown = set(OPTION.findall(line)) - commands.get(name, set())
                if name in groups | EXAMPLES or name.split("/")[0] in PATHS_OF_THE_METRICS_PORT | FOLDERS:
                    continue
                if name not in commands or unknown:
                    wrong.append(f"{name_of(page)}: /{line} {sorted(unknown)}")

        assert wrong == []


class TestLinks:
    @pytest.mark.parametrize("page", pages(), ids=name_of)
    def test_links_within_the_project_lead_somewhere(self, page: Path) -> None:
        links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        targets = [link.partition("#")[0] for link in links if "://" not in link]

        assert [target for target in targets if not (page.parent / target).exists()] == []


class TestCode:
    @pytest.mark.parametrize("page", pages(), ids=name_of)
    def test_every_file_and_folder_that_a_page_names_is_there(self, page: Path) -> None:
        named = set(paths_named(page.read_text(encoding="utf-8")))

        assert sorted(path for path in named - FUTURE if not (ROOT / path).exists()) == []

    def test_every_class_that_the_pages_for_engineers_name_is_there_with_its_member(self) -> None:
        sources = [path.read_text(encoding="utf-8") for top in SOURCES for path in (ROOT / top).rglob("*.py")]
        engineers = [page for page in pages() if "games" not in page.parts]
        named = {name for page in engineers for name in CLASS.findall(page.read_text(encoding="utf-8"))}

        def is_there(name: str, member: str) -> bool:
            return any(
                re.search(rf"^ *class {name}\b", text, re.M) and re.search(rf"\b{member}\b", text)
                for text in sources
            )

        assert named
        assert sorted(one for one in named - FROM_LIBRARIES if not is_there(*one)) == []

    def test_the_sixth_ruleset_of_contributing_has_80_lines_at_most(self) -> None:
        files = ("coin_toss.py", "scene.toml", "coin.py")
        texts = [(ROOT / "tests/e2e/sixth" / name).read_text(encoding="utf-8") for name in files]

        assert sum(len(text.splitlines()) for text in texts) <= 80


class TestGamePages:
    def test_every_ruleset_has_one_page_that_opens_a_campaign_of_it(self) -> None:
        opened = {
            line.partition("ruleset:")[2].partition(" name:")[0]
            for page in game_pages()
            for _, line in spoken_lines(page.read_text(encoding="utf-8"))
            if line.startswith("/campaign create")
        }

        assert opened == {game.title for game in rulesets().values()}
        assert len(game_pages()) == len(rulesets())

    @pytest.mark.parametrize("page", game_pages(), ids=name_of)
    def test_a_page_names_settings_and_sets_a_campaign_up_in_five_commands(self, page: Path) -> None:
        text = page.read_text(encoding="utf-8")
        _, _, set_up = text.partition("## Set up")

        assert len(spoken_lines(set_up.partition("\n## ")[0])) == 5
        assert len(settings_named(text)) > 4
