"""Sheet fields by path, for a GM to set by hand."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from bot.rules.kernel import EACH, Choice, Document, SheetField
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import same_name
from bot.store.records import Json, JsonObject
from bot.store.transaction import Reader
from bot.table.base.access import Access, Request, as_played, find_character, sheet_problems_in
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, act, look
from bot.table.base.typed_options import one_line, problem_sentence
from bot.table.campaigns.campaign_settings import as_typed, few_values, readings
from bot.table.journal.scenes import as_kept
from bot.table.journal.suggest import matching


async def resource_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the resources of the campaign's ruleset."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [rule.title for rule in access.game.counted(access.settings)],
    )


async def award_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return everything that a GM can award in the campaign's ruleset."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [
            *(rule.title for rule in access.game.awards),
            *(rule.title for rule in access.game.counted(access.settings)),
        ],
    )


async def wound_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the wound tracks with their levels, as "track · level"."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [
            f"{one.title} · {level}" for one in access.game.wounds for level in one.levels
        ],
    )


async def timer_choices(table: Table, request: Request, typed: str, name: str) -> list[Choice]:
    """Return the timers that a character has."""
    return await _choices(
        table, request, typed, lambda reader, access: list(find_character(reader, access, name).timers)
    )


@look(gm=True)
def _choices(at: ReadTurn, typed: str, names: Callable[[Reader, Access], list[str]]) -> list[Choice]:
    return [Choice(name[:100], name[:100]) for name in matching(names(at.reader, at.access), typed)]


class NoSuchField(UserError):
    """A sheet has no field at that path."""

    def __init__(self, path: str, known: list[str]) -> None:
        shown = ", ".join(known[:10]) + (", ..." if len(known) > 10 else "")
        super().__init__(f"There is no field “{path}” on that sheet.", f"Fields: {shown}.")


@act(gm=True)
def set_field(at: Turn, name: str | int, path: str, text: str, reason: str = "") -> Result:
    """Set a field of a character's sheet.

    Args:
        name: The character, by name or id.
        path: The field by its title, or its path with slashes ("attributes/strength", "abilities/0/name").
        text: Its new value as typed: a number, a text, yes or no, a list with commas, or JSON.
        reason: Why, for whoever reads it.

    Raises:
        UserError: If the sheet would not be allowed; then nothing has changed.
    """
    stored = at.character(name)
    before = as_played(at.game, stored)
    place = _path_of(at.access, before.sheet, path)
    sheet = _with_field(at.access, before.sheet, place, text)
    after = replace(before, sheet=sheet)
    at.tx.save_character(as_kept(at.access, stored, after))
    title = _titled(at.access, before.sheet, place)
    shown = (_shown(at.access, one, place) for one in (before.sheet, sheet))
    line = ChangeLine(stored.name, title.replace("/", " "), *shown)
    return at.log(
        "gm.set",
        f"sets {stored.name}'s {title}",
        changes=(line,),
        notes=(one_line(reason),) if one_line(reason) else (),
        secret=stored.is_hidden,
    )


def _own(access: Access, sheet: Document, path: str) -> "SetField | None":
    """Return the field at a path, if it is one that a GM sets."""
    wanted = "/".join(_parts(path))
    return next((one for one in fields_of(access, sheet) if one.path == wanted), None)


def _path_of(access: Access, sheet: Document, typed: str) -> str:
    """Return the path of a field by its title; anything else is a path itself."""
    return next((one.path for one in fields_of(access, sheet) if same_name(one.title, typed)), typed)


def _titled(access: Access, sheet: Document, path: str) -> str:
    own = _own(access, sheet, path) if access.game.fields else None
    return "/".join(_parts(path)).replace("_", " ") if own is None else own.title


def _shown(access: Access, sheet: Document, path: str) -> str:
    own = _own(access, sheet, path)
    if own is None or not access.game.fields:
        return as_typed(_found(_dump(sheet), path))
    return own.value or "empty"


def _dump(sheet: Document) -> JsonObject:
    dumped: JsonObject = sheet.model_dump(mode="json")
    return dumped


def _parts(path: str) -> list[str]:
    return [part.strip() for part in path.split("/") if part.strip()]


def _found(dumped: JsonObject, path: str) -> Json:
    """Return the field at *path*.

    Raises:
        NoSuchField: If there is none.
    """
    value: Json = dumped
    for part in _parts(path) or [""]:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise NoSuchField(path, [known for known, _ in leaves(dumped)])
    return value


def _replaced(dumped: Json, parts: list[str], value: Json) -> Json:
    """Return a copy with another value at an existing place."""
    if not parts:
        return value
    first, rest = parts[0], parts[1:]
    if isinstance(dumped, dict):
        return {**dumped, first: _replaced(dumped[first], rest, value)}
    if isinstance(dumped, list):
        changed = list(dumped)
        changed[int(first)] = _replaced(dumped[int(first)], rest, value)
        return changed
    return value


def _with_field(access: Access, sheet: Document, path: str, text: str) -> Document:
    unreadable: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    dumped = _dump(sheet)
    try:
        _found(dumped, path)
    except NoSuchField:
        raise NoSuchField(path, [one.title for one in fields_of(access, sheet)]) from None
    title = _titled(access, sheet, path) if access.game.fields else None
    for value in _meant(access, sheet, path, text):
        try:
            changed = access.game.sheet.model_validate(_replaced(dumped, _parts(path), value))
        except ValidationError as error:
            found = tuple(problem_sentence(problem, title) for problem in error.errors())
            unreadable = unreadable or found
            continue
        before = sheet_problems_in(access, sheet)  # what was wrong before does not stand in the way now
        problems = [problem for problem in sheet_problems_in(access, changed) if problem not in before]
        if not problems:
            return changed
        refused = refused or tuple(problem.with_known for problem in problems)
    raise UserErrors(refused or unreadable)


def _meant(access: Access, sheet: Document, path: str, text: str) -> Iterator[Json]:
    """Return what a typed value may mean; a name stands for what is stored of it."""
    own = _own(access, sheet, path)
    named = () if own is None else own.values
    yield from (choice.value for choice in named if same_name(choice.label, text))
    yield from readings(text)


class SetField(Struct, frozen=True, kw_only=True):
    """A field of a sheet as a GM sets it."""

    path: str  # where it is
    title: str  # what it is called
    value: str  # what stands there, in words
    values: tuple[Choice, ...] = ()  # the values it may have, where there are few


def fields_of(access: Access, sheet: Document) -> tuple[SetField, ...]:
    """Return the fields of a sheet that a GM sets by hand; those of a game that names none, by path."""
    dumped = _dump(sheet)
    if not access.game.fields:
        return tuple(SetField(path=path, title=path, value=as_typed(value)) for path, value in leaves(dumped))
    return tuple(
        _field(access, one, path, names, value)
        for one in access.game.fields
        for path, names, value in _places(dumped, one.path.split("/"))
    )


def _field(access: Access, one: SheetField, path: str, names: str, value: Json) -> SetField:
    few = few_values(_annotation(access.game.sheet, _parts(path)))
    values = one.values(access.settings) or tuple(
        Choice(each, _words(each)) for each in few if each not in {"", "none"} or len(few) > 1
    )
    labels = {choice.value: choice.label for choice in values}
    typed = as_typed(value)
    shown = labels.get(typed, typed)
    return SetField(path=path, title=one.title.replace("{}", names), value=shown, values=values)


def _places(found: Json, parts: list[str], at: str = "", name: str = "") -> Iterator[tuple[str, str, Json]]:
    """Return the places of a field: path, the name of the entry it belongs to, value."""
    if not parts:
        yield at, name, found
        return
    first, rest = parts[0], parts[1:]
    entries: list[tuple[str, str, Json]] = []
    if isinstance(found, dict):
        keys = list(found) if first == EACH else [first] if first in found else []
        entries = [(key, _words(key) if first == EACH else name, found[key]) for key in keys]
    elif isinstance(found, list) and first == EACH:
        entries = [(str(at_), _name_of(one, at_), one) for at_, one in enumerate(found)]
    for key, called, value in entries:
        yield from _places(value, rest, f"{at}/{key}" if at else key, called)


def _name_of(entry: Json, at: int) -> str:
    """What an entry of a list is called."""
    if isinstance(entry, dict):
        for key in ("name", "skill", "id"):
            if isinstance(entry.get(key), str) and entry[key]:
                specialty = entry.get("specialty")
                return f"{_words(str(entry[key]))}{f' ({specialty})' if specialty else ''}"
    return str(at + 1)


def _words(key: str) -> str:
    """A stored name as people read it."""
    words = key.replace("_", " ").replace(":", ": ")
    return f"{words[:1].upper()}{words[1:]}"


def _annotation(model: Any, parts: list[str]) -> Any:
    """Return the type of a field of a model by its path, or None."""
    for part in parts:
        if isinstance(model, type) and issubclass(model, BaseModel):
            info = model.model_fields.get(part)
            model = None if info is None else info.annotation
            continue
        inner = [one for one in get_args(model) if one not in {type(None), Ellipsis}]
        model = inner[-1] if inner else None
        while get_origin(model) is Annotated:
            model = get_args(model)[0]
    return model


def leaves(dumped: Json, place: str = "") -> Iterator[tuple[str, Json]]:
    """Return every field of a sheet that can be set, by path, with its value."""
    inside: dict[str, Json] = {}
    if isinstance(dumped, dict):
        inside = dumped
    elif isinstance(dumped, list) and any(isinstance(part, (dict, list)) for part in dumped):
        inside = {str(number): part for number, part in enumerate(dumped)}
    for key, value in inside.items():
        yield from leaves(value, f"{place}/{key}" if place else key)
    if place and not inside:
        yield place, dumped


@look(gm=True)
def field_choices(at: ReadTurn, typed: str, name: str) -> list[Choice]:
    """Return the fields of a character's sheet that a GM sets, each with its present value."""
    sheet = as_played(at.game, at.character(name)).sheet
    found = {one.title: one for one in fields_of(at.access, sheet) if len(one.path) <= 100}
    return [
        Choice(found[title].path, f"{title} = {found[title].value or 'empty'}"[:100])
        for title in matching(found, typed)
    ]


@look(gm=True)
def field_values(at: ReadTurn, typed: str, name: str, path: str) -> list[Choice]:
    """Return the values that a field of a character's sheet may have, where there are few."""
    sheet = as_played(at.game, at.character(name)).sheet
    own = next((one for one in fields_of(at.access, sheet) if path in (one.path, one.title)), None)
    labels = {} if own is None else {choice.label: choice for choice in own.values}
    return [labels[label] for label in matching(labels, typed)]
