"""The character sheet: six attributes, abilities and spent level-ups."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from bot.rules.kernel import Document, SheetField, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name
from bot.rules.post_magic_maid.resolution.tables import DOUBLE_BONUSES, SINGLE_BONUSES
from bot.rules.post_magic_maid.resolution.tiers import MaidTier

MOST_SINGLES = len(SINGLE_BONUSES) - 1
MOST_DOUBLES = len(DOUBLE_BONUSES) - 1
MOST_STEPS = 3
BONUSES_FOR_A_DIE_POINT = 3
LARGEST_DIE = 100

AbilityName = Annotated[
    str,
    AfterValidator(lambda name: " ".join(name.split())),
    StringConstraints(min_length=1, max_length=60),
]
EffectText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class MaidAttribute(StrEnum):
    """The six attributes, in the book's order.

    Source: PMM-CHK-01.
    """

    INT = "Int"
    STR = "Str"
    DEX = "Dex"
    CHA = "Cha"
    WLL = "Wll"
    LCK = "Lck"


class AttributeScore(Document):
    """An attribute's die and bonuses.

    Attributes:
        die: Sides of its die.
        creation: Bonus from creation, 0 to 2.
        steps: Specialisation steps from levelling up, 0 to 3.
    """

    die: int = Field(ge=2, le=LARGEST_DIE)
    creation: int = Field(default=0, ge=0, le=2)
    steps: int = Field(default=0, ge=0, le=MOST_STEPS)

    @property
    def bonus(self) -> int:
        """The bonus to every roll with the attribute.

        Source: PMM-ADV-07.
        """
        return self.creation + self.steps

    def __str__(self) -> str:
        return f"d{self.die} +{self.bonus}" if self.bonus else f"d{self.die}"


class AbilityKind(StrEnum):
    """Whether an ability is active (adds to rolls) or passive; its first bonus decides for good.

    Source: PMM-ABL-06.
    """

    ACTIVE = "active"
    PASSIVE = "passive"


class Activation(Document):
    """The check that a passive ability takes before it works.

    Source: PMM-ABL-05.
    """

    first: MaidAttribute
    second: MaidAttribute
    tier: MaidTier


class MaidAbility(Document):
    """An ability of a character.

    Attributes:
        name: As its player wrote it.
        kind: Active (adds to rolls) or passive (has an effect).
        singles: Single-ability bonuses on it.
        doubles: Halves of double-ability bonuses on it.
        passives: Passive bonuses on it: its strength.
        from_creation: How many of these came at creation.
        from_level_ups: How many of these came by levelling up.
        has_given_die_point: Whether it has earned its die advancement point.
        effects: What a passive ability does, a text a step.
        activation: The check a passive ability takes, if any.
    """

    name: AbilityName
    kind: AbilityKind
    singles: int = Field(default=0, ge=0, le=MOST_SINGLES)
    doubles: int = Field(default=0, ge=0, le=MOST_DOUBLES)
    passives: int = Field(default=0, ge=0, le=999)
    from_creation: int = Field(default=0, ge=0, le=1)
    from_level_ups: int = Field(default=0, ge=0, le=999)
    has_given_die_point: bool = False
    effects: tuple[EffectText, ...] = Field(default=(), max_length=999)
    activation: Activation | None = None

    @property
    def bonus(self) -> int:
        """The bonus to a roll with the ability: 0 for a passive one, at most 13.

        Source: PMM-ABL-01 to PMM-ABL-04.
        """
        return SINGLE_BONUSES[self.singles] + DOUBLE_BONUSES[self.doubles]

    @property
    def is_passive(self) -> bool:
        """Whether it has an effect instead of a bonus."""
        return self.kind is AbilityKind.PASSIVE


class MaidSheet(Document):
    """A whole character sheet; points, wounds and timers are stored beside it.

    Attributes:
        attributes: The six of them.
        abilities: Active and passive ones, in the order they were gained.
        is_magical: Whether the GM lets the character do magic.
        advances: What each level-up was spent on, in order.
        is_dead: Whether the GM has said so.
    """

    attributes: Mapping[MaidAttribute, AttributeScore] = Field(min_length=len(MaidAttribute))
    abilities: tuple[MaidAbility, ...] = Field(default=(), max_length=200)
    is_magical: bool = False
    advances: tuple[str, ...] = Field(default=(), max_length=1000)
    is_dead: bool = False

    def find_ability(self, name: str) -> MaidAbility | None:
        """The ability of that name, or None.

        Source: PMM-ABL-07.
        """
        return next((ability for ability in self.abilities if same_name(ability.name, name)), None)

    def ability(self, name: str) -> MaidAbility:
        """The ability of that name.

        Raises:
            UserError: If the sheet has none.
        """
        found = self.find_ability(name)
        if found is None:
            names = ", ".join(ability.name for ability in self.abilities) or "none"
            raise UserError(f"There is no ability “{name.strip()}” on the sheet.", f"Its abilities: {names}.")
        return found

    def with_ability(self, ability: MaidAbility) -> "MaidSheet":
        """The same sheet with one ability new or changed."""
        if self.find_ability(ability.name) is None:
            return evolve(self, abilities=(*self.abilities, ability))
        abilities = tuple(ability if same_name(old.name, ability.name) else old for old in self.abilities)
        return evolve(self, abilities=abilities)

    def with_attribute(self, attribute: MaidAttribute, score: AttributeScore) -> "MaidSheet":
        """The same sheet with one attribute changed."""
        return evolve(self, attributes={**self.attributes, attribute: score})

    def actives(self) -> Iterator[MaidAbility]:
        """The abilities that add to rolls."""
        return (ability for ability in self.abilities if not ability.is_passive)

    def passives(self) -> Iterator[MaidAbility]:
        """The abilities that have an effect."""
        return (ability for ability in self.abilities if ability.is_passive)


FIELDS = (
    SheetField("abilities/*/name", "{}, name"),
    SheetField("is_magical", "Can do magic"),
    SheetField("is_dead", "Dead"),
)
