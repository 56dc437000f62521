"""No procedure of any game is refused without a reason, in public, or half-done (issue 24)."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError, UserErrors
from bot.ui.input.failures import mistake_reply
from tests.cogs.test_hidden_foes import Ambush, lay

GAMES = rulesets()
AT_ONE_TABLE = 8  # procedures that are tried before the table is laid anew
FEWEST_REFUSED = 15  # refusals of a game, so that the sweep keeps looking at something
FEWEST_WORDS = 3
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
        (UserError("There is no spell fire_ball here."), "names internals"),
        (UserError("This fight is played in yards.", try_this="/rpj-fight cinema walk"), "names a command"),
        (UserErrors(("There is no Ann here.", "There is no Ann here.")), "says something twice"),
    ],
)
def test_what_is_wrong_with_a_refusal_is_found(error: UserError, wrong: str) -> None:
    assert wrong_with(error).startswith(wrong)
    assert bool(wrong_with(error)) is bool(wrong)
