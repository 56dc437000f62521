"""What the picture of a sheet shows."""

from bot.rules.compare_roll.character.fortunes import (
    HIGH,
    MOST_HIGH,
    MOST_STRESS,
    STRESS,
    ft_max,
    ft_now,
    hp_now,
    wound_word,
)
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import Character, CompareStatus, hp_max, status_of
from bot.rules.kernel import Gauge, GaugeKind, Glance

STATES = {
    CompareStatus.DEAD: ("Dead",),
    CompareStatus.DYING: ("At 0 HP",),
    CompareStatus.STABLE: ("Down, stable",),
    CompareStatus.ACTIVE: (),
}


def glance(character: Character, settings: CompareSettings) -> Glance:
    """HP, Fortitude, Stress and High; of an opponent only how hurt it looks.

    Source: CMP-FT-04, CMP-COM-12.
    """
    sheet, counted = character.sheet, character.resources
    if sheet.foe is not None:
        return Glance(states=(wound_word(character).capitalize(),))
    gauges = (
        Gauge.of("HP", hp_now(character), hp_max(sheet)),
        Gauge.of("FT", ft_now(sheet, settings), ft_max(sheet, settings)),
        Gauge.of("Stress", counted.get(STRESS, 0), MOST_STRESS, GaugeKind.HARM),
        Gauge.of("High", counted.get(HIGH, 0), MOST_HIGH, GaugeKind.POINTS),
    )
    return Glance(gauges, STATES[status_of(character)])
