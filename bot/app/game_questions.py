"""`tablekeeper game`: a file of an own game, and what is asked about it."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.own.expressions import NoAmount
from bot.rules.own.game_file import MOST_BYTES
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import (
    answered,
    asked,
    checked_game,
    happened,
    overview,
    problem_lines,
    problems_as_json,
    rolled,
    summary,
)
from bot.rules.own.reading_odds import TooMuchToCount


class GameQuestion(Struct, frozen=True):
    """What is asked, in the words of the command line."""

    check: str  # the check or move, or nothing
    sheet: tuple[str, ...]  # of the sheet, each "name=value"
    words: tuple[str, ...]  # answers or of the sheet, likewise
    seed: str  # what the dice of a roll follow from, or nothing
    buttons: tuple[str, ...]  # the buttons to press under it
    event: str  # the event that happens, or nothing


def answer_about(file: Path, question: GameQuestion, *, is_json: bool) -> tuple[Sequence[str], bool]:
    """The lines to print, and whether all is well.

    Args:
        question: What is asked.
        is_json: Whether machines read it.
    """
    with file.open("rb") as opened:
        text = opened.read(MOST_BYTES + 1)
    game, problems = checked_game(text)
    if game is None:
        return _told(problems, is_json=is_json), False
    try:
        return list(_answer(game, question, is_json=is_json)), True
    except UserError as error:
        said = " ".join(error.sentences)
    except (NoAmount, TooMuchToCount) as error:
        said = f"That can't be reckoned: something {error}."
    return _told([GameProblem(None, "--ask" if question.check else "", said)], is_json=is_json), False


def _told(problems: Sequence[GameProblem], *, is_json: bool) -> Sequence[str]:
    if is_json:
        return [json.dumps({"problems": problems_as_json(problems), "checks": {}}, ensure_ascii=False)]
    return list(problem_lines(problems))


def _answer(game: OwnGame, question: GameQuestion, *, is_json: bool) -> Sequence[str]:
    found = asked(game, question.check, question.sheet, question.words)
    dice = FairDice(sha256(question.seed.encode()).digest(), question.check or question.event)
    if question.event:
        return list(happened(game, question.event, found, dice))
    if question.seed and question.check:
        return list(rolled(game, found, question.buttons, dice))
    if question.check:
        answer = answered(game, found)
    elif is_json:
        answer = {"problems": [], "checks": summary(game, found)}
    else:
        return list(overview(game, found))
    return [json.dumps(answer, ensure_ascii=False)]
