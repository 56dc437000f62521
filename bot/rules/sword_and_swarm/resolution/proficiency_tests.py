"""Proficiency tests: 2d6 + an attribute's modifier + ranks against a difficulty."""

from enum import StrEnum
from functools import lru_cache

from pydantic import Field

from bot.rules.kernel import Die, Document, Family, Odds, Roll, RollRule, Term, Verdict
from bot.rules.kernel import odds as exact
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance
from bot.rules.kernel.wording import shown_number
from bot.rules.sword_and_swarm.resolution.attribute_values import (
    HIGHEST,
    SwarmAttribute,
    proficiency_modifier,
)
from bot.rules.sword_and_swarm.resolution.edges import Edge, attempts, with_edge
from bot.rules.sword_and_swarm.resolution.modifiers import Modifier, net, terms
from bot.rules.sword_and_swarm.resolution.purposes import SwarmPurpose
from bot.rules.sword_and_swarm.resolution.tables import DIFFICULTIES

SIDES = 6
# The book sets no limit on either.
MOST_RANKS = 1000
HIGHEST_DIFFICULTY = 1000


class SwarmResult(StrEnum):
    """The results of a proficiency test, worst first.

    Source: SWARM-PROF-01, SWARM-PROF-03, SWARM-PROF-04 (SWARM-R18: names only, the GM decides the rest).
    """

    DISASTROUS = "disastrous failure"
    SERIOUS = "serious failure"
    FAILURE = "failure"
    SUCCESS = "success"

    @property
    def succeeded(self) -> bool:
        """Whether it is a success."""
        return self is SwarmResult.SUCCESS


class ProficiencyInputs(Document):
    """Everything that decides a proficiency test, besides the dice.

    Attributes:
        proficiency: Its name.
        attribute: Its governing attribute.
        value: The actual attribute; Star may be below 0.
        ranks: Ranks in the proficiency.
        modifiers: Bonuses and penalties, on the total (SWARM-R20).
        difficulty: What the total must reach.
        edge: Advantage, disadvantage or neither; the re-roll is taken automatically.
        first: The faces of the throw that this re-rolls by choice, or none.
    """

    proficiency: str
    attribute: SwarmAttribute
    value: int = Field(le=HIGHEST)
    ranks: int = Field(ge=0, le=MOST_RANKS)
    modifiers: tuple[Modifier, ...] = ()
    difficulty: int = Field(ge=1, le=HIGHEST_DIFFICULTY)
    edge: Edge = Edge.NONE
    first: tuple[int, ...] = ()

    @property
    def added(self) -> int:
        """The sum added to the dice."""
        return proficiency_modifier(self.value) + self.ranks + net(self.modifiers)


Pair = tuple[int, int]


def judged(inputs: ProficiencyInputs, faces: Pair) -> SwarmResult:
    """The result of two dice.

    Source: SWARM-PROF-01, SWARM-PROF-03, SWARM-PROF-04 (SWARM-R17: two ones are always disastrous).
    """
    if faces == (1, 1):
        return SwarmResult.DISASTROUS
    if sum(faces) + inputs.added >= inputs.difficulty:
        return SwarmResult.SUCCESS
    return SwarmResult.SERIOUS if 1 in faces else SwarmResult.FAILURE


def proficiency_test(inputs: ProficiencyInputs, dice: Dice) -> Roll:
    """Roll 2d6 against the difficulty; re-roll both dice if advantage or disadvantage asks for it.

    Source: SWARM-PROF-01 to SWARM-PROF-08 (SWARM-R21).
    """

    def attempt() -> Pair:
        return dice.roll(SIDES), dice.roll(SIDES)

    made = attempts(inputs.edge, attempt, lambda faces: judged(inputs, faces).succeeded)
    result = judged(inputs, made[-1])
    return Roll(
        rule=PROFICIENCY_TEST.key,
        inputs=inputs,
        dice=tuple(
            Die(sides=SIDES, face=face, is_kept=place == len(made) - 1)
            for place, faces in enumerate(made)
            for face in faces
        ),
        earlier=tuple(Die(sides=SIDES, face=face, is_kept=False) for face in inputs.first),
        terms=_terms(inputs),
        total=sum(made[-1]) + inputs.added,
        against=difficulty_words(inputs.difficulty),
        verdict=Verdict(Family.SUCCESS if result.succeeded else Family.FAILURE, result),
        odds=proficiency_odds(inputs),
        outcome=result,
        purpose=SwarmPurpose.TEST,
    )


def _terms(inputs: ProficiencyInputs) -> tuple[Term, ...]:
    own = (Term(inputs.attribute, proficiency_modifier(inputs.value)), Term("ranks", inputs.ranks))
    return tuple(term for term in (*own, *terms(inputs.modifiers)) if term.value)


@lru_cache(maxsize=1024)
def proficiency_odds(inputs: ProficiencyInputs) -> Odds:
    """The exact chance of each result, worst first, if re-rolls with advantage are always taken.

    Source: SWARM-PROF-06, SWARM-PROF-08.
    """
    die = exact.die(SIDES)
    single = die.with_(die, lambda first, second: judged(inputs, (first, second)))
    results = with_edge(single, inputs.edge, lambda result: result.succeeded)
    chances = tuple((result.value, Chance(results.ways.get(result, 0), results.of)) for result in SwarmResult)
    return Odds(chances, needed=SwarmResult.SUCCESS)


PROFICIENCY_TEST = RollRule(
    key="proficiency", inputs=ProficiencyInputs, resolve=proficiency_test, odds=proficiency_odds
)

# --- in words ----------------------------------------------------------------------------------


def difficulty_words(difficulty: int) -> str:
    """A difficulty with its name, if it has one: "10 (difficult)".

    Source: SWARM-PROF-06.
    """
    row = DIFFICULTIES.get(min(difficulty, max(DIFFICULTIES)))
    return str(difficulty) if row is None else f"{difficulty} ({row.name})"


def proficiency_reason(roll: Roll, inputs: ProficiencyInputs) -> str:
    """Explain a worse failure in one sentence; the line of the dice says all about any other result."""
    total = shown_number(sum(die.face for die in roll.dice if die.is_kept) + inputs.added)
    match roll.outcome:
        case SwarmResult.DISASTROUS:
            return "Both dice show a 1: disastrous, whatever the total."
        case SwarmResult.SERIOUS:
            return f"{total} is below {inputs.difficulty}, and one die shows a 1: serious."
        case _:
            return ""
