"""Dice for tests."""

import hmac
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice

from hypothesis import strategies as st

from bot.rules.kernel.dice import Fall, ReplayedDice

FIRST, MOST_TRIED = 100_000, 2_000_000


class ScriptedDice(ReplayedDice):
    """Dice that fall as told: ``ScriptedDice("d6:4 d6:1")``."""

    def __init__(self, script: str) -> None:
        super().__init__(falls(script))


class DrawnDice:
    """Dice whose faces Hypothesis chooses."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        return self._data.draw(st.integers(1, sides))


def falls(script: str) -> tuple[Fall, ...]:
    """Read how dice are to fall: "d6:4 d6:1"."""
    entries = (entry.removeprefix("d").split(":") for entry in script.split())
    return tuple(Fall(int(sides), int(face)) for sides, face in entries)


def fair_interaction(seed: bytes, wanted: tuple[Fall, ...], used: set[str]) -> str:
    """Return the id of an interaction whose dice fall so under a seed, and add it to the used ones."""
    found = next((str(one) for one in _begun(seed, wanted) if str(one) not in used), None)
    assert found is not None, f"no interaction was found with {wanted}"
    used.add(found)
    return found


class _Found:
    """Numbers of interactions, looked for when somebody first asks."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._more = numbers
        self._known: list[int] = []

    def __iter__(self) -> Iterator[int]:
        for at in count():  # several look on at the same time
            if at == len(self._known):
                self._known.extend(islice(self._more, 1))
            if at == len(self._known):
                return
            yield self._known[at]


@cache
def _begun(seed: bytes, wanted: tuple[Fall, ...]) -> _Found:
    """Interactions whose dice begin so. Eight dice take a million tries: what begins alike is tried once."""
    if not wanted:
        return _Found(iter(range(FIRST, FIRST + MOST_TRIED)))
    sides, face = wanted[-1]
    value, counter = _values(seed), len(wanted) - 1
    return _Found(
        one for one in _begun(seed, wanted[:-1]) if value(f"{one}:{counter}".encode()) % sides == face - 1
    )


@cache
def _values(seed: bytes) -> Callable[[bytes], int]:
    """What `FairDice` reckons with, with all that depends on the seed alone done beforehand."""
    keyed = hmac.new(seed, digestmod="sha256")

    def value(message: bytes) -> int:
        one = keyed.copy()
        one.update(message)
        return int.from_bytes(one.digest(), "big")

    return value
