"""The five tiers, and how they are compared; the deck: 52 cards and two Jokers."""

from enum import StrEnum

from msgspec import Struct

from bot.rules.kernel import DataFiles, Die, TableRow
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


class TierRow(TableRow):
    """A tier and the total from which it is reached (None: any total)."""

    name: str
    at_least: int | None = None


class StartingDie(TableRow):
    """How many attributes of a new character are on a die."""

    sides: int
    attributes: int


class DieStep(TableRow):
    """A step of the die track."""

    sides: int


class BonusRow(TableRow):
    """The combined value of *count* bonuses of one kind on one ability."""

    count: int
    bonus: int


class SuggestionRow(TableRow):
    """A suggested ability name of a kind ("active" or "passive")."""

    name: str
    kind: str


class WoundRow(TableRow):
    """One level of a wound track."""

    track: str  # "blunt" or "rending"
    level: str  # the book's name of it
    tier: str  # the tier of the attack that causes it
    boxes: int  # how many of it there is room for
    # Which one an hour of rest heals first (1), or None where rest does not heal it.
    rest_order: int | None = None
    treated_at: str | None = None  # the tier from which a treatment removes it, or None where none does
    seconds_to_live: int | None = None  # game time until the GM is asked whether the character dies, or None


class MagicRow(TableRow):
    """The effect of a magic die face: wounds added or removed, and a bonus to the total."""

    face: int
    wounds: int
    adds: int


class BlitzEffect(StrEnum):
    """The effects of cards drawn for a Blitz Point."""

    AUTOMATIC = "automatic"
    EVERYONE_AFTER = "everyone after"
    BONUS_D8 = "bonus d8"
    NOTHING = "nothing"


class BlitzRow(TableRow):
    """The effect of a card rank in a blitz."""

    rank: str
    effect: BlitzEffect


DATA = DataFiles("bot.rules.post_magic_maid")
TIER_ROWS = DATA.rows("tiers", "tier", TierRow)
STARTING_DICE = DATA.rows("dice", "starting", StartingDie)
DIE_TRACK = tuple(row.sides for row in DATA.rows("dice", "step", DieStep))
SINGLE_BONUSES = tuple(row.bonus for row in DATA.rows("abilities", "single", BonusRow))
DOUBLE_BONUSES = tuple(row.bonus for row in DATA.rows("abilities", "double", BonusRow))
SUGGESTIONS = DATA.rows("suggestions", "ability", SuggestionRow)
WOUNDS = DATA.rows("wounds", "wound", WoundRow)
MAGIC = {row.face: row for row in DATA.rows("magic", "face", MagicRow)}
BLITZ_EFFECTS = {row.rank: row.effect for row in DATA.rows("blitz", "card", BlitzRow)}


class MaidTier(StrEnum):
    """The tiers; only the highest one reached counts. [PMM-CHK-03, PMM-CHK-04]"""

    BELOW_10 = "below 10"
    TEN = "10"
    FIFTEEN = "15"
    TWENTY = "20"
    TWENTY_FIVE = "25"

    @property
    def level(self) -> int:
        """The tier's number of successes, from 0 to 4."""
        return TIERS.index(self)

    @property
    def words(self) -> str:
        """The tier's name in a sentence."""
        return self.value if self is MaidTier.BELOW_10 else f"tier {self.value}"


TIERS = tuple(MaidTier)
_FLOORS = tuple((MaidTier(row.name), row.at_least) for row in reversed(TIER_ROWS))


def tier_of(total: int) -> MaidTier:
    """The highest tier that a total reaches; a total equal to the threshold reaches it. [PMM-CHK-03]"""
    return next(tier for tier, at_least in _FLOORS if at_least is None or total >= at_least)


def assisted(action: MaidTier, assist: MaidTier) -> MaidTier:
    """The tier of an action after an assist.

    The assist counts from two tiers above the action: one tier for the second, and one more for each
    beyond it.

    [PMM-AST-01, PMM-AST-02; PMM-R31 (a failed action can be lifted too)]
    """
    boost = max(0, assist.level - action.level - 1)
    return TIERS[action.level + boost]


def contested(mine: MaidTier, theirs: MaidTier) -> MaidTier | None:
    """The winning tier of one side against another: the difference, or None without a win.

    [PMM-CON-01, PMM-CON-02; PMM-R33 (equal tiers are a stalemate)]
    """
    difference = mine.level - theirs.level
    return TIERS[difference] if difference > 0 else None
