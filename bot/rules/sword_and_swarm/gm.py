"""What the GM does and has: characters corrected by hand, foes, acts on a character, and lists to add to."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace
from pydantic import Field, ValidationError

from bot.rules.kernel import (
    YES_NO,
    Audience,
    CharacterId,
    Choice,
    Column,
    Document,
    EditableList,
    FieldRows,
    NoOptions,
    Procedure,
    Row,
    TextField,
    evolve,
    menu_of,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import name_key, shown_number
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.shared.offering import Offering, numbers
from bot.rules.sword_and_swarm.equipment import (
    state_notes,
    with_changed_sheet,
)
from bot.rules.sword_and_swarm.performing import difficulty_choices
from bot.rules.sword_and_swarm.sheet import (
    LONGEST_NAME,
    LOWEST_STAR,
    TRAINED,
    BenefitKind,
    Name,
    Outcome,
    Proficiency,
    Raise,
    Scene,
    SwarmSettings,
    SwarmSheet,
    base_of,
    raised_words,
    read_equipment,
    read_obstacle,
    read_proficiency,
    star_left,
)
from bot.rules.sword_and_swarm.tests import HIGHEST, MOST_RANKS, SwarmAttribute

MOST_AT_ONCE = 20


class StarOptions(Document):
    """How much Star a character loses (below 0) or regains."""

    target: CharacterId
    change: int = Field(ge=-MOST_AT_ONCE, le=MOST_AT_ONCE)


class LoadOptions(Document):
    """How much a character's load reduces Boots."""

    target: CharacterId
    reduction: int = Field(ge=0, le=HIGHEST)


class SwarmRankOptions(Document):
    """A character's new ranks in a proficiency; 0 removes it from the sheet."""

    target: CharacterId
    proficiency: str = Field(max_length=100)
    ranks: int = Field(ge=0, le=MOST_RANKS)


class AttributesOptions(Document):
    """A character's new attributes before increases; those left out do not change.

    `star` is the maximum of Star.
    """

    target: CharacterId
    mallet: int | None = Field(default=None, ge=0, le=HIGHEST)
    key: int | None = Field(default=None, ge=0, le=HIGHEST)
    runes: int | None = Field(default=None, ge=0, le=HIGHEST)
    coronet: int | None = Field(default=None, ge=0, le=HIGHEST)
    star: int | None = Field(default=None, ge=0, le=HIGHEST)
    shield: int | None = Field(default=None, ge=0, le=HIGHEST)
    boots: int | None = Field(default=None, ge=0, le=HIGHEST)

    def given(self) -> Iterator[tuple[SwarmAttribute, int]]:
        """The attributes that are set."""
        for attribute in SwarmAttribute:
            value: int | None = getattr(self, attribute.lower())
            if value is not None:
                yield attribute, value


@procedure("star", gm_only=True, needs_actor=False)
def change_star(scene: Scene, options: StarOptions, _dice: Dice) -> Outcome:
    """Take Star from a character, or give it back up to the maximum.

    [SWARM-ATTR-09 (SWARM-R26), SWARM-ATTR-10, SWARM-ATTR-11]
    """
    if options.change == 0:
        raise UserError("Give a change other than 0.")
    target = scene.character(options.target)
    sheet, settings = target.sheet, scene.settings
    before, most = star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    is_gain = options.change > 0
    after = max(before + options.change, LOWEST_STAR)
    if is_gain:
        after = max(before, min(after, most))
    if after == before:
        limit = f"full Star ({most})" if is_gain else "the lowest Star there can be"
        raise UserError(f"{target.name} already has {limit}.")
    changed = evolve(sheet, star=after)
    is_capped = is_gain and after != before + options.change
    amount = f"{abs(after - before)} Star"
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"gives {target.name} {amount} back" if is_gain else f"takes {amount} from {target.name}",
        notes=(
            *((f"Star {shown_number(before)} → {shown_number(after)} of {most}",) if target.owner else ()),
            *((f"{target.name} can't have more than {most}.",) if is_capped else ()),
            *state_notes(target, changed, settings),
        ),
    )


@procedure("load", gm_only=True, needs_actor=False, sets=True)
def set_load(scene: Scene, options: LoadOptions, _dice: Dice) -> Outcome:
    """Set how much a character's load reduces Boots. [SWARM-ATTR-13 (SWARM-R28)]"""
    target = scene.character(options.target)
    changed = evolve(target.sheet, encumbrance=options.reduction)
    scene, notes = with_changed_sheet(scene, target, changed)
    return Outcome(
        scene=scene,
        headline=f"sets {target.name}'s load to {options.reduction}",
        notes=notes,
    )


@procedure("ranks", gm_only=True, needs_actor=False, sets=True)
def set_ranks(scene: Scene, options: SwarmRankOptions, _dice: Dice) -> Outcome:
    """Set a character's ranks in a proficiency. [SWARM-PROF-09]"""
    target = scene.character(options.target)
    settings, sheet = scene.settings, target.sheet
    found = settings.find_proficiency(options.proficiency)
    had = sheet.ranks_in(options.proficiency)
    if found is None and not had:
        known = ", ".join(one.name for one in settings.all_proficiencies)
        raise UserError(
            f"There is no proficiency “{options.proficiency}” in this campaign.",
            f"Choose from: {known}.",
            "Add it with /swarm-gm list proficiency.",
        )
    name = found.name if found else options.proficiency
    changed = sheet.with_ranks(name, options.ranks)
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"sets {target.name}'s ranks in {name}",
        notes=(f"{name} {had} → {options.ranks}",),
    )


@procedure("attributes", gm_only=True, needs_actor=False, sets=True)
def set_attributes(scene: Scene, options: AttributesOptions, _dice: Dice) -> Outcome:
    """Set the attributes of an NPC, or of a player character after a new level.

    [SWARM-ATTR-02, SWARM-CHAR-02 (SWARM-R29)]
    """
    given = dict(options.given())
    if not given:
        raise UserError("Give at least one attribute.")
    target = scene.character(options.target)
    sheet = with_base(target.sheet, given, scene.settings)
    scene, notes = with_changed_sheet(scene, target, sheet)
    values = ", ".join(f"{attribute} {value}" for attribute, value in given.items())
    return Outcome(scene=scene, headline=f"sets {target.name}'s attributes: {values}", notes=notes)


def with_base(sheet: SwarmSheet, given: dict[SwarmAttribute, int], settings: SwarmSettings) -> SwarmSheet:
    """Return the sheet with some attributes set; the current Star is limited to its new maximum."""
    changed = evolve(sheet, base={**sheet.base, **given})
    if changed.star is None:
        return changed
    most = base_of(changed, SwarmAttribute.STAR, settings)
    return evolve(changed, star=min(changed.star, most))


VALUES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 6}


def _make(level: FoeLevel, _settings: SwarmSettings) -> SwarmSheet:
    """A sheet with one value for every attribute. [SWARM-ATTR-01, SWARM-ATTR-02]"""
    return SwarmSheet(base=dict.fromkeys(SwarmAttribute, VALUES[level]))


def _give(sheet: SwarmSheet, level: FoeLevel, names: Sequence[str], _settings: SwarmSettings) -> SwarmSheet:
    for name in names:
        sheet = sheet.with_ranks(name, level.step + 1)
    return sheet


READY = (
    ReadyFoe("Swarmling", FoeLevel.WEAK),
    ReadyFoe("Tunnel Gnawer", FoeLevel.WEAK),
    ReadyFoe("Road Bandit", FoeLevel.ABLE),
    ReadyFoe("Hive Guard", FoeLevel.ABLE),
    ReadyFoe("Spore Caster", FoeLevel.ABLE),
    ReadyFoe("Plated Stalker", FoeLevel.STRONG),
    ReadyFoe("Fallen Champion", FoeLevel.STRONG),
    ReadyFoe("Brood Matron", FoeLevel.MIGHTY),
)
FOES: FoeRules[SwarmSheet, SwarmSettings] = FoeRules(
    title="Proficiencies",
    things=lambda settings: [one.name for one in settings.all_proficiencies],
    make=_make,
    give=_give,
    ready=READY,
    fresh=lambda sheet: evolve(sheet, star=None),
)


MOST_LISTED = 50
MOST_QUICK = 3  # amounts of damage with a button of their own


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """Star lost and regained, the load, equipment and traits, and what a GM corrects by hand.

    [SWARM-ATTR-02, SWARM-ATTR-03, SWARM-ATTR-09 to SWARM-ATTR-13, SWARM-PROF-09]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    return (
        *_star(scene, offering),
        *_load(scene, offering),
        *_gifts(scene, offering),
        *_corrections(scene, offering),
    )


def _star(scene: Scene, offering: Offering) -> Iterator[Act]:
    sheet, settings = scene.actor.sheet, scene.settings
    now, most = star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    lost = range(-1, max(LOWEST_STAR - now, -MOST_AT_ONCE) - 1, -1)
    for group, label, steps in (
        (ActGroup.DAMAGE, "Take Star …", lost),
        (ActGroup.HEAL, "Give Star back …", range(1, min(most - now, MOST_AT_ONCE) + 1)),
    ):
        words = numbers(steps, lambda n: f"{abs(n)}: Star {shown_number(now)} → {shown_number(now + n)}")
        quick = numbers(steps[:MOST_QUICK] if group is ActGroup.DAMAGE else (), shown_number)
        yield from offering.menu(group, "star", label, "change", words, quick=quick)


def _load(scene: Scene, offering: Offering) -> Iterator[Act]:
    now = scene.actor.sheet.encumbrance
    loads = numbers((n for n in range(HIGHEST + 1) if n != now), lambda n: f"Boots −{n}" if n else "No load")
    label = f"Set the load … ({now} now)"
    yield from offering.menu(ActGroup.CONDITION, "load", label, "reduction", loads)


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    sheet = scene.actor.sheet
    listed = [
        Choice(one.name, one.name[:100])
        for one in scene.settings.all_equipment[:MOST_LISTED]
        if sheet.find_benefit(one.name) is None
    ]
    yield from offering.menu(ActGroup.GIVE, "give", "Give equipment …", "name", listed)
    blanks = (
        TextField(key="name", prompt="Its name", longest=40),
        TextField(key="text", prompt="What it does", longest=200, is_required=False),
    )
    for kind in BenefitKind:
        label = f"Give other {kind} …" if kind is BenefitKind.EQUIPMENT else "Give a trait …"
        yield offering.act(
            ActGroup.GIVE,
            "give",
            label,
            blanks=blanks,
            adjusts={"attribute": "Attribute it raises", "amount": "By how much"},
            kind=kind,
        )
    own = [Choice(one.name, one.name[:100], str(one.kind)) for one in sheet.benefits]
    yield from offering.menu(ActGroup.GIVE, "take", "Take away …", "name", own)


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    sheet, settings = scene.actor.sheet, scene.settings
    for attribute in SwarmAttribute:
        field, now = attribute.lower(), base_of(sheet, attribute, settings)
        others = [Choice(str(n), f"{now} → {n}") for n in range(HIGHEST + 1) if n != now]
        yield from offering.menu(ActGroup.GM, "attributes", f"Set {attribute} … ({now} now)", field, others)
    ranks = TextField(key="ranks", prompt="New ranks", longest=4)
    for one in settings.all_proficiencies[:MOST_LISTED]:
        had = sheet.ranks_in(one.name)
        label = f"Set the ranks in {one.name} … ({had} now)"
        yield offering.act(ActGroup.GM, "ranks", label, blanks=(ranks,), proficiency=one.name, ranks=had)


NAME = Column(key="name", title="Name", note="Without commas or colons", longest=LONGEST_NAME)


def _proficiency(text: str) -> Row:
    read = read_proficiency(text)
    return {"name": read.name, "attribute": read.attribute.value, "trained_only": read.trained_only}


def _proficiency_text(row: Row) -> str:
    return f"{row['name']}: {row['attribute']}{f' {TRAINED}' if row['trained_only'] else ''}"


def _obstacle(text: str) -> Row:
    read = read_obstacle(text)
    return {"name": read.name, "difficulty": read.difficulty}


def _equipment(text: str) -> Row:
    read = read_equipment(text)
    return {"name": read.name, "raises": " ".join(str(one) for one in read.raises)}


def _obstacle_text(row: Row) -> str:
    return f"{row['name']}: {row.get('difficulty', '')}"


def _equipment_text(row: Row) -> str:
    return f"{row['name']}: {row.get('raises') or ''}".removesuffix(": ")


def _named(settings: SwarmSettings, before: Row | None, row: Row) -> Row:
    """An entry whose name can be read back from its text."""
    name = " ".join(str(row.get("name") or "").split())
    if not name or set(":,") & set(name):
        raise ValueError("A name needs at least one character, without commas or colons.")
    return {**row, "name": name}


PROFICIENCIES: EditableList[SwarmSettings] = EditableList(
    key="skills",
    title="Proficiencies",
    noun="proficiency",
    columns=(
        NAME,
        Column(key="attribute", title="Attribute", choices=menu_of(tuple(SwarmAttribute))),
        Column(key="trained_only", title="Needs training", choices=YES_NO),
    ),
    source=FieldRows("proficiencies", _proficiency, _proficiency_text),
    complete=_named,
    about=lambda row: str(row["attribute"]),
)
OBSTACLES: EditableList[SwarmSettings] = EditableList(
    key="hard",
    title="Obstacles",
    noun="obstacle",
    columns=(NAME, Column(key="difficulty", title="Difficulty", note="0 to 10")),
    source=FieldRows("obstacles", _obstacle, _obstacle_text),
    complete=_named,
    about=lambda row: str(row["difficulty"]),
)
EQUIPMENT: EditableList[SwarmSettings] = EditableList(
    key="gear",
    title="Equipment",
    noun="piece of equipment",
    columns=(
        NAME,
        Column(key="raises", title="What it raises", note="Such as: Shield +3 Boots +1", is_required=False),
    ),
    source=FieldRows("equipment", _equipment, _equipment_text),
    complete=_named,
    about=lambda row: str(row.get("raises") or ""),
)
LISTS = (PROFICIENCIES, OBSTACLES, EQUIPMENT)


class AddProficiencyOptions(Document):
    """A new proficiency: its name, its attribute, and whether it needs training."""

    name: Name = Field(max_length=LONGEST_NAME)
    attribute: SwarmAttribute
    trained_only: bool = False


class AddObstacleOptions(Document):
    """A new named obstacle."""

    name: Name = Field(max_length=LONGEST_NAME)
    difficulty: int = Field(ge=0, le=HIGHEST)


class AddEquipmentOptions(Document):
    """New equipment to hand out; adding it again with another attribute raises both."""

    name: Name = Field(max_length=LONGEST_NAME)
    attribute: SwarmAttribute
    amount: int = Field(ge=1, le=HIGHEST)


class RemoveOptions(Document):
    """The entry that the GM removes from the lists."""

    name: str = Field(max_length=LONGEST_NAME)


def _put(scene: Scene, which: EditableList[SwarmSettings], row: Row, words: str) -> Outcome:
    """Add an entry to a list, and tell it in words; an older one of the same name is replaced."""
    before = scene.settings
    try:
        settings, _row = which.with_row(before, row, replaces=True)
    except ValidationError as error:
        messages = (str(problem["msg"]).removeprefix("Value error, ") for problem in error.errors())
        raise UserErrors(tuple(f"{sentence.rstrip('.')}." for sentence in messages)) from None
    if settings == before:
        raise UserError(f"“{words}” is already on the list.")
    verb = "changes" if which.identity(row) in map(which.identity, which.rows(before)) else "adds"
    headline = f"{verb} {words} (campaign {which.title.lower()})"
    return Outcome(scene=replace(scene, settings=settings), headline=headline)


@procedure("add_proficiency", gm_only=True, needs_actor=False)
def add_proficiency(scene: Scene, options: AddProficiencyOptions, _dice: Dice) -> Outcome:
    """Add a proficiency to the campaign. [SWARM-PROF-02 (SWARM-R16), SWARM-PROF-09]"""
    row = options.model_dump(mode="json")
    return _put(scene, PROFICIENCIES, row, _proficiency_text(row))


@procedure("add_obstacle", gm_only=True, needs_actor=False)
def add_obstacle(scene: Scene, options: AddObstacleOptions, _dice: Dice) -> Outcome:
    """Give an obstacle a name. [SWARM-TEST-04]"""
    row = options.model_dump(mode="json")
    return _put(scene, OBSTACLES, row, _obstacle_text(row))


@procedure("add_equipment", gm_only=True, needs_actor=False)
def add_equipment(scene: Scene, options: AddEquipmentOptions, _dice: Dice) -> Outcome:
    """Add equipment to hand out, or add an increase to listed equipment. [SWARM-ATTR-03]"""
    found = scene.settings.find_equipment(options.name)
    others = () if found is None else found.raises
    unchanged = (one for one in others if one.attribute is not options.attribute)
    raised = Raise(attribute=options.attribute, amount=options.amount)
    row = {"name": options.name, "raises": " ".join(map(str, (*unchanged, raised)))}
    return _put(scene, EQUIPMENT, row, _equipment_text(row))


@procedure("remove", gm_only=True, needs_actor=False)
def remove(scene: Scene, options: RemoveOptions, _dice: Dice) -> Outcome:
    """Remove an entry from the campaign's lists; sheets do not change."""
    for which in LISTS:
        if name_key(options.name) in map(which.identity, which.rows(scene.settings)):
            settings, _row = which.without(scene.settings, name_key(options.name))
            headline = f"removes {' '.join(options.name.split())} (campaign {which.title.lower()})"
            return Outcome(scene=replace(scene, settings=settings), headline=headline)
    raise UserError(
        f"“{options.name}” isn't on this campaign's lists.",
        "The book's own entries can't be removed.",
        "See /swarm lists.",
    )


@procedure("show_lists", needs_actor=False)
def show(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the lists privately. [SWARM-PROF-02, SWARM-PROF-06]"""
    settings = scene.settings
    obstacles = [f"{one.name} {one.difficulty}" for one in settings.all_obstacles]
    equipment = [raised_words(one.name, one.raises) for one in settings.all_equipment]
    lines = (
        f"Proficiency test difficulties: {' · '.join(difficulty_choices())}",
        f"Proficiencies: {' · '.join(_proficiency_words(one) for one in settings.all_proficiencies)}",
        f"Obstacles: {' · '.join(obstacles) or 'none named'}",
        f"Equipment: {' · '.join(equipment) or 'none'}",
    )
    return Outcome(scene=scene, headline="looks at the campaign's lists", notes=lines, is_public=False)


def _proficiency_words(proficiency: Proficiency) -> str:
    trained = ", needs training" if proficiency.trained_only else ""
    return f"{proficiency.name} ({proficiency.attribute}{trained})"
