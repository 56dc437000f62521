"""Numbers in words."""

WHOLE = 4  # quarters of one progress, because focusing halves and quarters it


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
