"""One press that makes several journal entries, all or none."""

from dataclasses import replace

from bot.store.boundary import Reader
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.journal.journal import told_before


def as_part(request: Request, number: int) -> Request:
    """Return a request for one of the entries, numbered from 0 without gaps."""
    return replace(request, interaction=f"{request.interaction}#{number}") if number else request


def told_parts_before(reader: Reader, request: Request) -> tuple[Result, ...]:
    """Return the answers given when the same press came the first time."""
    told: list[Result] = []
    while (one := told_before(reader, as_part(request, len(told)))) is not None:
        told.append(one)
    return tuple(told)
