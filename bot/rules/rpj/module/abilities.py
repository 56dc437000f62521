"""Wild magic: abilities with what each parameter costs, and stamina, strain and practice."""

from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field, model_validator

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.module.basics import Id, ModuleEntry, RpjAttribute
from bot.rules.rpj.resolution.check import RpjResult
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalRules, RpjCheckInputs

LEAST_OVERWHELMING = 8
SELECTIVE = 2
MOST_REGIONS = 20
MOST_COST = 100


class Magnitude(StrEnum):
    """How much an ability does. [RPJ-WMAG-10, RPJ-WMAG-11]"""

    TRIVIAL = "trivial"
    WEAK = "weak"
    MODERATE = "moderate"
    STRONG = "strong"
    VERY_STRONG = "very strong"
    OVERWHELMING = "overwhelming"

    @property
    def cost(self) -> int:
        """Its cost; the minimum for an overwhelming one."""
        return _MAGNITUDE_COSTS[self]

    @property
    def does(self) -> str:
        """What it can do; each magnitude includes the lower ones."""
        return _DOES[self]


_MAGNITUDE_COSTS = {
    Magnitude.TRIVIAL: 0,
    Magnitude.WEAK: 1,
    Magnitude.MODERATE: 2,
    Magnitude.STRONG: 4,
    Magnitude.VERY_STRONG: 6,
    Magnitude.OVERWHELMING: LEAST_OVERWHELMING,
}
_DOES = {
    Magnitude.TRIVIAL: "Sense and understand the sphere; nudge what is already there. No damage.",
    Magnitude.WEAK: "Control what is already there, shield from it, hide it. Damage 0.",
    Magnitude.MODERATE: "Dispel, mend, alter; create faint things. Damage 1 or 2.",
    Magnitude.STRONG: "Amplify and transform. Damage 2 or 3.",
    Magnitude.VERY_STRONG: "Create from nothing, destroy, suppress lesser users. Damage 4 or more.",
    Magnitude.OVERWHELMING: "Whatever the GM allows: a strike that ends a fight, and more.",
}
_DAMAGE = {
    Magnitude.TRIVIAL: range(0),
    Magnitude.WEAK: range(1),
    Magnitude.MODERATE: range(1, 3),
    Magnitude.STRONG: range(2, 4),
    Magnitude.VERY_STRONG: range(4, 100),
    Magnitude.OVERWHELMING: range(4, 100),
}
SURE_VERY_STRONG = 4  # above it the GM decides which of the two it is


class Concentration(StrEnum):
    """The time it takes. [RPJ-WMAG-14]"""

    INSTANT = "instant"
    ACTION = "one action"
    MINUTE = "one minute"
    TEN_MINUTES = "ten minutes"

    @property
    def cost(self) -> int:
        """What it adds to the cost."""
        return {"instant": 3, "one action": 0, "one minute": -1, "ten minutes": -2}[self]

    @property
    def rounds(self) -> int:
        """Whole turns it takes in a fight; 0 where it takes actions."""
        return {"one minute": 1, "ten minutes": 10}.get(self, 0)


class Reach(StrEnum):
    """How far it goes. [RPJ-WMAG-13, RPJ-WMAG-15]"""

    TOUCH = "touch"
    NEAR = "10 yards"
    SIX_REGIONS = "180 yards, 6 regions"
    SIGHT = "within sight"

    @property
    def cost(self) -> int:
        """What it adds to the cost."""
        return {"touch": -1, "10 yards": 0, "180 yards, 6 regions": 1, "within sight": 2}[self]


class Area(StrEnum):
    """Its area: it affects everyone there, allies too, unless targets are chosen.

    [RPJ-WMAG-16 (WMAG-16a, WMAG-16b)]
    """

    SINGLE = "one target"
    GROUP = "10 yards, one group"
    REGIONS = "30 yards a region"


class Recipe(Document):
    """The parameters of an ability. [RPJ-WMAG-03, RPJ-WMAG-10 to RPJ-WMAG-19]"""

    magnitude: Magnitude = Magnitude.TRIVIAL  # how much it does
    damage: int | None = Field(default=None, ge=0, le=20)
    concentration: Concentration = Concentration.ACTION  # the time it takes
    reach: Reach = Reach.NEAR  # its range
    area: Area = Area.SINGLE
    regions: int = Field(default=1, ge=1, le=MOST_REGIONS)  # how many regions, where the area is regions
    is_selective: bool = False  # whether its user chooses targets in the area
    # The cost of an overwhelming one, set by the GM.
    overwhelming: int = Field(default=LEAST_OVERWHELMING, ge=LEAST_OVERWHELMING, le=100)
    # A cost that replaces all others, set by the module or the GM.
    override: int | None = Field(default=None, ge=0, le=MOST_COST)

    @model_validator(mode="after")
    def _fits_together(self) -> "Recipe":
        if self.regions > 1 and self.area is not Area.REGIONS:
            raise ValueError("Only an area of regions can have more than one region.")
        if self.is_selective and self.area is Area.SINGLE:
            raise ValueError("You can only choose targets in an area.")
        if self.damage is not None and self.damage not in _DAMAGE[self.magnitude]:
            least = ", ".join(magnitudes_for(self.damage))
            raise ValueError(f"Damage {self.damage} needs one of these magnitudes: {least}.")
        return self

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """Every part of the cost by name, zeros left out."""
        if self.override is not None:
            return (("set by the GM", self.override),)
        is_most = self.magnitude is Magnitude.OVERWHELMING
        named = (
            (self.magnitude.value, self.overwhelming if is_most else self.magnitude.cost),
            (self.concentration.value, self.concentration.cost),
            (self.reach.value, self.reach.cost),
            (self._area_word(), {Area.SINGLE: 0, Area.GROUP: 2, Area.REGIONS: 3 * self.regions}[self.area]),
            ("chosen targets", SELECTIVE if self.is_selective else 0),
        )
        return tuple((name, cost) for name, cost in named if cost)

    @property
    def words(self) -> str:
        """The whole recipe in words, with its cost."""
        area = f"{self.regions} regions" if self.area is Area.REGIONS else str(self.area)
        damage = "" if self.damage is None else f" (damage {self.damage})"
        chosen = ", chosen targets" if self.is_selective else ""
        return (
            f"{self.magnitude}{damage}, {self.concentration}, {self.reach}, {area}{chosen}, cost {self.cost}"
        )

    @property
    def cost(self) -> int:
        """Its cost, never below 0. [RPJ-WMAG-03 (WMAG-03a), RPJ-WMAG-19]"""
        return max(sum(cost for _name, cost in self.parts), 0)

    def _area_word(self) -> str:
        if self.area is not Area.REGIONS:
            return self.area.value
        return counted(self.regions, "region")


def magnitudes_for(damage: int | None) -> tuple[Magnitude, ...]:
    """The magnitudes that can deal this damage, the cheapest first.

    Args:
        damage: The damage; None for none, which every magnitude allows.

    [RPJ-WMAG-11 (WMAG-11a, WMAG-11b), RPJ-WMAG-12]
    """
    return tuple(kind for kind in Magnitude if damage is None or damage in _DAMAGE[kind])


def asks_the_gm(recipe: Recipe) -> bool:
    """Whether a recipe needs the GM's decision: high damage, or an overwhelming magnitude.

    [RPJ-WMAG-11 (WMAG-11b), RPJ-WMAG-20]
    """
    is_great = recipe.damage is not None and recipe.damage > SURE_VERY_STRONG
    return is_great or recipe.magnitude is Magnitude.OVERWHELMING


class Sphere(Document):
    """An ability skill and its sphere. [RPJ-WMAG-01, RPJ-WMAG-02]"""

    skill: Id
    covers: str = Field(default="", max_length=200)  # what its sphere covers, in words
    power: int = Field(default=0, ge=-5, le=5)  # what it adds to ability power


class Premade(ModuleEntry):
    """A ready-made ability of a module. [RPJ-WMAG-20]"""

    skill: Id  # the ability skill it belongs to
    recipe: Recipe  # its parameters


class Ability(Document):
    """A saved ability, or a ready-made one of the module. [RPJ-WMAG-20, RPJ-WMAG-21]"""

    name: str = Field(min_length=1, max_length=60)
    skill: str  # the ability skill it belongs to
    recipe: Recipe  # its parameters
    is_premade: bool = False  # whether it comes with the module
    is_practiced: bool = False  # whether a month of practice has made it cheaper

    @property
    def cost(self) -> int:
        """The cost of using it. [RPJ-WMAG-03, RPJ-WMAG-21 (WMAG-21a)]"""
        return max(self.recipe.cost - self.is_practiced, 0)

    def practiced(self) -> "Ability":
        """The same ability after a month of practice. [RPJ-WMAG-21]

        Raises:
            UserError: If it cannot be practiced, or was before.
        """
        self.assert_practicable()
        return evolve(self, is_practiced=True)

    def assert_practicable(self) -> None:
        """Refuse practice that would do nothing. [RPJ-WMAG-21]

        Raises:
            UserError: If it is premade, has been practiced, or costs nothing.
        """
        if self.is_premade:
            raise UserError(f"{self.name} comes with the module; you can only practice your own abilities.")
        if self.is_practiced:
            raise UserError(f"You have already practiced {self.name}.", "You can practice each ability once.")
        if not self.recipe.cost:
            raise UserError(f"{self.name} already costs nothing.")


def ability_check(
    power: tuple[NamedTerm, ...], cost: int, criticals: CriticalRules, base: int
) -> RpjCheckInputs:
    """The check that uses an ability. [RPJ-WMAG-01 (WMAG-01a), RPJ-WMAG-02]

    Args:
        power: The effective level of the ability skill, and what items and traits add.
        cost: What the ability costs.
        criticals: How the campaign treats criticals.
        base: Base level of the ability skill.

    Raises:
        UserError: If the skill was never learned.
    """
    if base < 1:
        raise UserError("You haven't learned that ability skill.", "It needs a base level of at least 1.")
    opposition = (NamedTerm(label="cost", value=cost),) if cost else ()
    return RpjCheckInputs(kind=CheckKind.SKILL, terms=power, opposition=opposition, criticals=criticals)


STRAIN_DIFFICULTY = -1
LEAST_REGAINED = 1
DAY_SECONDS = 24 * 3600


class Practice(Document):
    """An ability being practiced."""

    ability: str  # its name
    until: int = Field(ge=0)  # the moment on the game clock when it is done


class Wild(Document):
    """What a sheet stores about wild magic."""

    # Stamina used; above the maximum once stamina has gone below 0.
    spent: int = Field(default=0, ge=0, le=100_000)
    abilities: tuple[Ability, ...] = Field(default=(), max_length=50)  # saved abilities
    practice: Practice | None = None  # the ability being practiced, or None
    is_strained: bool = False  # whether a strain roll is due

    def paid(self, cost: int) -> "Wild":
        """The same after paying for an attempt, whether or not it worked. [RPJ-WMAG-07]"""
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
    """Maximum ability stamina. [RPJ-WMAG-06 (WMAG-06a)]

    Args:
        skills: Base level and bonus of the linked attribute of each ability skill.
        constitution: Constitution bonus.
    """
    base, bonus = max(skills, default=(0, 0))
    return max(2 * base + bonus + constitution, 0) if base else 0


def strain_roll(willpower: int, stamina: int, criticals: CriticalRules) -> RpjCheckInputs | None:
    """The roll after a use that leaves no stamina, or None where some is left.

    Args:
        willpower: Level.
        stamina: What is left; may be negative.
        criticals: How the campaign treats criticals.

    [RPJ-WMAG-08 (WMAG-08a, WMAG-08c)]
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
    """The effects of strain; it never costs a damage save. [RPJ-WMAG-08 (WMAG-08d)]"""

    HELD = "held"
    KNOCKED_OUT = "incapacitated, nonlethal"
    DYING = "incapacitated, lethal"


def strain_of(result: RpjResult) -> Strain:
    """The effect of a strain roll. [RPJ-WMAG-08 (WMAG-08b)]"""
    if result.is_success:
        return Strain.HELD
    return Strain.DYING if result is RpjResult.CRITICAL_FAILURE else Strain.KNOCKED_OUT


def regained(stamina: int, most: int, hours: int) -> int:
    """Stamina after full hours of rest without using an ability. [RPJ-WMAG-09 (WMAG-09a)]

    Args:
        stamina: Stamina before; may be negative.
        most: The maximum.
        hours: Full hours.
    """
    return min(stamina + hours * max(most // 2, LEAST_REGAINED), max(most, stamina))


def begin_practice(wild: Wild, ability: Ability, clock: int, month_days: int) -> Wild:
    """Start practicing an ability; any earlier practice is dropped. [RPJ-WMAG-21]

    Args:
        wild: The wild magic on the sheet.
        clock: Seconds of game time.
        month_days: Game days of a month.

    Raises:
        UserError: If practice would do nothing.
    """
    ability.assert_practicable()
    practice = Practice(ability=ability.name, until=clock + month_days * DAY_SECONDS)
    return evolve(wild, practice=practice)


def after_practice(wild: Wild, clock: int) -> Wild:
    """Wild magic once a month of practice has passed; unchanged before. [RPJ-WMAG-21]"""
    if wild.practice is None or clock < wild.practice.until:
        return wild
    ability = wild.ability(wild.practice.ability)
    done = evolve(wild, practice=None)
    return done if ability is None or ability.is_practiced else done.with_ability(ability.practiced())
