"""Names that people give: on one line, in one normal form, without what cannot be seen."""

import unicodedata

LONGEST_NAME = 40
JOINERS = "\u200d\ufe0f"  # inside emoji
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def one_line(text: str) -> str:
    """What somebody wrote on one line, without control and direction characters."""
    normal = unicodedata.normalize("NFC", text)
    kept = (
        character if character in JOINERS or unicodedata.category(character) not in UNSEEN else " "
        for character in normal
    )
    return " ".join("".join(kept).split())
