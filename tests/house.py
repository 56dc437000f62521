"""How the code is laid out, in numbers: ``python -m tests.house`` prints them.

A room is a folder with modules in it. A room stands on the floor above the highest room that it imports.
"""

import ast
import asyncio
import re
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import structlog

from bot.rules import rpj, sword_and_swarm
from bot.rules.kernel.game import Ruleset
from tests.cogs.played import get_up, sit_down

ROOT = Path(__file__).resolve().parent.parent
RPJ = "bot.rules.rpj"
LAYERED = (
    RPJ,
    "bot.rules.swim_class",
    "bot.rules.compare_roll",
    "bot.rules.post_magic_maid",
    "bot.rules.sword_and_swarm",
    "bot.table",
    "bot.ui",
)
CHAPTERS = frozenset(
    {
        "acts",
        "attacks",
        "creation",
        "encounter",
        "game",
        "gm",
        "session",
        "sheet",
        "sheet_text",
        "tables",
        "turns",
    }
)
"""Names of modules that several rulesets have, because their rulebooks have the same chapters."""


@dataclass(frozen=True, slots=True)
class Way:
    """What one command goes through.

    Attributes:
        files: How many functions of ours were called, by file.
    """

    files: Mapping[str, int]

    @property
    def calls(self) -> int:
        """How many functions were called."""
        return sum(self.files.values())


def modules(*folders: str) -> dict[str, ast.Module]:
    """Every module below the folders by its full name; packages end with `.__init__`."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in _python_files(*folders)
    }


def imported(tree: ast.Module, known: Mapping[str, ast.Module]) -> Iterator[str]:
    """The modules of ours that a module imports; not those that only its annotations name."""
    for node in running(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found = (whole, f"{whole}.__init__", node.module, f"{node.module}.__init__")
                yield next((name for name in found if name in known), node.module)


def running(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without expressions and what stands under `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from running(child)


def room_of(module: str, package: str) -> str:
    """The room of a module within a package; nothing for modules at its top and outside."""
    return module.removeprefix(f"{package}.").rpartition(".")[0] if module.startswith(f"{package}.") else ""


def rooms(package: str, known: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Each room of a package, and which of its other rooms it imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, tree in known.items():
        room = room_of(name, package)
        if room and not name.endswith(".__init__"):
            found[room] |= {room_of(one, package) for one in imported(tree, known)} - {room, ""}
    return dict(found)


def pairs(imports: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Rooms that import each other."""
    return sorted(
        (one, other) for one in imports for other in imports[one] if one < other and one in imports[other]
    )


def floors(imports: Mapping[str, set[str]]) -> dict[str, int]:
    """The floor of each room, from 1.

    Raises:
        ValueError: If rooms import each other in a circle.
    """
    found: dict[str, int] = {}

    def floor(room: str, above: tuple[str, ...]) -> int:
        if room in above:
            raise ValueError(" -> ".join((*above, room)))
        if room not in found:
            below = (floor(one, (*above, room)) for one in imports.get(room, ()))
            found[room] = 1 + max(below, default=0)
        return found[room]

    for room in imports:
        floor(room, ())
    return found


def flat(package: str, known: Iterable[str]) -> list[str]:
    """The modules at the top of a package."""
    return [name for name in known if name.rpartition(".")[0] == package]


def sharing_a_name(known: Iterable[str]) -> list[str]:
    """Modules whose name another module has too; the same chapter of several rulesets counts as one."""
    named: dict[str, list[str]] = defaultdict(list)
    for name in known:
        named[name.rpartition(".")[2]].append(name)
    del named["__init__"]
    found = []
    for name, all_of_it in named.items():
        chapters = [one for one in all_of_it if name in CHAPTERS and ruleset_of(one)]
        others = [one for one in all_of_it if one not in chapters]
        if len(others) + bool(chapters) > 1:
            found += others
    return sorted(found)


def ruleset_of(module: str) -> str:
    """The ruleset a module belongs to, or nothing."""
    return next((one for one in LAYERED if "rules" in one and module.startswith(f"{one}.")), "")


def chapters_of_fewer_than(rulesets: int, known: Iterable[str]) -> list[str]:
    """The chapters that fewer rulesets have."""
    having: dict[str, set[str]] = {chapter: set() for chapter in CHAPTERS}
    for name in known:
        last = name.rpartition(".")[2]
        if last in CHAPTERS and ruleset_of(name):
            having[last].add(ruleset_of(name))
    return sorted(chapter for chapter, found in having.items() if len(found) < rulesets)


def classes_defined_again(known: Mapping[str, ast.Module]) -> list[str]:
    """The names of classes that are defined more than once."""
    names = Counter(
        node.name for tree in known.values() for node in tree.body if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, times in names.items() if times > 1)


def lines(*folders: str) -> int:
    """How many lines the Python files below the folders have."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in _python_files(*folders))


def files_about(feature: str) -> list[str]:
    """The files that are named after a feature."""
    return [
        path.relative_to(ROOT).as_posix() for path in _python_files("bot", "cogs") if feature in path.stem
    ]


def small_helpers_used_once() -> list[str]:
    """Private functions of at most three lines that stand in one other place of their file."""
    found = []
    for path in _python_files("bot", "cogs"):
        text = path.read_text(encoding="utf-8")
        words = Counter(re.findall(r"\w+", text))
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            is_private = node.name.startswith("_") and not node.name.startswith("__")
            if is_private and words[node.name] == 2 and (node.end_lineno or 0) - node.lineno < 3:
                found.append(f"{path.relative_to(ROOT).as_posix()}: {node.name}")
    return found


def _python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


class Follower:
    """Notes which functions of ours are called, in every thread, while it is on."""

    def __init__(self) -> None:
        self._seen: dict[int, FrameType] = {}
        self._files: Counter[str] = Counter()
        self.is_on = False

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        """Be told by Python that something happened."""
        if not self.is_on or event != "call" or id(frame) in self._seen:
            return
        path = _own_path(frame.f_code)
        if path and not frame.f_code.co_name.startswith("<"):
            self._seen[id(frame)] = (
                frame  # kept, so that no other frame gets its id; coroutines are called on
            )
            self._files[path] += 1

    @property
    def way(self) -> Way:
        """What was called."""
        return Way(dict(sorted(self._files.items())))


def _own_path(code: CodeType) -> str:
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT):
        return ""
    parts = path.relative_to(ROOT).as_posix()
    is_ours = parts.startswith(("bot/", "cogs/")) and not parts.startswith("bot/playground/")
    return parts if is_ours else ""


@dataclass(frozen=True, slots=True)
class Walked:
    """A command whose way is measured: who plays what, what is typed, and with which dice the first time."""

    ruleset: Ruleset
    people: tuple[str, str]
    command: str
    options: Mapping[str, str]
    dice: str


RPJ_CHECK = Walked(
    rpj.RULESET,
    ("Marit Vance", "Oskar Brandt"),
    "/rpj check",
    {"skill": "Concealment", "difficulty": "14+"},
    "d6:2 d6:3",
)
SWARM_TEST = Walked(
    sword_and_swarm.RULESET,
    ("Odalys Thorne", "Corvin Asher"),
    "/swarm test",
    {"attribute": "Coronet"},
    "d6:6",
)


async def way_of(walked: Walked, folder: Path) -> Way:
    """What a command goes through, from Discord's interaction to the reply; not the first one."""
    follower = Follower()
    threading.setprofile(follower)
    try:
        play = await sit_down(folder, walked.ruleset, *walked.people)
        sys.setprofile(follower)
        await play.types(play.alice, walked.command, walked.dice, **walked.options)
        follower.is_on = True
        await play.desk.type(play.alice, walked.command, **walked.options)
        follower.is_on = False
        await get_up(play)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return follower.way


def numbers() -> Iterator[str]:
    """What `python -m tests.house` prints, line by line."""
    known = modules("bot", "cogs")
    for package in LAYERED:
        imports = rooms(package, known)
        yield (
            f"{package}: {len(imports)} rooms on {max(floors(imports).values(), default=0)} floors,"
            f" {len(pairs(imports))} pairs that import each other,"
            f" {len(flat(package, known))} modules at the top"
        )
    yield f"bot and cogs: {len(known)} files, {lines('bot', 'cogs')} lines"
    yield f"tests: {len(modules('tests'))} files, {lines('tests')} lines"
    yield f"private helpers of at most three lines that are used once: {len(small_helpers_used_once())}"
    countdowns = files_about("countdown")
    folders = {path.rpartition("/")[0] for path in countdowns}
    yield f"files about countdowns: {len(countdowns)} in {len(folders)} folders"
    yield from (f"    {path}" for path in countdowns)
    shared, again = sharing_a_name(known), classes_defined_again(known)
    yield f"modules that share their name: {len(shared)}"
    yield from (f"    {name}" for name in shared)
    yield f"class names defined more than once: {len(again)}"
    yield from (f"    {name}" for name in again)
    for walked in (SWARM_TEST, RPJ_CHECK):
        with tempfile.TemporaryDirectory() as folder:
            way = asyncio.run(way_of(walked, Path(folder)))
        yield f"{walked.command} enters {len(way.files)} files and makes {way.calls} calls"
        yield from (f"    {calls:3} {path}" for path, calls in way.files.items())


def main() -> None:
    """Print the numbers."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    sys.stdout.writelines(f"{line}\n" for line in numbers())


if __name__ == "__main__":
    main()
