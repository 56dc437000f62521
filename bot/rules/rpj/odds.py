"""The exact chances of this game, as `/odds` asks for them."""

from pydantic import Field

from bot.rules.odds import Chance, Distribution
from bot.rules.rpj.check_inputs import CheckInputs, NamedTerm
from bot.rules.rpj.checks import check_odds
from bot.rules.rpj.criticals import CriticalMode, CriticalRules
from bot.rules.ruleset import Document, Odds, OddsForm


class OddsQuestion(Document):
    """A check to know the chances of."""

    level: int = Field(default=0, ge=-10, le=30, description="Effective level, or attribute level or bonus")
    target: int = Field(default=7, ge=-10, le=40, description="Target number: 7 and the difficulty")
    bonus: int = Field(default=0, ge=-20, le=20, description="Bonuses less penalties")
    lucky_break: bool = Field(default=False, description="Spend a Lucky Break: best two of three dice")
    criticals: CriticalMode = Field(default=CriticalMode.NORMAL, description="How often criticals come")


def answer_odds(question: OddsQuestion) -> Odds:
    """The exact chance of each result of a skill check.

    Source: RPJ-DICE-10.
    """
    terms = (NamedTerm(label="level", value=question.level), NamedTerm(label="bonus", value=question.bonus))
    return check_odds(
        CheckInputs(
            terms=terms,
            difficulty=question.target - 7,
            has_extra_die=question.lucky_break,
            criticals=CriticalRules(mode=question.criticals),
        )
    )


ODDS = OddsForm(question=OddsQuestion, answer=answer_odds)


def sum_chance(least: int, *, with_lucky_break: bool = False) -> Chance:
    """The chance that the dice alone come to so much or more.

    Args:
        least: The sum that two dice must reach.
        with_lucky_break: Best two of three dice.

    Source: RPJ-DICE-10, RPJ-LUCK-02.
    """
    faces = range(1, 7)
    if with_lucky_break:
        throws = [(a + b + c - min(a, b, c), 1) for a in faces for b in faces for c in faces]
    else:
        throws = [(a + b, 1) for a in faces for b in faces]
    return Distribution.counted(throws).chance(lambda sum_: sum_ >= least)
