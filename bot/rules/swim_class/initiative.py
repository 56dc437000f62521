"""Initiative: everyone's dice, the resulting order, and re-rolls of ties."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from bot.rules.kernel import Die, Document, Family, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.wording import shown_number
from bot.rules.swim_class.hit_odds import SIDES
from bot.rules.swim_class.pools import PIPS, PoolDie, Source, SwimPurpose, shown_die


class Contestant(Document):
    """A combatant who rolls for initiative, with the dice and their modifier."""

    name: str
    dice: int = Field(ge=0, le=1000)
    modifier: int = 0


def roll_initiative(inputs: Contestant, dice: Dice) -> Roll:
    """Roll one contestant's dice for initiative. [SWIM-COMB-15 (SWIM-R57)]"""
    faces = [dice.roll(SIDES) for _ in range(inputs.dice)]
    fallen = [PoolDie(inputs.name, Source.SKILL, face, inputs.modifier) for face in faces]
    values = " ".join(shown_number(die.value) for die in sorted(fallen, key=lambda die: -die.value))
    return Roll(
        rule=INITIATIVE.key,
        inputs=inputs,
        dice=tuple(shown_die(die, is_kept=True) for die in fallen),
        verdict=Verdict(Family.NEWS, f"initiative {values}"),
        purpose=SwimPurpose.INITIATIVE,
    )


INITIATIVE = RollRule(key="initiative_dice", inputs=Contestant, resolve=roll_initiative)


@dataclass(frozen=True, slots=True)
class SwimPlaced:
    """A contestant's place in the order."""

    contestant: int  # index of the contestant
    values: tuple[int, ...]  # the dice with their modifier, highest first


@dataclass(frozen=True, slots=True)
class SwimRolled:
    """One roll of a contestant; tied contestants have several."""

    contestant: int
    roll: Roll
    is_again: bool


def order_of(
    contestants: Sequence[Contestant], dice: Dice
) -> tuple[tuple[SwimPlaced, ...], tuple[SwimRolled, ...]]:
    """Roll for initiative until everyone has a place. [SWIM-COMB-15 (SWIM-R57)]

    The dice are compared from the highest down, missing ones as 0; contestants who tie completely
    re-roll among themselves.

    Returns:
        The places, first to act first, and every roll in order.
    """
    rolls: list[SwimRolled] = []

    def values_of(place: int, *, is_again: bool) -> tuple[int, ...]:
        one = contestants[place]
        if not one.dice:
            return ()
        roll = roll_initiative(one, dice)
        rolls.append(SwimRolled(place, roll, is_again))
        return tuple(sorted((die.face + one.modifier for die in roll.dice), reverse=True))

    def ordered(places: Sequence[int], *, is_again: bool = False) -> list[SwimPlaced]:
        rolled = {place: values_of(place, is_again=is_again) for place in places}
        found: list[SwimPlaced] = []
        for values in sorted(set(rolled.values()), reverse=True):
            tied = [place for place in places if rolled[place] == values]
            if len(tied) > 1 and values:
                tied = [one.contestant for one in ordered(tied, is_again=True)]
            found += [SwimPlaced(place, values) for place in tied]
        return found

    return tuple(ordered(range(len(contestants)))), tuple(rolls)


# --- everybody's dice in one roll, as older journals hold them ---------------------------------


class InitiativeInputs(Document):
    """Who rolls for initiative, in the order of rolling."""

    contestants: tuple[Contestant, ...]


def roll_all_initiative(inputs: InitiativeInputs, dice: Dice) -> Roll:
    """Roll for initiative, everybody in turn. [SWIM-COMB-15]"""
    places, rolled = order_of(inputs.contestants, dice)
    names = [inputs.contestants[one.contestant].name for one in places]
    faces = [die.face for one in rolled for die in one.roll.dice]
    return Roll(
        rule=ALL_INITIATIVE.key,
        inputs=inputs,
        dice=tuple(Die(sides=SIDES, face=face, shown=PIPS[face - 1]) for face in faces),
        verdict=Verdict(Family.NEWS, ", ".join(names)),
        purpose=SwimPurpose.INITIATIVE,
    )


ALL_INITIATIVE = RollRule(key="initiative", inputs=InitiativeInputs, resolve=roll_all_initiative)
