"""Queries for characters with their counted values, and for who plays which."""

from collections.abc import Collection, Mapping

from bot.store.connection import Found
from bot.store.journalled_tables import (
    CHARACTERS,
    CURRENT_CHARACTERS,
    RESOURCES,
    TIMERS,
    WOUNDS,
    Key,
    Row,
    StoredTable,
    to_text,
)
from bot.store.queries.base import Reads, RecordRows, Writes
from bot.store.records import CampaignId, CharacterRecord, FavoriteRecord, NamedCharacter, ServerId
from bot.store.rows import CHARACTER_NAMES, name_key
from bot.store.store_errors import Contradiction, OutOfBounds

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
