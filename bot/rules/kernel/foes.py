"""Foes made in a moment: how good they are in a word, and what they hold or can do by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic

from bot.rules.kernel.outcome import Document, ForTypes, SettingsT_contra, SheetT


class FoeLevel(StrEnum):
    """How good a foe is, in a word."""

    WEAK = "weak"
    ABLE = "able"
    STRONG = "strong"
    MIGHTY = "mighty"

    @property
    def step(self) -> int:
        """How many levels are below it."""
        return list(FoeLevel).index(self)


def _as_it_is(sheet: SheetT) -> SheetT:
    return sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class FoeRules(ForTypes, Generic[SheetT, SettingsT_contra]):
    """How a ruleset makes foes.

    Attributes:
        title: What a foe is given by name ("Weapons").
        things: Those names, the most usual first.
        make: A sheet of a level.
        give: The same sheet with things of these names, as good as the level.
        book: The foes of the book, by name.
        mook: What a file says of a mook besides its sheet, where the ruleset has such; it has a name.
        as_mook: The sheet of one.
        fresh: A sheet without what has happened to its character.
    """

    title: str
    things: Callable[[SettingsT_contra], Sequence[str]]
    make: Callable[[FoeLevel, SettingsT_contra], SheetT]
    give: Callable[[SheetT, FoeLevel, Sequence[str], SettingsT_contra], SheetT]
    book: Mapping[str, SheetT] = field(default_factory=lambda: MappingProxyType({}))
    mook: type[Document] | None = None
    as_mook: Callable[[Any], SheetT] | None = None
    fresh: Callable[[SheetT], SheetT] = _as_it_is
