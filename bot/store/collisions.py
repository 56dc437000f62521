"""Collisions: whether a later journal entry builds on an earlier one.

Everything here looks only at changes as the journal stores them.
"""

from collections.abc import Iterable, Iterator, Sequence

from bot.store.documents import to_text
from bot.store.journalled_tables import JOURNALLED, Claim
from bot.store.records import Change, Json, JsonObject


def marks_of(changes: Iterable[Change]) -> set[str]:
    """Return pieces of text; every entry that can collide with *changes* contains at least one."""
    return {mark for change in changes for mark in _marks(change)}


def _marks(change: Change) -> Iterator[str]:
    """Return the marks of the same row, of rows it refers to or that refer to it, and of its claims."""
    table = JOURNALLED[change.table]
    yield _row_name(table.name, change.key) + ","
    for parent, key in _parents(change, change.before):
        yield _row_name(parent, key) + ","
    if change.before is None:
        for child in JOURNALLED.values():
            if table.name in child.refers_to:
                yield _cell(child.refers_to[table.name], next(iter(change.key.values())))
    for cells in (change.before, change.after):
        for claim in table.claims:
            if cells is not None and claim.mark in cells:
                yield _cell(claim.mark, cells[claim.mark])


def _cell(column: str, value: Json) -> str:
    return to_text({column: value})[1:-1]


def _row_name(table: str, key: JsonObject) -> str:
    return to_text([table, key])[:-1]


def _parents(change: Change, cells: JsonObject | None) -> Iterator[tuple[str, JsonObject]]:
    """Return the table and key of the rows that a made, removed or redirected row refers to."""
    is_whole = change.before is None or change.after is None
    for parent, column in JOURNALLED[change.table].refers_to.items():
        if cells is not None and (is_whole or column in cells):
            yield parent, {"id": (change.key | cells)[column]}


def _claims(change: Change) -> Iterator[str]:
    for cells in (change.before, change.after):
        if cells is None:
            continue
        for claim in JOURNALLED[change.table].claims:
            name = _claimed(claim, change.key | cells)
            if name is not None:
                yield name


def _claimed(claim: Claim, held: JsonObject) -> str | None:
    """Return what a row claims; None if nothing, or if the change doesn't concern it."""
    needed = (*claim.columns, *(column for column, _ in claim.only_where))
    if not held.keys() >= set(needed):
        return None
    if any(held[column] != value for column, value in claim.only_where):
        return None
    return to_text({claim.name: [held[column] for column in claim.columns]})


def collide(earlier: Iterable[Change], later: Sequence[Change]) -> bool:
    """Return whether undoing the *earlier* changes would disturb the *later* ones."""
    return any(_collides(one, other) for one in earlier for other in later)


def _collides(earlier: Change, later: Change) -> bool:
    row, other_row = (earlier.table, earlier.key), (later.table, later.key)
    if row == other_row:
        return _share_cells(earlier, later)
    cells = later.before if later.after is None else later.after  # empty where the key is all
    if earlier.before is None and row in _parents(later, cells):
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
