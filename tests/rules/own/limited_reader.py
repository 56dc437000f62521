"""A process that does with games' files whatever people can do, with little memory and few steps.

It reads the files that it is given, and writes for each how many problems it found, and how many calls the
dearest thing took that was done with it. About two million calls are a second.
"""

import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from cProfile import Profile
from functools import partial
from pathlib import Path
from typing import Any

from bot.rules.kernel import Character, CharacterId, NoOptions, PersonId, Scene
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.play import acts_in
from bot.rules.own.game_check import read_game
from bot.rules.own.game_forms import MoveForm, RollForm, with_move, with_roll
from bot.rules.own.game_lists import ListPart, with_lines
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import Asked, checked_game, rolled, typical_chances
from bot.rules.own.own_procedures import ROLL, RollOptions
from bot.rules.own.own_ruleset import OwnOddsQuestion, own_ruleset
from bot.rules.own.own_sheet import OwnSheet

ROOM = 50_000_000
SECONDS_EACH = 60


def _held() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _check(data: bytes, problems: list[GameProblem]) -> None:
    problems += checked_game(data)[1]


def _form_changes(text: str) -> Iterator[Callable[[], object]]:
    """Every kind of form; what forms can't change is refused."""
    yield from (partial(with_lines, text, part, "One 2", beside="2, 1") for part in ListPart)
    yield lambda: with_move(text, "", MoveForm("A", "c0", "a1", "Hit: a", "Hit: a1 + 1"))
    yield lambda: with_roll(text, "c0", RollForm("A", "a: attribute", "d = d6", "Hit 3+", ""))


def _plays(text: str) -> Iterator[Callable[[], object]]:
    """What is done with a game that has no problems: its draft is tried, and it is played."""
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
    for key in game.checks:
        yield partial(rolled, game, Asked(key), (), FairDice(b"s" * 32, "1"))
        yield partial(made.odds.answer, OwnOddsQuestion(what=key)) if made.odds else list
        yield partial(
            made.procedures[ROLL].run,
            scene,
            RollOptions(what=key, at=CharacterId(1)),
            FairDice(b"s" * 32, "1"),
        )
    yield partial(made.end_session, scene, [CharacterId(1)], [])


def _calls(act: Callable[[], object]) -> int:
    """How many calls something takes."""
    profile = Profile(builtins=False)
    with suppress(UserError, UnicodeDecodeError):
        profile.runcall(act)
    return sum(one.callcount for one in profile.getstats())


def main() -> None:
    """Do everything with every file."""
    first, *files = map(Path, sys.argv[1:])
    checked_game(first.read_bytes())
    resource.setrlimit(resource.RLIMIT_AS, (_held() + ROOM,) * 2)
    spent = 0
    for file in files:
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS_EACH, resource.RLIM_INFINITY))
        problems, data = list[GameProblem](), file.read_bytes()
        most = _calls(partial(_check, data, problems))
        text = data.decode("utf-8", "replace")
        for act in (*_form_changes(text), *(() if problems else _plays(text))):
            most = max(most, _calls(act))
        sys.stdout.write(f"{file.stem} {len(problems)} {most}\n")
        sys.stdout.flush()
        spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))


if __name__ == "__main__":
    main()
