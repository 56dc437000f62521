"""The watch of prompts that run out."""

from types import SimpleNamespace
from typing import Any, cast

from structlog.testing import capture_logs

from bot.table.base.use_case_errors import StoreUnavailable
from cogs.unpressed import Unpressed
from tests.paces import QUICK


class Database:
    """A store with nothing in it, that can be away."""

    is_away = False

    async def read(self, _query: object) -> list[object]:
        if self.is_away:
            raise StoreUnavailable("The disk is full.")
        return []


async def test_each_outage_of_the_database_is_logged_once() -> None:
    database = Database()
    table = SimpleNamespace(store=database)
    watch = Unpressed(cast(Any, SimpleNamespace(table=table, pace=QUICK)))

    with capture_logs() as lines:
        for is_away in (True, True, True, False, True, True):
            database.is_away = is_away
            await watch.press_due()

    line = {"event": "prompts not looked after", "log_level": "warning", "reason": "The disk is full."}
    assert lines == [line, line]
