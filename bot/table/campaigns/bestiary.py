"""A campaign's bestiary: the GM's stat blocks beside those of the book."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BeforeValidator, Field, ValidationError

from bot.rules.kernel import Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import same_name
from bot.store.records import JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, as_played
from bot.table.base.results import Result
from bot.table.base.turn import ReadTurn, Turn, act, look
from bot.table.base.typed_options import assert_unlike, one_line
from bot.table.journal.suggest import matching

DOCUMENT = "bestiary/own"  # the key of the document that it is stored in
MOST_BLOCKS = 200
LONGEST_NAME = 60
MOST_READY = 2  # things that a ready foe is given


def _from_text(value: object) -> object:
    """Read a sheet written as JSON text, as TOML files have it where something is left open."""
    return json.loads(value) if isinstance(value, str) else value


SheetBody = Annotated[dict[str, Any], BeforeValidator(_from_text)]


class StatBlock(Document):
    """A foe as it is whenever one is made."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)  # what it is called
    sheet: SheetBody = Field(default_factory=dict)  # its sheet, without what is as usual
    version: int = Field(default=0, ge=0)  # the version of the sheet's model; 0: today's


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


class FoeEntry(Struct, frozen=True):
    """A foe that can be added to a fight."""

    name: str  # what it is called
    is_own: bool  # whether it is the GM's; else it comes with the game
    level: str = ""  # how good it is, in a word, where that is known

    @property
    def note(self) -> str:
        """Whose it is, and how good."""
        return "yours" if self.is_own else f"ready-made, {self.level}" if self.level else "ready-made"


class BestiaryPage(Struct, frozen=True, kw_only=True):
    """The foes of a campaign."""

    campaign: str  # its name
    foes: tuple[FoeEntry, ...]  # the GM's foes by name, then the book's
    title: str  # what a new foe is given by name
    things: tuple[str, ...]  # those names
    npcs: tuple[str, ...]  # the GM's characters, which can be saved as foes


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
    rules = access.game.foes
    book = () if rules is None else [FoeEntry(name=name, is_own=False) for name in rules.book]
    ready = () if rules is None else [FoeEntry(one.name, False, one.level) for one in rules.ready]
    shipped = (one for one in (*book, *ready) if one.name.casefold() not in known)
    return (*(FoeEntry(name=name, is_own=True) for name in own), *shipped)


def sheet_of(reader: Reader, access: Access, name: str) -> tuple[str, Document] | None:
    """Return the name and sheet of a foe of the bestiary; None if it has none of that name."""
    block = bestiary_of(reader, access).find(name)
    if block is not None:
        return block.name, read_sheet(access, block)
    rules = access.game.foes
    if rules is None:
        return None
    found = next((one for one in rules.book if same_name(one, name)), None)
    if found is not None:
        return found, rules.book[found]
    ready = next((one for one in rules.ready if same_name(one.name, name)), None)
    return None if ready is None else (ready.name, _ready_sheet(access, rules, ready))


def _ready_sheet(access: Access, rules: FoeRules[Any, Any], ready: ReadyFoe) -> Document:
    """A ready foe with the first thing of its list that the campaign has, or with all of two."""
    known = set(rules.things(access.settings))
    things = [one for one in ready.things if one in known][:MOST_READY]
    sheet: Document = rules.make(ready.level, access.settings)
    return rules.give(sheet, ready.level, things, access.settings) if things else sheet


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


@look(gm=True)
def page(at: ReadTurn) -> BestiaryPage:
    """Return the campaign's foes."""
    rules = rules_of(at.access)
    known = at.reader.character_names(at.server, at.campaign.id)
    return BestiaryPage(
        campaign=at.campaign.name,
        foes=foes_in(at.reader, at.access),
        title=rules.title,
        things=tuple(dict.fromkeys(rules.things(at.access.settings))),
        npcs=tuple(one.name for one in known if one.owner is None),
    )


@look()
def names(at: ReadTurn, typed: str) -> list[str]:
    """Return the bestiary's names for completion; nothing for anybody but a GM."""
    return matching((one.name for one in foes_in(at.reader, at.access)), typed) if at.is_gm else []


# --- changing ----------------------------------------------------------------------------------


def _saved(at: Turn, block: StatBlock, words: str) -> Result:
    """Save a foe, and tell the GM alone; a new name may not read like another's, the GM's or the book's."""
    known = [one.name for one in foes_in(at.tx, at.access)]
    if not any(same_name(one, block.name) for one in known):
        assert_unlike(block.name, known)
    save_bestiary(at.tx, at.access, bestiary_of(at.tx, at.access).with_block(block))
    return at.log("gm.bestiary", words, secret=True)


@act(gm=True)
def save_npc(at: Turn, name: str) -> Result:
    """Save one of the GM's characters as a foe, without its wounds.

    Raises:
        UserError: If it is a player's.
    """
    rules, found = rules_of(at.access), at.character(name)
    if found.owner is not None:
        raise UserError(f"{found.name} is a player's character.", "Only NPCs can be saved as foes.")
    sheet = rules.fresh(as_played(at.game, found).sheet)
    return _saved(at, block_of(at.access, found.name, sheet), f"saves {found.name} in the bestiary")


@act(gm=True)
def make(at: Turn, name: str, level: str, things: Sequence[str], *, like: str = "") -> Result:
    """Make a foe, or copy one with changes.

    Args:
        level: How good it is, in a word; empty: as the foe it is like.
        things: The names of what it is given.
        like: The foe it is copied from, if any.

    Raises:
        UserError: If a name isn't known.
    """
    rules, settings = rules_of(at.access), at.access.settings
    unknown = [one for one in things if one not in rules.things(settings)]
    if unknown:
        raise UserError(f"“{unknown[0]}” isn't in this campaign.", "Choose again from the menu.")
    if level not in {"", *FoeLevel} or not (level or like):
        raise UserError(f"“{level}” is no level.", f"Levels: {', '.join(FoeLevel)}.")
    old = sheet_of(at.tx, at.access, like) if like else None
    if like and old is None:
        raise UserError(f"There is no “{like}” in the bestiary any more.")
    how_good = FoeLevel(level or FoeLevel.ABLE)
    sheet = old[1] if old and not level else rules.make(how_good, settings)
    block = block_of(at.access, name, rules.give(sheet, how_good, things, settings))
    return _saved(at, block, f"copies {old[0]} as {block.name}" if old else f"makes the foe {block.name}")


@act(gm=True)
def delete(at: Turn, name: str) -> Result:
    """Delete a foe of the GM's own; it can be undone.

    Raises:
        UserError: If there is none of that name.
    """
    bestiary = bestiary_of(at.tx, at.access)
    block = bestiary.find(name)
    if block is None:
        raise UserError(f"“{name}” isn't one of your own foes.", "The book's foes stay.")
    rest = tuple(one for one in bestiary.npcs if one != block)
    save_bestiary(at.tx, at.access, evolve(bestiary, npcs=rest))
    return at.log("gm.bestiary", f"deletes {block.name} from the bestiary", secret=True)
