"""Typed bonuses and penalties: a number and a word each."""

import re
from collections.abc import Iterator

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError

LARGEST = 20
_SIGN = "[+\\-−]"
_FIRST = re.compile(rf"(?P<sign>{_SIGN})\s*(?P<size>\d{{1,6}})(?P<label>.*)", re.DOTALL)
_LAST = re.compile(rf"(?P<label>.*?\D)\s*(?P<sign>{_SIGN})\s*(?P<size>\d{{1,6}})", re.DOTALL)
_BEFORE_SIGN = re.compile(rf"(?:^|[\s,;]+)(?={_SIGN}\s*\d)")
_AFTER_SIZE = re.compile(r"(?<=\d)\s+(?=[^\s\d])")


def read_modifiers(typed: str) -> tuple[NamedTerm, ...]:
    """Read typed bonuses and penalties: "+2 high ground −1 dark", or "rope +1, rain -2".

    Raises:
        UserError: If the text cannot be read, or a number is too large.

    Source: RPJ-DICE-02.
    """
    text = typed.strip()
    if not text:
        return ()
    parts = [text] if _FIRST.match(text) else [part.strip() for part in re.split("[,;]", text)]
    return tuple(term for part in parts if part for term in _terms(part))


def _terms(part: str) -> Iterator[NamedTerm]:
    """The terms of a text in which each begins with its sign, or each ends with its number."""
    is_sign_first = _FIRST.match(part) is not None
    for one in (_BEFORE_SIGN if is_sign_first else _AFTER_SIZE).split(part):
        if one:
            yield _read((_FIRST if is_sign_first else _LAST).fullmatch(one), part)


def _read(found: re.Match[str] | None, part: str) -> NamedTerm:
    if found is None:
        raise UserError(
            f"I can't read “{part}”.", try_this="Write modifiers like this: +2 high ground −1 dark"
        )
    value = int(found["size"]) if found["sign"] == "+" else -int(found["size"])
    if abs(value) > LARGEST:
        raise UserError(f"“{part}” is too large.", f"A bonus or penalty can be at most {LARGEST}.")
    word = " ".join(found["label"].split())[:60] or ("bonus" if value > 0 else "penalty")
    return NamedTerm(label=word, value=value)
