"""The shared rules core: pure, synchronous, and the same for every ruleset."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bot.rules.kernel import Ruleset


@cache
def rulesets() -> dict[str, Ruleset]:
    """Every ruleset there is, by key: each package of this folder that exports `RULESET`."""
    packages = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.ispkg]
    games: list[Ruleset] = [package.RULESET for package in packages if hasattr(package, "RULESET")]
    return {game.key: game for game in sorted(games, key=lambda game: game.title)}
