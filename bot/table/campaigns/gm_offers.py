"""Suggestions for a GM: everything that can be awarded or set by hand."""

from collections.abc import Callable

from bot.rules.kernel import Choice
from bot.store.transaction import Reader
from bot.table.base.access import Access, find_character, gm_access_here
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.journal.suggest import matching


async def resource_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the resources of the campaign's ruleset."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [rule.title for rule in access.game.counted(access.settings)],
    )


async def award_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return everything that a GM can award in the campaign's ruleset."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [
            *(rule.title for rule in access.game.awards),
            *(rule.title for rule in access.game.counted(access.settings)),
        ],
    )


async def wound_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the wound tracks with their levels, as "track · level"."""
    return await _choices(
        table,
        request,
        typed,
        lambda _reader, access: [
            f"{one.title} · {level}" for one in access.game.wounds for level in one.levels
        ],
    )


async def timer_choices(table: Table, request: Request, typed: str, name: str) -> list[Choice]:
    """Return the timers that a character has."""
    return await _choices(
        table, request, typed, lambda reader, access: list(find_character(reader, access, name).timers)
    )


async def _choices(
    table: Table, request: Request, typed: str, names: Callable[[Reader, Access], list[str]]
) -> list[Choice]:
    def query(reader: Reader) -> list[Choice]:
        access = gm_access_here(table, reader, request)
        return [Choice(name[:100], name[:100]) for name in matching(names(reader, access), typed)]

    return await table.store.read(query)
