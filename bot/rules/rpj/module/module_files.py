"""Reading a module from a file: every problem at once, hints for its author, and the modules shipped."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from msgspec import Struct

from bot.rules.kernel import FileProblem, Form, Path, Written, check_written, rows_of
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted, listed
from bot.rules.rpj.module.basics import DATA, ModuleEntry, RpjAttribute
from bot.rules.rpj.module.effects import Effect, RollBonus, RollTarget
from bot.rules.rpj.module.module import CharacterClass, Module, RpjTrait, SkillRole, TraitKind

USUAL_COST = range(3, 9)
USUAL_SKILLS = range(25, 36)


_BELONGINGS = ("weapons", "armor", "gear")


class Known(Struct, frozen=True):
    """The ids of a module, by kind, including those of invalid entries."""

    skills: Set[str]
    classes: Set[str]
    traits: Set[str]
    belongings: Set[str]
    tables: Set[str]

    @staticmethod
    def within(module: Module) -> "Known":
        """The ids of a module."""
        fields = {"skills", "classes", "traits", "tables", *_BELONGINGS}
        return Known.of(module.model_dump(mode="json", include=fields))

    @staticmethod
    def of(written: Written) -> "Known":
        """The ids of a parsed module file."""

        def ids(*fields: str) -> set[str]:
            rows = (row for field in fields for row in rows_of(written.get(field)))
            return {str(row["id"]) for row in rows if "id" in row}

        return Known(ids("skills"), ids("classes"), ids("traits"), ids(*_BELONGINGS), ids("tables"))


def module_flaws(module: Module, written: Written) -> Iterator[FileProblem]:
    """Every unknown reference and every duplicate id in a module. [RPJ-GM-06]

    Args:
        module: The module, without invalid entries.
        written: The whole file as parsed.
    """
    known = Known.of(written)
    belongings = [
        (kind, place, item)
        for kind, items in zip(_BELONGINGS, (module.weapons, module.armor, module.gear), strict=True)
        for place, item in enumerate(items)
    ]
    yield from _twice("skills", _placed(module.skills, "skills"))
    yield from _twice("classes", _placed(module.classes, "classes"))
    yield from _twice("traits", _placed(module.traits, "traits"))
    categories = [
        (("money", "categories", place), one.id) for place, one in enumerate(module.money.categories)
    ]
    yield from _twice("money, categories", categories)
    yield from _twice(
        "weapons, armor and gear", [((kind, place), item.id) for kind, place, item in belongings]
    )
    yield from _twice("tables", [(("tables", place), one.id) for place, one in enumerate(module.tables)])
    for place, skill in enumerate(module.skills):
        named = (cost.class_id for cost in skill.class_costs)
        path = ("skills", place, "class_costs")
        yield from _unknown(path, f"skill {skill.id}, class_costs", named, known.classes)
    for place, class_ in enumerate(module.classes):
        yield from _class_flaws(module, place, class_, known)
    for place, trait in enumerate(module.traits):
        yield from _trait_flaws(("traits", place), trait, known)
    named_categories = {category.id for category in module.money.categories}
    for kind, place, item in belongings:
        category = (item.category,) if item.category else ()
        yield from _unknown((kind, place, "category"), f"{item.id}, category", category, named_categories)
    yield from _belonging_flaws(module, known)
    yield from _magic_flaws(module, known)
    yield from _condition_flaws(module, known)
    for place, table in enumerate(module.tables):
        leads = (row.roll_on for row in table.rows if row.roll_on)
        yield from _unknown(("tables", place, "rows"), f"table {table.id}, roll_on", leads, known.tables)


def _placed(parts: Sequence[ModuleEntry], *base: str) -> list[tuple[Path, str]]:
    return [((*base, place), part.id) for place, part in enumerate(parts)]


def _twice(where: str, placed: Sequence[tuple[Path, str]]) -> Iterator[FileProblem]:
    ids = [id_ for _path, id_ in placed]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        last = [path for path, own in placed if own == id_][-1]
        yield FileProblem((*last, "id"), f"{where}: the id {id_} is used twice; each id must be unique.")


def _unknown(path: Path, where: str, named: Iterable[str], known: Set[str]) -> Iterator[FileProblem]:
    allowed = listed(sorted(known))
    for id_ in named:
        if id_ not in known:
            yield FileProblem(path, f"{where}: there is no {id_}. Allowed: {allowed}.")


def _class_flaws(module: Module, place: int, class_: CharacterClass, known: Known) -> Iterator[FileProblem]:
    path, where = ("classes", place), f"class {class_.id}"
    for number, entry in enumerate(class_.skills):
        yield from _unknown((*path, "skills", number), f"{where}, skills", (entry.skill,), known.skills)
    yield from _unknown((*path, "quirks"), f"{where}, quirks", class_.quirks, known.traits)
    yield from _unknown((*path, "gear"), f"{where}, gear", class_.gear, known.belongings)
    for number, entry in enumerate(class_.skills):
        skill = module.skill(entry.skill)
        if skill is None or not entry.specialty:
            continue
        inner = (*path, "skills", number, "specialty")
        if not skill.has_specialty:
            yield FileProblem(inner, f"{where}, skills: {skill.id} has no specialties.")
        elif skill.specialties and entry.specialty not in skill.specialties:
            allowed = ", ".join(skill.specialties)
            sentence = f"{skill.id} has no specialty {entry.specialty}. Allowed: {allowed}."
            yield FileProblem(inner, f"{where}, skills: {sentence}")


def _trait_flaws(path: Path, trait: RpjTrait, known: Known) -> Iterator[FileProblem]:
    where = f"trait {trait.id}"
    mirrored = (trait.mirrors,) if trait.mirrors else ()
    yield from _unknown((*path, "mirrors"), f"{where}, mirrors", mirrored, known.traits)
    yield from _unknown((*path, "excludes"), f"{where}, excludes", trait.excludes, known.traits)
    yield from _effects(path, where, trait.effects, known)


def fits(trait: RpjTrait, module: Module) -> bool:
    """Whether a trait fits into a module: whether everything it refers to exists. [RPJ-GM-06]"""
    return not any(_trait_flaws((), trait, Known.within(module)))


def _belonging_flaws(module: Module, known: Known) -> Iterator[FileProblem]:
    for place, gear in enumerate(module.gear):
        yield from _effects(("gear", place), f"gear {gear.id}", gear.effects, known)
    for place, weapon in enumerate(module.weapons):
        path = ("weapons", place, "skill")
        yield from _unknown(path, f"weapon {weapon.id}, skill", (weapon.skill,), known.skills)
    for place, armor in enumerate(module.armor):
        worn_with = (armor.skill,) if armor.skill else ()
        yield from _unknown(("armor", place, "skill"), f"armor {armor.id}, skill", worn_with, known.skills)


def _magic_flaws(module: Module, known: Known) -> Iterator[FileProblem]:
    yield from _twice("spells", _placed(module.spells, "spells"))
    yield from _twice("abilities", _placed(module.abilities, "abilities"))
    magic = {found.skill for found in module.magic.skills}
    for place, found in enumerate(module.magic.skills):
        yield from _unknown(
            ("magic", "skills", place, "skill"), "magic, skills", (found.skill,), known.skills
        )
    for place, spell in enumerate(module.spells):
        where: Path = ("spells", place, "magic_skill")
        yield from _unknown(where, f"spell {spell.id}, magic_skill", (spell.magic_skill,), magic)
    spheres = {found.skill for found in module.spheres}
    for place, sphere in enumerate(module.spheres):
        yield from _unknown(("spheres", place, "skill"), "spheres, skill", (sphere.skill,), known.skills)
    for place, ability in enumerate(module.abilities):
        where = ("abilities", place, "skill")
        yield from _unknown(where, f"ability {ability.id}, skill", (ability.skill,), spheres)


def _condition_flaws(module: Module, known: Known) -> Iterator[FileProblem]:
    yield from _twice("conditions", _placed(module.conditions, "conditions"))
    for place, condition in enumerate(module.conditions):
        path, where = ("conditions", place), f"condition {condition.id}"
        named = condition.escape.skills if condition.escape else ()
        yield from _unknown((*path, "escape", "skills"), f"{where}, escape", named, known.skills)
        yield from _effects(path, where, condition.effects, known)


def _effects(path: Path, where: str, effects: Iterable[Effect], known: Known) -> Iterator[FileProblem]:
    for number, effect in enumerate(effects):
        if not isinstance(effect, RollBonus) or not effect.of:
            continue
        inner = (*path, "effects", number, "of")
        if effect.on is RollTarget.SKILL:
            yield from _unknown(inner, f"{where}, effects, of", (effect.of,), known.skills)
        elif effect.on in (RollTarget.ATTRIBUTE, RollTarget.ATTRIBUTE_BONUS, RollTarget.SAVING_THROW):
            yield from _unknown(inner, f"{where}, effects, of", (effect.of,), set(RpjAttribute))


def module_hints(module: Module) -> tuple[str, ...]:
    """Hints about allowed but unusual values: costs of traits, short lists, the number of skills.

    [RPJ-TRAIT-05, RPJ-CHAR-08, RPJ-CHAR-21]
    """
    hints = [hint for trait in module.traits for hint in _cost_hints(module, trait)]
    slots = module.characters.class_slots
    hints += [
        f"{class_.name} lists {counted(len(class_.skills), 'skill')} for {slots} class skills."
        for class_ in module.classes
        if len(class_.skills) < slots
    ]
    usual = [skill for skill in module.skills if not skill.needs]
    if len(usual) < USUAL_SKILLS[0]:
        hints.append(_few_skills(len(usual), len(module.skills)))
    return tuple(hints)


def _few_skills(usual: int, all_of_them: int) -> str:
    """The hint about few skills, some of which may need an optional rule."""
    open_ = f"Only {usual} of the {all_of_them} skills are open to everyone"
    fact = open_ if usual < all_of_them else f"There are only {usual} skills"
    return f"{fact}; below {USUAL_SKILLS[0]}, give fewer starting points."


def _cost_hints(module: Module, trait: RpjTrait) -> Iterator[str]:
    if trait.kind is TraitKind.QUIRK or trait.comes_with_class:
        return
    if abs(trait.cost) not in USUAL_COST:
        yield f"{trait.name}: {trait.kind}s are usually worth 3 to 8 points, not {abs(trait.cost)}."
    mirrored = module.trait(trait.mirrors)
    if trait.kind is TraitKind.FAULT and mirrored is not None and -trait.cost >= mirrored.cost:
        yield f"{trait.name} gives {-trait.cost}, but {mirrored.name}, its gift, only costs {mirrored.cost}."


MODULE_FORM = Form(
    model=Module, flaws=module_flaws, blanks=MappingProxyType({"id": "module", "name": "Module"})
)


def module_of(written: Written) -> Module:
    """Build a module from a parsed file. [RPJ-GM-06]

    Raises:
        UserErrors: If it has problems; each names the entry, the field and what is allowed.
    """
    module, flaws = check_written(written, MODULE_FORM)
    if flaws or module is None:
        raise UserErrors(tuple(flaw.sentence for flaw in flaws))
    return module


COMMON = "common"
GENRES = ("generic", "fantasy", "science_fiction")


def _shipped(genre: str) -> Module:
    """A genre's module: the common entries, then its own."""
    written: dict[str, object] = tomllib.loads(DATA.text(COMMON))
    for field, value in tomllib.loads(DATA.text(genre)).items():
        shared = written.get(field)
        written[field] = [*shared, *value] if isinstance(shared, list) else value
    return module_of(written)


MODULES: Mapping[str, Module] = MappingProxyType({genre: _shipped(genre) for genre in GENRES})
GENERIC = MODULES["generic"]


LEAST_DAMAGE, MOST_DAMAGE = 0, 4
LEAST_SAVE, MOST_SAVE = 4, 7


def lacking(module: Module) -> tuple[str, ...]:
    """What a module lacks for fights; weapons imply their skills. [RPJ-GCS-63]"""
    has_defense = module.skills_for(SkillRole.DODGE) or module.skills_for(SkillRole.ABSORB)
    return (
        *(() if module.weapons else ("weapons",)),
        *(() if has_defense else ("a skill for dodging or absorbing",)),
    )


def assert_can_fight(module: Module) -> None:
    """Refuse a fight in a module that lacks what fights need. [RPJ-GCS-63]"""
    if lacks := lacking(module):
        raise UserError(
            f"{module.name} can't be used for fights: no {' and no '.join(_bare(one) for one in lacks)}.",
            try_this="The GM can add it: /gm module export, then /gm module import.",
        )


def _bare(thing: str) -> str:
    return thing.removeprefix("a ")


def fight_hints(module: Module) -> tuple[str, ...]:
    """Hints for a module's author about its fights. [RPJ-GCS-63, RPJ-GCS-64]"""
    lacks = (f"No {_bare(thing)}: fights can't be started." for thing in lacking(module))
    return (*lacks, *_left_out(module), *_unusual(module))


def _left_out(module: Module) -> tuple[str, ...]:
    """What a module leaves out, and what that means.

    [RPJ-GCS-63, RPJ-GCS-15, RPJ-GCS-37, RPJ-GCS-53, RPJ-GCS-57]
    """
    meanings = {
        SkillRole.INITIATIVE: "No initiative skill: the Dexterity level is rolled.",
        SkillRole.GRAPPLE: "No grappling skill: the Strength bonus is rolled.",
        SkillRole.UNARMED: "No skill for unarmed combat: nobody can attack unarmed.",
        SkillRole.MEDICAL: "No medical skill: no helping hands, no medical attention.",
    }
    return tuple(words for role, words in meanings.items() if not module.skills_for(role))


def _unusual(module: Module) -> tuple[str, ...]:
    """Weapons and armor with unusual values. [RPJ-GCS-64]"""
    weapons = (
        f"{weapon.name}: damage is usually {LEAST_DAMAGE} to {MOST_DAMAGE}, not {weapon.damage}."
        for weapon in module.weapons
        if not LEAST_DAMAGE <= weapon.damage <= MOST_DAMAGE
    )
    armor = (
        f"{armor.name}: saves are usually {LEAST_SAVE}+ to {MOST_SAVE}+, not {save}+."
        for armor in module.armor
        for save in sorted(set(armor.saves))
        if not LEAST_SAVE <= save <= MOST_SAVE
    )
    return (*weapons, *armor)
