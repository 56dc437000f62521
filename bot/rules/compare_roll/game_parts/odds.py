"""The exact chances of this game, for `/odds compare`."""

from typing import Literal

from pydantic import Field

from bot.rules.compare_roll.character.catalogue import default_difficulty, difficulty
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.resolution.two_d12s import CompareInputs, compare_odds
from bot.rules.kernel import Document, NamedTerm, Odds, OddsForm


class CompareOddsQuestion(Document):
    """The compare roll whose chances are wanted."""

    skill: int = Field(default=0, ge=0, le=5, description="Skill level; 0 is a Novice, who uses Luck")
    stat: int = Field(default=0, ge=-1, le=3, description="Stat bonus")
    luck: int = Field(default=0, ge=-1, le=3, description="Luck bonus, for a Novice")
    stress: int = Field(default=0, ge=0, le=3, description="Stress")
    high: int = Field(default=0, ge=0, le=5, description="High burned")
    difficulty: Literal["Trivial", "Normal", "Difficult", "Hard", "Impossible"] | None = Field(
        default=None, description="Difficulty (default: the campaign's)"
    )
    modifier: int = Field(default=0, ge=-20, le=20, description="The GM's modifier")


def answer_odds(question: CompareOddsQuestion) -> Odds:
    """The exact chance of each outcome under default settings."""
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
