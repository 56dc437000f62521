"""What two journal entries have to do with each other: whether the later one built on the earlier.

Everything here looks at changes as the journal keeps them and at nothing else.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from bot.store.records import Change, Json, JsonObject
from bot.store.tables import JOURNALLED, Claim


def touched(changes: Iterable[Change]) -> set[str]:
    """Names for everything that changes concern: their rows, the rows these refer to, and their claims.

    Two entries can only collide where they have such a name in common.
    """
    return {name for change in changes for name in _touched(change)}


def _touched(change: Change) -> Iterator[str]:
    yield _row_name(change.table, list(change.key.values()))
    yield from _parents(change, change.before)
    yield from _parents(change, change.after)
    yield from _claims(change)


def _row_name(table: str, key: Sequence[Json]) -> str:
    return json.dumps([table, *key], separators=(",", ":"))


def _parents(change: Change, cells: JsonObject | None) -> Iterator[str]:
    """The rows that a row, when it was made or removed or pointed elsewhere, refers to."""
    is_whole = change.before is None or change.after is None
    for parent, columns in JOURNALLED[change.table].refers_to.items():
        if cells is not None and (is_whole or not cells.keys().isdisjoint(columns)):
            held = change.key | cells
            yield _row_name(parent, [held[column] for column in columns])


def _claims(change: Change) -> Iterator[str]:
    for cells in (change.before, change.after):
        if cells is None:
            continue
        for claim in JOURNALLED[change.table].claims:
            name = _claimed(claim, change.key | cells)
            if name is not None:
                yield name


def _claimed(claim: Claim, held: JsonObject) -> str | None:
    """What a row claims; None where it claims nothing or the change does not concern it."""
    needed = (*claim.columns, *(column for column, _ in claim.only_where))
    if not held.keys() >= set(needed):
        return None
    if any(held[column] != value for column, value in claim.only_where):
        return None
    return json.dumps({claim.name: [held[column] for column in claim.columns]}, separators=(",", ":"))


def collide(earlier: Iterable[Change], later: Sequence[Change]) -> bool:
    """Whether taking back the *earlier* changes would disturb the *later* ones."""
    return any(_collides(one, other) for one in earlier for other in later)


def _collides(earlier: Change, later: Change) -> bool:
    row, other_row = (_row_name(one.table, list(one.key.values())) for one in (earlier, later))
    if row == other_row:
        return _share_cells(earlier, later)
    if earlier.before is None and row in _parents(later, later.after):
        return True
    if later.after is None and other_row in _parents(earlier, earlier.before):
        return True
    return not set(_claims(earlier)).isdisjoint(_claims(later))


def _share_cells(one: Change, other: Change) -> bool:
    if one.before is None or one.after is None or other.before is None or other.after is None:
        return True
    if JOURNALLED[one.table].is_one_cell:
        return True
    return any(
        cell == other_cell or cell.startswith(f"{other_cell}/") or other_cell.startswith(f"{cell}/")
        for cell in one.before | one.after
        for other_cell in other.before | other.after
    )
