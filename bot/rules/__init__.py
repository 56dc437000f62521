"""The shared rules core: pure, synchronous, and the same for every ruleset."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from threading import Lock
from types import ModuleType

from bot.rules.kernel import Ruleset
from bot.rules.kernel.game_covers import Titled


class Games(Mapping[str, Ruleset]):
    """Every ruleset by key; each is loaded when it is first asked for.

    Args:
        packages: Packages with a `RULESET`, and a `COVER` if they load it late.

    Attributes:
        covers: What is known of each without loading it, by title.
    """

    def __init__(self, packages: Iterator[ModuleType]) -> None:
        found = [(_cover(package), package) for package in packages]
        found.sort(key=lambda one: one[0].title)
        self.covers = tuple(cover for cover, _ in found)
        self._packages = {cover.key: package for cover, package in found}
        self._loaded: dict[str, Ruleset] = {}
        self._loading = Lock()  # the table's threads and the bot's may ask at once

    def __getitem__(self, key: str) -> Ruleset:
        if key not in self._loaded:
            package = self._packages[key]
            with self._loading:
                self._loaded[key] = package.RULESET
        return self._loaded[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)

    def __contains__(self, key: object) -> bool:
        return key in self._packages


@cache
def rulesets() -> Games:
    """Every ruleset there is: each package of this folder that exports `RULESET`."""
    packages = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.ispkg)
    return Games(package for package in packages if hasattr(package, "COVER") or hasattr(package, "RULESET"))


def covers(games: Mapping[str, Ruleset]) -> tuple[Titled, ...]:
    """Return what is known of games without loading them."""
    return games.covers if isinstance(games, Games) else tuple(games.values())


def _cover(package: ModuleType) -> Titled:
    cover: Titled = package.COVER if hasattr(package, "COVER") else package.RULESET
    return cover
