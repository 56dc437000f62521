"""The deck: 52 cards and two Jokers, whole again before every draw."""

from enum import StrEnum

from msgspec import Struct

from bot.rules.kernel import Die
from bot.rules.kernel.dice import Dice, Fall, draw


class MaidPurpose(StrEnum):
    """The purpose of a roll or draw, in the word shown before it."""

    CHECK = "check"
    ATTACK = "attack"
    DEFENSE = "defense"
    HELPER = "helper"
    CONTEST = "contest"
    HEALING = "healing"
    PASSIVE = "passive"
    INITIATIVE = "initiative"
    TIE = "tie-break"
    BLITZ = "blitz"


JOKER = "Joker"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Suit(StrEnum):
    """Suits, from the one that goes first. [PMM-INI-05 (PMM-R28)]"""

    SPADES = "♠"
    HEARTS = "♥"
    DIAMONDS = "♦"
    CLUBS = "♣"


class Card(Struct, frozen=True):
    """A card: its rank and its suit, or a Joker and which of the two ("1" or "2")."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return JOKER if self.is_joker else f"{self.rank}{self.suit}"

    @property
    def code(self) -> str:
        """The card's unique code in documents."""
        return f"{self.rank}{self.suit}"

    @property
    def is_joker(self) -> bool:
        """Whether it is one of the two Jokers."""
        return self.rank == JOKER

    @property
    def strength(self) -> int:
        """The card's rank in initiative: 2 for a two up to 14 for an ace, 15 for a Joker."""
        return 15 if self.is_joker else RANKS.index(self.rank) + 2


DECK = (
    *(Card(rank, suit) for suit in Suit for rank in ("A", *RANKS[:-1])),
    Card(JOKER, "1"),
    Card(JOKER, "2"),
)
_BY_CODE = {card.code: card for card in DECK}


def card_of(code: str) -> Card:
    """The card with this code."""
    return _BY_CODE[code]


class Drawn(Struct, frozen=True):
    """A drawn card, with the die that chose it among those left."""

    card: Card
    die: Die


class _NotedDice:
    """Dice that record their faces."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.falls: list[Fall] = []

    def roll(self, sides: int) -> int:
        self.falls.append(Fall(sides, self._dice.roll(sides)))
        return self.falls[-1].face


def draw_cards(
    count: int, dice: Dice, *, gone: tuple[Card, ...] = (), labels: tuple[str, ...] = ()
) -> tuple[Drawn, ...]:
    """Draw cards from the full deck, without replacement. [PMM-DECK-01]

    Args:
        count: How many, at most as many as are left.
        dice: Where the chance comes from.
        gone: Cards of the same event that are out already.
        labels: Whom each card is for, or nothing.
    """
    noted = _NotedDice(dice)
    cards = draw([card for card in DECK if card not in gone], count, noted)
    names = labels or ("",) * count
    return tuple(
        Drawn(card, Die(sides=fall.sides, face=fall.face, label=name, shown=str(card)))
        for card, fall, name in zip(cards, noted.falls, names, strict=True)
    )
