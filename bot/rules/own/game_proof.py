"""The proof of a game: at every extreme of questions and sheet, each roll has a tier and each tier a roll.

A check depends on its questions and the sheet only by its parameters, which are far fewer than the sheets
there are: so mostly all of them are gone through. Where that would take too long, the extremes and a sample
are, and then nothing is said of tiers that were not seen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import floor, prod

from msgspec import Struct

from bot.rules.own.check_odds import (
    NO_TIER,
    Parameters,
    outcomes_of,
    parameters_of,
    tier_finder,
    values_of,
)
from bot.rules.own.expressions import (
    Amount,
    Expression,
    NoAmount,
    Number,
    amount_of,
    names_in,
    size_of,
)
from bot.rules.own.game_parts import (
    VALUE,
    Let,
    OwnCheck,
    OwnGame,
    OwnQuestion,
    QuestionKind,
    amount_or_error,
)
from bot.rules.own.game_problems import Problems
from bot.rules.own.reading_odds import TooMuchToCount

MOST_SHEETS, ALL_SHEETS, LEAST_SHEETS = 6000, 9000, 16
"""How many answers and sheets are looked at for one check, and for all checks of a game."""

A_LONG_CHECK = 40
"""How many parts all expressions of a check have before fewer sheets are looked at."""

MOST_ROWS, ALL_ROWS = 24_000, 60_000
"""How many outcomes are looked at for one check, and for all."""

WITHOUT_END = (0, 1, 2, 3, 5, 10, 20, 50, 100)
"""What is tried above the least of a number that has no end."""


class _Seen(Struct):
    """What a check was seen to do."""

    tiers: set[int] = set()  # the tiers that happened
    covered: set[Amount] = set()  # the values for which there was a tier
    uncovered: set[Amount] = set()  # the values for which there was none
    example: str = ""  # a roll without a tier, in words, where there is no value
    is_all: bool = True  # whether everything that can be was looked at


def prove(game: OwnGame, problems: Problems) -> None:
    """Note what is wrong with the checks of a game, which is otherwise without problems."""
    _prove_sheet(game, problems)
    for key, check in game.checks.items() if not problems.found else ():
        _prove_check(game, check, ("checks", key), problems)


def _prove_sheet(game: OwnGame, problems: Problems) -> None:
    """Reckon all that follows from a sheet, with the lowest and the highest there is in it."""
    places: dict[tuple[str, ...], Expression] = {("derived", name): one for name, one in game.derived.items()}
    for name in game.spans:
        section = f"{game.kinds[name]}s"
        places[section, name, "start"] = game.starts[name]
        if (high := game.spans[name].high) is not None:
            places[section, name, "max"] = high
    for sheet in (_lowest(game), _highest(game)):
        known = game.with_derived(sheet)
        for path, amount in places.items():
            error = amount_or_error(amount, known)
            if isinstance(error, NoAmount):
                problems.add(path, f"this {error}.")


def _prove_check(game: OwnGame, check: OwnCheck, path: tuple[str, ...], problems: Problems) -> None:
    seen = _Seen()
    try:
        parameters = _all_parameters(game, check, seen, min(MOST_SHEETS, ALL_SHEETS // len(game.checks)))
        rows = 0
        for one in parameters:
            if rows > min(MOST_ROWS, ALL_ROWS // len(game.checks)):
                seen.is_all = False
                break
            rows += _look(check, one, seen)
    except TooMuchToCount as error:
        problems.add((*path, "dice"), str(error))
        return
    except NoAmount as error:
        problems.add(path, f"something in this check {error}.")
        return
    if seen.uncovered or seen.example:
        problems.add((*path, "tiers"), f"nothing covers {_in_words(seen)}.")
    for at, tier in enumerate(check.tiers):
        if at not in seen.tiers and seen.is_all:
            problems.add((*path, "tiers", at), f"{tier.name} can never happen.")


def _look(check: OwnCheck, parameters: Parameters, seen: _Seen) -> int:
    """Look at all that can come of a check with some parameters, and return how much that was."""
    theirs = None
    if check.is_opposed:  # what the other side can have besides is not known
        theirs = values_of(check, parameters)
        seen.is_all = False
    found = outcomes_of(check, parameters, theirs)
    find = tier_finder(check, parameters, found.columns)
    value_at = found.columns.index(VALUE) if VALUE in found.columns else None
    for row in found.rows:
        tier = find(row)
        if value_at is not None:
            (seen.covered if tier != NO_TIER else seen.uncovered).add(row[value_at])
        elif tier == NO_TIER and not seen.example:
            seen.example = (
                ", ".join(f"{name} = {amount}" for name, amount in zip(found.columns, row, strict=True))
                or "what is rolled"
            )
        seen.tiers.add(tier)
    return len(found.rows) * len(check.tiers) // 2 + found.steps // 8 + 10


def _in_words(seen: _Seen) -> str:
    """What has no tier: “13 and more”, “3 to 5”."""
    if not seen.uncovered:
        return seen.example
    found = sorted(seen.uncovered)
    low, high = found[0], found[-1]
    between = [value for value in seen.covered if low <= value <= high]
    if between:
        shown = ", ".join(str(value) for value in found[:5])
        return f"{shown}{' and others' if len(found) > 5 else ''}"
    if not seen.covered:
        return "anything" if low != high else str(low)
    if low > max(seen.covered):
        return f"{low} and more"
    if high < min(seen.covered):
        return f"{high} and less"
    return str(low) if low == high else f"{low} to {high}"


# --- what a sheet and the answers can be ----------------------------------------------------------


class _Free(Struct, frozen=True):
    """Something that can be several things."""

    key: str  # what it sets
    values: tuple[int | str, ...]  # what it can be: numbers, or names of a sheet whose number it has
    is_all: bool = True  # whether that is all it can be


def _all_parameters(game: OwnGame, check: OwnCheck, seen: _Seen, most: int) -> list[Parameters]:
    """The parameters that a check can have, the extreme ones first."""
    free = _free(game, check)
    seen.is_all = all(one.is_all for one in free)
    number = prod(len(one.values) for one in free)
    sheets = _sheets(game, check)
    reckoned = [*_deciding(check), *(amount for each in sheets.derived.values() for _, amount in each)]
    most = max(LEAST_SHEETS, most // (1 + sum(map(size_of, reckoned)) // A_LONG_CHECK))
    keys = [one.key for one in free]
    found: dict[Parameters, None] = {}
    for chosen in islice(_choices([one.values for one in free], most), most):
        found[parameters_of(check, sheets.known(dict(zip(keys, chosen, strict=True))))] = None
    if number > most:
        seen.is_all = False
    return list(found)


def _choices(values: Sequence[Sequence[int | str]], most: int) -> Iterator[tuple[int | str, ...]]:
    """Every combination: those of the lowest and highest first, then all, spread evenly."""
    yield from islice(product(*[dict.fromkeys((one[0], one[-1])) for one in values]), most // 2)
    number = prod(map(len, values))
    stride = max(1, number // most)
    while stride > 1 and any(
        len(one) % stride == 0 or stride % len(one) == 0 for one in values if len(one) > 1
    ):
        stride += 1
    for at in range(0, number, stride):
        chosen, rest = [], at
        for one in values:
            rest, place = divmod(rest, len(one))
            chosen.append(one[place])
        yield tuple(chosen)


class _Sheets(Struct, frozen=True):
    """What is known for every choice: what no choice changes, and the derived numbers that may change."""

    base: Mapping[str, Amount | NoAmount]  # the lowest of everything, of whomever a check aims at too
    # What has to be reckoned again, in order, by its owner and a dot.
    derived: Mapping[str, tuple[tuple[str, Expression], ...]]

    def known(self, chosen: Mapping[str, int | str]) -> dict[str, Amount | NoAmount]:
        """What every name comes to."""
        known = {**self.base, **{key: value for key, value in chosen.items() if isinstance(value, int)}}
        for owner, derived in self.derived.items():
            theirs = known if not owner else {**known, **_of(owner, known)}
            for name, amount in derived:
                theirs[name] = known[f"{owner}{name}"] = amount_or_error(amount, theirs)
        for key, value in chosen.items():
            if isinstance(value, str):
                known[key] = known[value]
        return known


def _of(owner: str, known: Mapping[str, Amount | NoAmount]) -> dict[str, Amount | NoAmount]:
    return {name[len(owner) :]: amount for name, amount in known.items() if name.startswith(owner)}


def _sheets(game: OwnGame, check: OwnCheck) -> _Sheets:
    base = game.with_derived(_lowest(game))
    owners = [f"{one.key}." for one in check.questions if one.kind is QuestionKind.CHARACTER]
    whole = {**base, **{f"{owner}{name}": amount for owner in owners for name, amount in base.items()}}
    named = {name for one in check.questions for name in one.names}
    used = set(_mentioned(check)) | named
    derived = {}
    for owner in ("", *owners):
        under = _under(game, owner, used)
        derived[owner] = tuple((name, amount) for name, amount in game.derived.items() if name in under)
    return _Sheets(whole, {owner: amounts for owner, amounts in derived.items() if amounts})


def _under(game: OwnGame, owner: str, used: Iterable[str]) -> set[str]:
    """The derived numbers of an owner that names rest on."""
    found = set[str]()
    waiting = [name[len(owner) :] for name in used if name.startswith(owner)]
    while waiting:
        name = waiting.pop()
        if name in game.derived and name not in found:
            found.add(name)
            waiting += names_in(game.derived[name])
    return found


def _lowest(game: OwnGame) -> dict[str, int]:
    return {name: span.low for name, span in game.spans.items()}


def _highest(game: OwnGame) -> dict[str, int]:
    """The most of all that has a plain cap, the lowest of the rest."""
    caps = {name: span.high for name, span in game.spans.items() if span.high is not None}
    plain = {name: floor(amount_of(cap, {})) for name, cap in caps.items() if not list(names_in(cap))}
    return {**_lowest(game), **plain}


def _free(game: OwnGame, check: OwnCheck) -> list[_Free]:
    """What the chances of a check depend on."""
    mentioned = set(_mentioned(check))
    free: dict[str, _Free] = {}
    questions = {one.key: one for one in check.questions}
    for name in sorted(mentioned):
        owner, dot, own = name.rpartition(".")
        if name in questions:
            continue
        for part in _parts_under(game, own):
            free[f"{owner}{dot}{part}"] = _span_of(game, part, f"{owner}{dot}{part}")
    for key, question in questions.items():
        if key in mentioned and question.kind is not QuestionKind.CHARACTER:
            for one in _answers(game, question, free):
                free[one.key] = one
    return list(free.values())


def _answers(game: OwnGame, question: OwnQuestion, free: Mapping[str, _Free]) -> Iterator[_Free]:
    """What a question can be answered with; names where the same parts of the sheet matter besides."""
    key = question.key
    if question.kind is QuestionKind.ENTRY:
        yield _Free(key, game.entry_numbers(question.entries))
    elif question.span is not None:
        yield _Free(key, tuple(range(question.span[0], question.span[1] + 1)))
    elif question.kind is QuestionKind.NUMBER:
        yield _Free(key, tuple(sorted(set(question.numbers.values()))))
    else:
        parts = {part for name in question.names for part in _parts_under(game, name)}
        is_plain = parts.issubset(question.names) and parts.isdisjoint(free)
        spans = {part: _span_of(game, part, part) for part in sorted(parts)}
        if is_plain:
            values = {value for one in spans.values() for value in one.values if isinstance(value, int)}
            yield _Free(key, tuple(sorted(values)), all(one.is_all for one in spans.values()))
        else:
            yield from (one for part, one in spans.items() if part not in free)
            yield _Free(key, question.names)


def _mentioned(check: OwnCheck) -> Iterator[str]:
    """The names that decide the chances of a check."""
    return (name for part in _deciding(check) for name in names_in(part))


def _deciding(check: OwnCheck) -> list[Expression]:
    """The expressions that decide the chances of a check."""
    parts: list[Expression] = [amount for _, amount in check.fixed]
    for group in check.groups.values():
        parts += [group.count, group.sides, group.kept]
    for stage in check.stages:
        parts += (
            [stage.amount]
            if isinstance(stage, Let)
            else [one for _, read in stage.readings for one in read.against]
        )
    parts += [tier.when for tier in check.tiers if tier.when is not None]
    parts += [check.edge] if check.value is None else [check.edge, check.value]
    return parts


def _parts_under(game: OwnGame, name: str) -> Iterable[str]:
    """The parts of a sheet, or the clock, that a name rests on."""
    if name in game.spans:
        return (name,)
    if name not in game.derived:
        return ()
    return {part for one in names_in(game.derived[name]) for part in _parts_under(game, one)}


def _span_of(game: OwnGame, name: str, key: str) -> _Free:
    span = game.spans[name]
    if span.steps:
        return _Free(key, span.steps)
    if span.high is None:
        return _Free(key, tuple(span.low + more for more in WITHOUT_END), is_all=False)
    most = _most(game, span.high)
    if most - span.low > MOST_SHEETS:
        between = (span.low + (most - span.low) * at // 40 for at in range(41))
        return _Free(key, tuple(between), is_all=False)
    return _Free(key, tuple(range(span.low, max(most, span.low) + 1)))


def _most(game: OwnGame, high: Expression) -> int:
    """The highest that a cap can be: with the lowest and the highest of all that has a plain cap."""
    if isinstance(high, Number):
        return high.value
    found = []
    for sheet in (_lowest(game), _highest(game)):
        try:
            found.append(floor(amount_of(high, game.with_derived(sheet))))
        except NoAmount:
            continue
    return max(found, default=0)
