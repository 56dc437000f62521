"""The end of a session: nothing refreshes, and finished fights are cleared."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from bot.rules.compare_roll.catalogue import default_difficulty, difficulty
from bot.rules.compare_roll.encounter import CompareEncounter, CompareSide
from bot.rules.compare_roll.fortunes import HP, RESOURCES, ft_max, ft_now, hp_now, totals, with_hp
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSettings,
    CompareSheet,
    HookResult,
    Scene,
    hp_max,
    is_standing,
)
from bot.rules.compare_roll.tables import STAT_NAMES, Stat
from bot.rules.compare_roll.two_d12s import CompareInputs, compare_odds
from bot.rules.kernel import CharacterId, Document, Growth, NamedTerm, Odds, OddsForm, grown
from bot.rules.kernel.errors import UserError


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """Clear finished fights, save the others, and set the values that the campaign resets.

    [CMP-SES-01 (CMP-R57)]
    """
    notes: list[str] = []
    for key in documents:
        found = scene.document(key)
        if isinstance(found, CompareEncounter) and _is_over(scene, found):
            scene = scene.with_document(key, None)
    for who in characters:
        character = scene.character(who)
        if character.owner is not None:
            scene = _reset(scene, character)
            notes.append(_summary(scene, scene.character(who)))
    return HookResult(scene=scene, notes=tuple(notes))


def _is_over(scene: Scene, encounter: CompareEncounter) -> bool:
    """Whether a side has no one standing."""
    able = {one.side for one in encounter.shown if _stands(scene, one.character)}
    return able != set(CompareSide)


def _stands(scene: Scene, who: CharacterId) -> bool:
    try:
        return is_standing(scene.character(who))
    except UserError:
        return False


def _reset(scene: Scene, character: Character) -> Scene:
    """Set the values of the setting `session_reset`."""
    for key, value in scene.settings.session_reset.items():
        if key == HP:
            character = with_hp(character, value)
            continue
        rule = next(rule for rule in RESOURCES if rule.key == key)
        cap = rule.cap(character.sheet, scene.settings)
        character = character.with_resource(key, value if cap is None else min(value, cap))
    return scene.with_character(character)


def _summary(scene: Scene, character: Character) -> str:
    sheet, settings = character.sheet, scene.settings
    body = f"HP {hp_now(character)}/{hp_max(sheet)} · FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}"
    return f"{character.name}: {body} · {totals(character.resources)}"


def growth(before: CompareSheet, after: CompareSheet, _settings: CompareSettings) -> Iterator[Growth]:
    """Return the stats and skills that rose. [CMP-CHAR-07, CMP-SKILL-08]"""
    for stat in Stat:
        yield from grown(STAT_NAMES[stat], before.stats[stat], after.stats[stat])
    were = {(one.category, one.name): one.level for one in (*before.skills, *before.customs)}
    for one in (*after.skills, *after.customs):
        yield from grown(one.name, were.get((one.category, one.name), 0), one.level)


def is_down(character: Character, _settings: CompareSettings) -> bool:
    """Whether a character is down or dead. [CMP-DEATH-03]"""
    return not is_standing(character)


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
    """The exact chance of each outcome under a campaign's settings. [CMP-ROLL-01 to CMP-ROLL-08]"""
    skill = question.skill or question.luck
    whole = skill + question.stat - question.stress + question.high + question.modifier
    named = question.difficulty
    number = (difficulty(settings, named) if named else default_difficulty(settings)).number
    terms = (NamedTerm(label="all", value=whole),)
    return compare_odds(CompareInputs(terms=terms, difficulty=number))


ODDS = OddsForm(question=CompareOddsQuestion, answer=answer_odds, answer_under=answer_under)
