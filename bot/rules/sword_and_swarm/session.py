"""The end of a session."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from bot.rules.kernel import AwardRule, CharacterId, Document, Growth, Odds, OddsForm, evolve, grown
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, down, shown_number
from bot.rules.sword_and_swarm.encounter import SwarmEncounter
from bot.rules.sword_and_swarm.sheet import (
    Character,
    HookResult,
    Scene,
    SwarmSettings,
    SwarmSheet,
    actual,
    base_of,
    is_defeated,
    risks_death,
)
from bot.rules.sword_and_swarm.tests import (
    HIGHEST,
    LIMIT,
    AttributeInputs,
    Edge,
    Modifier,
    ProficiencyInputs,
    SwarmAttribute,
    SwarmKind,
    attribute_odds,
    proficiency_odds,
)


def _more_levels(sheet: SwarmSheet, levels: int) -> SwarmSheet:
    if sheet.level + levels < 0:
        raise UserError(f"You can't take {counted(-levels, 'level')}: level {sheet.level} is all there is.")
    return evolve(sheet, level=sheet.level + levels)


# SWARM-CHAR-01
AWARDS = (AwardRule(key="levels", title="Levels", give=_more_levels, usual=(1,), unit="level"),)


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """End all fights; nothing else changes. [SWARM-ATTR-10, SWARM-ATTR-11]

    Defeated characters stay defeated and are listed.
    """
    for key in documents:
        if scene.stored(SwarmEncounter, key) is not None:
            scene = scene.with_document(key, None)
    return HookResult(scene=scene, notes=_defeated(scene, characters))


def _defeated(scene: Scene, characters: Sequence[CharacterId]) -> tuple[str, ...]:
    settings, notes = scene.settings, []
    for character in (scene.character(id_) for id_ in characters):
        sheet = character.sheet
        if is_defeated(sheet, settings):
            star = shown_number(actual(sheet, SwarmAttribute.STAR, settings))
            risk = " and risks death" if risks_death(sheet, settings) else ""
            notes.append(down(f"{character.name} is defeated{risk} (Star {star})."))
    return tuple(notes)


def growth(before: SwarmSheet, after: SwarmSheet, settings: SwarmSettings) -> Iterator[Growth]:
    """Return the level, attributes and proficiencies that rose. [SWARM-CHAR-01]"""
    yield from grown("level", before.level, after.level)
    for one in SwarmAttribute:
        yield from grown(one.value, base_of(before, one, settings), base_of(after, one, settings))
    for name, ranks in after.proficiencies.items():
        yield from grown(name, before.proficiencies.get(name, 0), ranks)


def is_down(character: Character, settings: SwarmSettings) -> bool:
    """Whether a character is defeated. [SWARM-ATTR-10]"""
    return is_defeated(character.sheet, settings)


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

    [SWARM-TEST-06, SWARM-CONF-06, SWARM-PROF-06]
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
