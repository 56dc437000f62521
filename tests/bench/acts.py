"""What the measured bots are asked to do, and what doing it costs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.playground.discord import Answer, LocalDiscord
from tests.bench.played_games import (
    GAMES,
    MAID,
    RPJ,
    MeasuredGame,
    check,
    end_turn,
    open_fight,
    open_game,
    rest,
)
from tests.bench.processes import BotProcess
from tests.e2e.people import Party

AT_ONCE = 32
REST_SECONDS = 0.2  # for what a bot does after its last answer

Act = Callable[[], Coroutine[Any, Any, object]]
NAMES, TARGETS = "a completion of names", "a completion in a fight"


@dataclass(frozen=True, slots=True)
class Measured:
    """One act of one bot.

    Attributes:
        bot: The process whose CPU time is read.
        act: What a person does.
        at_once: How many do it at the same time.
        share: Which part of the number of times it is done.
        before: What is done before a batch and not measured.
    """

    bot: BotProcess
    act: Act
    at_once: int = AT_ONCE
    share: float = 1.0
    before: Act | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Many answers: CPU seconds of an answer, and answers a second."""

    cpu_seconds: float
    per_second: float


async def batch(measured: Measured, count: int) -> Batch:
    """Do an act *count* times, or its share of it, and return what that cost."""
    gate = asyncio.Semaphore(measured.at_once)
    times = max(1, round(count * measured.share))

    async def once() -> None:
        async with gate:
            answer = await measured.act()
            assert not isinstance(answer, Answer) or answer.failed is None, answer

    if measured.before is not None:
        await measured.before()
    cpu, wall = measured.bot.cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(once() for _ in range(times)))
    wall = time.perf_counter() - wall
    await asyncio.sleep(REST_SECONDS)
    return Batch((measured.bot.cpu_seconds() - cpu) / times, times / wall)


async def acts_of_ours(bot: BotProcess, discord: LocalDiscord) -> dict[str, Measured]:
    """Open every game, and return what is measured of them."""
    acts: dict[str, Measured] = {}
    for game in GAMES:
        party = await open_game(discord, game)
        acts[check_of(game)] = Measured(bot, partial(check, party, game), before=partial(rest, party, game))
        acts[sheet_of(game)] = Measured(bot, partial(party.alice.member.slash, "sheet"), share=0.25)
        if game is MAID:
            acts[NAMES] = Measured(bot, _completion(party, "sheet", "name"))
    for game in (MAID, RPJ):
        party = await open_fight(discord, game)
        acts[press_in(game)] = Measured(bot, partial(end_turn, party), at_once=1, share=0.25)
        if game is RPJ:
            acts[TARGETS] = Measured(bot, _completion(party, "rpj-fight attack", "target"))
    return acts


def check_of(game: MeasuredGame) -> str:
    """Return the name of a game's check."""
    return f"a check of {game.title}"


def sheet_of(game: MeasuredGame) -> str:
    """Return the name of opening a sheet with its controls."""
    return f"a sheet of {game.title}"


def press_in(game: MeasuredGame) -> str:
    """Return the name of ending a turn in a fight."""
    return f"a press in a fight of {game.title}"


def _completion(party: Party, line: str, option: str) -> Act:
    async def complete() -> None:
        assert await party.alice.member.autocomplete(line, option), line

    return complete
