"""Two wound tracks, blunt and rending: boxes, overflow, unconsciousness and the timers that run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel import CharacterHealth, WoundTrack
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import HURT_WORDS
from bot.rules.post_magic_maid.sheet import Character, Scene
from bot.rules.post_magic_maid.tiers import WOUNDS, MaidTier, WoundRow

Boxes = tuple[int, ...]


class Track(StrEnum):
    """The two wound tracks. [PMM-WND-01, PMM-WND-02]"""

    BLUNT = "blunt"
    RENDING = "rending"


LEVELS: Mapping[Track, tuple[WoundRow, ...]] = {
    track: tuple(row for row in WOUNDS if row.track == track) for track in Track
}
TOP = len(LEVELS[Track.BLUNT]) - 1


def _capacities(track: Track) -> Boxes:
    return tuple(row.boxes for row in LEVELS[track])


CAPACITIES: Mapping[Track, Boxes] = {track: _capacities(track) for track in Track}
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


@dataclass(frozen=True, slots=True)
class MaidPlaced:
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
