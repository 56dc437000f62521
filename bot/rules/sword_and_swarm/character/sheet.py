"""A character sheet: seven attributes, proficiencies, traits and equipment; and what follows from it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, cast

from pydantic import Field, StringConstraints

from bot.rules.kernel import Character, Document
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm.character.campaign_lists import Name, Note, Raise, folded
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute, in_range
from bot.rules.sword_and_swarm.resolution.edges import RerollMode
from bot.rules.sword_and_swarm.resolution.proficiency_tests import MOST_RANKS

LOWEST_STAR = -1000  # the book has no floor; a number has to end somewhere
MOST_BENEFITS = 50
Base = Annotated[int, Field(ge=0, le=HIGHEST)]
Ranks = Annotated[int, Field(ge=0, le=MOST_RANKS)]


class BenefitKind(StrEnum):
    """What a benefit is."""

    EQUIPMENT = "equipment"
    TRAIT = "trait"


class Benefit(Document):
    """A piece of equipment or a trait; what it raises counts while it is in use.

    Attributes:
        name: What it is called.
        kind: Equipment or a trait.
        raises: What it raises, and by how much.
        text: What else it does.
        in_use: Whether it counts now.

    Source: SWARM-ATTR-03, SWARM-CHAR-01.
    """

    name: Name
    kind: BenefitKind
    raises: tuple[Raise, ...] = Field(default=(), max_length=len(SwarmAttribute))
    text: Note = ""
    in_use: bool = True

    def raise_of(self, attribute: SwarmAttribute) -> int:
        """How much it raises an attribute, in use or not."""
        return sum(one.amount for one in self.raises if one.attribute is attribute)


class SwarmSheet(Document):
    """A whole character sheet.

    Attributes:
        class_name: The class, as text.
        level: The level.
        base: Each attribute before anything raises it, of Star the most of it; None: nobody has set it.
        star: What is left of Star, below 0 too; None: all of it.
        encumbrance: How much the load takes off Boots.
        proficiencies: Ranks, by name of the proficiency.
        benefits: Equipment and traits.
        adv_attribute: What is done about a failed attribute test with advantage; None: as the campaign says.
        adv_proficiency: The same for proficiency tests.

    Source: SWARM-ATTR-01, SWARM-ATTR-02, SWARM-CHAR-01.
    """

    class_name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] = ""
    level: int = Field(default=1, ge=0, le=1000)
    base: Mapping[SwarmAttribute, Base | None] = Field(min_length=len(SwarmAttribute))
    star: int | None = Field(default=None, ge=LOWEST_STAR, le=HIGHEST)
    encumbrance: int = Field(default=0, ge=0, le=HIGHEST)
    proficiencies: Mapping[Name, Ranks] = Field(default_factory=dict, max_length=200)
    benefits: tuple[Benefit, ...] = Field(default=(), max_length=MOST_BENEFITS)
    adv_attribute: RerollMode | None = None
    adv_proficiency: RerollMode | None = None

    def in_use(self) -> Iterator[Benefit]:
        """The equipment and the traits that count now."""
        return (benefit for benefit in self.benefits if benefit.in_use)

    def find_benefit(self, name: str) -> Benefit | None:
        """The piece of equipment or the trait of that name, or None."""
        return next((benefit for benefit in self.benefits if folded(benefit.name) == folded(name)), None)

    def benefit(self, name: str) -> Benefit:
        """The piece of equipment or the trait of that name.

        Raises:
            UserError: If the sheet has none.
        """
        found = self.find_benefit(name)
        if found is None:
            known = ", ".join(benefit.name for benefit in self.benefits) or "nothing"
            raise UserError(f"There is no {name!r} on the sheet.", f"It has {known}.")
        return found

    def with_benefit(self, benefit: Benefit) -> "SwarmSheet":
        """The same sheet with a piece of equipment or a trait new or changed.

        Raises:
            UserError: If there is no room for another one.
        """
        if self.find_benefit(benefit.name) is None:
            if len(self.benefits) == MOST_BENEFITS:
                raise UserError(f"A sheet has room for {MOST_BENEFITS} pieces of equipment and traits.")
            return self.model_copy(update={"benefits": (*self.benefits, benefit)})
        changed = tuple(benefit if folded(old.name) == folded(benefit.name) else old for old in self.benefits)
        return self.model_copy(update={"benefits": changed})

    def without_benefit(self, name: str) -> "SwarmSheet":
        """The same sheet without a piece of equipment or a trait."""
        kept = tuple(benefit for benefit in self.benefits if folded(benefit.name) != folded(name))
        return self.model_copy(update={"benefits": kept})

    def ranks_in(self, proficiency: str) -> int:
        """Ranks in a proficiency; none where it is not on the sheet.

        Source: SWARM-PROF-09.
        """
        known = {folded(name): ranks for name, ranks in self.proficiencies.items()}
        return known.get(folded(proficiency), 0)

    def with_ranks(self, proficiency: str, ranks: int) -> "SwarmSheet":
        """The same sheet with other ranks in a proficiency; 0 takes it off."""
        kept = {name: had for name, had in self.proficiencies.items() if folded(name) != folded(proficiency)}
        changed = {**kept, proficiency: ranks} if ranks else kept
        return self.model_copy(update={"proficiencies": changed})


def sheet_of(character: Character) -> SwarmSheet:
    """A character's sheet, which the table keeps by this model."""
    return cast(SwarmSheet, character.sheet)


def with_sheet(character: Character, sheet: SwarmSheet) -> Character:
    """The same character with another sheet."""
    return replace(character, sheet=sheet)


def base_of(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> int:
    """An attribute before anything raises it; of Star the most there can be.

    Source: SWARM-ATTR-12, SWARM-ATTR-13, SWARM-CHAR-02 (SWARM-R29).
    """
    told = sheet.base[attribute]
    if told is not None:
        return told
    return settings.npc_default if attribute.start is None else attribute.start


def star_left(sheet: SwarmSheet, settings: SwarmSettings) -> int:
    """What is left of Star, before anything raises it.

    Source: SWARM-ATTR-09 (SWARM-R25).
    """
    return base_of(sheet, SwarmAttribute.STAR, settings) if sheet.star is None else sheet.star


def actual(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> int:
    """The actual attribute: with what is in use and what the load takes off. Star may be below 0.

    Source: SWARM-ATTR-02 (SWARM-R23), SWARM-ATTR-03, SWARM-ATTR-09, SWARM-ATTR-12, SWARM-ATTR-13.
    """
    raised = sum(benefit.raise_of(attribute) for benefit in sheet.in_use())
    if attribute is SwarmAttribute.STAR:
        return min(star_left(sheet, settings) + raised, HIGHEST)
    load = sheet.encumbrance if attribute is SwarmAttribute.BOOTS else 0
    return in_range(base_of(sheet, attribute, settings) + raised - load)


def is_defeated(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether nothing is left of Star.

    Source: SWARM-ATTR-10.
    """
    return actual(sheet, SwarmAttribute.STAR, settings) <= 0


def risks_death(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether Star is below 0.

    Source: SWARM-ATTR-11 (SWARM-R27).
    """
    return actual(sheet, SwarmAttribute.STAR, settings) < 0
