"""The lists that a GM adds to: proficiencies, obstacles and equipment."""

from collections.abc import Callable

from bot.rules.kernel import YES_NO, Column, EditableList, FieldRows, Row, menu_of
from bot.rules.sword_and_swarm.character.campaign_lists import (
    LONGEST_NAME,
    TRAINED,
    read_equipment,
    read_obstacle,
    read_proficiency,
)
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute

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


def _text(field: str) -> Callable[[Row], str]:
    return lambda row: f"{row['name']}: {row.get(field) or ''}".removesuffix(": ")


def _named(settings: SwarmSettings, before: Row | None, row: Row) -> Row:
    """An entry whose name can be read back from its text."""
    name = " ".join(str(row.get("name") or "").split())
    if not name or set(":,") & set(name):
        raise ValueError("A name needs at least one character, without commas or colons.")
    return {**row, "name": name}


LISTS: tuple[EditableList[SwarmSettings], ...] = (
    EditableList(
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
    ),
    EditableList(
        key="hard",
        title="Obstacles",
        noun="obstacle",
        columns=(NAME, Column(key="difficulty", title="Difficulty", note="0 to 10")),
        source=FieldRows("obstacles", _obstacle, _text("difficulty")),
        complete=_named,
        about=lambda row: str(row["difficulty"]),
    ),
    EditableList(
        key="gear",
        title="Equipment",
        noun="piece of equipment",
        columns=(
            NAME,
            Column(
                key="raises", title="What it raises", note="Such as: Shield +3 Boots +1", is_required=False
            ),
        ),
        source=FieldRows("equipment", _equipment, _text("raises")),
        complete=_named,
        about=lambda row: str(row.get("raises") or ""),
    ),
)
