"""Turning values into the markdown that people read; what people wrote never becomes markup."""

import re
from collections.abc import Iterable
from fractions import Fraction

from bot.table.names import one_line

MINUS = "−"
_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<:@])")
_LIST = re.compile(r"^(?:([-+])|(\d+)(\.))(?=\s|$)")  # what begins a list at the start of a line


def escape(text: str) -> str:
    """What somebody wrote, shown as they wrote it whatever marks are in it."""
    return _LIST.sub(r"\2\\\1\3", _MARKUP.sub(r"\\\1", one_line(text)))


def shorten(text: str, longest: int) -> str:
    """The text, cut with an ellipsis where it is longer than *longest* characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip("\\ ") + "…"


def plain(text: str, longest: int) -> str:
    """What is shown where there is no markdown (buttons, menus, forms): one line, cut, never empty."""
    return shorten(one_line(text), longest) or "–"


def number(value: int) -> str:
    """A number with a true minus."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def percent(chance: Fraction) -> str:
    """A chance for people: ``58 %``, ``0.4 %``; never 0 % for what can be or 100 % for what may fail."""
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    hundred = chance * 100
    if hundred > 99:
        return "> 99 %"
    if hundred >= Fraction(19, 20):
        return f"{round(hundred)} %"
    return f"{float(hundred):.1f} %" if hundred >= Fraction(1, 20) else "< 0.1 %"


def listed(parts: Iterable[str], separator: str = " · ") -> str:
    """The parts that are not empty, in one line."""
    return separator.join(part for part in parts if part)
