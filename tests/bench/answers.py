"""What an answer costs: checks, completions, sheets and presses, beside a bare and a hand-written bot."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.playground.discord import Answer, LocalDiscord
from tests.bench.played_games import (
    FIGHTERS,
    GAMES,
    MAID,
    RPJ,
    SWIM,
    check,
    end_turn,
    open_fight,
    open_game,
    rest,
)
from tests.bench.processes import OURS, BotProcess, patient_discord, running, script
from tests.bench.report import Row, microseconds, ratio_of
from tests.e2e.people import Party

AT_ONCE = 32
REST_SECONDS = 0.2  # for what a bot does after its last answer
# Boards follow each press; people's wait for the next edit is no cost.
SETTINGS = {"DISCORD__EDIT_SECONDS": "0.01"}

Act = Callable[[], Coroutine[Any, Any, object]]
CHECK_GOALS = {SWIM: 2.2, RPJ: 2.2}
LINE, CARD, NAME, HAND, NAMES, TARGETS = "line", "card", "name", "hand-written", "names", "targets"


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


async def measure_answers(folder: Path, code: Path, count: int, rounds: int) -> list[Row]:
    """Measure every act *count* times in each of some rounds, one act after the other.

    Args:
        folder: Where the databases are made.
        code: Where the packages `bot` and `cogs` are.
        count: How many answers make a batch.
        rounds: How many batches of each act.
    """
    batches: dict[str, list[Batch]] = defaultdict(list)
    async with _all_bots(folder, code) as acts:
        for one in acts.values():
            await batch(one, count)  # warms up
        for _ in range(rounds):
            for name, one in acts.items():
                batches[name].append(await batch(one, count))
    return list(_rows(batches))


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


@asynccontextmanager
async def _all_bots(folder: Path, code: Path) -> AsyncIterator[dict[str, Measured]]:
    async with AsyncExitStack() as stack:
        bots, discords = [], []
        for number, command in enumerate((script("bare_bot"), script("hand_written_bot"), OURS)):
            discord = await stack.enter_async_context(patient_discord())
            database = folder / f"answers{number}.db"
            started = running(discord, database, *command, code=code, settings=SETTINGS)
            discords.append(discord)
            bots.append(await stack.enter_async_context(started))
        yield await _acts(bots, discords)


async def _acts(bots: list[BotProcess], discords: list[LocalDiscord]) -> dict[str, Measured]:
    (bare, hand, ours), (with_bare, with_hand, with_ours) = bots, discords
    alice, anna = (one.add_server("Bench").add_member("Alice") for one in (with_bare, with_hand))
    acts = {
        LINE: Measured(bare, lambda: alice.slash("line")),
        CARD: Measured(bare, lambda: alice.slash("card")),
        NAME: Measured(bare, lambda: alice.autocomplete("name", "name")),
        HAND: Measured(hand, lambda: anna.slash("check", first="Str", second="Dex")),
    }
    for game in GAMES:
        party = await open_game(with_ours, game)
        acts[game.title] = Measured(ours, partial(check, party, game), before=partial(rest, party, game))
        acts[f"sheet {game.title}"] = Measured(ours, partial(party.alice.member.slash, "sheet"), share=0.25)
        if game is MAID:
            acts[NAMES] = Measured(ours, _completion(party, "sheet", "name"))
    for game in (MAID, RPJ):
        party = await open_fight(with_ours, game)
        acts[f"press {game.title}"] = Measured(ours, partial(end_turn, party), at_once=1, share=0.25)
        if game is RPJ:
            acts[TARGETS] = Measured(ours, _completion(party, "rpj-fight attack", "target"))
    return acts


def _completion(party: Party, line: str, option: str) -> Act:
    async def complete() -> None:
        assert await party.alice.member.autocomplete(line, option), line

    return complete


def _rows(batches: Mapping[str, list[Batch]]) -> list[Row]:
    cpu = {name: [one.cpu_seconds for one in each] for name, each in batches.items()}
    speed = {name: [one.per_second for one in each] for name, each in batches.items()}
    rows = [
        _ratio(f"CPU of a check ÷ bare: {game.title}", cpu, game.title, LINE, CHECK_GOALS.get(game, 1.75))
        for game in GAMES
    ]
    rows.append(_ratio("the same with an embed and two buttons: bare", cpu, CARD, LINE, None))
    rows += [
        _ratio(f"CPU of a check ÷ hand-written: {game.title}", cpu, game.title, HAND, 1.0) for game in GAMES
    ]
    for game in GAMES:
        mine, theirs = speed[game.title], speed[LINE]
        rows.append(
            Row(
                f"throughput, {AT_ONCE} in flight ÷ bare: {game.title}",
                ratio_of(mine, theirs),
                0.5,
                from_=f"{statistics.median(mine):.0f} / {statistics.median(theirs):.0f} a second",
                is_least=True,
            )
        )
    rows.append(_ratio("a completion of names ÷ bare", cpu, NAMES, NAME, 1.5))
    rows.append(_ratio(f"a completion in a fight of {FIGHTERS} (RPJ Core) ÷ bare", cpu, TARGETS, NAME, 2.0))
    for game in (MAID, RPJ):
        name = f"press {game.title}"
        rows.append(_time(f"a press in a fight of {FIGHTERS} with its board: {game.title}", cpu, name, 2.0))
    rows += [
        _time(f"the sheet with its controls: {game.title}", cpu, f"sheet {game.title}", 1.5) for game in GAMES
    ]
    return rows


def _ratio(what: str, cpu: Mapping[str, list[float]], mine: str, theirs: str, goal: float | None) -> Row:
    return Row(what, ratio_of(cpu[mine], cpu[theirs]), goal, from_=microseconds(cpu[mine], cpu[theirs]))


def _time(what: str, cpu: Mapping[str, list[float]], name: str, goal: float) -> Row:
    times = f"{ratio_of(cpu[name], cpu[LINE]):.1f} × a bare line"
    return Row(what, statistics.median(cpu[name]) * 1000, goal, "ms", times)
