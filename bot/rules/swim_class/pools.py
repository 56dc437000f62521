"""How many attack dice get through the best defence: exact, without going through all cases."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from math import comb, prod

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import Die, Document, Family, NamedTerm, Odds, Roll, RollRule, Term, Verdict
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.kernel.outcome import counted, shown_number

SIDES = 6
IMPLICIT = 1


class SwimSide(Struct, frozen=True):
    """Dice of one side of an opposed roll."""

    groups: tuple[tuple[int, int], ...] = ()  # of each kind of dice how many, and their modifier
    fixed: tuple[int, ...] = ()  # values that are known already
    lowest: int = 1  # the lowest face that is counted; others are left out of the cases


def merged(groups: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Kinds of dice, those with the same modifier as one kind."""
    counts: defaultdict[int, int] = defaultdict(int)
    for count, modifier in groups:
        counts[modifier] += count
    return tuple((count, modifier) for modifier, count in counts.items() if count)


def effort(attack: SwimSide, defence: SwimSide) -> int:
    """About how much there is to count: what takes a tenth of a second is about 1,500."""
    counts = [count for count, _modifier in (*attack.groups, *defence.groups)]
    return prod(count + 1 for count in counts) * sum(count for count, _modifier in attack.groups)


class _Kind(Struct, frozen=True):
    """One kind of dice in a state.

    A state is one number: the most by which the attack was ahead so far, and how many dice of each kind are
    left, each in a place of its own (as the digits of a number are).
    """

    count: int  # how many there are
    modifier: int  # what is added to each
    lowest: int  # their lowest face that is counted
    place: int  # what one die left is worth in a state
    sign: int  # 1 for attack dice, -1 for defence dice

    def left(self, state: int) -> int:
        """How many of them have not shown their face yet."""
        return state // self.place % (self.count + 1)

    def faces_below(self, value: int) -> int:
        """How many of their faces come to less than a value, as long as any of them are left."""
        return min(SIDES, value - 1 - self.modifier) - self.lowest + 1


def _kinds(attack: SwimSide, defence: SwimSide, place: int) -> Iterator[_Kind]:
    for side, sign in ((attack, 1), (defence, -1)):
        for count, modifier in side.groups:
            yield _Kind(count, modifier, side.lowest, place, sign)
            place *= count + 1


@lru_cache(maxsize=512)
def hit_ways(attack: SwimSide, defence: SwimSide, difficulty: int | None = None) -> Distribution[int]:
    """In how many cases so many attack dice get through the best defence. [SWIM-TASK-13, SWIM-OPP-03]

    The dice are counted from the highest value down. What gets through is the most by which, at any
    value, the attack dice of that value or more outnumber such defence dice.

    Args:
        attack: The attack dice.
        defence: The defence dice, implicit 1s among its fixed values.
        difficulty: What an attack die must reach besides, or None.
    """
    most = len(attack.fixed) + sum(count for count, _modifier in attack.groups)
    kinds = tuple(_kinds(attack, defence, most + 1))
    top = max([*attack.fixed, *(kind.modifier + SIDES for kind in kinds)], default=0)
    bottom = min(
        [*attack.fixed, *(modifier + attack.lowest for _count, modifier in attack.groups)], default=top
    )
    bottom = bottom if difficulty is None else max(bottom, difficulty)
    states = {sum(kind.count * kind.place for kind in kinds): 1}
    for value in range(top, bottom - 1, -1):
        for kind in kinds:
            if kind.lowest <= value - kind.modifier <= SIDES:
                states = _thrown(states, kind, is_last=value - kind.modifier == kind.lowest)
        known = sum(one >= value for one in attack.fixed) - sum(one >= value for one in defence.fixed)
        states = _compared(states, kinds, most + 1, known)
    ways: defaultdict[int, int] = defaultdict(int)
    for state, cases in states.items():
        ways[state % (most + 1)] += cases * prod(
            kind.faces_below(bottom) ** kind.left(state) for kind in kinds
        )
    all_cases = prod((SIDES + 1 - kind.lowest) ** kind.count for kind in kinds)
    return Distribution({hits: cases for hits, cases in sorted(ways.items()) if cases}, all_cases)


def _thrown(states: dict[int, int], kind: _Kind, *, is_last: bool) -> dict[int, int]:
    """Let any number of the dice left of a kind show the next value, or all where it is their last."""
    after: defaultdict[int, int] = defaultdict(int)
    ways_of = [[comb(count, shown) for shown in range(count + 1)] for count in range(kind.count + 1)]
    for state, cases in states.items():
        left = kind.left(state)
        if is_last:
            after[state - left * kind.place] += cases
            continue
        for ways in ways_of[left]:
            after[state] += cases * ways
            state -= kind.place
    return after


def _compared(states: dict[int, int], kinds: Sequence[_Kind], size: int, known: int) -> dict[int, int]:
    """Note by how many the attack outnumbers the defence so far."""
    after: defaultdict[int, int] = defaultdict(int)
    aheads: dict[int, int] = {}
    for state, cases in states.items():
        worst = state % size
        rest = state - worst
        if rest not in aheads:
            aheads[rest] = known + sum(kind.sign * (kind.count - kind.left(rest)) for kind in kinds)
        after[rest + max(worst, aheads[rest])] += cases
    return after


def good_faces(difficulty: int, modifier: int) -> int:
    """How many faces of a die score. [SWIM-TASK-13]"""
    return min(SIDES, max(0, SIDES + 1 - (difficulty - modifier)))


def scoring_ways(groups: Sequence[tuple[int, int]], difficulty: int) -> list[int]:
    """In how many of all cases none, one, two ... dice score. [SWIM-TASK-13]

    Args:
        groups: Of each kind of dice how many, and their modifier.
        difficulty: What a die must reach.
    """
    ways = [1]
    for count, modifier in groups:
        good = good_faces(difficulty, modifier)
        own = [comb(count, k) * good**k * (SIDES - good) ** (count - k) for k in range(count + 1)]
        joined = [0] * (len(ways) + count)
        for before, these in enumerate(ways):
            for k, more in enumerate(own):
                joined[before + k] += these * more
        ways = joined
    return ways


class SwimPurpose(StrEnum):
    """The purpose of a roll, shown in front of its dice."""

    CHECK = "check"
    ATTACK = "attack"
    CONTEST = "contest"
    DEFENSE = "defense"
    INITIATIVE = "initiative"
    TIE = "tie-break"
    GEAR = "gear"
    CARRYING = "carrying"
    MOVEMENT = "movement"
    SPELL = "spell"
    BUILD_UP = "build-up"
    STABILIZING = "stabilizing"
    COMPOSURE = "Composure"
    PHYSICAL = "physical recovery"
    MENTAL = "mental recovery"
    SOCIAL = "social recovery"


WHOLE = 4  # quarters of one progress, because focusing halves and quarters it


class Counts(StrEnum):
    """What each attack die that gets through counts for."""

    HITS = "hits"
    SQUARES = "squares"
    SUCCESSES = "successes"


_SINGULAR = {Counts.HITS: "hit", Counts.SQUARES: "square", Counts.SUCCESSES: "success"}


def counts_words(number: int, counts: Counts) -> str:
    """A number of what gets through: "2 hits"."""
    return counted(number, _SINGULAR[counts], counts)


def capitalized(sentence: str) -> str:
    """A sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def quarter_words(quarters: int) -> str:
    """A number of quarters as text: "1½"."""
    whole, rest = divmod(quarters, WHOLE)
    fraction = ("", "¼", "½", "¾")[rest]
    return f"{whole or ''}{fraction}" if fraction else str(whole)


def progress_words(quarters: int) -> str:
    """Progress in words."""
    return f"{quarter_words(quarters)} progress"


MOST_DICE = 240
PIPS = "⚀⚁⚂⚃⚄⚅"


class Source(StrEnum):
    """The source of dice, which are marked accordingly. [SWIM-TASK-10]"""

    SKILL = "skill"
    ARTIFACT = "artifact"
    ADDED = "added"


MARKS = {Source.ARTIFACT: "✦", Source.ADDED: "＋"}


class DiceGroup(Document):
    """Dice of one kind in a pool."""

    name: str  # the skill or the artifact they come from
    source: Source = Source.SKILL  # whose dice they are
    count: int = Field(ge=0, le=MOST_DICE)  # how many dice
    modifier: int = 0  # the modifier of each die


class BankedDie(Document):
    """A die that was rolled in an earlier round of a build-up."""

    name: str
    source: Source
    face: int = Field(ge=1, le=SIDES)
    modifier: int = 0


class SwimPoolInputs(Document):
    """Everything that decides a pool, besides its dice."""

    skill: str  # the rolled skill's displayed name
    groups: tuple[DiceGroup, ...]
    banked: tuple[BankedDie, ...] = ()  # dice of earlier rounds
    terms: tuple[NamedTerm, ...] = ()  # the modifiers of the skill's own dice
    difficulty: int = 1  # the number a die must reach, after pushing or focusing
    # Quarters of progress per scoring die: 4, more if pushed, fewer if focused.
    quarters: int = Field(default=WHOLE, ge=1)
    needed: int | None = Field(default=None, ge=1)  # the progress needed, or None for no limit
    at_once: bool = False  # whether this roll must reach it alone
    done: int = Field(default=0, ge=0)  # quarters scored before
    cancels: int = Field(default=0, ge=0)  # criticals cancelled by implements
    is_opposed: bool = False  # whether it is opposed, and so judged elsewhere
    is_automatic: bool = False  # whether every die scores without a roll
    unfinished_fails: bool = False  # whether a roll that does not finish a task counts as failed
    first_counts: bool = False  # whether the first critical counts
    # Dice of the target's best defense, or None.
    foe_dice: int | None = Field(default=None, ge=0, le=MOST_DICE)
    foe_modifier: int = 0  # the modifier of each of those dice and each implicit 1
    foe_groups: tuple[DiceGroup, ...] = ()  # the same dice by kind
    die_hits: int = Field(default=1, ge=1)  # hits per die that gets through
    counts: Counts = Counts.HITS  # what those hits are
    are_banked_shown: bool = False  # whether dice of earlier rounds are shown with the others

    @property
    def size(self) -> int:
        """Dice rolled now."""
        return sum(group.count for group in self.groups)


class PoolDie(Struct, frozen=True):
    """One die of a pool with its modifier."""

    name: str
    source: Source
    face: int
    modifier: int

    @property
    def value(self) -> int:
        """The face with its modifier. [SWIM-TASK-07 (SWIM-R10)]"""
        return self.face + self.modifier


class Judged(Struct, frozen=True, kw_only=True):
    """The result of a pool."""

    dice: tuple[PoolDie, ...]  # every die, banked ones first
    scores: tuple[bool, ...]  # whether each die meets the difficulty
    quarters: int  # quarters of a progress scored
    has_succeeded: bool  # whether it succeeded; an opposed one is judged elsewhere
    is_done: bool  # whether the needed progress is reached
    ones: int  # natural 1s
    criticals: int  # natural 1s that count

    @property
    def progress(self) -> int:
        """Whole progress of this roll alone (SWIM-R41)."""
        return self.quarters // WHOLE


def effective_criticals(ones: int, cancels: int, *, first_counts: bool = False) -> int:
    """How many natural 1s of a failed roll count: all but the first and those cancelled.

    [SWIM-TASK-08 (SWIM-R12), SWIM-IMPL-02]
    """
    return max(0, ones - (0 if first_counts else 1) - cancels)


def pool_dice(inputs: SwimPoolInputs, faces: Sequence[int]) -> tuple[PoolDie, ...]:
    """The rolled dice of a pool, those of earlier rounds first."""
    banked = [PoolDie(die.name, die.source, die.face, die.modifier) for die in inputs.banked]
    kinds = [group for group in inputs.groups for _ in range(group.count)]
    rolled = [
        PoolDie(group.name, group.source, face, group.modifier)
        for group, face in zip(kinds, faces, strict=True)
    ]
    return (*banked, *rolled)


def judge(inputs: SwimPoolInputs, faces: Sequence[int]) -> Judged:
    """The result of a pool.

    Args:
        faces: How its dice fell; none where it is automatic.

    [SWIM-TASK-02 to SWIM-TASK-04, SWIM-TASK-06, SWIM-TASK-08 (SWIM-R07, SWIM-R11, SWIM-R13)]
    """
    if inputs.is_automatic:
        sure = sum(die.face + die.modifier >= inputs.difficulty for die in inputs.banked)
        return _judged(inputs, (), (), (inputs.size + sure) * inputs.quarters)
    dice = pool_dice(inputs, faces)
    scores = tuple(die.value >= inputs.difficulty for die in dice)
    return _judged(inputs, dice, scores, sum(scores) * inputs.quarters)


def _judged(
    inputs: SwimPoolInputs, dice: tuple[PoolDie, ...], scores: tuple[bool, ...], quarters: int
) -> Judged:
    is_done = inputs.needed is not None and _is_done(inputs, quarters)
    must_finish = inputs.needed is not None and (inputs.at_once or inputs.unfinished_fails)
    has_succeeded = is_done if must_finish else quarters > 0
    ones = sum(die.face == 1 for die in dice)
    criticals = (
        0 if has_succeeded else effective_criticals(ones, inputs.cancels, first_counts=inputs.first_counts)
    )
    return Judged(
        dice=dice,
        scores=scores,
        quarters=quarters,
        has_succeeded=has_succeeded,
        is_done=is_done,
        ones=ones,
        criticals=criticals,
    )


def _is_done(inputs: SwimPoolInputs, quarters: int) -> bool:
    """Whether the needed progress is reached; a roll on its own counts only whole progress."""
    needed = inputs.needed or 0
    if inputs.at_once:
        return quarters // WHOLE >= needed
    return inputs.done + quarters >= needed * WHOLE


def best_progress(inputs: SwimPoolInputs) -> int:
    """The most quarters of progress that a pool can reach. [SWIM-TASK-03, SWIM-TASK-13]"""
    able = sum(group.count for group in inputs.groups if good_faces(inputs.difficulty, group.modifier))
    sure = sum(die.face + die.modifier >= inputs.difficulty for die in inputs.banked)
    return ((inputs.size if inputs.is_automatic else able) + sure) * inputs.quarters


def roll_pool(inputs: SwimPoolInputs, dice: Dice) -> Roll:
    """Roll every die of a pool, group after group. [SWIM-TASK-01]"""
    return told_roll(inputs, judge(inputs, roll_faces(inputs, dice)))


def roll_faces(inputs: SwimPoolInputs, dice: Dice) -> list[int]:
    """Roll the dice of a pool, group after group."""
    return [dice.roll(SIDES) for _ in range(inputs.size)]


def told_roll(inputs: SwimPoolInputs, judged: Judged) -> Roll:
    """A pool that was rolled and judged, in the shape of every roll."""
    fresh = len(inputs.banked)
    all_count = inputs.is_opposed and inputs.difficulty <= 1
    shown = [
        shown_die(die, is_kept=scores or all_count)
        for die, scores in zip(judged.dice, judged.scores, strict=True)
    ]
    earlier = [dataclasses.replace(die, shown=f"[{die.shown}]") for die in shown[:fresh]]
    return Roll(
        rule=(ATTACK if inputs.is_opposed else POOL).key,
        inputs=inputs,
        dice=tuple(shown[fresh:]),
        earlier=tuple(earlier) if inputs.are_banked_shown else (),
        terms=tuple(Term(f"{term.label} (each die)", term.value) for term in inputs.terms if term.value),
        against="" if all_count else f"{inputs.difficulty}+ a die",
        verdict=_verdict(inputs, judged),
        odds=_shown_odds(inputs),
        outcome=None if inputs.is_opposed else _result_name(inputs, sum(judged.scores), judged.quarters),
        purpose=SwimPurpose.ATTACK if inputs.is_opposed else SwimPurpose.CHECK,
    )


def _shown_odds(inputs: SwimPoolInputs) -> Odds | None:
    if not inputs.is_opposed:
        return pool_odds(inputs)
    return None if inputs.foe_dice is None else attack_odds(inputs)


def shown_die(die: PoolDie, *, is_kept: bool) -> Die:
    """A die as shown: its face, and its value if a modifier changes it. [SWIM-TASK-07, SWIM-TASK-10]"""
    is_borrowed = die.source is not Source.SKILL
    pips = f"{MARKS[die.source]}{PIPS[die.face - 1]}" if is_borrowed else PIPS[die.face - 1]
    return Die(
        sides=SIDES,
        face=die.face,
        label=die.name,
        is_kept=is_kept,
        is_borrowed=is_borrowed,
        shown=f"{pips}→{shown_number(die.value)}" if die.modifier else pips,
        value=die.value if die.modifier else None,
    )


def _verdict(inputs: SwimPoolInputs, judged: Judged) -> Verdict:
    if inputs.is_opposed:
        strikes = sum(judged.scores)
        return Verdict(Family.NEWS, f"{counted(strikes, 'die', 'dice')} to stop")
    return pool_verdict(inputs, judged)


def pool_verdict(inputs: SwimPoolInputs, judged: Judged) -> Verdict:
    """The verdict of an unopposed pool."""
    automatic = ", automatic" if inputs.is_automatic else ""
    if inputs.needed is None:
        family = Family.SUCCESS if judged.quarters else Family.FAILURE
        return Verdict(family, f"{progress_words(judged.quarters)}{automatic}")
    if inputs.at_once:
        title = f"{progress_words(judged.quarters)} of {inputs.needed}"
        family = Family.SUCCESS if judged.is_done else Family.FAILURE
        return Verdict(family, f"{'success' if judged.is_done else 'fails'}, {title}{automatic}")
    if judged.is_done:
        return Verdict(Family.SUCCESS, f"done, {inputs.needed} of {inputs.needed}{automatic}")
    total = quarter_words(inputs.done + judged.quarters)
    family = Family.PARTIAL if judged.quarters else Family.FAILURE
    return Verdict(family, f"{total} of {inputs.needed}{automatic}")


# --- chances -----------------------------------------------------------------------------------

FAILS, SUCCEEDS, NOTHING, ON, DONE = "fails", "succeeds", "nothing", "moves on", "done"


def _result_name(inputs: SwimPoolInputs, scoring: int, quarters: int) -> str:
    if inputs.needed is None:
        return counted(scoring, "die scores", "dice score")
    if inputs.at_once:
        return SUCCEEDS if _is_done(inputs, quarters) else FAILS
    if _is_done(inputs, quarters):
        return DONE
    return ON if quarters else NOTHING


@lru_cache(maxsize=1024)
def pool_odds(inputs: SwimPoolInputs) -> Odds:
    """The exact chance of each result, worst first. [SWIM-TASK-13]"""
    ways = scoring_ways([(group.count, group.modifier) for group in inputs.groups], inputs.difficulty)
    sure = sum(die.face + die.modifier >= inputs.difficulty for die in inputs.banked)
    named: dict[str, int] = {}
    if inputs.needed is not None:
        named = dict.fromkeys((FAILS, SUCCEEDS) if inputs.at_once else (NOTHING, ON, DONE), 0)
    for scoring, cases in enumerate(ways, start=sure):
        name = _result_name(inputs, scoring, scoring * inputs.quarters)
        named[name] = named.get(name, 0) + cases
    of = SIDES**inputs.size
    chances = tuple((name, Chance(cases, of)) for name, cases in named.items())
    return Odds(chances, _needed_name(inputs, sure))


def _needed_name(inputs: SwimPoolInputs, sure: int) -> str | None:
    """The result that is enough, or None for a task that adds up."""
    if inputs.needed is None:
        return counted(max(1, sure), "die scores", "dice score")
    return SUCCEEDS if inputs.at_once else None


POOL = RollRule(key="pool", inputs=SwimPoolInputs, resolve=roll_pool, odds=pool_odds)


def attack_sides(inputs: SwimPoolInputs) -> tuple[SwimSide, SwimSide]:
    """The attack dice, and the defense dice in its inputs."""
    banked = tuple(die.face + die.modifier for die in inputs.banked)
    aimed, foe_dice = inputs.size + len(banked), inputs.foe_dice or 0
    padding = (IMPLICIT + inputs.foe_modifier,) * max(0, aimed - foe_dice)
    kinds = merged((group.count, group.modifier) for group in inputs.foe_groups)
    defence = SwimSide(kinds or (((foe_dice, inputs.foe_modifier),) if foe_dice else ()), padding)
    fixed = tuple(value for value in banked if value >= inputs.difficulty)
    return SwimSide(merged((group.count, group.modifier) for group in inputs.groups), fixed), defence


@lru_cache(maxsize=512)
def attack_ways(inputs: SwimPoolInputs) -> Distribution[int]:
    """The exact distribution of an attack's hits. [SWIM-TASK-13]"""
    ways = hit_ways(*attack_sides(inputs), inputs.difficulty)
    return Distribution({hits * inputs.die_hits: cases for hits, cases in ways.ways.items()}, ways.of)


@lru_cache(maxsize=512)
def attack_odds(inputs: SwimPoolInputs) -> Odds:
    """The exact chance of each number of hits, fewest first; nothing where several defend (SWIM-TASK-13)."""
    if inputs.foe_dice is None:
        return Odds(())
    ways = attack_ways(inputs)

    def words(hits: int) -> str:
        return counts_words(hits, inputs.counts)

    chances = [(words(hits), Chance(cases, ways.of)) for hits, cases in ways.ways.items()]
    least = min((hits for hits in ways.ways if hits >= (inputs.needed or 1)), default=None)
    if least is None and inputs.foe_groups:
        least = inputs.needed or 1
        chances.append((words(least), Chance(0, ways.of)))
    return Odds(tuple(chances), None if least is None else words(least))


ATTACK = RollRule(key="attack", inputs=SwimPoolInputs, resolve=roll_pool, odds=attack_odds)
