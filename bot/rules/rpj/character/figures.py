"""Stats of the characters of a scene, read with the campaign's module."""

from bot.rules.kernel import evolve
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.quality import with_qualities
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.settings import RpjSettings, module_in


def figure_of(character: Character, settings: RpjSettings) -> Stats:
    """A character's stats in a campaign, with their own choice of dice or coins and their items' quality.

    Source: RPJ-COIN-01, RPJ-COIN-08.
    """
    sheet, module = character.sheet, module_in(settings)
    if sheet.flips_coins and Pack.COIN_FLIPS in module.optional_rules:
        criticals = evolve(module.criticals, with_coins=True)
        module = evolve(module, criticals=criticals)
    return Stats(sheet, with_qualities(module, sheet.qualities) if sheet.qualities else module)


def figure_in(scene: Scene, character: Character) -> Stats:
    """A character's stats in a scene."""
    return figure_of(character, scene.settings)
