"""What happens by itself: prompts that run out, and sessions that end."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from bot.table.base import timed
from bot.table.base.turn import StoreUnavailable
from bot.table.sessions import autoend
from bot.ui.commands.session_posts import ended_reply
from cogs.unpressed import Unpressed
from tests.cogs.played import get_up, sit_down
from tests.cogs.test_same_numbers import GAMES
from tests.paces import QUICK

KEEPS_FIGHTS = {"rpj", "post_magic_maid"}  # the other games' fights end with the session
SEVEN_HOURS = 7 * 3600


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


@pytest.mark.parametrize("name", GAMES)
async def test_f_all_34_a_session_that_ends_by_itself_tells_what_became_of_its_fight(
    name: str, tmp_path: Path
) -> None:
    shown = GAMES[name]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    await play.types(play.gwen, "/session start")
    await play.types(play.alice, "/encounter start", others=shown.bobs)
    for _ in range(2):
        await play.types(play.gwen, "/encounter next")
    play.clock.seconds += SEVEN_HOURS

    (watched,) = await autoend.watched(play.table)
    assert await autoend.end_if_due(play.table, watched) is not None
    (task,) = await timed.due(play.table, timed.RECAP)
    news = await autoend.news_of(play.table, task)
    assert news is not None

    goes_on = name in KEEPS_FIGHTS
    came, other = "A fight goes on in round 1", "The fight ended in round 1"
    if not goes_on:
        came, other = other, came
    recap = await play.types(play.gwen, "/session recap")
    for told in (ended_reply(*news).text, recap.text):
        assert told.count(came) == 1
        assert other not in told
    status = (await play.types(play.alice, "/encounter status")).text
    assert ("Round 1" in status) is goes_on
    assert ("There is no encounter in this channel." in status) is not goes_on
    await get_up(play)
