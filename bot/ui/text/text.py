"""Values as Markdown; user input never becomes markup."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.table.base.names import one_line

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


_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<:@])")
_LIST = re.compile(r"^(?:([-+])|(\d+)(\.))(?=\s|$)")  # what begins a list at the start of a line

_BEGINNINGS = frozenset("-+0123456789")


@lru_cache(maxsize=1024)
def escape(text: str) -> str:
    """Escape user input so that it is shown exactly as typed."""
    shown = _MARKUP.sub(r"\\\1", one_line(text))
    return _LIST.sub(r"\2\\\1\3", shown) if shown[:1] in _BEGINNINGS else shown


_LIVE = re.compile(r"([\[\]<:@])")


def as_written(line: str) -> str:
    """A line of a GM's own text: its Markdown works, but no mention, link or emoji in it does."""
    return _LIVE.sub(r"\\\1", one_line(line))


def shorten(text: str, longest: int) -> str:
    """The text, cut after a word and with an ellipsis where it is longer than *longest* characters."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    if text[longest - 1].isalnum():
        whole = cut.rpartition(" ")[0]
        cut = whole if len(whole) > len(cut) // 2 else cut  # a word that fills most of it is cut
    return cut.rstrip("\\ ,;:·") + "…"


def plain(text: str, longest: int) -> str:
    """Text for places without Markdown (buttons, menus, forms): one line, cut, never empty."""
    line = one_line(text) or "–"
    return line if len(line) <= longest else shorten(line, longest)


def listed(parts: Iterable[str], separator: str = " · ") -> str:
    """Join the non-empty parts into one line."""
    return separator.join([part for part in parts if part])
