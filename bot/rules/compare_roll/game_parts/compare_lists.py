"""The lists that a GM adds to: difficulties, skills, weapons and items."""

from bot.rules.compare_roll.character.catalogue import skill_names
from bot.rules.compare_roll.character.settings import AddedSkill, CompareSettings
from bot.rules.compare_roll.resolution.tables import (
    CATEGORIES,
    CompareDifficultyRow,
    CompareItem,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    ItemKind,
    Shape,
)
from bot.rules.kernel import Column, EditableList, FieldRows, Row, menu_of
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name

NAME = Column(key="name", title="Name", longest=40)
AMMUNITION_CHARGES = 4
# The fields that only one kind of item has.
ONLY_FOR = {
    "charges": (ItemKind.AMMUNITION, "Only ammunition has reloads."),
    "heals_sides": (ItemKind.REMEDY, "Only remedies heal."),
    "fortitude": (ItemKind.ARMOUR, "Only armour adds Fortitude."),
}


def _added_skill(settings: CompareSettings, before: Row | None, row: Row) -> Row:
    """A skill that its category doesn't have yet.

    Source: CMP-GM-02.
    """
    own = None if before is None else (str(before["category"]), str(before["name"]))
    category, name = str(row["category"]), str(row.get("name") or "")
    for of, known in skill_names(settings):
        if of == category and same_name(known, name) and (of, known) != own:
            raise UserError(f"{category} already has {known}.", "Choose another name.")
    return row


def _item(_settings: object, _before: Row | None, row: Row) -> Row:
    """An item with the numbers of its kind only.

    Source: CMP-GM-02.
    """
    for field, (kind, sentence) in ONLY_FOR.items():
        if row.get(field) not in (None, "0", 0) and row["kind"] != kind:
            raise UserError(sentence, "Leave it empty, or choose another kind.")
    if row["kind"] == ItemKind.AMMUNITION and row.get("charges") is None:
        return {**row, "charges": AMMUNITION_CHARGES}
    return row


LISTS: tuple[EditableList[CompareSettings], ...] = (
    EditableList(
        key="skills",
        title="Skills",
        noun="skill",
        columns=(Column(key="category", title="Category", choices=menu_of(tuple(CATEGORIES))), NAME),
        source=FieldRows("skills"),
        model=AddedSkill,
        complete=_added_skill,
        identity=lambda row: f"{row['category']}/{row['name']}".casefold(),
        about=lambda row: str(row["category"]),
    ),
    EditableList(
        key="weapons",
        title="Weapons",
        noun="weapon",
        columns=(
            NAME,
            Column(key="damage", title="Damage", choices=menu_of(tuple(DamageTag))),
            Column(key="distance", title="Distance", choices=menu_of(tuple(DistanceTag))),
            Column(key="shape", title="Whom it hits", choices=menu_of(tuple(Shape), "one target")),
            Column(key="level", title="Level", note="Damage dice, 1 to 20; empty: 1", is_required=False),
        ),
        source=FieldRows("weapons"),
        model=CompareWeapon,
        about=lambda row: f"{row['damage']}, {row['distance']}",
    ),
    EditableList(
        key="items",
        title="Items and armour",
        noun="item",
        columns=(
            NAME,
            Column(key="kind", title="Kind", choices=menu_of(tuple(ItemKind))),
            Column(key="charges", title="Reloads in one (ammunition)", is_required=False),
            Column(key="heals_sides", title="Die it heals (remedies)", note="Such as 6", is_required=False),
            Column(key="fortitude", title="Fortitude while worn (armour)", is_required=False),
        ),
        source=FieldRows("items"),
        model=CompareItem,
        complete=_item,
        about=lambda row: str(row["kind"]),
    ),
    EditableList(
        key="hard",
        title="Difficulties",
        noun="difficulty",
        columns=(NAME, Column(key="number", title="Number added to each d12", note="0 to 20")),
        source=FieldRows("difficulties"),
        model=CompareDifficultyRow,
        about=lambda row: f"+{row['number']}",
    ),
)
