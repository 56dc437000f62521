"""A new character: attributes, class, traits, class skills, skills, and all problems with them."""

from collections.abc import Iterator

from pydantic import Field

from bot.rules.kernel import Document, Problem
from bot.rules.rpj.advancement.skill_prices import (
    class_skill_problems,
    skill_price,
    skill_problems,
    slow_build_problems,
)
from bot.rules.rpj.character.generation import (
    array_problems,
    bought_problems,
    leftover_bonus,
    pool_problems,
    range_problems,
)
from bot.rules.rpj.character.sheet import OwnSkill, OwnTrait, RpjSheet, TraitSource
from bot.rules.rpj.module.attributes import GENERATED, Category, RpjAttribute
from bot.rules.rpj.module.costs import tier_of
from bot.rules.rpj.module.module import ClassSkill, GenerationMethod, Module, TraitKind


class NewCharacter(Document):
    """A character in the making.

    Attributes:
        method: The generation method.
        pool: The levels rolled, for the two methods that roll.
        array: The name of the array, for that method.
        levels: The levels assigned to the attributes other than Luck.
        primary: The primary category.
        luck: The Luck level, once it is rolled.
        class_id: The class.
        class_skills: The picks from its list.
        traits: Gifts, faults and quirks that are taken.
        skills: Skills and the levels they are bought to.
    """

    method: GenerationMethod = GenerationMethod.ROLL
    pool: tuple[int, ...] = ()
    array: str = ""
    levels: dict[RpjAttribute, int] = Field(default_factory=dict)
    primary: Category | None = None
    luck: int | None = None
    class_id: str = ""
    class_skills: tuple[ClassSkill, ...] = ()
    traits: tuple[str, ...] = ()
    skills: tuple[OwnSkill, ...] = ()


def creation_problems(new: NewCharacter, module: Module, start: int) -> tuple[Problem, ...]:
    """Everything missing or not allowed, in the order of the steps.

    Args:
        new: The character so far.
        module: The module.
        start: The starting character points.

    Source: RPJ-CHAR-12.
    """
    problems = [
        *(Problem("attributes", sentence) for sentence in _attribute_problems(new, module)),
        *(Problem("class", sentence) for sentence in _class_problems(new, module)),
        *(Problem("traits", sentence) for sentence in _trait_problems(new, module)),
        *(Problem("class skills", sentence) for sentence in _pick_problems(new, module)),
        *(Problem("skills", sentence) for sentence in _skill_problems(new, module, start)),
    ]
    if (left := points_left(new, module, start)) < 0:
        have = start + _refunded(new, module)
        problems.append(
            Problem("skills", f"Everything costs {have - left} character points; you have {have}.")
        )
    return tuple(problems)


def _attribute_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    rules = module.attributes
    if new.luck is None:
        yield "Roll Luck first."
    if new.method not in rules.methods:
        yield f"This campaign allows these methods for attributes: {', '.join(rules.methods)}."
    if missing := [attribute for attribute in GENERATED if attribute not in new.levels]:
        yield f"No level yet: {', '.join(attribute.word for attribute in missing)}."
        return
    yield from range_problems(new.levels, rules)
    if new.method is GenerationMethod.BUY:
        yield from bought_problems(new.levels, new.primary, rules)
    elif new.method is GenerationMethod.ARRAY:
        array = next((array for array in rules.arrays if array.name == new.array), None)
        if array is None:
            yield f"Choose an array: {', '.join(array.name for array in rules.arrays)}."
        else:
            yield from array_problems(new.levels, new.primary, array)
    else:
        yield from pool_problems(new.levels, new.pool, new.primary)


def _class_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    if module.classes and module.character_class(new.class_id) is None:
        yield f"Choose a class: {', '.join(class_.name for class_ in module.classes)}."


def _pick_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    class_ = module.character_class(new.class_id)
    if class_ is not None:
        yield from class_skill_problems(class_, new.class_skills, module)


def _trait_problems(new: NewCharacter, module: Module) -> Iterator[str]:
    refunds = 0
    for id_ in dict.fromkeys(new.traits):
        trait = module.trait(id_)
        if trait is None or trait.comes_with_class:
            yield f"{module.name} has no trait called “{id_}” to take."
            continue
        if new.traits.count(id_) > 1:
            yield f"You can take {trait.name} only once."
        if barred := [other for other in trait.excludes if other in new.traits]:
            yield f"You can't take both {trait.name} and {barred[0]}."
        if trait.kind is TraitKind.FAULT:
            refunds -= trait.cost
    most = module.characters.most_refund
    if most is not None and refunds > most:
        yield f"Faults can give {most} points at most here, not {refunds}."


def _skill_problems(new: NewCharacter, module: Module, start: int) -> Iterator[str]:
    cap = min(tier_of(_power(new, module, start)), module.characters.highest_skill)
    seen: set[str] = set()
    for own in new.skills:
        if own.skill in seen:
            yield f"You can take {own.skill} only once, with one specialty."
        seen.add(own.skill)
        yield from skill_problems(own, module, cap)
    yield from slow_build_problems(new.skills, module, _power(new, module, start))


def _refunded(new: NewCharacter, module: Module) -> int:
    """Character points from the attributes: for leftover points, or with an array."""
    if new.method is GenerationMethod.BUY and len(new.levels) == len(GENERATED):
        return leftover_bonus(new.levels, module.attributes)
    if new.method is GenerationMethod.ARRAY:
        arrays = module.attributes.arrays
        return next((array.bonus for array in arrays if array.name == new.array), 0)
    return 0


def _power(new: NewCharacter, module: Module, start: int) -> int:
    counts = module.attributes.leftover_counts_as_power and not list(_attribute_problems(new, module))
    return start + (_refunded(new, module) if counts else 0)


def points_left(new: NewCharacter, module: Module, start: int) -> int:
    """The character points left; negative if too many are spent.

    Args:
        new: A character so far.
        module: The module.
        start: The starting character points.

    Source: RPJ-CHAR-03, RPJ-CHAR-07, RPJ-CHAR-13, RPJ-CHAR-14, RPJ-ATTR-14.
    """
    class_ = module.character_class(new.class_id)
    traits = (module.trait(id_) for id_ in new.traits)
    spent = class_.cost if class_ else 0
    spent += sum(trait.cost for trait in traits if trait is not None)
    spent += sum(skill_price(own, 0, module, new.class_id) for own in new.skills)
    return start + _refunded(new, module) - spent


def build_sheet(new: NewCharacter, module: Module, start: int) -> RpjSheet:
    """The sheet of a character without problems.

    Source: RPJ-CHAR-02, RPJ-CHAR-11, RPJ-CHAR-12, RPJ-CHAR-17.
    """
    class_ = module.character_class(new.class_id)
    quirks = class_.quirks if class_ else ()
    return RpjSheet(
        attributes={**new.levels, RpjAttribute.LUCK: new.luck or 0},
        primary=new.primary,
        total_points=_power(new, module, start),
        available_points=points_left(new, module, start),
        class_id=new.class_id,
        class_skills=new.class_skills,
        skills=new.skills,
        traits=(
            *(OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in quirks),
            *(OwnTrait(trait=trait) for trait in new.traits),
        ),
        belongings=class_.gear if class_ else (),
    )
