"""Rolls of an expression beside plain Python, and odds of ten dice against ten beside icepool, as JSON.

Figures are CPU seconds. Both sides of the rolls take their faces from one seeded generator.
"""

import json
import random  # noqa: TID251  # seeds what is compared, for both sides
import sys
import time
from collections.abc import Callable

import icepool

from bot.rules.shared.notation import roll
from bot.rules.swim_class import pools

EXPRESSION = "4d6kh3+2"
POOL = 10


class SeededDice:
    """Dice that fall as those written by hand: from the generator of the standard library."""

    def roll(self, sides: int) -> int:
        """Roll one die."""
        return random.randrange(sides) + 1


def ours(_number: int) -> None:
    """Read and roll the expression."""
    roll(EXPRESSION, SeededDice())


def ours_cold(number: int) -> None:
    """Read and roll an expression that was never seen."""
    roll(f"{EXPRESSION}+{number}", SeededDice())


def by_hand(_number: int) -> None:
    """Roll four dice and add up three, without any notation."""
    sum(sorted(random.randrange(6) + 1 for _ in range(4))[1:]) + 2


def by_hand_cold(number: int) -> None:
    """Have Python read a sum of the same length that it has never seen, and roll."""
    compile(f"4*d6+h3+2+{number}", "sum", "eval")
    by_hand(number)


def cpu_seconds(act: Callable[[int], object], times: int, first: int = 0) -> float:
    """Return the CPU time of one of many runs."""
    begun = time.process_time()
    for number in range(first, first + times):
        act(number)
    return (time.process_time() - begun) / times


def ours_ten_against_ten(_number: int) -> None:
    """Compute the hits of ten dice against ten, with nothing remembered."""
    for name in dir(pools):
        forget = getattr(getattr(pools, name), "cache_clear", None)
        if forget is not None:
            forget()
    side = pools.SwimSide(groups=((POOL, 0),))
    pools.hit_ways(side, side)


def icepool_ten_against_ten() -> None:
    """Have icepool do the same; it has nothing remembered the first time."""
    die = icepool.d6.pool(POOL)
    die.max_pair_drop("<=", icepool.d6.pool(POOL)).size()


def main(times: int, rounds: int) -> None:
    """Print the times of each run."""
    found: dict[str, list[float]] = {}
    for turn in range(rounds):
        for act in (ours, by_hand, ours_cold, by_hand_cold):
            first = 1000 + turn * times
            found.setdefault(act.__name__, []).append(cpu_seconds(act, times, first))
        found.setdefault("odds", []).append(cpu_seconds(ours_ten_against_ten, 1))
    found["icepool"] = [cpu_seconds(lambda _number: icepool_ten_against_ten(), 1)]
    sys.stdout.write(json.dumps(found))


main(int(sys.argv[1]), int(sys.argv[2]))
