"""Groups of dice or cards, and what is read off them: how they are written, rolled and read.

The chances of readings are reckoned elsewhere (`reading_odds`), by other means; this rolls.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from bot.rules.kernel.dice import Dice, draw
from bot.rules.kernel.errors import UserError
from bot.rules.own.expressions import (
    COMPARISONS,
    MOST_DICE,
    MOST_SIDES,
    Amount,
    BadExpression,
    Expression,
    Number,
    excerpt,
    expression,
)

MOST_ACES = 10
"""How often one die with aces is rolled again; a game says how likely that is not enough."""

SUITS = ("clubs", "diamonds", "hearts", "spades")
DECKS = (52, 54)
ACE = 14
JOKER = 15


ONE = Number(1)


class GroupSource(StrEnum):
    """What a group is made of."""

    DICE = "dice"
    FATE = "Fate dice"
    CARDS = "cards"


class Keeping(StrEnum):
    """Which of a group's dice count."""

    ALL = "all"
    HIGHEST = "highest"
    LOWEST = "lowest"


class WrittenGroup(Struct, frozen=True):
    """A group as it is written."""

    count: Expression  # how many dice or cards
    sides: Expression  # sides of each die; the deck's size for cards
    source: GroupSource = GroupSource.DICE
    has_aces: bool = False  # whether a die that shows its highest face is rolled again and added
    keeping: Keeping = Keeping.ALL  # which ones count
    kept: Expression = ONE  # how many of them count


class ReadyGroup(Struct, frozen=True):
    """A group for one roll, its numbers known."""

    count: int  # how many dice or cards, from 0
    sides: int  # sides of each die; the deck's size for cards
    source: GroupSource
    has_aces: bool  # whether a die that shows its highest face is rolled again and added
    first: int  # the first one that counts, in order from the lowest
    end: int  # the one after the last that counts


class ReadingKind(StrEnum):
    """What is read off dice."""

    TOTAL = "total"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MIDDLE = "middle"
    DOUBLES = "doubles"
    COUNT = "count"
    SUIT = "suit"


class Inside(StrEnum):
    """What may be asked of a face besides the comparisons."""

    RANGE = "in"
    SUIT = "suit"


class Reading(Struct, frozen=True):
    """A reading as it is written."""

    kind: ReadingKind
    groups: tuple[str, ...]  # off which groups, all together
    sign: str = ""  # for a count, how each face is compared
    against: tuple[Expression, ...] = ()  # with what: one expression, or both ends of a range


_BRACED = r"(\{[^{}]*\}|[0-9]*)"
_GROUP = re.compile(
    rf"{_BRACED}\s*(?:d({_BRACED}|%|f)|cards?(?:\s+of\s+([0-9]+))?)"
    rf"(?:\s+(aces))?(?:\s+(highest|lowest)(?:\s+{_BRACED})?)?",
    re.IGNORECASE,
)
_READING = re.compile(
    r"(total|highest|lowest|middle|doubles|count|suit)\s+([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\s*(.*)", re.DOTALL
)
_TEST = re.compile(r"(in\b|[<>=]=?|!=|[≤≥≠])\s*(.+)", re.DOTALL)
_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "==": "="}


def dice_group(text: str) -> WrittenGroup:
    """Read a group: ``2d6``, ``{action + push}d6 highest 2``, ``d{fight} aces``, ``4dF``, ``3 cards``.

    Raises:
        BadExpression: If it is none, or too many dice.
    """
    found = _GROUP.fullmatch(text.strip())
    if found is None:
        raise BadExpression(
            f"I can't read the dice “{excerpt(text)}”. Write 2d6, {{stat}}d6, d{{stat}}, 4dF or 3 cards."
        )
    count, sides, inner, deck, aces, keeping, kept = found.groups()
    if sides is None:
        source, size = GroupSource.CARDS, _number(deck or "52", DECKS[-1], "cards")
        if size not in [Number(cards) for cards in DECKS]:
            raise BadExpression("a deck has 52 cards, or 54 with its jokers.")
        most = MOST_DICE
    elif sides.lower() == "f":
        source, size, most = GroupSource.FATE, Number(3), MOST_DICE
    else:
        source, most = GroupSource.DICE, MOST_DICE
        size = Number(100) if sides == "%" else _number(inner, MOST_SIDES, "sides")
    if aces and (source is not GroupSource.DICE or size == Number(1)):
        raise BadExpression("only dice with two sides and more can have aces.")
    return WrittenGroup(
        count=_number(count or "1", most, "dice"),
        sides=size,
        source=source,
        has_aces=bool(aces),
        keeping=Keeping(keeping.lower()) if keeping else Keeping.ALL,
        kept=_number(kept or "1", most, "dice"),
    )


def _number(text: str, most: int, noun: str) -> Expression:
    if text.startswith("{"):
        return expression(text[1:-1])
    if not text:
        raise BadExpression("the number of sides should follow the d.")
    if len(text) > len(str(most)) or int(text) > most:
        raise BadExpression(f"{excerpt(text)} {noun} are too many; {most:,} is the most.")
    if int(text) == 0:
        raise BadExpression(f"0 {noun} are too few; 1 is the least.")
    return Number(int(text))


def reading(text: str) -> Reading:
    """Read a reading: ``total two``, ``highest light, dark``, ``count pool >= 5``, ``count hand in hearts``.

    Raises:
        BadExpression: If it is none.
    """
    found = _READING.fullmatch(text.strip())
    if found is None:
        raise BadExpression(
            f"I can't read “{excerpt(text)}”. Write total, highest, lowest, middle, doubles, suit or count, "
            "and a group of dice."
        )
    kind = ReadingKind(found[1])
    groups = tuple(name.strip() for name in found[2].split(","))
    if len(set(groups)) < len(groups):
        raise BadExpression("a group stands twice in this.")
    if kind is not ReadingKind.COUNT:
        if found[3]:
            raise BadExpression(f"I can't read on from “{excerpt(found[3])}”. Only “count” compares.")
        return Reading(kind, groups)
    test = _TEST.fullmatch(found[3])
    if test is None:
        raise BadExpression("say what to count: “count pool = 6”, “count pool >= 5” or “count pool in 1..2”.")
    sign, against = test[1], test[2].strip()
    if sign != Inside.RANGE:
        return Reading(kind, groups, _SIGNS.get(sign, sign), (expression(against),))
    if against in SUITS:
        return Reading(kind, groups, Inside.SUIT, (Number(SUITS.index(against) + 1),))
    low, dots, high = against.partition("..")
    if not dots:
        raise BadExpression(f"“in” is followed by a range (2..5) or a suit ({', '.join(SUITS)}).")
    return Reading(kind, groups, Inside.RANGE, (expression(low), expression(high)))


def pool_of(group: WrittenGroup, count: Amount, sides: Amount, kept: Amount) -> ReadyGroup:
    """The pool of one roll; numbers are rounded down, and fewer than none or no sides is none."""
    sides = max(0, int(sides // 1))
    number = max(0, int(count // 1)) if sides else 0
    counted = min(number, max(0, int(kept // 1)))
    first, end = 0, number
    if group.keeping is Keeping.HIGHEST:
        first = number - counted
    elif group.keeping is Keeping.LOWEST:
        end = counted
    return ReadyGroup(number, sides, group.source, group.has_aces, first, end)


class ShownFace(Struct, frozen=True):
    """One die or card as it came."""

    face: int  # what it counts; of a die with aces, all its faces together
    sides: int  # sides of the die; 0 for a card
    suit: int = 0  # the card's suit from 1, or 0
    is_kept: bool = True  # whether it counts

    @property
    def shown(self) -> str:
        """What people read."""
        if self.sides or not self.suit:
            return str(self.face) if self.face < JOKER or self.sides else "Joker"
        rank = {11: "J", 12: "Q", 13: "K", ACE: "A"}.get(self.face, str(self.face))
        return rank + "♣♦♥♠"[self.suit - 1]


def cards_of(deck: int) -> tuple[tuple[int, int], ...]:
    """The cards of a deck, each its rank from 2 (an ace is 14, a joker 15) and its suit, lowest first."""
    cards = [(rank, suit) for rank in range(2, JOKER) for suit in range(1, len(SUITS) + 1)]
    return (*cards, *[(JOKER, 0)] * (deck - len(cards)))


def thrown(pool: ReadyGroup, dice: Dice) -> tuple[ShownFace, ...]:
    """Roll a pool."""
    if pool.source is GroupSource.CARDS:
        found = [ShownFace(rank, 0, suit) for rank, suit in draw(cards_of(pool.sides), pool.count, dice)]
    else:
        found = [thrown_die(pool, dice) for _ in range(pool.count)]
    return counted(pool, found)


def thrown_die(pool: ReadyGroup, dice: Dice) -> ShownFace:
    """Roll one die of a pool, with its aces."""
    face = dice.roll(pool.sides)
    if pool.source is GroupSource.FATE:
        return ShownFace(face - 2, pool.sides)
    total = face
    for _ in range(MOST_ACES if pool.has_aces and pool.sides > 1 else 0):
        if face < pool.sides:
            break
        face = dice.roll(pool.sides)
        total += face
    return ShownFace(total, pool.sides)


def another(
    pool: ReadyGroup, lying: Sequence[ShownFace], dice: Dice, *, parts_jokers: bool = True
) -> ShownFace:
    """Roll one more die of a pool, or draw a card from those that are left.

    Args:
        lying: The dice or cards on the table.
        parts_jokers: Whether one joker on the table leaves the other in the deck.

    Raises:
        UserError: If no card is left.
    """
    if pool.source is not GroupSource.CARDS:
        return thrown_die(pool, dice)
    deck, drawn = Counter(cards_of(pool.sides)), Counter((one.face, one.suit) for one in lying)
    if not parts_jokers and (JOKER, 0) in drawn:
        drawn[JOKER, 0] = deck[JOKER, 0]
    left = [*(deck - drawn).elements()]
    if not left:
        raise UserError(
            f"You can't draw another card: all {pool.sides} are on the table.",
            try_this="Keep this result, or make a new roll with a full deck.",
        )
    ((rank, suit),) = draw(left, 1, dice)
    return ShownFace(rank, 0, suit)


def counted(pool: ReadyGroup, found: Sequence[ShownFace]) -> tuple[ShownFace, ...]:
    """The same dice, those that count marked; of equal ones, the later ones are higher."""
    if pool.first == 0 and pool.end == len(found):  # all of them, and they are marked
        return tuple(found)
    order = sorted(range(len(found)), key=lambda at: (found[at].face, found[at].suit))
    kept = frozenset(order[pool.first : pool.end])
    return tuple(ShownFace(one.face, one.sides, one.suit, at in kept) for at, one in enumerate(found))


def total_of(found: Sequence[ShownFace]) -> int:
    """The sum of those that count."""
    return sum(one.face for one in found if one.is_kept)


def read_off(what: Reading, groups: Mapping[str, Sequence[ShownFace]], against: Sequence[Amount]) -> int:
    """What a reading says of rolled dice; 0 where there are none.

    Args:
        groups: The dice of each group.
        against: The values of what a count compares with.
    """
    lying = [one for name in what.groups for one in groups[name] if one.is_kept]
    if what.kind is ReadingKind.COUNT:
        return sum(is_counted(what.sign, one.face, one.suit, against) for one in lying)
    if not lying:
        return 0
    ordered = sorted(lying, key=lambda one: (one.face, one.suit))
    match what.kind:
        case ReadingKind.TOTAL:
            return sum(one.face for one in ordered)
        case ReadingKind.HIGHEST:
            return ordered[-1].face
        case ReadingKind.LOWEST:
            return ordered[0].face
        case ReadingKind.MIDDLE:
            return ordered[(len(ordered) - 1) // 2].face
        case ReadingKind.SUIT:
            return ordered[-1].suit
    alike = max(Counter(one.face for one in ordered).values())
    return alike if alike > 1 else 0


def is_counted(sign: str, face: int, suit: int, against: Sequence[Amount]) -> bool:
    """Whether a face is one of those that a count counts."""
    if sign == Inside.SUIT:
        return suit == against[0]
    if sign == Inside.RANGE:
        return against[0] <= face <= against[1]
    return COMPARISONS[sign](face, against[0])
