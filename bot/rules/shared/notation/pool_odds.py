"""Exact chances of dice and sets with operations: what a pool adds up to.

Most pools are dice that all behave alike until one keep or drop compares them; that is counted value by
value (`ranked_total`), however many dice there are. Anything else is counted pool by pool, over all
pools that differ (`_States`).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import gcd, prod

from bot.rules.shared.notation.arithmetic import simplest
from bot.rules.shared.notation.measures import (
    LONGEST_CASES,
    Measure,
    TooMuchWork,
    Work,
    counted,
    reduced,
    repeated,
)
from bot.rules.shared.notation.picking import all_picked, first_picked
from bot.rules.shared.notation.ranked_odds import ranked_total
from bot.rules.shared.notation.tree import Act, DiceTerm, Operation, Pick, Value


class NeverEnds(Exception):
    """Re-rolls or explosions have no last throw that is certain to come."""


_BY_ITSELF = (Act.KEEP, Act.DROP, Act.REROLL, Act.REROLL_ONCE, Act.MINIMUM, Act.MAXIMUM)
_CHOICE = (Act.KEEP, Act.DROP)


class _Die:
    """One of several dice that all behave alike: its values while kept, and how often it is dropped."""

    __slots__ = ("_faces", "dropped", "kept")

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self.kept: dict[int, int] = dict.fromkeys(self._faces, 1)
        self.dropped = 0

    def operate(self, operation: Operation) -> None:
        """Do an operation that treats each die by itself."""
        bound = operation.selectors[0].number
        match operation.act:
            case Act.KEEP | Act.DROP:
                stays = operation.act is Act.KEEP
                left = {v: cases for v, cases in self.kept.items() if operation.matches(v) is stays}
                self.dropped += sum(self.kept.values()) - sum(left.values())
                self.kept = left
            case Act.MINIMUM:
                self._recount({value: max(value, bound) for value in self.kept})
            case Act.MAXIMUM:
                self._recount({value: min(value, bound) for value in self.kept})
            case Act.REROLL:
                self._reroll(operation, [face for face in self._faces if not operation.matches(face)])
            case Act.REROLL_ONCE:
                self._reroll(operation, self._faces)

    @property
    def cases(self) -> int:
        """All cases, those in which it is dropped among them."""
        return sum(self.kept.values()) + self.dropped

    def reduce(self) -> None:
        """Count in the smallest whole numbers."""
        common = gcd(self.dropped, *self.kept.values())
        self.kept = {value: cases // common for value, cases in self.kept.items()}
        self.dropped //= common

    def _recount(self, counts_as: dict[int, int]) -> None:
        """Let values count as others."""
        kept: defaultdict[int, int] = defaultdict(int)
        for value, cases in self.kept.items():
            kept[counts_as[value]] += cases
        self.kept = dict(kept)

    def _reroll(self, operation: Operation, fresh: Sequence[int]) -> None:
        """Put one of the *fresh* faces, all equally likely, in the place of each value picked."""
        again = sum(cases for value, cases in self.kept.items() if operation.matches(value))
        if not again:
            return
        if not fresh:
            raise NeverEnds
        kept = defaultdict(int, dict.fromkeys(fresh, again))
        for value, cases in self.kept.items():
            if not operation.matches(value):
                kept[value] += cases * len(fresh)
        self.kept = dict(kept)
        self.dropped *= len(fresh)


def dice_total(term: DiceTerm, operations: Sequence[Operation], work: Work) -> Measure:
    """What dice add up to after *operations*, which may reach in from parentheses around them.

    Raises:
        NeverEnds: If re-rolls or explosions may go on for ever.
        TooMuchWork: If there are too many different pools.
    """
    die = _Die(term.faces)
    rest = list(operations)
    while rest and rest[0].act in _BY_ITSELF and not rest[0].by_rank:
        work.spend(10 * len(rest[0].selectors) * term.sides)
        die.operate(rest.pop(0))
    die.reduce()
    if die.cases.bit_length() * term.number > LONGEST_CASES:
        raise TooMuchWork
    if not rest:
        alone = counted([*die.kept.items(), (0, die.dropped)])
        return repeated(reduced(alone), term.number, work)
    if rest[0].act is Act.EXPLODE and _goes_on(rest[0], die, term):
        raise NeverEnds
    if len(rest) == 1 and rest[0].act in _CHOICE and die.kept:
        return ranked_total(die.kept, die.dropped, term.number, rest[0], work)
    kept: Measure = dict(die.kept.items())
    states = _States([kept] * term.number, die.dropped, rest, work)
    for operation in rest:
        states.operate(operation, term.faces)
    return states.total()


def set_total(members: Sequence[Measure], operations: Sequence[Operation], work: Work) -> Measure:
    """What the values of a set that are kept add up to.

    Raises:
        TooMuchWork: If there are too many different sets.
    """
    if members and len(operations) == 1 and str(operations[0]) in ("kh1", "kl1"):
        return _extreme(members, operations[0].selectors[0].pick, work)
    states = _States(members, 0, operations, work)
    for operation in operations:
        states.operate(operation, ())
    return states.total()


def _extreme(members: Sequence[Measure], pick: Pick, work: Work) -> Measure:
    """The highest, or lowest, of independent values: one is at most *n* if all of them are."""
    cases: dict[Value, int] = {}
    reached = [0] * len(members)
    before = 0
    bits = sum(sum(member.values()).bit_length() for member in members)
    values = {value for member in members for value in member}
    work.spend(len(values) * len(members) * (5 + bits // 300))
    for value in sorted(values, reverse=pick is Pick.LOWEST):
        reached = [so_far + member.get(value, 0) for so_far, member in zip(reached, members, strict=True)]
        all_reached = prod(reached)
        cases[value] = all_reached - before
        before = all_reached
    return reduced(cases)


def _goes_on(explosion: Operation, die: _Die, term: DiceTerm) -> bool:
    """Whether dice may explode time and again."""
    if explosion.by_rank:
        return bool(term.number)
    return any(map(explosion.matches, die.kept)) and any(map(explosion.matches, term.faces))


class _States:
    """All pools that differ, each with its cases: the kept values in order."""

    __slots__ = ("_cases", "_work")

    def __init__(
        self, members: Sequence[Measure], dropped: int, operations: Sequence[Operation], work: Work
    ) -> None:
        self._work = work
        self._cases: dict[tuple[Value, ...], int] = {(): 1}
        room = _needed(operations)
        for member in members:
            self._add(member, dropped)
            if room is not None:
                self._cases = _merged((state[room], cases) for state, cases in self._cases.items())

    def _add(self, member: Measure, dropped: int) -> None:
        """Put one more independent value into each pool, or in *dropped* cases none."""
        size = len(next(iter(self._cases)))
        self._work.spend((10 + size) * len(self._cases) * (len(member) + 1))
        grown: defaultdict[tuple[Value, ...], int] = defaultdict(int)
        for state, cases in self._cases.items():
            for value, ways in member.items():
                grown[tuple(sorted((*state, value)))] += cases * ways
            if dropped:
                grown[state] += cases * dropped
        self._cases = grown

    def operate(self, operation: Operation, faces: Sequence[int]) -> None:
        """Do one operation to each pool; *faces* are those of a die that is thrown for it."""
        results: list[tuple[tuple[Value, ...], int, int]] = []
        size = len(next(iter(self._cases)))
        self._work.spend((30 + 5 * size * len(operation.selectors)) * len(self._cases))
        for state, cases in self._cases.items():
            stay, fresh = _after(operation, state)
            results.append((stay, fresh, cases))
        most = max(fresh for _, fresh, _ in results)
        if operation.act in (Act.REROLL, Act.EXPLODE) and most:
            faces = _last_faces(operation, faces)
        self._cases = self._thrown(results, faces, most)

    def _thrown(
        self, results: Iterable[tuple[tuple[Value, ...], int, int]], faces: Sequence[int], most: int
    ) -> dict[tuple[Value, ...], int]:
        """Pools with so many fresh dice added to each; pools with fewer count for all those cases."""
        additions: list[dict[tuple[Value, ...], int]] = [{(): 1}]
        for _ in range(most):
            fresh = _States([], 0, (), self._work)
            fresh._cases = additions[-1]
            fresh._add(dict.fromkeys(faces, 1), 0)
            additions.append(fresh._cases)
        grown: defaultdict[tuple[Value, ...], int] = defaultdict(int)
        for stay, count, cases in results:
            bits = cases.bit_length() + (most - count) * len(faces).bit_length()
            self._work.spend((20 + len(stay) + bits // 300) * len(additions[count]))
            scale = cases * len(faces) ** (most - count)
            for added, ways in additions[count].items():
                grown[tuple(sorted(stay + added))] += scale * ways
        return grown

    def total(self) -> Measure:
        """What the pools add up to."""
        return reduced(counted((simplest(sum(state)), cases) for state, cases in self._cases.items()))


def _merged(pairs: Iterable[tuple[tuple[Value, ...], int]]) -> dict[tuple[Value, ...], int]:
    """Pools with their cases, equal pools put together."""
    merged: defaultdict[tuple[Value, ...], int] = defaultdict(int)
    for state, cases in pairs:
        merged[state] += cases
    return merged


def _needed(operations: Sequence[Operation]) -> slice | None:
    """Which part of a sorted pool can still matter, where the first thing done keeps by one rank."""
    if not operations or operations[0].act is not Act.KEEP:
        return None
    picks = {selector.pick for selector in operations[0].selectors}
    most = max(selector.number for selector in operations[0].selectors)
    if picks == {Pick.HIGHEST} and most:
        return slice(-most, None)
    return slice(most) if picks == {Pick.LOWEST} else None


def _after(operation: Operation, state: tuple[Value, ...]) -> tuple[tuple[Value, ...], int]:
    """What stays of a pool, and how many fresh dice it gets."""
    bound = operation.selectors[0].number
    if operation.act is Act.MINIMUM:
        return tuple(max(value, bound) for value in state), 0
    if operation.act is Act.MAXIMUM:
        return tuple(min(value, bound) for value in state), 0
    everything = range(len(state))
    if operation.act is Act.REROLL_AND_ADD:
        return state, int(first_picked(operation, state, everything) is not None)
    picked = set(all_picked(operation, state, everything))
    if operation.act is Act.KEEP:
        return tuple(state[place] for place in everything if place in picked), 0
    if operation.act is Act.EXPLODE:
        return state, len(picked)
    left = tuple(state[place] for place in everything if place not in picked)
    return left, 0 if operation.act is Act.DROP else len(picked)


def _last_faces(operation: Operation, faces: Sequence[int]) -> Sequence[int]:
    """The faces that end a re-roll, or all of them if none goes on exploding."""
    if operation.by_rank:
        raise NeverEnds
    last = [face for face in faces if not operation.matches(face)]
    if not last or (operation.act is Act.EXPLODE and len(last) < len(faces)):
        raise NeverEnds
    return last
