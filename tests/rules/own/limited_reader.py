"""A process that does with games' files whatever people can do, with little memory and few steps.

It reads the files that it is given, and writes for each how many problems it found, how many calls the
dearest thing took that was done with it, and how many the event loop's thread took to import and publish it
in a server whose campaign plays the version before. About two million calls are a second.
"""

import asyncio
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from cProfile import Profile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from bot.rules.kernel import Character, CharacterId, NoOptions, PersonId, Scene
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.procedures import acts_in
from bot.rules.own.game_check import read_game
from bot.rules.own.game_forms import MoveForm, RollForm, with_move, with_roll
from bot.rules.own.game_lists import ListPart, with_lines
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import Asked, checked_game, rolled, typical_chances
from bot.rules.own.own_procedures import ROLL, RollOptions
from bot.rules.own.own_ruleset import OwnOddsQuestion, own_ruleset
from bot.rules.own.own_sheet import OwnSheet
from bot.store.sqlite import open_store
from bot.table import own_drafts, own_games
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import gm
from tests.databases import prepared_file
from tests.rules.own.games import HEAD
from tests.table.conftest import Clock, Interactions, Person, Secrets

ROOM = 50_000_000
SECONDS_EACH = 60


def _held() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _check(data: bytes, problems: list[GameProblem]) -> None:
    problems += checked_game(data)[1]


def _form_changes(text: str) -> Iterator[Callable[[], object]]:
    """Every kind of form; what forms can't change is refused. Of the lists it lacks, one stands for all."""
    lacking = [part for part in ListPart if part not in text]
    for part in (*(one for one in ListPart if one in text), *lacking[:1]):
        yield partial(with_lines, text, part, "One 2", beside="2, 1")
    yield lambda: with_move(text, "", MoveForm("A", "c0", "a1", "Hit: a", "Hit: a1 + 1"))
    yield lambda: with_roll(text, "c0", RollForm("A", "a: attribute", "d = d6", "Hit 3+", ""))


def _plays(text: str) -> Iterator[Callable[[], object]]:
    """What is done with a game that has no problems: its draft is tried, and each different check."""
    made = own_ruleset(text, "0" * 24)
    if made is None or made.creation is None:
        return
    game, _ = read_game(text)
    assert game is not None
    yield partial(typical_chances, game)
    sheet = next(iter(made.creation.ready_made.values()), OwnSheet())
    actor = Character(id=CharacterId(1), name="A", owner=PersonId(1), sheet=sheet)
    everybody = {CharacterId(1): actor}
    scene = Scene[Any, Any](
        settings=NoOptions(),
        find_character=everybody.__getitem__,
        find_everybody=lambda: tuple(everybody),
        actor_id=CharacterId(1),
        person=PersonId(1),
    )
    yield lambda: [*acts_in(made.acts(scene)), *made.gm_acts(scene)]
    for key in {check.model_dump_json(): key for key, check in game.file.checks.items()}.values():
        yield partial(rolled, game, Asked(key), (), FairDice(b"s" * 32, "1"))
        yield partial(made.odds.answer, OwnOddsQuestion(what=key)) if made.odds else list
        yield partial(
            made.procedures[ROLL].run,
            scene,
            RollOptions(what=key, at=CharacterId(1)),
            FairDice(b"s" * 32, "1"),
        )
    yield partial(made.end_session, scene, [CharacterId(1)], [])


GWEN = Person(1, "Gwen", Interactions(), manages_server=True)


async def _played(folder: Path) -> Table:
    """A table with a campaign of a game of the same command, and somebody in it."""
    store = await open_store(prepared_file(folder))
    table = Table(store=store, games={}, now=Clock(), new_secret=Secrets())
    text = HEAD + "[attributes]\na1 = { label = 'A', max = 3 }\n[clocks]\nc = { label = 'C', size = 4 }\n"
    await own_games.import_(table, GWEN.asks(), text)
    await campaigns.create(table, GWEN.asks(), "game", "The Long Road")
    await gm.make_npc(table, GWEN.asks(), "A")
    await _published(table, text + "d = { label = 'D', size = 4 }\n")
    return table


async def _published(table: Table, text: str) -> None:
    """Import a file and publish it, and change and publish it as a draft."""
    with suppress(UserError):
        await own_games.import_(table, GWEN.asks(), text)
    with suppress(UserError):
        await own_games.save_draft(table, GWEN.asks(), "game", text)
        await own_drafts.save_list(table, GWEN.asks(), "game", ListPart.CLOCKS, "One 2")
    with suppress(UserError):
        await own_games.publish_draft(table, GWEN.asks(), "game")


def _publish(runner: asyncio.Runner, table: Table, text: str) -> None:
    runner.run(_published(table, text))


def _calls(act: Callable[[], object]) -> int:
    """How many calls something takes."""
    profile = Profile(builtins=False)
    with suppress(UserError, UnicodeDecodeError):
        profile.runcall(act)
    return sum(one.callcount for one in profile.getstats())


def _calls_here(act: Callable[[], object]) -> int:
    """How many calls of them are this thread's; a profile counts every thread's from Python 3.12 on."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls


def main() -> None:
    """Do everything with every file."""
    first, *files = map(Path, sys.argv[1:])
    checked_game(first.read_bytes())
    with asyncio.Runner() as runner, TemporaryDirectory() as folder:
        table = runner.run(_played(Path(folder)))
        _do_everything(runner, table, files)
        runner.run(table.store.close())


def _do_everything(runner: asyncio.Runner, table: Table, files: list[Path]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_held() + ROOM,) * 2)
    spent = 0
    for file in files:
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS_EACH, resource.RLIM_INFINITY))
        problems, data = list[GameProblem](), file.read_bytes()
        most = _calls(partial(_check, data, problems))
        text = data.decode("utf-8", "replace")
        for act in (*_form_changes(text), *(() if problems else _plays(text))):
            most = max(most, _calls(act))
        on_the_loop = _calls_here(partial(_publish, runner, table, text))
        sys.stdout.write(f"{file.stem} {len(problems)} {most} {on_the_loop}\n")
        sys.stdout.flush()
        spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))


if __name__ == "__main__":
    main()
