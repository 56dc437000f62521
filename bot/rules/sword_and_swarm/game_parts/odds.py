"""The exact chances of this game, for `/odds swarm`."""

from typing import Literal

from pydantic import Field

from bot.rules.kernel import Document, Odds, OddsForm
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.resolution.attribute_tests import AttributeInputs, SwarmKind, attribute_odds
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute
from bot.rules.sword_and_swarm.resolution.edges import Edge
from bot.rules.sword_and_swarm.resolution.modifiers import LIMIT, Modifier
from bot.rules.sword_and_swarm.resolution.proficiency_tests import ProficiencyInputs, proficiency_odds

KINDS = {"own": SwarmKind.OWN, "opponent": SwarmKind.OPPONENT, "obstacle": SwarmKind.OBSTACLE}


class SwarmOddsQuestion(Document):
    """The test whose chances are wanted."""

    test: Literal["own", "opponent", "obstacle", "proficiency"] = Field(
        default="own",
        description="What is tested: your attribute, an opponent's, an obstacle or a proficiency",
    )
    attribute: int = Field(default=3, ge=0, le=HIGHEST, description="Value of the attribute or obstacle")
    bonus: int = Field(default=0, ge=-LIMIT, le=LIMIT, description="Sum of bonuses and penalties")
    edge: Literal["none", "advantage", "disadvantage"] = Field(
        default="none", description="Advantage or disadvantage (re-rolls are always taken)"
    )
    difficulty: int = Field(default=8, ge=1, le=60, description="Difficulty of a proficiency test")
    ranks: int = Field(default=0, ge=0, le=40, description="Ranks in the proficiency")


def answer_odds(question: SwarmOddsQuestion) -> Odds:
    """The exact chance of each result under default settings."""
    return answer_under(question, SwarmSettings())


def answer_under(question: SwarmOddsQuestion, settings: SwarmSettings) -> Odds:
    """The exact chance of each result under a campaign's settings.

    Source: SWARM-TEST-06, SWARM-CONF-06, SWARM-PROF-06.
    """
    modifiers = (Modifier(value=question.bonus),) if question.bonus else ()
    edge = Edge(question.edge)
    kind = KINDS.get(question.test)
    if kind is not None:
        return attribute_odds(
            AttributeInputs(
                kind=kind,
                name="it",
                value=question.attribute,
                modifiers=modifiers,
                edge=edge,
                confirm_when_impossible=settings.confirm_when_impossible,
            )
        )
    return proficiency_odds(
        ProficiencyInputs(
            proficiency="it",
            attribute=SwarmAttribute.RUNES,
            value=question.attribute,
            ranks=question.ranks,
            modifiers=modifiers,
            difficulty=question.difficulty,
            edge=edge,
        )
    )


ODDS = OddsForm(question=SwarmOddsQuestion, answer=answer_odds, answer_under=answer_under)
