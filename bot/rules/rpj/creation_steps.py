"""The wizard pages: attributes, class, traits, skills, and about the character."""

from collections.abc import Mapping

from bot.rules.kernel import Choice, CreationRoll, Question, Roll, Step, TextField, evolve
from bot.rules.kernel.outcome import counted, shown_number, signed
from bot.rules.rpj.character_points import skill_problems
from bot.rules.rpj.module.basics import (
    GENERATED,
    Category,
    RpjAttribute,
    attribute_bonus,
    category_of,
    character_points,
    left_words,
    raise_cost,
)
from bot.rules.rpj.module.module import (
    CharacterClass,
    ClassSkill,
    GenerationMethod,
    Module,
    RpjSkill,
    RpjTrait,
    StandardArray,
)
from bot.rules.rpj.new_characters import (
    ARRAY,
    BUYING,
    CLASS,
    CLASS_SKILLS,
    LUCK,
    LUCK_LEVEL,
    METHOD,
    POOL,
    POOLED,
    PRIMARY,
    TRAITS,
    Making,
    RpjLuckInputs,
    RpjPoolInputs,
    level_key,
    linked_key,
    pick_value,
    points_spent,
    pool_of,
    specialty_key,
)

METHODS_STEP, LEVELS_STEP = "attributes", "levels"
METHODS: Mapping[GenerationMethod, tuple[str, str]] = {
    GenerationMethod.ROLL: (
        "Roll two dice seven times",
        "Each pair is halved; the lowest result is dropped.",
    ),
    GenerationMethod.ROLL_10D6: ("Roll ten dice", "The two highest and two lowest dice are dropped."),
    GenerationMethod.BUY: ("Buy levels with points", "Each level costs its own number."),
    GenerationMethod.ARRAY: ("Take a standard array", "The two highest levels go to the primary category."),
}


def methods_step(making: Making) -> Step:
    """The page for the method, with its dice rolls. [RPJ-ATTR-08 to RPJ-ATTR-10, RPJ-ATTR-15, RPJ-ATTR-16]"""
    choices = tuple(Choice(method.value, *METHODS[method]) for method in making.module.attributes.methods)
    picks = [Question(key=METHOD, prompt="Method", choices=choices)]
    if making.method is GenerationMethod.ARRAY:
        picks.append(_array_pick(making))
    if making.method in (GenerationMethod.BUY, GenerationMethod.ARRAY):
        picks.append(_primary_pick(tuple(Category)))
    return Step(
        key=METHODS_STEP,
        title="Attributes",
        text="How do you want to set six attributes? Everyone rolls Luck.",
        picks=tuple(picks),
        throws=(*((_pool_throw(making.method),) if making.is_rolled else ()), LUCK_THROW),
    )


def _array_pick(making: Making) -> Question:
    arrays = making.module.attributes.arrays
    choices = tuple(
        Choice(array.name, f"{array.name}: {_set_words(array)}", _extra(array)) for array in arrays
    )
    return Question(key=ARRAY, prompt="Which array?", choices=choices)


def _set_words(array: StandardArray) -> str:
    return f"{_listed(array.primary)} and {_listed(array.others)}"


def _extra(array: StandardArray) -> str:
    return f"gives {character_points(array.bonus)}" if array.bonus else ""


def _listed(levels: tuple[int, ...]) -> str:
    return ", ".join(str(level) for level in levels)


def _primary_pick(categories: tuple[Category, ...]) -> Question:
    choices = tuple(
        Choice(category.value, category.value, " and ".join(one.word for one in category.members))
        for category in categories
    )
    return Question(key=PRIMARY, prompt="Primary category (cheaper to raise later)", choices=choices)


def _pool_throw(method: GenerationMethod | None) -> CreationRoll:
    is_10d6 = method is GenerationMethod.ROLL_10D6
    return CreationRoll(
        key=POOLED,
        prompt="rolls ten dice for attributes" if is_10d6 else "rolls seven pairs for attributes",
        label="Roll ten dice" if is_10d6 else "Roll seven pairs",
        rule=POOL.key,
        inputs=RpjPoolInputs(is_10d6=is_10d6),
        answer=lambda roll: tuple(str(level) for level in pool_of(roll)),
        settles=(METHOD,),
    )


def _luck_of(roll: Roll) -> tuple[str, ...]:
    return (str(roll.outcome),)


LUCK_THROW = CreationRoll(
    key=LUCK,
    prompt="rolls for Luck",
    label="Roll for Luck",
    rule=LUCK_LEVEL.key,
    inputs=RpjLuckInputs(),
    answer=_luck_of,
)


# --- giving the levels -------------------------------------------------------------------------


def levels_step(making: Making) -> Step:
    """The page that assigns levels to attributes; empty until the method is settled.

    [RPJ-ATTR-09, RPJ-ATTR-11 to RPJ-ATTR-15]
    """
    if not making.is_ready_for_levels:
        return Step(key=LEVELS_STEP, title="Levels", text="First choose a method for the attributes.")
    if making.is_rolled:
        text, menus = _rolled_text(making), [_rolled_choices(making, one) for one in GENERATED]
    elif making.method is GenerationMethod.BUY:
        text, menus = _bought_text(making), [_bought_choices(making, one) for one in GENERATED]
    else:
        text, menus = _set_text(making), [_set_choices(making, one) for one in GENERATED]
    is_bought = making.method is GenerationMethod.BUY
    picks = [
        Question(
            key=attribute.value,
            prompt=_prompt(making, attribute),
            choices=choices,
            barred=_too_dear(making, attribute) if is_bought else {},
        )
        for attribute, choices in zip(GENERATED, menus, strict=True)
    ]
    if making.is_rolled and len(making.best_categories) > 1:
        picks.append(_primary_pick(making.best_categories))
    return Step(key=LEVELS_STEP, title="Levels", text=text, picks=tuple(picks))


def _prompt(making: Making, attribute: RpjAttribute) -> str:
    star = " ★" if category_of(attribute) is making.primary and making.primary else ""
    return f"{attribute.word}{star}"


def _choice(level: int, note: str = "") -> Choice:
    return Choice(str(level), f"{level} (bonus {signed(attribute_bonus(level))})", note)


def _primary_words(making: Making) -> str:
    best = making.best_categories
    if len(best) > 1:
        return f"{' and '.join(best)} are tied: choose your primary category."
    return f"Primary category: {making.primary}." if making.primary else ""


def _rolled_text(making: Making) -> str:
    given = sorted(making.levels.values(), reverse=True)
    left = list(making.pool)
    for level in given:
        if level in left:
            left.remove(level)
    still = f"Still to assign: {_listed(tuple(left))}." if left else "All levels are assigned."
    return f"Rolled: {_listed(making.pool)}.\n{still} {_primary_words(making)}".strip()


def _rolled_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    given = [level for one, level in making.levels.items() if one is not attribute]
    notes = {
        level: f"{given.count(level)} of {making.pool.count(level)} assigned elsewhere"
        for level in making.pool
    }
    return tuple(_choice(level, note) for level, note in notes.items())


def _set_text(making: Making) -> str:
    array = making.array
    assert array is not None  # noqa: S101  # the page opens once it is chosen
    return (
        f"Array {array.name}: {_listed(array.primary)} go to {making.primary} (★), "
        f"{_listed(array.others)} to the others."
    )


def _set_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    array = making.array
    assert array is not None  # noqa: S101  # the page opens once it is chosen
    levels = array.primary if category_of(attribute) is making.primary else array.others
    return tuple(_choice(level) for level in dict.fromkeys(levels))


def _points_left(making: Making) -> int:
    return making.module.attributes.points - points_spent(making.levels, making.module.attributes)


def _most(making: Making, attribute: RpjAttribute) -> int:
    rules = making.module.attributes
    return rules.primary_most if category_of(attribute) is making.primary else rules.other_most


def _bought_text(making: Making) -> str:
    rules = making.module.attributes
    left = _points_left(making)
    brings = (
        f"; leftover points give {character_points(rules.leftover_bonus)}"
        if left > 0 and making.bonus
        else ""
    )
    return (
        f"{left} of {rules.points} attribute points left{brings}.\n"
        f"Maximum: {rules.primary_most} in {making.primary} (★), {rules.other_most} elsewhere."
    )


def _bought_choices(making: Making, attribute: RpjAttribute) -> tuple[Choice, ...]:
    rules = making.module.attributes
    has = _points_left(making) + raise_cost(rules.start, making.levels[attribute])
    offered = range(rules.start, _most(making, attribute) + 1)
    costs = {level: raise_cost(rules.start, level) for level in offered}
    return tuple(
        _choice(level, f"costs {cost}" + (f" · leaves {has - cost}" if cost <= has else " · too expensive"))
        for level, cost in costs.items()
    )


def _too_dear(making: Making, attribute: RpjAttribute) -> dict[str, str]:
    """The levels that can't be bought now, with their cost and what is left. [RPJ-ATTR-12, RPJ-ATTR-13]"""
    rules = making.module.attributes
    has = _points_left(making) + raise_cost(rules.start, making.levels[attribute])
    costs = {
        level: raise_cost(rules.start, level)
        for level in range(making.levels[attribute] + 1, _most(making, attribute) + 1)
    }
    return {
        str(level): f"{attribute.word} {level} would cost {counted(cost, 'attribute point')}; "
        f"{left_words(has)} for it."
        for level, cost in costs.items()
        if cost > has
    }


CLASS_STEP, TRAITS_STEP = "class", "traits"
LONGEST_NOTE = 100


def purse_line(making: Making) -> str:
    """How the character points were spent, and how many are left. [RPJ-CHAR-03]"""
    traits = [trait for id_ in making.new.traits if (trait := making.module.trait(id_))]
    parts = [
        (making.bonus, "attributes"),
        (-making.character_class.cost if making.character_class else 0, "class"),
        (-sum(trait.cost for trait in traits if trait.cost > 0), "gifts"),
        (-sum(trait.cost for trait in traits if trait.cost < 0), "faults"),
        (-making.skills_price, "skills"),
    ]
    spent = [f"{name} {signed(points)}" for points, name in parts if points]
    return " · ".join([character_points(making.start), *spent, f"{shown_number(making.left)} left"])


def cost_words(cost: int) -> str:
    """A cost in words: "costs 3", "gives 2", "costs nothing"."""
    return f"costs {cost}" if cost > 0 else f"gives {-cost}" if cost < 0 else "costs nothing"


def _note(*parts: str) -> str:
    return " · ".join(part for part in parts if part)[:LONGEST_NOTE]


# --- the class ---------------------------------------------------------------------------------


def class_step(making: Making) -> Step:
    """The page for the class and its class skills. [RPJ-CHAR-07, RPJ-CHAR-08, RPJ-CHAR-10, RPJ-CHAR-11]"""
    module = making.module
    choices = tuple(
        Choice(one.id, one.name, _note(cost_words(one.cost), one.description)) for one in module.classes
    )
    picks = [Question(key=CLASS, prompt="Which class?", choices=choices, barred=_barred_classes(making))]
    chosen = making.character_class
    if chosen and chosen.skills:
        picks.append(_class_skills_pick(module, chosen))
    text = "A class improves some of your skills and may come with quirks."
    text = "\n".join(_class_lines(module, chosen)) if chosen else text
    return Step(key=CLASS_STEP, title="Class", text=f"{purse_line(making)}\n{text}", picks=tuple(picks))


def _class_lines(module: Module, class_: CharacterClass) -> list[str]:
    quirks = [trait.name for id_ in class_.quirks if (trait := module.trait(id_))]
    carried = (*module.weapons, *module.armor, *module.gear)
    gear = [part.name for part in carried if part.id in class_.gear]
    lines = [f"{class_.name}, {cost_words(class_.cost)}. {class_.description}".strip()]
    lines += [f"Comes with: {', '.join(quirks)}."] if quirks else []
    return lines + ([f"Starts with: {', '.join(gear)}."] if gear else [])


def _barred_classes(making: Making) -> dict[str, str]:
    has = making.left + (making.character_class.cost if making.character_class else 0)
    return {
        one.id: f"{one.name} would cost {character_points(one.cost)}; {left_words(has)} for it."
        for one in making.module.classes
        if one.cost > has and one is not making.character_class
    }


def _class_skills_pick(module: Module, class_: CharacterClass) -> Question:
    slots = min(module.characters.class_slots, len(class_.skills))
    return Question(
        key=CLASS_SKILLS,
        prompt=f"{counted(slots, 'class skill')}, each at {signed(module.characters.class_bonus)}",
        choices=tuple(_class_skill(module, pick) for pick in class_.skills),
        least=0,
        most=max(slots, 1),
    )


def _class_skill(module: Module, pick: ClassSkill) -> Choice:
    skill = module.skill(pick.skill)
    name = skill.with_specialty(pick.specialty) if skill else pick.skill
    return Choice(pick_value(pick), name, _note(skill.description if skill else ""))


# --- gifts, faults, quirks ---------------------------------------------------------------------


def traits_step(making: Making) -> Step:
    """The page for gifts, faults and quirks. [RPJ-TRAIT-01 to RPJ-TRAIT-04, RPJ-CHAR-13]"""
    offered = [trait for trait in making.module.traits if not trait.comes_with_class]
    pick = Question(
        key=TRAITS,
        prompt="Gifts, faults and quirks, as many as you like",
        choices=tuple(
            Choice(trait.id, trait.name, _note(f"{trait.kind}, {cost_words(trait.cost)}", trait.description))
            for trait in offered
        ),
        least=0,
        most=max(len(offered), 1),
        barred=_barred_traits(making, offered),
    )
    chosen = [trait for trait in offered if trait.id in making.new.traits]
    lines = [
        f"{trait.name} ({trait.kind}, {cost_words(trait.cost)}): {trait.description}" for trait in chosen
    ]
    return Step(
        key=TRAITS_STEP,
        title="Gifts, faults, quirks",
        text="\n".join([purse_line(making), *(lines or ["Gifts cost points; faults give points."])]),
        picks=(pick,),
    )


def _barred_traits(making: Making, offered: list[RpjTrait]) -> dict[str, str]:
    """The traits too expensive for the points left. [RPJ-CHAR-03]"""
    return {
        trait.id: f"{trait.name} would cost {character_points(trait.cost)}; {left_words(making.left)}."
        for trait in offered
        if trait.id not in making.new.traits and trait.cost > max(making.left, 0)
    }


SKILLS_STEP, ABOUT_STEP = "skills", "about"
LONGEST_SHORT, LONGEST_BIOGRAPHY = 60, 600


def skills_step(making: Making) -> Step:
    """The page for buying skills, with costs and what is left.

    [RPJ-CHAR-06, RPJ-CHAR-14, RPJ-SKILL-01, RPJ-SKILL-02, RPJ-SKILL-21]
    """
    skill = making.module.skill(making.one(BUYING))
    picks = [_which(making)]
    blanks: tuple[TextField, ...] = ()
    if skill is not None:
        picks.append(_level_pick(making, skill))
        if len(skill.linked) > 1:
            picks.append(_linked_pick(skill))
        if skill.has_specialty and skill.specialties:
            picks.append(_specialty_pick(skill))
        elif skill.has_specialty:
            blanks = (_specialty_blank(skill),)
    return Step(key=SKILLS_STEP, title="Skills", text=_text(making, skill), picks=tuple(picks), blanks=blanks)


def _text(making: Making, skill: RpjSkill | None) -> str:
    lines = [purse_line(making), f"Your highest skill level for now: {making.skill_cap}."]
    bought = [(one, own) for own in making.skills if (one := making.module.skill(own.skill))]
    named = [
        f"{one.with_specialty(own.specialty)} {own.base} ({making.price(one)})"
        for one, own in sorted(bought, key=lambda pair: (-pair[1].base, pair[0].name))
    ]
    lines += [" · ".join(named)] if named else ["Choose a skill and its level, then the next skill."]
    lines += [f"{skill.name}: {skill.description}"] if skill and skill.description else []
    return "\n".join(lines)


def _which(making: Making) -> Question:
    return Question(
        key=BUYING,
        prompt="Which skill?",
        choices=tuple(
            _skill_choice(making, skill) for skill in sorted(making.module.skills, key=lambda one: one.name)
        ),
    )


def _skill_choice(making: Making, skill: RpjSkill) -> Choice:
    own = making.own(skill)
    linked = "/".join(skill.linked)
    is_class_skill = skill.id in {pick.skill for pick in making.class_skills}
    parts = [linked, "class skill" if is_class_skill else "", "" if skill.usable_at_zero else "trained only"]
    if own.base:
        parts.insert(0, f"costs {making.price(skill)}")
    label = f"{skill.with_specialty(own.specialty)} {own.base}" if own.base else skill.name
    return Choice(skill.id, label[:100], " · ".join(part for part in parts if part)[:100])


def _level_pick(making: Making, skill: RpjSkill) -> Question:
    has = making.left + making.price(skill)
    highest = max(making.skill_cap, making.own(skill).base)
    choices, barred = [Choice("0", "0 · not bought", f"leaves {has}")], {}
    for level in range(1, highest + 1):
        cost = making.price(skill, level)
        why = _why_not(making, skill, level, has)
        note = "not possible now" if why else f"leaves {has - cost}"
        choices.append(Choice(str(level), f"{level} · costs {cost}", note))
        if why and level > making.own(skill).base:
            barred[str(level)] = why
    return Question(
        key=level_key(skill), prompt=f"{skill.name}: which level?", choices=tuple(choices), barred=barred
    )


def _why_not(making: Making, skill: RpjSkill, level: int, has: int) -> str:
    """Why a level can't be bought, with its cost and what is left; empty where it can.

    [RPJ-CHAR-03, RPJ-CHAR-06, RPJ-CHAR-14]
    """
    cost = making.price(skill, level)
    plain = evolve(making.own(skill, level), specialty=_some_specialty(skill))
    wrong = list(skill_problems(plain, making.module, making.skill_cap))
    if not wrong and cost <= has:
        return ""
    would = f"{skill.name} {level} would cost {character_points(cost)}; {left_words(has)} for it."
    return " ".join([*wrong, would])


def _some_specialty(skill: RpjSkill) -> str:
    return next(iter(skill.specialties), "any") if skill.has_specialty else ""


def _linked_pick(skill: RpjSkill) -> Question:
    choices = tuple(Choice(one.value, RpjAttribute(one).word) for one in skill.linked)
    return Question(key=linked_key(skill), prompt=f"{skill.name}: which attribute?", choices=choices)


def _specialty_pick(skill: RpjSkill) -> Question:
    choices = tuple(Choice(name, name) for name in skill.specialties)
    return Question(key=specialty_key(skill), prompt=f"{skill.name}: which specialty?", choices=choices)


def _specialty_blank(skill: RpjSkill) -> TextField:
    return TextField(
        key=specialty_key(skill),
        prompt=f"{skill.name}: which specialty?"[:45],
        longest=LONGEST_SHORT,
        is_required=False,
    )


def about_step() -> Step:
    """The page about the character. [RPJ-CHAR-01]"""
    return Step(
        key=ABOUT_STEP,
        title="About",
        text="Describe your character, if you like. You can leave everything empty.",
        blanks=(
            TextField(key="species", prompt="Species", longest=LONGEST_SHORT, is_required=False),
            TextField(key="gender", prompt="Gender", longest=LONGEST_SHORT, is_required=False),
            TextField(
                key="biography",
                prompt="Biography",
                longest=LONGEST_BIOGRAPHY,
                is_required=False,
                is_long=True,
            ),
        ),
    )
