"""A campaign's module: shipped or imported, and its lists that a GM edits."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from msgspec import Struct

from bot.rules.kernel import (
    OWN_MODULE,
    YES_NO,
    Choice,
    Column,
    EditableList,
    ModuleRule,
    Row,
    Rows,
    check_written,
    evolve,
    menu_of,
)
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted, listed, same_name
from bot.rules.rpj.module.basics import ModuleEntry, RpjAttribute, own_id
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import Armor, Rarity, RpjGear, RpjWeapon
from bot.rules.rpj.module.module import Module, Pack, RpjSkill, RpjTrait, TraitKind
from bot.rules.rpj.module.module_files import (
    MODULE_FORM,
    MODULES,
    RpjSettings,
    Shipped,
    fight_hints,
    fits,
    is_on,
    module_flaws,
    module_hints,
    module_in,
    own_spells,
    packs_on,
    stated_module,
)
from bot.rules.rpj.module.spells import RpjSpell


def _with_own(settings: RpjSettings) -> Module:
    """The campaign's module with the GM's own traits and spells. [RPJ-GM-06, RPJ-TRAIT-01, RPJ-SMAG-01]

    Those that refer to another module are left out until that one is played again.
    """
    module = stated_module(settings)
    for trait in settings.traits:
        if module.trait(trait.id) is None and fits(trait, module):
            module = evolve(module, traits=(*module.traits, trait))
    added = own_spells(settings, module)
    return evolve(module, spells=(*module.spells, *added)) if added else module


def _choosing(settings: RpjSettings, key: str) -> RpjSettings:
    return evolve(settings, module=OWN_MODULE if key == OWN_MODULE else Shipped(key))


def _summary(module: Module) -> tuple[str, ...]:
    """A short summary of a module. [RPJ-GM-06]"""
    other = len(module.armor) + len(module.gear)
    magic = module.magic.word
    counts = (
        (len(module.skills), "skill", "skills"),
        (len(module.classes), "class", "classes"),
        (len(module.traits), "trait", "traits"),
        (len(module.weapons), "weapon", "weapons"),
        (other, "piece of armor and gear", "pieces of armor and gear"),
        (len(module.spells), magic, f"{magic[:-1]}ies" if magic.endswith("y") else f"{magic}s"),
        (len(module.tables), "table", "tables"),
        (len(module.rules), "house rule", "house rules"),
    )
    packs = listed(pack.in_words for pack in module.optional_rules)
    return (
        " · ".join(counted(*count) for count in counts if count[0]) or "The module is empty",
        f"Optional rules of the module: {packs}",
        *_crossing(module),
        *((module.credits,) if module.credits else ()),
    )


def _standing(settings: RpjSettings) -> tuple[str, ...]:
    """The optional rules that are on, and those that can be switched on. [RPJ-GM-06]"""
    on = packs_on(settings, stated_module(settings))
    return (
        f"Optional rules on: {listed(pack.in_words for pack in on)}",
        f"Off: {listed(pack.in_words for pack in Pack if pack not in on)}",
        "/campaign settings setting:packs explains and sets them.",
    )


def _crossing(module: Module) -> tuple[str, ...]:
    """What damage scales add to other optional rules that are on. [RPJ-SCALE-10]"""
    crossing = {
        Pack.FIRE_AND_MOVEMENT: "mega and giga damage ignores cover, and cover can be destroyed",
        Pack.CINEMATIC_COMBAT: "mega and giga saves for legendary foes",
    }
    on = [words for pack, words in crossing.items() if pack in module.optional_rules]
    if Pack.DAMAGE_SCALES not in module.optional_rules or not on:
        return ()
    return (f"With damage scales: {'; '.join(on)}",)


MODULE_RULE: ModuleRule[Module, RpjSettings] = ModuleRule(
    form=MODULE_FORM,
    title=lambda module: module.name,
    carried=_with_own,
    carrying=lambda settings, module: settings.with_module(module),
    shipped=MappingProxyType({key: module.name for key, module in MODULES.items()}),
    choosing=_choosing,
    summary=_summary,
    standing=_standing,
    hints=lambda module: (*module_hints(module), *fight_hints(module)),
)


NAME = Column(key="name", title="Name")
ABOUT = Column(key="description", title="What it does", longest=600, is_required=False)
ATTRIBUTES = tuple(Choice(one.value, one.word) for one in RpjAttribute)
CHANGED = " (changed)"


def _entries(module: Module, field: str) -> tuple[ModuleEntry, ...]:
    found: tuple[ModuleEntry, ...] = getattr(module, field)
    return found


def _own(settings: RpjSettings, field: str | None) -> tuple[ModuleEntry, ...]:
    """What the campaign has added to a list of the module, apart from it."""
    found: tuple[ModuleEntry, ...] = () if field is None else getattr(settings, field)
    return found


class _ModuleRows(Struct, frozen=True):
    """A list of the module."""

    field: str  # the module's field
    model: type[ModuleEntry]
    # The field of the settings in which the campaign adds to it, apart from the module; or None.
    own: str | None = None

    def rows(self, settings: RpjSettings) -> Rows:
        """The module's entries, then the campaign's."""
        entries = _entries(stated_module(settings), self.field)
        known = {one.id for one in entries}
        added = [one for one in _own(settings, self.own) if one.id not in known]
        return tuple(one.model_dump(mode="json") for one in (*entries, *added))

    def with_rows(self, settings: RpjSettings, rows: Rows) -> RpjSettings:
        """The settings with other entries; only what the module states itself makes it the campaign's own."""
        entries, own = _entries(stated_module(settings), self.field), self.own
        known = {one.id for one in entries}
        stated = [row for row in rows if own is None or row["id"] in known]
        added = tuple(
            self.model.model_validate(row) for row in rows if own is not None and row["id"] not in known
        )
        changed = settings
        if own is not None and added != tuple(one for one in _own(settings, own) if one.id not in known):
            changed = settings.carrying(RpjSettings.model_validate({**settings.model_dump(), own: added}))
        if stated == [one.model_dump(mode="json") for one in entries]:
            return changed
        return _with_module(changed, self.field, stated)


def _with_module(settings: RpjSettings, field: str, rows: Sequence[Row]) -> RpjSettings:
    """The settings with a module of the campaign's own, in which a list has other entries. [RPJ-GM-06]"""
    before = stated_module(settings)
    stated = before.model_dump(mode="json")
    name = before.name
    if settings.module != OWN_MODULE:
        name = f"{name[: 60 - len(CHANGED)]}{CHANGED}"
    written = {**stated, field: list(rows), "name": name}
    module, flaws = check_written(written, MODULE_FORM)
    old = {flaw.sentence for flaw in module_flaws(before, stated)}
    new = tuple(flaw for flaw in flaws if flaw.sentence not in old)
    if module is None or new:
        raise UserErrors(tuple(_with_entry(written, flaw.path, flaw.sentence) for flaw in new))
    return evolve(settings, module=OWN_MODULE).with_module(module)


def _with_entry(written: Row, path: Sequence[str | int], sentence: str) -> str:
    """A problem with the entry that has it before it."""
    match path:
        case (str(field), int(place), *_):
            rows = written.get(field)
            row = rows[place] if isinstance(rows, list) and place < len(rows) else {}
            return f"{row['name']}: {sentence}" if isinstance(row, dict) and "name" in row else sentence
    return sentence


def _with_id(settings: RpjSettings, before: Row | None, row: Row) -> Row:
    """An entry with its id, which stays when the name changes."""
    id_ = own_id(str(row.get("name") or ""))
    return {**row, "id": id_ if before is None else before["id"]}


def _skill(settings: RpjSettings, before: Row | None, row: Row) -> Row:
    """A skill; one with specialties needs one of them. [RPJ-SKILL-21]"""
    given = _with_id(settings, before, row)
    return {**given, "has_specialty": bool(row.get("specialties") or row.get("has_specialty"))}


def _skill_id(settings: RpjSettings, typed: object, among: Sequence[str] | None = None) -> str:
    """The id of a skill by its name."""
    skills = [one for one in module_in(settings).skills if among is None or one.id in among]
    for skill in skills:
        if same_name(skill.name, str(typed or "")):
            return skill.id
    names = listed(one.name for one in skills[:30])
    raise UserError(f"There is no such skill as “{typed or ''}” for that.", f"Skills: {names}.")


def _weapon(settings: RpjSettings, before: Row | None, row: Row) -> Row:
    return {**_with_id(settings, before, row), "skill": _skill_id(settings, row.get("skill"))}


def _spell(settings: RpjSettings, before: Row | None, row: Row) -> Row:
    magic = [rules.skill for rules in module_in(settings).magic.skills]
    return {
        **_with_id(settings, before, row),
        "magic_skill": _skill_id(settings, row.get("magic_skill"), magic),
    }


def _with_skill_name(field: str) -> Callable[[RpjSettings, Row], Row]:
    def shown(settings: RpjSettings, row: Row) -> Row:
        skill = module_in(settings).skill(str(row[field]))
        return row if skill is None else {**row, field: skill.name}

    return shown


class _BlockedRows:
    """The skills that can't be learned for now, by name."""

    def rows(self, settings: RpjSettings) -> Rows:
        """The skills."""
        module = module_in(settings)
        return tuple(
            {"id": id_, "name": id_.replace("_", " ").capitalize() if skill is None else skill.name}
            for id_ in settings.blocked_skills
            for skill in [module.skill(id_)]
        )

    def with_rows(self, settings: RpjSettings, rows: Rows) -> RpjSettings:
        """The settings with other skills."""
        blocked = tuple(str(row["id"]) for row in rows)
        return settings.carrying(evolve(settings, blocked_skills=blocked))


def _blocked_skill(settings: RpjSettings, _before: Row | None, row: Row) -> Row:
    id_ = _skill_id(settings, row.get("name"))
    skill = module_in(settings).skill(id_)
    return {"id": id_, "name": id_ if skill is None else skill.name}


def _id(row: Row) -> str:
    return str(row["id"])


LISTS: tuple[EditableList[RpjSettings], ...] = (
    EditableList(
        key="skills",
        title="Skills",
        noun="skill",
        columns=(
            NAME,
            Column(key="linked", title="Linked attributes", choices=ATTRIBUTES, most=len(ATTRIBUTES)),
            Column(key="usable_at_zero", title="Can be rolled at level 0", choices=YES_NO),
            Column(
                key="specialties",
                title="Specialties",
                note="With commas between them; empty: no change",
                longest=300,
                is_required=False,
                is_list=True,
            ),
            ABOUT,
        ),
        source=_ModuleRows("skills", RpjSkill),
        model=RpjSkill,
        complete=_skill,
        identity=_id,
        about=lambda row: ", ".join(map(str, row["linked"])) if isinstance(row["linked"], list) else "",
    ),
    EditableList(
        key="traits",
        title="Traits",
        noun="trait",
        columns=(
            NAME,
            Column(key="kind", title="Kind", choices=menu_of(tuple(TraitKind))),
            Column(key="cost", title="Character points", note="Negative gives points", is_required=False),
            ABOUT,
        ),
        source=_ModuleRows("traits", RpjTrait, own="traits"),
        model=RpjTrait,
        complete=_with_id,
        identity=_id,
        about=lambda row: str(row["kind"]),
    ),
    EditableList(
        key="weapons",
        title="Weapons",
        noun="weapon",
        columns=(
            NAME,
            Column(key="skill", title="Skill it is used with"),
            Column(key="attribute", title="Attribute", choices=ATTRIBUTES),
            Column(key="damage", title="Damage", note="−5 to 20"),
            Column(
                key="greatest_range",
                title="Range in regions",
                note="Empty: only within the group",
                is_required=False,
            ),
        ),
        source=_ModuleRows("weapons", RpjWeapon),
        model=RpjWeapon,
        complete=_weapon,
        shown=_with_skill_name("skill"),
        identity=_id,
        about=lambda row: f"damage {row['damage']}".replace("-", "−"),
    ),
    EditableList(
        key="armor",
        title="Armor and shields",
        noun="piece of armor",
        columns=(
            NAME,
            Column(key="kind", title="Kind", choices=menu_of((LayerKind.ARMOR, LayerKind.SHIELD))),
            Column(key="saves", title="Damage saves", note="Target numbers with commas: 7, 8", is_list=True),
            Column(key="dodge", title="Dodging", note="Such as −1; empty: 0", is_required=False),
            Column(key="absorb", title="Absorbing", note="Such as 2; empty: 0", is_required=False),
        ),
        source=_ModuleRows("armor", Armor),
        model=Armor,
        complete=_with_id,
        identity=_id,
        about=lambda row: str(row["kind"]),
    ),
    EditableList(
        key="gear",
        title="Other gear",
        noun="piece of gear",
        columns=(
            NAME,
            Column(key="rarity", title="Rarity", choices=menu_of(("", *Rarity), "not for sale")),
            Column(key="load", title="Load", note="0 to 100; empty: 1", is_required=False),
            ABOUT,
        ),
        source=_ModuleRows("gear", RpjGear),
        model=RpjGear,
        complete=_with_id,
        identity=_id,
        about=lambda row: str(row["rarity"] or ""),
    ),
    EditableList(
        key="spells",
        title="Spells",
        noun="spell",
        columns=(
            NAME,
            Column(key="level", title="Level", note="0 to 6"),
            Column(key="magic_skill", title="Magic skill"),
            Column(key="damage", title="Damage", note="−5 to 20; empty: none", is_required=False),
            ABOUT,
        ),
        source=_ModuleRows("spells", RpjSpell, own="spells"),
        model=RpjSpell,
        complete=_spell,
        shown=_with_skill_name("magic_skill"),
        identity=_id,
        about=lambda row: f"level {row['level']}",
        is_on=lambda settings: is_on(settings, Pack.STRUCTURED_MAGIC),
    ),
    EditableList(
        key="blocked",
        title="Blocked skills",
        noun="blocked skill",
        columns=(Column(key="name", title="Skill that can't be learned for now"),),
        source=_BlockedRows(),
        complete=_blocked_skill,
        identity=_id,
    ),
)
