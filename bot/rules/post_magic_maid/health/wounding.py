"""Taking wounds: filling boxes, overflow, and the follow-ups."""

from dataclasses import dataclass

from bot.rules.kernel import CharacterId, FollowUp
from bot.rules.kernel.facts import down, harm
from bot.rules.post_magic_maid.character.scene import Scene
from bot.rules.post_magic_maid.character.wounds import (
    LEVELS,
    TOP,
    Track,
    boxes_of,
    is_unconscious,
    place_wound,
    with_boxes,
)
from bot.rules.post_magic_maid.health.deaths import verdict_buttons


@dataclass(frozen=True, slots=True, kw_only=True)
class Wounded:
    """The result of taking wounds.

    Attributes:
        scene: The scene afterwards.
        levels: The level that each wound filled.
        notes: What to tell.
        follow_ups: What can be done.
    """

    scene: Scene
    levels: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def take_wounds(scene: Scene, target: CharacterId, track: Track, level: int, count: int = 1) -> Wounded:
    """Give a character a number of wounds of a level.

    Source: PMM-WND-01 to PMM-WND-07, PMM-MAG-02.
    """
    levels: list[int] = []
    notes: list[str] = []
    buttons: tuple[FollowUp, ...] = ()
    name = scene.character(target).name
    was_awake = not is_unconscious(scene.character(target))
    for _ in range(count):
        character = scene.character(target)
        placed = place_wound(track, boxes_of(character, track), level)
        if placed.level is None:
            notes.append(_beyond_the_top(name, track))
            buttons = verdict_buttons(scene, target) if track is Track.RENDING else ()
            break
        scene = with_boxes(scene, character, track, placed.boxes)
        levels.append(placed.level)
        if placed.level > level:
            full = [row.level for row in LEVELS[track][level : placed.level]]
            verb = "is" if len(full) == 1 else "are"
            to = LEVELS[track][placed.level].level
            notes.append(harm(f"{' and '.join(full).capitalize()} {verb} full, so it becomes {to}."))
    if was_awake and is_unconscious(scene.character(target)):
        notes.append(down(f"{name} is unconscious."))
    return Wounded(scene=scene, levels=tuple(levels), notes=tuple(notes), follow_ups=buttons)


def _beyond_the_top(name: str, track: Track) -> str:
    top = LEVELS[track][TOP].level
    if track is Track.RENDING:
        return down(f"{name}'s {top} box is already full. The GM decides whether {name} dies.")
    return harm(f"{name} is already {top}, so nothing changes.")
