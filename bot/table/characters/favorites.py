"""Favorites: acts that players keep under a name, each for one of their characters."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Act, ActGroup, CharacterId, Choice, FollowUp
from bot.rules.kernel.errors import UserError
from bot.store.records import (
    CharacterRecord,
    EntryId,
    EntryRecord,
    FavoriteRecord,
    FollowUpRecord,
    JsonObject,
)
from bot.store.rows import name_key
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, Request, require_character
from bot.table.base.results import AGAIN, follow_up_from_json, follow_up_to_json
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.base.typed_options import LONGEST_NAME, one_line, read_options
from bot.table.characters.seats import fields_of
from bot.table.journal.suggest import matching
from bot.table.play.play import find_procedure


class Offered(Struct, frozen=True):
    """A favorite among the acts offered now."""

    key: str  # the act
    places: tuple[int, ...]  # the place of each of its settings' values
    chosen: str  # the entry of its menu that was kept with it; empty to ask


def kept_body(follow_up: FollowUp, label: str) -> JsonObject:
    """Return an act as it is kept: what its menu asks is asked again each time."""
    plain = replace(follow_up, label=label, choices=(), deal="", group="", note="", window=None)
    body = follow_up_to_json(plain)
    options = body["options"]
    if follow_up.choices and isinstance(options, dict):
        body["options"] = {field: value for field, value in options.items() if field != follow_up.chosen}
    return body


def find_offered(body: JsonObject, acts: Mapping[str, Act]) -> Offered | None:
    """Return which of the acts offered now a kept one is, or None."""
    return next(_offered(body, acts.items()), None)


def _offered(body: JsonObject, acts: Iterable[tuple[str, Act]]) -> Iterator[Offered]:
    kept = follow_up_from_json(body)
    options = kept.options.model_dump(mode="json")
    for key, act in acts:
        if act.do.procedure != kept.procedure or bool(act.do.blanks) != bool(kept.blanks):
            continue
        asked = {act.do.chosen} if act.do.choices else set()
        free = asked | set(act.adjusts)
        now = act.do.options.model_dump(mode="json", exclude_defaults=True)
        if _without(now, free) != _without(options, free):
            continue
        places = _places(act, options)
        chosen = _chosen(act.do, options)
        if places is not None and chosen is not None:
            yield Offered(key, places, chosen)


def _without(options: Mapping[str, Any], fields: set[str]) -> dict[str, Any]:
    return {field: value for field, value in options.items() if field not in fields}


def _places(act: Act, options: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the place of each kept setting among those offered, or None if one is not among them."""
    places = []
    for field, _title, values in fields_of(act):
        unset = type(act.do.options).model_fields[field].get_default(call_default_factory=True)
        value = options.get(field, unset)
        if value not in values:
            return None
        places.append(list(values).index(value))
    return tuple(places)


def _chosen(follow_up: FollowUp, options: Mapping[str, Any]) -> str | None:
    """Return the kept entry of an act's menu: empty if none was, None if it is no longer in the menu."""
    kept = options.get(follow_up.chosen) if follow_up.choices else None
    if kept is None:
        return ""
    value = str(kept[0]) if isinstance(kept, list) and kept else str(kept)
    return value if value in {one.value for one in follow_up.choices} else None


def kept_act(reader: Reader, access: Access, favorite: FavoriteRecord) -> Act:
    """Return a favorite that is not among the acts offered now, as it was kept.

    The rules say why it is impossible; where something would have to be chosen first, the act does.
    """
    kept = follow_up_from_json(favorite.body)
    problem = f"“{favorite.name}” isn't possible now." if kept.chosen or kept.blanks else ""
    if not problem:
        try:
            model = find_procedure(access, kept.procedure).options
            kept = replace(kept, options=read_options(reader, access, model, kept.options.model_dump()))
        except UserError as mistake:
            problem = f"“{favorite.name}” isn't possible now. {mistake.what}"
    follow_up = replace(kept, label=favorite.name, character=CharacterId(favorite.character))
    return Act(group=ActGroup.USE, do=follow_up, why_not=problem)


MOST = 25  # of one character; what a menu holds
LATEST = 25  # entries among which the last acts are looked for
AT_ONCE = 5  # of them: mostly the very latest is wanted


class NoSuchFavorite(UserError):
    """The character has no favorite of that name.

    Args:
        name: The name, or nothing where a button named it.
    """

    def __init__(self, name: str = "") -> None:
        called = f" called “{name}”" if name else " like that any more"
        super().__init__(f"You have no favorite{called}.", "See them with /favorite.")


class Favorite(Struct, frozen=True):
    """An act that a player keeps under a name."""

    id: int  # its number
    name: str
    what: str  # what it does


class OwnFavorites(Struct, frozen=True):
    """A character's favorites."""

    who: str  # the character
    all: tuple[Favorite, ...]  # oldest first


class Saved(Struct, frozen=True):
    """A favorite that was just saved or removed."""

    who: str  # the character
    favorite: Favorite
    is_new: bool = True  # false where it took the place of another one of that name


def favorites_of(reader: Reader, character: CharacterRecord) -> tuple[Favorite, ...]:
    """Return a character's favorites, oldest first."""
    return tuple(_read(one) for one in reader.favorites(character.server, character.id))


def find_favorite(reader: Reader, character: CharacterRecord, which: int | str) -> FavoriteRecord:
    """Return a character's favorite by id or name.

    Raises:
        NoSuchFavorite: If there is none.
    """
    key = name_key(which) if isinstance(which, str) else ""
    for one in reader.favorites(character.server, character.id):
        if which == one.id or (key and name_key(one.name) == key):
            return one
    raise NoSuchFavorite(which if isinstance(which, str) else "")


def save(tx: Transaction, character: CharacterRecord, name: str, body: JsonObject) -> Saved:
    """Save an act as a character's favorite, in place of the one of that name.

    Raises:
        UserError: If the name is empty, or there are too many.
    """
    name = one_line(name)[:LONGEST_NAME].strip()
    if not name:
        raise UserError("A favorite needs a name.")
    others = [one for one in tx.favorites(character.server, character.id) if _is_other(one, name)]
    if len(others) >= MOST:
        raise UserError(f"You have {MOST} favorites.", "Remove one first with /favorite, option remove.")
    before = len(tx.favorites(character.server, character.id))
    record = FavoriteRecord(server=character.server, character=character.id, name=name, body=body)
    id_ = tx.save_favorite(record)
    what = follow_up_from_json(body).label
    return Saved(character.name, Favorite(id_, name, what), is_new=before == len(others))


def _is_other(one: FavoriteRecord, name: str) -> bool:
    return name_key(one.name) != name_key(name)


def last_acts(
    reader: Reader, access: Access, character: CharacterRecord, until: EntryId | None = None
) -> Iterator[JsonObject]:
    """Return the last acts of a character that can be done again, as they are kept, latest first.

    Args:
        access: The campaign.
        until: Only acts up to this entry.
    """
    for entry in _latest(reader, access, character, until):
        again = _again(reader, entry)
        if again is not None:
            yield kept_body(follow_up_from_json(again.body), _headline(entry))


def last_act_in_words(
    reader: Reader, access: Access, character: CharacterRecord, newest: EntryRecord | None
) -> str:
    """Return what the last act of a character that can be done again did; empty if there is none.

    Args:
        access: The campaign.
        newest: Its newest entry, which is in hand.
    """
    if newest is None:
        return ""
    entries = chain([newest], _latest(reader, access, character, EntryId(newest.id - 1)))
    return next((_headline(one) for one in islice(entries, LATEST) if _again(reader, one) is not None), "")


def _latest(
    reader: Reader, access: Access, character: CharacterRecord, until: EntryId | None
) -> Iterator[EntryRecord]:
    """The latest entries of a character, a few read at once."""
    before = None if until is None else EntryId(until + 1)
    place, who = (character.server, access.campaign.id), character.id
    for _page in range(LATEST // AT_ONCE):
        page = reader.entries(*place, character=who, before=before, is_brief=True, limit=AT_ONCE)
        yield from page
        if len(page) < AT_ONCE:
            return
        before = page[-1].id


def _again(reader: Reader, entry: EntryRecord) -> FollowUpRecord | None:
    """What does the same as an entry again, if that is possible and the entry stands."""
    if entry.undone_by is not None:
        return None
    return next((one for one in reader.follow_ups(entry.server, entry.id) if one.group == AGAIN), None)


def _headline(entry: EntryRecord) -> str:
    return str(entry.told.get("headline", ""))


@unit()
def save_last(at: Turn, name: str) -> Saved:
    """Save the last act of the person's character as a favorite.

    Raises:
        UserError: If the character has done nothing yet that can be done again.
    """
    character = require_character(at.tx, at.access)
    body = next(last_acts(at.tx, at.access, character), None)
    if body is None:
        raise UserError(
            f"{character.name} has done nothing yet that could be done again.",
            "Roll or act first, then save it.",
        )
    return save(at.tx, character, name, body)


@unit()
def remove(at: Turn, name: str) -> Saved:
    """Remove a favorite of the person's character.

    Raises:
        NoSuchFavorite: If there is none of that name.
    """
    character = require_character(at.tx, at.access)
    found = find_favorite(at.tx, character, name)
    at.tx.drop_favorite(found.server, found.id)
    return Saved(character.name, _read(found))


@look()
def own_favorites(at: ReadTurn) -> OwnFavorites:
    """Return the favorites of the person's character."""
    character = require_character(at.reader, at.access)
    return OwnFavorites(character.name, favorites_of(at.reader, character))


async def names(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the names of the person's favorites that contain the typed text."""
    found = await own_favorites(table, request)
    return [Choice(name, name) for name in matching((one.name for one in found.all), typed)]


def _read(one: FavoriteRecord) -> Favorite:
    return Favorite(one.id, one.name, follow_up_from_json(one.body).label)
