"""The bot; and how its packages load a module when something of it is first used."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class _Late(ModuleType):
    """Stands for a module until something of it is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def late(package: str, *modules: str) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package some of whose modules not every server needs.

    Such a module is imported as a whole (`from bot.table import own_games`), and loaded when something of it
    is first used. To import from it by name (`from bot.table.own_games import …`) loads it at once.
    """
    stand_ins = {name: _Late(f"{package}.{name}") for name in modules}

    def find(name: str) -> ModuleType:
        try:
            return stand_ins[name]
        except KeyError:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return find
