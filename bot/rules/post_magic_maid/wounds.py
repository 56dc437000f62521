"""Two wound tracks, blunt and rending: boxes, overflow, unconsciousness and the timers that run."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import CharacterHealth, CharacterId, Choice, Document, ResourceRule, WoundTrack
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name
from bot.rules.kernel.tracker import HURT_WORDS
from bot.rules.post_magic_maid.sheet import Character, MaidAttribute, MaidSettings, MaidSheet, Scene
from bot.rules.post_magic_maid.tiers import SUGGESTIONS, WOUNDS, MaidTier, WoundRow

Boxes = tuple[int, ...]


class Track(StrEnum):
    """The two wound tracks. [PMM-WND-01, PMM-WND-02]"""

    BLUNT = "blunt"
    RENDING = "rending"


LEVELS: Mapping[Track, tuple[WoundRow, ...]] = {
    track: tuple(row for row in WOUNDS if row.track == track) for track in Track
}
TOP = len(LEVELS[Track.BLUNT]) - 1


CAPACITIES: Mapping[Track, Boxes] = {track: tuple(row.boxes for row in LEVELS[track]) for track in Track}
UNWOUNDED: Boxes = (0,) * (TOP + 1)


def _same_for_every_sheet(boxes: Boxes) -> Callable[[object], Boxes]:
    return lambda _sheet: boxes


WOUND_TRACKS = tuple(
    WoundTrack(
        key=track.value,
        title=track.value.capitalize(),
        levels=tuple(row.level for row in LEVELS[track]),
        capacities=_same_for_every_sheet(CAPACITIES[track]),
    )
    for track in Track
)


class MaidPlaced(Struct, frozen=True):
    """The result of placing one wound."""

    boxes: Boxes  # the track afterwards
    level: int | None  # the level that was filled, or None where there was no free box up to the top


def wound_level(tier: MaidTier) -> int | None:
    """The level of the wound that an attack of a tier causes, or None for a miss. [PMM-ATK-01, PMM-ATK-02]"""
    return tier.level - 1 if tier is not MaidTier.BELOW_10 else None


def place_wound(track: Track, boxes: Boxes, level: int) -> MaidPlaced:
    """Fill the first free box at a level or above it on the same track.

    [PMM-WND-03; PMM-R38 (never on the other track)]
    """
    for place in range(level, TOP + 1):
        if boxes[place] < CAPACITIES[track][place]:
            return MaidPlaced(tuple(n + (i == place) for i, n in enumerate(boxes)), place)
    return MaidPlaced(boxes, None)


def remove_wound(boxes: Boxes, level: int) -> Boxes:
    """Empty one box at a level that has one filled."""
    return tuple(n - (i == level) for i, n in enumerate(boxes))


def boxes_of(character: Character, track: Track) -> Boxes:
    """A character's boxes on a track."""
    return character.wounds.get(track, UNWOUNDED)


def is_unconscious(character: Character) -> bool:
    """Whether a character is out cold. [PMM-WND-05]"""
    return boxes_of(character, Track.BLUNT)[TOP] > 0


def is_dead(character: Character) -> bool:
    """Whether the GM has said that a character is dead."""
    return character.sheet.is_dead


def can_act(character: Character) -> bool:
    """Whether a character is neither unconscious nor dead.

    [PMM-WND-05 (PMM-R39: nothing else stops action, and no wound lowers a roll)]
    """
    return not is_unconscious(character) and not is_dead(character)


def assert_can_act(character: Character) -> None:
    """Raise a `UserError` if a character can't act."""
    if is_dead(character):
        raise UserError(f"{character.name} is dead.")
    if is_unconscious(character):
        raise UserError(
            f"{character.name} is unconscious.",
            "A treatment of tier 25 wakes them.",
            "Someone can try /maid treat.",
        )


def with_boxes(scene: Scene, character: Character, track: Track, boxes: Boxes) -> Scene:
    """Change a track, and start or stop its timers. [PMM-WND-06, PMM-WND-07 (PMM-R40)]"""
    before = boxes_of(character, track)
    for place, row in enumerate(LEVELS[track]):
        if row.seconds_to_live is not None and bool(before[place]) != bool(boxes[place]):
            due = scene.clock + row.seconds_to_live if boxes[place] else None
            character = character.with_timer(row.level, due)
    return scene.with_character(character.with_wounds(track, boxes))


def wounds_in_words(character: Character) -> tuple[str, ...]:
    """The wounds on each track, such as "blunt: 2 slight". [PMM-WND-01, PMM-WND-02]"""
    tracks = []
    for track in Track:
        boxes = boxes_of(character, track)
        hit = [f"{n} {row.level}" for n, row in zip(boxes, LEVELS[track], strict=True) if n]
        if hit:
            tracks.append(f"{track}: {', '.join(hit)}")
    return tuple(tracks)


def health_of(character: Character, _settings: object) -> CharacterHealth:
    """The wounds; others see the level of the gravest. Who is out of action is unconscious or dead.

    [PMM-WND-01, PMM-WND-02]
    """
    filled = [level for track in Track for level, n in enumerate(boxes_of(character, track)) if n]
    state = "dead" if is_dead(character) else "unconscious" if is_unconscious(character) else ""
    return CharacterHealth(wounds_in_words(character), state or (HURT_WORDS[max(filled)] if filled else ""))


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
