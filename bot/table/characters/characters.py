"""Characters: make, show, choose, rename and retire them."""

from dataclasses import dataclass, replace

from bot.rules.kernel import (
    Character,
    CharacterId,
    Choice,
    Document,
    Excess,
    Glance,
    HookResult,
    PersonId,
    ResourceRule,
    Section,
)
from bot.rules.kernel.errors import UserError
from bot.store.records import NO_LIMIT, CharacterRecord, JsonObject
from bot.store.store_errors import NameTaken
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    ForGmOnly,
    access_here,
    as_played,
    character_of,
    find_character,
    gm_access_here,
    may_play,
    require_character,
    seen_health,
)
from bot.table.base.look_alikes import look_alike, reads_like
from bot.table.base.names import LONGEST_NAME, gives_way, make_room, one_line
from bot.table.base.request import Request
from bot.table.base.results import WAITS, ChangeLine, EntryId, Message, Result
from bot.table.base.stored_rolls import Unsound
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_character, assert_room_to_wait
from bot.table.journal.journal import DRAFT, record, told_before
from bot.table.journal.scenes import SceneKeeper, as_kept, run_arrival
from bot.table.journal.suggest import matching
from bot.table.play.actions import open_about

MOST_NAMED = 6
NOTHING_TO_SEE = Glance()
WAITING = "creation.waiting"  # documents of characters that wait for the GM's leave; no ruleset's kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A character sheet as shown.

    Attributes:
        id: Its id.
        name: Its name.
        game: Its ruleset's title.
        owner: Its player, or None for an NPC.
        sections: The sheet.
        glance: What its picture shows.
        portrait: Its portrait, a picture file; nothing if it has none.
    """

    id: int
    name: str
    game: str
    owner: int | None
    sections: tuple[Section, ...]
    glance: Glance = NOTHING_TO_SEE
    portrait: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One line of the list of characters."""

    name: str
    owner: int | None
    is_current: bool
    is_hidden: bool
    is_dead: bool = False


def name_problem(reader: Reader, access: Access, name: str) -> str | None:
    """Return what is wrong with a new character's name, or None."""
    if not name:
        return "Your character has no name yet."
    if len(name) > LONGEST_NAME:
        return f"A name can have up to {LONGEST_NAME} characters; this one has {len(name)}."
    bearer = reader.character_named(access.request.server, access.campaign.id, name)
    if bearer is not None and not gives_way(access, bearer):
        return not_free(name)
    return None if bearer is not None else reads_like_another(reader, access, name)


def reads_like_another(reader: Reader, access: Access, name: str, *, but: int | None = None) -> str | None:
    """Return the error about a name that reads like another one of the campaign, or None.

    Args:
        reader: The store.
        access: Who asks; hidden names are no reason for players.
        name: The name.
        but: The character that is renamed.
    """
    known = reader.character_names(
        access.request.server, access.campaign.id, with_hidden=access.is_gm, limit=NO_LIMIT
    )
    other = look_alike(name, (one.name for one in known if one.id != but))
    return None if other is None else reads_like(name, other)


def not_free(name: str) -> str:
    """Return the error about a name that is taken."""
    return f"The name {name} is already taken in this campaign."


def newcomer(access: Access, name: str, sheet: Document, owner: int | None) -> Character:
    """Return a new character with all counted values at their start."""
    return Character(
        id=CharacterId(0),
        name=name,
        owner=None if owner is None else PersonId(owner),
        sheet=sheet,
        resources={
            rule.key: _at_most(_start(rule, sheet, access, owner), rule.cap(sheet, access.settings))
            for rule in access.game.resources
        },
        wounds={track.key: (0,) * len(track.capacities(sheet)) for track in access.game.wounds},
    )


def _start(rule: ResourceRule, sheet: Document, access: Access, owner: int | None) -> int:
    if owner is None:
        return rule.npc_start
    own = rule.sheet_start(sheet, access.settings)
    return rule.start if own is None else own


def _at_most(value: int, cap: int | None) -> int:
    return value if cap is None else min(value, cap)


def described(access: Access, name: str, sheet: Document) -> tuple[Section, ...]:
    """Return the sheet sections of a character that is not made yet."""
    return access.game.describe(newcomer(access, name, sheet, access.request.person), access.settings)


def add_character(
    table: Table,
    tx: Transaction,
    access: Access,
    name: str,
    sheet: Document,
    *,
    is_npc: bool = False,
    is_hidden: bool = False,
    is_ready_made: bool = False,
    how: str = "joins the campaign",
    brought: Character | None = None,
    answers: JsonObject | None = None,
) -> Result:
    """Make a character; its player plays it at once, or once a GM has admitted it.

    Args:
        table: The table.
        tx: The unit of work.
        access: Who makes it.
        name: Its name.
        sheet: Its sheet.
        is_npc: Whether it is an NPC.
        is_hidden: Whether only the GM knows of it.
        is_ready_made: Whether it is one of the ruleset's ready-made characters.
        how: How it was made, as a phrase that follows its name.
        brought: The character as its file has it, if it comes from one.
        answers: The answers of its draft; an undo opens the draft again.

    Raises:
        UserError: If the name is taken.
    """
    clean = one_line(name)
    wrong = name_problem(tx, access, clean)
    if wrong:
        raise UserError(wrong, try_this="Choose another name.")
    owner = None if is_npc else access.request.person
    assert_room_for_character(tx, access, owner)
    character = brought or newcomer(access, clean, sheet, owner)
    blank = CharacterRecord(
        server=access.request.server,
        campaign=access.campaign.id,
        owner=owner,
        name=clean,
        sheet_version=access.game.sheet_version,
        sheet="{}",
    )
    above = () if is_ready_made else excess(access, character, is_from_file=brought is not None)
    waits = not access.is_gm and (bool(above) or access.game.creation.needs_leave(access.settings))
    stored = as_kept(access, blank, replace(character, name=clean, is_hidden=is_hidden))
    facts: JsonObject = {} if answers is None else {DRAFT: answers}
    if not waits:
        facts |= make_room(tx, access, clean)
    id_ = tx.save_character(replace(stored, is_retired=waits))
    if waits:
        return _ask_to_join(table, tx, access, replace(stored, id=id_), facts, above)
    if owner is not None:
        tx.set_current_character(access.request.server, access.campaign.id, owner, id_)
    hook_result, lines = arrival(tx, access, CharacterId(id_))
    message = Message(
        who=clean, headline=how, changes=lines, notes=hook_result.notes, is_public=not is_hidden
    )
    return record(
        table,
        tx,
        access,
        "character.create",
        message,
        character=id_,
        is_secret=is_hidden,
        facts=facts,
        follow_ups=hook_result.follow_ups,
    )


def excess(access: Access, character: Character, *, is_from_file: bool) -> tuple[Excess, ...]:
    """Return what about a player's new character exceeds a beginner's.

    Args:
        access: Who brings it.
        character: The character with its counted values.
        is_from_file: Whether any dice for it were rolled elsewhere.
    """
    rules, sheet = access.game.beginner, character.sheet
    usual = newcomer(access, character.name, sheet, access.request.person).resources
    return (
        *(
            Excess(rule.title, has, usual[rule.key] or "none")
            for rule in access.game.resources
            if (has := character.resources[rule.key]) > usual[rule.key] and not rule.is_burden
        ),
        *rules.excess(sheet, access.settings),
        *(rules.claims(sheet, access.settings) if is_from_file else ()),
    )


def _excess_note(above: tuple[Excess, ...]) -> str:
    named = [str(one) for one in above[:MOST_NAMED]]
    more = [f"{len(above) - MOST_NAMED} more on the sheet"] if len(above) > MOST_NAMED else []
    return f"Above what a new character gets: {'; '.join([*named, *more])}."


def _ask_to_join(
    table: Table,
    tx: Transaction,
    access: Access,
    stored: CharacterRecord,
    facts: JsonObject,
    above: tuple[Excess, ...],
) -> Result:
    """Save a character that waits for a GM's approval; nobody plays it yet."""
    server, campaign = access.campaign.server, access.campaign.id
    assert_room_to_wait(len(tx.document_keys(server, campaign, f"{WAITING}/")))
    tx.save_document(server, campaign, f"{WAITING}/{stored.id}", {})
    message = Message(
        who=stored.name,
        headline="asks to join the campaign",
        notes=(
            *([_excess_note(above)] if above else []),
            "A GM can approve it, or undo it so it can be changed.",
        ),
    )
    facts = {**facts, WAITS: stored.id}
    return record(table, tx, access, "character.create", message, character=stored.id, facts=facts)


def arrival(
    tx: Transaction, access: Access, newcomer: CharacterId
) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Return what a running session sets for a new character."""
    if tx.open_session(access.campaign.server, access.campaign.id) is None:
        return HookResult(scene=SceneKeeper(tx, access).scene(None)), ()
    return run_arrival(tx, access, newcomer)


async def take_ready_made(table: Table, request: Request, which: str, name: str | None = None) -> Result:
    """Make a ready-made character; the person plays it from now on.

    Args:
        table: The table.
        request: Who asks.
        which: Its name among the ready-made ones.
        name: Another name for it.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = access_here(table, tx, request)
        ready = access.game.creation.offered(access.settings)
        found = {key.casefold(): key for key in ready}.get(which.strip().casefold())
        if found is None:
            raise UserError(
                f"There is no ready-made character called “{which}”.",
                f"Ready-made: {', '.join(ready) or 'none'}.",
            )
        return add_character(table, tx, access, name or found, ready[found], is_ready_made=True)

    return await table.store.run(unit)


async def sheet(table: Table, request: Request, name: str | int | None) -> SheetView:
    """Return a character's sheet: the one named, else the person's own.

    Raises:
        UserError: If there is none that the person may see.
    """

    def query(reader: Reader) -> SheetView:
        access = access_here(table, reader, request)
        stored = require_character(reader, access) if name is None else find_character(reader, access, name)
        return view(table, reader, access, stored)

    return await table.store.read(query)


async def sheet_of(table: Table, request: Request, person: int, person_name: str) -> SheetView:
    """Return the sheet of the character that somebody plays here.

    Raises:
        UserError: If there is none that the person who asks may see.
    """

    def query(reader: Reader) -> SheetView:
        access = access_here(table, reader, request)
        return view(table, reader, access, character_of(reader, access, person, person_name))

    return await table.store.read(query)


def view(
    table: Table, reader: Reader, access: Access, stored: CharacterRecord, played: Character | None = None
) -> SheetView:
    """Return a stored character as shown; *played* is the same as the rules see it, where that is in hand."""
    played = played or as_played(access.game, stored)
    if stored.owner is None and not may_play(reader, access, stored):
        return _seen_by_others(reader, access, stored, played)
    texts = table.sheets.texts(access.game, stored.server, played, access.settings)
    return SheetView(
        id=stored.id,
        name=stored.name,
        game=access.game.title,
        owner=stored.owner,
        sections=(
            *_waiting(reader, access, stored),
            *(_with_names(reader, access, section) for section in texts.sections),
        ),
        glance=texts.glance,
        portrait=reader.portrait(stored.server, stored.id),
    )


def _waiting(reader: Reader, access: Access, stored: CharacterRecord) -> tuple[Section, ...]:
    """Return what somebody still has to answer about a character, as its first section."""
    found = open_about(reader, access, stored.id)
    return (Section("Waiting for", found),) if found else ()


def _seen_by_others(reader: Reader, access: Access, stored: CharacterRecord, played: Character) -> SheetView:
    """Return one of the GM's characters as players see it: its name, its picture, how hurt it looks."""
    seen = access.game.health(played, access.settings).seen(seen_health(access.campaign))
    return SheetView(
        id=stored.id,
        name=stored.name,
        game=access.game.title,
        owner=None,
        sections=(Section("NPC", seen or ("The GM keeps its numbers.",)),),
        glance=Glance(states=tuple(f"{one[:1].upper()}{one[1:]}" for one in seen)),
        portrait=reader.portrait(stored.server, stored.id),
    )


def _with_names(reader: Reader, access: Access, section: Section) -> Section:
    """Return a section with the names of other characters; hidden ones are "somebody"."""
    if not section.naming:
        return section
    known = reader.character_names(access.request.server, access.campaign.id, with_hidden=access.is_gm)
    names = {one.id: one.name for one in known}
    lines = []
    for line in section.naming:
        shown = [names[who] for who in line.characters if who in names]
        more = ["someone unknown"] if len(shown) < len(line.characters) else []
        lines.append(f"{line.words} {', '.join(shown + more)}")
    return Section(section.title, (*section.lines, *lines))


async def listing(table: Table, request: Request) -> list[Listed]:
    """Return the campaign's characters that the person may know of."""

    def query(reader: Reader) -> list[Listed]:
        access = access_here(table, reader, request)
        current = reader.current_character(request.server, access.campaign.id, request.person)
        found = reader.characters(request.server, access.campaign.id, with_hidden=access.is_gm)
        return [
            Listed(
                name=one.name,
                owner=one.owner,
                is_current=one.id == current,
                is_hidden=one.is_hidden,
                is_dead=_is_dead(access, one),
            )
            for one in found
        ]

    return await table.store.read(query)


def _is_dead(access: Access, stored: CharacterRecord) -> bool:
    try:
        return access.game.is_dead(as_played(access.game, stored))
    except Unsound:  # told where the sheet itself is asked for
        return False


async def use(table: Table, request: Request, name: str) -> Result:
    """Switch to another of the person's characters."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access, stored = _own(table, tx, request, name)
        tx.set_current_character(request.server, access.campaign.id, request.person, stored.id)
        message = Message(
            who=request.person_name, headline=f"plays {stored.name}", is_public=not stored.is_hidden
        )
        return record(
            table, tx, access, "character.use", message, character=stored.id, is_secret=stored.is_hidden
        )

    return await table.store.run(unit)


async def rename(table: Table, request: Request, name: str, new_name: str) -> Result:
    """Rename the person's own character."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access, stored = _own(table, tx, request, name)
        clean = one_line(new_name)
        if not clean or len(clean) > LONGEST_NAME:
            raise UserError(f"A name must have 1 to {LONGEST_NAME} characters.")
        if clean == stored.name:
            raise UserError(f"The character is already called {clean}.")
        wrong = reads_like_another(tx, access, clean, but=stored.id)
        if wrong:
            raise UserError(wrong, try_this="Choose another name.")
        facts = make_room(tx, access, clean)
        try:
            tx.save_character(replace(stored, name=clean))
        except NameTaken:
            raise UserError(not_free(clean), try_this="Choose another name.") from None
        message = Message(who=stored.name, headline=f"is now called {clean}", is_public=not stored.is_hidden)
        return record(
            table,
            tx,
            access,
            "character.rename",
            message,
            character=stored.id,
            is_secret=stored.is_hidden,
            facts=facts,
        )

    return await table.store.run(unit)


async def retire(table: Table, request: Request, name: str) -> Result:
    """Retire the person's own character; it stays stored, and an undo brings it back."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access, stored = _own(table, tx, request, name)
        tx.save_character(replace(stored, is_retired=True))
        message = Message(who=stored.name, headline="retires", is_public=not stored.is_hidden)
        return record(
            table, tx, access, "character.retire", message, character=stored.id, is_secret=stored.is_hidden
        )

    return await table.store.run(unit)


def _own(table: Table, reader: Reader, request: Request, name: str) -> tuple[Access, CharacterRecord]:
    access = access_here(table, reader, request)
    return access, require_character(reader, access, name)


class NobodyWaits(UserError):
    """No character of that name waits for a GM's approval."""

    def __init__(self) -> None:
        super().__init__("No such character is waiting to join.", "It has already joined, or was withdrawn.")


def _waiting_characters(reader: Reader, access: Access) -> list[CharacterRecord]:
    under = f"{WAITING}/"
    keys = reader.document_keys(access.campaign.server, access.campaign.id, under)
    ids = (int(key.removeprefix(under)) for key in keys)
    return [one for id_ in ids if (one := reader.character(access.campaign.server, id_)) is not None]


def _found(reader: Reader, access: Access, who: int | str) -> CharacterRecord:
    """Return a waiting character by id or name.

    Raises:
        NobodyWaits: If there is none.
    """
    for one in _waiting_characters(reader, access):
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
        names = [one.name for one in _waiting_characters(reader, access)]
        return [Choice(name, name) for name in matching(names, typed)]

    return await table.store.read(query)
