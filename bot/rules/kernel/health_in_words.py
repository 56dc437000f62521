"""How hurt a character is: in numbers for those who play it, in a word for those who only see it."""

from dataclasses import dataclass
from enum import StrEnum

FINE = "unhurt"
DOWN = "down"
HURT_WORDS = ("scratched", "hurt", "badly hurt", "about to fall")  # by how much is gone, in quarters


class FoeHealth(StrEnum):
    """How much players see of the health of the GM's characters."""

    NUMBERS = "numbers"
    WORDS = "words"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class CharacterHealth:
    """How hurt a character is.

    Attributes:
        numbers: What is left, each a few words.
        looks: How hurt it looks; empty if it is unhurt. One that is out of action looks as its state says.
    """

    numbers: tuple[str, ...] = ()
    looks: str = ""

    def seen(self, as_: FoeHealth) -> tuple[str, ...]:
        """What people see who get it in numbers, in words or not at all."""
        looks = (self.looks,) if self.looks else ()
        return {FoeHealth.NUMBERS: self.numbers, FoeHealth.WORDS: looks, FoeHealth.NOTHING: ()}[as_]


def looks_for(left: int, most: int) -> str:
    """How hurt somebody looks who has so much left: nothing at full, then four steps, then "down"."""
    if left <= 0:
        return DOWN
    if left >= most:
        return ""
    quarters = -((left - most) * len(HURT_WORDS) // most)
    return HURT_WORDS[quarters - 1]


def unknown_health(_character: object, _settings: object) -> CharacterHealth:
    """The health of characters in a game that counts none."""
    return CharacterHealth()
