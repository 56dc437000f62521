"""The character sheet as text and picture, and its changes as results and the recap show them."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from bot.rules.kernel import (
    CharacterHealth,
    Gauge,
    GaugeKind,
    Glance,
    Growth,
    Section,
    grown,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, harm, shown_number, signed
from bot.rules.rpj.character.belongings import (
    is_defenseless,
    purse_of,
)
from bot.rules.rpj.character.casters import grants_of, mages_of
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    base_layer,
    damage_save,
    health_lines,
    layers_of,
    looks_of,
    saves_of,
)
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import (
    Character,
    RpjSheet,
    Stats,
    figure_of,
)
from bot.rules.rpj.checks.odds import expected_hits, hits_words
from bot.rules.rpj.checks.skill_checks import skill_check
from bot.rules.rpj.combat.combatant import shown_distance
from bot.rules.rpj.combat.commands.inventory import ammunition_line, load_lines
from bot.rules.rpj.combat.rules.attacks import defenses
from bot.rules.rpj.combat.rules.combatants import Arm, arm_of, each_once, unarmed
from bot.rules.rpj.combat.rules.shooting import defense_line
from bot.rules.rpj.conditions import condition_lines
from bot.rules.rpj.known_spells import slot_lines
from bot.rules.rpj.module.basics import Category, RpjAttribute, grade, power_word
from bot.rules.rpj.module.defense_layers import Layer, Out, actions_of
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.rpj.trading import purse_lines
from bot.rules.rpj.wild_magic import (
    ability_lines,
    ability_skills,
)


def actions(figure: Stats) -> int:
    """The actions per turn. [RPJ-GCS-09]"""
    return actions_of(figure.level(RpjAttribute.DEX), figure.module.combat)


def combat_lines(figure: Stats) -> tuple[str, ...]:
    """Actions and defenses, then a line for each weapon; empty where the module has none.

    [RPJ-CHAR-01, RPJ-GCS-09, RPJ-GCS-23 to RPJ-GCS-27, RPJ-INV-04 (INV-04b)]
    """
    arms = _arms(figure)
    if not arms:
        return ()
    is_scaled = figure.plays(Pack.DAMAGE_SCALES)
    met = " · ".join(f"{defense.way} {defense.value}+" for defense in defenses(figure))
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        met = f"{met} · {defense_line(figure)}"
    if is_defenseless(figure):
        met = "overloaded: every attack hits without a roll"
    return (
        f"{actions(figure)} actions per turn · {met}",
        *(_arm_line(figure, arm, is_scaled=is_scaled) for arm in arms),
    )


def _arms(figure: Stats) -> list[Arm]:
    """Carried weapons and bare hands, without those that need training."""
    found: list[Arm] = []
    for weapon in figure.module.weapons:
        if weapon.id in figure.sheet.belongings:
            with suppress(UserError):
                found.append(arm_of(figure, weapon))
    with suppress(UserError):  # the module may have no skill for bare hands
        found.append(unarmed(figure))
    return list(each_once(found))


def _arm_line(figure: Stats, arm: Arm, *, is_scaled: bool) -> str:
    modifier = arm.modifier + arm.weapon + sum(term.value for term in arm.addends)
    parts = [f"{arm.name} {signed(modifier)}", f"damage {shown_number(arm.damage)}"]
    if arm.scale.tag and is_scaled:
        parts[-1] += f" {arm.scale}"
    if arm.hits > 1:
        parts.append(f"{arm.hits} hits")
    if arm.is_ranged:
        parts.append(f"distance {shown_distance(arm.least)}–{shown_distance(arm.greatest)}")
    ammunition = ammunition_line(figure, arm.id)
    return " · ".join([*parts, ammunition] if ammunition else parts)


AVERAGE_DAMAGE = 2


def describe(figure: Stats, lucky_breaks_left: int | None) -> tuple[Section, ...]:
    """Points, attributes, damage saves, fighting, skills, traits and belongings in short lines.

    Args:
        figure: The character.
        lucky_breaks_left: Its Lucky Breaks left this session; None for an NPC.

    [RPJ-CHAR-01, RPJ-CHAR-04, RPJ-ATTR-01, RPJ-ATTR-02, RPJ-SKILL-04 to RPJ-SKILL-06, RPJ-LUCK-05, RPJ-
    GCS-65]
    """
    breaks = _lucky_break_lines(figure, lucky_breaks_left)
    pictured = () if figure.sheet.lucky_breaks_lost else breaks
    sections = (
        Section(
            "Character",
            (*_character_lines(figure), *breaks),
            pictured=pictured,
        ),
        Section("Attributes", _attribute_lines(figure)),
        Section("Damage saves", (*health_lines(figure), *_endurance_lines(figure))),
        Section("Fighting", combat_lines(figure)),
        Section("Skills", _skill_lines(figure)),
        Section("Traits", _trait_lines(figure)),
        Section("Belongings", _belonging_lines(figure)),
        Section("About", _about_lines(figure)),
    )
    return tuple(section for section in sections if section.lines)


def _lucky_break_lines(figure: Stats, left: int | None) -> tuple[str, ...]:
    lost = figure.sheet.lucky_breaks_lost
    words = f" ({lost} lost permanently)" if lost else ""
    return () if left is None else (f"Lucky Breaks {left} of {figure.lucky_breaks}{words}",)


def _character_lines(figure: Stats) -> tuple[str, ...]:
    sheet = figure.sheet
    class_ = figure.module.character_class(sheet.class_id)
    power = power_word(sheet.total_points)
    left_to_spend = f"{sheet.available_points} of {sheet.total_points} character points to spend"
    parts = (left_to_spend if sheet.total_points else "", f"tier {figure.tier}", power)
    points = " · ".join(filter(None, parts))
    return tuple(line for line in (class_.name if class_ else "", points) if line)


def _endurance_lines(figure: Stats) -> tuple[str, ...]:
    """The average number of hits of a common weapon the remaining base saves last. [RPJ-GCS-65 (R-122)]"""
    base, strike = base_layer(figure), Strike(damage=AVERAGE_DAMAGE)
    left = [Spot(base, place) for place, save in enumerate(base.saves) if not save.is_lost]
    hits = [expected_hits(damage_save(figure, spot, strike)) for spot in left]
    known = [one for one in hits if one is not None]
    if not known or len(known) < len(hits):
        return ()
    total = hits_words(sum(known, start=Fraction(0)))
    return (f"Against damage {AVERAGE_DAMAGE}, the base saves last {total} on average",)


def _attribute(figure: Stats, attribute: RpjAttribute) -> str:
    return f"{attribute} {shown_number(figure.level(attribute))}/{signed(figure.bonus(attribute))}"


def _attribute_lines(figure: Stats) -> tuple[str, ...]:
    lines = [
        f"{category}{' ★' if category is figure.sheet.primary else ''}: "
        + " · ".join(_attribute(figure, attribute) for attribute in category.members)
        for category in Category
    ]
    return (*lines, _attribute(figure, RpjAttribute.LUCK))


def _skill_lines(figure: Stats) -> tuple[str, ...]:
    """Bought skills and class skills, the highest effective level first."""
    picked = [pick.skill for pick in figure.sheet.class_skills]
    ids = [own.skill for own in figure.sheet.skills] + picked
    skills = [skill for skill in figure.module.skills if skill.id in ids]
    skills.sort(key=lambda skill: (-figure.effective_level(skill), skill.name))
    return tuple(_skill_line(figure, skill, is_class_skill=skill.id in picked) for skill in skills)


def _skill_line(figure: Stats, skill: RpjSkill, *, is_class_skill: bool) -> str:
    own = figure.sheet.own_skill(skill.id)
    level = figure.effective_level(skill)
    parts = [
        f"{skill.with_specialty(own.specialty if own else '')} {shown_number(level)} {grade(level)}"
        f"{_rolled_words(figure, skill)}",
        f"{figure.base_level(skill)}{signed(figure.bonus(figure.linked(skill)))} {figure.linked(skill)}",
    ]
    if is_class_skill:
        parts.append(f"class {signed(figure.module.characters.class_bonus)}")
    if skill.has_passive_level:
        parts.append(f"passive {shown_number(figure.passive_level(skill))}")
    return " · ".join(parts)


def _rolled_words(figure: Stats, skill: RpjSkill) -> str:
    """What a plain check adds, where that is not the level; nothing where the skill can't be rolled."""
    try:
        modifier = skill_check(figure, skill).modifier
    except UserError:
        return ""
    return "" if modifier == figure.effective_level(skill) else f" (rolls {signed(modifier)})"


def _trait_lines(figure: Stats) -> tuple[str, ...]:
    found = (figure.module.trait(own.trait) for own in figure.sheet.traits)
    return tuple(f"{trait.name}: {trait.description}".rstrip(": ") for trait in found if trait is not None)


def _belonging_lines(figure: Stats) -> tuple[str, ...]:
    module = figure.module
    carried = (*module.weapons, *module.armor, *module.gear)
    return tuple(part.name for part in carried if part.id in figure.sheet.belongings)


def _about_lines(figure: Stats) -> tuple[str, ...]:
    sheet = figure.sheet
    short = " · ".join(part for part in (sheet.species, sheet.gender) if part)
    return tuple(line for line in (short, sheet.biography) if line)


def glance(character: Character, settings: RpjSettings) -> Glance:
    """Lucky Breaks and the damage saves left in each layer, the base first. [RPJ-LUCK-05, RPJ-HEALTH-10]"""
    figure = figure_of(character, settings)
    sheet, gauges = character.sheet, []
    if character.owner is not None:
        gauges.append(
            Gauge.of("Lucky Breaks", lucky_breaks_left(character), figure.lucky_breaks, GaugeKind.POINTS)
        )
    gauges += [_layer(one) for one in reversed(layers_of(figure))]
    out = (sheet.health.state.capitalize(),) if sheet.health.out is not Out.NO else ()
    return Glance(tuple(gauges), (*out, *(one.condition.name for one in sheet.conditions)))


def health_of(character: Character, settings: RpjSettings) -> CharacterHealth:
    """The damage saves left; others see how hurt a character looks. [RPJ-HEALTH-10]"""
    if character.sheet.mook is not None:  # a mook has no saves
        return CharacterHealth()
    figure = figure_of(character, settings)
    layers = layers_of(figure)
    return CharacterHealth((saves_of(figure, layers),), looks_of(layers))


def _layer(layer: Layer) -> Gauge:
    left = sum(not save.is_lost for save in layer.saves)
    title = f"{layer.name} saves" if layer.kind is LayerKind.BASE else layer.name
    return Gauge.of(title, left, len(layer.saves))


def pack_sections(character: Character, settings: RpjSettings) -> tuple[Section, ...]:
    """The sections of the optional rules that are on. [RPJ-COND-01, RPJ-MONEY-01, RPJ-INV-01, RPJ-INV-02]"""
    return tuple(section for section in _sections(character, settings) if section.lines)


def _sections(character: Character, settings: RpjSettings) -> Iterator[Section]:
    if is_on(settings, Pack.CONDITIONS):
        yield Section("Conditions", condition_lines(character.sheet.conditions, module_in(settings)))
    if is_on(settings, Pack.STRUCTURED_MAGIC):
        figure = figure_of(character, settings)
        if mages_of(figure) or grants_of(figure):
            yield Section("Spells", slot_lines(figure))
    if is_on(settings, Pack.WILD_MAGIC):
        figure = figure_of(character, settings)
        if ability_skills(figure):
            yield Section("Abilities", ability_lines(figure))
    if is_on(settings, Pack.MONEY):
        yield Section("Purse", purse_lines(purse_of(character)))
    if is_on(settings, Pack.INVENTORY):
        yield Section("Load", load_lines(figure_of(character, settings)))


Changed = tuple[str, str, str]


def growth(before: Stats, after: Stats) -> Iterator[Changed]:
    """The changed values: what it is, before, after.

    [RPJ-CHAR-01, RPJ-CHAR-02, RPJ-CHAR-03, RPJ-CHAR-05, RPJ-ATTR-02, RPJ-HEALTH-04]
    """
    was, now = before.sheet, after.sheet
    yield from _number("Character points to spend", was.available_points, now.available_points)
    yield from _number("Character power", was.total_points, now.total_points)
    for attribute in RpjAttribute:
        yield from _number(attribute.word, was.attributes.get(attribute, 0), now.attributes.get(attribute, 0))
        yield from _bonus(attribute, before, after)
    yield from _skills(before, after)
    yield from _number("Actions per turn", actions(before), actions(after))
    yield from _number("Base saves", len(before.base_saves), len(after.base_saves))
    yield from _number("Lucky Breaks per session", before.lucky_breaks, after.lucky_breaks)
    had, has = _trait_names(before), _trait_names(after)
    for name in [*(one for one in had if one not in has), *(one for one in has if one not in had)]:
        yield name, "yes" if name in had else "no", "yes" if name in has else "no"


def _number(what: str, was: int, now: int) -> Iterator[Changed]:
    if was != now:
        yield what, str(was), str(now)


def _bonus(attribute: RpjAttribute, before: Stats, after: Stats) -> Iterator[Changed]:
    was, now = before.bonus(attribute), after.bonus(attribute)
    if was != now:
        yield f"{attribute.word} bonus", signed(was), signed(now)


def _skills(before: Stats, after: Stats) -> Iterator[Changed]:
    for skill in after.module.skills:
        own = after.sheet.own_skill(skill.id) or before.sheet.own_skill(skill.id)
        if own is not None:
            name = skill.with_specialty(own.specialty)
            yield from _number(name, before.base_level(skill), after.base_level(skill))


def _trait_names(figure: Stats) -> list[str]:
    found = (figure.module.trait(own.trait) for own in figure.sheet.traits)
    return [trait.name for trait in found if trait is not None]


DERIVED = ("Character points to spend", "Character power", "Actions per turn", "Base saves")


def grown_parts(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Growth]:
    """Return the attributes, skills and traits that a character gained or raised."""
    if not has_grown(before, after):
        return
    module = module_in(settings)
    for what, was, now in growth(Stats(before, module), Stats(after, module)):
        if now == "yes":
            yield Growth(what, "", "new")
        elif what not in DERIVED and was.isdecimal() and now.isdecimal():
            yield from grown(what, int(was), int(now))


def has_grown(before: RpjSheet, after: RpjSheet) -> bool:
    """Whether anything about advancement changed on a sheet."""
    parts = ("available_points", "total_points", "attributes", "skills", "traits")
    return any(getattr(before, part) != getattr(after, part) for part in parts)


def sheet_changes(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Changed]:
    """The changed values: what it is, before, after.

    [RPJ-HEALTH-10, RPJ-HEALTH-14 to RPJ-HEALTH-16, RPJ-LUCK-05, RPJ-CHAR-01]
    """
    if has_grown(before, after):
        module = module_in(settings)
        yield from growth(Stats(before, module), Stats(after, module))
    if before.lucky_breaks_lost != after.lucky_breaks_lost:
        yield "Lucky Breaks lost permanently", str(before.lucky_breaks_lost), str(after.lucky_breaks_lost)
    if before.health != after.health:
        yield from _health(before, after, module_in(settings))


def npc_changes(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Changed]:
    """The public changes of an NPC besides how it looks: not its saves. [RPJ-HEALTH-10]"""
    module = module_in(settings)
    if has_grown(before, after):
        yield from growth(Stats(before, module), Stats(after, module))
    if before.health.state != after.health.state:
        yield down("State"), before.health.state, after.health.state


def _health(before: RpjSheet, after: RpjSheet, module: Module) -> Iterator[Changed]:
    were = {layer.id: layer for layer in layers_of(Stats(before, module))}
    are = {layer.id: layer for layer in layers_of(Stats(after, module))}
    for id_ in {**were, **are}:
        was, now = were.get(id_), are.get(id_)
        if was != now and (name := now or was) is not None:
            yield harm(name.name), "none" if was is None else was.words, "none" if now is None else now.words
    if before.health.state != after.health.state:
        yield down("State"), before.health.state, after.health.state
