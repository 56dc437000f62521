"""The campaign's lists: the book's entries and the GM's own."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import Field, ValidationError

from bot.rules.kernel import Document, NoOptions, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.sword_and_swarm.character.campaign_lists import (
    LONGEST_NAME,
    Equipment,
    Name,
    Obstacle,
    Proficiency,
    Raise,
    folded,
    raised_words,
)
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import Outcome, Scene
from bot.rules.sword_and_swarm.checks.trials import difficulty_choices
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute


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
    """Add a proficiency to the campaign.

    Source: SWARM-PROF-02 (SWARM-R16), SWARM-PROF-09.
    """
    return _put(scene, PROFICIENCIES, Proficiency(options.name, options.attribute, options.trained_only))


declare("add_proficiency", AddProficiencyOptions, add_proficiency, gm_only=True, needs_actor=False)


def add_obstacle(scene: Scene, options: AddObstacleOptions, _dice: Dice) -> Outcome:
    """Give an obstacle a name.

    Source: SWARM-TEST-04.
    """
    return _put(scene, OBSTACLES, Obstacle(options.name, options.difficulty))


declare("add_obstacle", AddObstacleOptions, add_obstacle, gm_only=True, needs_actor=False)


def add_equipment(scene: Scene, options: AddEquipmentOptions, _dice: Dice) -> Outcome:
    """Add equipment to hand out, or add an increase to listed equipment.

    Source: SWARM-ATTR-03.
    """
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
    """Show the lists privately.

    Source: SWARM-PROF-02, SWARM-PROF-06.
    """
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
