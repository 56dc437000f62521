"""What `tablekeeper game` says of a file: its problems, an average character, exact chances, and a roll."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from math import floor

from msgspec import Struct

from bot.rules.kernel import FileKind
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number
from bot.rules.kernel.parsing import lines_of
from bot.rules.own.check_odds import aces_left, chances, parameters_of, values_of
from bot.rules.own.expressions import MOST_NUMBER, Amount, NoAmount, excerpt
from bot.rules.own.game_check import plain_text, read_game
from bot.rules.own.game_parts import (
    THEIRS,
    OwnCheck,
    OwnGame,
    OwnMove,
    OwnQuestion,
    PartKind,
    QuestionKind,
    die_of,
)
from bot.rules.own.game_problems import GameProblem, Problems
from bot.rules.own.game_proof import prove
from bot.rules.own.own_play import (
    Answers,
    Attempting,
    OwnRoll,
    answer,
    average,
    changes_between,
    do_move,
    happen,
    is_open,
    known_of,
    play,
    press,
    within_span,
)

SHOWN_PROBLEMS = 20
MOST_LINES = 11
LONGEST_FRACTION = 12


def checked_game(text: str | bytes) -> tuple[OwnGame | None, tuple[GameProblem, ...]]:
    """Read a game's file and prove the game.

    Returns:
        The game and its problems; None where it has any.
    """
    game, problems = read_game(text)
    if game is None or problems:
        return None, problems
    found = Problems()
    prove(game, found)
    if found.found:
        return None, found.placed(lines_of(plain_text(text), FileKind.TOML))
    return game, ()


def problem_lines(problems: Sequence[GameProblem]) -> Iterator[str]:
    """The first problems as people read them, and how many more there are."""
    yield from map(str, problems[:SHOWN_PROBLEMS])
    if (more := len(problems) - SHOWN_PROBLEMS) > 0:
        yield f"… and {more:,} more."


def problems_as_json(problems: Sequence[GameProblem]) -> list[dict[str, object]]:
    """The same for machines."""
    return [{"line": one.line, "where": one.where, "text": one.text} for one in problems]


class Asked(Struct, frozen=True):
    """What somebody asks about a game."""

    check: str = ""  # a check, or a move that rolls one; empty for the whole game
    # Answers to the check's questions, as they are typed.
    answers: Mapping[str, str] = {}
    sheet: Mapping[str, str] = {}  # numbers of the sheet, as they are typed


def asked(game: OwnGame, check: str, sheet: Sequence[str], words: Sequence[str]) -> Asked:
    """What the words of a command line ask; each answers a question of the check, or is of the sheet.

    Raises:
        UserError: If a word is neither.
    """
    is_rolled = bool(check) and (check not in game.moves or game.moves[check].check is not None)
    found = _check_named(game, check)[0] if is_rolled else None
    questions = {one.key for one in found.questions} if found is not None else set[str]()
    questions |= {THEIRS} if found is not None and found.is_opposed else set()
    answers: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for word in (*words, *sheet):
        name, equals, value = word.partition("=")
        if not equals:
            raise UserError(f"“{excerpt(word)}” should be a name, = and a value.")
        (answers if name in questions and word not in sheet else numbers)[name] = value
    for name in numbers:
        if name.rpartition(".")[2] not in game.spans:
            known = sorted({*questions, *game.spans})
            near = get_close_matches(name[:40], known, n=1)
            meant = f"Did you mean “{near[0]}”?" if near else ""
            raise UserError(f"“{excerpt(name)}” is nothing that can be set.", meant)
    return Asked(check, answers, numbers)


def _check_named(game: OwnGame, name: str) -> tuple[OwnCheck, OwnMove | None]:
    move = game.moves.get(name)
    check = move.check if move is not None else game.checks.get(name)
    if check is None:
        near = get_close_matches(name[:40], [*game.checks, *game.moves], n=1)
        raise UserError(f"“{excerpt(name)}” is no check.", f"Did you mean “{near[0]}”?" if near else "")
    return check, move


def _sheet(game: OwnGame, given: Mapping[str, str]) -> dict[str, int]:
    """The average character with what was said otherwise, and whom it aims at: another one."""
    own = {name: _typed(game, name, value) for name, value in given.items() if "." not in name}
    numbers = average(game, own)
    others = average(game)
    for owner in {
        question.key
        for check in game.checks.values()
        for question in check.questions
        if question.kind is QuestionKind.CHARACTER
    } | {"at"}:
        numbers |= {
            f"{owner}.{name}": number
            for name, number in others.items()
            if game.kinds[name] is not PartKind.CLOCK
        }
    numbers |= {name: _typed(game, name, value) for name, value in given.items() if "." in name}
    return numbers


def _typed(game: OwnGame, name: str, written: str) -> int:
    own = name.rpartition(".")[2]
    sides = die_of(written)
    try:
        number = sides if sides is not None else int(written.replace("−", "-")[:9])
    except ValueError:
        raise UserError(f"“{excerpt(written)}” is no number for “{name}”.") from None
    nearest = within_span(game, own, number, known_of(game, average(game)))
    if nearest != number:
        raise UserError(f"“{name}” can't be {shown_number(number)}; the nearest is {shown_number(nearest)}.")
    return number


def _roller(game: OwnGame, question: Asked) -> Attempting:
    check, move = _check_named(game, question.check)
    numbers = _sheet(game, question.sheet)
    given = {key: str(value) for key, value in move.given.items()} if move is not None else {}
    given |= question.answers
    answers = answer(game, check, given, numbers)
    chosen = {one.entries: answers.numbers[one.key] for one in check.questions if one.entries}
    return Attempting(game, check, move, answers, {**numbers, **chosen})


def _theirs(question: Asked) -> int | None:
    written = question.answers.get(THEIRS)
    try:
        return int(written) if written is not None else None
    except ValueError:
        raise UserError(f"“{excerpt(str(written))}” is no number for “{THEIRS}”.") from None


def answered(game: OwnGame, question: Asked) -> dict[str, object]:
    """The exact chances of one check, for machines.

    Raises:
        UserError: If something was asked that can't be answered.
    """
    roller = _roller(game, question)
    known = roller.known(roller.numbers)
    theirs = _theirs(question)
    found = _chances(roller.check, known, known if theirs is None else theirs)
    answer_: dict[str, object] = {
        "check": roller.check.key,
        "chances": {name: str(chance) for name, chance in found.items()},
    }
    if left := aces_left(roller.check, known):
        answer_["remainder"] = str(left)
    return answer_


def _chances(
    check: OwnCheck, known: Mapping[str, Amount | NoAmount], theirs: Mapping[str, Amount | NoAmount] | int
) -> dict[str, Fraction]:
    return chances(check, known, theirs)


def summary(game: OwnGame, question: Asked) -> dict[str, object]:
    """The exact chances of every check for an average character or another one, for machines."""
    numbers = _sheet(game, question.sheet)
    found: dict[str, object] = {}
    for key, check in game.checks.items():
        answers = answer(game, check, {}, numbers)
        known = Attempting(game, check, None, answers, numbers).known(numbers)
        found[key] = {
            "ask": {**answers.numbers, **answers.names},
            "chances": {name: str(chance) for name, chance in _chances(check, known, known).items()},
        }
    return found


class TypicalChances(Struct, frozen=True):
    """The exact chances of one check for an average character."""

    label: str  # the check's
    answers: str  # how its questions are answered, in words
    chances: Mapping[str, Fraction]  # by tier


def typical_chances(game: OwnGame) -> tuple[TypicalChances, ...]:
    """The exact chances of every check for an average character, its questions answered as usual."""
    numbers, found = _sheet(game, {}), list[TypicalChances]()
    for check in game.checks.values():
        answers = answer(game, check, {}, numbers)
        known = Attempting(game, check, None, answers, numbers).known(numbers)
        named = {
            one.key: game.label(answers.names[one.key]) for one in check.questions if one.key in answers.names
        }
        words = (
            f"{named[key]} {_shown(game, answers.names[key], number)}"
            if key in named
            else f"{key} {_answer_shown(_question(check, key).numbers, number)}"
            for key, number in answers.numbers.items()
        )
        found.append(TypicalChances(check.label, ", ".join(words), _chances(check, known, known)))
    return tuple(found)


def _question(check: OwnCheck, key: str) -> OwnQuestion:
    return next(one for one in check.questions if one.key == key)


def overview(game: OwnGame, question: Asked) -> Iterator[str]:
    """An average character or another one, and the exact chances of every check."""
    yield f"{game.file.name}, version {game.file.version}: no problems."
    yield ""
    yield "This character:" if question.sheet else "An average character:"
    numbers = _sheet(game, question.sheet)
    for kind in (PartKind.ATTRIBUTE, PartKind.RESOURCE, PartKind.TRACK):
        if names := game.of_kind(kind):
            yield "  " + " · ".join(
                f"{game.label(name)} {_shown(game, name, numbers[name])}" for name in names
            )
    for key, check in game.checks.items():
        yield ""
        yield from _table(game, key, check, numbers)


def _shown(game: OwnGame, name: str, number: int) -> str:
    span = game.span(name)
    if span.steps:
        return f"d{number}" if number else "none"
    is_counted = game.kinds.get(name) is not PartKind.ATTRIBUTE and span.high is not None
    if not is_counted:
        return shown_number(number)
    high = max(within_span(game, name, MOST_NUMBER, known_of(game, average(game))), number)
    return f"{shown_number(number)}/{high}"


def _table(game: OwnGame, key: str, check: OwnCheck, numbers: Mapping[str, int]) -> Iterator[str]:
    """The chances of one check: a line for each answer to its first question, the others as usual."""
    answers = answer(game, check, {}, numbers)
    first = next(
        (
            one
            for one in check.questions
            if one.kind in (QuestionKind.NAME, QuestionKind.NUMBER, QuestionKind.ENTRY)
        ),
        None,
    )
    others = [one for one in check.questions if one is not first and one.key in answers.numbers]
    usual = ", ".join(
        f"{one.key} {answers.names.get(one.key) or _answer_shown(one.numbers, answers.numbers[one.key])}"
        for one in others
    )
    yield f"{check.label} [{key}]" + (f", {usual}:" if usual else ":")
    lines: list[list[str]] = [["" if first is None else first.key, *(tier.name for tier in check.tiers)]]
    left = Fraction(0)
    for shown, number in _varied(game, first, answers):
        values = dict(answers.numbers) | ({first.key: number} if first is not None else {})
        names = {name: named for name, named in answers.names.items() if first is None or name != first.key}
        known = Attempting(game, check, None, Answers(values, names), numbers).known(numbers)
        found = _chances(check, known, known)
        lines.append([shown, *map(_chance_shown, found.values())])
        left = max(left, aces_left(check, known))
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    for line in lines:
        yield "  " + "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
    if left:
        yield f"  Aces are rolled ten times at most; that is not enough in {left} of all rolls."


def _answer_shown(numbers: Mapping[str, int], number: int) -> str:
    return next((label for label, value in numbers.items() if value == number), shown_number(number))


def _varied(game: OwnGame, question: OwnQuestion | None, answers: Answers) -> Sequence[tuple[str, int]]:
    if question is None:
        return (("", 0),)
    if question.numbers:
        return [*question.numbers.items()][:MOST_LINES]
    if question.span is not None:
        low, high = question.span
    elif question.kind is QuestionKind.ENTRY:
        is_die = bool(game.entry_spans[question.entries].steps)
        return [(f"d{one}" if is_die else str(one), one) for one in game.entry_numbers(question.entries)]
    else:
        spans = [game.spans[name] for name in question.names if name in game.spans]
        if steps := sorted({step for span in spans for step in span.steps}):
            return [(f"d{step}" if step else "none", step) for step in steps]
        known = known_of(game, average(game))
        if len(spans) < len(question.names):
            return [
                (name, floor(found))
                for name in question.names
                if not isinstance(found := known[name], NoAmount)
            ]
        low = min(span.low for span in spans)
        high = max(within_span(game, name, MOST_NUMBER, known) for name in question.names)
        high = high if high < MOST_NUMBER else low + MOST_LINES - 1
    stride = max(1, -((low - high) // (MOST_LINES - 1)))
    return [(shown_number(number), number) for number in range(low, high + 1, stride)]


def _chance_shown(chance: Fraction) -> str:
    written = str(chance)
    return f"{written} ({percent(chance)})" if 1 < len(written) <= LONGEST_FRACTION else percent(chance)


# --- a roll ----------------------------------------------------------------------------------------


def rolled(game: OwnGame, question: Asked, buttons: Sequence[str], dice: Dice) -> Iterator[str]:
    """Roll a check, or do a move without one, press buttons under it, and say what came of it.

    Raises:
        UserError: If it can't be done.
    """
    move = game.moves.get(question.check)
    numbers = _sheet(game, question.sheet)
    if move is not None and not is_open(game, move, numbers):
        raise UserError(f"{move.label} can't be done now.")
    if move is not None and move.check is None:
        changing = do_move(game, move, numbers, dice)
        yield from (f"{move.label}:", *(f"  {text}" for text in changing.texts))
        yield from _changes(game, numbers, changing.numbers)
        return
    roller = _roller(game, question)
    theirs = _theirs(question)
    if roller.check.is_opposed and theirs is None:
        known = roller.known(roller.numbers)
        values = values_of(roller.check, parameters_of(roller.check, known))
        at = dice.roll(sum(ways for _, ways in values))
        theirs = next(int(value) for at_, value in _cumulated(values) if at <= at_)
    if roller.check.is_opposed:
        roller = Attempting(game, roller.check, roller.move, roller.answers, roller.numbers, theirs)
    played = play(roller, dice)
    yield from _told(game, roller, played)
    for label in buttons:
        played = press(roller, played, label, dice)
        yield f"{label}:"
        yield from _told(game, roller, played)


def _cumulated(values: Sequence[tuple[Amount, int]]) -> Iterator[tuple[int, Amount]]:
    so_far = 0
    for value, ways in values:
        so_far += ways
        yield so_far, value


def _told(game: OwnGame, roller: Attempting, played: OwnRoll) -> Iterator[str]:
    label = roller.move.label if roller.move is not None else played.check.label
    dice = "; ".join(
        f"{name} {' '.join(one.shown if one.is_kept else f'({one.shown})' for one in found) or 'nothing'}"
        for name, found in played.dice.items()
    )
    amounts = ", ".join(f"{name} {amount}" for name, amount in played.amounts.items())
    yield f"{label}: {dice} → {amounts} → {played.name}"
    yield from (f"  {note.text}" for note in played.notes)
    yield from _changes(game, roller.numbers, played.after)


def _changes(game: OwnGame, before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    for change in changes_between(before, after):
        owner, dot, own = change.name.rpartition(".")
        numbers = f"{_shown(game, own, change.before)} → {_shown(game, own, change.after)}"
        yield f"  {f'{owner}: ' if dot else ''}{game.label(own)} {numbers}"


def happened(game: OwnGame, event: str, question: Asked, dice: Dice) -> Iterator[str]:
    """Say what an event does to a sheet.

    Raises:
        UserError: If something in it never ends.
    """
    numbers = _sheet(game, question.sheet)
    changing = happen(game, event, numbers, dice)
    yield f"{event.capitalize()}:"
    yield from (f"  {text}" for text in changing.texts)
    yield from _changes(game, numbers, changing.numbers)
