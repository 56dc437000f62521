"""The spells and abilities a character can use outside a turn, and how they prepare and recover."""

from collections.abc import Iterator

from bot.rules.kernel import Choice, NoOptions
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.casters import casting_of, known_spells, mages_of, ways_to_cast
from bot.rules.rpj.character.concentration import is_concentrating
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.commands.ability_builder import BuildOptions
from bot.rules.rpj.combat.commands.turn_commands import active_fighter
from bot.rules.rpj.magic.ability_commands import NamedOptions
from bot.rules.rpj.magic.ability_use import RpjUseOptions
from bot.rules.rpj.magic.ability_users import abilities_of, ability_skills
from bot.rules.rpj.magic.casting import RpjCastOptions, assert_able, chosen_way
from bot.rules.rpj.magic.preparing import PrepareOptions
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.require_rules import Pack
from bot.rules.rpj.module.spells import RpjSpell, slot_word
from bot.rules.shared.offering import Offering, choice_of, is_allowed, others_of

MOST_REASONS = 2
MOST_SPELLS = 20


def magic_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Spells and abilities outside a fight, and preparing them; in a fight the board has them.

    Source: RPJ-SMAG-03, RPJ-SMAG-11, RPJ-SMAG-15, RPJ-WMAG-18, RPJ-WMAG-20.
    """
    figure = figure_in(scene, scene.actor)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.STRUCTURED_MAGIC) and known_spells(figure):
        if active_fighter(scene) is None and is_allowed(lambda: assert_able(figure)):
            yield from _spells(scene, figure, offering)
        prepared = (
            (Choice(spell.id, spell.name[:100], slot_word(spell.level)), PrepareOptions(spell=spell.id))
            for spell in known_spells(figure)
        )
        yield from offering.menu(ActGroup.USE, "prepare", "Prepare a spell …", "spell", prepared)
    if figure.plays(Pack.WILD_MAGIC):
        if active_fighter(scene) is None and not figure.sheet.wild.is_strained:
            yield from _abilities(scene, figure, offering)
        if ability_skills(figure):
            yield offering.act(ActGroup.USE, "build", BuildOptions(), "Build an ability …")
        own = (
            (Choice(one.name, one.name), NamedOptions(ability=one.name))
            for one in figure.sheet.wild.abilities
        )
        yield from offering.menu(ActGroup.USE, "forget_ability", "Delete a saved ability …", "ability", own)


def magic_rest_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Concentrating for slots, and the roll against strain.

    Source: RPJ-SMAG-15, RPJ-WMAG-08.
    """
    figure = figure_in(scene, scene.actor)
    if figure.plays(Pack.WILD_MAGIC) and figure.sheet.wild.is_strained:
        yield offering.act(ActGroup.REST, "strain", NoOptions(), "Roll against strain")
    if not figure.plays(Pack.STRUCTURED_MAGIC) or not mages_of(figure):
        return
    is_free = active_fighter(scene) is None and figure.sheet.health.out is Out.NO
    if is_free and not is_concentrating(scene, offering.who):
        label = "Concentrate: an hour restores slots"
        yield offering.act(ActGroup.REST, "concentrate", NoOptions(), label)


def _spells(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    casting, reasons = casting_of(figure), 0
    for spell in known_spells(figure)[:MOST_SPELLS]:
        options = RpjCastOptions(spell=spell.id)
        if not ways_to_cast(figure, casting, spell):
            if reasons < MOST_REASONS:
                reasons += 1
                why_not = _why_not(figure, spell)
                yield offering.act(ActGroup.USE, "cast", options, f"Cast {spell.name}", why_not=why_not)
            continue
        place, _mage = chosen_way(figure, casting, spell, None)
        label = f"Cast {spell.name} · {slot_word(casting.slots[place].level, figure.module.magic.word)}"
        if spell.is_attack or spell.damage is not None or spell.save is not None:
            foes = sorted(others_of(scene), key=lambda one: one.owner is not None)
            at = ((choice_of(one), RpjCastOptions(spell=spell.id, target=one.id)) for one in foes)
            found = list(offering.menu(ActGroup.USE, "cast", f"{label} at …", "target", at, is_tried=False))
            yield from found or (offering.act(ActGroup.USE, "cast", options, label),)
        else:
            yield offering.act(ActGroup.USE, "cast", options, label)


def _why_not(figure: Stats, spell: RpjSpell) -> str:
    try:
        chosen_way(figure, casting_of(figure), spell, None)
    except UserError as mistake:
        return str(mistake)
    return ""


def _abilities(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    foes = sorted(others_of(scene), key=lambda one: one.owner is not None)
    for ability in abilities_of(figure):
        label = f"{ability.name} · {ability.cost} stamina"
        options = RpjUseOptions(ability=ability.name)
        found: list[Act] = []
        if ability.recipe.damage is not None:
            at = ((choice_of(one), RpjUseOptions(ability=ability.name, target=one.id)) for one in foes)
            found = list(
                offering.menu(ActGroup.USE, "use_ability", f"{label} at …", "target", at, is_tried=False)
            )
        yield from found or (offering.act(ActGroup.USE, "use_ability", options, label),)
