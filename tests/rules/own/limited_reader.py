"""A process that checks games' files, and changes them by forms, with little memory and much time.

It reads the files that it is given, and writes for each how many problems it found.
"""

import resource
import sys
from contextlib import suppress
from pathlib import Path

from bot.rules.kernel.errors import UserError
from bot.rules.own.game_forms import MoveForm, RollForm, with_move, with_roll
from bot.rules.own.game_lists import ListPart, with_lines
from bot.rules.own.game_report import checked_game

ROOM = 50_000_000
SECONDS_EACH = 20


def _held() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _change(text: str) -> None:
    """Change a game by every kind of form; what forms can't change is refused."""
    changes = (
        lambda: [with_lines(text, part, "One 2", creation="2, 1") for part in ListPart],
        lambda: with_move(text, "", MoveForm("A", "c0", "a1", "Hit: a", "Hit: a1 + 1")),
        lambda: with_roll(text, "c0", RollForm("A", "a: attribute", "d = d6", "Hit 3+", "")),
    )
    for change in changes:
        with suppress(UserError):
            change()


def main() -> None:
    """Check every file, and change it."""
    first, *files = map(Path, sys.argv[1:])
    checked_game(first.read_bytes())
    resource.setrlimit(resource.RLIMIT_AS, (_held() + ROOM,) * 2)
    spent = 0
    for file in files:
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS_EACH, resource.RLIM_INFINITY))
        with suppress(UnicodeDecodeError):
            _change(file.read_text(encoding="utf-8"))
        sys.stdout.write(f"{file.stem} {len(checked_game(file.read_bytes())[1])}\n")
        sys.stdout.flush()
        spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))


if __name__ == "__main__":
    main()
