"""Characters as files, to carry them elsewhere and back."""

import json
from collections.abc import Mapping
from dataclasses import replace

from pydantic import Field, ValidationError

from bot.rules.mistakes import Mistake, Mistakes
from bot.rules.ruleset import Document, Ruleset
from bot.store.boundary import Reader, Transaction
from bot.store.errors import OutOfBounds
from bot.store.records import JsonObject
from bot.table.characters import add_character, newcomer
from bot.table.journal import told_before
from bot.table.names import LONGEST_NAME, one_line
from bot.table.request import Request
from bot.table.results import Result
from bot.table.seats import as_played, own_character, take_seat
from bot.table.table import Table

LARGEST_FILE = 64 * 1024  # bytes
FILE_FORMAT = "tablekeeper-character"
FILE_VERSION = 1


class CharacterFile(Document):
    """A character as a file: `tablekeeper-character`, version 1."""

    format: str = FILE_FORMAT
    version: int = FILE_VERSION
    ruleset: str
    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    sheet_version: int
    sheet: JsonObject
    resources: Mapping[str, int] = {}
    wounds: Mapping[str, tuple[int, ...]] = {}


async def export(table: Table, request: Request, name: str | None) -> tuple[str, bytes]:
    """One's own character as a file: its name and content (JSON)."""

    def query(reader: Reader) -> tuple[str, bytes]:
        seat = take_seat(table, reader, request)
        kept = own_character(reader, seat, name)
        if kept is None:
            raise Mistake("You have no character here.", try_this="Make one with /character create.")
        played = as_played(seat.game, kept)
        file = CharacterFile(
            ruleset=seat.game.key,
            name=kept.name,
            sheet_version=seat.game.sheet_version,
            sheet=played.sheet.model_dump(mode="json"),
            resources=played.resources,
            wounds=played.wounds,
        )
        return kept.name, file.model_dump_json(indent=2).encode()

    return await table.store.read(query)


async def import_(table: Table, request: Request, content: bytes, name: str | None = None) -> Result:
    """Make a character from a file; everything wrong with it is told at once.

    Args:
        table: The table.
        request: Who asks; the character becomes theirs.
        content: The file, at most 64 KiB of JSON.
        name: Another name for it.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        seat = take_seat(table, tx, request)
        file = read_file(content, seat.game)
        sheet_ = _checked_sheet(seat.game, file)
        called = one_line(name or file.name)
        start = replace(newcomer(seat, called, sheet_, request.person), resources=_known(seat.game, file))
        start = replace(start, wounds={**start.wounds, **_known_wounds(seat.game, file)})
        try:
            return add_character(
                table, tx, seat, called, sheet_, how="joins the campaign from a file", start=start
            )
        except (OutOfBounds, ValueError):
            raise Mistake("The file counts more (or less) of something than there can be.") from None

    return await table.store.run(unit)


def read_file(content: bytes, game: Ruleset) -> CharacterFile:
    """Read a character file.

    Raises:
        Mistake: If it is none, or of another ruleset, or too large.
    """
    if len(content) > LARGEST_FILE:
        raise Mistake(f"That file is too large ({len(content) // 1024} KiB).", "At most 64 KiB are read.")
    try:
        given = json.loads(content)
        file = CharacterFile.model_validate(given)
    except (ValueError, RecursionError):
        raise Mistake("That is not a character file.", try_this="/character export makes one.") from None
    if file.format != FILE_FORMAT or file.version != FILE_VERSION:
        raise Mistake("That is not a character file I can read.", try_this="/character export makes one.")
    if file.ruleset != game.key:
        raise Mistake(f"That character is of another game; this campaign plays {game.title}.")
    return file


def _checked_sheet(game: Ruleset, file: CharacterFile) -> Document:
    try:
        if not 1 <= file.sheet_version <= game.sheet_version:
            raise Mistake("That file was written by a newer version of me.")
        upgraded = game.upgrade_sheet(file.sheet, file.sheet_version)
        checked = game.sheet.model_validate(upgraded)
    except ValidationError as error:
        raise Mistakes(
            tuple(
                f"{' › '.join(str(part) for part in one['loc']) or 'Sheet'}: {one['msg']}."
                for one in error.errors()[:20]
            )
        ) from None
    problems = game.sheet_problems(checked)
    if problems:
        raise Mistakes(tuple(f"{one.where}: {one.sentence}" for one in problems))
    return checked


def _known(game: Ruleset, file: CharacterFile) -> dict[str, int]:
    return {rule.key: file.resources.get(rule.key, rule.start) for rule in game.resources}


def _known_wounds(game: Ruleset, file: CharacterFile) -> dict[str, tuple[int, ...]]:
    return {track.key: file.wounds[track.key] for track in game.wounds if track.key in file.wounds}
