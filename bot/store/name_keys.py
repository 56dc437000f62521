"""Name keys: two spellings of one name fold to the same text."""

import unicodedata


def name_key(name: str) -> str:
    """Return the form in which names are compared: without case, outer spaces or variants of a letter."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
