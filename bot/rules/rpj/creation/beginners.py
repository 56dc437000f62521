"""What a new character may have; anything above needs the GM's approval."""

from collections.abc import Iterator

from bot.rules.kernel import Beginner, Excess, beyond_new
from bot.rules.rpj.advancement.skill_prices import skill_price
from bot.rules.rpj.character.generation import array_problems, bought_problems, leftover_bonus
from bot.rules.rpj.character.sheet import OwnTrait, RpjSheet, TraitSource
from bot.rules.rpj.module.attributes import GENERATED, RpjAttribute
from bot.rules.rpj.module.costs import tier_of
from bot.rules.rpj.module.module import GenerationMethod, Module, TraitKind
from bot.rules.rpj.module.settings import RpjSettings, module_in

JUDGED = {
    *("species", "gender", "biography", "attributes", "primary", "total_points", "available_points"),
    *("class_id", "class_skills", "skills", "traits", "belongings", "lucky_breaks_lost", "flips_coins"),
}
USUAL_LUCK = 3  # half of two dice, on average


def excess(sheet: RpjSheet, settings: RpjSettings) -> Iterator[Excess]:
    """What on a sheet exceeds a new character with the module's character points.

    Source: RPJ-CHAR-03, RPJ-CHAR-06, RPJ-CHAR-08, RPJ-CHAR-11, RPJ-CHAR-12, RPJ-CHAR-13.
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

    Source: RPJ-ATTR-09, RPJ-ATTR-12, RPJ-ATTR-15, RPJ-ATTR-16.
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
