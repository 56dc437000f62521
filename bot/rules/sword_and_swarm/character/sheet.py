"""A character sheet: seven attributes, proficiencies, traits and equipment, and what follows from them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field, StringConstraints

from bot.rules import kernel
from bot.rules.kernel import CharacterHealth, Document, SheetField, evolve, looks_for
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number
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
    """Whether a benefit is equipment or a trait."""

    EQUIPMENT = "equipment"
    TRAIT = "trait"


class Benefit(Document):
    """A piece of equipment or a trait; its increases count while it is in use.

    Attributes:
        name: Its name.
        kind: Equipment or a trait.
        raises: The attributes it raises, and by how much.
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
        base: Each attribute before increases, for Star the maximum; None: not set.
        star: The current Star, which may be below 0; None: the maximum.
        encumbrance: How much the load reduces Boots.
        proficiencies: Ranks by proficiency name.
        benefits: Equipment and traits.
        adv_attribute: How failed attribute tests with advantage are re-rolled; None: as the campaign sets.
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
        """The equipment and traits in use."""
        return (benefit for benefit in self.benefits if benefit.in_use)

    def find_benefit(self, name: str) -> Benefit | None:
        """Find equipment or a trait by name, or return None."""
        return next((benefit for benefit in self.benefits if folded(benefit.name) == folded(name)), None)

    def benefit(self, name: str) -> Benefit:
        """Find equipment or a trait by name.

        Raises:
            UserError: If it is not on the sheet.
        """
        found = self.find_benefit(name)
        if found is None:
            known = ", ".join(benefit.name for benefit in self.benefits)
            raise UserError(f"“{name}” isn't on the sheet.", f"Choose from: {known}." if known else "")
        return found

    def with_benefit(self, benefit: Benefit) -> "SwarmSheet":
        """Return the sheet with equipment or a trait added or replaced.

        Raises:
            UserError: If the sheet is full.
        """
        if self.find_benefit(benefit.name) is None:
            if len(self.benefits) == MOST_BENEFITS:
                raise UserError(f"A sheet has room for {MOST_BENEFITS} entries of equipment and traits.")
            return evolve(self, benefits=(*self.benefits, benefit))
        changed = tuple(benefit if folded(old.name) == folded(benefit.name) else old for old in self.benefits)
        return evolve(self, benefits=changed)

    def without_benefit(self, name: str) -> "SwarmSheet":
        """Return the sheet without a piece of equipment or a trait."""
        others = tuple(benefit for benefit in self.benefits if folded(benefit.name) != folded(name))
        return evolve(self, benefits=others)

    def ranks_in(self, proficiency: str) -> int:
        """Ranks in a proficiency, 0 if it is not on the sheet.

        Source: SWARM-PROF-09.
        """
        known = {folded(name): ranks for name, ranks in self.proficiencies.items()}
        return known.get(folded(proficiency), 0)

    def with_ranks(self, proficiency: str, ranks: int) -> "SwarmSheet":
        """Return the sheet with new ranks in a proficiency; 0 removes it."""
        others = {
            name: had for name, had in self.proficiencies.items() if folded(name) != folded(proficiency)
        }
        changed = {**others, proficiency: ranks} if ranks else others
        return evolve(self, proficiencies=changed)


# What the rules of this game see and return.
Character: TypeAlias = kernel.Character[SwarmSheet]
Scene: TypeAlias = kernel.Scene[SwarmSheet, SwarmSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]


def base_of(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> int:
    """An attribute before increases; for Star, the maximum.

    Source: SWARM-ATTR-12, SWARM-ATTR-13, SWARM-CHAR-02 (SWARM-R29).
    """
    own = sheet.base[attribute]
    if own is not None:
        return own
    return settings.npc_default if attribute.start is None else attribute.start


def star_left(sheet: SwarmSheet, settings: SwarmSettings) -> int:
    """The current Star, before increases.

    Source: SWARM-ATTR-09 (SWARM-R25).
    """
    return base_of(sheet, SwarmAttribute.STAR, settings) if sheet.star is None else sheet.star


def actual(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> int:
    """The actual attribute, with equipment and traits in use and the load. Star may be below 0.

    Source: SWARM-ATTR-02 (SWARM-R23), SWARM-ATTR-03, SWARM-ATTR-09, SWARM-ATTR-12, SWARM-ATTR-13.
    """
    raised = sum(benefit.raise_of(attribute) for benefit in sheet.in_use())
    if attribute is SwarmAttribute.STAR:
        return min(star_left(sheet, settings) + raised, HIGHEST)
    load = sheet.encumbrance if attribute is SwarmAttribute.BOOTS else 0
    return in_range(base_of(sheet, attribute, settings) + raised - load)


def is_defeated(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether Star is 0 or less.

    Source: SWARM-ATTR-10.
    """
    return actual(sheet, SwarmAttribute.STAR, settings) <= 0


def risks_death(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether Star is below 0.

    Source: SWARM-ATTR-11 (SWARM-R27).
    """
    return actual(sheet, SwarmAttribute.STAR, settings) < 0


def health_of(character: Character, settings: SwarmSettings) -> CharacterHealth:
    """What is left of Star; the defeated look defeated.

    Source: SWARM-ATTR-09, SWARM-ATTR-10.
    """
    sheet = character.sheet
    left, most = actual(sheet, SwarmAttribute.STAR, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    state = "risks death" if left < 0 else "defeated"
    return CharacterHealth(
        (f"Star {shown_number(left)}/{most}",), looks_for(left, most) if left > 0 else state
    )


FIELDS = (
    SheetField("base/*", "{}"),
    SheetField("star", "Star now"),
    SheetField("level", "Level"),
    SheetField("class_name", "Class"),
    SheetField("proficiencies/*", "{}, ranks"),
    SheetField("encumbrance", "Encumbrance"),
    SheetField("benefits/*/in_use", "{}, in use"),
    SheetField("benefits/*/name", "{}, name"),
    SheetField("benefits/*/text", "{}, text"),
    SheetField("adv_attribute", "Failed attribute tests with advantage"),
    SheetField("adv_proficiency", "Failed proficiency tests with advantage"),
)
