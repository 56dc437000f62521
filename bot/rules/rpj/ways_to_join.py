"""How characters join a campaign: made, ready-made or plain; what they may have, and what fits the module."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from types import MappingProxyType

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Beginner, Creation, Draft, Excess, Problem, Step, TableRow, beyond_new, evolve
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.belongings import items_of
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, RpjSheet, Stats, TraitSource
from bot.rules.rpj.character_points import skill_price
from bot.rules.rpj.creation_steps import (
    CLASS_STEP,
    LEVELS_STEP,
    METHODS_STEP,
    SKILLS_STEP,
    TRAITS_STEP,
    about_step,
    class_step,
    levels_step,
    methods_step,
    skills_step,
    traits_step,
)
from bot.rules.rpj.module.basics import (
    DATA,
    GENERATED,
    Category,
    RpjAttribute,
    category_of,
    character_points,
    tier_of,
)
from bot.rules.rpj.module.module import ClassSkill, GenerationMethod, Module, RpjSkill, TraitKind
from bot.rules.rpj.module.module_files import MODULES, RpjSettings, Shipped, module_in
from bot.rules.rpj.new_characters import (
    CLASS_SKILLS,
    PRIMARY,
    Making,
    NewCharacter,
    array_problems,
    bought_problems,
    build_sheet,
    creation_problems,
    leftover_bonus,
    level_key,
    pick_value,
    points_spent,
    range_problems,
    specialty_key,
)


def module_problems(figure: Stats) -> tuple[Problem, ...]:
    """Everything on a sheet that its module does not have or allow; the sheet is not changed.

    [RPJ-GM-06, RPJ-ATTR-01, RPJ-SKILL-01, RPJ-TRAIT-01]
    """
    return (*_attributes(figure), *_skill_problems(figure), *_others(figure))


def _attributes(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    for sentence in range_problems(sheet.attributes, module.attributes):
        yield Problem("attributes", sentence)
    if missing := [attribute.word for attribute in RpjAttribute if attribute not in sheet.attributes]:
        yield Problem("attributes", f"Choose a level for {', '.join(missing)}.")


def _skill_problems(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    classes = tuple(class_.id for class_ in module.classes)
    if sheet.class_id and sheet.class_id not in classes:
        yield Problem("class", f"The module has no class {sheet.class_id}.", sheet.class_id, classes)
    known = tuple(skill.id for skill in module.skills)
    for pick in sheet.class_skills:
        if module.skill(pick.skill) is None:
            yield Problem("class", f"The module has no skill {pick.skill} (class skill).", pick.skill, known)
    for own in sheet.skills:
        skill = module.skill(own.skill)
        if skill is None:
            yield Problem(
                "skills", f"The module has no skill {own.skill} (level {own.base}).", own.skill, known
            )
        elif own.base > module.characters.highest_skill:
            highest = module.characters.highest_skill
            yield Problem("skills", f"{skill.name} can be {highest} at most, not {own.base}.")


def _others(figure: Stats) -> Iterator[Problem]:
    sheet, module = figure.sheet, figure.module
    traits = tuple(trait.id for trait in module.traits)
    yield from _unknown("The module has no trait {}.", (trait.trait for trait in sheet.traits), traits)
    items = tuple(items_of(module))
    yield from _unknown("The module has no item {} (in use).", sheet.belongings, items)
    owned = dict.fromkeys([*(thing.item for thing in sheet.possessions), *sheet.qualities, *sheet.ammunition])
    yield from _unknown("The module has no item {}.", owned, items)
    cast = [*sheet.casting.known, *sheet.casting.prepared, *(slot.spell for slot in sheet.casting.slots)]
    spells = tuple(spell.id for spell in module.spells)
    yield from _unknown("The module has no spell {}.", dict.fromkeys(id_ for id_ in cast if id_), spells)


def _unknown(sentence: str, ids: Iterable[str], known: tuple[str, ...]) -> Iterator[Problem]:
    for id_ in ids:
        if id_ not in known:
            yield Problem("module", sentence.format(id_), id_, known)


JUDGED = {
    *("species", "gender", "biography", "attributes", "primary", "total_points", "available_points"),
    *("class_id", "class_skills", "skills", "traits", "belongings", "lucky_breaks_lost", "flips_coins"),
}
USUAL_LUCK = 3  # half of two dice, on average


def excess(sheet: RpjSheet, settings: RpjSettings) -> Iterator[Excess]:
    """What on a sheet exceeds a new character with the module's character points.

    [RPJ-CHAR-03, RPJ-CHAR-06, RPJ-CHAR-08, RPJ-CHAR-11, RPJ-CHAR-12, RPJ-CHAR-13]
    """
    module = module_in(settings)
    start = module.characters.start
    points = start + _refunded(sheet, module)
    worth = _worth(sheet, module)
    if worth > points:
        yield Excess("Character points", worth, points)
    power = points if module.attributes.leftover_counts_as_power else start
    if sheet.total_points > power:
        yield Excess("Character power", sheet.total_points, power)
    yield from _skills(sheet, module, tier_of(power))
    yield from _of_class(sheet, module)
    most = module.characters.most_refund
    refund = -sum(_cost(own, module) for own in sheet.traits if _is_fault(own, module))
    if most is not None and refund > most:
        yield Excess("Points for faults", refund, most)
    yield from beyond_new(sheet, JUDGED)


def _refunded(sheet: RpjSheet, module: Module) -> int:
    """The most character points the attributes can have given."""
    rules = module.attributes
    bought = leftover_bonus(sheet.attributes, rules) if GenerationMethod.BUY in rules.methods else 0
    return max([bought, *_array_bonuses(sheet, module)])


def _array_bonuses(sheet: RpjSheet, module: Module) -> Iterator[int]:
    """The bonus of each array the attributes match."""
    for array in module.attributes.arrays:
        if GenerationMethod.ARRAY in module.attributes.methods and not list(
            array_problems(sheet.attributes, sheet.primary, array)
        ):
            yield array.bonus


def _worth(sheet: RpjSheet, module: Module) -> int:
    """The character points left plus the cost of everything on the sheet."""
    class_ = module.character_class(sheet.class_id)
    quirks = class_.quirks if class_ else ()
    free = {own for own in sheet.traits if own.source is TraitSource.CLASS and own.trait in quirks}
    traits = sum(_cost(own, module) for own in sheet.traits if own not in free)
    skills = sum(skill_price(own, 0, module, sheet.class_id) for own in sheet.skills)
    return sheet.available_points + (class_.cost if class_ else 0) + traits + skills


def _cost(own: OwnTrait, module: Module) -> int:
    trait = module.trait(own.trait)
    return trait.cost if trait else 0


def _is_fault(own: OwnTrait, module: Module) -> bool:
    trait = module.trait(own.trait)
    return trait is not None and trait.kind is TraitKind.FAULT


def _skills(sheet: RpjSheet, module: Module, cap: int) -> Iterator[Excess]:
    for own in sheet.skills:
        if own.base > cap:
            skill = module.skill(own.skill)
            yield Excess(skill.name if skill else own.skill, own.base, cap)


def _of_class(sheet: RpjSheet, module: Module) -> Iterator[Excess]:
    """Class skills, quirks and gear that don't come with the class."""
    class_ = module.character_class(sheet.class_id)
    slots = min(module.characters.class_slots, len(class_.skills)) if class_ else 0
    fitting = [pick for pick in set(sheet.class_skills) if class_ and pick in class_.skills]
    if len(sheet.class_skills) > min(slots, len(fitting)):
        yield Excess("Class skills", len(sheet.class_skills), min(slots, len(fitting)) or "none")
    quirks = class_.quirks if class_ else ()
    if given := [own for own in sheet.traits if own.source is TraitSource.CLASS and own.trait not in quirks]:
        yield Excess("Quirks of another class", len(given))
    gear = class_.gear if class_ else ()
    if more := len([belonging for belonging in sheet.belongings if belonging not in gear]):
        yield Excess("Items that don't come with the class", more)


def claims(sheet: RpjSheet, settings: RpjSettings) -> Iterator[Excess]:
    """What only dice can give: levels nobody can buy, and Luck above the average.

    [RPJ-ATTR-09, RPJ-ATTR-12, RPJ-ATTR-15, RPJ-ATTR-16]
    """
    module = module_in(settings)
    rules = module.attributes
    bought = list(bought_problems(sheet.attributes, sheet.primary, rules))
    if bought and not list(_array_bonuses(sheet, module)):
        levels = ", ".join(str(sheet.attributes[attribute]) for attribute in GENERATED)
        yield Excess("Attributes", levels, "as bought, or rolled here")
    if sheet.attributes[RpjAttribute.LUCK] > USUAL_LUCK:
        yield Excess("Luck", sheet.attributes[RpjAttribute.LUCK], f"{USUAL_LUCK}, or rolled here")


BEGINNER = Beginner(excess=excess, claims=claims)


class _ReadyMade(TableRow):
    """A ready-made character in the data, built like any other."""

    module: Shipped
    name: str
    biography: str
    array: str
    primary: Category
    levels: dict[RpjAttribute, int]
    luck: int
    class_id: str
    class_skills: tuple[str, ...]
    skills: dict[str, int]
    specialties: dict[str, str] = Field(default_factory=dict)
    linked: dict[str, RpjAttribute]
    traits: tuple[str, ...]


def _new(row: _ReadyMade) -> NewCharacter:
    module = MODULES[row.module]
    linked = {skill.id: skill.linked[0] for skill in module.skills} | row.linked
    return NewCharacter(
        method=GenerationMethod.ARRAY,
        array=row.array,
        levels=row.levels,
        primary=row.primary,
        luck=row.luck,
        class_id=row.class_id,
        class_skills=tuple(ClassSkill(skill=skill) for skill in row.class_skills),
        traits=row.traits,
        skills=tuple(
            OwnSkill(skill=skill, base=base, specialty=row.specialties.get(skill, ""), linked=linked[skill])
            for skill, base in row.skills.items()
        ),
    )


@cache
def ready_made_of(module: Shipped) -> Mapping[str, NewCharacter]:
    """The ready-made characters of a module, by name, as creation drafts."""
    rows = DATA.rows("characters", "character", _ReadyMade)
    return MappingProxyType({row.name: _new(row) for row in rows if row.module is module})


@cache
def _sheets(module: Shipped) -> Mapping[str, RpjSheet]:
    game = MODULES[module]
    notes = {row.name: row.biography for row in DATA.rows("characters", "character", _ReadyMade)}
    return MappingProxyType(
        {
            name: evolve(build_sheet(new, game, game.characters.start), biography=notes[name])
            for name, new in ready_made_of(module).items()
        }
    )


def ready_made(settings: RpjSettings) -> Mapping[str, RpjSheet]:
    """The ready-made characters for the campaign's module.

    An imported module takes those of the shipped module with its id that fit it, else none.
    """
    module = module_in(settings)
    if module.id not in tuple(Shipped):
        return MappingProxyType({})
    sheets = _sheets(Shipped(module.id))
    if settings.module in tuple(Shipped):
        return sheets
    return {name: sheet for name, sheet in sheets.items() if not module_problems(Stats(sheet, module))}


AVERAGE = 3


def _making(draft: Draft, settings: RpjSettings) -> Making:
    return Making(draft, module_in(settings))


def creation_steps(draft: Draft, settings: RpjSettings) -> tuple[Step, ...]:
    """The wizard pages for a draft. [RPJ-CHAR-12]"""
    making = _making(draft, settings)
    module = making.module
    steps = [methods_step(making), levels_step(making)]
    steps += [class_step(making)] if module.classes else []
    steps += [traits_step(making)] if module.traits else []
    steps += [skills_step(making)] if module.skills else []
    return (*steps, about_step())


def draft_problems(draft: Draft, settings: RpjSettings) -> tuple[Problem, ...]:
    """Everything still missing or not allowed, in the order of the steps. [RPJ-CHAR-12, RPJ-ATTR-16]"""
    making = _making(draft, settings)
    problems: list[Problem] = []
    if making.method is None:
        problems.append(Problem(METHODS_STEP, "Choose a method for the attributes first."))
    elif not making.is_ready_for_levels:
        problems.append(Problem(METHODS_STEP, _before_levels(making)))
    if making.new.luck is None:
        problems.append(Problem(METHODS_STEP, "Roll Luck first."))
    lucky = making.new if making.new.luck is not None else evolve(making.new, luck=0)
    for problem in creation_problems(lucky, making.module, making.start):
        if problem.where == "attributes":
            problems += [Problem(LEVELS_STEP, problem.sentence)] if making.is_ready_for_levels else []
        else:
            problems.append(Problem(_STEPS.get(problem.where, problem.where), problem.sentence))
    return tuple(problems)


_STEPS = {"class skills": CLASS_STEP}


def _before_levels(making: Making) -> str:
    """What is missing before levels can be assigned."""
    if making.is_rolled:
        return "Roll the levels first."
    if making.method is GenerationMethod.ARRAY and making.array is None:
        return "Choose an array first."
    return "Choose a primary category first."


def build(draft: Draft, settings: RpjSettings) -> RpjSheet:
    """The sheet of a draft without problems. [RPJ-CHAR-01, RPJ-CHAR-12]"""
    making = _making(draft, settings)
    about = {key: making.one(key) for key in ("species", "gender", "biography")}
    return evolve(build_sheet(making.new, making.module, making.start), **about)


def plain_sheet() -> RpjSheet:
    """A plain NPC sheet: average attributes, nothing bought. [RPJ-GM-02]"""
    return RpjSheet(attributes=dict.fromkeys(RpjAttribute, AVERAGE))


def _offered(settings: RpjSettings) -> dict[str, RpjSheet]:
    return dict(ready_made(settings))


MOST_SKILLS = 8  # that a character is good at, before points go to others
SPENDING = (CLASS_STEP, TRAITS_STEP, SKILLS_STEP)


def unspent(draft: Draft, settings: RpjSettings, step: str | None) -> str:
    """What is left to spend on a page or in all, in words. [RPJ-CHAR-03, RPJ-ATTR-12]"""
    making = _making(draft, settings)
    if step == LEVELS_STEP:
        if not making.is_ready_for_levels:
            return ""
        given = len(making.levels)
        if making.method is GenerationMethod.BUY:
            left = making.module.attributes.points - points_spent(making.levels, making.module.attributes)
            return counted(left, "attribute point") if left > 0 else ""
        return counted(len(GENERATED) - given, "level") if given < len(GENERATED) else ""
    if step is None or (step in SPENDING and making.character_class is not None):
        return character_points(making.left) if making.left > 0 else ""
    return ""


def spend(draft: Draft, settings: RpjSettings, step: str) -> Draft:
    """Spend what is left on a page: levels by their order, points on class skills and then on others."""
    if step == LEVELS_STEP:
        return _with_levels(_making(draft, settings))
    if step not in SPENDING:
        return draft
    return _with_skills(_with_class_skills(_making(draft, settings)), settings)


def _with_levels(making: Making) -> Draft:
    """The draft with a level for every attribute, the highest ones in the primary category."""
    if not making.is_ready_for_levels:
        return making.draft
    if making.method is GenerationMethod.BUY:
        return _with_bought_levels(making)
    array = making.array
    draft = making.draft
    if making.is_rolled or array is None:
        return _tie_broken(replace(making, draft=_assigned(draft, GENERATED, making.pool)))
    primary = making.primary.members if making.primary is not None else ()
    others = tuple(one for one in GENERATED if one not in primary)
    return _assigned(_assigned(draft, primary, array.primary), others, array.others)


def _assigned(draft: Draft, attributes: Sequence[RpjAttribute], levels: Sequence[int]) -> Draft:
    """The draft with those levels that are not given yet, the highest first."""
    left = sorted(levels, reverse=True)
    for attribute in attributes:
        given = [int(level) for level in draft.get(attribute.value, ())]
        for level in given:
            if level in left:
                left.remove(level)
    unset = [attribute for attribute in attributes if not draft.get(attribute.value)]
    return {**draft, **{one.value: (str(level),) for one, level in zip(unset, left, strict=False)}}


def _tie_broken(making: Making) -> Draft:
    """The draft with a primary category, where several are equally good. [RPJ-ATTR-11 (R-011)]"""
    if making.primary is not None or not making.best_categories:
        return making.draft
    return {**making.draft, PRIMARY: (making.best_categories[0].value,)}


def _with_bought_levels(making: Making) -> Draft:
    """The draft with levels bought evenly, the primary category's first."""
    rules = making.module.attributes
    draft = dict(making.draft)
    ordered = sorted(GENERATED, key=lambda one: category_of(one) is not making.primary)
    for level in range(rules.primary_most + 1):
        for attribute in ordered:
            most = rules.primary_most if category_of(attribute) is making.primary else rules.other_most
            levels = replace(making, draft=draft).levels
            raised = {**levels, attribute: level}
            if levels[attribute] < level <= most and points_spent(raised, rules) <= rules.points:
                draft[attribute.value] = (str(level),)
    return draft


def _with_class_skills(making: Making) -> Draft:
    """The draft with as many class skills as the class gives. [RPJ-CHAR-08]"""
    class_ = making.character_class
    if class_ is None:
        return making.draft
    picks = list(making.class_skills)
    for pick in class_.skills:
        if len(picks) < making.module.characters.class_slots and pick.skill not in {p.skill for p in picks}:
            picks.append(pick)
    return {**making.draft, CLASS_SKILLS: tuple(map(pick_value, picks))} if picks else making.draft


def _with_skills(draft: Draft, settings: RpjSettings) -> Draft:
    """The draft with the points left spent on skills: on a few evenly, then on the others."""
    making = _making(draft, settings)
    if making.module.classes and making.character_class is None:
        return draft
    ordered = sorted(making.module.skills, key=partial(_usefulness, making))
    for skills in (ordered[:MOST_SKILLS], ordered):
        for level, skill in product(range(1, making.skill_cap + 1), skills):
            if making.own(skill).base < level:
                draft = _raised(draft, settings, skill, level)
                making = _making(draft, settings)
    return draft


def _usefulness(making: Making, skill: RpjSkill) -> tuple[bool, bool, int, str]:
    """What comes first: class skills, those bought already, then those of the best attributes."""
    is_class_skill = skill.id in {pick.skill for pick in making.class_skills}
    attribute = making.levels.get(making.linked(skill), 0)
    return not is_class_skill, not making.own(skill).base, -attribute, skill.name


def _raised(draft: Draft, settings: RpjSettings, skill: RpjSkill, level: int) -> Draft:
    """The draft with a skill at a level, if there are points for it and it is allowed."""
    raised = {**draft, level_key(skill): (str(level),)}
    if skill.has_specialty and not draft.get(specialty_key(skill)):
        if not skill.specialties:
            return draft
        raised[specialty_key(skill)] = (skill.specialties[0],)
    making = _making(raised, settings)
    if making.left < 0 or len(_skill_sentences(making)) > len(_skill_sentences(_making(draft, settings))):
        return draft
    return raised


def _skill_sentences(making: Making) -> list[str]:
    new = evolve(making.new, luck=making.new.luck or 0)
    problems = creation_problems(new, making.module, making.start)
    return [one.sentence for one in problems if one.where == SKILLS_STEP]


MOST_TOLD = 3  # things that a character is good at


def good_at(sheet: RpjSheet, settings: RpjSettings) -> str:
    """The class and the best skills of a character."""
    module = module_in(settings)
    class_ = module.character_class(sheet.class_id)
    best = sorted(sheet.skills, key=lambda own: -own.base)[:MOST_TOLD]
    named = [skill.name for own in best if (skill := module.skill(own.skill))]
    return ", ".join([class_.name, *named] if class_ else named)


CREATION = Creation(
    steps=creation_steps,
    problems=draft_problems,
    build=build,
    npc=plain_sheet,
    ready_made_in=_offered,
    unspent=unspent,
    spend=spend,
    needs_leave=lambda settings: settings.approve_characters,
    good_at=good_at,
)
