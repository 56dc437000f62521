"""A free roll as a roll like any other: journalled, shown and computed again like the rulesets' own."""

from pydantic import Field

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation.distribution import NoDistribution, TotalOdds, distribution
from bot.rules.shared.notation.parser import parse
from bot.rules.shared.notation.roll import roll
from bot.rules.shared.notation.show import shown


class FreeRollInputs(Document):
    """What somebody typed to roll."""

    expression: str = Field(max_length=500)


def free_roll(inputs: FreeRollInputs, dice: Dice) -> Roll:
    """Roll an expression, and count its chances.

    Raises:
        UserError: If it cannot be read or is too much.
    """
    return free_roll_among(inputs, dice, distribution(parse(inputs.expression)))


def free_roll_among(inputs: FreeRollInputs, dice: Dice, found: TotalOdds | NoDistribution) -> Roll:
    """Roll an expression whose chances were counted before.

    Args:
        inputs: The expression.
        dice: Where the faces come from.
        found: The chances of its totals, if there are any.

    Raises:
        UserError: If it cannot be read or is too much.
    """
    rolled = roll(inputs.expression, dice)
    return Roll(
        rule=FREE_ROLL.key,
        inputs=inputs,
        dice=tuple(Die(sides=fall.sides, face=fall.face) for fall in rolled.throws),
        total=rolled.total,
        verdict=Verdict(Family.NEWS, shown(rolled.value)),
        odds=_odds_around(rolled.total, found),
        outcome="this",
        purpose="roll",
    )


def _odds_around(total: int, found: TotalOdds | NoDistribution) -> Odds | None:
    """The chances of less, of just this, and of more; None where there is no exact distribution."""
    if isinstance(found, NoDistribution):
        return None
    least, this = found.at_least(total), found.exactly(total)
    less = Chance(least.of - least.ways, least.of)
    more = least.fraction - this.fraction
    return Odds(
        (("less", less), ("this", this), ("more", Chance(more.numerator, more.denominator))), needed="this"
    )


FREE_ROLL = RollRule(key="notation", inputs=FreeRollInputs, resolve=free_roll)
