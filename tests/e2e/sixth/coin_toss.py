"""Coin Toss: the smallest ruleset, with one attribute and one roll."""

from pydantic import Field

from bot.rules.kernel import (
    Die,
    Document,
    Family,
    Odds,
    OddsForm,
    Roll,
    RollRule,
    Ruleset,
    RuleText,
    Verdict,
    by_fields,
    rolls_of,
)
from bot.rules.kernel.dice import Chance, Dice


class Sheet(Document):
    """How many coins a character tosses."""

    coins: int = Field(
        ge=1, le=3, title="How many coins?", description="How many coins are tossed; the best one counts."
    )


def odds(sheet: Sheet) -> Odds:
    """Return the chances of a toss."""
    cases: int = 2**sheet.coins
    return Odds((("tails", Chance(1, cases)), ("heads", Chance(cases - 1, cases))), needed="heads")


def toss(sheet: Sheet, dice: Dice) -> Roll:
    """Toss the coins; one that shows heads is enough."""
    faces = [dice.roll(2) for _ in range(sheet.coins)]
    side = "heads" if 2 in faces else "tails"
    return Roll(
        rule="toss",
        inputs=sheet,
        dice=tuple(Die(sides=2, face=face) for face in faces),
        verdict=Verdict(Family.SUCCESS if side == "heads" else Family.FAILURE, side),
        odds=odds(sheet),
        outcome=side,
    )


TOSS = RollRule(key="toss", inputs=Sheet, resolve=toss, odds=odds, does="tosses")
RULESET = Ruleset[Sheet](
    key="coin_toss",
    title="Coin Toss",
    command="coin",
    credit="Nobody in particular",
    sheet=Sheet,
    rolls=rolls_of(TOSS),
    creation=by_fields(Sheet, {"Penny": Sheet(coins=2)}),
    odds=OddsForm[Sheet](question=Sheet, answer=odds),
    glossary=(RuleText(("COIN-01",), "Tossing", "Toss your coins; one head is enough."),),
)
