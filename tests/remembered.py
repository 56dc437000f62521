"""What the bot remembers outside its database and its objects, found in its modules; and forgetting it."""

import gc
import inspect
from collections.abc import Iterator, MutableMapping, MutableSequence, MutableSet
from copy import copy
from functools import _lru_cache_wrapper
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import bot.rules
import bot.store
import bot.table
import bot.ui
from bot.rules import rulesets

PACKAGES = (bot.rules, bot.store, bot.table, bot.ui)


def modules() -> list[ModuleType]:
    """Return every module of the rules, the store, the table and what people see."""
    for game in rulesets().values():
        assert game.procedures  # a game is loaded from its top, as when somebody plays it
    return [
        import_module(found.name)
        for package in PACKAGES
        for found in walk_packages(package.__path__, f"{package.__name__}.")
    ]


def function_caches() -> "list[_lru_cache_wrapper[Any]]":
    """Return the cache of every function and method that has one."""
    names = {module.__name__ for module in modules()}
    every = (one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper))
    return [one for one in every if one.__module__ in names]


def containers() -> "Iterator[MutableMapping[Any, Any] | MutableSequence[Any] | MutableSet[Any]]":
    """Return everything in modules and in their classes that can be added to."""
    for module in modules():
        classes = [one for one in vars(module).values() if inspect.isclass(one)]
        own = [vars(one) for one in classes if one.__module__ == module.__name__]
        for names in (vars(module), *own):
            for name, one in list(names.items()):
                is_pythons = name.startswith("__") or (name.startswith("_") and name.endswith("_"))
                if not is_pythons and isinstance(one, MutableMapping | MutableSequence | MutableSet):
                    yield one


class Remembered:
    """Everything remembered in modules, as it is now."""

    def __init__(self) -> None:
        self._caches = function_caches()
        self._containers = [(one, copy(one)) for one in containers()]

    def forget(self) -> None:
        """Empty every function's cache, and put all else back to what it was."""
        for cache in self._caches:
            cache.cache_clear()
        for one, before in self._containers:
            if one == before:
                continue
            one.clear()
            if isinstance(one, MutableMapping):
                one.update(before)
            elif isinstance(one, MutableSequence):
                one.extend(before)
            else:
                for item in before:
                    one.add(item)
