"""Sheet fields by path, for a GM to set by hand."""

from collections.abc import Iterator
from dataclasses import replace

from pydantic import ValidationError

from bot.rules.kernel import Choice, Document
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.boundary import Reader, Transaction
from bot.store.records import Json, JsonObject
from bot.table.base.access import Access, access_here, as_played, find_character, sheet_problems_in
from bot.table.base.clean_names import one_line
from bot.table.base.request import Request
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import Table
from bot.table.base.typed_options import problem_sentence
from bot.table.campaigns.campaign_settings import as_typed, readings
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import as_kept
from bot.table.journal.suggest import matching


class NoSuchField(UserError):
    """A sheet has no field at that path."""

    def __init__(self, path: str, known: list[str]) -> None:
        shown = ", ".join(known[:10]) + (", ..." if len(known) > 10 else "")
        super().__init__(f"There is no field “{path}” on that sheet.", f"Fields: {shown}.")


async def set_field(
    table: Table, request: Request, name: str, path: str, text: str, reason: str = ""
) -> Result:
    """Set a field of a character's sheet.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        name: The character.
        path: The field, its parts with slashes between them ("attributes/strength", "abilities/0/name").
        text: Its new value as typed: a number, a text, yes or no, a list with commas, or JSON.
        reason: Why, for whoever reads it.

    Raises:
        UserError: If the sheet would not be allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = access_here(table, tx, request)
        access.require_gm()
        stored = find_character(tx, access, name)
        before = as_played(access.game, stored)
        sheet = _with_field(access, before.sheet, path, text)
        after = replace(before, sheet=sheet)
        tx.save_character(as_kept(access, stored, after))
        place = "/".join(_parts(path)).replace("_", " ")
        shown = (_shown(one, path) for one in (before.sheet, sheet))
        line = ChangeLine(stored.name, place.replace("/", " "), *shown)
        message = Message(
            who=request.person_name,
            headline=f"sets {stored.name}'s {place}",
            changes=(line,),
            notes=(one_line(reason),) if one_line(reason) else (),
            is_public=not stored.is_hidden,
        )
        return record(table, tx, access, "gm.set", message, is_secret=stored.is_hidden)

    return await table.store.run(unit)


def _shown(sheet: Document, path: str) -> str:
    return as_typed(_found(_dump(sheet), path))


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
    first_problems: tuple[str, ...] = ()
    dumped = _dump(sheet)
    _found(dumped, path)
    for value in readings(text):
        try:
            changed = access.game.sheet.model_validate(_replaced(dumped, _parts(path), value))
        except ValidationError as error:
            first_problems = first_problems or tuple(problem_sentence(problem) for problem in error.errors())
            continue
        before = sheet_problems_in(access, sheet)  # what was wrong before does not stand in the way now
        problems = [problem for problem in sheet_problems_in(access, changed) if problem not in before]
        if problems:
            raise UserErrors(tuple(problem.with_known for problem in problems))
        return changed
    raise UserErrors(first_problems)


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


async def field_choices(table: Table, request: Request, typed: str, name: str) -> list[Choice]:
    """Return the fields of a character's sheet, each with its present value."""

    def query(reader: Reader) -> list[Choice]:
        access = access_here(table, reader, request)
        access.require_gm()
        sheet = as_played(access.game, find_character(reader, access, name)).sheet
        values = dict(leaves(_dump(sheet)))
        return [
            Choice(path, f"{path} = {as_typed(values[path])}"[:100])
            for path in matching(values, typed)
            if len(path) <= 100
        ]

    return await table.store.read(query)
