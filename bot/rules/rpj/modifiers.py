"""Bonuses and penalties of the moment, as they are typed: a number and a word."""

import re

from bot.rules.mistakes import Mistake
from bot.rules.rpj.check_inputs import NamedTerm

LARGEST = 20
_NEXT = re.compile(r"(?:^|[\s,;]+)(?=[+\-−]\s*\d)")
_WRITTEN = re.compile(r"([+\-−])\s*(\d{1,6})\s*(.*)", re.DOTALL)


def signed(value: int) -> str:
    """A bonus or penalty as it is read: "+2", "−1"."""
    return f"{value:+d}".replace("-", "−")


def level_words(value: int) -> str:
    """A level as it is read: "4", "−1"."""
    return str(value).replace("-", "−")


def read_modifiers(typed: str) -> tuple[NamedTerm, ...]:
    """The bonuses and penalties that somebody has typed: "+2 high ground −1 dark".

    Raises:
        Mistake: If the text cannot be read, or a number is out of all proportion.

    Source: RPJ-DICE-02.
    """
    return tuple(_read(part) for part in _NEXT.split(typed.strip()) if part)


def _read(part: str) -> NamedTerm:
    written = _WRITTEN.fullmatch(part)
    if written is None:
        raise Mistake(
            f"“{part}” is no bonus and no penalty.", try_this="Type them as: +2 high ground −1 dark"
        )
    sign, size, label = written.groups()
    value = int(size) if sign == "+" else -int(size)
    if abs(value) > LARGEST:
        raise Mistake(f"“{part}” is too much.", f"A bonus or penalty goes up to {LARGEST}.")
    word = " ".join(label.split())[:60] or ("bonus" if value > 0 else "penalty")
    return NamedTerm(label=word, value=value)
