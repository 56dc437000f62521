"""Turning values into the markdown that people read; what people wrote never becomes markup."""

import re
from collections.abc import Iterable
from fractions import Fraction

from bot.rules.odds import Chance
from bot.table.names import one_line

MINUS = "−"
_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<:@])")
_LIST = re.compile(r"^(?:([-+])|(\d+)(\.))(?=\s|$)")  # what begins a list at the start of a line

_BEGINNINGS = frozenset("-+0123456789")


def escape(text: str) -> str:
    """What somebody wrote, shown as they wrote it whatever marks are in it."""
    shown = _MARKUP.sub(r"\\\1", one_line(text))
    return _LIST.sub(r"\2\\\1\3", shown) if shown[:1] in _BEGINNINGS else shown


def shorten(text: str, longest: int) -> str:
    """The text, cut with an ellipsis where it is longer than *longest* characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip("\\ ") + "…"


def plain(text: str, longest: int) -> str:
    """What is shown where there is no markdown (buttons, menus, forms): one line, cut, never empty."""
    return shorten(one_line(text), longest) or "–"


def number(value: int) -> str:
    """A number with a true minus."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def percent(chance: Chance | Fraction) -> str:
    """A chance for people: ``58 %``, ``0.4 %``; never 0 % for what can be or 100 % for what may fail."""
    if isinstance(chance, Chance):
        ways, of = chance.ways, chance.of
    else:
        ways, of = chance.numerator, chance.denominator
    if ways in (0, of):
        return "100 %" if ways else "0 %"
    if 100 * ways > 99 * of:
        return "> 99 %"
    if 2000 * ways >= 19 * of:
        return f"{_rounded(100 * ways, of)} %"
    return f"0.{max(1, _rounded(1000 * ways, of))} %" if 2000 * ways >= of else "< 0.1 %"


def _rounded(part: int, whole: int) -> int:
    """A ratio as a whole number; a half goes to the even one, so that two halves make 100 %."""
    number, rest = divmod(part, whole)
    return number + (2 * rest > whole or (2 * rest == whole and number % 2 == 1))


def listed(parts: Iterable[str], separator: str = " · ") -> str:
    """The parts that are not empty, in one line."""
    return separator.join(part for part in parts if part)
