"""Names as they are compared: two spellings of one name fold to the same text."""

import unicodedata


def name_key(name: str) -> str:
    """The form in which a name is unique: case, outer spaces and ways of writing a letter do not matter."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
