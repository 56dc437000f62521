"""What a GM has: foes made in a moment, acts on a character; what is suggested while someone types."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.rules.kernel import (
    Audience,
    Choice,
    InChannel,
    Narrowed,
    Procedure,
    RequestableCheck,
    Said,
    TextField,
    evolve,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import counted, signed
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.rpj.character.belongings import everything, items_of, purse_of
from bot.rules.rpj.character.casters import is_concentrating, known_spells
from bot.rules.rpj.character.damage_saves import ARMORED, layers_of
from bot.rules.rpj.character.sheet import Character, OwnSkill, RpjSheet, Scene, Stats, figure_in, figure_of
from bot.rules.rpj.checks.skill_checks import KINDS, RpjRolled, attribute_toggles, skill_toggles
from bot.rules.rpj.combat.combatant import MookSheet, RpjCombatant
from bot.rules.rpj.combat.combatant import counted as count_mooks
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.combat.rules.combatants import weapons_of
from bot.rules.rpj.combat.rules.shooting import supplied
from bot.rules.rpj.mass_commands import find_round
from bot.rules.rpj.module.basics import RpjAttribute, Rung, Scale
from bot.rules.rpj.module.basics import named as entry_named
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import step_name
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.rpj.module.possessions import features_of
from bot.rules.rpj.resolution.check_inputs import CheckKind
from bot.rules.rpj.trading import goods
from bot.rules.rpj.wild_magic import abilities_of, ability_skills
from bot.rules.shared.offering import Offering, named, numbers

SKILLS = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 4, FoeLevel.STRONG: 6, FoeLevel.MIGHTY: 7}  # RPJ-GM-01
ATTRIBUTES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 4}  # RPJ-GM-02


def _make(level: FoeLevel, settings: RpjSettings) -> RpjSheet:
    """A sheet with attributes of a level, and the skills that fights use. [RPJ-GM-01, RPJ-GM-02]"""
    sheet = RpjSheet(attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[level]))
    module = module_in(settings)
    for skill in module.skills:
        if skill.roles:
            sheet = _skilled(sheet, skill, level, module)
    return sheet


def _skilled(sheet: RpjSheet, skill: RpjSkill, level: FoeLevel, module: Module) -> RpjSheet:
    """The sheet with a skill at the effective level that its own level means."""
    figure = Stats(sheet, module)
    linked = figure.linked(skill)
    base = SKILLS[level] - figure.bonus(linked)
    specialty = (*skill.specialties, *skill.examples, "")[0] if skill.has_specialty else ""
    return sheet.with_skill(OwnSkill(skill=skill.id, base=base, specialty=specialty, linked=linked))


def _give(sheet: RpjSheet, level: FoeLevel, names: Sequence[str], settings: RpjSettings) -> RpjSheet:
    """The sheet with weapons and the skills they are used with. [RPJ-GM-01, RPJ-GCS-57]"""
    module = module_in(settings)
    skills = {skill.id: skill for skill in module.skills}
    for weapon in module.weapons:
        if weapon.name in names:
            rest = tuple(one for one in sheet.belongings if one != weapon.id)
            sheet = evolve(sheet, belongings=(*rest, weapon.id))
            sheet = _skilled(sheet, skills[weapon.skill], level, module)
    return sheet


READY = (
    ReadyFoe("Cutpurse", FoeLevel.WEAK, ("Dagger", "Club")),
    ReadyFoe("Hungry Wolf", FoeLevel.WEAK),
    ReadyFoe("Bandit", FoeLevel.ABLE, ("Longsword", "Club")),
    ReadyFoe("Toll Archer", FoeLevel.ABLE, ("Bow", "Thrown stone")),
    ReadyFoe("Town Guard", FoeLevel.ABLE, ("Club",)),
    ReadyFoe("Sellsword", FoeLevel.STRONG, ("Great axe", "Club")),
    ReadyFoe("Cave Bear", FoeLevel.STRONG),
    ReadyFoe("Duelist", FoeLevel.MIGHTY, ("Longsword", "Dagger", "Club")),
)
FOES: FoeRules[RpjSheet, RpjSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in module_in(settings).weapons],
    make=_make,
    give=_give,
    mook=MookSheet,
    as_mook=lambda mook: RpjSheet(
        attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[FoeLevel.ABLE]), mook=mook
    ),
    ready=READY,
    fresh=lambda sheet: evolve(sheet, conditions=()),
)


DAMAGE = range(-4, 13)
MOST_AMMUNITION = 3
MOST_SPELLS = 200
BYPASSED = (
    Choice("", "no layer"),
    Choice(", ".join(ARMORED), "everything but base saves"),
)


QUICK = range(1, 4)  # damage with a button of its own


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """Damage, healing, conditions, gifts, and what a GM rules or corrects.

    [RPJ-HEALTH-02, RPJ-HEALTH-16, RPJ-HEALTH-18, RPJ-HEALTH-20, RPJ-COND-01, RPJ-LUCK-05, RPJ-LUCK-06, RPJ-
    MONEY-03, RPJ-MONEY-13, RPJ-SMAG-10, RPJ-FIRE-07, RPJ-SCALE-01, RPJ-CHAR-08]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    if scene.actor.sheet.mook is not None:
        return tuple(_damage(scene, offering))
    figure = figure_in(scene, scene.actor)
    return (
        *_damage(scene, offering),
        *_healing(figure, offering),
        *_conditions(scene, figure, offering),
        *_gifts(scene, figure, offering),
        *_rulings(scene, figure, offering),
    )


def _damage(scene: Scene, offering: Offering) -> Iterator[Act]:
    out = scene.actor.sheet.health.out
    damage = numbers(DAMAGE, lambda n: f"{signed(n)} to the save's target number" if n else "0: as it is")
    damage = (damage[-DAMAGE.start], *damage[-DAMAGE.start + 1 :], *damage[: -DAMAGE.start])
    adjusts = {
        "times": "How many times",
        "reduce": "Damage reduction",
        "bypass": "Bypasses",
        "nonlethal": "Knocks out instead of killing",
    }
    ways = (
        ("harm", "Deal damage …", out is Out.NO),
        ("ambush", "Strike while helpless or unaware …", out is not Out.DEAD),
    )
    for procedure, label in ((procedure, label) for procedure, label, can_be in ways if can_be):
        yield offering.act(
            ActGroup.DAMAGE,
            procedure,
            label,
            choices=damage,
            chosen="damage",
            adjusts=adjusts,
            values={"bypass": BYPASSED},
            quick=numbers(QUICK, lambda n: f"{n} damage"),
        )


def _healing(figure: Stats, offering: Offering) -> Iterator[Act]:
    health = figure.sheet.health
    lost = len(health.lost_base)
    if lost:
        saves = numbers(range(1, lost + 1), lambda n: counted(n, "base save"))
        label = f"Restore base saves … ({lost} lost)"
        yield offering.act(ActGroup.HEAL, "heal", label, choices=saves, chosen="saves")
    elif health.out is not Out.NO:
        yield offering.act(ActGroup.HEAL, "heal", "Bring back into action")
    layers = layers_of(figure)
    damaged = (
        one
        for one in layers
        if one.kind in (LayerKind.ARMOR, LayerKind.SHIELD) and any(save.is_lost for save in one.saves)
    )
    yield from offering.menu(ActGroup.HEAL, "repair", "Repair …", "layer", named(damaged))
    temporary = named(one for one in layers if one.id.startswith("own "))
    yield from offering.menu(ActGroup.CONDITION, "end_layer", "End a temporary layer …", "layer", temporary)


def _conditions(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    if figure.plays(Pack.CONDITIONS):
        known = named(figure.module.conditions)
        adjusts = {"surely": "Without a saving throw"}
        yield from offering.menu(
            ActGroup.CONDITION, "condition.add", "Apply a condition …", "name", known, adjusts=adjusts
        )
        own = [Choice(one.condition.name, one.condition.name) for one in scene.actor.sheet.conditions]
        label = "Remove a condition …"
        yield from offering.menu(ActGroup.CONDITION, "condition.remove", label, "name", own)
        yield offering.act(
            ActGroup.CONDITION,
            "condition.make",
            "Apply a custom condition …",
            blanks=(TextField(key="name", prompt="Its name", longest=60),),
            adjusts={
                "kind": "Kind",
                "checks": "Added to checks",
                "attacks": "Added to attacks",
                "defense": "Added to the defense",
            },
        )
    if figure.plays(Pack.STRUCTURED_MAGIC) and is_concentrating(scene, offering.who):
        yield offering.act(ActGroup.CONDITION, "break_off", "Break the concentration")


def _gifts(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    if figure.plays(Pack.MONEY):
        blanks = (
            TextField(key="amount", prompt="How much Coin", longest=6),
            TextField(key="name", prompt="What for", longest=60),
        )
        label, has = "Pay Coin at the month's end …", purse_of(scene.actor).coin
        yield offering.act(ActGroup.GIVE, "income", label, blanks=blanks, amount=1)
        if has:
            label = f"Charge Coin … ({has} now)"
            yield offering.act(ActGroup.GIVE, "charge", label, blanks=blanks, amount=1)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        for weapon, _magazine, _had in supplied(figure):
            steps = numbers(range(MOST_AMMUNITION, -1, -1), step_name)
            label = f"Set the ammunition of {weapon.name} …"
            yield offering.act(
                ActGroup.GIVE, "fire.resupply", label, choices=steps, chosen="step", weapon=weapon.id
            )
    if figure.plays(Pack.STRUCTURED_MAGIC):
        known = figure.sheet.casting.known
        for label, forget in (("Teach a spell …", False), ("Make a spell forgotten …", True)):
            listed = figure.module.spells[:MOST_SPELLS]
            spells = named(one for one in listed if (one.id in known) is forget)
            yield from offering.menu(ActGroup.GIVE, "teach", label, "spell", spells, forget=forget)
    told = (
        TextField(key="name", prompt="Its name", longest=60),
        TextField(key="about", prompt="What it does", longest=300, is_required=False),
        TextField(key="of", prompt="Skill or attribute of its bonus", longest=60, is_required=False),
    )
    adjusts = {"kind": "Kind", "value": "Bonus or penalty", "on": "Kind of roll", "cost": "Character points"}
    label = "Make up a trait for them …"
    yield offering.act(ActGroup.GIVE, "give_trait", label, blanks=told, adjusts=adjusts)


def _rulings(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    sheet = scene.actor.sheet
    yield offering.act(ActGroup.GM, "stand", "Make their rolls final")
    if scene.actor.owner is not None and figure.lucky_breaks:
        reason = (TextField(key="reason", prompt="What it is for", longest=200, is_required=False),)
        label = "Offer a way out for a Lucky Break …"
        yield offering.act(ActGroup.GM, "lose_break", label, blanks=reason)
    if sheet.lucky_breaks_lost:
        counts = numbers(range(1, sheet.lucky_breaks_lost + 1))
        label = "Restore lost Lucky Breaks …"
        yield offering.act(ActGroup.GM, "restore_break", label, choices=counts, chosen="count")
    if figure.plays(Pack.DAMAGE_SCALES):
        scales = [Choice(one.value, one.value.capitalize()) for one in Scale if one is not sheet.scale]
        label = f"Change the damage scale … ({sheet.scale})"
        yield from offering.menu(ActGroup.GM, "scale", label, "scale", scales)
    if sheet.class_id:
        classes = [
            Choice(one.name, one.name[:100]) for one in figure.module.classes if one.id != sheet.class_id
        ]
        label = "Change the class …"
        yield from offering.menu(ActGroup.GM, "change_class", label, "class_name", classes)


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

    hiding = count_mooks(there(fight.hiding)) if scene.is_gm else ()
    return list(dict.fromkeys((*count_mooks(there(fight.present)), *hiding)))


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
    return entry_named(module.skills, said.get("skill", "").partition("(")[0])


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
