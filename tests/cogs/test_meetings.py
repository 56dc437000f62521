"""The card of a planned session, on which several people answer at once."""

import asyncio
from typing import Any

import pytest

from bot.table.sessions import meetings
from bot.ui.input.presses import press_id
from tests.cogs.desk import Desk
from tests.table.conftest import MORNING, Person

EVENING = MORNING + 10 * 3600


class SlowFirst:
    """What the bot sends, of which the first change of a message arrives late."""

    def __init__(self, desk: Desk) -> None:
        self._request = desk.wire.request
        self.is_on_its_way = asyncio.Event()
        self.may_arrive = asyncio.Event()
        self.is_promised = asyncio.Event()
        self.is_changed_again = asyncio.Event()

    async def request(self, route: Any, session: Any, **given: Any) -> Any:
        """Take a request of discord.py's."""
        if not self.is_on_its_way.is_set():
            self.is_on_its_way.set()
            await self.may_arrive.wait()
            return await self._request(route, session, **given)
        taken = await self._request(route, session, **given)
        (self.is_promised if "callback" in route.path else self.is_changed_again).set()
        return taken


async def test_the_card_shows_everybody_who_answers_at_once(
    desk: Desk, gm: Person, ada: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await meetings.plan(desk.bot.table, gm.asks(), "Friday", EVENING)
    slow, coming = SlowFirst(desk), press_id("meet", "yes", EVENING)
    monkeypatch.setattr(desk.wire, "request", slow.request)

    first = asyncio.create_task(desk.press(ada, coming))
    await slow.is_on_its_way.wait()
    second = asyncio.create_task(desk.press(bo, coming))
    await slow.is_promised.wait()
    slow.may_arrive.set()
    await asyncio.gather(first, second, slow.is_changed_again.wait())

    changes = [one.text for one in desk.wire.sent if one.how != "defer"]
    assert [("Alice" in one, "Bob" in one) for one in changes] == [(True, False), (True, True)]
