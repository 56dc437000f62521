"""The common fields of a module's entries: an id, a name, a description."""

import re
import unicodedata
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from bot.rules.kernel import Document

Id = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,60}$")]
IdOrNothing = Annotated[str, Field(pattern=r"^[a-z0-9_]{0,60}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Text = Annotated[str, Field(max_length=600)]


class ModuleEntry(Document):
    """Something with an id, a name and a description."""

    id: Id
    name: Name
    description: Text = ""


def id_of(name: str) -> str:
    """A name as an id: "Slow to React" becomes slow_to_react; only an empty name has none.

    A name in another script, or of signs, becomes a number that no other name has.
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    plain = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")[:60]
    has_others = any(letter.isalpha() and not letter.isascii() for letter in folded)
    if not folded or (plain and not (has_others and plain.replace("_", "").isdecimal())):
        return plain
    return f"name_{sha256(folded.encode()).hexdigest()[:16]}"
