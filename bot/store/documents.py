"""Documents: JSON objects as text, and the differences between two of them.

A difference is given leaf by leaf, each named by its JSON pointer (RFC 6901). Objects are compared in depth;
lists and everything else are leaves. Where a whole object is new or gone, it is one leaf: so putting
back one leaf never touches another, and putting back all of them restores the document.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

from bot.store.records import Json, JsonObject
from bot.store.store_errors import Overtaken

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
