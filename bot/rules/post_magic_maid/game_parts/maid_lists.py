"""The list that a GM adds to: ability names to suggest."""

from bot.rules.kernel import Column, EditableList, FieldRows
from bot.rules.post_magic_maid.character.settings import MaidSettings

LISTS: tuple[EditableList[MaidSettings], ...] = (
    EditableList(
        key="names",
        title="Ability names",
        noun="ability name",
        columns=(Column(key="name", title="Ability name", longest=40),),
        source=FieldRows("suggestions", lambda name: {"name": name}, lambda row: row["name"]),
        complete=lambda _settings, _before, row: {"name": row.get("name", "")},
    ),
)
