"""GM commands that set Star, the load, ranks and attributes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pydantic import Field, ValidationError

from bot.rules.kernel import CharacterId, Document, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import shown_number
from bot.rules.sword_and_swarm.attributes import HIGHEST, SwarmAttribute
from bot.rules.sword_and_swarm.equipment import state_notes, with_changed_sheet
from bot.rules.sword_and_swarm.sheet import (
    LONGEST_NAME,
    LOWEST_STAR,
    Equipment,
    Name,
    Obstacle,
    Outcome,
    Proficiency,
    Raise,
    Scene,
    SwarmSettings,
    SwarmSheet,
    base_of,
    folded,
    raised_words,
    star_left,
)
from bot.rules.sword_and_swarm.tests import MOST_RANKS
from bot.rules.sword_and_swarm.trials import difficulty_choices


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


@dataclass(frozen=True, slots=True)
class _List:
    """One of the campaign's lists: its settings field, its title, and how to find an entry."""

    field: str
    title: str
    find: Callable[[SwarmSettings, str], object | None]


PROFICIENCIES = _List("proficiencies", "Proficiencies", SwarmSettings.find_proficiency)
OBSTACLES = _List("obstacles", "Obstacles", SwarmSettings.find_obstacle)
EQUIPMENT = _List("equipment", "Equipment", SwarmSettings.find_equipment)
LISTS = (PROFICIENCIES, OBSTACLES, EQUIPMENT)


def _texts(settings: SwarmSettings, which: _List) -> tuple[str, ...]:
    texts: tuple[str, ...] = getattr(settings, which.field)
    return texts


def _named(text: str, name: str) -> bool:
    return folded(text.partition(":")[0]) == folded(name)


def _with_list(scene: Scene, which: _List, texts: tuple[str, ...]) -> Scene:
    """Return the scene with one list replaced.

    Raises:
        UserError: If the settings do not allow it.
    """
    settings = scene.settings
    try:
        changed = SwarmSettings.model_validate({**settings.model_dump(), which.field: texts})
    except ValidationError as error:
        messages = (str(problem["msg"]).removeprefix("Value error, ") for problem in error.errors())
        raise UserErrors(tuple(f"{sentence.rstrip('.')}." for sentence in messages)) from None
    return replace(scene, settings=changed)


def _put(scene: Scene, which: _List, entry: Proficiency | Obstacle | Equipment) -> Outcome:
    """Add an entry to a list; an older one of the same name is replaced."""
    texts = _texts(scene.settings, which)
    is_there = any(_named(text, entry.name) for text in texts)
    changed = tuple(str(entry) if _named(text, entry.name) else text for text in texts)
    if changed == texts and is_there:
        raise UserError(f"“{entry}” is already on the list.")
    return Outcome(
        scene=_with_list(scene, which, changed if is_there else (*texts, str(entry))),
        headline=f"{'changes' if is_there else 'adds'} {entry} (campaign {which.title.lower()})",
    )


def add_proficiency(scene: Scene, options: AddProficiencyOptions, _dice: Dice) -> Outcome:
    """Add a proficiency to the campaign. [SWARM-PROF-02 (SWARM-R16), SWARM-PROF-09]"""
    return _put(scene, PROFICIENCIES, Proficiency(options.name, options.attribute, options.trained_only))


declare("add_proficiency", AddProficiencyOptions, add_proficiency, gm_only=True, needs_actor=False)


def add_obstacle(scene: Scene, options: AddObstacleOptions, _dice: Dice) -> Outcome:
    """Give an obstacle a name. [SWARM-TEST-04]"""
    return _put(scene, OBSTACLES, Obstacle(options.name, options.difficulty))


declare("add_obstacle", AddObstacleOptions, add_obstacle, gm_only=True, needs_actor=False)


def add_equipment(scene: Scene, options: AddEquipmentOptions, _dice: Dice) -> Outcome:
    """Add equipment to hand out, or add an increase to listed equipment. [SWARM-ATTR-03]"""
    found = scene.settings.find_equipment(options.name)
    others = () if found is None else found.raises
    unchanged = tuple(one for one in others if one.attribute is not options.attribute)
    raised = Raise(attribute=options.attribute, amount=options.amount)
    return _put(scene, EQUIPMENT, Equipment(options.name, (*unchanged, raised)))


declare("add_equipment", AddEquipmentOptions, add_equipment, gm_only=True, needs_actor=False)


def remove(scene: Scene, options: RemoveOptions, _dice: Dice) -> Outcome:
    """Remove an entry from the campaign's lists; sheets do not change."""
    for which in LISTS:
        texts = _texts(scene.settings, which)
        others = tuple(text for text in texts if not _named(text, options.name))
        if others != texts:
            scene = _with_list(scene, which, others)
            headline = f"removes {' '.join(options.name.split())} (campaign {which.title.lower()})"
            return Outcome(scene=scene, headline=headline)
    raise UserError(
        f"“{options.name}” isn't on this campaign's lists.",
        "The book's own entries can't be removed.",
        "See /swarm lists.",
    )


declare("remove", RemoveOptions, remove, gm_only=True, needs_actor=False)


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


declare("show_lists", NoOptions, show, needs_actor=False)


def _proficiency_words(proficiency: Proficiency) -> str:
    trained = ", needs training" if proficiency.trained_only else ""
    return f"{proficiency.name} ({proficiency.attribute}{trained})"


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


declare("star", StarOptions, change_star, gm_only=True, needs_actor=False)


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


declare("load", LoadOptions, set_load, gm_only=True, needs_actor=False, sets=True)


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


declare("ranks", SwarmRankOptions, set_ranks, gm_only=True, needs_actor=False, sets=True)


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


declare("attributes", AttributesOptions, set_attributes, gm_only=True, needs_actor=False, sets=True)


def with_base(sheet: SwarmSheet, given: dict[SwarmAttribute, int], settings: SwarmSettings) -> SwarmSheet:
    """Return the sheet with some attributes set; the current Star is limited to its new maximum."""
    changed = evolve(sheet, base={**sheet.base, **given})
    if changed.star is None:
        return changed
    most = base_of(changed, SwarmAttribute.STAR, settings)
    return evolve(changed, star=min(changed.star, most))
