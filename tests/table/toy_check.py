"""The toy game's only kind of roll: a d6 at or below a number."""

from enum import StrEnum

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance


class Purpose(StrEnum):
    CHECK = "check"
    WRESTLE = "wrestling"


class CheckInputs(Document):
    target: int


SUCCESS, FAILURE = Verdict(Family.SUCCESS, "success"), Verdict(Family.FAILURE, "failure")


def check_odds(inputs: CheckInputs) -> Odds:
    good = min(6, max(0, inputs.target))
    return Odds((("failure", Chance(6 - good, 6)), ("success", Chance(good, 6))), needed="success")


def resolve_check(inputs: CheckInputs, dice: Dice) -> Roll:
    face = dice.roll(6)
    verdict = SUCCESS if face <= inputs.target else FAILURE
    return Roll(
        rule="check",
        inputs=inputs,
        dice=(Die(sides=6, face=face),),
        total=face,
        against=f"{inputs.target}−",
        verdict=verdict,
        odds=check_odds(inputs),
        outcome=verdict.title,
        purpose=Purpose.CHECK,
    )


CHECK = RollRule("check", CheckInputs, resolve_check, check_odds)
