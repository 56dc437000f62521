"""A free roll as a roll like any other: journalled, shown and computed again like the rulesets' own."""

from pydantic import Field

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation.distribution import NoDistribution, distribution
from bot.rules.shared.notation.roll import roll
from bot.rules.shared.notation.rolled import Rolled
from bot.rules.shared.notation.show import shown


class FreeRollInputs(Document):
    """What somebody typed to roll."""

    expression: str = Field(max_length=500)


def free_roll(inputs: FreeRollInputs, dice: Dice) -> Roll:
    """Roll an expression.

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
        odds=_odds_around(rolled),
        outcome="this",
        purpose="roll",
    )


def _odds_around(rolled: Rolled) -> Odds | None:
    """The chances of less, of just this, and of more; None where there is no exact distribution."""
    found = distribution(rolled.term)
    if isinstance(found, NoDistribution):
        return None
    least, this = found.at_least(rolled.total), found.exactly(rolled.total)
    less = Chance(least.of - least.ways, least.of)
    more = least.fraction - this.fraction
    return Odds(
        (("less", less), ("this", this), ("more", Chance(more.numerator, more.denominator))), needed="this"
    )


FREE_ROLL = RollRule(key="notation", inputs=FreeRollInputs, resolve=free_roll)
