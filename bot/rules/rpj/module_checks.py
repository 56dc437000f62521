"""What is wrong with a module as a whole, and what its author may want to think over."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from bot.rules.rpj.attributes import Attribute
from bot.rules.rpj.effects import Effect, RollBonus, RollTarget
from bot.rules.rpj.module import CharacterClass, Module, Trait, TraitKind
from bot.rules.rpj.part import Part

USUAL_COST = range(3, 9)
USUAL_SKILLS = range(25, 36)


@dataclass(frozen=True, slots=True)
class Known:
    """The ids that a module has, by kind; those of entries that are wrong otherwise, too."""

    skills: Set[str]
    classes: Set[str]
    traits: Set[str]
    belongings: Set[str]
    tables: Set[str]

    @staticmethod
    def of(module: Module) -> "Known":
        """What a module has."""
        return Known(
            skills={part.id for part in module.skills},
            classes={part.id for part in module.classes},
            traits={part.id for part in module.traits},
            belongings={part.id for part in (*module.weapons, *module.armor, *module.gear)},
            tables={table.id for table in module.tables},
        )


def module_problems(module: Module, known: Known) -> Iterator[str]:
    """Everything in a module that names what is not there, or is there twice.

    Args:
        module: The module.
        known: All ids that may be named.

    Source: RPJ-GM-06.
    """
    yield from _twice("skills", module.skills)
    yield from _twice("classes", module.classes)
    yield from _twice("traits", module.traits)
    yield from _twice("money, categories", module.money.categories)
    yield from _twice("weapons, armor and gear", (*module.weapons, *module.armor, *module.gear))
    for skill in module.skills:
        named = (cost.class_id for cost in skill.class_costs)
        yield from _unknown(f"skill {skill.id}, class_costs", named, known.classes)
    for class_ in module.classes:
        where = f"class {class_.id}"
        yield from _unknown(f"{where}, skills", (entry.skill for entry in class_.skills), known.skills)
        yield from _unknown(f"{where}, quirks", class_.quirks, known.traits)
        yield from _unknown(f"{where}, gear", class_.gear, known.belongings)
        yield from _class_specialties(module, class_)
    for trait in module.traits:
        where = f"trait {trait.id}"
        mirrored = (trait.mirrors,) if trait.mirrors else ()
        yield from _unknown(f"{where}, mirrors", mirrored, known.traits)
        yield from _unknown(f"{where}, excludes", trait.excludes, known.traits)
        yield from _effects(where, trait.effects, known)
    categories = {category.id for category in module.money.categories}
    for item in (*module.weapons, *module.armor, *module.gear):
        yield from _unknown(f"{item.id}, category", (item.category,) if item.category else (), categories)
    for gear in module.gear:
        yield from _effects(f"gear {gear.id}", gear.effects, known)
    for weapon in module.weapons:
        yield from _unknown(f"weapon {weapon.id}, skill", (weapon.skill,), known.skills)
    for armor in module.armor:
        worn_with = (armor.skill,) if armor.skill else ()
        yield from _unknown(f"armor {armor.id}, skill", worn_with, known.skills)
    for table in module.tables:
        leads = (row.roll_on for row in table.rows if row.roll_on)
        yield from _unknown(f"table {table.id}, roll_on", leads, known.tables)


def _twice(where: str, parts: Iterable[Part]) -> Iterator[str]:
    ids = [part.id for part in parts]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        yield f"{where}: there are two with the id {id_}; each id is used once."


def _unknown(where: str, named: Iterable[str], known: Set[str]) -> Iterator[str]:
    allowed = ", ".join(sorted(known)) or "nothing"
    for id_ in named:
        if id_ not in known:
            yield f"{where}: there is no {id_}. Allowed: {allowed}."


def _class_specialties(module: Module, class_: CharacterClass) -> Iterator[str]:
    where = f"class {class_.id}, skills"
    for entry in class_.skills:
        skill = module.skill(entry.skill)
        if skill is None or not entry.specialty:
            continue
        if not skill.has_specialty:
            yield f"{where}: {skill.id} has no specialties."
        elif skill.specialties and entry.specialty not in skill.specialties:
            allowed = ", ".join(skill.specialties)
            yield f"{where}: {skill.id} has no specialty {entry.specialty}. Allowed: {allowed}."


def _effects(where: str, effects: Iterable[Effect], known: Known) -> Iterator[str]:
    for effect in effects:
        if not isinstance(effect, RollBonus) or not effect.of:
            continue
        if effect.on is RollTarget.SKILL:
            yield from _unknown(f"{where}, effects, of", (effect.of,), known.skills)
        elif effect.on in (RollTarget.ATTRIBUTE, RollTarget.ATTRIBUTE_BONUS, RollTarget.SAVING_THROW):
            yield from _unknown(f"{where}, effects, of", (effect.of,), set(Attribute))


def module_hints(module: Module) -> tuple[str, ...]:
    """What is allowed and yet unusual: costs of traits, short lists, the number of skills.

    Source: RPJ-TRAIT-05, RPJ-CHAR-08, RPJ-CHAR-21.
    """
    hints = [hint for trait in module.traits for hint in _cost_hints(module, trait)]
    slots = module.characters.class_slots
    hints += [
        f"{class_.name} lists {len(class_.skills)} skills for {slots} class skills."
        for class_ in module.classes
        if len(class_.skills) < slots
    ]
    if len(module.skills) < USUAL_SKILLS[0]:
        few = f"{len(module.skills)} skills are few"
        hints.append(f"{few}; with fewer than {USUAL_SKILLS[0]}, start with fewer points.")
    return tuple(hints)


def _cost_hints(module: Module, trait: Trait) -> Iterator[str]:
    if trait.kind is TraitKind.QUIRK or trait.comes_with_class:
        return
    if abs(trait.cost) not in USUAL_COST:
        yield f"{trait.name}: {trait.kind}s usually come to 3 to 8 points, not {abs(trait.cost)}."
    mirrored = module.trait(trait.mirrors)
    if trait.kind is TraitKind.FAULT and mirrored is not None and -trait.cost >= mirrored.cost:
        yield f"{trait.name} refunds {-trait.cost}; {mirrored.name}, its gift, costs only {mirrored.cost}."
