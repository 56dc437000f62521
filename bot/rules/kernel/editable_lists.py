"""Lists that a GM edits in forms: a module's skills, gear and so on, one form per entry."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, cast

from msgspec import Struct

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import Document, ForTypes, SettingsT, nothing
from bot.rules.kernel.procedures import Choice

EACH = "*"


class SheetField(Struct, frozen=True):
    """A field of a sheet, or the same field of each entry of a list or table on it."""

    path: str  # where it is, its parts with slashes between them; ``*`` stands for each entry
    title: str  # what it is called; ``{}`` stands for the entry's name: "{}, level"
    # The values it may have under the campaign's settings, where its model doesn't say so.
    values: Callable[[Any], tuple[Choice, ...]] = nothing


Row = Mapping[str, object]  # an entry as JSON, by the names of its fields
Rows = tuple[Row, ...]
YES_NO = (Choice("yes", "Yes"), Choice("no", "No"))
NOTHING = "-"  # an empty value in a menu


class Column(Struct, frozen=True, kw_only=True):
    """A field of an entry that its form asks for; the others stay as they are."""

    key: str  # its name in the row
    title: str  # what it is called in the form; up to 45 characters
    note: str = ""  # a hint; up to 100 characters
    longest: int = 60  # most characters
    is_required: bool = True  # whether it has to be filled; one left empty gets its default
    choices: tuple[Choice, ...] = ()  # the entries of a menu that takes the text field's place; up to 25
    most: int = 1  # how many of them can be chosen; with more than one the field is a list
    is_list: bool = False  # whether the field is a list, typed with commas

    def typed(self, row: Row) -> tuple[str, ...]:
        """The field as somebody would type or choose it."""
        value = row.get(self.key)
        if value is None:
            return ()
        if isinstance(value, bool):
            return ("yes" if value else "no",)
        if isinstance(value, (list, tuple)):
            texts = tuple(str(one) for one in value)
            return texts if self.most > 1 else (", ".join(texts),)
        return (NOTHING if value == "" and self.choices else str(value),)

    def read(self, typed: Sequence[str]) -> object:
        """The field from what was typed or chosen; None for nothing."""
        if self.most > 1:
            return list(typed)
        text = typed[0].strip() if typed else ""
        if self.is_list:
            return [part.strip() for part in text.split(",") if part.strip()]
        if self.choices == YES_NO:
            return text == "yes"
        return re.sub(r"^−(?=\d)", "-", text) or None

    def in_words(self, row: Row) -> str:
        """The field in words."""
        labels = {choice.value: choice.label for choice in self.choices}
        return ", ".join(labels.get(one, one) for one in self.typed(row))


def menu_of(values: Sequence[str], empty: str = "") -> tuple[Choice, ...]:
    """The entries of a menu of a few values; *empty* is how an empty one reads."""
    return tuple(Choice(value or NOTHING, (value or empty).capitalize()) for value in values)


def _as_it_is(_settings: object, _before: Row | None, row: Row) -> Row:
    return row


def _as_stored(_settings: object, row: Row) -> Row:
    return row


def _always(_settings: object) -> bool:
    return True


def _name(row: Row) -> str:
    return str(row["name"])


def _folded_name(row: Row) -> str:
    return " ".join(str(row["name"]).casefold().split())


class RowSource(Protocol[SettingsT]):
    """Where the entries of a list are under the settings."""

    def rows(self, settings: SettingsT) -> Rows:
        """The entries."""

    def with_rows(self, settings: SettingsT, rows: Rows) -> SettingsT:
        """The settings with other entries.

        Raises:
            UserError: If they are not allowed.
            ValidationError: If the settings refuse them.
        """


def _dumped(entry: Document) -> Row:
    return entry.model_dump(mode="json")


def _same(row: Row) -> object:
    return row


def _no_more(_before: SettingsT, changed: SettingsT) -> SettingsT:
    return changed


class FieldRows(Struct, frozen=True):
    """Entries in a field of the settings."""

    field: str  # the field, a list
    read: Callable[[Any], Row] = _dumped  # an element of it as a row; by default it is a document
    write: Callable[[Row], object] = _same  # a row as an element of it
    # The changed settings with what follows from that, given those before too. Raises `UserError`.
    then: Callable[[Any, Any], Any] = _no_more

    def rows(self, settings: Document) -> Rows:
        """The entries."""
        return tuple(self.read(one) for one in getattr(settings, self.field))

    def with_rows(self, settings: SettingsT, rows: Rows) -> SettingsT:
        """The settings with other entries."""
        written = [self.write(row) for row in rows]
        changed = type(settings).model_validate({**settings.model_dump(mode="json"), self.field: written})
        return cast(SettingsT, self.then(settings, changed))


class EditableList(Struct, ForTypes, Generic[SettingsT], frozen=True, kw_only=True):
    """A list that a campaign's GM edits."""

    key: str  # its name in ids of buttons: a short word
    title: str
    noun: str  # what one entry is called
    columns: tuple[Column, ...]  # what the form of an entry asks for; up to five
    source: RowSource[SettingsT]  # where its entries are
    model: type[Document] | None = None  # model of an entry, which says what is wrong with one
    # Fills in what the form of an entry doesn't ask for, given the entry before or None, and reads names as
    # ids. Raises `UserError`.
    complete: Callable[[SettingsT, Row | None, Row], Row] = _as_it_is
    # An entry as its form shows it, with names for ids.
    shown: Callable[[SettingsT, Row], Row] = _as_stored
    named: Callable[[Row], str] = _name  # what an entry is called
    identity: Callable[[Row], str] = _folded_name  # what tells one entry from the others
    about: Callable[[Row], str] = lambda _row: ""  # what else a list of them says about one, in a few words
    is_on: Callable[[SettingsT], bool] = _always  # whether anybody needs it under the settings

    def rows(self, settings: SettingsT) -> Rows:
        """Its entries under the settings."""
        return self.source.rows(settings)

    def found(self, settings: SettingsT, identity: str) -> Row:
        """The entry with an identity.

        Raises:
            UserError: If it is gone.
        """
        for row in self.rows(settings):
            if self.identity(row) == identity:
                return row
        raise UserError(f"This {self.noun} is gone.", "Someone has removed or renamed it.")

    def put(
        self, settings: SettingsT, identity: str | None, typed: Mapping[str, Sequence[str]]
    ) -> tuple[SettingsT, Row]:
        """The settings with an entry added, or changed, and that entry.

        Args:
            settings: The settings before.
            identity: Which entry is changed; None for a new one.
            typed: What was typed or chosen, by column.

        Raises:
            UserError: If it is not allowed.
            ValidationError: If the model or the settings refuse it.
        """
        before = None if identity is None else self.found(settings, identity)
        row = {**(before or {})}
        for column in self.columns:
            value = column.read(typed.get(column.key, ()))
            if value is None or (value == NOTHING and column.choices):
                row.pop(column.key, None)
            else:
                row[column.key] = value
        return self._with(settings, before, row)

    def with_row(self, settings: SettingsT, row: Row, *, replaces: bool = False) -> tuple[SettingsT, Row]:
        """The settings with an entry added that a row states whole, and that entry.

        Args:
            settings: The settings before.
            row: The entry.
            replaces: Whether it takes the place of an entry with the same identity, if there is one.

        Raises:
            UserError: If it is not allowed.
            ValidationError: If the model or the settings refuse it.
        """
        same = (one for one in self.rows(settings) if replaces and self.identity(one) == self.identity(row))
        return self._with(settings, next(same, None), row)

    def _with(self, settings: SettingsT, before: Row | None, row: Row) -> tuple[SettingsT, Row]:
        identity = None if before is None else self.identity(before)
        row = {**self.complete(settings, before, row)}
        if self.model is not None:
            row = self.model.model_validate(row).model_dump(mode="json")
        new = self.identity(row)
        others = [one for one in self.rows(settings) if self.identity(one) != identity]
        if any(self.identity(one) == new for one in others):
            raise UserError(f"“{self.named(row)}” is already on the list.", "Choose another name.")
        rows = tuple(row if self.identity(one) == identity else one for one in self.rows(settings))
        return self.source.with_rows(settings, rows if identity is not None else (*rows, row)), row

    def without(self, settings: SettingsT, identity: str) -> tuple[SettingsT, Row]:
        """The settings without an entry, and that entry.

        Raises:
            UserError: If it is gone, or needed by another.
        """
        gone = self.found(settings, identity)
        rest = tuple(row for row in self.rows(settings) if self.identity(row) != identity)
        return self.source.with_rows(settings, rest), gone
