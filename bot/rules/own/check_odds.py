"""The exact chances of a check's tiers: groups to readings to tiers.

What no die decides is reckoned first and comes down to a few numbers, its parameters. Checks with the same
parameters have the same chances, so that these are counted once and then remembered.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.own.dice_groups import GroupSource, ReadyGroup, WrittenGroup, pool_of
from bot.rules.own.expressions import (
    MOST_DICE,
    MOST_SIDES,
    Amount,
    Expression,
    Known,
    NoAmount,
    Row,
    amount_of,
    bound,
    lifted,
    names_in,
)
from bot.rules.own.game_parts import (
    NONE,
    THEIRS,
    VALUE,
    GameTier,
    Let,
    Linked,
    OwnCheck,
    amount_or_error,
)
from bot.rules.own.reading_odds import (
    MOST_OUTCOMES,
    MOST_STEPS,
    TooMuchToCount,
    WantedReading,
    chance_to_run_out,
    outcomes,
    steps_of,
    ways_of,
)

Parameters: TypeAlias = tuple[Amount | NoAmount, ...]
Rows: TypeAlias = Mapping[tuple[Amount, ...], int]
Theirs: TypeAlias = tuple[tuple[Amount, int], ...]
"""The values of the other side, each with its cases."""


class _Form(Struct, frozen=True, eq=False):
    """A check with its parameters in the place of all that no die decides."""

    parameters: tuple[Expression, ...]
    check: OwnCheck  # the check itself, with them
    needed: tuple[frozenset[str], ...]  # for each stage the names that are still needed after it


@lru_cache(maxsize=1024)
def _form(check: OwnCheck) -> _Form:
    parts: dict[Expression, str] = {}
    names = check.open_names

    def lift(found: Expression) -> Expression:
        return lifted(found, names, parts)

    groups = {
        name: replace(group, count=lift(group.count), sides=lift(group.sides), kept=lift(group.kept))
        for name, group in check.groups.items()
    }
    stages = tuple(
        Let(stage.name, lift(stage.amount))
        if isinstance(stage, Let)
        else Linked(
            stage.groups,
            tuple(
                (name, replace(read, against=tuple(map(lift, read.against)))) for name, read in stage.readings
            ),
        )
        for stage in check.stages
    )
    value = lift(check.value) if check.value is not None else None
    with_value = names | {VALUE} if value is not None else names
    tiers = tuple(
        replace(tier, when=lifted(tier.when, with_value, parts) if tier.when is not None else None)
        for tier in check.tiers
    )
    edge = lift(check.edge)
    last = {name for tier in tiers if tier.when is not None for name in names_in(tier.when)}
    last |= set(names_in(value)) if value is not None else set()
    needed = [frozenset(last)]
    for stage in reversed(stages):
        if isinstance(stage, Let):
            last = last | set(names_in(stage.amount))
        else:
            last = last | {
                name for _, read in stage.readings for part in read.against for name in names_in(part)
            }
        needed.append(frozenset(last))
    return _Form(
        tuple(parts),
        replace(check, groups=groups, stages=stages, value=value, tiers=tiers, edge=edge),
        tuple(reversed(needed))[1:],
    )


def with_fixed(check: OwnCheck, known: Known) -> dict[str, Amount | NoAmount]:
    """What is known, with the names that no die decides."""
    found = dict(known)
    for name, amount in check.fixed:
        found[name] = amount_or_error(amount, found)
    return found


def parameters_of(check: OwnCheck, known: Known) -> Parameters:
    """What all that no die decides comes to.

    Args:
        known: The values of a sheet and of the answers.
    """
    found = with_fixed(check, known)
    return tuple(amount_or_error(part, found) for part in _form(check).parameters)


def pools_of(check: OwnCheck, known: Known) -> dict[str, ReadyGroup]:
    """The groups of one roll; where the first has no dice, “none” stands in for it.

    Raises:
        NoAmount: If it can't be said how many there are.
        TooMuchToCount: If there are too many.
    """
    found: dict[str, ReadyGroup] = {}
    for name, group in check.groups.items():
        numbers = [amount_of(part, known) for part in (group.count, group.sides, group.kept)]
        _check_number(name, group, *numbers[:2])
        found[name] = pool_of(group, *numbers)
    stand_in = found.pop(NONE, None)
    if stand_in is not None and found:
        first = next(iter(found))
        found[first] = found[first] if found[first].count else stand_in
    return found


def _check_number(name: str, group: WrittenGroup, count: Amount, sides: Amount) -> None:
    if count >= MOST_DICE + 1:
        noun = "cards" if group.source is GroupSource.CARDS else "dice"
        raise TooMuchToCount(f"“{name}” has up to {int(count):,} {noun}; {MOST_DICE} is the most.")
    if sides >= MOST_SIDES + 1:
        raise TooMuchToCount(f"“{name}” has dice of up to {int(sides):,} sides; {MOST_SIDES:,} is the most.")


class Outcomes(Struct, frozen=True):
    """What can come of a roll, as far as its tiers tell it apart."""

    columns: tuple[str, ...]  # what stands in a row
    rows: Rows  # each row with its cases
    cases: int  # all cases
    steps: int  # about how much work that was


def outcomes_of(check: OwnCheck, parameters: Parameters, theirs: Theirs | None = None) -> Outcomes:
    """Everything that can come of a roll.

    Raises:
        NoAmount: If something in it can't be reckoned.
        TooMuchToCount: If there is more than is counted.
    """
    form = _form(check)
    known = {f"#{at}": value for at, value in enumerate(parameters)}
    pools = pools_of(form.check, known)
    _check_outcomes(form.check, pools, theirs)
    edge = amount_of(form.check.edge, known)
    columns: tuple[str, ...] = ()
    rows: Rows = {(): 1}
    cases, steps = 1, 0
    for stage, needed in zip(form.check.stages, form.needed, strict=True):
        if isinstance(stage, Let):
            columns, rows = _with_amount(columns, rows, stage.name, stage.amount, known)
        else:
            read = _with_readings(form.check, stage, pools, edge, columns, rows, known)
            columns, rows = read[:2]
            cases *= read[2]
            steps += read[3]
        columns, rows = _without(columns, rows, needed)
    if form.check.value is not None:
        columns, rows = _with_amount(columns, rows, VALUE, form.check.value, known)
        used = {name for tier in form.check.tiers if tier.when is not None for name in names_in(tier.when)}
        columns, rows = _without(columns, rows, frozenset(used | {VALUE}))
    if theirs is not None:
        columns = (*columns, THEIRS)
        rows = {(*row, value): ways * others for row, ways in rows.items() for value, others in theirs}
        cases *= sum(others for _, others in theirs)
    return Outcomes(columns, rows, cases, steps)


def _check_outcomes(check: OwnCheck, pools: Mapping[str, ReadyGroup], theirs: Theirs | None) -> None:
    sizes = [
        outcomes([pools[name] for name in stage.groups], _wanted(stage, [()] * len(stage.readings)))
        for stage in check.stages
        if isinstance(stage, Linked)
    ]
    told = prod(told for told, _ in sizes) * (len(theirs) if theirs is not None else 1)
    number = max(told, *[on_the_way for _, on_the_way in sizes], 1)
    if number > MOST_OUTCOMES:
        raise TooMuchToCount(
            f"there are up to {number:,} outcomes to tell apart; {MOST_OUTCOMES:,} is the most. "
            "Read fewer things, or several groups as one."
        )


def _wanted(stage: Linked, against: Sequence[tuple[Amount, ...]]) -> tuple[WantedReading, ...]:
    return tuple(
        WantedReading(read.kind, tuple(stage.groups.index(group) for group in read.groups), read.sign, values)
        for (_, read), values in zip(stage.readings, against, strict=True)
    )


def _with_amount(
    columns: tuple[str, ...], rows: Rows, name: str, amount: Expression, known: Known
) -> tuple[tuple[str, ...], Rows]:
    reckon = bound(amount, known, {column: at for at, column in enumerate(columns)})
    if callable(reckon):
        return (*columns, name), {(*row, +reckon(row)): ways for row, ways in rows.items()}
    return (*columns, name), {(*row, +reckon): ways for row, ways in rows.items()}


def _with_readings(
    check: OwnCheck,
    stage: Linked,
    pools: Mapping[str, ReadyGroup],
    edge: Amount,
    columns: tuple[str, ...],
    rows: Rows,
    known: Known,
) -> tuple[tuple[str, ...], Rows, int, int]:
    """The rows with what some dice say; how many cases these have, and how many steps that takes."""
    places = {column: at for at, column in enumerate(columns)}
    tests = [[bound(part, known, places) for part in read.against] for _, read in stage.readings]
    used = tuple(pools[name] for name in stage.groups)
    edged, sign = None, 0
    if check.edged is not None and check.edged[0] in stage.groups and edge != 0:
        edged = stage.groups.index(check.edged[0])
        sign = 1 if (edge > 0) is check.edged[1] else -1
    found = defaultdict[tuple[Amount, ...], int](int)
    cases = 1
    steps: dict[Sequence[tuple[Amount, ...]], int] = {}
    answers: dict[Sequence[tuple[Amount, ...]], tuple[Mapping[tuple[int, ...], int], int]] = {}
    for row, ways in rows.items():
        against = tuple([tuple([+part(row) if callable(part) else +part for part in test]) for test in tests])
        if against not in answers:
            wanted = _wanted(stage, against)
            steps[against] = steps_of(used, wanted)
            if (all_ := sum(steps.values())) > MOST_STEPS:
                raise TooMuchToCount(
                    f"these dice take {all_:,} steps to count and more; {MOST_STEPS:,} is the most."
                )
            answers[against] = ways_of(used, wanted, edged, sign)
        mine, cases = answers[against]
        for told, others in mine.items():
            found[(*row, *told)] += ways * others
    return (*columns, *[name for name, _ in stage.readings]), found, cases, sum(steps.values())


def _without(columns: tuple[str, ...], rows: Rows, needed: frozenset[str]) -> tuple[tuple[str, ...], Rows]:
    """The same rows without the columns that nobody looks at any more."""
    kept = [at for at, column in enumerate(columns) if column in needed]
    if len(kept) == len(columns):
        return columns, rows
    found = defaultdict[tuple[Amount, ...], int](int)
    for row, ways in rows.items():
        found[tuple([row[at] for at in kept])] += ways
    return tuple(columns[at] for at in kept), found


NO_TIER = -1


def tier_finder(check: OwnCheck, parameters: Parameters, columns: Sequence[str]) -> Callable[[Row], int]:
    """Which tier a row is for, by its place; `NO_TIER` where none fits."""
    known = {f"#{at}": value for at, value in enumerate(parameters)}
    places = {column: at for at, column in enumerate(columns)}
    conditions = [_condition(tier, known, places) for tier in _form(check).check.tiers]

    def find(row: Row) -> int:
        for at, holds in enumerate(conditions):
            if holds(row):
                return at
        return NO_TIER

    return find


def _condition(tier: GameTier, known: Known, places: Mapping[str, int]) -> Callable[[Row], bool]:
    low, high = tier.low, tier.high
    when = bound(tier.when, known, places) if tier.when is not None else 1
    if low is None and high is None:
        return (lambda row: bool(when(row))) if callable(when) else (lambda _row: bool(when))
    at = places[VALUE]
    least, most = (low if low is not None else float("-inf")), (high if high is not None else float("inf"))
    if callable(when):
        return lambda row: least <= row[at] <= most and bool(when(row))
    return lambda row: least <= row[at] <= most and bool(when)


@lru_cache(maxsize=8192)
def tier_ways(
    check: OwnCheck, parameters: Parameters, theirs: Theirs | None = None
) -> tuple[Mapping[int, int], int]:
    """In how many of how many cases each tier happens, by its place.

    Raises:
        NoAmount: If something in it can't be reckoned.
        TooMuchToCount: If there is more than is counted.
    """
    found = outcomes_of(check, parameters, theirs)
    find = tier_finder(check, parameters, found.columns)
    ways = defaultdict[int, int](int)
    for row, many in found.rows.items():
        ways[find(row)] += many
    return ways, found.cases


def values_of(check: OwnCheck, parameters: Parameters) -> Theirs:
    """The values a check can have, each with its cases: what the other side of an opposed check rolls."""
    found = outcomes_of(check, parameters)
    columns, rows = _without(found.columns, found.rows, frozenset({VALUE}))
    at = columns.index(VALUE)
    return tuple(sorted((row[at], ways) for row, ways in rows.items()))


def chances(check: OwnCheck, known: Known, theirs: Known | Amount | None = None) -> dict[str, Fraction]:
    """The exact chance of each tier, by its name in the file.

    Args:
        known: The values of a sheet and of the answers.
        theirs: Of an opposed check: those of the other side, or the number it has.

    Raises:
        NoAmount: If something in it can't be reckoned.
        TooMuchToCount: If there is more than is counted.
    """
    others: Theirs | None = None
    if check.is_opposed:
        if isinstance(theirs, Mapping):
            others = values_of(check, parameters_of(check, theirs))
        else:
            others = ((theirs or 0, 1),)
    ways, cases = tier_ways(check, parameters_of(check, known), others)
    return {tier.name: Fraction(ways.get(at, 0), cases) for at, tier in enumerate(check.tiers)}


def aces_left(check: OwnCheck, known: Known) -> Fraction:
    """How likely it is that some die would have been rolled once more than aces are."""
    none = Fraction(1)
    for pool in pools_of(check, with_fixed(check, known)).values():
        ways, cases = chance_to_run_out(pool)
        none *= 1 - Fraction(ways, cases)
    return 1 - none
