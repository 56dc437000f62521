"""The list that a GM adds to: ability names to suggest."""

from bot.rules.kernel import Column, Document, EditableList, Rows
from bot.rules.post_magic_maid.character.settings import MaidSettings


def _rows(settings: MaidSettings) -> Rows:
    return tuple({"name": name} for name in settings.suggestions)


def _with_rows(settings: MaidSettings, rows: Rows) -> Document:
    names = [row["name"] for row in rows]
    return MaidSettings.model_validate({**settings.model_dump(mode="json"), "suggestions": names})


LISTS: tuple[EditableList[MaidSettings], ...] = (
    EditableList(
        key="names",
        title="Ability names",
        noun="ability name",
        columns=(Column(key="name", title="Ability name", longest=40),),
        rows=_rows,
        with_rows=_with_rows,
        complete=lambda _settings, _before, row: {"name": row.get("name", "")},
        settings=("suggestions",),
    ),
)
