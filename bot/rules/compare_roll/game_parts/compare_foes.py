"""Foes made in a moment.

The book gives opponents no numbers (CMP-COM-12); these follow its ladder of difficulties.
"""

from collections.abc import Sequence

from bot.rules.compare_roll.character.catalogue import weapon_named
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import CompareSheet, CompareStatus, Foe, carried_weapon
from bot.rules.compare_roll.creation.creation import plain_sheet
from bot.rules.compare_roll.resolution.tables import WEAPONS
from bot.rules.kernel import evolve
from bot.rules.kernel.foes import FoeLevel, FoeRules

RECORDS = {
    FoeLevel.WEAK: Foe(hp=6, hp_max=6, ft_max=0, rating=0, attack=-1),
    FoeLevel.ABLE: Foe(hp=12, hp_max=12, ft_max=1, rating=2, attack=0),
    FoeLevel.STRONG: Foe(hp=20, hp_max=20, ft_max=2, rating=4, attack=2),
    FoeLevel.MIGHTY: Foe(hp=35, hp_max=35, ft_max=4, rating=6, attack=4),
}


def _make(level: FoeLevel, _settings: CompareSettings) -> CompareSheet:
    """An opponent as hard to hit as the difficulty of its level.

    Source: CMP-COM-12, CMP-ROLL-02.
    """
    return plain_sheet().changed(foe=RECORDS[level])


def _give(
    sheet: CompareSheet, level: FoeLevel, names: Sequence[str], settings: CompareSettings
) -> CompareSheet:
    for name in names:
        sheet = sheet.with_carried(carried_weapon(weapon_named(settings, name), level.step + 1))
    return sheet


def _fresh(sheet: CompareSheet) -> CompareSheet:
    foe = sheet.foe and evolve(sheet.foe, hp=sheet.foe.hp_max)
    return sheet.changed(foe=foe, ft_lost=0, status=CompareStatus.ACTIVE, downed_by=None, door=())


FOES: FoeRules[CompareSheet, CompareSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in (*settings.weapons, *WEAPONS)],
    make=_make,
    give=_give,
    fresh=_fresh,
)
