"""Promising Discord an answer while something takes long."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app.pace import STANDARD, Pace
from bot.ui.input.answer import in_time

AT_ONCE = replace(STANDARD, private_promise_seconds=0.001, public_promise_seconds=0.002)


class Response:
    """An interaction with its response in one, which notes what is promised."""

    def __init__(self, *, is_done: bool = False, pace: Pace = AT_ONCE) -> None:
        self.client = SimpleNamespace(pace=pace)
        self.response = self
        self.promises: list[dict[str, Any]] = []
        self._is_done = is_done
        self.promised = asyncio.Event()
        self.asked = asyncio.Event()

    def is_done(self) -> bool:
        self.asked.set()
        return self._is_done

    async def defer(self, **options: Any) -> None:
        self.promises.append(options)
        self.promised.set()


async def slowly(response: Response) -> str:
    """Work that ends only after the promise."""
    await response.promised.wait()
    return "done"


async def at_once() -> str:
    return "done"


async def test_slow_work_changes_the_pressed_message_later() -> None:
    response = Response()

    assert await in_time(response, slowly(response)) == "done"  # type: ignore[arg-type]
    assert response.promises == [{}]


async def test_slow_work_adds_a_private_message_later() -> None:
    response = Response()

    assert await in_time(response, slowly(response), adds=True) == "done"  # type: ignore[arg-type]
    assert response.promises == [{"ephemeral": True, "thinking": True}]


async def test_slow_work_adds_a_public_message_later() -> None:
    response = Response()

    work = in_time(response, slowly(response), adds=True, is_private=False)  # type: ignore[arg-type]
    assert await work == "done"
    assert response.promises == [{"ephemeral": False, "thinking": True}]


async def test_quick_work_needs_no_promise() -> None:
    response = Response(pace=replace(STANDARD, private_promise_seconds=60.0))

    assert await in_time(response, at_once()) == "done"  # type: ignore[arg-type]
    assert response.promises == []


async def test_what_was_answered_meanwhile_is_not_promised_again() -> None:
    response = Response(is_done=True)

    async def work() -> str:
        await response.asked.wait()
        return "done"

    assert await in_time(response, work()) == "done"  # type: ignore[arg-type]
    assert response.promises == []


async def test_work_is_cancelled_where_nothing_can_be_promised() -> None:
    response = Response()
    working = asyncio.Event()

    async def refuse(**_: Any) -> None:
        raise RuntimeError("no connection")

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            working.set()

    response.defer = refuse  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="no connection"):
        await in_time(response, work())  # type: ignore[arg-type]
    await asyncio.wait_for(working.wait(), 60)
