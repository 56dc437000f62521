"""Coins instead of two dice: three regular ones, two spoilers, plus seven."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.resolution.criticals import Critical

BASE = 7
TAILS, HEADS = 1, 2
LOWEST, HIGHEST = 1, 13


class CoinKind(StrEnum):
    """A kind of coin.

    Source: RPJ-COIN-02.
    """

    REGULAR = "regular"
    POSITIVE = "positive spoiler"
    NEGATIVE = "negative spoiler"


COINS = (CoinKind.REGULAR, CoinKind.REGULAR, CoinKind.REGULAR, CoinKind.POSITIVE, CoinKind.NEGATIVE)
_VALUES = {
    CoinKind.REGULAR: {HEADS: 1, TAILS: -1},
    CoinKind.POSITIVE: {HEADS: 2, TAILS: -1},
    CoinKind.NEGATIVE: {HEADS: 1, TAILS: -2},
}
_LETTERS = {TAILS: "T", HEADS: "H"}


@dataclass(frozen=True, slots=True)
class Flip:
    """Five flipped coins, and perhaps a sixth.

    Attributes:
        faces: Each coin of `COINS`: 1 tails, 2 heads.
        extra: A sixth coin from a Lucky Break, or None.
    """

    faces: tuple[int, ...]
    extra: int | None = None

    @property
    def total(self) -> int:
        """The value in place of two dice: from 1 to 13.

        The sixth coin replaces whichever it improves most, or none.

        Source: RPJ-COIN-01, RPJ-COIN-03, RPJ-COIN-07 (COIN-07a).
        """
        plain = sum(value_of(kind, face) for kind, face in zip(COINS, self.faces, strict=True))
        return BASE + plain + self._help()

    @property
    def replaced(self) -> int | None:
        """The place of the coin that the sixth one replaces, from 0, or None."""
        if self.extra is None or not self._help():
            return None
        return max(range(len(COINS)), key=self._gain)

    def _gain(self, place: int) -> int:
        extra = self.faces[place] if self.extra is None else self.extra
        return value_of(COINS[place], extra) - value_of(COINS[place], self.faces[place])

    def _help(self) -> int:
        return max(0, *(self._gain(place) for place in range(len(COINS))))

    @property
    def critical(self) -> Critical:
        """The critical: all heads, all tails, or none.

        Source: RPJ-COIN-06 (COIN-06a).
        """
        if self.total == HIGHEST:
            return Critical.SUCCESS
        return Critical.FAILURE if self.total == LOWEST else Critical.NONE

    def __str__(self) -> str:
        """The coins as text: three regular ones, positive and negative spoiler."""
        letters = [_LETTERS[face] for face in self.faces]
        return f"{' '.join(letters[:3])} | +{letters[3]} | −{letters[4]}"


def coin_mark(place: int) -> str:
    """The mark of a coin: empty, + or −."""
    return {CoinKind.POSITIVE: "+", CoinKind.NEGATIVE: "−"}.get(COINS[place], "")


def value_of(kind: CoinKind, face: int) -> int:
    """The value of a coin.

    Args:
        kind: The coin.
        face: 1 tails, 2 heads.

    Source: RPJ-COIN-02.
    """
    return _VALUES[kind][face]


def written_coins(text: str) -> Flip:
    """Read coins flipped by hand: ``HHT HT`` is three regular ones, positive and negative spoiler.

    Raises:
        UserError: If it is not five letters, each H or T.

    Source: RPJ-COIN-09.
    """
    letters = "".join(text.split()).upper()
    if len(letters) != len(COINS) or set(letters) - set("HT"):
        raise UserError(
            f"“{text}” isn't five coins.",
            "Type three regular coins, then the positive and the negative spoiler: HHT HT",
        )
    return Flip(tuple(HEADS if letter == "H" else TAILS for letter in letters))
