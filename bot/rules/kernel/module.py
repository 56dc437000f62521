"""Modules and settings: a GM's own content for the game, as files or as lists edited in forms."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Protocol, Self, cast

from msgspec import Struct, field
from pydantic import PrivateAttr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from typing_extensions import TypeVar

from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import Document, ForTypes, SettingsT, SettingsT_co, nothing
from bot.rules.kernel.parsing import (
    NO_NUMBER,
    FileKind,
    Path,
    Unreadable,
    flags_read_as_numbers,
    line_of,
    lines_of,
    parse,
)
from bot.rules.kernel.procedures import Choice

SUBJECT, WORDS = "subject", "words"
PACKS = "packs"  # what sets all optional rules at once
OPTIONAL_RULES = "Optional rules"  # how the subjects of their switches begin


def subject(title: str, words: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a field of settings is given as ``json_schema_extra``.

    Its ``title`` names it, its ``description`` says in a line what it does, and this says the rest.

    Args:
        title: The subject it belongs to; settings of one subject are shown on one page.
        words: Its values as they read, where a value as typed says too little: "0" to "never".
    """
    return {SUBJECT: title, WORDS: dict(words or {})}


def subject_of(info: FieldInfo) -> str:
    """The subject of a setting; empty if it has none."""
    return str(_extra(info).get(SUBJECT, ""))


def words_of(info: FieldInfo) -> Mapping[str, str]:
    """The values of a setting in words, by how they are typed."""
    found: Mapping[str, str] = _extra(info).get(WORDS, {})
    return found


def _extra(info: FieldInfo) -> Mapping[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}


Value = object
Written = Mapping[str, Value]
Kept = TypeVar("Kept", bound=Document)
Beside = TypeVar("Beside", bound=Document)

MOST_FLAWS = 1000

_SENTENCES = {
    "missing": "this is missing",
    "extra_forbidden": "there is no such field",
    "string_pattern_mismatch": "this should use only a-z, 0-9 and _, up to 60 characters",
    "model_type": "this should be a table of fields",
    "tuple_type": "this should be a list",
}


class FileProblem(Struct, frozen=True):
    """A problem in a file: its place and one sentence."""

    path: Path
    sentence: str


def _nothing_else(_document: Document, _written: Written) -> Iterable[FileProblem]:
    return ()


class Form(Struct, Generic[Kept], frozen=True, kw_only=True):
    """The format of a file."""

    model: type[Kept]  # model of all of it
    # What is wrong with it as a whole. Where single entries are wrong, it is asked about the rest, and sees
    # by what was written which entries were meant to be there.
    flaws: Callable[[Kept, Written], Iterable[FileProblem]] = _nothing_else
    # What stands in for a field that must be there where it is not.
    blanks: Written = field(default_factory=lambda: MappingProxyType({}))
    noun: str = "module"  # what such a file is called


def read_written(text: str, kind: FileKind, form: Form[Kept]) -> Kept:
    """Read a document.

    Args:
        text: The file.
        kind: How it is written.
        form: What may stand in it.

    Raises:
        UserErrors: If anything is wrong with it; every problem says the line, the entry, the field and what
            is allowed.
    """
    written = _parsed(text, kind, form.noun)
    document, flaws = check_written(written, form)
    if flaws or document is None:
        lines = lines_of(text, kind)
        raise UserErrors(tuple(_with_line(flaw, lines) for flaw in flaws))
    return document


def read_parts(text: str, kind: FileKind, form: Form[Kept], beside: Form[Beside]) -> tuple[Kept, Beside]:
    """Read a document and another one whose fields stand in the same file.

    Args:
        text: The file.
        kind: How it is written.
        form: What may stand in it.
        beside: What may stand in it besides.

    Raises:
        UserErrors: If anything is wrong with either.
    """
    written = _parsed(text, kind, form.noun)
    more = {name: value for name, value in written.items() if name in beside.model.model_fields}
    rest = {name: value for name, value in written.items() if name not in more}
    document, flaws = check_written(rest, form)
    other, others = check_written(more, beside)
    if flaws or others or document is None or other is None:
        lines = lines_of(text, kind)
        raise UserErrors(tuple(_with_line(flaw, lines) for flaw in (*flaws, *others)))
    return document, other


def _with_line(flaw: FileProblem, lines: Mapping[Path, int]) -> str:
    line = line_of(lines, flaw.path)
    return flaw.sentence if line is None else f"Line {line}: {flaw.sentence}"


def _parsed(text: str, kind: FileKind, noun: str) -> dict[str, Value]:
    try:
        parsed = parse(text, kind)
    except Unreadable as error:
        raise UserError(f"I can't read this {noun}. {error}.") from None
    if not isinstance(parsed, dict):
        raise UserError(f"This isn't a {noun}.", "It should be a table of fields.")
    return parsed


def check_written(written: Written, form: Form[Kept]) -> tuple[Kept | None, tuple[FileProblem, ...]]:
    """The parsed document (None if the model refuses it) and all its problems."""
    try:
        document = form.model.model_validate(written)
    except ValidationError as error:
        if error.error_count() > MOST_FLAWS:
            wrong = f"{error.error_count():,} things in this {form.noun} are wrong. Is it the right file?"
            return None, (FileProblem((), wrong),)
        details = error.errors(include_url=False, include_input=False)
        problems = [_as_problem(written, detail) for detail in _own_errors(details)]
        return None, (*problems, *_flaws_of_the_rest(written, details, form))
    flags = [
        _as_problem(written, ErrorDetails(type="flag", loc=path, msg=NO_NUMBER, input=None))
        for path in flags_read_as_numbers(written, document.model_dump())
    ]
    return document, (*flags, *form.flaws(document, written))


def _own_errors(details: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """The errors, without lists that are too short only because one of their entries is wrong."""
    inside = {detail["loc"][:-1] for detail in details}
    return [detail for detail in details if detail["type"] != "too_short" or detail["loc"] not in inside]


def _flaws_of_the_rest(
    written: Written, details: Sequence[ErrorDetails], form: Form[Kept]
) -> Iterable[FileProblem]:
    """Problems of the whole file, leaving out entries that are wrong themselves."""
    wrong = {detail["loc"][:2] for detail in details}
    sound: dict[str, Value] = {}
    places: dict[str, list[int]] = {}
    for name, value in written.items():
        if isinstance(value, list):
            places[name] = [place for place in range(len(value)) if (name, place) not in wrong]
            sound[name] = [value[place] for place in places[name]]
        elif not any(where[0] == name for where in wrong):
            sound[name] = value
    rest = {**form.blanks, **{field: value for field, value in sound.items() if (field,) not in wrong}}
    try:
        document = form.model.model_validate(rest)
    except ValidationError:  # what is wrong concerns several fields together, and has been told
        return ()
    return [
        FileProblem(_as_written(flaw.path, places), flaw.sentence) for flaw in form.flaws(document, written)
    ]


def _as_written(path: Path, places: Mapping[str, Sequence[int]]) -> Path:
    """Translate a path without the left-out entries to a path in the whole file."""
    match path:
        case (str(field), int(place), *inner) if field in places:
            return (field, places[field][place], *inner)
    return path


def _as_problem(written: Written, detail: ErrorDetails) -> FileProblem:
    """Describe one problem: its place, and what is allowed there."""
    words: list[str] = []
    path: list[str | int] = []
    found: Value = written
    for step in detail["loc"]:
        if isinstance(step, int):
            found = found[step] if isinstance(found, list) and step < len(found) else None
            name = found.get("id") if isinstance(found, dict) else None
            words.append(f"number {step + 1}" + (f" ({name})" if name else ""))
            path.append(step)
        else:
            is_there = isinstance(found, dict) and step in found
            found = found[step] if isinstance(found, dict) and is_there else found
            words.append(step)
            path += [step] if is_there else []
    return FileProblem(tuple(path), f"{', '.join(words)}: {_sentence(detail)}.")


def _sentence(detail: ErrorDetails) -> str:
    allowed = detail.get("ctx", {})
    match detail["type"]:
        case "value_error":
            return detail["msg"].removeprefix("Value error, ").rstrip(".")
        case "too_short":
            return f"this should have at least {allowed['min_length']}"
        case "union_tag_invalid":
            return f"its type should be one of {allowed['expected_tags']}"
        case other:
            return _SENTENCES.get(other) or re.sub(r"^\w+ should", "this should", detail["msg"])


def write_document(document: Document, kind: FileKind) -> str:
    """Write a document, leaving out default values.

    Args:
        kind: How to write it.
    """
    kept: dict[str, Value] = document.model_dump(mode="json", exclude_defaults=True)
    if kind is FileKind.JSON:
        return json.dumps(kept, ensure_ascii=False, indent=2) + "\n"
    return _toml(kept)


def _toml(stored: Written) -> str:
    plain = [f"{field} = {_value(value)}" for field, value in stored.items() if not _is_section(value)]
    sections = ["\n".join(plain)] if plain else []
    for name, value in stored.items():
        if isinstance(value, dict):
            sections.append(_section(f"[{name}]", value))
        elif _is_section(value):
            sections += [_section(f"[[{name}]]", row) for row in rows_of(value)]
    return "\n\n".join(sections) + "\n"


def rows_of(value: Value) -> Sequence[Written]:
    """The tables in a list, or none if it is not a list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else ()


def _is_section(value: Value) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and len(rows_of(value)) == len(value) > 0)


def _section(head: str, row: Written) -> str:
    fields = (f"{_name(field)} = {_value(value)}" for field, value in row.items() if value is not None)
    return "\n".join([head, *fields])


def _value(value: Value) -> str:
    """A value in TOML; JSON writes texts, numbers and yes or no the same way."""
    if isinstance(value, list):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    if isinstance(value, dict):
        inner = ", ".join(
            f"{_name(field)} = {_value(entry)}" for field, entry in value.items() if entry is not None
        )
        return f"{{ {inner} }}"
    return re.sub("\x7f", r"\\u007f", json.dumps(value, ensure_ascii=False))


def _name(field: str) -> str:
    return field if re.fullmatch(r"[A-Za-z0-9_-]+", field) else _value(field)


StatedT_co = TypeVar("StatedT_co", bound=Document, default=Document, covariant=True)
OWN_MODULE = "own"


class Together(Struct, frozen=True, kw_only=True):
    """Several settings set by one text: the names of those that are on, separated by commas."""

    key: str  # what one types to set them; no field of the settings
    description: str  # what they do
    value: str  # the text as it stands
    default: str  # the text where nothing is said


class NoSettings(Document):
    """Empty settings, for a ruleset without any."""


class SettingsWithModule(Document):
    """Settings that carry a module, which is stored apart from their fields."""

    _module: Document | None = PrivateAttr(default=None)

    @property
    def module_carried(self) -> Document | None:
        """The module, or None if the campaign has none."""
        return self._module

    def left_open(self) -> Mapping[str, str]:
        """The effective values of settings that are not set, by key."""
        return {}

    def together(self) -> tuple[Together, ...]:
        """The groups of settings that are set together; the model takes their text under the group's key."""
        return ()

    def with_module(self, module: Document) -> Self:
        """A copy of the settings with another module."""
        carrying = self.model_copy()
        carrying._module = module
        return carrying


def _as_they_are(settings: SettingsT, _key: str) -> SettingsT:
    return settings


class ModuleRule(Struct, ForTypes, Generic[StatedT_co, SettingsT_co], frozen=True, kw_only=True):
    """The part of a game that a campaign can replace: skills, gear, spells and so on.

    What rules are given as settings carries the campaign's module already, wherever they are given any.
    """

    form: Form[StatedT_co]  # what may stand in a file of one
    title: Callable[[StatedT_co], str]  # what one is called
    carried: Callable[[SettingsT_co], StatedT_co]  # the module that settings carry
    # The same settings with a module of the campaign's own.
    carrying: Callable[[SettingsT_co, StatedT_co], SettingsT_co]
    # Whether it is kept as a document of its own, which the settings' own fields leave out; False where it is
    # made of fields of the settings.
    is_apart: bool = True
    # Those that come with the program: key to title.
    shipped: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # The same settings, playing one of these by its key, or that of the campaign's own by `OWN_MODULE`.
    choosing: Callable[[SettingsT_co, str], SettingsT_co] = _as_they_are
    summary: Callable[[StatedT_co], tuple[str, ...]] = nothing  # what is in one, in a few short lines
    # What a campaign has set about one, in a few short lines.
    standing: Callable[[SettingsT_co], tuple[str, ...]] = nothing
    hints: Callable[[StatedT_co], tuple[str, ...]] = nothing  # what is allowed about one and yet unusual


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


def _name_of(row: Row) -> str:
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
    named: Callable[[Row], str] = _name_of  # what an entry is called
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
