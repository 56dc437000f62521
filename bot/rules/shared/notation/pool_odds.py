"""Exact chances of dice and sets with operations: what a pool adds up to.

Most pools are dice that all behave alike until one keep or drop compares them; that is counted value by
value (`ranked_total`), however many dice there are. Anything else is counted pool by pool, over all
pools that differ (`_States`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd, lcm, prod
from typing import TypeAlias

from bot.rules.shared.notation.dice_pools import all_picked, first_picked, simplest
from bot.rules.shared.notation.parser import Act, DiceTerm, Operation, Pick, Value

Measure: TypeAlias = Mapping[Value, int]
"""Cases in which each number comes, at least 1 each."""


class TooMuchWork(Exception):
    """The exact chances would take too long to work out."""


MOST_HELD = 10_000_000
"""The bytes of long integers one question may hold at once."""

LONGEST_CASES = 10_000
"""The bits of the number of all cases; Python writes no number of more than 4300 digits."""


class Work:
    """The work that may still be done for one question, in steps of roughly a tenth of a microsecond."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def multiply(self, bits: int, others: int) -> None:
        """Pay for the product of two numbers of so many bits, before it is made.

        Raises:
            TooMuchWork: If there is not so much work left, or no room for the product.
        """
        self.fit((bits + others) // 8)
        self.spend(3 + (bits + others) // 2500 + bits * others // 75_000)

    @staticmethod
    def fit(held: int) -> None:
        """Refuse to hold so many bytes at once.

        Raises:
            TooMuchWork: If that is more than one question may hold.
        """
        if held > MOST_HELD:
            raise TooMuchWork

    def spend(self, steps: int) -> None:
        """Take *steps* off what is left.

        Raises:
            TooMuchWork: If there is not so much left.
        """
        self.left -= steps
        if self.left < 0:
            raise TooMuchWork


def counted(results: Iterable[tuple[Value, int]]) -> Measure:
    """The measure of (number, cases) pairs; cases of equal numbers are added up."""
    cases: defaultdict[Value, int] = defaultdict(int)
    for number, ways in results:
        cases[number] += ways
    return cases


def reduced(measure: Measure) -> Measure:
    """The same chances in the smallest whole numbers."""
    common = gcd(*measure.values())
    return {number: cases // common for number, cases in measure.items() if cases}


def joined(left: Measure, right: Measure, join: Callable[[Value, Value], Value], work: Work) -> Measure:
    """What comes of two independent numbers together."""
    bits, others = sum(left.values()).bit_length(), sum(right.values()).bit_length()
    each = (10 if _are_whole(left) and _are_whole(right) else 60) + bits * others // 75_000
    work.spend(each * len(left) * len(right))
    return counted(
        (join(mine, theirs), cases * others)
        for mine, cases in left.items()
        for theirs, others in right.items()
    )


def _are_whole(measure: Measure) -> bool:
    """Whether all numbers are whole."""
    return all(isinstance(number, int) for number in measure)


def added(left: Measure, right: Measure, work: Work) -> Measure:
    """The sum of two independent numbers."""
    packing = Packing.of_product([(left, 1), (right, 1)])
    if min(len(left), len(right)) < 4 or packing.is_sparse(len(left) + len(right)):
        return joined(left, right, lambda mine, theirs: simplest(mine + theirs), work)
    work.fit(packing.size)
    work.spend(packing.multiplication)
    return packing.unpacked(packing.packed(left) * packing.packed(right))


def repeated(measure: Measure, times: int, work: Work) -> Measure:
    """The sum of *times* independent numbers, each from the same measure."""
    if times == 0:
        return {0: 1}
    packing = Packing.of_product([(measure, times)])
    work.fit(packing.size)
    work.spend(packing.multiplication)
    return packing.unpacked(packing.packed(measure) ** times)


def _unit(values: Iterable[Value]) -> Value:
    """The largest number of which all *values* are whole multiples; 1 if they are all 0."""
    numbers = list(values)
    whole = lcm(*(number.denominator for number in numbers))
    common = gcd(*(int(number * whole) for number in numbers))
    return simplest(Fraction(common, whole)) if common else 1


class Packing:
    """Measures as long integers: the number *n* units above *lowest* in slot *n*.

    Args:
        unit: All numbers are whole multiples of it.
        lowest: The lowest number of the product, in units.
        highest: Its highest number, in units.
        cases: All cases of the product; no coefficient is larger.
    """

    __slots__ = ("_bytes", "_lowest", "_slots", "_unit")

    def __init__(self, unit: Value, lowest: int, highest: int, cases: int) -> None:
        self._unit = unit
        self._lowest = lowest
        self._slots = highest - lowest + 1
        self._bytes = cases.bit_length() // 8 + 1

    @classmethod
    def of_product(cls, factors: Sequence[tuple[Measure, int]]) -> "Packing":
        """Room for a product of powers of measures."""
        unit = _unit(number for measure, _ in factors for number in measure)
        lowest, highest, cases = 0, 0, 1
        for measure, times in factors:
            lowest += min(measure) // unit * times
            highest += max(measure) // unit * times
            cases *= sum(measure.values()) ** times
        return cls(unit, lowest, highest, cases)

    @classmethod
    def of_kept(cls, values: Measure, most: int, cases: int) -> "Packing":
        """Room for the sum of up to *most* numbers, none below 0, in so many *cases*."""
        unit = _unit(values)
        return cls(unit, 0, most * (max(values) // unit), cases)

    def is_sparse(self, entries: int) -> bool:
        """Whether most slots would stay empty in measures of so many *entries*."""
        return self._slots > 50 * entries + 1000

    @property
    def size(self) -> int:
        """The bytes of a packed measure."""
        return self._bytes * self._slots

    @property
    def multiplication(self) -> int:
        """The steps a multiplication or power with a result of this size takes (measured)."""
        return 100 + int(self.size**1.585 / 480) + self.reading

    @property
    def reading(self) -> int:
        """The steps reading a packed measure takes (measured)."""
        return 8 * self._slots + self.size // 300

    def places(self, number: Value) -> int:
        """How far to shift a packed measure to make each of its numbers larger by *number*."""
        return number // self._unit * 8 * self._bytes

    def packed(self, measure: Measure) -> int:
        """A measure as one integer, its own lowest number in the first slot."""
        low = min(measure)
        slots = bytearray(((max(measure) - low) // self._unit + 1) * self._bytes)
        for number, cases in measure.items():
            at = (number - low) // self._unit * self._bytes
            slots[at : at + self._bytes] = cases.to_bytes(self._bytes, "little")
        return int.from_bytes(slots, "little")

    def unpacked(self, product: int) -> Measure:
        """The measure a product of packed measures stands for."""
        width = self._bytes
        slots = product.to_bytes(self._slots * width, "little")
        coefficients = (
            int.from_bytes(slots[at : at + width], "little") for at in range(0, len(slots), width)
        )
        return {
            simplest((self._lowest + slot) * self._unit): cases
            for slot, cases in enumerate(coefficients)
            if cases
        }


def ranked_total(
    values: Mapping[int, int], dropped: int, count: int, operation: Operation, work: Work
) -> Measure:
    """What *count* dice add up to after one keep or drop by rank.

    Args:
        values: The cases of each value of one die, none below 0, at least one.
        dropped: The cases in which a die was dropped before; it takes no part then.
        count: How many dice there are.
        operation: The keep or drop.
        work: What may still be spent.

    Raises:
        TooMuchWork: If there are too many dice and values.
    """
    best = _best_kept(operation, count)
    cases = sum(values.values()) + dropped
    work.multiply(count * cases.bit_length(), count * cases.bit_length())
    packing = Packing.of_kept(dict(values.items()), count if best is None else best[1], cases**count)
    product = _Sums(packing, work)
    for left in range(count + 1):
        others = comb(count, left) * dropped ** (count - left)
        if others:
            product.add(0, _dice_left(values, left, operation, packing, work), others, 0)
    work.fit(packing.size)
    work.spend(packing.reading)
    return packing.unpacked(product[0])


class _Sums:
    """Packed sums, each by how many dice it is of; what they take is paid for before it is made."""

    __slots__ = ("_by_dice", "_held", "_packing", "_work")

    def __init__(self, packing: Packing, work: Work, held: int = 0) -> None:
        self._packing = packing
        self._work = work
        self._held = held
        self._by_dice: dict[int, int] = {}

    def __getitem__(self, dice: int) -> int:
        return self._by_dice.get(dice, 0)

    def add(self, dice: int, total: int, ways: int, larger: int) -> None:
        """Add *total*, in so many *ways* and with each number *larger* by so much, to the sum of *dice*.

        Raises:
            TooMuchWork: If there is not so much work left, or no room for the sum.
        """
        if not total or not ways:
            return
        before = self[dice]
        length = total.bit_length() + ways.bit_length() + self._packing.places(larger)
        held = self._held + max(0, length - before.bit_length()) // 8
        self._work.fit(held + 3 * length // 8)  # the product, shifted and added, beside the old sum
        multiplying = total.bit_length() * ways.bit_length() // 75_000
        self._work.spend(30 + length // 1200 + multiplying)
        self._by_dice[dice] = before + (total * ways << self._packing.places(larger))
        self._held = held

    def following(self) -> "_Sums":
        """Return where the next sums are made while these are still held."""
        return _Sums(self._packing, self._work, sum(map(int.bit_length, self._by_dice.values())) // 8)

    def items(self) -> Iterable[tuple[int, int]]:
        """Return each number of dice with its sum."""
        return self._by_dice.items()


def _dice_left(
    values: Mapping[int, int], count: int, operation: Operation, packing: Packing, work: Work
) -> int:
    """The packed sum of *count* dice none of which was dropped before."""
    best = _best_kept(operation, count)
    if best is None:
        return _by_any_selector(values, count, operation, packing, work)
    pick, number = best
    if number == 0:
        return int(sum(values.values()) ** count)
    if number == count:
        every = repeated(dict(values.items()), count, work)
        work.fit(packing.size)
        return packing.packed(every) << packing.places(min(every))
    order = sorted(values.items(), reverse=pick is Pick.HIGHEST)
    return _best(order, count, number, packing, work)


def _best_kept(operation: Operation, count: int) -> tuple[Pick, int] | None:
    """Which and how many of *count* dice are kept, where it is the highest or the lowest only."""
    if len(operation.selectors) > 1:
        return None
    (selector,) = operation.selectors
    number = min(selector.number, count)
    if operation.act is Act.KEEP:
        return selector.pick, number
    other = Pick.LOWEST if selector.pick is Pick.HIGHEST else Pick.HIGHEST
    return other, count - number


def _best(order: list[tuple[int, int]], count: int, number: int, packing: Packing, work: Work) -> int:
    """The packed sum of the *number* first of *count* dice, fewer than all.

    Args:
        order: The values with their cases, those that are kept first before the others.
        count: All dice.
        number: How many are kept.
        packing: How sums are packed.
        work: What may still be spent.
    """
    result = _Sums(packing, work)
    after = sum(cases for _, cases in order)
    sums = _Sums(packing, work)
    sums.add(0, 1, 1, 0)
    for value, cases in order:
        after -= cases
        following = sums.following()
        for taken, total in sums.items():
            left, need = count - taken, number - taken
            bits = left * (cases + after).bit_length()
            work.multiply(bits, bits)
            enough = (cases + after) ** left
            for equal in range(need):
                work.multiply(bits, after.bit_length())
                ways = comb(left, equal) * cases**equal
                following.add(taken + equal, total, ways, equal * value)
                enough -= ways * after ** (left - equal)
            result.add(0, total, enough, need * value)
        sums = following
    return result[0]


def _by_any_selector(
    values: Mapping[int, int], count: int, operation: Operation, packing: Packing, work: Work
) -> int:
    """The packed sum of what any selectors leave of *count* dice.

    ``sums[n]`` is what the *n* dice above the current value add up to.
    """
    sums = _Sums(packing, work)
    sums.add(0, 1, 1, 0)
    for value in sorted(values, reverse=True):
        following = sums.following()
        for above, total in sums.items():
            for equal in range(count - above + 1):
                work.spend(10 * len(operation.selectors))
                work.multiply(equal * values[value].bit_length(), equal * values[value].bit_length())
                picked = _picked_of_equal(operation, value, above, equal, count - above - equal)
                kept = picked if operation.act is Act.KEEP else equal - picked
                ways = comb(count - above, equal) * values[value] ** equal
                following.add(above + equal, total, ways, kept * value)
        sums = following
    return sums[count]


def _picked_of_equal(operation: Operation, value: int, above: int, equal: int, below: int) -> int:
    """How many of *equal* dice of one value are picked, with so many dice above and below it.

    Each selector picks equal dice in the same order, so several together pick as many as the greediest.
    """
    most = 0
    for selector in operation.selectors:
        if selector.pick is Pick.HIGHEST:
            picked = selector.number - above
        elif selector.pick is Pick.LOWEST:
            picked = selector.number - below
        else:
            picked = equal if selector.matches(value) else 0
        most = max(most, picked)
    return min(most, equal)


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
