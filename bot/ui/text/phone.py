"""How much of a phone's screen a text takes."""

import math
import re
from collections.abc import Iterable, Sequence

LINE_LENGTH = 42  # characters that fit beside each other on 360 pixels
REPLY_LINES = 8  # the most a public reply takes
TALLEST_REPLY = 10  # the most where its dice and what came of them need it
PAGE_LINES = 14  # the most a board, a sheet or a recap takes

# A look at the first character is enough where no markup begins.
_UNSEEN = re.compile(r"(?=[<\\*~`#-])(?:<a?:\w+:\d+>|\\(?=[^\w\s])|(?<!\\)(?:\*+|~~|`+)|^(?:-# |#+ ))")


def height(lines: Iterable[str]) -> int:
    """Return how many lines of a phone some lines of Markdown take."""
    return _lines_of([_UNSEEN.sub("", line) for text in lines for line in text.split("\n")])


def _lines_of(shown: Iterable[str]) -> int:
    return sum([max(1, math.ceil(len(line) / LINE_LENGTH)) for line in shown])


def is_short(lines: Sequence[str], most: int = REPLY_LINES) -> bool:
    """Return whether some lines are short enough for a public reply, or for so many lines."""
    written = [line for text in lines for line in text.split("\n")]
    return _lines_of(written) <= most or height(lines) <= most  # without the markup it is only shorter


def first_short(versions: Iterable[Sequence[str]], most: int = REPLY_LINES) -> Sequence[str]:
    """Return the first of ever shorter versions that is short enough, else the last."""
    lines: Sequence[str] = ()
    for lines in versions:
        if is_short(lines, most):
            break
    return lines


def as_many(least: Sequence[str], more: Sequence[str], most: int = REPLY_LINES) -> int:
    """Return how many of *more* fit beside *least*, from the first on."""
    count = 0
    while count < len(more) and height((*least, *more[: count + 1])) <= most:
        count += 1
    return count


def fitting(least: Sequence[str], more: Iterable[str]) -> list[str]:
    """Return those of *more* that fit into a public reply beside *least*, each where there is room left."""
    kept: list[str] = []
    for line in more:
        if is_short((*least, *kept, line)):
            kept.append(line)
    return kept
