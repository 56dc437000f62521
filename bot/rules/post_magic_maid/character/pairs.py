"""Attribute pairs as options and as a select menu."""

from collections.abc import Callable, Sequence
from itertools import combinations

from pydantic import Field

from bot.rules.kernel import Choice, Document
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.scene import Character
from bot.rules.post_magic_maid.character.sheet import MaidAttribute

Pair = tuple[MaidAttribute, MaidAttribute]
PAIRS: tuple[Pair, ...] = tuple(combinations(MaidAttribute, 2))


class MaidPairOptions(Document):
    """Options for a roll: attributes, ability and bonus dice.

    Attributes:
        first: One attribute.
        second: Another attribute.
        pair: Both at once, as a select menu says it ("Str + Dex").
        ability: The ability that is used, or nothing.
        bonus_dice: Bonus d8s from one's pool thrown in.
    """

    first: MaidAttribute | None = None
    second: MaidAttribute | None = None
    pair: str = Field(default="", max_length=20)
    ability: str = Field(default="", max_length=100)
    bonus_dice: int = Field(default=0, ge=0, le=12)


def named_pair(first: MaidAttribute | None, second: MaidAttribute | None) -> Pair | None:
    """The two attributes that the GM chose, or None if the roller chooses.

    Raises:
        UserError: If only one is named, or one twice.

    Source: PMM-CHK-02 (PMM-R01).
    """
    if first is None and second is None:
        return None
    if first is None or second is None or first is second:
        raise UserError("A check needs two different attributes.", "Name both, or neither.")
    return first, second


def pair_words(pair: Pair) -> str:
    """The label of an attribute pair in a select menu."""
    return f"{pair[0]} + {pair[1]}"


_BY_WORDS = {pair_words(pair): pair for pair in PAIRS}


def chosen_pair(options: MaidPairOptions, default: Pair | None = None) -> Pair:
    """The chosen attributes, else the ones named before.

    Raises:
        UserError: If there are none.
    """
    if options.pair in _BY_WORDS:
        return _BY_WORDS[options.pair]
    if options.first is not None and options.second is not None:
        return options.first, options.second
    if default is None:
        raise UserError("Which two attributes to roll is missing.", "Ask the GM which two.", "Name both.")
    return default


def by_strength(character: Character) -> tuple[Pair, ...]:
    """Every pair of attributes, the one with the highest average first."""
    scores = character.sheet.attributes
    worth = {one: scores[one].die + 2 * scores[one].bonus for one in MaidAttribute}
    return tuple(sorted(PAIRS, key=lambda pair: -(worth[pair[0]] + worth[pair[1]])))


def pair_of(words: str) -> Pair | None:
    """The pair that a select menu calls so, or None."""
    return _BY_WORDS.get(words)


def dice_words(character: Character, pair: Pair) -> str:
    """A pair with a character's dice: "Str + Dex: d6 and d12 +1"."""
    scores = character.sheet.attributes
    return f"{pair_words(pair)}: {scores[pair[0]]} and {scores[pair[1]]}"


def pair_choices(
    character: Character, note: Callable[[Pair], str], pairs: Sequence[Pair] = PAIRS
) -> tuple[Choice, ...]:
    """Every pair of attributes, with its dice and a short note."""
    return tuple(
        Choice(value=pair_words(pair), label=dice_words(character, pair), note=note(pair)) for pair in pairs
    )
