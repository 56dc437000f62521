"""The journalled tables: their columns, and how their rows depend on each other."""

import json
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from msgspec import Struct
from pydantic_core import PydanticSerializationError, from_json, to_json

from bot.store.connection import Overtaken
from bot.store.records import Json, JsonObject

SURROGATE = re.compile("[\ud800-\udfff]")


def to_text(value: Json) -> str:
    """Return a document as stored text."""
    try:
        return to_json(value, inf_nan_mode="constants").decode()
    except PydanticSerializationError:  # half a surrogate pair, which must be written as an escape
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def from_text(text: str) -> Any:
    """Return a document read from stored text."""
    try:
        return from_json(text)
    except ValueError:  # such an escape
        return json.loads(text)


def is_same(one: Json, other: Json) -> bool:
    """Return whether two values are the same JSON; unlike in Python, 1 is neither true nor 1.0."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, list) and isinstance(other, list):
        return to_text(one) == to_text(other) or all(map(is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return all(is_same(value, other[key]) for key, value in one.items())
    return True


def differences(before: JsonObject, after: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return the leaves that differ, by JSON pointer.

    Returns:
        The leaves before and after; a leaf that is new (or gone) is missing from the first (or second).
    """
    was: JsonObject = {}
    now: JsonObject = {}
    for pointer, old, new in _differing("", before, after):
        was.update((pointer, value) for value in old)
        now.update((pointer, value) for value in new)
    return was, now


Leaf = list[Json]  # empty where there is nothing


def _differing(place: str, before: JsonObject, after: JsonObject) -> Iterator[tuple[str, Leaf, Leaf]]:
    for key in before | after:
        pointer = f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
        old = [before[key]] if key in before else []
        new = [after[key]] if key in after else []
        if old and new:
            if isinstance(old[0], dict) and isinstance(new[0], dict):
                yield from _differing(pointer, old[0], new[0])
                continue
            if is_same(old[0], new[0]):
                continue
        yield pointer, old, new


def put_back(document: JsonObject, was: JsonObject, now: JsonObject) -> None:
    """Change the leaves of *document* in place from *now* to *was*.

    Raises:
        Overtaken: If one of them is no longer what it should be now.
    """
    for pointer in was | now:
        holder, key = _find(document, pointer)
        if (key in holder) != (pointer in now) or (key in holder and not is_same(holder[key], now[pointer])):
            raise Overtaken(f"{pointer} has been changed since")
        if pointer in was:
            holder[key] = was[pointer]
        else:
            del holder[key]


def _find(document: JsonObject, pointer: str) -> tuple[JsonObject, str]:
    *places, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    for place in places:
        inner = document.get(place)
        if not isinstance(inner, dict):
            raise Overtaken(f"{pointer} is no longer there")
        document = inner
    return document, last


Value: TypeAlias = int | str | None
Key: TypeAlias = tuple[Value, ...]
Row: TypeAlias = tuple[Value, ...]


class Claim(Struct, frozen=True):
    """A combination of values that only one row of a server may have."""

    name: str  # what it is about
    mark: str  # the column whose value in a change identifies the claim
    columns: tuple[str, ...]  # the columns of the combination
    # The columns and values that a row must have for the claim to apply.
    only_where: tuple[tuple[str, Value], ...] = ()


class StoredTable(Struct, frozen=True, kw_only=True, dict=True):
    """One journalled table."""

    name: str
    key: tuple[str, ...]  # its key columns after `server_id`
    columns: tuple[str, ...]  # all others
    documents: frozenset[str] = frozenset()  # those of them that are JSON
    unjournalled: frozenset[str] = frozenset()  # those of them whose changes are not journalled
    # Maps a table to the column that holds the id of one of its rows.
    refers_to: dict[str, str] = {}
    claims: tuple[Claim, ...] = ()  # what must be unique besides the key
    is_one_cell: bool = False  # whether two changes of one row always concern each other
    is_written_elsewhere: bool = False  # whether its rows are also written without being journalled

    @cached_property
    def _mine(self) -> str:
        return " AND ".join(f"{column} = ?" for column in ("server_id", *self.key))

    @cached_property
    def select(self) -> str:
        """The SQL to read one row; server and key are the parameters."""
        columns = ", ".join(self.columns) or "1"
        return f"SELECT {columns} FROM {self.name} WHERE {self._mine}"  # noqa: S608 - names are constants

    @cached_property
    def select_of_owner(self) -> str:
        """The SQL to read the rest of the key and the columns of all rows whose key begins the same."""
        columns = ", ".join((*self.key[1:], *self.columns))
        order = ", ".join(self.key)
        return (
            f"SELECT {columns} FROM {self.name} "  # noqa: S608 - the same
            f"WHERE server_id = ? AND {self.key[0]} = ? ORDER BY {order}"
        )

    def select_of_owners(self, count: int) -> str:
        """The SQL to read whole rows whose key begins with one of so many values."""
        columns, order = ", ".join((*self.key, *self.columns)), ", ".join(self.key)
        return (
            f"SELECT {columns} FROM {self.name} "  # noqa: S608 - the same
            f"WHERE server_id = ? AND {self.key[0]} IN ({', '.join('?' * count)}) ORDER BY {order}"
        )

    @cached_property
    def insert(self) -> str:
        """The SQL to insert a row; server, key and all columns are the parameters."""
        columns = ("server_id", *self.key, *self.columns)
        marks = ", ".join("?" for _ in columns)
        return f"INSERT INTO {self.name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - the same

    @cached_property
    def delete(self) -> str:
        """The SQL to delete a row; server and key are the parameters."""
        return f"DELETE FROM {self.name} WHERE {self._mine}"  # noqa: S608 - the same

    def update(self, columns: tuple[str, ...]) -> str:
        """Return the SQL to update some columns; they, server and key are the parameters."""
        return _update(self.name, columns, self._mine)

    def to_json(self, row: Row) -> JsonObject:
        """Return a whole row as JSON for the journal."""
        return {
            column: from_text(str(value)) if column in self.documents else value
            for column, value in zip(self.columns, row, strict=True)
        }

    def from_json(self, row: JsonObject) -> Row:
        """Return a whole row read from the journal."""
        return tuple(
            to_text(row[column]) if column in self.documents else as_value(row[column])
            for column in self.columns
        )

    def key_to_json(self, key: Key) -> JsonObject:
        """Return a key as JSON for the journal."""
        return dict(zip(self.key, key, strict=True))

    def key_from_json(self, key: JsonObject) -> Key:
        """Return a key read from the journal."""
        return tuple(as_value(key[column]) for column in self.key)


@lru_cache(maxsize=256)
def _update(name: str, columns: tuple[str, ...], mine: str) -> str:
    assignments = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {name} SET {assignments} WHERE {mine}"  # noqa: S608 - names are constants


def as_value(value: Json) -> Value:
    """Return a journal value as its column stores it."""
    if isinstance(value, (int, str)) or value is None:
        return value
    raise TypeError(f"no column holds {value!r}")


CAMPAIGNS = StoredTable(
    name="campaigns",
    key=("id",),
    columns=(
        "name",
        "name_key",
        "ruleset",
        "settings",
        "clock",
        "gm_role",
        "is_default",
        "is_archived",
        "created_at",
    ),
    documents=frozenset({"settings"}),
    claims=(
        Claim("campaign name", "name_key", ("name_key",)),
        Claim("default campaign", "is_default", (), (("is_default", 1),)),
    ),
)
PLACES = StoredTable(
    name="places", key=("place",), columns=("campaign_id",), refers_to={"campaigns": "campaign_id"}
)
GMS = StoredTable(
    name="gms", key=("campaign_id", "person"), columns=(), refers_to={"campaigns": "campaign_id"}
)
CHARACTERS = StoredTable(
    name="characters",
    key=("id",),
    columns=(
        "campaign_id",
        "owner",
        "name",
        "name_key",
        "is_hidden",
        "is_retired",
        "sheet_version",
        "sheet",
    ),
    documents=frozenset({"sheet"}),
    refers_to={"campaigns": "campaign_id"},
    claims=(Claim("character name", "name_key", ("campaign_id", "name_key"), (("is_retired", 0),)),),
)
RESOURCES = StoredTable(
    name="resources",
    key=("character_id", "key"),
    columns=("value", "cap"),
    refers_to={"characters": "character_id"},
    is_one_cell=True,
)
WOUNDS = StoredTable(
    name="wounds",
    key=("character_id", "track", "level"),
    columns=("filled", "capacity"),
    refers_to={"characters": "character_id"},
    is_one_cell=True,
)
TIMERS = StoredTable(
    name="timers",
    key=("character_id", "key"),
    columns=("due",),
    refers_to={"characters": "character_id"},
)
CURRENT_CHARACTERS = StoredTable(
    name="current_characters",
    key=("campaign_id", "person"),
    columns=("character_id",),
    refers_to={"campaigns": "campaign_id", "characters": "character_id"},
)
DOCUMENTS = StoredTable(
    name="documents",
    key=("campaign_id", "key"),
    columns=("body",),
    documents=frozenset({"body"}),
    refers_to={"campaigns": "campaign_id"},
)
SESSIONS = StoredTable(
    name="sessions",
    key=("campaign_id", "number"),
    columns=("channel", "started_at", "ended_at", "active_at", "event", "voice", "empty_since"),
    unjournalled=frozenset({"active_at", "empty_since"}),
    is_written_elsewhere=True,
    refers_to={"campaigns": "campaign_id"},
    claims=(Claim("open session", "ended_at", ("campaign_id",), (("ended_at", None),)),),
)
COUNTDOWNS = StoredTable(
    name="countdowns",
    key=("id",),
    columns=(
        "campaign_id",
        "name",
        "name_key",
        "kind",
        "side",
        "visibility",
        "term",
        "status",
        "winner",
        "difficulty",
        "value",
        "start",
        "per_day",
        "per_member",
        "per_skill",
        "distinct_skills",
        "every_seconds",
        "since",
        "is_shared",
        "rival",
        "links",
        "consequence",
        "note",
    ),
    refers_to={"campaigns": "campaign_id", "countdowns": "rival"},
    claims=(Claim("countdown name", "name_key", ("campaign_id", "name_key"), (("status", "running"),)),),
)
COUNTDOWN_TICKS = StoredTable(
    name="countdown_ticks",
    key=("countdown_id", "number"),
    columns=("steps", "character_id", "skill", "day"),
    refers_to={"countdowns": "countdown_id", "characters": "character_id"},
)
REVEALS = StoredTable(name="reveals", key=("entry_id", "person"), columns=())
FOLLOW_UPS = StoredTable(
    name="follow_ups",
    key=("id",),
    columns=("campaign_id", "entry_id", "body", "group_key", "closed_by"),
    is_written_elsewhere=True,
    documents=frozenset({"body"}),
)

JOURNALLED = {
    table.name: table
    for table in (
        CAMPAIGNS,
        PLACES,
        GMS,
        CHARACTERS,
        RESOURCES,
        WOUNDS,
        TIMERS,
        CURRENT_CHARACTERS,
        DOCUMENTS,
        SESSIONS,
        COUNTDOWNS,
        COUNTDOWN_TICKS,
        REVEALS,
        FOLLOW_UPS,
    )
}
