"""Foes made in a moment; the book gives none, so their dice follow those of its characters."""

from collections.abc import Sequence

from bot.rules.kernel import evolve
from bot.rules.kernel.foes import FoeLevel, FoeRules
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import AttributeScore, MaidAttribute, MaidSheet

DICE = {FoeLevel.WEAK: 6, FoeLevel.ABLE: 8, FoeLevel.STRONG: 10, FoeLevel.MIGHTY: 12}
BETTER = 4  # sides more for what it is good at


def _make(level: FoeLevel, _settings: MaidSettings) -> MaidSheet:
    """A sheet with one die for everything.

    Source: PMM-CHK-01.
    """
    return MaidSheet(attributes=dict.fromkeys(MaidAttribute, AttributeScore(die=DICE[level])))


def _give(sheet: MaidSheet, level: FoeLevel, names: Sequence[str], _settings: MaidSettings) -> MaidSheet:
    for name in names:
        better = AttributeScore(die=DICE[level] + BETTER)
        sheet = sheet.with_attribute(MaidAttribute(name), better)
    return sheet


FOES: FoeRules[MaidSheet, MaidSettings] = FoeRules(
    title="Good at",
    things=lambda _settings: [str(one) for one in MaidAttribute],
    make=_make,
    give=_give,
    fresh=lambda sheet: evolve(sheet, is_dead=False),
)
