"""Opposition: each defense die stops one attack die of its value or less."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    Die,
    Document,
    Family,
    NamedTerm,
    Odds,
    OpposingDie,
    Roll,
    RollRule,
    Term,
    Verdict,
)
from bot.rules.kernel.dice import Chance, Dice, Distribution
from bot.rules.kernel.outcome import counted, shown_number
from bot.rules.swim_class.pools import (
    IMPLICIT,
    SIDES,
    Counts,
    DiceGroup,
    PoolDie,
    Source,
    SwimPurpose,
    SwimSide,
    counts_words,
    effective_criticals,
    hit_ways,
    merged,
    shown_die,
)


class AttackDie(Document):
    """An attack die to be stopped."""

    name: str
    source: Source = Source.SKILL
    face: int = Field(ge=1, le=SIDES)
    value: int


class DefenceInputs(Document):
    """Everything that decides a defense, besides its dice."""

    skill: str  # the defending skill's displayed name
    attack: tuple[AttackDie, ...]  # the attack dice to be stopped
    aimed: int = Field(ge=0)  # how many dice were aimed, including those that missed their difficulty
    groups: tuple[DiceGroup, ...] = ()  # the defence dice, multiplied already where the attack was pushed
    terms: tuple[NamedTerm, ...] = ()  # the modifiers of the skill's own dice
    implicit_modifier: int = 0  # the modifier of implicit 1s
    factor: int = Field(default=1, ge=1)  # the hits that each attack die counts for
    cancels: int = Field(default=0, ge=0)  # criticals cancelled by implements
    counts: Counts = Counts.HITS  # what those hits are

    @property
    def size(self) -> int:
        """Defence dice rolled."""
        return sum(group.count for group in self.groups)

    @property
    def padding(self) -> int:
        """The number of implicit 1s: as many as the attack has more dice. [SWIM-OPP-04 (SWIM-R18)]"""
        return max(0, self.aimed - self.size)


class DefenceDie(Struct, frozen=True):
    """A defence die; an implicit 1 was never rolled."""

    value: int
    rolled: PoolDie | None = None


class Pairing(Struct, frozen=True):
    """The defense die that stopped each attack die, and the hits."""

    pairs: tuple[tuple[AttackDie, DefenceDie], ...]
    hits: tuple[AttackDie, ...]


def pair_off(attack: Sequence[AttackDie], defence: Sequence[DefenceDie]) -> Pairing:
    """The defender's best assignment: each attack die, highest first, to the smallest die that stops it.

    Among equals an artifact's attack die is stopped first, and a rolled defence die is used first.

    [SWIM-OPP-02, SWIM-OPP-03 (SWIM-R16, SWIM-R17)]
    """
    left = sorted(defence, key=lambda die: (die.value, die.rolled is None))
    pairs: list[tuple[AttackDie, DefenceDie]] = []
    hits: list[AttackDie] = []
    for die in sorted(attack, key=lambda die: (-die.value, die.source is not Source.ARTIFACT)):
        stopper = next((one for one in left if one.value >= die.value), None)
        if stopper is None:
            hits.append(die)
        else:
            left.remove(stopper)
            pairs.append((die, stopper))
    return Pairing(tuple(pairs), tuple(hits))


class Stopped(Struct, frozen=True, kw_only=True):
    """The result of a defense."""

    pairing: Pairing  # which die stopped which
    dice: tuple[PoolDie, ...]  # the rolled defense dice
    hits: int  # attack dice that got through, multiplied if the attack was pushed
    criticals: int  # natural 1s that count, if no attack die was stopped


def judge_defence(inputs: DefenceInputs, faces: Sequence[int]) -> Stopped:
    """The result of a defense. [SWIM-OPP-01 to SWIM-OPP-04, SWIM-OPP-06, SWIM-POOL-10]"""
    kinds = [group for group in inputs.groups for _ in range(group.count)]
    dice = tuple(
        PoolDie(group.name, group.source, face, group.modifier)
        for group, face in zip(kinds, faces, strict=True)
    )
    implicit = DefenceDie(IMPLICIT + inputs.implicit_modifier)
    defence = [*(DefenceDie(die.value, die) for die in dice), *[implicit] * inputs.padding]
    pairing = pair_off(inputs.attack, defence)
    has_failed = not pairing.pairs and bool(inputs.attack)
    ones = sum(die.face == 1 for die in dice)
    return Stopped(
        pairing=pairing,
        dice=dice,
        hits=len(pairing.hits) * inputs.factor,
        criticals=effective_criticals(ones, inputs.cancels) if has_failed else 0,
    )


def roll_defence(inputs: DefenceInputs, dice: Dice) -> Roll:
    """Roll all defense dice, and stop what they can stop."""
    stopped = judge_defence(inputs, [dice.roll(SIDES) for _ in range(inputs.size)])
    used = {id(stopper.rolled) for _attack, stopper in stopped.pairing.pairs}
    return Roll(
        rule=DEFENCE.key,
        inputs=inputs,
        dice=tuple(shown_die(die, is_kept=id(die) in used) for die in stopped.dice),
        terms=tuple(Term(f"{term.label} (each die)", term.value) for term in inputs.terms if term.value),
        against=" · ".join(str(die.value) for die in _ordered(inputs.attack)) or "nothing",
        verdict=hits_verdict(stopped.hits, inputs.counts),
        odds=defence_odds(inputs),
        outcome=_hits_name(stopped.hits, inputs.counts),
        facing=facing(stopped.pairing),
        purpose=SwimPurpose.DEFENSE,
    )


def facing(pairing: Pairing) -> tuple[OpposingDie, ...]:
    """The attack dice that got through, then those stopped, each beside what stopped it.

    [SWIM-OPP-02 to SWIM-OPP-04]
    """
    through = [OpposingDie(_attack_die(die), die.value) for die in pairing.hits]
    stopped = [
        OpposingDie(_attack_die(die), die.value, _defence_die(stopper), stopper.value)
        for die, stopper in pairing.pairs
    ]
    return (*through, *stopped)


def _attack_die(die: AttackDie) -> Die:
    return shown_die(PoolDie(die.name, die.source, die.face, die.value - die.face), is_kept=True)


def _defence_die(stopper: DefenceDie) -> Die:
    """A die that stopped an attack die; an implicit 1 is shown in brackets and has one side."""
    if stopper.rolled is None:
        return Die(sides=IMPLICIT, face=IMPLICIT, shown=f"({shown_number(stopper.value)})")
    return shown_die(stopper.rolled, is_kept=True)


def _ordered(attack: Sequence[AttackDie]) -> list[AttackDie]:
    return sorted(attack, key=lambda die: -die.value)


def hits_verdict(hits: int, counts: Counts) -> Verdict:
    """The verdict of an opposed attack."""
    return Verdict(Family.FAILURE if hits else Family.SUCCESS, _hits_name(hits, counts))


def _hits_name(hits: int, counts: Counts) -> str:
    if not hits:
        return "all stopped"
    words = counts_words(hits, counts)
    if counts is not Counts.SUCCESSES:
        return words
    return f"{words} {'gets' if hits == 1 else 'get'} through"  # else it might be the defender's success


def paired_words(pairing: Pairing, factor: int = 1) -> str:
    """The pairing in words: "5 stops 4, (1) stops 1 · 2 dice get through". [SWIM-OPP-02, SWIM-OPP-04]

    Args:
        pairing: Which die stopped which.
        factor: What each die counts for, where the attack was pushed.
    """
    pairs = [
        f"{stopper.value if stopper.rolled else f'({stopper.value})'} stops {die.value}"
        for die, stopper in pairing.pairs
    ]
    dice = counted(len(pairing.hits), "die gets", "dice get")
    each = f", counting {factor} each" if factor > 1 else ""
    parts = [", ".join(pairs), f"{dice} through{each}" if pairing.hits else ""]
    return " · ".join(part for part in parts if part) or "nothing to stop"


# --- chances -----------------------------------------------------------------------------------


def _ways(inputs: DefenceInputs) -> Distribution[int]:
    """The distribution of hits for the rolled attack."""
    return hit_ways(
        SwimSide(fixed=tuple(die.value for die in inputs.attack)),
        SwimSide(
            groups=merged((group.count, group.modifier) for group in inputs.groups),
            fixed=(IMPLICIT + inputs.implicit_modifier,) * inputs.padding,
        ),
    )


def expected_hits(inputs: DefenceInputs) -> Fraction:
    """The average hits that a defense lets through, for the rolled attack. [SWIM-OPP-05, SWIM-COMB-03]"""
    ways = _ways(inputs)
    return Fraction(sum(hits * cases for hits, cases in ways.ways.items()) * inputs.factor, ways.of)


def chance_of_hits(inputs: DefenceInputs, least: int) -> Fraction:
    """The chance that a defense lets at least *least* hits through."""
    return _ways(inputs).chance(lambda hits: hits * inputs.factor >= least).fraction


@lru_cache(maxsize=1024)
def defence_odds(inputs: DefenceInputs) -> Odds:
    """The exact chance of each number of hits, most first, for the rolled attack."""
    ways = _ways(inputs)
    chances = [
        (_hits_name(hits * inputs.factor, inputs.counts), Chance(ways.ways.get(hits, 0), ways.of))
        for hits in range(len(inputs.attack), -1, -1)
    ]
    return Odds(tuple(chances), _hits_name(0, inputs.counts))


DEFENCE = RollRule(key="defence", inputs=DefenceInputs, resolve=roll_defence, odds=defence_odds)


def could_fail_attacking(
    *, attack_modifier: int, defence_modifier: int, has_dice: bool, difficulty: int
) -> bool:
    """Whether an opposed attack could have failed. [SWIM-ADV-02 (SWIM-R23)]"""
    if difficulty - attack_modifier >= 2:
        return True
    best = (SIDES if has_dice else IMPLICIT) + defence_modifier
    return best >= 1 + attack_modifier


def could_fail_defending(*, attack_modifier: int, defence_modifier: int) -> bool:
    """Whether a defence could have failed. [SWIM-ADV-02 (SWIM-R23)]"""
    return SIDES + attack_modifier > IMPLICIT + defence_modifier
