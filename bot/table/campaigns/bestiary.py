"""A campaign's bestiary: the GM's stat blocks beside those of the book."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules
from bot.rules.kernel.wording import same_name
from bot.store.records import JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_here, as_played, find_character, gm_access_here
from bot.table.base.look_alikes import assert_unlike
from bot.table.base.names import one_line
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.journal.journal import record, told_before
from bot.table.journal.suggest import matching

DOCUMENT = "bestiary/own"  # the key of the document that it is stored in
MOST_BLOCKS = 200
LONGEST_NAME = 60


def _from_text(value: object) -> object:
    """Read a sheet written as JSON text, as TOML files have it where something is left open."""
    return json.loads(value) if isinstance(value, str) else value


SheetBody = Annotated[dict[str, Any], BeforeValidator(_from_text)]


class StatBlock(Document):
    """A foe as it is whenever one is made.

    Attributes:
        name: What it is called.
        sheet: Its sheet, without what is as usual.
        version: The version of the sheet's model; 0: today's.
    """

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    sheet: SheetBody = Field(default_factory=dict)
    version: int = Field(default=0, ge=0)


class Bestiary(Document):
    """The GM's stat blocks of a campaign."""

    npcs: tuple[StatBlock, ...] = Field(default=(), max_length=MOST_BLOCKS)

    def find(self, name: str) -> StatBlock | None:
        """Return the stat block of a name, or None."""
        return next((one for one in self.npcs if same_name(one.name, name)), None)

    def with_block(self, block: StatBlock) -> "Bestiary":
        """Return it with a stat block added, or put in the place of one of its name."""
        rest = [one for one in self.npcs if not same_name(one.name, block.name)]
        if len(rest) == MOST_BLOCKS:
            raise UserError(f"A bestiary has room for {MOST_BLOCKS} foes.", "Delete one first.")
        return evolve(self, npcs=(*rest, block))


@dataclass(frozen=True, slots=True, kw_only=True)
class FoeEntry:
    """A foe that can be added to a fight.

    Attributes:
        name: What it is called.
        is_own: Whether it is the GM's; else it is the book's.
    """

    name: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BestiaryPage:
    """The foes of a campaign.

    Attributes:
        campaign: Its name.
        foes: The GM's foes by name, then the book's.
        title: What a new foe is given by name.
        things: Those names.
        npcs: The GM's characters, which can be saved as foes.
    """

    campaign: str
    foes: tuple[FoeEntry, ...]
    title: str
    things: tuple[str, ...]
    npcs: tuple[str, ...]


def bestiary_of(reader: Reader, access: Access) -> Bestiary:
    """Return a campaign's own stat blocks."""
    body = reader.document(access.campaign.server, access.campaign.id, DOCUMENT)
    return Bestiary() if body is None else Bestiary.model_validate(body)


def save_bestiary(tx: Transaction, access: Access, bestiary: Bestiary) -> None:
    """Save a campaign's own stat blocks."""
    body: JsonObject = bestiary.model_dump(mode="json", exclude_defaults=True)
    tx.save_document(access.campaign.server, access.campaign.id, DOCUMENT, body)


def rules_of(access: Access) -> FoeRules[Any, Any]:
    """Return how the campaign's game makes foes.

    Raises:
        UserError: If it makes none.
    """
    if access.game.foes is None:
        raise UserError(f"{access.game.title} has no bestiary.")
    return access.game.foes


def foes_in(reader: Reader, access: Access) -> tuple[FoeEntry, ...]:
    """Return every foe that can be added: the GM's by name, then the book's."""
    own = sorted((one.name for one in bestiary_of(reader, access).npcs), key=str.casefold)
    known = {name.casefold() for name in own}
    book = () if access.game.foes is None else access.game.foes.book
    shipped = (FoeEntry(name=name, is_own=False) for name in book if name.casefold() not in known)
    return (*(FoeEntry(name=name, is_own=True) for name in own), *shipped)


def sheet_of(reader: Reader, access: Access, name: str) -> tuple[str, Document] | None:
    """Return the name and sheet of a foe of the bestiary; None if it has none of that name."""
    block = bestiary_of(reader, access).find(name)
    if block is not None:
        return block.name, read_sheet(access, block)
    book = {} if access.game.foes is None else access.game.foes.book
    found = next((one for one in book if same_name(one, name)), None)
    return None if found is None else (found, book[found])


def read_sheet(access: Access, block: StatBlock) -> Document:
    """Return a stat block's sheet.

    Raises:
        UserError: If the game no longer reads it.
    """
    game, body = access.game, block.sheet
    if block.version and block.version != game.sheet_version:
        body = dict(game.upgrade_sheet(body, block.version))
    try:
        sheet: Document = game.sheet.model_validate(body)
    except ValidationError:
        raise UserError(
            f"I can't read the sheet of {block.name}.", "Delete it in the bestiary, and make it again."
        ) from None
    return sheet


def block_of(access: Access, name: str, sheet: Document) -> StatBlock:
    """Return a sheet as a stat block.

    Raises:
        UserError: If the name is empty or too long.
    """
    named = one_line(name)
    if not 0 < len(named) <= LONGEST_NAME:
        raise UserError(f"A foe's name has 1 to {LONGEST_NAME} characters.")
    body = sheet.model_dump(mode="json", exclude_defaults=True)
    return StatBlock(name=named, sheet=body, version=access.game.sheet_version)


# --- looking -----------------------------------------------------------------------------------


async def page(table: Table, request: Request) -> BestiaryPage:
    """Return the campaign's foes; only for a GM."""

    def query(reader: Reader) -> BestiaryPage:
        access = gm_access_here(table, reader, request)
        rules = rules_of(access)
        known = reader.character_names(access.campaign.server, access.campaign.id)
        return BestiaryPage(
            campaign=access.campaign.name,
            foes=foes_in(reader, access),
            title=rules.title,
            things=tuple(dict.fromkeys(rules.things(access.settings))),
            npcs=tuple(one.name for one in known if one.owner is None),
        )

    return await table.store.read(query)


async def names(table: Table, request: Request, typed: str) -> list[str]:
    """Return the bestiary's names for completion; nothing for anybody but a GM."""

    def query(reader: Reader) -> list[str]:
        access = access_here(table, reader, request)
        return matching((one.name for one in foes_in(reader, access)), typed) if access.is_gm else []

    return await table.store.read(query)


# --- changing ----------------------------------------------------------------------------------

Change = Callable[[Transaction, Access, Bestiary], tuple[Bestiary, str]]


async def _change(table: Table, request: Request, change: Change) -> Result:
    """Change the bestiary as a GM, told to them alone."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        rules_of(access)
        bestiary, words = change(tx, access, bestiary_of(tx, access))
        save_bestiary(tx, access, bestiary)
        message = Message(who=request.person_name, headline=words, is_public=False)
        return record(table, tx, access, "gm.bestiary", message, is_secret=True)

    return await table.store.run(unit)


def _assert_unlike_others(reader: Reader, access: Access, name: str) -> None:
    """Refuse a new name that reads like that of another foe, the GM's or the book's."""
    known = [one.name for one in foes_in(reader, access)]
    if not any(same_name(one, name) for one in known):
        assert_unlike(name, known)


async def save_npc(table: Table, request: Request, name: str) -> Result:
    """Save one of the GM's characters as a foe, without its wounds.

    Raises:
        UserError: If it is a player's, or the person is no GM.
    """

    def change(tx: Transaction, access: Access, bestiary: Bestiary) -> tuple[Bestiary, str]:
        found = find_character(tx, access, name)
        if found.owner is not None:
            raise UserError(f"{found.name} is a player's character.", "Only NPCs can be saved as foes.")
        sheet = rules_of(access).fresh(as_played(access.game, found).sheet)
        block = block_of(access, found.name, sheet)
        _assert_unlike_others(tx, access, block.name)
        return bestiary.with_block(block), f"saves {found.name} in the bestiary"

    return await _change(table, request, change)


async def make(
    table: Table, request: Request, name: str, level: str, things: Sequence[str], *, like: str = ""
) -> Result:
    """Make a foe, or copy one with changes.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        name: Its name.
        level: How good it is, in a word; empty: as the foe it is like.
        things: The names of what it is given.
        like: The foe it is copied from, if any.

    Raises:
        UserError: If a name isn't known.
    """

    def change(tx: Transaction, access: Access, bestiary: Bestiary) -> tuple[Bestiary, str]:
        rules = rules_of(access)
        unknown = [one for one in things if one not in rules.things(access.settings)]
        if unknown:
            raise UserError(f"“{unknown[0]}” isn't in this campaign.", "Choose again from the menu.")
        if level not in {"", *FoeLevel} or not (level or like):
            raise UserError(f"“{level}” is no level.", f"Levels: {', '.join(FoeLevel)}.")
        old = sheet_of(tx, access, like) if like else None
        if like and old is None:
            raise UserError(f"There is no “{like}” in the bestiary any more.")
        how_good = FoeLevel(level or FoeLevel.ABLE)
        sheet = old[1] if old and not level else rules.make(how_good, access.settings)
        block = block_of(access, name, rules.give(sheet, how_good, things, access.settings))
        _assert_unlike_others(tx, access, block.name)
        verb = f"copies {old[0]} as {block.name}" if old else f"makes the foe {block.name}"
        return bestiary.with_block(block), verb

    return await _change(table, request, change)


async def delete(table: Table, request: Request, name: str) -> Result:
    """Delete a foe of the GM's own; it can be undone.

    Raises:
        UserError: If there is none of that name.
    """

    def change(_tx: Transaction, _access: Access, bestiary: Bestiary) -> tuple[Bestiary, str]:
        block = bestiary.find(name)
        if block is None:
            raise UserError(f"“{name}” isn't one of your own foes.", "The book's foes stay.")
        rest = tuple(one for one in bestiary.npcs if one != block)
        return evolve(bestiary, npcs=rest), f"deletes {block.name} from the bestiary"

    return await _change(table, request, change)
