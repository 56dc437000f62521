"""How long own games take: reading and proving a file, odds the first time and after, an effect's expression.

``python -m tests.bench.own_games`` prints CPU milliseconds, the best of several. No test depends on them.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bot.rules.own import check_odds, reading_odds
from bot.rules.own.check_odds import chances
from bot.rules.own.expressions import amount_of, expression
from bot.rules.own.game_check import read_game
from bot.rules.own.game_report import checked_game

GAMES = Path(__file__).parents[2] / "bot" / "rules" / "own" / "data"
HEAD = "format = 1\nname = 'A'\ncommand = 'a'\n[checks.do]\n"
CHECKS = {
    "pool of 6, best and sixes": "dice = { d = '6d6' }\nread = { b = 'highest d', s = 'count d = 6' }\n",
    "d100": "dice = { d = 'd100' }\nread = { b = 'total d' }\nlet = { s = 'b % 11 = 0' }\n",
    "d6 against 2d10": "dice = { a = 'd6', d = '2d10' }\nlet = { b = 'min(x + 2, 10)' }\n"
    "read = { x = 'total a', s = 'count d < b' }\n",
    "two dice with aces": "dice = { a = 'd12 aces', d = 'd6 aces' }\n"
    "read = { b = 'highest a, d' }\nlet = { s = 'b' }\n",
    "8 + 6 dice, sixes and ones": "dice = { a = '8d6', d = '6d6' }\n"
    "read = { b = 'count a, d = 6', s = 'count a = 1' }\n",
    "20d10, three counts": "dice = { d = '20d10' }\n"
    "read = { b = 'count d >= 5', s = 'count d = 10', x = 'count d = 1' }\n",
    "20d20, total and highest": "dice = { d = '20d20' }\nread = { b = 'total d', s = 'highest d' }\n",
    "5 cards, highest, suit and hearts": "dice = { d = '5 cards' }\n"
    "read = { b = 'highest d', s = 'suit d', x = 'count d in hearts' }\n",
}
TIERS = "tiers = [{ name = 'A', when = 'b > s + 4' }, { name = 'B', when = 'b = s' }, { name = 'C' }]\n"


def milliseconds(act: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """The CPU time of the fastest of five runs."""
    times = []
    for _ in range(5):
        before()
        begun = time.process_time()
        act()
        times.append(time.process_time() - begun)
    return min(times) * 1000


def forget() -> None:
    """Forget all odds that were counted."""
    check_odds.tier_ways.cache_clear()
    reading_odds.ways_of.cache_clear()


def figures() -> Iterator[tuple[str, float]]:
    """Each figure with what it is of."""
    for file in sorted(GAMES.glob("*.toml")):
        text = file.read_bytes()
        yield f"read {file.stem}.toml", milliseconds(partial(read_game, text))
        yield f"read and prove {file.stem}.toml", milliseconds(partial(checked_game, text), forget)
    for name, written in CHECKS.items():
        game, _ = read_game(HEAD + written + TIERS)
        if game is None:
            continue
        check = game.checks["do"]
        yield f"odds of {name}", milliseconds(partial(chances, check, {}), forget)
        yield "    once more", milliseconds(partial(chances, check, {}))
    read = expression("sum + stat + bonus - (1 if harm >= 3 else 0)")
    known = {"sum": 7, "stat": 2, "bonus": 0, "harm": 3}
    yield "1,000 expressions", milliseconds(lambda: [amount_of(read, known) for _ in range(1000)])


if __name__ == "__main__":
    sys.stdout.writelines(f"{milliseconds_:8.2f}  {what}\n" for what, milliseconds_ in figures())
