"""A campaign's secrets: hidden NPCs and countdowns, secret rolls, notes and handouts; and revealing them."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice, Document
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Status, Visibility
from bot.store.records import EVERYBODY, CountdownRecord, EntryId, EntryRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, Request, find_character, page_of
from bot.table.base.live_rows import opening_of
from bot.table.base.results import Result, message_from_json
from bot.table.base.stored_rolls import roll_from_json
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_handout, assert_room_for_picture
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import one_line
from bot.table.characters import character_files
from bot.table.gm import gm
from bot.table.journal.entries import seen_by
from bot.table.journal.shared_prompts import shown_with
from bot.table.play import countdown_actions
from bot.table.play.countdown_plans import beginning
from bot.table.play.countdowns import find_countdown

UNDER = "gm.handout/"  # no ruleset's documents are called so: their kinds are one word
LONGEST_TITLE, LONGEST_TEXT = 80, 1500


class StoredHandout(Document):
    """A note or handout as stored."""

    title: str
    text: str = ""  # its text; empty if it is a picture only
    has_picture: bool = False
    at: int = 0  # when it was made
    people: tuple[int, ...] = ()  # those to whom it was given; `EVERYBODY` for all


class Handout(Struct, frozen=True, kw_only=True):
    """A note or handout as somebody may see it."""

    id: str
    title: str
    text: str
    picture: bytes = b""  # its picture as a file; nothing if it has none, or where only its title is wanted
    has_picture: bool = False
    people: tuple[int, ...] = ()  # those to whom it was given; `EVERYBODY` for all


class NoSuchHandout(UserError):
    """There is none, or not for this person."""

    def __init__(self) -> None:
        super().__init__(
            "You don't have this note.", try_this="See what you were given under /log, Handouts."
        )


def handouts_of(reader: Reader, access: Access) -> list[Handout]:
    """Return the notes and handouts that a person may see, latest first, without their pictures."""
    server, campaign = access.campaign.server, access.campaign.id
    ids = [key.removeprefix(UNDER) for key in reader.document_keys(server, campaign, UNDER)]
    found = ((id_, _stored(reader, access, id_)) for id_ in ids)
    seen = [(id_, one) for id_, one in found if one is not None and access.is_shown(one.people)]
    return [_as_shown(id_, one) for id_, one in sorted(seen, key=lambda each: each[1].at, reverse=True)]


def find_handout(reader: Reader, access: Access, id_: str) -> Handout:
    """Return a note or handout with its picture.

    Raises:
        NoSuchHandout: If there is none that the person may see.
    """
    stored = _stored(reader, access, id_)
    if stored is None or not access.is_shown(stored.people):
        raise NoSuchHandout
    has_one = stored.has_picture
    place = (access.campaign.server, access.campaign.id)
    return _as_shown(id_, stored, reader.handout_picture(*place, id_) if has_one else b"")


def _stored(reader: Reader, access: Access, id_: str) -> StoredHandout | None:
    body = reader.document(access.campaign.server, access.campaign.id, f"{UNDER}{id_}")
    return None if body is None else StoredHandout.model_validate(body)


def _as_shown(id_: str, one: StoredHandout, picture: bytes = b"") -> Handout:
    return Handout(
        id=id_,
        title=one.title,
        text=one.text,
        picture=picture,
        has_picture=one.has_picture,
        people=one.people,
    )


@look()
def given(at: ReadTurn) -> list[Handout]:
    """Return what a person was given here, latest first; to a GM what anybody was given."""
    return [one for one in handouts_of(at.reader, at.access) if one.people]


@look()
def read_handout(at: ReadTurn, id_: str) -> Handout:
    """Return a note or handout that a person may see.

    Raises:
        NoSuchHandout: If there is none.
    """
    return find_handout(at.reader, at.access, id_)


async def save_handout(
    table: Table, request: Request, title: str, text: str, *, id_: str = "", content: bytes = b""
) -> tuple[str, Result]:
    """Write a note or handout, or change one.

    Args:
        request: Who asks; must be a GM.
        id_: The one to change; empty for a new one.
        content: Its picture as it was uploaded; nothing to leave the one it has.

    Returns:
        Its id, and the result.

    Raises:
        UserError: If there is nothing in it, or the picture can't be read.
    """
    title, text = one_line(title)[:LONGEST_TITLE], text.strip()[:LONGEST_TEXT]
    if not title:
        raise UserError("It needs a title.", "Write one that tells you what it is.")
    picture = (
        await table.pictures.small(content, character_files.HANDOUT_SIDE, character_files.LARGEST_HANDOUT)
        if content
        else b""
    )
    return id_ or request.interaction, await _save_handout(table, request, title, text, id_, picture)


@act(gm=True)
def _save_handout(at: Turn, title: str, text: str, id_: str, picture: bytes) -> Result:
    before = _stored(at.tx, at.access, id_) if id_ else StoredHandout(title=title, at=at.table.now())
    if before is None:
        raise NoSuchHandout
    known, which = handouts_of(at.tx, at.access), id_ or at.request.interaction
    if not id_:
        assert_room_for_handout(len(known))
    has_picture = bool(picture) or before.has_picture
    if not (text or has_picture):
        raise UserError("There is nothing in it.", "Write a text, or upload a picture.")
    after = before.model_copy(update={"title": title, "text": text, "has_picture": has_picture})
    if id_ and after == before and not picture:
        raise UserError("That wouldn't change anything.")
    if picture:
        assert_room_for_picture(sum(one.has_picture for one in known if one.id != which))
        at.tx.save_handout_picture(at.server, at.campaign.id, which, picture)
    _save(at.tx, at.access, which, after)
    return _note(at, f"{'changes' if id_ else 'writes'} the note “{title}”")


@act(gm=True)
def remove_handout(at: Turn, id_: str) -> Result:
    """Remove a note or handout; whoever was given it no longer has it."""
    found = find_handout(at.tx, at.access, id_)
    at.tx.save_document(at.server, at.campaign.id, f"{UNDER}{id_}", None)
    return _note(at, f"removes the note “{found.title}”")


def _give(at: Turn, id_: str, people: Sequence[int], names: Sequence[str]) -> Result:
    """Give a note or handout to some people, called by names; to nobody takes it back."""
    stored = _stored(at.tx, at.access, id_)
    if stored is None:
        raise NoSuchHandout
    if set(stored.people) == set(people):
        raise UserError("They have it already." if people else "Nobody has it.")
    _save(at.tx, at.access, id_, stored.model_copy(update={"people": tuple(people)}))
    if EVERYBODY in people:
        return at.log("gm.give", f"hands out “{stored.title}”")
    told = f"gives {', '.join(names)} the note “{stored.title}”" if people else f"takes back “{stored.title}”"
    return _note(at, told)


def _save(tx: Transaction, access: Access, id_: str, one: StoredHandout) -> None:
    body: JsonObject = one.model_dump(mode="json")
    tx.save_document(access.campaign.server, access.campaign.id, f"{UNDER}{id_}", body)


def _note(at: Turn, headline: str) -> Result:
    """Journal what only GMs may know."""
    return at.log("gm.note", headline, secret=True)


LOOKED_AT = 300  # of the latest secret entries
MOST_ROLLS = 40
PAGE = 8


class SecretKind(StrEnum):
    """What kind of thing is secret."""

    NPC = "npc"
    ROLL = "roll"
    NOTE = "note"
    COUNTDOWN = "countdown"


class Secret(Struct, frozen=True):
    """Something that not everybody may know of."""

    kind: SecretKind
    id: str  # its id among those of its kind
    name: str  # what it is, in a few words
    people: tuple[str, ...] = ()  # those who know it already
    has_picture: bool = False  # whether it is a handout with a picture


class SecretsPage(Struct, frozen=True, kw_only=True):
    """A page of a campaign's secrets."""

    campaign: str  # its name
    secrets: tuple[Secret, ...]  # the secrets of this page
    page: int  # which page it is, from 0
    pages: int  # how many there are


class SecretView(Struct, frozen=True, kw_only=True):
    """A secret as a GM looks at it, before they reveal it."""

    secret: Secret
    roll: Result | None = None  # the result to reveal, as everybody would see it; else None
    handout: Handout | None = None  # the note or handout; else None
    sentence: str = ""  # what would be said of an NPC or a countdown
    is_out: bool = False  # whether everybody knows it
    players: tuple[Choice, ...] = ()  # the players' characters, to whom alone it can be shown


class Revealed(Struct, frozen=True, kw_only=True):
    """What came of revealing or hiding something."""

    result: Result  # the journal's entry about it
    view: SecretView  # the secret, as it stands now
    names: tuple[str, ...] = ()  # to whom alone it is revealed; nobody if to all, or taken back


@look(gm=True)
def secrets_page(at: ReadTurn, page: int = 0) -> SecretsPage:
    """Return a page of the campaign's secrets."""
    found = page_of(_secrets(at.reader, at.access), page, PAGE)
    return SecretsPage(
        campaign=at.campaign.name,
        secrets=found.shown,
        page=found.number,
        pages=found.pages,
    )


@look(gm=True)
def open_secret(at: ReadTurn, kind: SecretKind, id_: str) -> SecretView:
    """Return a secret as players will see it.

    Raises:
        UserError: If it is not there any more.
    """
    return _view(at.reader, at.access, kind, id_)


@unit(gm=True)
def reveal(at: Turn, kind: SecretKind, id_: str, only: Sequence[int] | None = None) -> Revealed:
    """Reveal a roll, note or handout to everybody or to some, or take it back.

    Args:
        id_: The secret.
        only: The characters whose players alone may see it; None for everybody, none to take it back.

    Raises:
        UserError: If it is not there any more, or if nothing would change.
    """
    found = [at.character(one) for one in only or ()]
    people = [EVERYBODY] if only is None else sorted({one.owner for one in found if one.owner})
    names = tuple(one.name for one in found)
    if only and not people:
        raise UserError("Only a player's character can be shown something alone.")
    result = at.earlier_answer()
    if result is None:
        shown = _give if kind is SecretKind.NOTE else _reveal_roll
        result = shown(at, id_, people, names)
    return Revealed(result=result, view=_view(at.tx, at.access, kind, id_), names=names)


async def show_to_all(
    table: Table, request: Request, kind: SecretKind, id_: str, *, is_known_only: bool = False
) -> Result:
    """Reveal a hidden NPC or countdown to everybody; only for a GM.

    Args:
        id_: The secret.
        is_known_only: Whether a countdown's progress stays hidden.
    """
    if kind is SecretKind.NPC:
        return await gm.show_or_hide(table, request, _number(id_), is_hidden=False)
    seen = Visibility.KNOWN if is_known_only else Visibility.OPEN
    return await countdown_actions.change(
        table, request, _number(id_), countdown_actions.Edit(visibility=seen)
    )


@look()
def read_shown(at: ReadTurn, entry: EntryId) -> Result:
    """Return a secret roll to somebody to whom it is revealed, or to a GM.

    Raises:
        UserError: If the person may not see it.
    """
    found = at.reader.entry(at.server, entry)
    if found is None or found.campaign != at.campaign.id or not at.access.is_shown(found.revealed_to):
        raise UserError("That isn't for you.", "A GM can show it to you.")
    return _as_all_see(at.reader, at.access, found)


def _number(id_: str) -> int:
    if not (id_.isascii() and id_.isdecimal() and len(id_) < 19):
        raise Gone
    return int(id_)


class Gone(UserError):
    """The secret is no longer there."""

    def __init__(self) -> None:
        super().__init__("That is no longer there.", "Press Secrets to see what there is.")


# --- the list ----------------------------------------------------------------------------------


def _secrets(reader: Reader, access: Access) -> list[Secret]:
    """Return every secret: notes and handouts, NPCs, countdowns, and the latest rolls."""
    server, campaign = access.campaign.server, access.campaign.id
    names = _names(reader, access)
    found = [_of_handout(one, names) for one in handouts_of(reader, access)]
    for npc in reader.character_names(server, campaign):
        if npc.is_hidden:
            found.append(Secret(SecretKind.NPC, str(npc.id), npc.name))
    running = [one for one in reader.countdowns(server, campaign) if one.status == Status.RUNNING]
    found += [_of_countdown(one) for one in running if one.visibility != Visibility.OPEN]
    rolls: dict[EntryId, Secret] = {}
    for entry in reader.entries(server, campaign, only_secret=True, limit=LOOKED_AT):
        if entry.rolls and entry.undone_by is None and EVERYBODY not in entry.revealed_to:
            opening = opening_of(reader, entry)
            rolls.setdefault(opening.id, _of_roll(opening, names))
    return [*list(rolls.values())[:MOST_ROLLS], *found]


def _names(reader: Reader, access: Access) -> dict[int, str]:
    """Return a name for each player: their first character's."""
    found = reader.character_names(access.campaign.server, access.campaign.id)
    return {one.owner: one.name for one in reversed(found) if one.owner is not None} | {EVERYBODY: "everyone"}


def _called(people: Sequence[int], names: dict[int, str]) -> tuple[str, ...]:
    return tuple(names.get(one, "someone who left") for one in people)


def _of_roll(entry: EntryRecord, names: dict[int, str]) -> Secret:
    message = message_from_json(entry.told)
    rolls = [roll_from_json(one).verdict.title for one in entry.rolls[:1]]
    title = message.verdict.title if message.verdict else ", ".join(rolls)
    name = " · ".join(one for one in (message.sentence, title) if one)
    return Secret(SecretKind.ROLL, str(entry.id), name, _called(entry.revealed_to, names))


def _of_handout(one: Handout, names: dict[int, str]) -> Secret:
    return Secret(SecretKind.NOTE, one.id, one.title, _called(one.people, names), one.has_picture)


def _of_countdown(one: CountdownRecord) -> Secret:
    known = ("everyone, without its progress",) if one.visibility == Visibility.KNOWN else ()
    return Secret(SecretKind.COUNTDOWN, str(one.id), one.name, known)


# --- one secret --------------------------------------------------------------------------------


def _view(reader: Reader, access: Access, kind: SecretKind, id_: str) -> SecretView:
    names = _names(reader, access)
    match kind:
        case SecretKind.NPC:
            record = find_character(reader, access, _number(id_))
            secret = Secret(kind, id_, record.name)
            return SecretView(secret=secret, sentence=f"{record.name} appears", is_out=not record.is_hidden)
        case SecretKind.COUNTDOWN:
            found = find_countdown(reader, access, _number(id_))
            shown = replace(found, visibility=Visibility.OPEN.value)
            is_out = found.visibility == Visibility.OPEN
            return SecretView(secret=_of_countdown(found), sentence=beginning(shown), is_out=is_out)
        case SecretKind.NOTE:
            handout = find_handout(reader, access, id_)
            secret, is_out = _of_handout(handout, names), EVERYBODY in handout.people
            players = _players(reader, access)
            return SecretView(secret=secret, handout=handout, is_out=is_out, players=players)
        case SecretKind.ROLL:
            entry = _secret_entry(reader, access, id_)
            return SecretView(
                secret=_of_roll(entry, names),
                roll=_as_all_see(reader, access, entry),
                is_out=EVERYBODY in entry.revealed_to,
                players=_players(reader, access),
            )


def _players(reader: Reader, access: Access) -> tuple[Choice, ...]:
    found = reader.character_names(access.campaign.server, access.campaign.id, with_hidden=False)
    return tuple(Choice(str(one.id), one.name) for one in found if one.owner is not None)[:25]


def _secret_entry(reader: Reader, access: Access, id_: str) -> EntryRecord:
    """Return the entry in whose message a secret roll is shown."""
    found = reader.entry(access.campaign.server, EntryId(_number(id_)))
    if found is None or found.campaign != access.campaign.id or not found.is_secret:
        raise Gone
    opening = opening_of(reader, found)
    if opening.undone_by is not None:
        raise Gone
    return opening


def _as_all_see(reader: Reader, access: Access, entry: EntryRecord) -> Result:
    """Return a roll as it looks once everybody sees it: without buttons that only some may press."""
    result = seen_by(reader, access, entry, shown_with(reader, access.game, entry))
    return replace(_open(result), below=tuple(_open(one) for one in result.below))


def _open(result: Result) -> Result:
    message = replace(result.message, is_public=True)
    return replace(result, message=message, follow_ups=(), again=None, can_undo=False, waiting=None)


def _reveal_roll(at: Turn, id_: str, people: Sequence[int], names: Sequence[str]) -> Result:
    opening = _secret_entry(at.tx, at.access, id_)
    shown = [one for one in at.tx.shown_in(opening.server, opening.id) if one.is_secret and not one.undone_by]
    together = (opening, *shown)
    if all(set(one.revealed_to) == set(people) for one in together):
        raise UserError("They know it already." if people else "Nobody else has seen it.")
    for one in together:
        at.tx.set_revealed(one, people)
    message = message_from_json(opening.told)
    if EVERYBODY in people:
        verdict = message_from_json((shown[-1] if shown else opening).told).verdict or message.verdict
        return at.log("gm.reveal", f"reveals: {message.sentence}", verdict=verdict)
    done = f"shows {', '.join(names)}" if people else "hides again"
    return at.log("gm.reveal", f"{done}: {message.sentence}", secret=True)
