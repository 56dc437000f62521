"""A process that rolls expressions and counts their chances with little memory and much time.

It reads one expression a line, and writes how far it came.
"""

import resource
import sys
from pathlib import Path

from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.notation import distribution, parse, roll

ROOM = 50_000_000
SECONDS_EACH = 20


def _held() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def main() -> None:
    """Roll and count whatever is asked for."""
    expressions = sys.stdin.read().split("\n")
    distribution(parse("4d6kh3"))
    resource.setrlimit(resource.RLIMIT_AS, (_held() + ROOM,) * 2)
    spent = 0
    for expression in expressions:
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS_EACH, resource.RLIM_INFINITY))
        sys.stdout.write(f"{expression}\n")
        sys.stdout.flush()
        try:
            distribution(parse(expression))
            roll(expression, FairDice(b"any", "1"))
        except UserError:
            continue
        finally:
            spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main()
