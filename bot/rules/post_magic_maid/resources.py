"""Resources, ability names and attribute pairs."""

from collections.abc import Callable, Sequence
from itertools import combinations

from pydantic import Field

from bot.rules.kernel import CharacterId, Choice, Document, ResourceRule
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name
from bot.rules.post_magic_maid.sheet import Character, MaidAttribute, MaidSettings, MaidSheet, Scene
from bot.rules.post_magic_maid.tiers import SUGGESTIONS

BLITZ = "blitz"
LEVEL_UPS = "level_ups"
DIE_POINTS = "die_points"
STARTING_BLITZ_POINTS = 3


def _blitz_cap(_sheet: MaidSheet, settings: MaidSettings) -> int | None:
    return settings.blitz_cap


# PMM-BLZ-01 (PMM-R16: foes have no Blitz Points unless the GM gives them some), PMM-BLZ-10, PMM-CRE-07.
RESOURCES = (
    ResourceRule(
        key=BLITZ,
        title="Blitz Points",
        start=STARTING_BLITZ_POINTS,
        npc_start=0,
        cap=_blitz_cap,
    ),
    ResourceRule(key=LEVEL_UPS, title="Level-ups", usual=(1, 2), unit="level-up"),
    ResourceRule(key=DIE_POINTS, title="Die advancement points"),
)


def capped(points: int, settings: MaidSettings) -> int:
    """A number of Blitz Points, limited by the campaign's cap. [PMM-BLZ-10 (PMM-R24)]"""
    return points if settings.blitz_cap is None else min(points, settings.blitz_cap)


def gain_blitz_point(scene: Scene, who: CharacterId) -> tuple[Scene, tuple[str, ...]]:
    """Give a player's character a Blitz Point for a double maximum; NPCs get none. [PMM-BLZ-09 (PMM-R23)]"""
    character = scene.character(who)
    if character.owner is None:
        return scene, ()
    before = character.left(BLITZ)
    after = max(before, capped(before + 1, scene.settings))
    if after == before:
        return scene, ("Both dice show their highest face, but Blitz Points are at their cap.",)
    note = "Both dice show their highest face: 1 Blitz Point gained."
    return scene.with_character(character.with_resource(BLITZ, after)), (note,)


def own_abilities(character: Character | None, _settings: MaidSettings) -> Sequence[str]:
    """The active abilities of a character."""
    return () if character is None else [ability.name for ability in character.sheet.actives()]


def own_passives(character: Character | None, _settings: MaidSettings) -> Sequence[str]:
    """The passive abilities of a character."""
    return () if character is None else [ability.name for ability in character.sheet.passives()]


def active_names(character: Character | None, settings: MaidSettings) -> Sequence[str]:
    """A character's active abilities, then names for new ones. [PMM-ABL-07]"""
    names = [*settings.suggestions, *(row.name for row in SUGGESTIONS if row.kind == "active")]
    return _with_own(own_abilities(character, settings), names)


def passive_names(character: Character | None, settings: MaidSettings) -> Sequence[str]:
    """A character's passive abilities, then names for new ones."""
    names = [row.name for row in SUGGESTIONS if row.kind == "passive"]
    return _with_own(own_passives(character, settings), names)


def _with_own(own: Sequence[str], names: Sequence[str]) -> list[str]:
    found = list(own)
    for name in names:
        if not any(same_name(name, other) for other in found):
            found.append(name)
    return found


SUGGESTION_LISTS = {
    "ability": own_abilities,
    "passive": own_passives,
    "active_name": active_names,
    "passive_name": passive_names,
}


Pair = tuple[MaidAttribute, MaidAttribute]
PAIRS: tuple[Pair, ...] = tuple(combinations(MaidAttribute, 2))


class MaidPairOptions(Document):
    """Options for a roll: attributes, ability and bonus dice."""

    first: MaidAttribute | None = None
    second: MaidAttribute | None = None  # another attribute
    pair: str = Field(default="", max_length=20)  # both at once, as a select menu says it ("Str + Dex")
    ability: str = Field(default="", max_length=100)  # the ability that is used, or nothing
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s from one's pool thrown in


def named_pair(first: MaidAttribute | None, second: MaidAttribute | None) -> Pair | None:
    """The two attributes that the GM chose, or None if the roller chooses. [PMM-CHK-02 (PMM-R01)]

    Raises:
        UserError: If only one is named, or one twice.
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
