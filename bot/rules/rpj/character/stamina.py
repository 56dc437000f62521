"""Ability stamina: its maximum, the cost of abilities, strain, and rest."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.rpj.module.abilities import Ability
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.criticals import CriticalRules
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs

STRAIN_DIFFICULTY = -1
LEAST_REGAINED = 1
DAY_SECONDS = 24 * 3600


class Practice(Document):
    """An ability being practiced.

    Attributes:
        ability: Its name.
        until: The moment on the game clock when it is done.
    """

    ability: str
    until: int = Field(ge=0)


class Wild(Document):
    """What a sheet stores about wild magic.

    Attributes:
        spent: Stamina used; above the maximum once stamina has gone below 0.
        abilities: Saved abilities.
        practice: The ability being practiced, or None.
        is_strained: Whether a strain roll is due.
    """

    spent: int = Field(default=0, ge=0, le=100_000)
    abilities: tuple[Ability, ...] = Field(default=(), max_length=50)
    practice: Practice | None = None
    is_strained: bool = False

    def paid(self, cost: int) -> "Wild":
        """The same after paying for an attempt, whether or not it worked.

        Source: RPJ-WMAG-07.
        """
        return evolve(self, spent=self.spent + cost)

    def ability(self, name: str) -> Ability | None:
        """A saved ability by its name, or None."""
        wanted = name.casefold()
        return next((one for one in self.abilities if one.name.casefold() == wanted), None)

    def with_ability(self, ability: Ability) -> "Wild":
        """The same with one ability saved, replacing any of the same name."""
        wanted = ability.name.casefold()
        rest = tuple(one for one in self.abilities if one.name.casefold() != wanted)
        return evolve(self, abilities=(*rest, ability))


def most_stamina(skills: Iterable[tuple[int, int]], constitution: int) -> int:
    """Maximum ability stamina.

    Args:
        skills: Base level and bonus of the linked attribute of each ability skill.
        constitution: Constitution bonus.

    Source: RPJ-WMAG-06 (WMAG-06a).
    """
    base, bonus = max(skills, default=(0, 0))
    return max(2 * base + bonus + constitution, 0) if base else 0


def strain_roll(willpower: int, stamina: int, criticals: CriticalRules) -> RpjCheckInputs | None:
    """The roll after a use that leaves no stamina, or None where some is left.

    Args:
        willpower: Level.
        stamina: What is left; may be negative.
        criticals: How the campaign treats criticals.

    Source: RPJ-WMAG-08 (WMAG-08a, WMAG-08c).
    """
    if stamina > 0:
        return None
    below = -stamina
    return RpjCheckInputs(
        kind=CheckKind.STRAIN,
        terms=(NamedTerm(label=RpjAttribute.WIL.word, value=willpower),) if willpower else (),
        difficulty=STRAIN_DIFFICULTY,
        opposition=(NamedTerm(label="below 0", value=below),) if below else (),
        criticals=criticals,
    )


class Strain(StrEnum):
    """The effects of strain; it never costs a damage save.

    Source: RPJ-WMAG-08 (WMAG-08d).
    """

    HELD = "held"
    KNOCKED_OUT = "incapacitated, nonlethal"
    DYING = "incapacitated, lethal"


def strain_of(result: RpjResult) -> Strain:
    """The effect of a strain roll.

    Source: RPJ-WMAG-08 (WMAG-08b).
    """
    if result.is_success:
        return Strain.HELD
    return Strain.DYING if result is RpjResult.CRITICAL_FAILURE else Strain.KNOCKED_OUT


def regained(stamina: int, most: int, hours: int) -> int:
    """Stamina after full hours of rest without using an ability.

    Args:
        stamina: Stamina before; may be negative.
        most: The maximum.
        hours: Full hours.

    Source: RPJ-WMAG-09 (WMAG-09a).
    """
    return min(stamina + hours * max(most // 2, LEAST_REGAINED), max(most, stamina))


def begin_practice(wild: Wild, ability: Ability, clock: int, month_days: int) -> Wild:
    """Start practicing an ability; any earlier practice is dropped.

    Args:
        wild: The wild magic on the sheet.
        ability: The ability.
        clock: Seconds of game time.
        month_days: Game days of a month.

    Raises:
        UserError: If practice would do nothing.

    Source: RPJ-WMAG-21.
    """
    ability.assert_practicable()
    practice = Practice(ability=ability.name, until=clock + month_days * DAY_SECONDS)
    return evolve(wild, practice=practice)


def after_practice(wild: Wild, clock: int) -> Wild:
    """Wild magic once a month of practice has passed; unchanged before.

    Source: RPJ-WMAG-21.
    """
    if wild.practice is None or clock < wild.practice.until:
        return wild
    ability = wild.ability(wild.practice.ability)
    done = evolve(wild, practice=None)
    return done if ability is None or ability.is_practiced else done.with_ability(ability.practiced())
