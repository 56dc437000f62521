"""The three modules that come with the bot, made from the lists in the book's appendix."""

import tomllib
from collections.abc import Mapping
from types import MappingProxyType

from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import module_of
from bot.rules.rpj.module.tables import DATA

COMMON = "common"
GENRES = ("generic", "fantasy", "science_fiction")


def _shipped(genre: str) -> Module:
    """A genre's module: the common entries, then its own."""
    written: dict[str, object] = tomllib.loads(DATA.text(COMMON))
    for field, value in tomllib.loads(DATA.text(genre)).items():
        shared = written.get(field)
        written[field] = [*shared, *value] if isinstance(shared, list) else value
    return module_of(written)


MODULES: Mapping[str, Module] = MappingProxyType({genre: _shipped(genre) for genre in GENRES})
GENERIC = MODULES["generic"]
