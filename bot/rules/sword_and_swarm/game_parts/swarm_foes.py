"""Foes made in a moment; the book gives none, so their attributes follow its 0 to 10."""

from collections.abc import Sequence

from bot.rules.kernel import evolve
from bot.rules.kernel.foes import FoeLevel, FoeRules
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import SwarmSheet
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute

VALUES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 6}


def _make(level: FoeLevel, _settings: SwarmSettings) -> SwarmSheet:
    """A sheet with one value for every attribute.

    Source: SWARM-ATTR-01, SWARM-ATTR-02.
    """
    return SwarmSheet(base=dict.fromkeys(SwarmAttribute, VALUES[level]))


def _give(sheet: SwarmSheet, level: FoeLevel, names: Sequence[str], _settings: SwarmSettings) -> SwarmSheet:
    for name in names:
        sheet = sheet.with_ranks(name, level.step + 1)
    return sheet


FOES: FoeRules[SwarmSheet, SwarmSettings] = FoeRules(
    title="Proficiencies",
    things=lambda settings: [one.name for one in settings.all_proficiencies],
    make=_make,
    give=_give,
    fresh=lambda sheet: evolve(sheet, star=None),
)
