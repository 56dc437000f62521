"""Admissions: characters that wait for a GM's approval."""

from dataclasses import replace

from bot.rules.kernel import CharacterId, Choice
from bot.rules.kernel.errors import UserError
from bot.store.records import CharacterRecord
from bot.store.store_errors import NameTaken
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, access_here, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import EntryId, Message, Result
from bot.table.base.table import Table
from bot.table.characters.characters import WAITING, SheetView, arrival, not_free, view
from bot.table.journal.journal import record, told_before
from bot.table.journal.suggest import matching


class NobodyWaits(UserError):
    """No character of that name waits for a GM's approval."""

    def __init__(self) -> None:
        super().__init__("No such character is waiting to join.", "It has already joined, or was withdrawn.")


def _waiting(reader: Reader, access: Access) -> list[CharacterRecord]:
    under = f"{WAITING}/"
    keys = reader.document_keys(access.campaign.server, access.campaign.id, under)
    ids = (int(key.removeprefix(under)) for key in keys)
    return [one for id_ in ids if (one := reader.character(access.campaign.server, id_)) is not None]


def _found(reader: Reader, access: Access, who: int | str) -> CharacterRecord:
    """Return a waiting character by id or name.

    Raises:
        NobodyWaits: If there is none.
    """
    for one in _waiting(reader, access):
        if who == one.id or (isinstance(who, str) and one.name.casefold() == who.strip().casefold()):
            return one
    raise NobodyWaits


async def admit(table: Table, request: Request, who: int | str, asked: EntryId | None = None) -> Result:
    """Admit a waiting character to the campaign; its player plays it from now on.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        who: The character, by id or name.
        asked: The entry with which it asked, if its button was pressed; its message shows the admission.

    Raises:
        NobodyWaits: If there is none.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        stored = _found(tx, access, who)
        try:
            tx.save_character(replace(stored, is_retired=False))
        except NameTaken:
            raise UserError(not_free(stored.name), "Retire the other one, or undo this one.") from None
        tx.save_document(access.campaign.server, access.campaign.id, f"{WAITING}/{stored.id}", None)
        if stored.owner is not None:
            tx.set_current_character(access.campaign.server, access.campaign.id, stored.owner, stored.id)
        hook_result, lines = arrival(tx, access, CharacterId(stored.id))
        message = Message(
            who=stored.name, headline="joins the campaign", changes=lines, notes=hook_result.notes
        )
        return record(
            table,
            tx,
            access,
            "character.admit",
            message,
            character=stored.id,
            follow_ups=hook_result.follow_ups,
            shown_in=asked,
        )

    return await table.store.run(unit)


async def look(table: Table, request: Request, who: int) -> SheetView:
    """Return the sheet of a waiting character, for a GM or its player.

    Raises:
        UserError: If it isn't waiting any more, or isn't theirs.
    """

    def query(reader: Reader) -> SheetView:
        access = access_here(table, reader, request)
        stored = _found(reader, access, who)
        if not access.owns(stored):
            raise ForGmOnly("Only a GM and its player can read its sheet before it joins.")
        return view(table, reader, access, stored)

    return await table.store.read(query)


async def choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the waiting characters for a GM to choose from."""

    def query(reader: Reader) -> list[Choice]:
        access = gm_access_here(table, reader, request)
        names = [one.name for one in _waiting(reader, access)]
        return [Choice(name, name) for name in matching(names, typed)]

    return await table.store.read(query)
