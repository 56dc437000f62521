"""The character sheet as text and picture."""

from bot.rules.kernel import Gauge, GaugeKind, Glance, Section
from bot.rules.post_magic_maid.sheet import (
    BONUSES_FOR_A_DIE_POINT,
    Character,
    MaidAbility,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
)
from bot.rules.post_magic_maid.wounds import (
    BLITZ,
    CAPACITIES,
    DIE_POINTS,
    LEVEL_UPS,
    LEVELS,
    Track,
    boxes_of,
    is_unconscious,
)

FILLED, EMPTY = "▣", "▢"
SECONDS_A_DAY = 86_400


def describe(character: Character, settings: MaidSettings) -> tuple[Section, ...]:
    """Attributes, abilities, points and wounds in short lines.

    [PMM-CHK-01, PMM-ABL-03, PMM-ABL-04, PMM-WND-01, PMM-WND-02, PMM-BLZ-10]
    """
    sheet = character.sheet
    limit = "" if settings.blitz_cap is None else f"/{settings.blitz_cap}"
    blitz = f"Blitz Points {character.left(BLITZ)}{limit}"
    tracks = tuple(f"{track.value.capitalize()} {_boxes(character, track)}" for track in Track)
    state = _state(character)
    texts = [f"{attribute} {sheet.attributes[attribute]}" for attribute in MaidAttribute]
    sections = (
        Section("Attributes", (" · ".join(texts[:3]), " · ".join(texts[3:]))),
        Section("Abilities", tuple(_active_line(ability) for ability in sheet.actives())),
        Section("Passive abilities", tuple(_passive_line(ability) for ability in sheet.passives())),
        Section("Points", (blitz, *_point_lines(character, sheet)), pictured=(blitz,)),
        Section("Wounds", (*tracks, *_wound_lines(character), *state), pictured=(*tracks, *state)),
    )
    return tuple(section for section in sections if section.lines)


def _progress(ability: MaidAbility) -> str:
    if ability.has_given_die_point:
        return "die point earned"
    return (
        f"{ability.from_level_ups}/{BONUSES_FOR_A_DIE_POINT} towards a die point"
        if ability.from_level_ups
        else ""
    )


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _active_line(ability: MaidAbility) -> str:
    return _joined(f"{ability.name} +{ability.bonus}", _progress(ability))


def _passive_line(ability: MaidAbility) -> str:
    strength = f"{ability.name} (strength {ability.passives})" if ability.passives > 1 else ability.name
    wants = ability.activation
    check = f"needs {wants.first} + {wants.second}, {wants.tier.words}" if wants else ""
    return _joined(strength, *ability.effects, check, _progress(ability))


def _point_lines(character: Character, sheet: MaidSheet) -> tuple[str, ...]:
    level_ups, die_points = character.left(LEVEL_UPS), character.left(DIE_POINTS)
    advance = _joined(
        f"Level-ups spent {len(sheet.advances)}" if sheet.advances else "",
        f"level-ups waiting {level_ups}" if level_ups else "",
        f"die points {die_points}" if die_points else "",
        "magical" if sheet.is_magical else "",
    )
    return (advance,) if advance else ()


def _wound_lines(character: Character) -> tuple[str, ...]:
    return tuple(
        f"{row.level.capitalize()} wound: treat by {game_time(character.timers[row.level])}"
        for row in LEVELS[Track.RENDING]
        if row.level in character.timers
    )


def _state(character: Character) -> tuple[str, ...]:
    return ("Dead",) if character.sheet.is_dead else ("Unconscious",) if is_unconscious(character) else ()


def _boxes(character: Character, track: Track) -> str:
    levels = zip(boxes_of(character, track), CAPACITIES[track], strict=True)
    return " ".join(FILLED * filled + EMPTY * (room - filled) for filled, room in levels)


def game_time(clock: int) -> str:
    """A moment on the game clock: the day, counted from 1, and the time of day."""
    day, second = divmod(clock, SECONDS_A_DAY)
    hours, rest = divmod(second, 3600)
    minutes, seconds = divmod(rest, 60)
    time = f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    return f"day {day + 1}, {time}"


def glance(character: Character, settings: MaidSettings) -> Glance:
    """Blitz Points and both tracks of wounds, a group of boxes for each level.

    [PMM-WND-01, PMM-WND-02, PMM-BLZ-10]
    """
    points, cap = character.left(BLITZ), settings.blitz_cap
    points_word, kind = "Blitz Points", GaugeKind.POINTS
    blitz = Gauge(points_word, str(points)) if cap is None else Gauge.of(points_word, points, cap, kind)
    tracks = (_track(character, track) for track in Track)
    return Glance((blitz, *tracks), _state(character))


def _track(character: Character, track: Track) -> Gauge:
    boxes, room = boxes_of(character, track), CAPACITIES[track]
    parts = tuple(zip(boxes, room, strict=True))
    return Gauge(track.value.capitalize(), f"{sum(boxes)}/{sum(room)}", parts, GaugeKind.HARM)
