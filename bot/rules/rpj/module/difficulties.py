"""The difficulty ladder, and target numbers suited to a level."""

import re
from dataclasses import dataclass

from bot.rules.kernel import Document, TableRow
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.tables import DATA
from bot.rules.rpj.resolution.inputs import BASE_TARGET

_NUMBER = re.compile(r"([+-]?\d{1,3})(\+?)")


class Rung(Document):
    """A name of the ladder and the difficulties it covers.

    Attributes:
        name: The name.
        lowest: The lowest difficulty it covers.
        highest: The highest; None for no limit.
        aliases: Other names.
    """

    name: str
    lowest: int
    highest: int | None = None
    aliases: tuple[str, ...] = ()

    @property
    def targets(self) -> str:
        """Its target numbers ("9-10+")."""
        least = BASE_TARGET + self.lowest
        if self.highest is None or self.highest == self.lowest:
            return f"{least}+"
        return f"{least}-{BASE_TARGET + self.highest}+"


class _RungRow(Rung, TableRow):
    """A rung in the data."""


class _ChanceRow(TableRow):
    """An approximate chance, and how far above the effective level its target number is."""

    percent: int
    above_level: int


LADDER: tuple[Rung, ...] = tuple(
    Rung(name=row.name, lowest=row.lowest, highest=row.highest, aliases=row.aliases)
    for row in DATA.rows("difficulties", "rung", _RungRow)
)
_CHANCES = {row.percent: row.above_level for row in DATA.rows("difficulties", "chance", _ChanceRow)}


def difficulty_label(difficulty: int, ladder: tuple[Rung, ...] = LADDER) -> str:
    """The ladder's name of a difficulty; the higher of two overlapping rungs, below all the lowest.

    Source: RPJ-SKILL-24 (R-044).
    """
    reached = [rung.name for rung in ladder if rung.lowest <= difficulty]
    return reached[-1] if reached else ladder[0].name


def difficulty_named(text: str, ladder: tuple[Rung, ...] = LADDER) -> int:
    """Read a typed difficulty: a number, a target number ("10+"), or a name.

    A name means the lowest difficulty it covers.

    Raises:
        UserError: If it is none of these.

    Source: RPJ-DICE-02, RPJ-SKILL-24 (R-044).
    """
    typed = text.strip()
    if number := _NUMBER.fullmatch(typed):
        value = int(number[1])
        return value - BASE_TARGET if number[2] else value
    said = " ".join(typed.split()).casefold()
    for rung in ladder:
        if said in (rung.name.casefold(), *(alias.casefold() for alias in rung.aliases)):
            return rung.lowest
    begun = [rung for rung in ladder if said and rung.name.casefold().startswith(said)]
    if len(begun) == 1:
        return begun[0].lowest
    names = ", ".join(rung.name for rung in ladder)
    raise UserError(
        f"I can't read the difficulty “{typed}”.", f"Type a number, a target such as 10+, or {names}."
    )


@dataclass(frozen=True, slots=True)
class SuitingTarget:
    """A target number and how often an effective level reaches it, in percent."""

    percent: int
    target: int


def suiting_targets(level: int) -> tuple[SuitingTarget, ...]:
    """The target numbers an effective level reaches in about 95, 75, 50, 25 and 5 of 100 rolls.

    Source: RPJ-SKILL-25 (R-046).
    """
    return tuple(SuitingTarget(percent, level + above) for percent, above in _CHANCES.items())


def average_difficulty(level: int) -> int:
    """The difficulty of a routine task for an effective level, which succeeds in about 75 of 100 rolls.

    Source: RPJ-SKILL-26.
    """
    return level + _CHANCES[75] - BASE_TARGET
