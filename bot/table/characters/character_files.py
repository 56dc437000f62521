"""Character files: export and import characters."""

import base64
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec.structs import replace
from pydantic import Field, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from bot.rules.kernel import Character, Document, FileKind, Ruleset, Unreadable, evolve, parse
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.parsing import NO_NUMBER, flags_read_as_numbers
from bot.rules.own.game_check import read_game
from bot.rules.own.game_file import MOST_BYTES
from bot.rules.own.own_ruleset import moved_sheet
from bot.rules.own.own_sheet import OwnSheet
from bot.store.records import CharacterRecord
from bot.table.base.access import (
    Access,
    Request,
    as_played,
    may_play,
    require_character,
    sheet_problems_in,
)
from bot.table.base.results import Result
from bot.table.base.table import OWN_GAME, Table
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import LONGEST_NAME, one_line, problem_sentence
from bot.table.characters.characters import add_character, newcomer

SIDE = 512  # pixels of a portrait, at most
LARGEST_PORTRAIT = 96 * 1024  # bytes
HANDOUT_SIDE = 1600  # pixels of a handout's picture, at most
LARGEST_HANDOUT = 1024 * 1024  # bytes


@look()
def has_portrait(at: ReadTurn, who: int) -> bool:
    """Return whether a character has a portrait, to a person who may change it.

    Raises:
        UserError: If the person may not.
    """
    record = _own(at, who)
    return bool(at.reader.portrait(record.server, record.id))


async def save_portrait(table: Table, request: Request, who: int, content: bytes) -> None:
    """Make a picture that somebody uploaded the portrait of a character; it replaces an earlier one.

    Args:
        request: Who asks, and where.
        who: The character.
        content: The picture as it was uploaded; nothing to remove the portrait.

    Raises:
        UserError: If it is no picture, too large, or the person may not do that.
    """
    picture = await table.pictures.small(content, SIDE, LARGEST_PORTRAIT) if content else b""

    await _save_portrait(table, request, who, picture)


@unit()
def _save_portrait(at: Turn, who: int, picture: bytes) -> None:
    record = _own(at, who)
    at.tx.save_portrait(record.server, record.id, picture)


def _own(at: ReadTurn, who: int) -> CharacterRecord:
    record = at.character(who)
    if not may_play(at.reader, at.access, record):
        raise UserError(f"{record.name} isn't your character.", "Only its player or a GM can change it.")
    return record


LARGEST_FILE = 256 * 1024  # bytes
FILE_FORMAT = "tablekeeper-character"
FILE_VERSION = 1
MOST_PROBLEMS = 20

Count = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]


class CharacterFile(Document):
    """A character as a file: `tablekeeper-character`, version 1."""

    format: str = FILE_FORMAT
    version: int = FILE_VERSION
    ruleset: str
    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    sheet_version: int
    sheet: dict[str, JsonValue]
    resources: Annotated[Mapping[str, Count], Field(max_length=100)] = {}
    wounds: Annotated[
        Mapping[str, Annotated[tuple[Count, ...], Field(max_length=100)]], Field(max_length=100)
    ] = {}
    portrait: str = ""  # a picture file in base64
    game: str = Field(default="", max_length=MOST_BYTES)  # of a game of one's own, the text of its version


@look()
def export(at: ReadTurn, name: str | None) -> tuple[str, bytes]:
    """Return the person's own character as a file: its name and content (JSON)."""
    stored = require_character(at.reader, at.access, name)
    played = as_played(at.game, stored)
    file = CharacterFile(
        ruleset=at.game.key,
        name=stored.name,
        sheet_version=at.game.sheet_version,
        sheet=played.sheet.model_dump(mode="json"),
        resources=played.resources,
        wounds=played.wounds,
        portrait=base64.b64encode(at.reader.portrait(stored.server, stored.id)).decode(),
        game=_own_text(at),
    )
    left_out = set() if file.game else {"game"}
    return stored.name, file.model_dump_json(indent=2, exclude=left_out).encode()


def _own_text(at: ReadTurn) -> str:
    """Return the text of the version that the campaign plays; nothing but of a game of one's own."""
    version = at.campaign.settings.get(OWN_GAME)
    found = at.reader.own_version(at.server, version) if isinstance(version, str) else None
    return "" if found is None else found.text


def _under_this_version(at: ReadTurn, file: CharacterFile) -> CharacterFile:
    """Return a character of a game of one's own, moved from the version in its file to the campaign's."""
    text = _own_text(at)
    if not text or not file.game or text == file.game:
        return file
    (before, _), (after, _) = read_game(file.game), read_game(text)
    try:
        sheet = OwnSheet.model_validate(file.sheet)
    except ValidationError:
        return file  # what is wrong with it is told later
    if before is None or after is None:
        raise UserError("I can't read the game in this file.")
    return evolve(file, sheet=moved_sheet(before, after, sheet)[0].model_dump(mode="json"))


async def import_(table: Table, request: Request, content: bytes, name: str | None = None) -> Result:
    """Make a character from a file; all problems with it are reported at once.

    Args:
        request: Who asks; the character becomes theirs.
        content: The file, at most 256 KiB of JSON.
        name: Another name for it.

    Raises:
        UserError: If the file is for another game, or something in it is not allowed.
    """
    uploaded = _portrait_in(content)
    portrait = await table.pictures.small(uploaded, SIDE, LARGEST_PORTRAIT) if uploaded else b""

    return await _import(table, request, content, name, portrait)


@act()
def _import(at: Turn, content: bytes, name: str | None, portrait: bytes) -> Result:
    file = _under_this_version(at, read_file(content, at.game))
    sheet = _checked_sheet(at.access, file)
    called = one_line(name or file.name)
    start = _counted(at.access, file, newcomer(at.access, called, sheet, at.request.person))
    result = add_character(at, called, sheet, how="joins the campaign from a file", brought=start)
    entry = at.tx.entry(at.server, result.entry)
    if portrait and entry is not None and entry.character is not None:
        at.tx.save_portrait(at.server, entry.character, portrait)
    return result


def read_file(content: bytes, game: Ruleset) -> CharacterFile:
    """Read a character file.

    Raises:
        UserError: If it isn't one, is for another ruleset, or is too large.
    """
    given = _parsed(content)
    try:
        file = CharacterFile.model_validate(given)
    except ValidationError as error:
        raise UserErrors(
            ("This isn't a character file.", *(_wrong_cell(one) for one in error.errors()[:MOST_PROBLEMS])),
            try_this="Get one with /character export.",
        ) from None
    if file.format != FILE_FORMAT or file.version != FILE_VERSION:
        raise UserError("I can't read this character file.", try_this="Get one with /character export.")
    if file.ruleset != game.key:
        raise UserError(f"This character is from another game; this campaign plays {game.title}.")
    return file


def _parsed(content: bytes) -> object:
    if len(content) > LARGEST_FILE:
        raise UserError(f"This file is too large ({len(content) // 1024} KiB).", "The limit is 256 KiB.")
    try:
        return parse(content.decode("utf-8-sig"), FileKind.JSON)
    except ValueError as error:
        why = f"{error}." if isinstance(error, Unreadable) else ""
        raise UserError("This isn't a character file.", why, "Get one with /character export.") from None


def _portrait_in(content: bytes) -> bytes:
    """Return the portrait in a character file as it stands there; nothing if it has none."""
    given = _parsed(content)
    written = given.get("portrait") if isinstance(given, dict) else None
    if not written or not isinstance(written, str):
        return b""
    try:
        return base64.b64decode(written, validate=True)
    except ValueError:
        raise UserError("I can't read the portrait in this file.") from None


def _checked_sheet(access: Access, file: CharacterFile) -> Document:
    game = access.game
    if not 1 <= file.sheet_version <= game.sheet_version:
        raise UserError("This file is from a newer version of the bot.")
    try:
        sheet = game.upgrade_sheet(file.sheet, file.sheet_version)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise UserError("The sheet in this file doesn't match its version number.") from None
    try:
        checked = game.sheet.model_validate(sheet)
    except ValidationError as error:
        raise UserErrors(tuple(_wrong_cell(one) for one in error.errors()[:MOST_PROBLEMS])) from None
    if wrong := tuple(flags_read_as_numbers(sheet, checked.model_dump())):
        raise UserErrors(tuple(f"{_place(path)}: {NO_NUMBER}." for path in wrong[:MOST_PROBLEMS]))
    if problems := sheet_problems_in(access, checked):
        raise UserErrors(tuple(f"{one.where}: {one.with_known}" for one in problems[:MOST_PROBLEMS]))
    return game.beginner.brought(checked)


def _wrong_cell(problem: ErrorDetails) -> str:
    """Return what is wrong with a value of a sheet, without repeating the value."""
    return problem_sentence(problem, _place(problem["loc"]) or "File")


def _place(path: Sequence[str | int]) -> str:
    return " › ".join(str(part)[:LONGEST_NAME] for part in path)


def _counted(access: Access, file: CharacterFile, fresh: Character) -> Character:
    """Return the new character with the file's counted values."""
    caps = {rule.key: rule.cap(fresh.sheet, access.settings) for rule in access.game.resources}
    boxes = {track.key: track.capacities(fresh.sheet) for track in access.game.wounds}
    wrong = [
        *(
            f"{key[:LONGEST_NAME]} isn't a resource in this game."
            for key in file.resources.keys() - caps.keys()
        ),
        *(
            f"{key[:LONGEST_NAME]} isn't a wound track in this game."
            for key in file.wounds.keys() - boxes.keys()
        ),
        *(
            f"{key} is {value}, but the cap is {caps[key]}."
            for key, value in file.resources.items()
            if (cap := caps.get(key)) is not None and value > cap
        ),
        *(
            f"{key} has {list(filled)} boxes filled, but the limits are {list(boxes[key])}."
            for key, filled in file.wounds.items()
            if key in boxes and not _fits(filled, boxes[key])
        ),
    ]
    if wrong:
        raise UserErrors(tuple(sorted(wrong)[:MOST_PROBLEMS]))
    return replace(
        fresh, resources={**fresh.resources, **file.resources}, wounds={**fresh.wounds, **file.wounds}
    )


def _fits(filled: tuple[int, ...], capacities: tuple[int, ...]) -> bool:
    return len(filled) == len(capacities) and all(
        now <= capacity for now, capacity in zip(filled, capacities, strict=True)
    )
