"""Levels for NPCs without a sheet."""

from enum import StrEnum

from bot.rules.kernel import TableRow
from bot.rules.rpj.module.tables import DATA
from bot.rules.rpj.resolution.choices import ChoiceInputs


class NpcAbility(StrEnum):
    """How good an NPC is at their trade.

    Source: RPJ-GM-01.
    """

    MASTERFUL = "masterful"
    COMPETENT = "competent"
    GREEN = "green"


class Closeness(StrEnum):
    """How close a task is to an NPC's trade.

    Source: RPJ-GM-01.
    """

    IN = "in it"
    ADJACENT = "close to it"
    OUTSIDE = "outside of it"


class RpjStanding(StrEnum):
    """How an NPC compares with others.

    Source: RPJ-GM-02.
    """

    UNREMARKABLE = "unremarkable"
    AVERAGE = "average"
    ABOVE_AVERAGE = "above average"


class _SkillRow(TableRow):
    """A row of the table of skill levels."""

    ability: NpcAbility
    levels: tuple[int, ...]


class _AttributeRow(TableRow):
    """A row of the table of attribute levels."""

    word: RpjStanding
    level: int


_LEVELS = {row.ability: row.levels for row in DATA.rows("npcs", "skill", _SkillRow)}
_ATTRIBUTES = {row.word: row.level for row in DATA.rows("npcs", "attribute", _AttributeRow)}
_UNTRAINED = (0, 1)


def improvised_levels(ability: NpcAbility, closeness: Closeness) -> tuple[int, ...]:
    """The effective levels that suit an NPC; of two the GM takes one, or a die chooses.

    Source: RPJ-GM-01 (R-130).
    """
    if closeness is Closeness.OUTSIDE:
        return _UNTRAINED
    own = _LEVELS[ability]
    halves = (level // 2 for level in own)
    return own if closeness is Closeness.IN else tuple(dict.fromkeys(halves))


def level_choice(levels: tuple[int, ...]) -> ChoiceInputs:
    """The choice of one of several levels by a die.

    Source: RPJ-GM-01 (R-130).
    """
    return ChoiceInputs(items=tuple(str(level) for level in levels))


def improvised_attribute(standing: RpjStanding) -> int:
    """The attribute level that suits an NPC.

    Source: RPJ-GM-02.
    """
    return _ATTRIBUTES[standing]
