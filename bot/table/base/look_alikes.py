"""Names that read the same though they are written otherwise: Cyrillic letters among Latin ones and the like.

What two such names have in common is their skeleton, as in Unicode's UTS 39; the table holds the letters of
Cyrillic, Greek and Armenian that no font tells from a Latin one.
"""

import unicodedata
from collections.abc import Iterable

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import name_key
from bot.table.base.names import JOINERS

_LETTERS = {
    **dict(zip("АВЕЅІЈКМНОРСТУХԚԜҮӀ", "ABESIJKMHOPCTYXQWYl", strict=True)),
    **dict(zip("аеѕіјорсухԛԝһԁӏѵү", "aesijopcyxqwhdlvy", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True)),
    **dict(zip("αιοργυνϲϳ", "aiopyuvcj", strict=True)),
    **dict(zip("օսհոոցզ", "ouhnngq", strict=True)),
    **dict(zip("ıɑɡƖǀ|", "iagIll", strict=True)),
}
_AS_LATIN = str.maketrans({**_LETTERS, **dict.fromkeys(JOINERS, "")})


def skeleton(name: str) -> str:
    """Return what all names that read like this one have in common."""
    latin = unicodedata.normalize("NFKC", name).translate(_AS_LATIN)
    return " ".join(latin.replace("I", "l").casefold().split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the first of *others* that reads like *name*, though it is written otherwise; or None."""
    bones, written = skeleton(name), name_key(name)
    return next((one for one in others if skeleton(one) == bones and name_key(one) != written), None)


def assert_unlike(name: str, others: Iterable[str]) -> None:
    """Refuse a new name that reads like another.

    Raises:
        UserError: If it does.
    """
    other = look_alike(name, others)
    if other is not None:
        raise UserError(reads_like(name, other), try_this="Choose another name.")


def reads_like(name: str, other: str) -> str:
    """Return the error about a name that reads like another."""
    return f"The name {name} reads like {other}, though it is written otherwise."
