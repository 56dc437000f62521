"""What the picture of a sheet shows."""

from bot.rules.kernel import Gauge, GaugeKind, Glance
from bot.rules.post_magic_maid.character.resources import BLITZ
from bot.rules.post_magic_maid.character.scene import Character
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.wounds import CAPACITIES, Track, boxes_of, is_unconscious


def glance(character: Character, settings: MaidSettings) -> Glance:
    """Blitz Points and both tracks of wounds, a group of boxes for each level.

    Source: PMM-WND-01, PMM-WND-02, PMM-BLZ-10.
    """
    points, cap = character.resources.get(BLITZ, 0), settings.blitz_cap
    points_word, kind = "Blitz Points", GaugeKind.POINTS
    blitz = Gauge(points_word, str(points)) if cap is None else Gauge.of(points_word, points, cap, kind)
    state = "Dead" if character.sheet.is_dead else "Unconscious" if is_unconscious(character) else ""
    tracks = (_track(character, track) for track in Track)
    return Glance((blitz, *tracks), (state,) if state else ())


def _track(character: Character, track: Track) -> Gauge:
    boxes, room = boxes_of(character, track), CAPACITIES[track]
    parts = tuple(zip(boxes, room, strict=True))
    return Gauge(track.value.capitalize(), f"{sum(boxes)}/{sum(room)}", parts, GaugeKind.HARM)
