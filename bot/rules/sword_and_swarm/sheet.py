"""The character sheet, the campaign's settings, and what contradicts itself."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Struct
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, field_validator

from bot.rules import kernel
from bot.rules.kernel import CharacterHealth, Document, Problem, SheetField, evolve, looks_for
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import name_key, same_name, shown_number, signed, whole_number
from bot.rules.kernel.parsing import split_at_commas
from bot.rules.sword_and_swarm.tests import (
    DATA,
    HIGHEST,
    MOST_RANKS,
    PROFICIENCY_ROWS,
    RerollMode,
    SwarmAttribute,
    in_range,
)

LONGEST_NAME = 60
TRAINED = "trained"
_NAME = re.compile(rf"[^:,]{{1,{LONGEST_NAME}}}")
_RAISE = re.compile(r"([A-Za-z]+)\s*\+?\s*(\d{1,6})(?:\s+|$)")


def _clean_name(name: str) -> str:
    clean = " ".join(name.split())
    if not _NAME.fullmatch(clean):
        raise ValueError(f"A name needs 1 to {LONGEST_NAME} characters, without commas or colons.")
    return clean


Name = Annotated[str, AfterValidator(_clean_name)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class Raise(Document):
    """An increase of an attribute while its equipment or trait is in use. [SWARM-ATTR-03]"""

    attribute: SwarmAttribute
    amount: int = Field(ge=1, le=HIGHEST)

    def __str__(self) -> str:
        return f"{self.attribute} {signed(self.amount)}"


def raised_words(name: str, raises: Iterable[Raise]) -> str:
    """Something with its increases: "Gloves (Key +2)"."""
    increases = ", ".join(str(one) for one in raises)
    return f"{name} ({increases})" if increases else name


class Proficiency(Struct, frozen=True):
    """A proficiency, its governing attribute, and whether it needs training.

    [SWARM-PROF-02, SWARM-PROF-09]
    """

    name: str
    attribute: SwarmAttribute
    trained_only: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.attribute}{f' {TRAINED}' if self.trained_only else ''}"


class Obstacle(Struct, frozen=True):
    """A named obstacle with a difficulty from 0 to 10. [SWARM-TEST-04 (SWARM-R02)]"""

    name: str
    difficulty: int

    def __str__(self) -> str:
        return f"{self.name}: {self.difficulty}"


class Equipment(Struct, frozen=True):
    """A piece of equipment on the campaign's list, with its increases. [SWARM-ATTR-03]"""

    name: str
    raises: tuple[Raise, ...]

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(str(one) for one in self.raises)}".removesuffix(": ")


def attribute_named(name: str) -> SwarmAttribute:
    """Find an attribute by name, without regard to case.

    Raises:
        ValueError: If there is no such attribute.
    """
    for attribute in SwarmAttribute:
        if same_name(name, attribute):
            return attribute
    raise ValueError(f"There is no attribute “{name}”. The attributes are {', '.join(SwarmAttribute)}.")


def read_proficiency(text: str) -> Proficiency:
    """Read a proficiency from its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    name, _, rest = text.partition(":")
    attribute, *more = rest.split() or [""]
    if more not in ([], [TRAINED]):
        raise ValueError(f"Write a proficiency as “Riding: Key”, or “Locks: Key {TRAINED}”.")
    return Proficiency(_clean_name(name), attribute_named(attribute), bool(more))


def read_obstacle(text: str) -> Obstacle:
    """Read an obstacle from its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    name, _, difficulty = text.partition(":")
    number = whole_number(difficulty, 0, HIGHEST)
    if number is None:
        raise ValueError(f"Write an obstacle as “Rope bridge: 4”, the difficulty from 0 to {HIGHEST}.")
    return Obstacle(_clean_name(name), number)


def read_equipment(text: str) -> Equipment:
    """Read a piece of equipment from its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    name, _, rest = text.partition(":")
    raises: list[Raise] = []
    rest = rest.strip()
    while rest:
        found = _RAISE.match(rest)
        if found is None or not 1 <= int(found[2]) <= HIGHEST:
            raise ValueError("Write equipment as “Chain mail: Shield +3”, each increase from 1 to 10.")
        raises.append(Raise(attribute=attribute_named(found[1]), amount=int(found[2])))
        rest = rest[found.end() :]
    if len({one.attribute for one in raises}) < len(raises):
        raise ValueError("List each attribute only once.")
    return Equipment(_clean_name(name), tuple(raises))


BOOK_PROFICIENCIES = tuple(
    Proficiency(row.name, SwarmAttribute(row.attribute), row.trained_only) for row in PROFICIENCY_ROWS
)


def _twice(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name_key(name) in seen:
            yield name
        seen.add(name_key(name))


def assert_distinct(names: Iterable[str]) -> None:
    """Raise `ValueError` if a name appears twice."""
    for name in _twice(names):
        raise ValueError(f"“{name}” is already on the list.")


MOST_ADDED = 100


def _unset(value: object) -> object:
    """Read None and "none" as an empty list."""
    return () if value in (None, ["none"]) else value


_List = (BeforeValidator(_unset), BeforeValidator(split_at_commas))
_ProficiencyText = Annotated[str, AfterValidator(lambda text: str(read_proficiency(text)))]
_ObstacleText = Annotated[str, AfterValidator(lambda text: str(read_obstacle(text)))]
_EquipmentText = Annotated[str, AfterValidator(lambda text: str(read_equipment(text)))]


@DATA.worded
class SwarmSettings(Document):
    """A campaign's settings."""

    adv_attribute: RerollMode = RerollMode.AUTO
    adv_proficiency: RerollMode = RerollMode.ASK
    reroll_seconds: int = Field(default=60, ge=0, le=3600)
    confirm_when_impossible: bool = False
    npc_default: int = Field(default=3, ge=0, le=HIGHEST)
    proficiencies: Annotated[tuple[_ProficiencyText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Extra proficiencies, for example: Riding: Key, Locks: Key trained.",
    )
    obstacles: Annotated[tuple[_ObstacleText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Named obstacles, for example: Rope bridge: 4, Wall: 6.",
    )
    equipment: Annotated[tuple[_EquipmentText, ...], *_List] = Field(
        default=(),
        max_length=MOST_ADDED,
        description="Equipment to hand out, for example: Gloves: Key +2, Chain mail: Shield +3.",
    )

    @field_validator("proficiencies")
    @classmethod
    def _names_each_proficiency_once(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        assert_distinct(
            one.name for one in (*BOOK_PROFICIENCIES, *(read_proficiency(text) for text in texts))
        )
        return texts

    @field_validator("obstacles", "equipment")
    @classmethod
    def _names_each_once(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        assert_distinct(text.partition(":")[0] for text in texts)
        return texts

    @property
    def all_proficiencies(self) -> tuple[Proficiency, ...]:
        """The book's proficiencies, then the campaign's. [SWARM-PROF-02 (SWARM-R16)]"""
        return (*BOOK_PROFICIENCIES, *(read_proficiency(text) for text in self.proficiencies))

    @property
    def all_obstacles(self) -> tuple[Obstacle, ...]:
        """The campaign's named obstacles."""
        return tuple(read_obstacle(text) for text in self.obstacles)

    @property
    def all_equipment(self) -> tuple[Equipment, ...]:
        """The equipment on the campaign's list."""
        return tuple(read_equipment(text) for text in self.equipment)

    def find_proficiency(self, name: str) -> Proficiency | None:
        """Find a proficiency by name, or return None."""
        return next((one for one in self.all_proficiencies if same_name(one.name, name)), None)

    def find_obstacle(self, name: str) -> Obstacle | None:
        """Find a named obstacle, or return None."""
        return next((one for one in self.all_obstacles if same_name(one.name, name)), None)

    def find_equipment(self, name: str) -> Equipment | None:
        """Find equipment on the campaign's list, or return None."""
        return next((one for one in self.all_equipment if same_name(one.name, name)), None)


LOWEST_STAR = -1000  # the book has no floor; a number has to end somewhere
MOST_BENEFITS = 50
Base = Annotated[int, Field(ge=0, le=HIGHEST)]
Ranks = Annotated[int, Field(ge=0, le=MOST_RANKS)]


class BenefitKind(StrEnum):
    """Whether a benefit is equipment or a trait."""

    EQUIPMENT = "equipment"
    TRAIT = "trait"


class Benefit(Document):
    """A piece of equipment or a trait, whose increases count in use. [SWARM-ATTR-03, SWARM-CHAR-01]"""

    name: Name
    kind: BenefitKind  # equipment or a trait
    # The attributes it raises, and by how much.
    raises: tuple[Raise, ...] = Field(default=(), max_length=len(SwarmAttribute))
    text: Note = ""  # what else it does
    in_use: bool = True  # whether it counts now

    def raise_of(self, attribute: SwarmAttribute) -> int:
        """How much it raises an attribute, in use or not."""
        return sum(one.amount for one in self.raises if one.attribute is attribute)


class SwarmSheet(Document):
    """A whole character sheet. [SWARM-ATTR-01, SWARM-ATTR-02, SWARM-CHAR-01]"""

    # The class, as text.
    class_name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] = ""
    level: int = Field(default=1, ge=0, le=1000)
    # Each attribute before increases, for Star the maximum; None: not set.
    base: Mapping[SwarmAttribute, Base | None] = Field(min_length=len(SwarmAttribute))
    # The current Star, which may be below 0; None: the maximum.
    star: int | None = Field(default=None, ge=LOWEST_STAR, le=HIGHEST)
    encumbrance: int = Field(default=0, ge=0, le=HIGHEST)  # how much the load reduces Boots
    proficiencies: Mapping[Name, Ranks] = Field(default_factory=dict, max_length=200)
    benefits: tuple[Benefit, ...] = Field(default=(), max_length=MOST_BENEFITS)  # equipment and traits
    # How failed attribute tests with advantage are re-rolled; None: as the campaign sets.
    adv_attribute: RerollMode | None = None
    adv_proficiency: RerollMode | None = None  # the same for proficiency tests

    def in_use(self) -> Iterator[Benefit]:
        """The equipment and traits in use."""
        return (benefit for benefit in self.benefits if benefit.in_use)

    def find_benefit(self, name: str) -> Benefit | None:
        """Find equipment or a trait by name, or return None."""
        return next((benefit for benefit in self.benefits if same_name(benefit.name, name)), None)

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
        changed = tuple(benefit if same_name(old.name, benefit.name) else old for old in self.benefits)
        return evolve(self, benefits=changed)

    def without_benefit(self, name: str) -> "SwarmSheet":
        """Return the sheet without a piece of equipment or a trait."""
        others = tuple(benefit for benefit in self.benefits if not same_name(benefit.name, name))
        return evolve(self, benefits=others)

    def ranks_in(self, proficiency: str) -> int:
        """Ranks in a proficiency, 0 if it is not on the sheet. [SWARM-PROF-09]"""
        known = {name_key(name): ranks for name, ranks in self.proficiencies.items()}
        return known.get(name_key(proficiency), 0)

    def with_ranks(self, proficiency: str, ranks: int) -> "SwarmSheet":
        """Return the sheet with new ranks in a proficiency; 0 removes it."""
        others = {name: had for name, had in self.proficiencies.items() if not same_name(name, proficiency)}
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

    [SWARM-ATTR-12, SWARM-ATTR-13, SWARM-CHAR-02 (SWARM-R29)]
    """
    own = sheet.base[attribute]
    if own is not None:
        return own
    return settings.npc_default if attribute.start is None else attribute.start


def star_left(sheet: SwarmSheet, settings: SwarmSettings) -> int:
    """The current Star, before increases. [SWARM-ATTR-09 (SWARM-R25)]"""
    return base_of(sheet, SwarmAttribute.STAR, settings) if sheet.star is None else sheet.star


def actual(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> int:
    """The actual attribute, with equipment and traits in use and the load. Star may be below 0.

    [SWARM-ATTR-02 (SWARM-R23), SWARM-ATTR-03, SWARM-ATTR-09, SWARM-ATTR-12, SWARM-ATTR-13]
    """
    raised = sum(benefit.raise_of(attribute) for benefit in sheet.in_use())
    if attribute is SwarmAttribute.STAR:
        return min(star_left(sheet, settings) + raised, HIGHEST)
    load = sheet.encumbrance if attribute is SwarmAttribute.BOOTS else 0
    return in_range(base_of(sheet, attribute, settings) + raised - load)


def is_defeated(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether Star is 0 or less. [SWARM-ATTR-10]"""
    return actual(sheet, SwarmAttribute.STAR, settings) <= 0


def risks_death(sheet: SwarmSheet, settings: SwarmSettings) -> bool:
    """Whether Star is below 0. [SWARM-ATTR-11 (SWARM-R27)]"""
    return actual(sheet, SwarmAttribute.STAR, settings) < 0


def health_of(character: Character, settings: SwarmSettings) -> CharacterHealth:
    """What is left of Star; the defeated look defeated. [SWARM-ATTR-09, SWARM-ATTR-10]"""
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


def sheet_problems(sheet: SwarmSheet) -> tuple[Problem, ...]:
    """Every contradiction on a sheet: too much Star, names or increases listed twice.

    [SWARM-ATTR-03, SWARM-ATTR-09, SWARM-PROF-09]
    """
    return tuple(_problems(sheet))


def _problems(sheet: SwarmSheet) -> Iterator[Problem]:
    most = sheet.base[SwarmAttribute.STAR]
    if most is not None and sheet.star is not None and sheet.star > most:
        yield Problem("star", f"Star is {sheet.star}, but its maximum is {most}.")
    for name in _twice(benefit.name for benefit in sheet.benefits):
        yield Problem("benefits", f"{name} is listed twice.")
    for name in _twice(sheet.proficiencies):
        yield Problem("proficiencies", f"{name} is listed twice.")
    for benefit in sheet.benefits:
        for attribute in _twice(one.attribute for one in benefit.raises):
            yield Problem("benefits", f"{benefit.name} raises {attribute} twice.")
