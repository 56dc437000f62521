"""Following changes: nothing that changes is forgotten, whenever it does."""

from __future__ import annotations

import asyncio

from bot.ui.live.following import Following


async def test_a_change_just_as_a_refresh_task_ends_is_shown() -> None:
    shown: list[str] = []

    async def show(place: str) -> float:
        shown.append(place)
        if len(shown) == 1:  # two turns of the loop on, the following has ended, and nobody has heard of it
            loop.call_soon(lambda: loop.call_soon(following.refresh, place))
        return 0

    loop = asyncio.get_running_loop()
    following = Following(show)
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

    following = Following(show)
    following.refresh("board")
    await following.settled()

    assert shown == ["board", "board"]
