"""One press that makes several journal entries, all or none."""

from dataclasses import replace

from bot.store.boundary import Reader
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.journal.journal import told_before

EACH = "#"  # in an interaction's id, before the number of an entry that is undone by itself


def as_part(request: Request, number: int, mark: str = EACH) -> Request:
    """Return a request for one of the entries, numbered from 0 without gaps.

    Args:
        request: The press.
        number: Which of its entries.
        mark: Whether each is undone by itself, or all with the first; see `WITH_FIRST`.
    """
    return replace(request, interaction=f"{request.interaction}{mark}{number}") if number else request


def told_parts_before(reader: Reader, request: Request, mark: str = EACH) -> tuple[Result, ...]:
    """Return the answers given when the same press came the first time."""
    told: list[Result] = []
    while (one := told_before(reader, as_part(request, len(told), mark))) is not None:
        told.append(one)
    return tuple(told)
