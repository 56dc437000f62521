"""Notes and handouts: what a GM writes or draws for themselves, and gives to players when it is time."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.kernel import Document
from bot.rules.kernel.errors import UserError
from bot.store.records import EVERYBODY, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_here, gm_access_here
from bot.table.base.clean_names import one_line
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_handout, assert_room_for_picture
from bot.table.characters.portrait_files import HANDOUT_SIDE, LARGEST_HANDOUT
from bot.table.journal.journal import record, told_before

UNDER = "gm.handout/"  # no ruleset's documents are called so: their kinds are one word
LONGEST_TITLE, LONGEST_TEXT = 80, 1500


class StoredHandout(Document):
    """A note or handout as stored.

    Attributes:
        title: Its title.
        text: Its text; empty if it is a picture only.
        has_picture: Whether it has a picture.
        at: When it was made.
        people: Those to whom it was given; `EVERYBODY` for all.
    """

    title: str
    text: str = ""
    has_picture: bool = False
    at: int = 0
    people: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """A note or handout as somebody may see it.

    Attributes:
        id: Its id.
        title: Its title.
        text: Its text.
        picture: Its picture as a file; nothing if it has none, or where only its title is wanted.
        has_picture: Whether it has one.
        people: Those to whom it was given; `EVERYBODY` for all.
    """

    id: str
    title: str
    text: str
    picture: bytes = b""
    has_picture: bool = False
    people: tuple[int, ...] = ()


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


async def given(table: Table, request: Request) -> list[Handout]:
    """Return what a person was given here, latest first; to a GM what anybody was given."""

    def query(reader: Reader) -> list[Handout]:
        access = access_here(table, reader, request)
        return [one for one in handouts_of(reader, access) if one.people]

    return await table.store.read(query)


async def read_handout(table: Table, request: Request, id_: str) -> Handout:
    """Return a note or handout that a person may see.

    Raises:
        NoSuchHandout: If there is none.
    """
    return await table.store.read(
        lambda reader: find_handout(reader, access_here(table, reader, request), id_)
    )


async def save_handout(
    table: Table, request: Request, title: str, text: str, *, id_: str = "", content: bytes = b""
) -> tuple[str, Result]:
    """Write a note or handout, or change one.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        title: Its title.
        text: Its text.
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
    picture = await table.pictures.small(content, HANDOUT_SIDE, LARGEST_HANDOUT) if content else b""

    def unit(tx: Transaction) -> tuple[str, Result]:
        again = told_before(tx, request)
        which = id_ or request.interaction
        if again is not None:
            return which, again
        access = gm_access_here(table, tx, request)
        before = _stored(tx, access, id_) if id_ else StoredHandout(title=title, at=table.now())
        if before is None:
            raise NoSuchHandout
        known = handouts_of(tx, access)
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
            tx.save_handout_picture(request.server, access.campaign.id, which, picture)
        _save(tx, access, which, after)
        done = "changes" if id_ else "writes"
        return which, _note(table, tx, access, f"{done} the note “{title}”")

    return await table.store.run(unit)


async def remove_handout(table: Table, request: Request, id_: str) -> Result:
    """Remove a note or handout; whoever was given it no longer has it."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = gm_access_here(table, tx, request)
        found = find_handout(tx, access, id_)
        tx.save_document(request.server, access.campaign.id, f"{UNDER}{id_}", None)
        return _note(table, tx, access, f"removes the note “{found.title}”")

    return await table.store.run(unit)


def give(
    table: Table, tx: Transaction, access: Access, id_: str, people: Sequence[int], names: Sequence[str]
) -> Result:
    """Set to whom a note or handout is given.

    Args:
        table: The table.
        tx: The unit of work.
        access: A GM's access.
        id_: The note or handout.
        people: To whom; `EVERYBODY` for all, nobody to take it back.
        names: What they are called.
    """
    stored = _stored(tx, access, id_)
    if stored is None:
        raise NoSuchHandout
    if set(stored.people) == set(people):
        raise UserError("They have it already." if people else "Nobody has it.")
    _save(tx, access, id_, stored.model_copy(update={"people": tuple(people)}))
    if EVERYBODY in people:
        message = Message(who=access.request.person_name, headline=f"hands out “{stored.title}”")
        return record(table, tx, access, "gm.give", message)
    told = f"gives {', '.join(names)} the note “{stored.title}”" if people else f"takes back “{stored.title}”"
    return _note(table, tx, access, told)


def _save(tx: Transaction, access: Access, id_: str, one: StoredHandout) -> None:
    body: JsonObject = one.model_dump(mode="json")
    tx.save_document(access.campaign.server, access.campaign.id, f"{UNDER}{id_}", body)


def _note(table: Table, tx: Transaction, access: Access, headline: str) -> Result:
    """Journal what only GMs may know."""
    message = Message(who=access.request.person_name, headline=headline, is_public=False)
    return record(table, tx, access, "gm.note", message, is_secret=True)
