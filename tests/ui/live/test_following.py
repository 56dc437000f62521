"""Following changes: nothing that changes is forgotten, whenever it does."""

from __future__ import annotations

import asyncio

from bot.table.base.turn import StoreUnavailable
from bot.ui.live.following import MOST_TRIES, Following


async def test_a_change_just_as_a_refresh_task_ends_is_shown() -> None:
    shown: list[str] = []

    async def show(place: str) -> float:
        shown.append(place)
        if len(shown) == 1:  # two turns of the loop on, the following has ended, and nobody has heard of it
            loop.call_soon(lambda: loop.call_soon(following.refresh, place))
        return 0

    loop = asyncio.get_running_loop()
    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert shown == ["board", "board"]


async def test_a_change_while_a_refresh_fails_for_good_is_shown() -> None:
    shown: list[str] = []

    async def show(place: str) -> float:
        shown.append(place)
        if len(shown) == 1:
            following.refresh(place)
            raise LookupError(place)
        return 0

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert shown == ["board", "board"]


async def test_a_change_is_shown_after_an_outage_however_long() -> None:
    tries = 0

    async def show(place: str) -> float:
        nonlocal tries
        tries += 1
        if tries <= 3 * MOST_TRIES:
            raise StoreUnavailable("The database cannot be reached.")
        return 0

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert tries == 3 * MOST_TRIES + 1


async def test_what_discord_does_not_take_is_given_up() -> None:
    tries = 0

    async def show(place: str) -> float:
        nonlocal tries
        tries += 1
        raise TimeoutError

    following = Following(show, settle_seconds=0, retry_seconds=0)
    following.refresh("board")
    await following.settled()

    assert tries == MOST_TRIES
