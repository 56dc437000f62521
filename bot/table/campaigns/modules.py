"""The module of a campaign: its GM's additions and changes to the game, in one file or entry by entry."""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import (
    OWN_MODULE,
    Choice,
    Column,
    Document,
    EditableList,
    FileKind,
    Form,
    ModuleRule,
    Row,
    Ruleset,
    SettingsWithModule,
    read_parts,
    read_written,
    write_document,
)
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.module import NoSettings
from bot.rules.kernel.outcome import counted
from bot.store.records import NO_LIMIT, CampaignRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, Request, access_in, as_played, module_problems, page_of
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import OWN, SETTING, Table, digest_of
from bot.table.base.turn import ReadTurn, Turn, act, look, record
from bot.table.base.typed_options import one_line, problem_sentence
from bot.table.campaigns.campaigns import access_to
from bot.table.campaigns.prepared_encounters import (
    FoeTables,
    form_for,
    save_tables,
    summary,
    tables_of,
    written,
)
from bot.table.journal.scenes import refit
from bot.table.journal.suggest import matching

LARGEST_FILE = 256 * 1024  # bytes


class ModuleView(Struct, frozen=True, kw_only=True):
    """The module that a campaign plays, as shown."""

    title: str
    summary: tuple[str, ...]
    hints: tuple[str, ...]  # what is unusual about it
    problems: tuple[str, ...]  # what about the characters doesn't fit it, as "name: sentence"


class ModuleFile(Struct, frozen=True):
    """A module as a file."""

    name: str
    title: str
    content: bytes


def _module_of(access: Access) -> ModuleRule[Any] | None:
    """Return the game's modules; None where a file has only foes."""
    if access.game.module is None and access.game.foes is None:
        _rule_of(access)
    return access.game.module


def _rule_of(access: Access) -> ModuleRule[Any]:
    if access.game.module is None:
        raise UserError(
            f"{access.game.title} has no modules.", try_this="See what you can set with /campaign settings."
        )
    return access.game.module


async def export(table: Table, request: Request, kind: FileKind = FileKind.TOML) -> ModuleFile:
    """Return the campaign's module with its foes as a file, without values at their defaults."""
    game, module, foes = await _exported(table, request)
    text = await asyncio.to_thread(_as_text, module, foes, kind)
    title = game.title if game.module is None else game.module.title(module)
    return ModuleFile(f"{game.command}-module.{kind}", title, text.encode())


@look(gm=True)
def _exported(at: ReadTurn) -> tuple[Ruleset, Document, FoeTables]:
    rule = _module_of(at.access)
    module = NoSettings() if rule is None else rule.carried(at.access.settings)
    return at.game, module, tables_of(at.reader, at.access)


def _as_text(module: Document, foes: FoeTables, kind: FileKind) -> str:
    text, more = write_document(module, kind), written(foes, kind)
    if not more:
        return text
    if kind is FileKind.JSON:
        return json.dumps({**json.loads(text), **json.loads(more)}, ensure_ascii=False, indent=2) + "\n"
    return f"{text.strip()}\n\n{more}".lstrip()


@look(gm=True)
def show(at: ReadTurn) -> ModuleView:
    """Return what is in the campaign's module, and what about the characters doesn't fit it."""
    rule, foes = _module_of(at.access), summary(tables_of(at.reader, at.access))
    if rule is None:
        return ModuleView(title=at.game.title, summary=foes, hints=(), problems=())
    settings = at.access.settings
    module = rule.carried(settings)
    return ModuleView(
        title=rule.title(module),
        summary=(*rule.summary(module), *rule.standing(settings), *foes),
        hints=rule.hints(module),
        problems=tuple(_module_problems(at.reader, at.access)),
    )


def misfits(reader: Reader, access: Access) -> int:
    """Return how many things about the characters don't fit the campaign's module."""
    return sum(1 for _ in _module_problems(reader, access))


def _module_problems(reader: Reader, access: Access) -> Iterator[str]:
    for stored in reader.characters(access.campaign.server, access.campaign.id, limit=NO_LIMIT):
        for problem in module_problems(access, as_played(access.game, stored).sheet):
            yield f"{stored.name}: {problem.sentence}"


async def import_(table: Table, request: Request, content: bytes, file: str = "") -> Result:
    """Play with the module in a file from now on; characters stay as they are.

    Args:
        request: Who asks; must be a GM.
        content: The file: at most 256 KiB of TOML or JSON.
        file: Its name, which says which of the two it is.

    Raises:
        UserErrors: If anything is wrong with it; lists all of it, and nothing has changed.
    """
    asked = await _access_to_files(table, request)
    form = Form(model=NoSettings) if asked.game.module is None else asked.game.module.form
    module, foes = await asyncio.to_thread(_read_parts, form, form_for(asked), content, file)
    return await _import(table, request, module, foes)


@look(gm=True)
def _access_to_files(at: ReadTurn) -> Access:
    _module_of(at.access)
    return at.access


@act(gm=True)
def _import(at: Turn, module: Document, foes: FoeTables) -> Result:
    rule = _module_of(at.access)
    has_new_foes = save_tables(at.tx, at.access, foes)
    is_same = rule is None or rule.carried(at.access.settings) == module
    if is_same and has_new_foes:
        counted = summary(tables_of(at.tx, at.access)) or ("no foes",)
        return at.log("gm.bestiary", f"reads the bestiary of a file: {counted[0]}", secret=True)
    if rule is None:
        raise UserError(f"{at.campaign.name} already has exactly these foes.")
    return _play_by(at, with_own(at.table, at.tx, at.access, module))


def with_own(table: Table, tx: Transaction, access: Access, module: Document) -> CampaignRecord:
    """Save a campaign's own module and play with it."""
    campaign, rule = access.campaign, _rule_of(access)
    if not rule.is_apart:
        return with_fields(campaign, rule.carrying(access.settings, module))
    body: JsonObject = module.model_dump(mode="json", exclude_defaults=True)
    digest = digest_of(access.game, body)
    tx.save_document(campaign.server, campaign.id, OWN, body)
    table.modules.keep(digest, module)
    chosen = with_fields(campaign, rule.choosing(access.settings, OWN_MODULE))
    return replace(chosen, settings={**chosen.settings, SETTING: {"own": digest}})


def read_file(rule: ModuleRule[Any], content: bytes, file: str) -> Document:
    """Return a module read from a file that somebody sent.

    Raises:
        UserError: If it isn't one.
    """
    text, kind = _text_of(content, file)
    read: Document = read_written(text, kind, rule.form)
    return read


def _read_parts(
    form: Form[Any], beside: Form[FoeTables], content: bytes, file: str
) -> tuple[Document, FoeTables]:
    """Return a module and the foes beside it, read from a file that somebody sent."""
    text, kind = _text_of(content, file)
    return read_parts(text, kind, form, beside)


def _text_of(content: bytes, file: str) -> tuple[str, FileKind]:
    """Return a file's text, and how it is written."""
    if len(content) > LARGEST_FILE:
        raise UserError(f"This file is too large ({len(content) // 1024} KiB).", "The limit is 256 KiB.")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UserError("This file isn't UTF-8 text.", try_this="Get one with /gm module export.") from None
    is_json = file.casefold().endswith(".json") or text.lstrip().startswith("{")
    return text, FileKind.JSON if is_json else FileKind.TOML


def with_fields(campaign: CampaignRecord, settings: Document) -> CampaignRecord:
    """Return a campaign with other settings of its game; a module of its own is kept apart."""
    fields: JsonObject = settings.model_dump(mode="json", exclude_defaults=True)
    return replace(campaign, settings={**campaign.settings, "game": fields})


@act(gm=True)
def use(at: Turn, key: str) -> Result:
    """Play with one of the modules shipped with the program, or with the campaign's own again.

    Args:
        key: Its key or title; "own" for the one imported last.

    Raises:
        UserError: If there is none.
    """
    rule = _rule_of(at.access)
    chosen = rule.choosing(at.access.settings, _found(at.access, rule, key))
    return _play_by(at, with_fields(at.campaign, chosen))


def _found(access: Access, rule: ModuleRule[Any], name: str) -> str:
    """Return the key of a module that can be played at once."""
    wanted = name.strip().casefold()
    for key, title in rule.shipped.items():
        if wanted in (key.casefold(), title.casefold()):
            return key
    if wanted == OWN_MODULE and SETTING in access.campaign.settings:
        return OWN_MODULE
    names = ", ".join(rule.shipped.values())
    raise UserError(f"There is no module called “{name}”.", f"Modules: {names or 'only your own'}.")


def _play_by(at: Turn, chosen: CampaignRecord) -> Result:
    """Save the choice of a module, and update every character's caps to it."""
    rule = _rule_of(at.access)
    changed = access_in(at.table, at.tx, at.request, chosen)
    before, module = rule.carried(at.access.settings), rule.carried(changed.settings)
    if before == module:
        raise UserError(f"{at.campaign.name} already uses exactly that module.")
    at.tx.save_campaign(chosen)
    refit(at.tx, changed)
    line = ChangeLine(at.campaign.name, "module", rule.title(before), rule.title(module))
    title = one_line(rule.title(module))
    return at.within(changed).log("gm.module", f"switches to the module {title}", changes=(line,))


@look(gm=True)
def choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the modules that can be played at once: those shipped, and the campaign's own."""
    titles = {title: key for key, title in _rule_of(at.access).shipped.items()}
    if SETTING in at.campaign.settings:
        titles["Your own (imported last)"] = OWN_MODULE
    return [Choice(titles[title], title) for title in matching(titles, typed)]


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
