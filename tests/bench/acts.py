"""What the measured bots are asked to do, and what doing it costs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
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
from tests.bench.processes import OURS, SWIFT_EDITS, BotProcess, patient_discord, running
from tests.e2e.people import Party

AT_ONCE = 32
FIGHTS = 16  # of each measured game, all of them pressed at the same time
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
    """Many answers: CPU seconds of an answer, answers a second, and how many seconds each was waited for."""

    cpu_seconds: float
    per_second: float
    waits: tuple[float, ...]


async def batch(measured: Measured, count: int) -> Batch:
    """Do an act *count* times, or its share of it, and return what that cost.

    Before it is measured, everybody does it once: connections that nobody used for a while are closed.
    """
    gate = asyncio.Semaphore(measured.at_once)
    times = max(1, round(count * measured.share))
    waits: list[float] = []

    async def once() -> None:
        async with gate:
            asked_at = time.perf_counter()
            answer = await measured.act()
            waits.append(time.perf_counter() - asked_at)
            assert not isinstance(answer, Answer) or answer.failed is None, answer

    if measured.before is not None:
        await measured.before()
    await asyncio.gather(*(once() for _ in range(min(measured.at_once, times))))
    await asyncio.sleep(REST_SECONDS)
    waits.clear()
    cpu, wall = measured.bot.cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(once() for _ in range(times)))
    wall = time.perf_counter() - wall
    await asyncio.sleep(REST_SECONDS)
    return Batch((measured.bot.cpu_seconds() - cpu) / times, times / wall, tuple(waits))


@asynccontextmanager
async def ours_with_games(
    database: Path, code: Path, *command: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[tuple[dict[str, Measured], dict[str, Measured]]]:
    """Open every game and fights in two of them, and yield what is measured of them, and their sheets.

    The bot is started anew after that, so that it follows none of the private sheets that opened when a
    character was made. Opening sheets comes last, as an open sheet makes every check dearer.
    """
    async with patient_discord() as discord:
        async with running(discord, database, *OURS, code=code):
            parties = {game: await open_game(discord, game) for game in GAMES}
            fights = {game: await _open_fights(discord, game) for game in (MAID, RPJ)}
        started = running(
            discord, database, *command, code=code, settings=SWIFT_EDITS, environment=environment
        )
        async with started as bot:
            acts, sheets = {}, {}
            for game, party in parties.items():
                one = Measured(bot, partial(check, party, game), before=partial(rest, party, game))
                acts[check_of(game)] = one
                sheets[sheet_of(game)] = Measured(bot, partial(party.alice.member.slash, "sheet"), share=0.25)
                sheets[desk_of(game)] = Measured(bot, partial(party.gwen.member.slash, "gm desk"), share=0.25)
            for game, fighting in fights.items():
                acts[press_in(game)] = Measured(bot, _end_of_turn(fighting), at_once=FIGHTS)
            acts[NAMES] = Measured(bot, _completion(parties[MAID], "sheet", "name"))
            acts[TARGETS] = Measured(bot, _completion(fights[RPJ][0], "rpj-fight attack", "target"))
            yield acts, sheets


def check_of(game: MeasuredGame) -> str:
    """Return the name of a game's check."""
    return f"a check of {game.title}"


def sheet_of(game: MeasuredGame) -> str:
    """Return the name of opening a sheet with its controls."""
    return f"a sheet of {game.title}"


def desk_of(game: MeasuredGame) -> str:
    """Return the name of opening a GM's desk."""
    return f"a desk of {game.title}"


def press_in(game: MeasuredGame) -> str:
    """Return the name of ending a turn in a fight."""
    return f"a press in a fight of {game.title}"


async def _open_fights(discord: LocalDiscord, game: MeasuredGame) -> list[Party]:
    return [await open_fight(discord, game) for _ in range(FIGHTS)]


def _end_of_turn(fights: Sequence[Party]) -> Act:
    """End a turn in a fight where nobody else does, and wait until its board shows the next."""
    free = list(fights)

    async def end() -> Answer:
        party = free.pop()
        try:
            return await end_turn(party)
        finally:
            free.insert(0, party)

    return end


def _completion(party: Party, line: str, option: str) -> Act:
    async def complete() -> None:
        assert await party.alice.member.autocomplete(line, option), line

    return complete
