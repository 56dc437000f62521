"""The character sheet, the campaign's settings, and what is wrong with a sheet."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, field_validator

from bot.rules import kernel
from bot.rules.kernel import Document, Problem, SheetField, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import listed, same_name
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.post_magic_maid.tiers import (
    DATA,
    DIE_TRACK,
    DOUBLE_BONUSES,
    SINGLE_BONUSES,
    STARTING_DICE,
    MaidTier,
)

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
    """The six attributes, in the book's order. [PMM-CHK-01]"""

    INT = "Int"
    STR = "Str"
    DEX = "Dex"
    CHA = "Cha"
    WLL = "Wll"
    LCK = "Lck"


class AttributeScore(Document):
    """An attribute's die and bonuses."""

    die: int = Field(ge=2, le=LARGEST_DIE)  # sides of its die
    creation: int = Field(default=0, ge=0, le=2)  # bonus from creation, 0 to 2
    steps: int = Field(default=0, ge=0, le=MOST_STEPS)  # specialization steps from levelling up, 0 to 3

    @property
    def bonus(self) -> int:
        """The bonus to every roll with the attribute. [PMM-ADV-07]"""
        return self.creation + self.steps

    def __str__(self) -> str:
        return f"d{self.die} +{self.bonus}" if self.bonus else f"d{self.die}"


class AbilityKind(StrEnum):
    """Whether an ability is active (adds to rolls) or passive; its first bonus decides for good.

    [PMM-ABL-06]
    """

    ACTIVE = "active"
    PASSIVE = "passive"


class Activation(Document):
    """The check that a passive ability takes before it works. [PMM-ABL-05]"""

    first: MaidAttribute
    second: MaidAttribute
    tier: MaidTier


class MaidAbility(Document):
    """An ability of a character."""

    name: AbilityName  # as its player wrote it
    kind: AbilityKind  # active (adds to rolls) or passive (has an effect)
    singles: int = Field(default=0, ge=0, le=MOST_SINGLES)  # Single-ability bonuses on it
    doubles: int = Field(default=0, ge=0, le=MOST_DOUBLES)  # halves of double-ability bonuses on it
    passives: int = Field(default=0, ge=0, le=999)  # passive bonuses on it: its strength
    from_creation: int = Field(default=0, ge=0, le=1)  # how many of these came at creation
    from_level_ups: int = Field(default=0, ge=0, le=999)  # how many of these came by levelling up
    has_given_die_point: bool = False  # whether it has earned its die advancement point
    # What a passive ability does, a text a step.
    effects: tuple[EffectText, ...] = Field(default=(), max_length=999)
    activation: Activation | None = None  # the check a passive ability takes, if any

    @property
    def bonus(self) -> int:
        """The bonus to a roll with the ability: 0 for a passive one, at most 13.

        [PMM-ABL-01 to PMM-ABL-04]
        """
        return SINGLE_BONUSES[self.singles] + DOUBLE_BONUSES[self.doubles]

    @property
    def is_passive(self) -> bool:
        """Whether it has an effect instead of a bonus."""
        return self.kind is AbilityKind.PASSIVE


class MaidSheet(Document):
    """A whole character sheet; points, wounds and timers are stored beside it."""

    # The six of them.
    attributes: Mapping[MaidAttribute, AttributeScore] = Field(min_length=len(MaidAttribute))
    # Active and passive ones, in the order they were gained.
    abilities: tuple[MaidAbility, ...] = Field(default=(), max_length=200)
    is_magical: bool = False  # whether the GM lets the character do magic
    # What each level-up was spent on, in order.
    advances: tuple[str, ...] = Field(default=(), max_length=1000)
    is_dead: bool = False  # whether the GM has said so

    def find_ability(self, name: str) -> MaidAbility | None:
        """The ability of that name, or None. [PMM-ABL-07]"""
        return next((ability for ability in self.abilities if same_name(ability.name, name)), None)

    def ability(self, name: str) -> MaidAbility:
        """The ability of that name.

        Raises:
            UserError: If the sheet has none.
        """
        found = self.find_ability(name)
        if found is None:
            names = listed(ability.name for ability in self.abilities)
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


def _unset(value: object) -> object:
    """Read an empty text and the word "none" as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none"} else value


class SessionPolicy(StrEnum):
    """What the end of a session does with Blitz Points. [PMM-BLZ-12]"""

    TOP_UP = "top_up"
    NONE = "none"
    SET = "set"


class TieBreak(StrEnum):
    """What decides between equal ranks in initiative. [PMM-INI-05]"""

    SUIT = "suit"
    REDRAW = "redraw"


class DefencePolicy(StrEnum):
    """When the target of an attack may defend. [PMM-ATK-03]"""

    GM = "gm"
    ALWAYS = "always"
    NEVER = "never"


@DATA.worded
class MaidSettings(Document):
    """A campaign's settings."""

    blitz_session_policy: SessionPolicy = SessionPolicy.TOP_UP
    blitz_cap: Annotated[int | None, BeforeValidator(_unset)] = Field(default=None, ge=0, le=999)
    die_track: Annotated[tuple[int, ...], BeforeValidator(split_at_commas)] = Field(
        default=DIE_TRACK, max_length=20
    )
    tie_break: TieBreak = TieBreak.SUIT
    defence: DefencePolicy = DefencePolicy.GM
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    round_seconds: Annotated[int | None, BeforeValidator(_unset)] = Field(default=None, ge=1, le=3600)
    suggestions: Annotated[tuple[AbilityName, ...], BeforeValidator(split_at_commas)] = Field(
        default=(), max_length=100
    )

    @field_validator("die_track")
    @classmethod
    def _grows_and_holds_the_starting_dice(cls, track: tuple[int, ...]) -> tuple[int, ...]:
        if list(track) != sorted(set(track)) or not all(2 <= sides <= LARGEST_DIE for sides in track):
            raise ValueError(f"Each size must be larger than the one before, up to {LARGEST_DIE}.")
        if missing := [row.sides for row in STARTING_DICE if row.sides not in track]:
            raise ValueError(f"The track must include d{missing[0]}: characters start with it.")
        return track


Character: TypeAlias = kernel.Character[MaidSheet]
Scene: TypeAlias = kernel.Scene[MaidSheet, MaidSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]


ATTRIBUTE_BONUSES = 3
ABILITY_BONUSES = 2
STARTING_LAYOUT = tuple(sorted(row.sides for row in STARTING_DICE for _ in range(row.attributes)))


def sheet_problems(sheet: MaidSheet) -> tuple[Problem, ...]:
    """Everything on a sheet that creation and level-ups can't produce.

    [PMM-CRE-01 to PMM-CRE-06, PMM-ABL-02, PMM-ABL-04, PMM-ABL-06, PMM-ABL-07, PMM-ADV-08, PMM-ADV-12]
    """
    return (*_dice(sheet), *_creation_bonuses(sheet), *_abilities(sheet.abilities))


def _dice(sheet: MaidSheet) -> Iterator[Problem]:
    dice = [sheet.attributes[attribute].die for attribute in MaidAttribute]
    strange = sorted({die for die in dice if die not in DIE_TRACK and die <= max(DIE_TRACK)})
    for die in strange:
        yield Problem("attributes", f"No attribute can have a d{die}.")
    if strange:
        return
    names = ", ".join(f"d{die}" for die in sorted(dice))
    steps = die_steps(dice)
    abilities = sum(ability.has_given_die_point for ability in sheet.abilities)
    earned = abilities + sum(score.steps >= MOST_STEPS for score in sheet.attributes.values())
    if steps is None:
        yield Problem("attributes", f"The dice {names} are not possible: the smallest dice grow first.")
    elif steps > earned:
        yield Problem(
            "attributes", f"The dice {names} take {steps} die points, but only {earned} were earned."
        )


def die_steps(dice: Sequence[int]) -> int | None:
    """The number of steps from the starting dice to these, sorted ascending; None if impossible.

    [PMM-CRE-01, PMM-ADV-11, PMM-ADV-12 (PMM-R11: a GM may add dice beyond the track)]
    """
    track = [*DIE_TRACK, *sorted({die for die in dice if die > max(DIE_TRACK)})]
    layout = list(STARTING_LAYOUT)
    steps = 0
    while sorted(layout) != sorted(dice):
        smallest = min(layout)
        if smallest == track[-1]:
            return None
        layout[layout.index(smallest)] = track[track.index(smallest) + 1]
        steps += 1
    return steps


def _creation_bonuses(sheet: MaidSheet) -> Iterator[Problem]:
    bonuses = [score.creation for score in sheet.attributes.values()]
    if sum(bonuses) > ATTRIBUTE_BONUSES:
        yield Problem(
            "attributes", f"A new character has {ATTRIBUTE_BONUSES} attribute bonuses, not {sum(bonuses)}."
        )


def _abilities(abilities: Sequence[MaidAbility]) -> Iterator[Problem]:
    for place, ability in enumerate(abilities):
        if any(same_name(ability.name, other.name) for other in abilities[:place]):
            yield Problem("abilities", f"{ability.name} is listed twice.")
        yield from _ability(ability)
    created = [ability for ability in abilities if ability.from_creation]
    # A half of a double counts half; where a half may have come at creation it is taken for one.
    halves = sum(1 if ability.doubles else 2 for ability in created)
    if halves > 2 * ABILITY_BONUSES:
        yield Problem("abilities", f"A new character has only {ABILITY_BONUSES} ability bonuses.")


def _ability(ability: MaidAbility) -> Iterator[Problem]:
    name = ability.name
    bonuses = ability.singles + ability.doubles + ability.passives
    if ability.is_passive and (ability.singles or ability.doubles):
        yield Problem("abilities", f"{name} is passive, so it can't have a single or double bonus.")
    if not ability.is_passive and (ability.passives or ability.activation):
        yield Problem("abilities", f"{name} is active, so it can't have a passive bonus.")
    if bonuses == 0:
        yield Problem("abilities", f"{name} has no bonus.")
    if bonuses != ability.from_creation + ability.from_level_ups:
        yield Problem(
            "abilities", f"{name} has {bonuses} bonuses, which doesn't match its creation and level-ups."
        )
    if ability.has_given_die_point != (ability.from_level_ups >= BONUSES_FOR_A_DIE_POINT):
        yield Problem(
            "abilities",
            f"{name} earns its die point with level-up bonus number {BONUSES_FOR_A_DIE_POINT}.",
        )
