"""One press that makes several journal entries, all or none."""

from dataclasses import replace

from bot.store.transaction import Reader
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.journal.journal import told_before

EACH = "#"  # in an interaction's id, before the number of an entry that is undone by itself


def as_part(request: Request, number: int, mark: str = EACH) -> Request:
    """Return a request for one of the entries, numbered without gaps.

    Args:
        request: The press.
        number: Which of its entries.
        mark: Whether each is undone by itself, or all with the first; see `WITH_FIRST`.
    """
    return replace(request, interaction=f"{request.interaction}{mark}{number}") if number else request


def told_parts_before(
    reader: Reader, request: Request, mark: str = EACH, *, first: int = 0
) -> tuple[Result, ...]:
    """Return the answers given when the same press came the first time.

    Args:
        reader: The store.
        request: The press.
        mark: See `as_part`.
        first: The number of the first entry: 1 where an entry without a number would be another answer.
    """
    told: list[Result] = []
    while (one := told_before(reader, as_part(request, first + len(told), mark))) is not None:
        told.append(one)
    return tuple(told)
