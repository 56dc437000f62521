"""Reading a module from a file, every problem at once; a campaign's settings, and the module with them."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Literal, Self

from msgspec import Struct
from pydantic import BeforeValidator, Field

from bot.rules.kernel import (
    OWN_MODULE,
    PACKS,
    Document,
    FileProblem,
    Form,
    Path,
    Scene,
    Together,
    Written,
    check_written,
    evolve,
    rows_of,
    typed_list,
)
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted, listed
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.rpj.module.basics import DATA, ModuleEntry, RpjAttribute
from bot.rules.rpj.module.effects import Effect, GrantsManeuver, RollBonus, RollTarget
from bot.rules.rpj.module.module import (
    ADDS,
    CharacterClass,
    GenerationMethod,
    Module,
    Pack,
    PackSettings,
    RpjTrait,
    SkillRole,
    TraitKind,
    unset,
)
from bot.rules.rpj.module.spells import RpjSpell
from bot.rules.rpj.resolution.check_inputs import CriticalMode, Policy

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


class Shipped(StrEnum):
    """The modules that come with the bot."""

    GENERIC = "generic"
    FANTASY = "fantasy"
    SCIENCE_FICTION = "science_fiction"


class SkillApproval(StrEnum):
    """Whether skills are raised at once, or after the GM's approval. [RPJ-CHAR-16]"""

    AUTO = "auto"
    ASK = "ask"


MOST_SPELLS, MOST_TRAITS = 100, 50  # of a campaign's own
Number = Annotated[int | None, BeforeValidator(unset)]


@DATA.worded
class RpjSettings(PackSettings):
    """A campaign's settings; what is not set follows the module."""

    module: Shipped | Literal["own"] = Shipped.GENERIC
    criticals: Annotated[CriticalMode | None, BeforeValidator(unset)] = None
    confirm_fail_max: Number = Field(default=None, ge=1, le=6)
    confirm_success_min: Number = Field(default=None, ge=1, le=6)
    check_success: Annotated[Policy | None, BeforeValidator(unset)] = None
    check_failure: Annotated[Literal[Policy.ASK, Policy.ALWAYS] | None, BeforeValidator(unset)] = None
    combat_criticals: Annotated[Literal[Policy.ASK, Policy.ALWAYS] | None, BeforeValidator(unset)] = None
    start_points: Number = Field(default=None, ge=0, le=1000)
    methods: Annotated[tuple[GenerationMethod, ...], BeforeValidator(split_at_commas)] = ()
    most_refund: Number = Field(default=None, ge=0, le=1000)
    approve_characters: bool = False
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    skill_approval: SkillApproval = SkillApproval.AUTO
    blocked_skills: Annotated[tuple[str, ...], BeforeValidator(split_at_commas)] = Field(
        default=(),
        max_length=200,
        title="Blocked skills",
        description="Skills that can't be learned for now.",
    )
    traits: Annotated[tuple[RpjTrait, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=MOST_TRAITS, description="The campaign's own traits; /rpj-gm trait adds one."
    )

    spells: Annotated[tuple[RpjSpell, ...], BeforeValidator(typed_list)] = Field(
        default=(),
        max_length=MOST_SPELLS,
        description="The campaign's own spells; /rpj-gm magic spell adds one.",
    )

    def left_open(self) -> Mapping[str, str]:
        """The effective value of each setting left to the module, by its key. [RPJ-GM-06]"""
        module = stated_module(self)
        on = packs_on(self, module)
        refund = module.characters.most_refund
        switches = {pack.value: "on" if pack in on else "off" for pack in Pack}
        stated = {
            **switches,
            "maneuvers": "on" if module.combat.maneuvers.are_on else "off",
            "criticals": module.criticals.mode.value,
            "confirm_fail_max": str(module.criticals.confirm_fail_max),
            "confirm_success_min": str(module.criticals.confirm_success_min),
            "check_success": module.criticals.check_success.value,
            "check_failure": module.criticals.check_failure.value,
            "combat_criticals": module.criticals.combat.value,
            "start_points": str(module.characters.start),
            "methods": ", ".join(module.attributes.methods),
            "most_refund": "no limit" if refund is None else str(refund),
        }
        return {key: value for key, value in stated.items() if getattr(self, key) in (None, ())}

    def together(self) -> tuple[Together, ...]:
        """The setting for all optional rules at once. [RPJ-GM-06]"""
        module = stated_module(self)
        adds = "; ".join(f"{pack.value}: {ADDS[pack]}" for pack in Pack)
        return (
            Together(
                key=PACKS,
                description=f"The optional rules in use, separated by commas. {adds}.",
                value=listed(packs_on(self, module)),
                default=listed(packs_on(RpjSettings(), module)),
            ),
        )

    def with_own(self, entry: RpjSpell | RpjTrait) -> Self:
        """The settings with one more spell or trait of the campaign.

        Raises:
            UserError: If there are too many, or the campaign has one with this name.
        """
        module = module_in(self)
        if isinstance(entry, RpjSpell):
            field, most, noun = "spells", MOST_SPELLS, module.magic.word
            is_taken = module.spell(entry.id) is not None
        else:
            field, most, noun = "traits", MOST_TRAITS, "trait"
            is_taken = module.trait(entry.id) is not None
        own: tuple[RpjSpell | RpjTrait, ...] = getattr(self, field)
        if len(own) >= most:
            raise UserError(f"A campaign can have {most} {field} of its own.", "Put more into a module.")
        if is_taken:
            raise UserError(
                f"This campaign already has a {noun} called {entry.name}.", "Choose another name."
            )
        return self.carrying(evolve(self, **{field: (*own, entry)}))

    def carrying(self, changed: Self) -> Self:
        """Changed settings with the module imported before."""
        return changed if self.module_carried is None else changed.with_module(self.module_carried)


def _changed(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None and value != ()}


def stated_module(settings: RpjSettings) -> Module:
    """The campaign's module as written; the generic one where it has none of its own."""
    if settings.module != OWN_MODULE:
        return MODULES[settings.module]
    return settings.module_carried if isinstance(settings.module_carried, Module) else GENERIC


def own_spells(settings: RpjSettings, module: Module) -> tuple[RpjSpell, ...]:
    """The spells the GM has added, as far as the module has their skills. [RPJ-SMAG-01, RPJ-GM-06]"""
    added = (spell for spell in settings.spells if module.spell(spell.id) is None)
    return tuple(spell for spell in added if module.magic.of(spell.magic_skill) is not None)


def packs_on(settings: RpjSettings, module: Module) -> tuple[Pack, ...]:
    """The optional rules that are on, by the campaign's settings or else its module. [RPJ-GM-06]"""
    said = settings.switches().items()
    return tuple(pack for pack, on in said if (pack in module.optional_rules if on is None else on))


def teaches_maneuver(trait: RpjTrait) -> bool:
    """Whether a trait teaches a maneuver. [RPJ-MNV-01 (R-124)]"""
    return any(isinstance(effect, GrantsManeuver) for effect in trait.effects)


def _maneuvers(module: Module, settings: RpjSettings) -> dict[str, object]:
    """The change of the combat rules where the campaign switches maneuvers. [RPJ-MNV-01, RPJ-GM-06]"""
    stated = module.combat.maneuvers
    if settings.maneuvers is None or settings.maneuvers is stated.are_on:
        return {}
    return {"maneuvers": evolve(stated, are_on=settings.maneuvers)}


@lru_cache(maxsize=64)
def module_in(settings: RpjSettings) -> Module:
    """The campaign's module with the campaign's settings applied.

    Its optional rules are those that are on, and traits and skills that need others are not in it, nor those
    that teach maneuvers where there are none.

    [RPJ-GM-06, RPJ-DICE-03 to RPJ-DICE-05, RPJ-ATTR-08, RPJ-CHAR-04, RPJ-CHAR-13 (R-067), RPJ-MNV-01]
    """
    module = stated_module(settings)
    parts: dict[str, tuple[Document, dict[str, object]]] = {
        "criticals": (
            module.criticals,
            _changed(
                {
                    "mode": settings.criticals,
                    "confirm_fail_max": settings.confirm_fail_max,
                    "confirm_success_min": settings.confirm_success_min,
                    "check_success": settings.check_success,
                    "check_failure": settings.check_failure,
                    "combat": settings.combat_criticals,
                }
            ),
        ),
        "attributes": (module.attributes, _changed({"methods": settings.methods})),
        "combat": (module.combat, _maneuvers(module, settings)),
        "characters": (
            module.characters,
            _changed({"start": settings.start_points, "most_refund": settings.most_refund}),
        ),
    }
    update: dict[str, object] = {
        name: evolve(part, **fields) for name, (part, fields) in parts.items() if fields
    }
    packs = packs_on(settings, module)
    if set(packs) != set(module.optional_rules):
        update["optional_rules"] = packs
    maneuvers = module.combat.maneuvers.are_on if settings.maneuvers is None else settings.maneuvers
    traits = tuple(trait for trait in module.traits if not trait.needs or set(trait.needs) & set(packs))
    traits = tuple(trait for trait in traits if maneuvers or not teaches_maneuver(trait))
    traits += tuple(trait for trait in settings.traits if module.trait(trait.id) is None)
    if traits != module.traits:
        update["traits"] = traits
    if spells := own_spells(settings, module):
        update["spells"] = (*module.spells, *spells)
    skills = tuple(skill for skill in module.skills if not skill.needs or set(skill.needs) & set(packs))
    if skills != module.skills:
        update["skills"] = skills
    return evolve(module, **update) if update else module


class PackIsOff(UserError):
    """An optional rule is off in the campaign.

    Args:
        pack: The rule.
    """

    def __init__(self, pack: Pack) -> None:
        super().__init__(
            f"This campaign doesn't use {pack.in_words}.",
            try_this=f"The GM can switch it on: /campaign settings setting:{pack} value:yes",
        )
        self.pack = pack


def is_on(settings: RpjSettings, pack: Pack) -> bool:
    """Whether an optional rule is on, by the campaign's setting or else its module. [RPJ-GM-06]"""
    said = settings.switch(pack)
    return pack in stated_module(settings).optional_rules if said is None else said


def require(scene: Scene[Document, RpjSettings], pack: Pack) -> None:
    """Refuse to go on if an optional rule is off. [RPJ-GM-06]

    Raises:
        PackIsOff: If it is off; it says how the GM can switch it on.
    """
    if not is_on(scene.settings, pack):
        raise PackIsOff(pack)
