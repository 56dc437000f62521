"""No procedure of any game is refused without a reason, in public, or half-done (issue 24)."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError, UserErrors
from bot.ui.input.failures import mistake_reply
from tests.cogs.played import get_up, sit_down
from tests.cogs.test_hidden_foes import Ambush, lay
from tests.cogs.test_same_numbers import GAMES as SHOWN

GAMES = rulesets()
AT_ONE_TABLE = 8  # procedures that are tried before the table is laid anew
FEWEST_REFUSED = 15  # refusals of a game, so that the sweep keeps looking at something
FEWEST_WORDS = 3
LACKS = re.compile(r"\b(costs?|has only|in hand|set aside|saved|don't have|enough|resource called)\b")
TYPED = re.compile(r"/[a-z-]+( [a-z-]+(:\S+)?)*")  # a command as it is typed, with its options
INTERNAL = re.compile(
    r"[a-z]_[a-z]|\bNone\b|\bTrue\b|\bFalse\b|[a-z][A-Z][a-z]+\(|<[a-z]|Input should|validation|Value error"
)


async def refuse(ambush: Ambush, key: str, version: sqlite3.Connection) -> list[UserError]:
    """Try a procedure as different people, at different targets; the refusals that changed something."""
    sweep, changed = ambush.sweep, []
    tries = (
        *((ambush.alice, target, None) for target in ("Ann", "Orc", "Ben", "Nobody Here")),
        (ambush.bob, "Ann", None),
        *(
            (ambush.gwen, target, acting)
            for target, acting in (("Ann", None), ("Orc", "Orc"), ("Ben", "Ann"))
        ),
    )
    for who, target, acting in tries:
        before, count = state(version), len(sweep.refused)
        result = await sweep.perform(who, key, target, acting)
        if result is None and state(version) != before:
            changed += [error for _key, error in sweep.refused[count:]]
    return changed


def state(version: sqlite3.Connection) -> int:
    """A number that changes whenever anything is saved."""
    found: int = version.execute("PRAGMA data_version").fetchone()[0]
    return found


def wrong_with(error: UserError) -> str:
    """What is wrong with how a refusal is told, or nothing."""
    problems = error.problems if isinstance(error, UserErrors) else (error.what,)
    sentences = (*problems, *error.sentences[1:])
    text = " ".join(sentences)
    if len(set(sentences)) < len(sentences):
        return "says something twice"
    if INTERNAL.search(TYPED.sub("", text)):
        return "names internals"
    if any(len(one.split()) < FEWEST_WORDS for one in problems):
        return "gives no reason"
    if any(TYPED.fullmatch(one) for one in sentences):
        return "names a command without saying what it is for"
    if any(one[-1] not in ".?!" and not TYPED.search(one) and ": " not in one for one in sentences):
        return "does not end as a sentence"
    if len(sentences) == 1 and LACKS.search(text):
        return "names no way out"
    return "" if mistake_reply(error).is_private else "is public"


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_every_refusal_is_private_changes_nothing_and_says_why(key: str, tmp_path: Path) -> None:
    game = GAMES[key]
    every, faults, refused = list(game.procedures), set(), set()
    for number in range(0, len(every), AT_ONE_TABLE):
        (folder := tmp_path / str(number)).mkdir()
        ambush = await lay(game, folder)
        with closing(sqlite3.connect(folder / "table.db")) as version:
            for one in every[number : number + AT_ONE_TABLE]:
                faults |= {
                    (one, "changes something", *error.sentences)
                    for error in await refuse(ambush, one, version)
                }
        for one, error in ambush.sweep.refused:
            refused.add(error.sentences)
            if wrong := wrong_with(error):
                faults.add((one, wrong, *error.sentences))
        await ambush.sweep.table.store.close()
    assert sorted(faults) == []
    assert len(refused) >= FEWEST_REFUSED


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (UserError("Ann has no action left.", "End the turn with /encounter next."), ""),
        (UserError("Not now."), "gives no reason"),
        (UserError("That costs 3 Coin; you have 1."), "names no way out"),
        (UserError("There is no spell fire_ball here."), "names internals"),
        (UserError("This fight is played in yards.", try_this="/rpj-fight cinema walk"), "names a command"),
        (UserErrors(("There is no Ann here.", "There is no Ann here.")), "says something twice"),
    ],
)
def test_what_is_wrong_with_a_refusal_is_found(error: UserError, wrong: str) -> None:
    assert wrong_with(error).startswith(wrong)
    assert bool(wrong_with(error)) is bool(wrong)


SET_TWICE: dict[str, list[tuple[str, dict[str, object]]]] = {
    "rpj": [("/rpj-gm health scale", {"scale": "normal"})],
    "swim_class": [
        ("/swim-gm rank", {"skill": "Brawn", "rank": 4}),
        ("/swim-gm state", {"state": "prone"}),
        ("/swim-gm mend", {"points": 2}),
        ("/swim-gm terrain", {"level": 2}),
    ],
    "compare_roll": [
        ("/compare-gm stat", {"stat": "AGI", "score": 9}),
        ("/compare-gm difficulty", {"name": "Odd", "number": 3}),
    ],
    "post_magic_maid": [("/maid-gm magic", {"allowed": True})],
    "sword_and_swarm": [
        ("/swarm-gm ranks", {"proficiency": "Architecture", "ranks": 3}),
        ("/swarm-gm attributes", {"mallet": 5}),
    ],
}


@pytest.mark.parametrize("key", sorted(SET_TWICE))
async def test_f_own_08_what_is_set_already_is_refused_in_private(key: str, tmp_path: Path) -> None:
    shown = SHOWN[key]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    for line, options in SET_TWICE[key]:
        whom = {} if line.endswith(("terrain", "difficulty")) else {"target": shown.alices}
        await play.types(play.gwen, line, **whom, **options)
        entries = (await play.types(play.gwen, "/log")).text

        again = await play.types(play.gwen, line, **whom, **options)

        assert again.is_private, again.text
        assert "That would change nothing" in again.text
        assert (await play.types(play.gwen, "/log")).text == entries
    await get_up(play)
