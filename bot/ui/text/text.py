"""Values as Markdown; user input never becomes markup."""

import re
from collections.abc import Iterable
from functools import lru_cache

from bot.table.base.clean_names import one_line

_MARKUP = re.compile(r"([\\*_~`|>\[\]()#<:@])")
_LIST = re.compile(r"^(?:([-+])|(\d+)(\.))(?=\s|$)")  # what begins a list at the start of a line

_BEGINNINGS = frozenset("-+0123456789")


@lru_cache(maxsize=1024)
def escape(text: str) -> str:
    """Escape user input so that it is shown exactly as typed."""
    shown = _MARKUP.sub(r"\\\1", one_line(text))
    return _LIST.sub(r"\2\\\1\3", shown) if shown[:1] in _BEGINNINGS else shown


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
