"""Names that read the same though they are written otherwise: Cyrillic letters among Latin ones and the like.

What two such names have in common is their skeleton, as in Unicode's UTS 39; the table holds the letters of
Cyrillic, Greek and Armenian that no font tells from a Latin one.
"""

import unicodedata
from collections.abc import Iterable

_LETTERS = {
    **dict(zip("АВЕЅІЈКМНОРСТУХԚԜҮӀ", "ABESIJKMHOPCTYXQWYl", strict=True)),
    **dict(zip("аеѕіјорсухԛԝһԁӏѵү", "aesijopcyxqwhdlvy", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True)),
    **dict(zip("αιοργυνϲϳ", "aiopyuvcj", strict=True)),
    **dict(zip("օսհոոցզ", "ouhnngq", strict=True)),
    **dict(zip("ıɑɡƖǀ|", "iagIll", strict=True)),
}
_AS_LATIN = str.maketrans(_LETTERS)


def skeleton(name: str) -> str:
    """Return what all names that read like this one have in common."""
    latin = unicodedata.normalize("NFKC", name).translate(_AS_LATIN)
    return " ".join(latin.replace("I", "l").casefold().split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the first of *others* that reads like *name*, though it is written otherwise; or None."""
    bones = skeleton(name)
    return next((one for one in others if skeleton(one) == bones), None)
