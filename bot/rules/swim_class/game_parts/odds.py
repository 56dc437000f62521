"""The exact chances of this game, for `/odds swim`."""

from typing import Literal

from pydantic import Field

from bot.rules.kernel import Document, Odds, OddsForm, evolve
from bot.rules.kernel.odds import Chance
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.skill_growth import LOWEST_FACE
from bot.rules.swim_class.resolution.hit_odds import IMPLICIT, SIDES, SwimSide, hit_ways
from bot.rules.swim_class.resolution.number_words import WHOLE
from bot.rules.swim_class.resolution.opposition import could_fail_attacking
from bot.rules.swim_class.resolution.scoring import good_faces, scoring_ways

MOST = 12


class SwimOddsQuestion(Document):
    """The roll whose chances are wanted."""

    dice: int = Field(ge=1, le=MOST, description="Skill dice")
    about: Literal["progress", "hits", "advancement"] = Field(
        default="progress", description="Progress of a task, hits against a defense, or the skill's advance"
    )
    difficulty: int = Field(default=1, ge=1, le=24, description="Number a die must reach")
    modifier: int = Field(default=0, ge=-10, le=20, description="Modifier of each die")
    artifact: int = Field(default=0, ge=0, le=4, description="Artifact dice on top")
    push: int = Field(default=1, ge=1, le=6, description="Push factor for difficulty and progress")
    focus: int = Field(
        default=0, ge=0, le=2, description="Focus: difficulty −1 or −2, progress halved each time"
    )
    needed: int = Field(default=1, ge=1, le=100, description="Progress or hits needed")
    defence: int = Field(
        default=0, ge=0, le=MOST, description="The opponent's dice; missing dice count as 1s"
    )
    defence_modifier: int = Field(default=0, ge=-10, le=20, description="Modifier of each defense die")


def answer_odds(question: SwimOddsQuestion) -> Odds:
    """The exact chances of a roll.

    Source: SWIM-TASK-13.
    """
    if question.about == "progress":
        return _progress(question)
    return _hits(question) if question.about == "hits" else _advancement(question)


def _target(question: SwimOddsQuestion) -> int:
    return max(1, question.difficulty * question.push - question.focus)


def _progress(question: SwimOddsQuestion) -> Odds:
    quarters = WHOLE * question.push // 2**question.focus
    ways = scoring_ways([(question.dice + question.artifact, question.modifier)], _target(question))
    named: dict[str, int] = {}
    enough = None
    for scoring, cases in enumerate(ways):
        progress = scoring * quarters // WHOLE
        name = f"{progress} progress"
        named[name] = named.get(name, 0) + cases
        if enough is None and progress >= question.needed:
            enough = name
    of = sum(ways)
    return Odds(tuple((name, Chance(cases, of)) for name, cases in named.items()), enough)


def _sides(question: SwimOddsQuestion, lowest: int = 1) -> tuple[SwimSide, SwimSide]:
    dice = question.dice + question.artifact
    defence = question.defence * question.push
    padding = max(0, dice - defence)
    return (
        SwimSide(((dice, question.modifier),), lowest=lowest),
        SwimSide(
            ((defence, question.defence_modifier),) if defence else (),
            (IMPLICIT + question.defence_modifier,) * padding,
        ),
    )


def _hits(question: SwimOddsQuestion) -> Odds:
    ways = hit_ways(*_sides(question), _target(question))
    named = {hits * question.push: cases for hits, cases in ways.ways.items()}
    chances = tuple((counted(hits, "hit", "hits"), Chance(cases, ways.of)) for hits, cases in named.items())
    enough = min((hits for hits in named if hits >= question.needed), default=None)
    return Odds(chances, None if enough is None else counted(enough, "hit", "hits"))


def _advancement(question: SwimOddsQuestion) -> Odds:
    chance = advance_chance(question)
    rest = Chance(chance.of - chance.ways, chance.of)
    return Odds((("no advance", rest), ("advances", chance)), "advances")


def advance_chance(question: SwimOddsQuestion) -> Chance:
    """The exact chance that the skill advances; artifact dice do not count.

    Source: SWIM-TASK-13, SWIM-ADV-01, SWIM-ADV-02.
    """
    if question.defence:
        return _opposed_advance(question)
    target = _target(question)
    if target - question.modifier < 2:
        return Chance(0, 1)
    good = min(good_faces(target, question.modifier), SIDES + 1 - LOWEST_FACE)
    return Chance(good**question.dice, SIDES**question.dice)


def _opposed_advance(question: SwimOddsQuestion) -> Chance:
    plain = evolve(question, artifact=0)
    attack, defence = _sides(plain, LOWEST_FACE)
    could_fail = could_fail_attacking(
        attack_modifier=question.modifier,
        defence_modifier=question.defence_modifier,
        has_dice=True,
        difficulty=_target(question),
    )
    if not could_fail:
        return Chance(0, 1)
    ways = hit_ways(attack, defence, _target(question))
    of = ways.of // (SIDES + 1 - LOWEST_FACE) ** question.dice * SIDES**question.dice
    return Chance(ways.ways.get(question.dice, 0), of)


ODDS = OddsForm(question=SwimOddsQuestion, answer=answer_odds)
