"""The exact chances of this game, as `/odds` asks for them."""

from typing import Literal

from pydantic import Field

from bot.rules.compare_roll.character.catalogue import default_difficulty, difficulty
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.resolution.two_d12s import CompareInputs, compare_odds
from bot.rules.kernel import Document, NamedTerm, Odds, OddsForm


class CompareOddsQuestion(Document):
    """A compare roll to know the chances of."""

    skill: int = Field(default=0, ge=0, le=5, description="Level of the skill; 0 is a Novice, who uses Luck")
    stat: int = Field(default=0, ge=-1, le=3, description="Bonus of the stat")
    luck: int = Field(default=0, ge=-1, le=3, description="Bonus of Luck, for a Novice")
    stress: int = Field(default=0, ge=0, le=3, description="Stress")
    high: int = Field(default=0, ge=0, le=5, description="High burned on it")
    difficulty: Literal["Trivial", "Normal", "Difficult", "Hard", "Impossible"] | None = Field(
        default=None, description="The difficulty; the campaign's usual one where left out"
    )
    modifier: int = Field(default=0, ge=-20, le=20, description="What the GM adds")


def answer_odds(question: CompareOddsQuestion) -> Odds:
    """The exact chance of each outcome where a campaign has set nothing otherwise."""
    return answer_under(question, CompareSettings())


def answer_under(question: CompareOddsQuestion, settings: CompareSettings) -> Odds:
    """The exact chance of each outcome under a campaign's settings.

    Source: CMP-ROLL-01 to CMP-ROLL-08.
    """
    skill = question.skill or question.luck
    whole = skill + question.stat - question.stress + question.high + question.modifier
    named = question.difficulty
    number = (difficulty(settings, named) if named else default_difficulty(settings)).number
    terms = (NamedTerm(label="all", value=whole),)
    return compare_odds(CompareInputs(terms=terms, difficulty=number))


ODDS = OddsForm(question=CompareOddsQuestion, answer=answer_odds, answer_under=answer_under)
