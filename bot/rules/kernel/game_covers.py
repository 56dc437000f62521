"""What is known of a ruleset without loading it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Protocol

from bot.rules.kernel.data_files import DataFiles
from bot.rules.kernel.game import Ruleset, RuleText


class Titled(Protocol):
    """What people choose a game by and look up in it; a `GameCover` has it, and so has a whole `Ruleset`."""

    @property
    def key(self) -> str:
        """Its name in the store."""

    @property
    def title(self) -> str:
        """Its name as people write it."""

    @property
    def command(self) -> str:
        """The slash command that plays it, without the slash."""

    @property
    def credit(self) -> str:
        """Who wrote the game."""

    @property
    def glossary(self) -> Sequence[RuleText]:
        """Its rules in our own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCover:
    """A ruleset's names and texts, which cost nothing to have at hand.

    Attributes:
        package: The ruleset's package.
        key: Its name in the store and in the journal; never changes once used.
        title: Its name as people write it.
        command: The slash command that plays it, without the slash.
        credit: Who wrote the game.
        rules: The files in its folder `data` with the texts of `/rules`.
    """

    package: str
    key: str
    title: str
    command: str
    credit: str
    rules: tuple[str, ...] = ("rules",)

    @property
    def glossary(self) -> tuple[RuleText, ...]:
        """Its rules in our own words; read once."""
        return _glossary(self)


@lru_cache(maxsize=16)
def _glossary(cover: GameCover) -> tuple[RuleText, ...]:
    return DataFiles(cover.package).glossary(*cover.rules)


def loads_late(package: str) -> Callable[[str], Ruleset]:
    """Return the `__getattr__` of a ruleset's package: its `RULESET` is loaded when first asked for.

    Args:
        package: The package's name; the ruleset is in its module `game`.
    """

    def load(name: str) -> Ruleset:
        if name != "RULESET":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        ruleset: Ruleset = import_module(f"{package}.game").RULESET
        return ruleset

    return load
