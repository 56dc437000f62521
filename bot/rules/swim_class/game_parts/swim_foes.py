"""Foes made in a moment, and those of the book's sample rounds."""

from collections.abc import Sequence
from types import MappingProxyType

from bot.rules.kernel import evolve
from bot.rules.kernel.foes import FoeLevel, FoeRules
from bot.rules.swim_class.character.implements import CATALOGUE, item_of
from bot.rules.swim_class.character.resources import COMPOSURE
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import HeldTrait, States, SwimSheet
from bot.rules.swim_class.creation.creation import bought
from bot.rules.swim_class.resolution.tables import PRESETS, Pool, SwimPreset

BASICS = ("basic_melee", "basic_ranged", "throw", "agility", "walk")
RANKS = {FoeLevel.WEAK: 1, FoeLevel.ABLE: 2, FoeLevel.STRONG: 3, FoeLevel.MIGHTY: 5}


def _make(level: FoeLevel, _settings: SwimSettings) -> SwimSheet:
    """A sheet whose fighting skills and defenses have one rank.

    Source: SWIM-COMB-17.
    """
    ranks = dict.fromkeys((*BASICS, COMPOSURE, *(pool.defence for pool in Pool)), RANKS[level])
    return SwimSheet(ranks=ranks)


def _give(sheet: SwimSheet, _level: FoeLevel, names: Sequence[str], _settings: SwimSettings) -> SwimSheet:
    for name in names:
        sheet = sheet.with_item(item_of(CATALOGUE[name]))
    return sheet


def _of_the_book(preset: SwimPreset) -> SwimSheet:
    """A combatant of the book's sample rounds.

    Source: SWIM-COMB-17 (SWIM-R59).
    """
    traits = tuple(HeldTrait(key=key, degree=degree) for key, degree in preset.traits.items())
    return SwimSheet(ranks=preset.ranks, items=tuple(bought(name) for name in preset.items), traits=traits)


def _weapons(_settings: SwimSettings) -> Sequence[str]:
    return [name for name, one in CATALOGUE.items() if one.is_weapon]


FOES: FoeRules[SwimSheet, SwimSettings] = FoeRules(
    title="Weapons",
    things=_weapons,
    make=_make,
    give=_give,
    book=MappingProxyType({name: _of_the_book(preset) for name, preset in PRESETS.items()}),
    fresh=lambda sheet: evolve(sheet, states=States(), stable=(), tallies={}, broken=(), is_dead=False),
)
