"""The written pages: README.md, CONTRIBUTING.md, SECURITY.md and everything in docs."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "docs" / "games"
_CODE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.S)
_TYPED = re.compile(r"^(?:(?:\w+:)? *)/([a-z].*)$", re.M)
_SPOKEN = re.compile(r"^(\w+): +(.+)$", re.M)
_CELL = re.compile(r"^\| (`.+?`) \|", re.M)


def pages() -> tuple[Path, ...]:
    """Every page that people read."""
    return (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))


def game_pages() -> tuple[Path, ...]:
    """The page of each ruleset."""
    return tuple(page for page in sorted(GAMES.glob("*.md")) if page.name != "README.md")


def typed_lines(text: str) -> Iterator[str]:
    """The commands that a page shows as code, each as it is typed, without the slash."""
    for block, span in _CODE.findall(text):
        yield from (line.strip() for line in _TYPED.findall(block or span))


def spoken_lines(text: str) -> tuple[tuple[str, str], ...]:
    """What a page's blocks of play say: who, and a command or a button in brackets."""
    blocks = (block for block, _ in _CODE.findall(text) if block)
    return tuple(line for block in blocks for line in _SPOKEN.findall(block))


def settings_named(text: str) -> tuple[str, ...]:
    """The settings in the first column of the table about them."""
    _, _, section = text.partition("## Settings worth knowing")
    cells = _CELL.findall(section.partition("\n## ")[0])
    return tuple(name for cell in cells for name in re.findall(r"`(\w+)`", cell))


def paths_named(text: str) -> Iterator[str]:
    """The files and folders of the project that a page names as code."""
    for block, span in _CODE.findall(text):
        yield from re.findall(r"(?:^|(?<=\s))(?:bot|cogs|docs|tests|\.ci)/[\w./]*\w/?", block or span)
