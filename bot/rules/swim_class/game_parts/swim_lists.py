"""The lists that a GM adds to: skills and synergies."""

from bot.rules.kernel import Choice, Column, EditableList, FieldRows, Row, menu_of
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.skills import book_of, folded
from bot.rules.swim_class.resolution.tables import (
    SKILLS,
    Defends,
    SwimAttack,
    SwimGroup,
    SwimSkill,
    Synergy,
)

DEFENDS = {
    Defends.POOL: "Against attacks on its hit points",
    Defends.MATCHING: "Against the same skill",
    Defends.MAGIC: "Against magic",
    Defends.GM: "Where the GM allows it",
    Defends.NEVER: "Never",
}


def _skill(settings: SwimSettings, before: Row | None, row: Row) -> Row:
    """A skill with its key, which stays when the name changes.

    Source: SWIM-CHAR-06, SWIM-CHAR-07.
    """
    key = folded(str(row.get("name") or ""))
    if not key or ":" in key:
        raise UserError("Choose a name without a colon.", "Colons mark specialisations.")
    known = book_of(settings)
    own = None if before is None else before["key"]
    if key in known.skills and key != own:
        raise UserError(f"There is already a skill {known.title(key)}.", "Choose another name.")
    if before is not None:
        return row
    return {"group": SwimGroup.CUSTOM.value, **row, "key": key}


def _with_skills(before: SwimSettings, changed: SwimSettings) -> SwimSettings:
    """Settings with other skills, without synergies of those that are gone; none may need one of these."""
    known = {skill.key for skill in (*SKILLS, *changed.skills)}
    for skill in changed.skills:
        needed = (*(need.skill for need in skill.requires), *skill.opposed_by)
        if missing := [key for key in needed if key not in known]:
            gone = book_of(before).title(missing[0])
            raise UserError(f"{skill.name} needs {gone}.", f"Remove {skill.name} first.")
    edges = [edge for edge in changed.synergies if {edge.one, edge.other} <= known]
    return changed.model_copy(update={"synergies": tuple(edges)})


def _synergy(settings: SwimSettings, before: Row | None, row: Row) -> Row:
    """A synergy between two skills that have none yet.

    Source: SWIM-CHAR-07, SWIM-SYN-01.
    """
    known = book_of(settings)
    one, other = (known.find(str(row.get(end) or "")) for end in ("one", "other"))
    if one == other:
        raise UserError("A skill can't have synergy with itself.")
    own = None if before is None else {before["one"], before["other"]}
    if any({edge.one, edge.other} == {one, other} != own for edge in known.synergies):
        raise UserError(f"{known.title(one)} and {known.title(other)} already have a synergy.")
    return {**row, "one": one, "other": other}


def _with_names(settings: SwimSettings, row: Row) -> Row:
    known = book_of(settings)
    return {**row, "one": known.title(str(row["one"])), "other": known.title(str(row["other"]))}


def _pair(row: Row) -> str:
    return " and ".join(sorted((str(row["one"]), str(row["other"]))))


LISTS: tuple[EditableList[SwimSettings], ...] = (
    EditableList(
        key="skills",
        title="Skills",
        noun="skill",
        columns=(
            Column(key="name", title="Name"),
            Column(key="default", title="Starting rank", note="0 to 10; empty: 1", is_required=False),
            Column(key="attack", title="How it attacks", choices=menu_of(tuple(SwimAttack))),
            Column(
                key="defends",
                title="When it defends",
                choices=tuple(Choice(value, label) for value, label in DEFENDS.items()),
            ),
            Column(key="note", title="What it does", longest=200, is_required=False),
        ),
        source=FieldRows("skills", then=_with_skills),
        model=SwimSkill,
        complete=_skill,
        identity=lambda row: str(row["key"]),
        about=lambda row: f"starts at {row['default']}",
    ),
    EditableList(
        key="synergies",
        title="Synergies",
        noun="synergy",
        columns=(
            Column(key="one", title="One skill"),
            Column(key="other", title="The other skill"),
            Column(key="degree", title="Degree", note="0 to 10"),
        ),
        source=FieldRows("synergies"),
        model=Synergy,
        complete=_synergy,
        shown=_with_names,
        named=lambda row: _pair(row).replace("_", " ").capitalize(),
        identity=_pair,
        about=lambda row: f"degree {row['degree']}",
    ),
)
