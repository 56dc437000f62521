"""The fields of a sheet that a GM sets by hand, in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.rules.kernel.outcome import nothing
from bot.rules.kernel.play import Choice

EACH = "*"


@dataclass(frozen=True, slots=True)
class SheetField:
    """A field of a sheet, or the same field of each entry of a list or table on it.

    Attributes:
        path: Where it is, its parts with slashes between them; ``*`` stands for each entry.
        title: What it is called; ``{}`` stands for the entry's name: "{}, level".
        values: The values it may have under the campaign's settings, where its model doesn't say so.
    """

    path: str
    title: str
    values: Callable[[Any], tuple[Choice, ...]] = nothing
