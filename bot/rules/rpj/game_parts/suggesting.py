"""Suggestions while someone types an option, and the checks a GM can request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.rules.kernel import InChannel, Narrowed, RequestableCheck, Said, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import everything, items_of
from bot.rules.rpj.character.casters import known_spells
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.sheet import Character, RpjSheet, Scene, Stats, figure_of
from bot.rules.rpj.checks.skill_checks import KINDS, RpjRolled, attribute_toggles, skill_toggles
from bot.rules.rpj.combat.combatant import RpjCombatant, counted
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.combat.rules.combatants import weapons_of
from bot.rules.rpj.mass_commands import find_round
from bot.rules.rpj.module.basics import RpjAttribute, Rung, named
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.possessions import features_of
from bot.rules.rpj.module.settings import RpjSettings, is_on, module_in
from bot.rules.rpj.resolution.check_inputs import CheckKind
from bot.rules.rpj.trading import goods
from bot.rules.rpj.wild_magic import abilities_of, ability_skills

Suggesting: TypeAlias = Callable[[Character | None, RpjSettings], Sequence[str]]


def _fight(scene: Scene) -> Fight:
    """The fight of the channel; an empty one where there is none."""
    return FIGHTS_KEPT.find(scene) or Fight()


def regions(scene: Scene) -> Sequence[str]:
    """The regions of the battlefield; empty without a fight."""
    if FIGHTS_KEPT.find(scene) is None:
        return []
    field = _fight(scene).field
    return [field.name(number) for number in field.numbers]


def covers(scene: Scene) -> Sequence[str]:
    """The cover on the battlefield."""
    fight = _fight(scene)
    known = fight.covers if scene.is_gm else fight.known_covers
    return list(dict.fromkeys(placed.cover.name for placed in known))


def fighters(scene: Scene) -> Sequence[str]:
    """The combatants the reader may see; mooks of a kind are counted."""
    fight = FIGHTS_KEPT.find(scene)
    if fight is None:
        return []
    known = scene.names([one.character for one in fight.combatants if one.character is not None])

    def there(combatants: Iterable[RpjCombatant]) -> Iterator[RpjCombatant]:
        for one in combatants:
            if one.character is None:
                yield one
            elif one.character in known:
                yield one if one.name else evolve(one, name=known[one.character])

    hiding = counted(there(fight.hiding)) if scene.is_gm else ()
    return list(dict.fromkeys((*counted(there(fight.present)), *hiding)))


def hidden_mooks(scene: Scene) -> Sequence[str]:
    """The kinds of hidden mooks, for the GM."""
    hidden = (one.mook for one in _fight(scene).combatants if one.is_hidden)
    return list(dict.fromkeys(mook.name for mook in hidden if mook is not None)) if scene.is_gm else []


def sides(scene: Scene) -> Sequence[str]:
    """The sides of the battle."""
    found = find_round(scene)
    return [] if found is None else [side.name for side in found.battle.sides]


CHANNEL_NAMES = {
    "region": InChannel(regions),
    "cover": InChannel(covers),
    "fighter": InChannel(fighters),
    "hidden mooks": InChannel(hidden_mooks),
    "side of a battle": InChannel(sides),
}


def skills(character: Character | None, settings: RpjSettings) -> Sequence[str]:
    """The skills of the module, the character's own first, the best of them ahead."""
    module = module_in(settings)
    if character is None:
        return [skill.name for skill in module.skills]
    figure = figure_of(character, settings)
    own = {one.skill for one in figure.sheet.skills} | {pick.skill for pick in figure.sheet.class_skills}
    first = [skill for skill in module.skills if skill.id in own]
    first.sort(key=lambda skill: -figure.effective_level(skill))
    return [*(skill.name for skill in first), *(skill.name for skill in module.skills if skill.id not in own)]


def difficulties(_character: Character | None, settings: RpjSettings) -> Sequence[str]:
    """The difficulty ladder, each name with its target numbers."""
    return [rung_words(rung) for rung in module_in(settings).ladder]


def rung_words(rung: Rung) -> str:
    """A name of the ladder with its target numbers ("Moderate · 9-10+")."""
    return f"{rung.name} · {rung.targets}"


def specialties(character: Character | None, settings: RpjSettings, said: Said) -> Sequence[str]:
    """The character's specialties, then the module's; only of the typed skill, if any."""
    module = module_in(settings)
    only = _skill_said(module, said)
    found = [] if character is None else [(one.skill, one.specialty) for one in character.sheet.skills]
    found += [(pick.skill, pick.specialty) for class_ in module.classes for pick in class_.skills]
    found += [(skill.id, name) for skill in module.skills for name in (*skill.specialties, *skill.examples)]
    return [name for skill, name in found if name and (only is None or skill == only.id)]


def _skill_said(module: Module, said: Said) -> RpjSkill | None:
    """The skill typed into the command, or None."""
    return named(module.skills, said.get("skill", "").partition("(")[0])


def conditions(character: Character | None, settings: RpjSettings, said: Said) -> Sequence[str]:
    """The trait conditions the player can claim for a skill check."""
    if character is None:
        return []
    figure = figure_of(character, settings)
    only = _skill_said(figure.module, said)
    skills = figure.module.skills if only is None else (only,)
    return list(dict.fromkeys(words for skill in skills for words in skill_toggles(figure, skill)))


def attribute_conditions(character: Character | None, settings: RpjSettings, said: Said) -> Sequence[str]:
    """The trait conditions the player can claim for an attribute roll."""
    if character is None:
        return []
    figure = figure_of(character, settings)
    attributes = [one for one in RpjAttribute if said.get("attribute", one.value) == one.value]
    rolled = next((one for one in RpjRolled if one == said.get("rolled")), RpjRolled.LEVEL)
    found = (words for one in attributes for words in attribute_toggles(figure, one, KINDS[rolled]))
    return list(dict.fromkeys(found))


def forbidden(_character: Character | None, _settings: RpjSettings, said: Said) -> Sequence[str]:
    """What a condition can prevent, each appended to those already typed."""
    before, comma, _last = said.get("forbids", "").rpartition(",")
    lead = f"{before}{comma} " if comma else ""
    return [f"{lead}{need.value}" for need in Need if need.value not in before]


def traits(character: Character | None, settings: RpjSettings) -> Sequence[str]:
    """The traits that the character could take."""
    have = set() if character is None else {own.trait for own in character.sheet.traits}
    offered = module_in(settings).traits
    return [trait.name for trait in offered if trait.id not in have and not trait.comes_with_class]


def spells(character: Character | None, settings: RpjSettings) -> Sequence[str]:
    """The spells the character knows; all of the module's without one, none without magic."""
    if not is_on(settings, Pack.STRUCTURED_MAGIC):
        return []
    known = module_in(settings).spells if character is None else known_spells(figure_of(character, settings))
    return _names(known)


def _names(found: Iterable[Any]) -> list[str]:
    return [one.name for one in found]


def _own_traits(figure: Stats) -> list[str]:
    have = {own.trait for own in figure.sheet.traits}
    return [trait.name for trait in figure.module.traits if trait.id in have]


def _own_things(figure: Stats) -> list[str]:
    names = {id_: item.name for id_, item in items_of(figure.module).items()}
    return [names.get(one.item, one.item) for one in everything(figure.sheet, figure.module)]


def _magic_skills(module: Module) -> list[str]:
    found = (module.skill(rules.skill) for rules in module.magic.skills)
    return [skill.name for skill in found if skill is not None]


def _features(module: Module) -> list[str]:
    """What quality can change about things."""
    found = (features_of(item) for item in items_of(module).values())
    return list(dict.fromkeys(name for names in found for name in names))


def _of_module(find: Callable[[Module], list[str]], pack: Pack | None = None) -> Suggesting:
    """Names of the module; none while the optional rule that they belong to is off."""
    return lambda _character, settings: (
        find(module_in(settings)) if pack is None or is_on(settings, pack) else []
    )


def _of_character(find: Callable[[Stats], Sequence[str]], pack: Pack | None = None) -> Suggesting:
    """Names of what a character has; none while the optional rule that they belong to is off."""

    def names(character: Character | None, settings: RpjSettings) -> Sequence[str]:
        if character is None or not (pack is None or is_on(settings, pack)):
            return []
        return find(figure_of(character, settings))

    return names


SUGGESTION_LISTS: dict[str, Suggesting] = {
    "own condition": _of_character(
        lambda figure: _names(one.condition for one in figure.sheet.conditions), Pack.CONDITIONS
    ),
    "known condition": _of_module(lambda module: _names(module.conditions), Pack.CONDITIONS),
    "what a condition forbids": Narrowed(forbidden),
    "ability": _of_character(lambda figure: _names(abilities_of(figure)), Pack.WILD_MAGIC),
    "ability skill": _of_character(lambda figure: _names(ability_skills(figure)), Pack.WILD_MAGIC),
    "magic skill": _of_module(_magic_skills),
    "weapon": _of_character(lambda figure: [*_names(weapons_of(figure)), "unarmed"]),
    "loaded weapon": _of_module(
        lambda module: _names(one for one in module.weapons if one.ammunition is not None),
        Pack.FIRE_AND_MOVEMENT,
    ),
    "spell": spells,
    "any spell": _of_module(lambda module: _names(module.spells), Pack.STRUCTURED_MAGIC),
    "goods": _of_module(lambda module: _names(goods(module)), Pack.MONEY),
    "thing": _of_module(lambda module: _names(items_of(module).values())),
    "own thing": _of_character(_own_things),
    "feature": _of_module(_features),
    "layer": _of_character(lambda figure: _names(layers_of(figure))),
    "trait": traits,
    "own_trait": _of_character(_own_traits),
    "class": _of_module(lambda module: _names(module.classes)),
    "skill": skills,
    "difficulty": difficulties,
    "specialty": Narrowed(specialties),
    "condition": Narrowed(conditions),
    "attribute condition": Narrowed(attribute_conditions),
    "luck condition": _of_character(
        lambda figure: attribute_toggles(figure, RpjAttribute.LUCK, CheckKind.LUCK)
    ),
    "table": _of_module(lambda module: _names(module.tables)),
    **CHANNEL_NAMES,
}


def _read(rolled: RpjRolled) -> Callable[[str], Mapping[str, object]]:
    def read(text: str) -> Mapping[str, object]:
        """Read a typed attribute: its full or short name.

        Raises:
            UserError: If there is no such attribute.
        """
        said = text.strip().casefold()
        for attribute in RpjAttribute:
            if said in (attribute.word.casefold(), attribute.value.casefold()):
                return {"attribute": attribute, "rolled": rolled}
        names = ", ".join(attribute.word for attribute in RpjAttribute)
        raise UserError(f"There is no attribute “{text.strip()}”.", f"The attributes: {names}.")

    return read


def _attribute(title: str, rolled: RpjRolled) -> RequestableCheck[RpjSheet, RpjSettings]:
    return RequestableCheck(
        procedure="attribute",
        title=title,
        difficulty="difficulty",
        read=_read(rolled),
        names=lambda _who, _settings: tuple(attribute.word for attribute in RpjAttribute),
        difficulties=difficulties,
    )


ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=skills,
        difficulties=difficulties,
    ),
    _attribute("attribute check", RpjRolled.LEVEL),
    _attribute("saving throw", RpjRolled.SAVE),
    _attribute("attribute bonus check", RpjRolled.BONUS),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=difficulties,
    ),
)
