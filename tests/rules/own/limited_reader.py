"""A process that checks games' files with little memory and much time.

It reads the files that it is given, and writes for each how many problems it found.
"""

import resource
import sys
from pathlib import Path

from bot.rules.own.game_report import checked_game

ROOM = 50_000_000
SECONDS_EACH = 20


def _held() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def main() -> None:
    """Check every file."""
    first, *files = map(Path, sys.argv[1:])
    checked_game(first.read_bytes())
    resource.setrlimit(resource.RLIMIT_AS, (_held() + ROOM,) * 2)
    spent = 0
    for file in files:
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS_EACH, resource.RLIM_INFINITY))
        sys.stdout.write(f"{file.stem} {len(checked_game(file.read_bytes())[1])}\n")
        sys.stdout.flush()
        spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))


if __name__ == "__main__":
    main()
