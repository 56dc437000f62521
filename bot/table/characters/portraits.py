"""Portraits of characters: save and remove them."""

from bot.rules.kernel.errors import UserError
from bot.store.records import CharacterRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import access_here, find_character, may_play
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.characters.portrait_files import LARGEST_PORTRAIT, SIDE


async def has_portrait(table: Table, request: Request, who: int) -> bool:
    """Return whether a character has a portrait, to a person who may change it.

    Raises:
        UserError: If the person may not.
    """

    def query(reader: Reader) -> bool:
        record = _own(table, reader, request, who)
        return bool(reader.portrait(record.server, record.id))

    return await table.store.read(query)


async def save_portrait(table: Table, request: Request, who: int, content: bytes) -> None:
    """Make a picture that somebody uploaded the portrait of a character; it replaces an earlier one.

    Args:
        table: The table.
        request: Who asks, and where.
        who: The character.
        content: The picture as it was uploaded; nothing to remove the portrait.

    Raises:
        UserError: If it is no picture, too large, or the person may not do that.
    """
    picture = await table.pictures.small(content, SIDE, LARGEST_PORTRAIT) if content else b""

    def unit(tx: Transaction) -> None:
        record = _own(table, tx, request, who)
        tx.save_portrait(record.server, record.id, picture)

    await table.store.run(unit)


def _own(table: Table, reader: Reader, request: Request, who: int) -> CharacterRecord:
    access = access_here(table, reader, request)
    record = find_character(reader, access, who)
    if not may_play(reader, access, record):
        raise UserError(f"{record.name} isn't your character.", "Only its player or a GM can change it.")
    return record
