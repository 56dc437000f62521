"""Numbers in words."""

from enum import StrEnum

from bot.rules.kernel.wording import counted

WHOLE = 4  # quarters of one progress, because focusing halves and quarters it


class Counts(StrEnum):
    """What each attack die that gets through counts for."""

    HITS = "hits"
    SQUARES = "squares"
    SUCCESSES = "successes"


_SINGULAR = {Counts.HITS: "hit", Counts.SQUARES: "square", Counts.SUCCESSES: "success"}


def counts_words(number: int, counts: Counts) -> str:
    """A number of what gets through: "2 hits"."""
    return counted(number, _SINGULAR[counts], counts)


def capitalized(sentence: str) -> str:
    """A sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def quarter_words(quarters: int) -> str:
    """A number of quarters as text: "1½"."""
    whole, rest = divmod(quarters, WHOLE)
    fraction = ("", "¼", "½", "¾")[rest]
    return f"{whole or ''}{fraction}" if fraction else str(whole)


def progress_words(quarters: int) -> str:
    """Progress in words."""
    return f"{quarter_words(quarters)} progress"
