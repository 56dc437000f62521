"""Games for tests, and what they answer."""

from fractions import Fraction

from bot.rules.own.game_check import read_game
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import Asked, answered, checked_game

HEAD = 'format = 1\nname = "A game"\ncommand = "game"\n'


def made(text: str) -> OwnGame:
    """A game without problems, of the text behind its first three lines."""
    game, problems = checked_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def read(text: str) -> OwnGame:
    """The same, of which nothing is proved."""
    game, problems = read_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def problems_of(text: str) -> list[str]:
    """The problems of a game, as people read them; its text begins in line 4."""
    return [str(problem) for problem in found_in(text)]


def found_in(text: str) -> tuple[GameProblem, ...]:
    """The same, for machines."""
    return checked_game(HEAD + text)[1]


def odds(game: OwnGame, check: str, answers: str = "", sheet: str = "") -> dict[str, Fraction]:
    """The chances of a check: answers and the sheet are typed as "stat=bold bonus=1"."""
    asked = Asked(check, dict(_pairs(answers)), dict(_pairs(sheet)))
    chances = answered(game, asked)["chances"]
    assert isinstance(chances, dict)
    return {name: Fraction(chance) for name, chance in chances.items() if Fraction(chance)}


def _pairs(typed: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (word.partition("=") for word in typed.split())]
