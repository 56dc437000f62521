"""The lists of a campaign's module, and its GM's additions, edited entry by entry."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import OWN_MODULE, Column, Document, EditableList, Row, SettingsWithModule
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import counted
from bot.store.records import CampaignRecord
from bot.store.transaction import Transaction
from bot.table.base.access import Access, access_in, page_of
from bot.table.base.names import one_line
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import SETTING, Table
from bot.table.base.turn import ReadTurn, Turn, act, look, record
from bot.table.base.typed_options import problem_sentence
from bot.table.campaigns.campaigns import access_to
from bot.table.campaigns.modules import misfits, with_fields, with_own
from bot.table.journal.scenes import refit

ON_PAGE = 25
Typed = Mapping[str, Sequence[str]]


class ListLine(Struct, frozen=True, kw_only=True):
    """An entry of a list, or a list of the campaign."""

    mark: str  # what tells it from the others, in ids of buttons
    name: str
    about: str = ""  # what else is said about it, in a few words


class ListsPage(Struct, frozen=True, kw_only=True):
    """The lists of a campaign, one of them, or one of its entries."""

    campaign: int  # the campaign's id
    campaign_name: str
    title: str  # what is shown
    noun: str = ""  # what an entry of the open list is called; empty where all lists are shown
    key: str = ""  # the open list; empty where all lists are shown
    lines: tuple[ListLine, ...] = ()  # the lists, or a page of the entries
    count: int = 0  # how many entries the list has
    page: int = 0  # which page of it is shown
    pages: int = 1  # how many it has
    entry: ListLine | None = None  # the entry shown, or None
    fields: tuple[tuple[str, str], ...] = ()  # what is known of that entry: title and value
    misfits: int = 0  # how many things on characters' sheets the module doesn't have


class EntryForm(Struct, frozen=True, kw_only=True):
    """What the form of an entry asks for."""

    noun: str  # what the entry is called
    columns: tuple[tuple[Column, tuple[str, ...]], ...]  # its fields, each with what stands in it already


@look()
def open_lists(at: ReadTurn, campaign: int) -> ListsPage:
    """Return the lists that a GM can edit.

    Raises:
        UserError: If the person may not, or the game has none.
    """
    access = _gm_access(at, campaign)
    lines = tuple(
        ListLine(
            mark=one.key,
            name=one.title,
            about=counted(len(one.rows(access.settings)), "entry", "entries"),
        )
        for one in _lists(access)
    )
    return ListsPage(
        campaign=access.campaign.id,
        campaign_name=access.campaign.name,
        title="Lists",
        lines=lines,
        misfits=misfits(at.reader, access),
    )


@look()
def open_list(at: ReadTurn, campaign: int, key: str, page: int = 0, mark: str | None = None) -> ListsPage:
    """Return a page of a list, or one of its entries.

    Raises:
        UserError: If the person may not, or there is no such list or entry.
    """
    access = _gm_access(at, campaign)
    one = _list(access, key)
    rows = one.rows(access.settings)
    found = page_of(rows, page, ON_PAGE)
    entry = None if mark is None else _marked(one, access.settings, mark)
    shown = None if entry is None else one.shown(access.settings, entry)
    return ListsPage(
        campaign=access.campaign.id,
        campaign_name=access.campaign.name,
        title=one.title,
        noun=one.noun,
        key=one.key,
        lines=tuple(_line(one, row) for row in found.shown),
        count=len(rows),
        page=found.number,
        pages=found.pages,
        entry=None if entry is None else _line(one, entry),
        fields=()
        if shown is None
        else tuple((column.title, column.in_words(shown)) for column in one.columns),
        misfits=misfits(at.reader, access),
    )


@look()
def entry_form(at: ReadTurn, campaign: int, key: str, mark: str | None = None) -> EntryForm:
    """Return what the form of a new entry asks for, or that of one that is there.

    Raises:
        UserError: If the person may not, or there is no such list or entry.
    """
    access = _gm_access(at, campaign)
    one = _list(access, key)
    row: Row = {}
    if mark is not None:
        row = one.shown(access.settings, _marked(one, access.settings, mark))
    return EntryForm(noun=one.noun, columns=tuple((column, column.typed(row)) for column in one.columns))


@act()
def put_entry(at: Turn, campaign: int, key: str, mark: str | None, typed: Typed) -> Result:
    """Add an entry to a list, or change one; characters keep what they have.

    Args:
        campaign: The campaign's id.
        key: The list.
        mark: Which entry is changed; None for a new one.
        typed: What was typed or chosen, by column.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """
    at = at.within(_gm_access(at, campaign))
    one = _list(at.access, key)
    before = None if mark is None else _marked(one, at.access.settings, mark)
    identity = None if before is None else one.identity(before)
    try:
        settings, row = one.put(at.access.settings, identity, typed)
    except ValidationError as error:
        raise UserErrors(_sentences(one, error)) from None
    except ValueError as error:
        raise UserError(str(error)) from None
    verb = "adds" if before is None else "changes"
    return _saved(at, settings, f"{verb} {one.named(row)} ({one.title})", _lines(one, before, row))


@act()
def remove_entry(at: Turn, campaign: int, key: str, mark: str) -> Result:
    """Remove an entry from a list; characters keep what they have.

    Raises:
        UserError: If it is not allowed, or the entry is gone; then nothing has changed.
    """
    at = at.within(_gm_access(at, campaign))
    one = _list(at.access, key)
    identity = one.identity(_marked(one, at.access.settings, mark))
    try:
        settings, row = one.without(at.access.settings, identity)
    except ValidationError as error:
        raise UserErrors(_sentences(one, error)) from None
    return _saved(at, settings, f"removes {one.named(row)} ({one.title})", ())


def _gm_access(at: ReadTurn, campaign: int) -> Access:
    access = access_to(at, campaign)
    access.require_gm()
    return access


def _lists(access: Access) -> tuple[EditableList[Any], ...]:
    found = tuple(one for one in access.game.lists if one.is_on(access.settings))
    if not found:
        raise UserError(f"{access.game.title} has no lists to edit.")
    return found


def _list(access: Access, key: str) -> EditableList[Any]:
    for one in _lists(access):
        if one.key == key:
            return one
    raise UserError("This list is gone.", try_this="Open /campaign settings again.")


def _mark(one: EditableList[Any], row: Row) -> str:
    return hashlib.sha256(one.identity(row).encode()).hexdigest()[:12]


def _marked(one: EditableList[Any], settings: Document, mark: str) -> Row:
    for row in one.rows(settings):
        if _mark(one, row) == mark:
            return row
    raise UserError(f"This {one.noun} is gone.", "Someone has removed or renamed it.")


def _line(one: EditableList[Any], row: Row) -> ListLine:
    return ListLine(mark=_mark(one, row), name=one.named(row), about=one.about(row))


def _sentences(one: EditableList[Any], error: ValidationError) -> tuple[str, ...]:
    """Return what is wrong with an entry, by what its fields are called."""
    titles = {column.key: column.title for column in one.columns}
    return tuple(
        problem_sentence(problem, titles.get(str(problem["loc"][0]) if problem["loc"] else "", one.title))
        for problem in error.errors()
    )


def _lines(one: EditableList[Any], before: Row | None, after: Row) -> tuple[tuple[str, str, str], ...]:
    """Return the changed fields of an entry: title, before, after."""
    if before is None:
        return ()
    both = ((column.title, column.in_words(before), column.in_words(after)) for column in one.columns)
    return tuple((title, old or "empty", new or "empty") for title, old, new in both if old != new)


def _saved(
    at: Turn,
    settings: Document,
    headline: str,
    lines: tuple[tuple[str, str, str], ...],
) -> Result:
    """Save changed settings, with the module if it has changed, and update every character's caps."""
    campaign = _campaign_with(at.table, at.tx, at.access, settings)
    changed = access_in(at.table, at.tx, at.request, campaign)
    at.tx.save_campaign(campaign)
    refit(at.tx, changed)
    message = Message(
        who=at.request.person_name,
        headline=one_line(headline),
        changes=tuple(ChangeLine(at.campaign.name, *map(one_line, line)) for line in lines),
        is_public=False,
    )
    return record(at.table, at.tx, changed, "campaign.list", message)


def _campaign_with(table: Table, tx: Transaction, access: Access, settings: Document) -> CampaignRecord:
    campaign = with_fields(access.campaign, settings)
    rule = access.game.module
    if rule is None or not rule.is_apart or not isinstance(settings, SettingsWithModule):
        return campaign
    module, before = settings.module_carried, access.settings
    if module is None or (isinstance(before, SettingsWithModule) and module is before.module_carried):
        return campaign
    plays_own = rule.choosing(before, OWN_MODULE) == before
    if SETTING in access.campaign.settings and not plays_own:
        raise UserError(
            "This would replace the campaign's own module, which isn't in play.",
            "Save it with /gm module export, or switch to it with /gm module use.",
        )
    return with_own(table, tx, replace(access, campaign=campaign, settings=settings), module)
