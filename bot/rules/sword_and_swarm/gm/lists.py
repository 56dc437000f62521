"""The campaign's lists: what the book names, and what the GM adds."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import Field, ValidationError

from bot.rules.kernel import Document, NoOptions, Outcome, Scene, declare
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
from bot.rules.sword_and_swarm.character.settings import SwarmSettings, settings_of
from bot.rules.sword_and_swarm.checks.trials import difficulty_choices
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute


class AddProficiencyOptions(Document):
    """A proficiency for the campaign: its name, its attribute, and whether it takes ranks to try."""

    name: Name = Field(max_length=LONGEST_NAME)
    attribute: SwarmAttribute
    trained_only: bool = False


class AddObstacleOptions(Document):
    """An obstacle with a name."""

    name: Name = Field(max_length=LONGEST_NAME)
    difficulty: int = Field(ge=0, le=HIGHEST)


class AddEquipmentOptions(Document):
    """Equipment to hand out; given again with another attribute, it raises that one too."""

    name: Name = Field(max_length=LONGEST_NAME)
    attribute: SwarmAttribute
    amount: int = Field(ge=1, le=HIGHEST)


class RemoveOptions(Document):
    """A name that the GM takes off the lists."""

    name: str = Field(max_length=LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class _List:
    """One of the campaign's lists: its field in the settings, its name, and how an entry is found."""

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
    """The scene with one list changed.

    Raises:
        UserError: If the settings cannot hold it.
    """
    settings = settings_of(scene)
    try:
        changed = SwarmSettings.model_validate({**settings.model_dump(), which.field: texts})
    except ValidationError as error:
        said = (str(problem["msg"]).removeprefix("Value error, ") for problem in error.errors())
        raise UserErrors(tuple(f"{sentence.rstrip('.')}." for sentence in said)) from None
    return replace(scene, settings=changed)


def _put(scene: Scene, which: _List, entry: Proficiency | Obstacle | Equipment) -> Outcome:
    """Add an entry to a list, in the place of an older one of that name."""
    texts = _texts(settings_of(scene), which)
    is_there = any(_named(text, entry.name) for text in texts)
    changed = tuple(str(entry) if _named(text, entry.name) else text for text in texts)
    if changed == texts and is_there:
        raise UserError(f"“{entry}” is on the list already.")
    return Outcome(
        scene=_with_list(scene, which, changed if is_there else (*texts, str(entry))),
        headline=f"{'changes' if is_there else 'adds'} {entry} ({which.title.lower()} of this campaign)",
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
    """Add equipment to hand out, or let it raise one attribute more.

    Source: SWARM-ATTR-03.
    """
    found = settings_of(scene).find_equipment(options.name)
    others = () if found is None else found.raises
    kept = tuple(one for one in others if one.attribute is not options.attribute)
    raised = Raise(attribute=options.attribute, amount=options.amount)
    return _put(scene, EQUIPMENT, Equipment(options.name, (*kept, raised)))


declare("add_equipment", AddEquipmentOptions, add_equipment, gm_only=True, needs_actor=False)


def remove(scene: Scene, options: RemoveOptions, _dice: Dice) -> Outcome:
    """Take a name off the campaign's lists; what is on sheets stays there."""
    for which in LISTS:
        texts = _texts(settings_of(scene), which)
        kept = tuple(text for text in texts if not _named(text, options.name))
        if kept != texts:
            scene = _with_list(scene, which, kept)
            headline = f"removes {' '.join(options.name.split())} ({which.title.lower()} of this campaign)"
            return Outcome(scene=scene, headline=headline)
    raise UserError(
        f"There is no {options.name!r} on this campaign’s lists.",
        "What the book names cannot be removed.",
        "/swarm list show shows them.",
    )


declare("remove", RemoveOptions, remove, gm_only=True, needs_actor=False)


def show(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the lists, to the person alone.

    Source: SWARM-PROF-02, SWARM-PROF-06.
    """
    settings = settings_of(scene)
    obstacles = [f"{one.name} {one.difficulty}" for one in settings.all_obstacles]
    equipment = [raised_words(one.name, one.raises) for one in settings.all_equipment]
    lines = (
        f"Difficulties of proficiency tests: {' · '.join(difficulty_choices())}",
        f"Proficiencies: {' · '.join(_proficiency_words(one) for one in settings.all_proficiencies)}",
        f"Obstacles: {' · '.join(obstacles) or 'none with a name'}",
        f"Equipment: {' · '.join(equipment) or 'none on the list'}",
    )
    return Outcome(scene=scene, headline="looks at the lists of this campaign", notes=lines, is_public=False)


declare("show_lists", NoOptions, show, needs_actor=False)


def _proficiency_words(proficiency: Proficiency) -> str:
    trained = ", takes ranks" if proficiency.trained_only else ""
    return f"{proficiency.name} ({proficiency.attribute}{trained})"
