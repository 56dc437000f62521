"""Characters: make, show, choose, rename and retire them."""

from msgspec import Struct
from msgspec.structs import replace

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
from bot.rules.kernel.outcome import listed
from bot.store.connection import NameTaken
from bot.store.records import NO_LIMIT, CharacterRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    ForGmOnly,
    as_played,
    character_of,
    may_play,
    require_character,
    seen_health,
)
from bot.table.base.results import WAITS, ChangeLine, EntryId, Message, Result
from bot.table.base.stored_rolls import Unsound
from bot.table.base.table_limits import assert_room_for_character, assert_room_to_wait
from bot.table.base.turn import ReadTurn, Turn, act, look, record
from bot.table.base.typed_options import LONGEST_NAME, gives_way, look_alike, make_room, one_line, reads_like
from bot.table.journal.journal import DRAFT
from bot.table.journal.scenes import SceneKeeper, as_kept, run_arrival
from bot.table.journal.suggest import matching
from bot.table.play.actions import open_about

MOST_NAMED = 6
NOTHING_TO_SEE = Glance()
WAITING = "creation.waiting"  # documents of characters that wait for the GM's leave; no ruleset's kind


class SheetView(Struct, frozen=True, kw_only=True):
    """A character sheet as shown."""

    id: int
    name: str
    game: str  # its ruleset's title
    owner: int | None  # its player, or None for an NPC
    sections: tuple[Section, ...]
    glance: Glance = NOTHING_TO_SEE  # what its picture shows
    portrait: bytes = b""  # its portrait, a picture file; nothing if it has none


class Listed(Struct, frozen=True, kw_only=True):
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
        access: Who asks; hidden names are no reason for players.
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
    at: Turn,
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
        is_hidden: Whether only the GM knows of it.
        is_ready_made: Whether it is one of the ruleset's ready-made characters.
        how: How it was made, as a phrase that follows its name.
        brought: The character as its file has it, if it comes from one.
        answers: The answers of its draft; an undo opens the draft again.

    Raises:
        UserError: If the name is taken.
    """
    clean = one_line(name)
    wrong = name_problem(at.tx, at.access, clean)
    if wrong:
        raise UserError(wrong, try_this="Choose another name.")
    owner = None if is_npc else at.request.person
    assert_room_for_character(at.tx, at.access, owner)
    character = brought or newcomer(at.access, clean, sheet, owner)
    blank = CharacterRecord(
        server=at.server,
        campaign=at.campaign.id,
        owner=owner,
        name=clean,
        sheet_version=at.game.sheet_version,
        sheet="{}",
    )
    above = () if is_ready_made else excess(at.access, character, is_from_file=brought is not None)
    waits = not at.is_gm and (bool(above) or at.game.creation.needs_leave(at.access.settings))
    stored = as_kept(at.access, blank, replace(character, name=clean, is_hidden=is_hidden))
    facts: JsonObject = {} if answers is None else {DRAFT: answers}
    if not waits:
        facts |= make_room(at.tx, at.access, clean)
    made = replace(stored, id=at.tx.save_character(replace(stored, is_retired=waits)))
    if waits:
        return _ask_to_join(at, made, facts, above)
    if owner is not None:
        at.tx.set_current_character(at.server, at.campaign.id, owner, made.id)
    hook_result, lines = arrival(at.tx, at.access, CharacterId(made.id))
    return at.log(
        "character.create",
        how,
        by=made,
        changes=lines,
        notes=hook_result.notes,
        secret=is_hidden,
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


def _ask_to_join(at: Turn, stored: CharacterRecord, facts: JsonObject, above: tuple[Excess, ...]) -> Result:
    """Save a character that waits for a GM's approval; nobody plays it yet."""
    assert_room_to_wait(len(at.tx.document_keys(at.server, at.campaign.id, f"{WAITING}/")))
    at.tx.save_document(at.server, at.campaign.id, f"{WAITING}/{stored.id}", {})
    excess_note = (_excess_note(above),) if above else ()
    return at.log(
        "character.create",
        "asks to join the campaign",
        by=stored,
        notes=(*excess_note, "A GM can approve it, or undo it so it can be changed."),
        facts={**facts, WAITS: stored.id},
    )


def arrival(
    tx: Transaction, access: Access, newcomer: CharacterId
) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Return what a running session sets for a new character."""
    if tx.open_session(access.campaign.server, access.campaign.id) is None:
        return HookResult(scene=SceneKeeper(tx, access).scene(None)), ()
    return run_arrival(tx, access, newcomer)


class ReadyHero(Struct, frozen=True):
    """A ready-made character that a player can take."""

    name: str
    good_at: str  # what it is good at, in a few words
    is_taken: bool = False  # whether its name is taken, so that it needs another one


def ready_heroes_of(reader: Reader, access: Access) -> tuple[ReadyHero, ...]:
    """Return the ready-made characters of a campaign."""
    creation, settings = access.game.creation, access.settings
    return tuple(
        ReadyHero(name, creation.good_at(sheet, settings), name_problem(reader, access, name) is not None)
        for name, sheet in creation.offered(settings).items()
    )


@look()
def ready_heroes(at: ReadTurn) -> tuple[ReadyHero, ...]:
    """Return the ready-made characters of the campaign played here."""
    return ready_heroes_of(at.reader, at.access)


@act()
def take_ready_made(at: Turn, which: str, name: str | None = None) -> Result:
    """Make a ready-made character; the person plays it from now on.

    Args:
        which: Its name among the ready-made ones.
        name: Another name for it.
    """
    ready = at.game.creation.offered(at.access.settings)
    found = {key.casefold(): key for key in ready}.get(which.strip().casefold())
    if found is None:
        raise UserError(
            f"There is no ready-made character called “{which}”.",
            f"Ready-made: {listed(ready)}.",
        )
    return add_character(at, name or found, ready[found], is_ready_made=True)


@look()
def sheet(at: ReadTurn, name: str | int | None) -> SheetView:
    """Return a character's sheet: the one named, else the person's own.

    Raises:
        UserError: If there is none that the person may see.
    """
    stored = require_character(at.reader, at.access) if name is None else at.character(name)
    return view(at, stored)


@look()
def sheet_of(at: ReadTurn, person: int, person_name: str) -> SheetView:
    """Return the sheet of the character that somebody plays here.

    Raises:
        UserError: If there is none that the person who asks may see.
    """
    return view(at, character_of(at.reader, at.access, person, person_name))


def view(at: ReadTurn, stored: CharacterRecord, played: Character | None = None) -> SheetView:
    """Return a stored character as shown; *played* is the same as the rules see it, where that is in hand."""
    played = played or as_played(at.game, stored)
    if stored.owner is None and not may_play(at.reader, at.access, stored):
        return _seen_by_others(at.reader, at.access, stored, played)
    texts = at.table.sheets.texts(at.game, stored.server, played, at.access.settings)
    return SheetView(
        id=stored.id,
        name=stored.name,
        game=at.game.title,
        owner=stored.owner,
        sections=(
            *_waiting(at.reader, at.access, stored),
            *(_with_names(at.reader, at.access, section) for section in texts.sections),
        ),
        glance=texts.glance,
        portrait=at.reader.portrait(stored.server, stored.id),
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
    return replace(section, lines=(*section.lines, *lines), naming=())


@look()
def listing(at: ReadTurn) -> list[Listed]:
    """Return the campaign's characters that the person may know of."""
    current = at.reader.current_character(at.server, at.campaign.id, at.request.person)
    found = at.reader.characters(at.server, at.campaign.id, with_hidden=at.is_gm)
    return [
        Listed(
            name=one.name,
            owner=one.owner,
            is_current=one.id == current,
            is_hidden=one.is_hidden,
            is_dead=_is_dead(at.access, one),
        )
        for one in found
    ]


def _is_dead(access: Access, stored: CharacterRecord) -> bool:
    try:
        return access.game.is_dead(as_played(access.game, stored))
    except Unsound:  # told where the sheet itself is asked for
        return False


@act()
def use(at: Turn, name: str) -> Result:
    """Switch to another of the person's characters."""
    stored = require_character(at.tx, at.access, name)
    at.tx.set_current_character(at.server, at.campaign.id, at.request.person, stored.id)
    message = Message(
        who=at.request.person_name, headline=f"plays {stored.name}", is_public=not stored.is_hidden
    )
    return record(
        at.table, at.tx, at.access, "character.use", message, character=stored.id, is_secret=stored.is_hidden
    )


@act()
def rename(at: Turn, name: str, new_name: str) -> Result:
    """Rename the person's own character."""
    stored = require_character(at.tx, at.access, name)
    clean = one_line(new_name)
    if not clean or len(clean) > LONGEST_NAME:
        raise UserError(f"A name must have 1 to {LONGEST_NAME} characters.")
    if clean == stored.name:
        raise UserError(f"The character is already called {clean}.")
    wrong = reads_like_another(at.tx, at.access, clean, but=stored.id)
    if wrong:
        raise UserError(wrong, try_this="Choose another name.")
    facts = make_room(at.tx, at.access, clean)
    try:
        at.tx.save_character(replace(stored, name=clean))
    except NameTaken:
        raise UserError(not_free(clean), try_this="Choose another name.") from None
    return at.log(
        "character.rename", f"is now called {clean}", by=stored, secret=stored.is_hidden, facts=facts
    )


@act()
def retire(at: Turn, name: str) -> Result:
    """Retire the person's own character; it stays stored, and an undo brings it back."""
    stored = require_character(at.tx, at.access, name)
    at.tx.save_character(replace(stored, is_retired=True))
    return at.log("character.retire", "retires", by=stored, secret=stored.is_hidden)


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


@act(gm=True)
def admit(at: Turn, who: int | str, asked: EntryId | None = None) -> Result:
    """Admit a waiting character to the campaign; its player plays it from now on.

    Args:
        who: The character, by id or name.
        asked: The entry with which it asked, if its button was pressed; its message shows the admission.

    Raises:
        NobodyWaits: If there is none.
    """
    stored = _found(at.tx, at.access, who)
    try:
        at.tx.save_character(replace(stored, is_retired=False))
    except NameTaken:
        raise UserError(not_free(stored.name), "Retire the other one, or undo this one.") from None
    at.tx.save_document(at.server, at.campaign.id, f"{WAITING}/{stored.id}", None)
    if stored.owner is not None:
        at.tx.set_current_character(at.server, at.campaign.id, stored.owner, stored.id)
    hook_result, lines = arrival(at.tx, at.access, CharacterId(stored.id))
    return at.log(
        "character.admit",
        "joins the campaign",
        by=stored,
        changes=lines,
        notes=hook_result.notes,
        follow_ups=hook_result.follow_ups,
        shown_in=asked,
    )


@look()
def waiting_sheet(at: ReadTurn, who: int) -> SheetView:
    """Return the sheet of a waiting character, for a GM or its player.

    Raises:
        UserError: If it isn't waiting any more, or isn't theirs.
    """
    stored = _found(at.reader, at.access, who)
    if not at.access.owns(stored):
        raise ForGmOnly("Only a GM and its player can read its sheet before it joins.")
    return view(at, stored)


@look(gm=True)
def choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the waiting characters for a GM to choose from."""
    names = [one.name for one in _waiting_characters(at.reader, at.access)]
    return [Choice(name, name) for name in matching(names, typed)]
