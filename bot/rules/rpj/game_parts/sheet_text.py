"""The character sheet as text and picture; resources, and what sessions, timers and rest do to them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    AwardRule,
    CharacterHealth,
    CharacterId,
    Document,
    DueTimer,
    FollowUp,
    Gauge,
    GaugeKind,
    Glance,
    Growth,
    ResourceRule,
    Section,
    evolve,
    grown,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, harm, shown_number, signed
from bot.rules.rpj.character.belongings import (
    COIN,
    MONTH,
    WEALTH,
    begin_months,
    is_defenseless,
    months_pass,
    purse_of,
)
from bot.rules.rpj.character.casters import CONCENTRATION, grants_of, hours_pass, mages_of
from bot.rules.rpj.character.damage_saves import (
    Spot,
    Strike,
    base_layer,
    damage_save,
    health_lines,
    layers_of,
    looks_of,
    rested,
    saves_of,
    still_lost,
)
from bot.rules.rpj.character.damage_saves import with_health as figure_with
from bot.rules.rpj.character.incapacity import CONDITION, Wait, recovered, with_health
from bot.rules.rpj.character.lucky_breaks import LUCKY_BREAKS, lucky_breaks_left, refreshed
from bot.rules.rpj.character.sheet import (
    Character,
    HookResult,
    Outcome,
    RpjSheet,
    Scene,
    Stats,
    figure_in,
    figure_of,
)
from bot.rules.rpj.character_points import award
from bot.rules.rpj.checks.proposals import close_details, expected_hits, hits_words
from bot.rules.rpj.checks.skill_checks import skill_check
from bot.rules.rpj.combat.combatant import shown_distance
from bot.rules.rpj.combat.commands import recovering as fates
from bot.rules.rpj.combat.commands.inventory import ammunition_line, load_lines
from bot.rules.rpj.combat.rules.attacks import defenses
from bot.rules.rpj.combat.rules.combatants import Arm, arm_of, each_once, unarmed
from bot.rules.rpj.combat.rules.shooting import defense_line
from bot.rules.rpj.conditions import condition_lines, conditions_pass
from bot.rules.rpj.known_spells import slot_lines
from bot.rules.rpj.module.basics import Category, RpjAttribute, grade, power_word
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth, actions_of
from bot.rules.rpj.module.effects import LayerKind, WealthGrant
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.rpj.trading import purse_lines
from bot.rules.rpj.wild_magic import (
    PRACTICE,
    ability_lines,
    ability_skills,
    practice_ends,
    rested_hours,
    with_wild,
)
from bot.rules.shared.resting import (
    HOUR_SECONDS,
    REST,
    DuringFight,
    Rested,
    Resting,
    RestOptions,
    RestRules,
    asked_during_fight,
    at_once,
    hours_words,
    rest_procedures,
)

MORE_THAN_ANYBODY_HAS = 100


def _most(sheet: RpjSheet, settings: RpjSettings) -> int:
    return Stats(sheet, module_in(settings)).lucky_breaks


def _plays_with_money(settings: RpjSettings) -> bool:
    return is_on(settings, Pack.MONEY)


def _first_coin(_sheet: RpjSheet, settings: RpjSettings) -> int:
    return module_in(settings).money.coin


def _first_wealth(sheet: RpjSheet, settings: RpjSettings) -> int:
    """The module's starting Wealth plus what traits grant. [RPJ-APPX-17]"""
    figure = Stats(sheet, module_in(settings))
    granted = sum(effect.value for effect in figure.effects if isinstance(effect, WealthGrant))
    return figure.module.money.wealth + granted


# A new character has all of them at once, whenever it joins (RPJ-LUCK-01, R-131); NPCs have none.
RESOURCES = (
    ResourceRule(key=LUCKY_BREAKS, title="Lucky Breaks", start=MORE_THAN_ANYBODY_HAS, npc_start=0, cap=_most),
    ResourceRule(key=COIN, title="Coin", sheet_start=_first_coin, is_on=_plays_with_money),
    ResourceRule(key=WEALTH, title="Wealth", sheet_start=_first_wealth, is_on=_plays_with_money),
)

AWARDS = (
    AwardRule(
        key="points",
        title="Character points",
        give=award,
        usual=(2, 3, 4),
        unit="point",
    ),
)


def start_session(scene: Scene, characters: Sequence[CharacterId]) -> HookResult:
    """Refresh everyone's Lucky Breaks, and list blocked skills.

    They were refreshed when the last session ended, but their maximum may have changed since.

    [RPJ-LUCK-01 (R-018, R-018a, R-019), RPJ-GM-08, RPJ-CHAR-16]
    """
    settings = scene.settings
    module = module_in(settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = begin_months(scene.with_character(refreshed(character, module)), character.id)
    blocked = [skill.name for skill in module.skills if skill.id in settings.blocked_skills]
    notes = (f"Can't be learned for now: {', '.join(blocked)}.",) if blocked else ()
    return HookResult(scene=scene, notes=notes)


def arrive(scene: Scene, newcomer: CharacterId) -> HookResult:
    """Refresh the Lucky Breaks of a character who joins during a session. [RPJ-LUCK-01 (R-131)]"""
    character = refreshed(scene.character(newcomer), module_in(scene.settings))
    return HookResult(scene=begin_months(scene.with_character(character), newcomer))


def end_session(scene: Scene, characters: Sequence[CharacterId], _documents: Sequence[str]) -> HookResult:
    """Refresh everyone's Lucky Breaks. [RPJ-GM-08, RPJ-LUCK-01 (R-018, R-018a), RPJ-ATTR-07, RPJ-CHAR-15]

    Wounds, permanent losses and long countdowns stay.
    """
    module = module_in(scene.settings)
    for character in (scene.character(id_) for id_ in characters):
        scene = scene.with_character(refreshed(character, module))
    scene, details = close_details(scene)
    return HookResult(scene=scene, notes=details)


_HOMES: Mapping[str, Callable[[Scene, Sequence[DueTimer]], HookResult]] = {
    MONTH: months_pass,
    CONCENTRATION: hours_pass,
    CONDITION: conditions_pass,
    PRACTICE: practice_ends,
}


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Let timers run out, in order; one ended by an earlier one does nothing.

    [RPJ-GM-07, RPJ-MONEY-12, RPJ-SMAG-15, RPJ-COND-03]
    """
    result = HookResult(scene=scene)
    for timer in due:
        if timer.key not in result.scene.character(timer.character).timers:
            continue
        after = _HOMES.get(timer.key, fates.timers_due)(result.scene, (timer,))
        result = HookResult(
            scene=after.scene,
            notes=(*result.notes, *after.notes),
            follow_ups=(*result.follow_ups, *after.follow_ups),
        )
    return result


LONGEST = 48


class RpjRest(RestOptions):
    """The options of one character's rest: hours, and the base saves restored first, by target number."""

    hours: int = Field(default=8, ge=1, le=LONGEST)
    first: int | None = Field(default=None, ge=2, le=20)


class PartyRestOptions(DuringFight):
    """The options of resting several characters."""

    hours: int = Field(ge=1, le=LONGEST)  # how many hours
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=20)
    first: int | None = Field(default=None, ge=2, le=20)  # the base saves restored first, by target number
    apart: bool = False  # whether these hours come after those of others who have just rested


class HealOptions(Document):
    """The options of restoring base saves; some first, by target number."""

    target: CharacterId
    saves: int = Field(default=1, ge=1, le=20)
    first: int | None = Field(default=None, ge=2, le=20)


@procedure(REST, gm_only=True, needs_actor=False)
def rest(scene: Scene, options: PartyRestOptions, dice: Dice) -> Outcome:
    """Let characters rest; one who was forgotten can join afterwards. [RPJ-HEALTH-20, RPJ-GM-07]"""
    question = asked_during_fight(scene, REST, options, options.hours)
    if question is not None:
        return question
    chosen = RpjRest(hours=options.hours, first=options.first)
    again = FollowUp(
        procedure=REST,
        options=evolve(options, apart=True),
        label=f"{hours_words(options.hours)} more",
        audience=Audience.GM,
        group="rest",
    )
    resting = [Resting(who, chosen) for who in options.who]
    return at_once(RESTS, scene, resting, dice, None if options.apart else again)


def hours_of_rest(
    scene: Scene, resting: Sequence[Resting[RpjRest]], began: int, _dice: Dice
) -> Rested[Scene]:
    """Let hours of rest pass: every two restore a base save; worn armor is not repaired.

    [RPJ-HEALTH-20, RPJ-GM-07, RPJ-GCS-40 (R-104), RPJ-GCS-41, RPJ-WMAG-09]
    """
    hours = max(one.options.hours for one in resting)
    later = scene.at_clock(max(scene.clock, began + hours * HOUR_SECONDS))
    for one in resting:
        ends = began + one.options.hours * HOUR_SECONDS
        character = scene.character(one.who)
        figure, since = figure_in(scene, character), began
        due = character.timers.get(Wait.WEAK, character.timers.get(Wait.SLEEPING))
        if due is not None and due <= ends:  # rest only counts from then on
            figure, since = figure_with(figure, recovered(figure)), max(due, began)
        full = (ends - since) // HOUR_SECONDS
        later = with_health(later, character, rested(figure.sheet.health, full, one.options.first))
        if figure.plays(Pack.WILD_MAGIC):
            later = with_wild(later, one.who, rested_hours(figure, full))
    return Rested(scene=later, hours=hours)


@procedure("heal", gm_only=True, needs_actor=False)
def heal(scene: Scene, options: HealOptions, _dice: Dice) -> Outcome:
    """Restore base saves; a character who has one again is back in action.

    Raises:
        UserError: If none is lost.

    [RPJ-HEALTH-16 (R-133), RPJ-GCS-41 (R-105), RPJ-GM-04]
    """
    target = scene.character(options.target)
    health = target.sheet.health
    if not health.lost_base and health.out is Out.NO:
        raise UserError(
            f"{target.name} hasn't lost a base save.", "Use /rpj-gm health repair for armor and shields."
        )
    left = still_lost(health.lost_base, options.saves, options.first)
    after = RpjHealth(layers=health.layers, lost_base=left)
    return Outcome(scene=with_health(scene, target, after), headline=f"heals {target.name}")


RESTS = RestRules[RpjRest, RpjSheet, RpjSettings](
    options=RpjRest,
    assert_can=lambda _scene, _character, _options: None,
    rest=hours_of_rest,
    longest=LONGEST,
)
REST_PROCEDURES = rest_procedures(RESTS, is_typed=False)


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
