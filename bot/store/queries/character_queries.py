"""Queries for characters with their counted values, who plays whom, and what else names a person."""

import re
from collections.abc import Callable, Collection, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

from msgspec import Struct

from bot.store.changes import Reads, RecordRows, Writes
from bot.store.connection import Contradiction, Found, OutOfBounds
from bot.store.journalled_tables import (
    CHARACTERS,
    CURRENT_CHARACTERS,
    RESOURCES,
    TIMERS,
    WOUNDS,
    Key,
    Row,
    StoredTable,
    from_text,
    to_text,
)
from bot.store.records import CampaignId, CharacterRecord, FavoriteRecord, Json, NamedCharacter, ServerId
from bot.store.rows import CHARACTER_NAMES, name_key

COUNTED = (RESOURCES, WOUNDS, TIMERS)
_CHARACTERS = RecordRows(CharacterRecord, CHARACTERS.columns)
_CHARACTER = f"SELECT id, {', '.join(CHARACTERS.columns)} FROM characters"  # noqa: S608 - names are constants
_NAMES = "SELECT id, name, owner, is_hidden FROM characters"
_NAMED = f"{_NAMES} WHERE server_id = ? AND campaign_id = ? AND is_retired = 0 AND id IN ({{}}) ORDER BY id"
_BY_NAME = """
SELECT id FROM characters WHERE server_id = ? AND campaign_id = ? AND name_key = ? AND is_retired = 0
"""
_DUE = """
SELECT timers.character_id, timers.key
FROM characters JOIN timers
ON timers.server_id = characters.server_id AND timers.character_id = characters.id
WHERE characters.server_id = ? AND characters.campaign_id = ? AND characters.is_retired = 0
AND timers.due <= ?
ORDER BY timers.due, timers.character_id, timers.key
"""
_PORTRAIT = "SELECT picture FROM portraits WHERE server_id = ? AND character_id = ?"
_SAVE_PORTRAIT = """
INSERT INTO portraits (server_id, character_id, picture) VALUES (?, ?, ?)
ON CONFLICT (server_id, character_id) DO UPDATE SET picture = excluded.picture
"""
_DROP_PORTRAIT = "DELETE FROM portraits WHERE server_id = ? AND character_id = ?"


class CharacterReads(Reads):
    """Reads characters."""

    __slots__ = ()

    def character(self, server: ServerId, character: int) -> CharacterRecord | None:
        """Return a character by id, even a retired one."""
        row = self._rows.row(CHARACTERS, server, (character,))
        return None if row is None else self._record(server, character, row)

    def characters_with(self, server: ServerId, ids: Collection[int]) -> dict[int, CharacterRecord]:
        """Return those of some characters that exist, by id, even retired ones; read at once."""
        if not ids:
            return {}
        found = self._rows.rows_with(CHARACTERS, server, ids)
        counted = [self._rows.rows_of_all(table, server, ids) for table in COUNTED]
        return {
            id_: _record(server, id_, row, *(rows.get(id_, {}) for rows in counted))
            for id_, row in found.items()
        }

    def character_name(self, server: ServerId, character: int) -> str | None:
        """Return the name of a character, even of a retired one."""
        found = self._one("SELECT name FROM characters WHERE server_id = ? AND id = ?", server, character)
        return None if found is None else str(found[0])

    def character_named(self, server: ServerId, campaign: CampaignId, name: str) -> CharacterRecord | None:
        """Return the campaign's active character of that name, ignoring case and outer spaces."""
        found = self._rows.answer(CHARACTER_NAMES, _BY_NAME, server, campaign, name_key(name))
        return self.character(server, found[0][0]) if found else None

    def characters(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        owner: int | None = None,
        contains: str = "",
        with_hidden: bool = True,
        with_retired: bool = False,
        limit: int = 1000,
    ) -> list[CharacterRecord]:
        """Return the campaign's characters by name, at most *limit*; *contains* is part of the name."""
        where, parameters = _wanted(owner, contains, with_hidden=with_hidden, with_retired=with_retired)
        found = self._all(f"{_CHARACTER} {where}", server, campaign, *parameters, limit)
        return [self._record(server, row[0], row[1:]) for row in found]

    def character_names(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        owner: int | None = None,
        contains: str = "",
        with_hidden: bool = True,
        limit: int = 1000,
    ) -> list[NamedCharacter]:
        """Return the names of the same characters, without reading their sheets; none that is retired."""
        where, parameters = _wanted(owner, contains, with_hidden=with_hidden)
        statement, asked = f"{_NAMES} {where}", (campaign, *parameters, limit)
        if contains:  # there are many of those, and none is asked often
            return [_named(row) for row in self._all(statement, server, *asked)]
        found = self._rows.answer(CHARACTER_NAMES, statement, server, *asked)
        return [_named(row) for row in found]

    def named_characters(
        self, server: ServerId, campaign: CampaignId, ids: Collection[int]
    ) -> dict[int, NamedCharacter]:
        """Return those of some characters, by id, that are in the campaign and not retired."""
        if not ids:
            return {}
        found = self._all(_NAMED.format(", ".join("?" for _ in ids)), server, campaign, *ids)
        return {row[0]: _named(row) for row in found}

    def current_character(self, server: ServerId, campaign: CampaignId, person: int) -> int | None:
        """Return the character a person plays now, or None."""
        row = self._rows.row(CURRENT_CHARACTERS, server, (campaign, person))
        return None if row is None else int(row[0] or 0)

    def timers_due(self, server: ServerId, campaign: CampaignId, clock: int) -> list[tuple[int, str]]:
        """Return (character, timer) of active characters' timers due by *clock*, earliest first."""
        return [(character, key) for character, key in self._all(_DUE, server, campaign, clock)]

    def portrait(self, server: ServerId, character: int) -> bytes:
        """Return a character's portrait, a picture file; nothing if it has none."""
        found = self._one(_PORTRAIT, server, character)
        return b"" if found is None else bytes(found[0])

    def _record(self, server: ServerId, id_: int, row: Found) -> CharacterRecord:
        return _record(server, id_, row, *(self._rows.rows_of(table, server, id_) for table in COUNTED))


def _record(
    server: ServerId,
    id_: int,
    row: Found,
    resources: Mapping[Key, Found],
    wounds: Mapping[Key, Found],
    timers: Mapping[Key, Found],
) -> CharacterRecord:
    tracks: dict[str, list[Found]] = {}
    for key, level in wounds.items():
        tracks.setdefault(str(key[1]), []).append(level)
    return _CHARACTERS.read(
        row,
        id=id_,
        server=server,
        resources={str(key[1]): resource for key, resource in resources.items()},
        wounds={track: tuple(levels) for track, levels in tracks.items()},
        timers={str(key[1]): due for key, (due,) in timers.items()},
    )


class CharacterWrites(CharacterReads, Writes):
    """Writes characters."""

    __slots__ = ()

    def save_character(self, character: CharacterRecord) -> int:
        """Save a new character (id 0) or a changed one with all its rows; journalled.

        Raises:
            NameTaken: If another active character of the campaign has the name.
            OutOfBounds: If a resource or wound leaves its bounds.
        """
        _refuse_out_of_bounds(character)
        server, id_ = character.server, character.id
        before = self._changes.row(CHARACTERS, server, (id_,)) if id_ else None
        if id_ and before is None:
            raise Contradiction(f"there is no character {id_} to change")
        id_ = id_ or self._next_id(server, "characters")
        self._changes.write(CHARACTERS, server, (id_,), before, _CHARACTERS.row(character))
        resources: dict[Key, Row] = {(id_, key): tuple(row) for key, row in character.resources.items()}
        wounds: dict[Key, Row] = {
            (id_, track, level): tuple(row)
            for track, levels in character.wounds.items()
            for level, row in enumerate(levels)
        }
        timers: dict[Key, Row] = {(id_, key): (due,) for key, due in character.timers.items()}
        for table, after in zip(COUNTED, (resources, wounds, timers), strict=True):
            self._save_rows(table, server, id_, after)
        return id_

    def save_portrait(self, server: ServerId, character: int, picture: bytes) -> None:
        """Save a character's portrait, or with no picture remove it; not journalled."""
        if picture:
            self._run(_SAVE_PORTRAIT, server, character, picture)
        else:
            self._run(_DROP_PORTRAIT, server, character)

    def _save_rows(self, table: StoredTable, server: ServerId, id_: int, after: dict[Key, Row]) -> None:
        """Save the rows of a character in one table."""
        before = self._rows.rows_of(table, server, id_)
        for key, row in before.items():
            if row != after.get(key):
                self._changes.write(table, server, key, row, after.get(key))
        for key, row in after.items():
            if key not in before:
                self._changes.write(table, server, key, None, row)

    def set_current_character(
        self, server: ServerId, campaign: CampaignId, person: int, character: int | None
    ) -> None:
        """Set which character a person plays now; journalled."""
        after = None if character is None else (character,)
        self._changes.put(CURRENT_CHARACTERS, server, (campaign, person), after)


def _named(row: Found) -> NamedCharacter:
    id_, name, owner, is_hidden = row
    return NamedCharacter(id_, name, owner, bool(is_hidden))


def _wanted(
    owner: int | None, contains: str, *, with_hidden: bool, with_retired: bool = False
) -> tuple[str, list[object]]:
    """Return the condition and order of a list of characters, and the parameters before its length."""
    where = "WHERE server_id = ? AND campaign_id = ?"
    parameters: list[object] = []
    if owner is not None:
        where += " AND owner = ?"
        parameters.append(owner)
    part = name_key(contains)
    if part:
        where += r" AND name_key LIKE ? ESCAPE '\'"
        escaped = part.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
        parameters.append(f"%{escaped}%")
    if not with_hidden:
        where += " AND is_hidden = 0"
    if not with_retired:
        where += " AND is_retired = 0"
    return f"{where} ORDER BY name_key, id LIMIT ?", parameters


def _refuse_out_of_bounds(character: CharacterRecord) -> None:
    """Raise early for what the constraints would refuse.

    Raises:
        OutOfBounds: If a resource or wound leaves its bounds.
    """
    for key, (value, cap) in character.resources.items():
        if value < 0 or (cap is not None and value > cap):
            raise OutOfBounds(f"{character.name}: {key} is {value}, of at most {cap}")
    for track, levels in character.wounds.items():
        for level, (filled, capacity) in enumerate(levels):
            if not 0 <= filled <= capacity:
                raise OutOfBounds(f"{character.name}: {track} {level} is {filled} of {capacity}")


_FAVORITES = RecordRows(FavoriteRecord, ("server_id", "id", "character_id", "name", "body"))
_OF_CHARACTER = """
SELECT server_id, id, character_id, name, body FROM favourites
WHERE server_id = ? AND character_id = ? ORDER BY id
"""
_SAME = "SELECT id FROM favourites WHERE server_id = ? AND character_id = ? AND name_key = ?"
_SAVE = """
INSERT INTO favourites (server_id, id, character_id, name, name_key, body) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (server_id, id) DO UPDATE SET name = excluded.name, body = excluded.body
"""


class FavoriteReads(Reads):
    """Reads favorites."""

    __slots__ = ()

    def favorites(self, server: ServerId, character: int) -> list[FavoriteRecord]:
        """Return a character's favorites, oldest first."""
        return [_FAVORITES.read(found) for found in self._all(_OF_CHARACTER, server, character)]


class FavoriteWrites(FavoriteReads, Writes):
    """Writes favorites."""

    __slots__ = ()

    def save_favorite(self, favorite: FavoriteRecord) -> int:
        """Save a favorite in place of the one of the same name, and return its id; not journalled."""
        server, character, key = favorite.server, favorite.character, name_key(favorite.name)
        same = self._one(_SAME, server, character, key)
        id_: int = self._next_id(server, "favourites") if same is None else same[0]
        self._run(_SAVE, server, id_, character, favorite.name, key, to_text(favorite.body))
        return id_

    def drop_favorite(self, server: ServerId, favorite: int) -> None:
        """Forget a favorite; not journalled."""
        self._run("DELETE FROM favourites WHERE server_id = ? AND id = ?", server, favorite)


LEAST_ID = 10**15  # Discord's ids are larger; numbers of a game are smaller, and are not mistaken for one

_COUNT = "SELECT count(*) FROM entries WHERE server_id = ? AND person = ?"
_CALLED = "SELECT DISTINCT person_name FROM entries WHERE server_id = ? AND person = ? ORDER BY person_name"
_NAMING = """
SELECT id FROM entries
WHERE server_id = ? AND (person = ? OR instr(told, ?) > 0 OR instr(changes, ?) > 0)
"""
_SAYING = "SELECT id FROM entries WHERE server_id = ? AND instr(told, ?) > 0"
_ENTRY = "SELECT person, told, rolls, changes FROM entries WHERE server_id = ? AND id = ?"
_REWRITE = "UPDATE entries SET told = ?, rolls = ?, changes = ? WHERE server_id = ? AND id = ?"
_RENAME = "UPDATE entries SET person = ?, person_name = ? WHERE server_id = ? AND person = ?"
_PERSON_COLUMNS = ("person", "owner")  # columns that are a person's id, in whatever table

Retell = Callable[[Any, list[Any], bool], tuple[Any, list[Any]]]


class _Holding(Struct, frozen=True):
    """A table with something of servers' in it."""

    name: str
    key: tuple[str, ...]  # its key columns after the server
    people: tuple[str, ...]  # its columns that are a person's id
    texts: tuple[str, ...]  # its columns of text, which may name somebody by their id

    @property
    def holds(self) -> str:
        """The condition for rows of a server whose texts have something in them."""
        either = " OR ".join(f"instr({column}, ?) > 0" for column in self.texts)
        return f"server_id = ? AND ({either})"


class PersonReads(Reads):
    """Reads what names a person."""

    __slots__ = ()

    def entries_by(self, server: ServerId, person: int) -> int:
        """Return how many journal entries of a server a person made."""
        found = self._one(_COUNT, server, person)
        return 0 if found is None else int(found[0])

    def names_of(self, server: ServerId, person: int) -> list[str]:
        """Return the names under which a person made journal entries in a server."""
        return [found[0] for found in self._all(_CALLED, server, person)]

    def rows_naming(self, server: ServerId, person: int) -> int:
        """Return how many rows of a server, beside journal entries, name a person by their id in a text."""
        count = 0
        for table in self._other_tables() if person >= LEAST_ID else ():
            if table.texts:
                statement = f"SELECT count(*) FROM {table.name} WHERE {table.holds}"  # noqa: S608 - names of the schema
                found = self._one(statement, server, *(str(person) for _ in table.texts))
                count += 0 if found is None else int(found[0])
        return count

    def _other_tables(self) -> list[_Holding]:
        """Return every table with rows of servers but the journal's own, as the schema has them."""
        tables = []
        for name, of_table in groupby(self._connection.columns(), key=attrgetter("table")):
            columns = list(of_table)
            if name != "entries" and "server_id" in [column.name for column in columns]:
                tables.append(
                    _Holding(
                        name=name,
                        key=tuple(
                            one.name
                            for one in columns
                            if one.key_place is not None and one.name != "server_id"
                        ),
                        people=tuple(one.name for one in columns if one.name in _PERSON_COLUMNS),
                        texts=tuple(one.name for one in columns if one.is_text),
                    )
                )
        return tables


class PersonWrites(PersonReads, Writes):
    """Puts a stand-in in a person's place."""

    __slots__ = ()

    def replace_person(self, server: ServerId, person: int, stand_in: int, name: str, retell: Retell) -> None:
        """Put a number and a name that are nobody's in a person's place, in every row of a server.

        Rows and the journal's changes of them stay alike, so that undo goes on working. What the person
        began and did not finish is removed. Not journalled.

        Args:
            stand_in: The number; no id of a person.
            retell: Gives an entry's text and rolls without the person's name, from both and whether the
                entry is theirs.
        """
        names = [one for one in self.names_of(server, person) if one]
        for entry in self._entries_naming(server, person, names):
            self._rewrite_entry(server, entry, person, stand_in, name, retell)
        self._run(_RENAME, stand_in, name, server, person)
        self._run("DELETE FROM drafts WHERE server_id = ? AND person = ?", server, person)
        for table in self._other_tables():
            for column in table.people:
                statement = f"UPDATE {table.name} SET {column} = ? WHERE server_id = ? AND {column} = ?"  # noqa: S608 - names of the schema
                self._run(statement, stand_in, server, person)
            self._rewrite_rows(table, server, person, stand_in, name)
        self._changes.forget(server)

    def _entries_naming(self, server: ServerId, person: int, names: list[str]) -> list[int]:
        found = {row[0] for row in self._all(_NAMING, server, person, str(person), str(person))}
        for one in names:  # as the name stands in JSON text
            found |= {row[0] for row in self._all(_SAYING, server, to_text(one)[1:-1])}
        return sorted(found)

    def _rewrite_entry(
        self, server: ServerId, entry: int, person: int, stand_in: int, name: str, retell: Retell
    ) -> None:
        found = self._one(_ENTRY, server, entry)
        if found is None:  # it has just been found
            raise LookupError(f"entry {entry} is gone")
        told, rolls = retell(from_text(found[1]), from_text(found[2]), found[0] == person)
        parts = (told, rolls, from_text(found[3]))
        texts = [to_text(without_id(one, person, stand_in, name)) for one in parts]
        if texts != list(found[1:]):
            self._run(_REWRITE, *texts, server, entry)

    def _rewrite_rows(self, table: _Holding, server: ServerId, person: int, stand_in: int, name: str) -> None:
        key, texts = table.key, table.texts
        if not texts:
            return
        chosen = ", ".join((*key, *texts))
        select = f"SELECT {chosen} FROM {table.name} WHERE {table.holds}"  # noqa: S608 - names of the schema
        assigned = ", ".join(f"{column} = ?" for column in texts)
        mine = "".join(f" AND {column} = ?" for column in key)
        update = f"UPDATE {table.name} SET {assigned} WHERE server_id = ?{mine}"  # noqa: S608 - the same
        for row in self._all(select, server, *(str(person) for _ in texts)):
            rewritten = [_text_without_id(one, person, stand_in, name) for one in row[len(key) :]]
            self._run(update, *rewritten, server, *row[: len(key)])


def _text_without_id(text: Any, person: int, stand_in: int, name: str) -> Any:
    """Return a column's text, JSON or not, with another number for a person's id."""
    if isinstance(text, str) and text[:1] in ("{", "["):
        return to_text(without_id(from_text(text), person, stand_in, name))
    return without_id(text, person, stand_in, name)


def without_id(value: Json, person: int, stand_in: int, name: str) -> Any:
    """Return JSON with another number for a person's id: as a number, within a text, and within a key.

    What stands under such a key is about the person: a name there becomes *name*.
    """
    if person < LEAST_ID:
        return value
    written = re.compile(rf"(?<!\d){person}(?!\d)")

    def replaced(part: Json) -> Any:
        match part:
            case bool():
                return part
            case int():
                return stand_in if part == person else part
            case str():
                return written.sub(str(stand_in), part)
            case list():
                return [replaced(one) for one in part]
            case dict():
                return {replaced(key): replaced(_nameless(key, one)) for key, one in part.items()}
            case _:
                return part

    def _nameless(key: str, part: Json) -> Json:
        if written.search(key) is None:
            return part
        if isinstance(part, dict) and isinstance(part.get("name"), str):
            return {**part, "name": name}
        return name if key.endswith("/name") and isinstance(part, str) else part

    return replaced(value)
