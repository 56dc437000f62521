"""Names: one line, one normal form, no invisible characters; hidden names give way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import count

from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import name_key
from bot.store.records import CharacterRecord, EntryRecord, Json
from bot.store.transaction import Transaction
from bot.table.base.access import Access
from bot.table.base.results import fact_of

LONGEST_NAME = 40
JOINERS = frozenset("\u200d\ufe0f")  # inside emoji
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What looks like nothing at all: fillers, vowels without a form, the blank Braille cell, the grapheme joiner.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(code)  # selectors of a letter's or picture's variant, but for the one of emoji
    for selectors in (range(0x180B, 0x1810), range(0xFE00, 0xFE0F), range(0xE0100, 0xE01F0))
    for code in selectors
)
MOST_MARKS = 4  # combining marks on one letter; more of them only climb over other lines
# Letters, dashes, arrows and pictures that stay as they are: no marks, nothing that has another normal form.
_USUAL = re.compile("[ -~\u00a1-\u02ff\u2010-\u20cf\u2190-\u2328\u232b-\u27ff]*")


def one_line(text: str) -> str:
    """Return a text on one line, without control and direction characters."""
    if text.isprintable() and _USUAL.fullmatch(text):
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if character in JOINERS:
            if kept and not kept[-1].isascii():
                kept.append(character)
        elif category in UNSEEN or character in BLANK:
            kept.append(" ")
        elif marks <= MOST_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())


GAVE_WAY = "gave_way"  # in an entry's facts: the names that something hidden had before and after


def gives_way(access: Access, bearer: CharacterRecord) -> bool:
    """Return whether somebody may take a name because its bearer is hidden from them."""
    return bearer.is_hidden and not access.is_gm and bearer.owner != access.request.person


def make_room(tx: Transaction, access: Access, name: str) -> dict[str, Json]:
    """Rename the hidden bearer of a name; return facts for the entry."""
    server, campaign = access.request.server, access.campaign.id
    bearer = tx.character_named(server, campaign, name)
    if bearer is None or not gives_way(access, bearer):
        return {}
    numbered = (f"{bearer.name[: LONGEST_NAME - 4]} {number}" for number in count(2))
    other = next(one for one in numbered if tx.character_named(server, campaign, one) is None)
    tx.save_character(replace(bearer, name=other))
    return {GAVE_WAY: [bearer.name, other]}


def note_of(entry: EntryRecord) -> str | None:
    """Return the note about it that the GM reads in the log."""
    names = fact_of(entry, GAVE_WAY)
    if not isinstance(names, list):
        return None
    return f"your hidden {names[0]} is now called {names[1]}"


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
