"""The exact chances of what is read off groups of dice, counted face by face and never by rolling.

A group is gone through from its lowest face to its highest: how many dice show this one, and what does that
add to each reading? Sums are carried as polynomials packed into whole numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import repeat
from math import comb, isqrt, prod
from typing import TypeAlias, cast

from msgspec import Struct

from bot.rules.own.dice_groups import (
    MOST_ACES,
    GroupSource,
    ReadingKind,
    ReadyGroup,
    cards_of,
    is_counted,
)
from bot.rules.own.expressions import Amount

MOST_OUTCOMES = 20_000
"""How many outcomes one check may have that its readings tell apart."""

MOST_STEPS = 250_000
"""How much one roll may take to count: some 50 milliseconds."""

Told: TypeAlias = tuple[int, ...]
"""What every reading of some groups says."""

Ways: TypeAlias = Mapping[Told, int]
"""In how many cases readings say what."""


class TooMuchToCount(ValueError):
    """A check with more outcomes than are counted; the message is a sentence."""


class WantedReading(Struct, frozen=True):
    """A reading with its numbers known."""

    kind: ReadingKind
    groups: tuple[int, ...]  # off which groups, by their places
    sign: str = ""  # for a count, how each face is compared
    against: tuple[Amount, ...] = ()


_FACES = "faces"  # every face that counts, for what is read off several groups and needs them all
_JOINED = (ReadingKind.MIDDLE, ReadingKind.DOUBLES)
_NUMBERS = (ReadingKind.TOTAL, ReadingKind.COUNT, ReadingKind.HIGHEST, ReadingKind.LOWEST)
_Kind: TypeAlias = ReadingKind | str
_Accumulated: TypeAlias = tuple[object, ...]


class _Part(Struct, frozen=True):
    """What has to be known of one group."""

    kind: _Kind
    sign: str = ""
    against: tuple[Amount, ...] = ()


class _Face(Struct, frozen=True):
    """A face, or cards of one rank: its value, its weight or number, and its suit."""

    value: int
    weight: int
    suit: int = 0


@lru_cache(maxsize=256)
def faces_of(pool: ReadyGroup) -> tuple[_Face, ...]:
    """The faces of one die with the cases of each, or the cards of the deck, from the lowest."""
    if pool.source is GroupSource.CARDS:
        return tuple(
            _Face(rank, number, suit) for (rank, suit), number in Counter(cards_of(pool.sides)).items()
        )
    if pool.source is GroupSource.FATE:
        return tuple(_Face(value, 1) for value in (-1, 0, 1))
    if not pool.has_aces or pool.sides < 2:
        return tuple(_Face(value, 1) for value in range(1, pool.sides + 1))
    sides = pool.sides
    most = MOST_ACES * sides + sides
    return tuple(
        _Face(value, sides ** (MOST_ACES - (value - 1) // sides))
        for value in range(1, most + 1)
        if value % sides or value == most
    )


def chance_to_run_out(pool: ReadyGroup) -> tuple[int, int]:
    """In how many cases of how many some die of a pool has all the aces that are rolled, and one more."""
    cases = pool.sides ** (MOST_ACES + 1)
    return (cases**pool.count - (cases - 1) ** pool.count, cases**pool.count) if pool.has_aces else (0, 1)


def outcomes(pools: Sequence[ReadyGroup], readings: Sequence[WantedReading]) -> tuple[int, int]:
    """How many outcomes there are at most that readings of linked groups tell apart.

    Returns:
        How many there are in the end, and how many on the way.
    """
    sizes = dict.fromkeys(range(len(readings)), 1)
    faces_seen = dict.fromkeys(range(len(readings)), 0)
    hands, told, largest = 1, 1, 1
    for at, pool in enumerate(pools):
        faces = len(cards_of(pool.sides)) if pool.source is GroupSource.CARDS else len(faces_of(pool))
        kept = pool.end - pool.first
        mine = comb(max(0, kept + faces - 1), kept)
        parts = {part: _size(part, pool, faces) for part in _parts(at, readings)}
        largest = max(largest, told * min(mine, prod(parts.values())))
        for number, one in enumerate(readings):
            if at not in one.groups:
                continue
            size = parts[_part_of(one)]
            if _part_of(one).kind in (ReadingKind.TOTAL, ReadingKind.COUNT):
                sizes[number] += size - 1
            elif one.kind in _JOINED:
                sizes[number] *= size
            else:
                faces_seen[number] += size
                sizes[number] = faces_seen[number]
        hands *= mine
        told = min(hands, prod(sizes.values()))
    return told, largest


def _size(part: _Part, pool: ReadyGroup, faces: int) -> int:
    kept = pool.end - pool.first
    values = [face.value for face in faces_of(pool)] or [0]
    match part.kind:
        case ReadingKind.TOTAL:
            return kept * (max(values) - min(values)) + 1
        case ReadingKind.COUNT:
            return kept + 1
        case ReadingKind.DOUBLES:
            return max(1, kept)
        case ReadingKind.SUIT:
            return 5
        case ReadingKind.HIGHEST | ReadingKind.LOWEST | ReadingKind.MIDDLE:
            return max(1, len(set(values))) if kept else 1
    return comb(max(0, kept + faces - 1), kept)


def _parts(at: int, readings: Iterable[WantedReading], *, with_total: bool = False) -> tuple[_Part, ...]:
    """What has to be known of a group for all readings of it."""
    found = dict.fromkeys(_part_of(one) for one in readings if at in one.groups)
    if with_total:
        found[_Part(ReadingKind.TOTAL)] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def ways_of(
    pools: tuple[ReadyGroup, ...], readings: tuple[WantedReading, ...], edged: int | None, edge: int
) -> tuple[Ways, int]:
    """In how many cases the readings of linked groups say what, and how many cases there are.

    Args:
        pools: The groups, by their places.
        edged: The place of the group that an edge rolls twice, or None.
        edge: Which total of the two counts: the higher above 0, the lower below; at 0 it is rolled once.

    Raises:
        TooMuchToCount: If there are too many.
    """
    if (number := max(outcomes(pools, readings))) > MOST_OUTCOMES:
        raise TooMuchToCount(
            f"there are up to {number:,} outcomes to tell apart; {MOST_OUTCOMES:,} is the most."
        )
    if (steps := steps_of(pools, readings)) > MOST_STEPS:
        raise TooMuchToCount(f"these dice take about {steps:,} steps to count; {MOST_STEPS:,} is the most.")
    joined: Mapping[_Accumulated, int] = {(None,) * len(readings): 1}
    cases = 1
    for at, pool in enumerate(pools):
        is_edged = at == edged and edge != 0
        parts = _parts(at, readings, with_total=is_edged)
        if not parts:
            continue
        mine = _group_ways(pool, parts)
        if is_edged:
            mine = _twice(mine, parts.index(_Part(ReadingKind.TOTAL)), is_higher=edge > 0)
        cases *= sum(mine.values())
        places = [parts.index(_part_of(one)) if at in one.groups else None for one in readings]
        if len(pools) == 1 and places == [*range(len(parts))]:
            joined = mine
            break
        both = defaultdict[_Accumulated, int](int)
        columns, many = tuple(zip(*mine, strict=True)), len(mine)
        for before, ways in joined.items():
            now = [
                repeat(old, many) if place is None else _merged(one.kind, old, columns[place])
                for one, old, place in zip(readings, before, places, strict=True)
            ]
            for told, others in zip(zip(*now, strict=True), mine.values(), strict=True):
                both[told] += ways * others
        joined = both
    if all(one.kind in _NUMBERS for one in readings) and all(None not in told for told in joined):
        return cast(Ways, joined), cases
    found = defaultdict[Told, int](int)
    for told, ways in joined.items():
        found[tuple(map(_said, readings, told))] += ways
    return found, cases


def _part_of(one: WantedReading) -> _Part:
    """What has to be known of each group for a reading."""
    is_joined = one.kind in _JOINED and len(one.groups) > 1
    return _Part(_FACES if is_joined else one.kind, one.sign, one.against)


def _merged(kind: ReadingKind, old: object, news: Sequence[object]) -> Iterable[object]:
    """What is known of several groups together, for everything that can be known of the last one."""
    if old is None:
        return news
    if news[0] is None:  # no die of it counts, so that all are
        return repeat(old, len(news))
    if isinstance(old, tuple):
        return [old + new for new in cast(Sequence[tuple[int, ...]], news)]
    one, others = _whole(old), cast(Sequence[int], news)
    if kind in (ReadingKind.TOTAL, ReadingKind.COUNT):
        return [one + other for other in others]
    if kind is ReadingKind.LOWEST:
        return [min(one, other) for other in others]
    return [max(one, other) for other in others]


def _said(one: WantedReading, known: object) -> int:
    """What a reading says, of all that is known for it."""
    if isinstance(known, tuple):
        faces = sorted(known)
        if one.kind is ReadingKind.MIDDLE:
            return int(faces[(len(faces) - 1) // 2]) if faces else 0
        return _alike(max(Counter(faces).values(), default=0))
    number = _whole(known)
    if one.kind is ReadingKind.DOUBLES:
        return _alike(number)
    return number % _SUITED if one.kind is ReadingKind.SUIT else number


def _twice(once: Mapping[_Accumulated, int], at: int, *, is_higher: bool) -> Mapping[_Accumulated, int]:
    """Roll a group twice and keep the higher or lower total; of equal ones, the first."""
    by_total = Counter[int]()
    for told, ways in once.items():
        by_total[_whole(told[at])] += ways
    worse: dict[int, int] = {}
    so_far = 0
    for total in sorted(by_total, reverse=not is_higher):
        worse[total] = so_far
        so_far += by_total[total]
    return {
        told: ways * (2 * worse[_whole(told[at])] + by_total[_whole(told[at])]) for told, ways in once.items()
    }


def _whole(found: object) -> int:
    return found if isinstance(found, int) else 0


_SUITED = 5  # a card as one number: five times its rank, and its suit


def _alike(number: int) -> int:
    return number if number > 1 else 0


def _group_ways(pool: ReadyGroup, parts: tuple[_Part, ...]) -> Mapping[_Accumulated, int]:
    """In how many cases what is known of a group is what."""
    faces = _by_kind(pool, parts)
    has_total = _Part(ReadingKind.TOTAL) in parts
    least = min((face.value for kind in faces for face in kind), default=0)
    width = _width(pool, faces) if has_total else 0
    others = tuple(part for part in parts if part.kind is not ReadingKind.TOTAL)
    # By how many dice are used up: in how many cases they say what.
    states: _States = {0: {tuple(_START.get(part.kind) for part in others): 1}}
    for number, kind in enumerate(faces, start=1):
        states = _with_face(
            states, pool, kind, others, _powers(kind, pool, least, width), number == len(faces)
        )
    found = defaultdict[_Accumulated, int](int)
    total_at = parts.index(_Part(ReadingKind.TOTAL)) if has_total else -1
    base = least * (pool.end - pool.first)
    for told, packed in states.get(pool.count, {}).items():
        for total, ways in _unpacked(packed, width):
            known = (*told[:total_at], base + total, *told[total_at:]) if has_total else told
            found[known] += ways
    return found


_States: TypeAlias = Mapping[int, Mapping[_Accumulated, int]]


def _with_face(
    states: _States,
    pool: ReadyGroup,
    kind: Sequence[_Face],
    parts: Sequence[_Part],
    powers: Callable[[int, int], tuple[int, int]],
    is_last: bool,
) -> _States:
    """Go on by one face: any number of the dice that are left show it, or all if it is the last."""
    after = defaultdict[int, defaultdict[_Accumulated, int]](lambda: defaultdict(int))
    for used, tolds in states.items():
        left = pool.count - used
        for many in range(left if is_last else 0, left + 1):
            cases, shift = powers(used, many)
            if not cases:
                continue
            target = after[used + many]
            changes = [
                (at, change)
                for at, part in enumerate(parts)
                if many and (change := _change(part, pool, kind[0], used, many))
            ]
            for told, ways in tolds.items():
                if changes:
                    now = list(told)
                    for at, change in changes:
                        now[at] = change(now[at])
                    target[tuple(now)] += ways * cases << shift
                else:
                    target[told] += ways * cases << shift
    return after


_START: Mapping[_Kind, object] = {ReadingKind.COUNT: 0, ReadingKind.DOUBLES: 0, _FACES: ()}


def _by_kind(pool: ReadyGroup, parts: tuple[_Part, ...]) -> list[tuple[_Face, ...]]:
    """The faces, those together that no reading tells apart."""
    faces = faces_of(pool)
    if pool.source is GroupSource.CARDS and not any(
        part.kind is ReadingKind.SUIT or part.sign == "suit" for part in parts
    ):
        ranks = Counter[int]()
        for face in faces:
            ranks[face.value] += face.weight
        faces = tuple(_Face(rank, number) for rank, number in ranks.items())
    is_plain = all(part.kind in (ReadingKind.TOTAL, ReadingKind.COUNT) for part in parts)
    if not is_plain or pool.end - pool.first < pool.count or pool.source is GroupSource.CARDS:
        return [(face,) for face in faces]
    kinds = defaultdict[tuple[bool, ...], list[_Face]](list)
    for face in faces:
        kinds[
            tuple(
                is_counted(part.sign, face.value, face.suit, part.against)
                for part in parts
                if part.kind is ReadingKind.COUNT
            )
        ].append(face)
    return [tuple(kind) for kind in kinds.values()]


def steps_of(pools: Sequence[ReadyGroup], readings: Sequence[WantedReading]) -> int:
    """About how many steps it takes to count what readings of linked groups say."""
    return sum(
        _group_steps(pool, _by_kind(pool, parts), parts)
        for at, pool in enumerate(pools)
        if (parts := _parts(at, readings))
    )


def _group_steps(pool: ReadyGroup, faces: Sequence[Sequence[_Face]], parts: Sequence[_Part]) -> int:
    told = prod(
        _size(part, pool, len(faces))
        for part in parts
        if part.kind not in (ReadingKind.TOTAL, ReadingKind.HIGHEST)  # known last
    )
    many = pool.count
    states = (min((many + 1) * told, comb(many + seen, seen)) for seen in range(len(faces)))
    width = _width(pool, faces) if _Part(ReadingKind.TOTAL) in parts else 0
    bits = width * _size(_Part(ReadingKind.TOTAL), pool, len(faces))
    multiplied = max(map(len, faces), default=1) > 1
    return sum(states) * (many // 2 + 1) * (1 + bits // 50_000) + multiplied * isqrt(bits) * bits // 10_000


def _width(pool: ReadyGroup, faces: Sequence[Sequence[_Face]]) -> int:
    """How many bits one sum's cases take, in whole bytes."""
    weights = sum(face.weight for kind in faces for face in kind)
    return (max(weights, 2).bit_length() * max(1, pool.count) + 8) // 8 * 8


def _unpacked(packed: int, width: int) -> Iterable[tuple[int, int]]:
    if not width:
        return ((0, packed),)
    size = width // 8
    written = packed.to_bytes((packed.bit_length() + 7) // 8 + size, "little")
    cases = (int.from_bytes(written[at : at + size], "little") for at in range(0, len(written), size))
    return ((total, ways) for total, ways in enumerate(cases) if ways)


def _powers(
    kind: Sequence[_Face], pool: ReadyGroup, least: int, width: int
) -> Callable[[int, int], tuple[int, int]]:
    """The cases in which so many dice show a kind of face, after so many lower ones, and a shift."""
    weight, shift = kind[0].weight, (kind[0].value - least) * width
    if pool.source is GroupSource.CARDS:
        return lambda used, many: (comb(weight, many), shift * overlap(pool, used, many))
    if len(kind) == 1:
        return lambda used, many: (
            comb(pool.count - used, many) * weight**many,
            shift * overlap(pool, used, many),
        )
    single = sum(face.weight << (face.value - least) * width for face in kind)
    power = cache(lambda many: single**many)
    return lambda used, many: (comb(pool.count - used, many) * power(many), 0)


def overlap(pool: ReadyGroup, used: int, many: int) -> int:
    """How many of the dice in places *used* and on count, in order from the lowest."""
    return max(0, min(used + many, pool.end) - max(used, pool.first))


def _change(
    part: _Part, pool: ReadyGroup, face: _Face, used: int, many: int
) -> Callable[[object], object] | None:
    """How what is known changes if *many* dice show a face and *used* are lower; None if it doesn't."""
    match part.kind:
        case ReadingKind.COUNT:
            kept = overlap(pool, used, many)
            is_one = kept and is_counted(part.sign, face.value, face.suit, part.against)
            return (lambda told: _whole(told) + kept) if is_one else None
        case ReadingKind.LOWEST:
            place = pool.first
        case ReadingKind.MIDDLE:
            place = (pool.first + pool.end - 1) // 2
        case ReadingKind.HIGHEST | ReadingKind.SUIT:
            place = pool.end - 1
        case ReadingKind.DOUBLES:
            kept = overlap(pool, used, many)
            return (lambda told: max(_whole(told), kept)) if kept > 1 else None
        case _:
            shown = (face.value,) * overlap(pool, used, many)
            return lambda told: (*(told if isinstance(told, tuple) else ()), *shown)
    if not used <= place < used + many or pool.first == pool.end:
        return None
    value = face.value * _SUITED + face.suit if part.kind is ReadingKind.SUIT else face.value
    return lambda _told: value
