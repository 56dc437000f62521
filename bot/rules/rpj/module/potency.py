"""Rolls for magic: saving throws, touch attacks and spell defenses."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.resolution.criticals import CriticalRules
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs


class DefenseKind(StrEnum):
    """The source of a spell defense."""

    FIXED = "fixed"
    SKILL = "skill"
    ATTRIBUTE = "attribute"


class SpellDefense(Document):
    """A defense that can cancel magic.

    Attributes:
        kind: Its source.
        of: The id of the skill, or the attribute; empty for a fixed one.
        value: The number, for a fixed one.

    Source: RPJ-SMAG-18.
    """

    kind: DefenseKind
    of: str = ""
    value: int = Field(default=0, ge=-20, le=30)


def spell_save(attribute: RpjAttribute, level: int, base: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The saving throw against a spell.

    Args:
        attribute: The attribute rolled.
        level: The target's level in it.
        base: The caster's base level in the magic skill, or its substitute.
        criticals: How the campaign treats criticals.

    Source: RPJ-SMAG-07 (SMAG-07a).
    """
    return _check(CheckKind.SAVING_THROW, (attribute.word, level), ("spell", base), criticals)


def spell_defense_roll(value: int, level: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The roll to resist magic; a success cancels the spell for the roller.

    Args:
        value: The spell defense.
        level: The caster's level in the attribute linked to the magic skill, adjustments included.
        criticals: How the campaign treats criticals.

    Source: RPJ-SMAG-18 (SMAG-18a, SMAG-18b, SMAG-18c), RPJ-WMAG-05.
    """
    return _check(CheckKind.SAVING_THROW, ("spell defense", value), ("caster", level), criticals)


def touch_check(own: int, target: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The check to touch an unwilling target in a fight.

    Args:
        own: The attacker's Dexterity level.
        target: The target's Dexterity level.
        criticals: How the campaign treats criticals.

    Source: RPJ-WMAG-18 (WMAG-18a).
    """
    asked = _check(CheckKind.ATTRIBUTE, (RpjAttribute.DEX.word, own), ("target", target), criticals)
    return evolve(asked, difficulty=TOUCH_DIFFICULTY)


TOUCH_DIFFICULTY = 2


def _check(
    kind: CheckKind, own: tuple[str, int], other: tuple[str, int], criticals: CriticalRules
) -> RpjCheckInputs:
    terms, opposition = (
        (NamedTerm(label=label, value=value),) if value else () for label, value in (own, other)
    )
    return RpjCheckInputs(kind=kind, terms=terms, opposition=opposition, criticals=criticals)
