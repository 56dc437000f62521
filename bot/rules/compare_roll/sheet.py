"""The character sheet and the campaign's settings; HP, Stress, High, Assets and Ammunition are resources."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, StringConstraints

from bot.rules import kernel
from bot.rules.compare_roll.tables import (
    DATA,
    CompareDifficultyRow,
    CompareItem,
    CompareWeapon,
    Stat,
    ThingName,
    stat_bonus,
)
from bot.rules.kernel import (
    CharacterId,
    Document,
    Problem,
    SheetField,
    evolve,
    typed_list,
    typed_table,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name


class CostSuffix(StrEnum):
    """The meaning of the number in brackets after Cost (CMP-R09)."""

    STRESS_HIGH = "stress_high"
    DAMAGE = "damage"
    NONE = "none"


class StressApplies(StrEnum):
    """The rolls that Stress lowers and High can raise (CMP-R24, CMP-R59)."""

    CHECKS_DEATH = "checks_death"
    CHECKS = "checks"
    CHECKS_DEATH_REST = "checks_death_rest"


class OpponentAttack(StrEnum):
    """How opponents' attacks are rolled (CMP-R34)."""

    DEFENCE_ROLL = "defence_roll"
    AUTO_HIT = "auto_hit"
    GM_ROLLS_2D6 = "gm_rolls_2d6"


class ShortRestFortitude(StrEnum):
    """How much Fortitude a short rest restores (CMP-R44)."""

    HOURLY_CAPPED = "hourly_capped"
    HOURLY = "hourly"
    HALF_AT_ONCE = "half_at_once"


class RestInterrupts(StrEnum):
    """Whose rests an interruption ends (CMP-R60)."""

    SELF = "self"
    PARTY = "party"


class AddedSkill(Document):
    """A skill that the GM has added to a category."""

    category: str
    name: ThingName


@DATA.worded
class CompareSettings(Document):
    """A campaign's settings."""

    default_difficulty: ThingName = "Normal"
    cost_suffix: CostSuffix = CostSuffix.STRESS_HIGH
    ft_base_constant: Literal[0, 4] = 0
    stat_points: int = Field(default=24, ge=0, le=114)
    stat_points_base: Literal[0, 1] = 1
    stress_applies_to: StressApplies = StressApplies.CHECKS_DEATH
    settle_seconds: int = Field(default=60, ge=0, le=3600)
    opponent_attack: OpponentAttack = OpponentAttack.DEFENCE_ROLL
    defense_seconds: int = Field(default=60, ge=0, le=3600)
    short_rest_ft: ShortRestFortitude = ShortRestFortitude.HOURLY_CAPPED
    rest_interrupts: RestInterrupts = RestInterrupts.SELF
    range_check: bool = True
    grid: Literal["square", "hex"] = "square"
    reload_cost: Literal["turn", "attack"] = "turn"
    session_reset: Annotated[
        Mapping[Literal["hp", "stress", "high", "assets", "ammunition"], Annotated[int, Field(ge=0)]],
        BeforeValidator(typed_table),
    ] = {}
    difficulties: Annotated[tuple[CompareDifficultyRow, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=25, description="Difficulties the GM has added."
    )
    skills: Annotated[tuple[AddedSkill, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=200, description="Skills the GM has added for everybody."
    )
    weapons: Annotated[tuple[CompareWeapon, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=100, description="Weapons the GM has added."
    )
    items: Annotated[tuple[CompareItem, ...], BeforeValidator(typed_list)] = Field(
        default=(), max_length=100, description="Items and armor the GM has added."
    )


MOST_SKILL, MOST_STAT, LEAST_STAT = 5, 20, 1
CUSTOM_SLOTS = 4
STARTING_SKILL_POINTS = 16
BASE_MOVEMENT = 6
UNARMED = "Unarmed"
PersonalText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]


class Method(StrEnum):
    """How the stats were made."""

    ROLLED = "rolled"
    POINTS = "points"


class CompareStatus(StrEnum):
    """Whether a character is active, dying, stable or dead."""

    ACTIVE = "active"
    DYING = "dying"
    STABLE = "stable"
    DEAD = "dead"


class SkillScore(Document):
    """A listed skill with its level."""

    category: str
    name: str
    level: int = Field(ge=0, le=MOST_SKILL)


class CustomSkill(SkillScore):
    """A custom skill, in one of a category's free slots."""

    name: ThingName
    stat: Stat | None = None  # the governing stat, if it is not that of the category
    is_approved: bool = False  # whether the GM has approved it


class Carried(Document):
    """A carried weapon: its name, its level, and the shots left in it."""

    name: str
    level: int = Field(default=1, ge=1, le=20)
    shots: int = Field(default=0, ge=0, le=999)


class Belonging(Document):
    """Carried items of one kind; Comms have a channel."""

    name: str
    count: int = Field(default=1, ge=1, le=999)
    channel: str = Field(default="", max_length=40)


class DoorRoll(Document):
    """One roll at Death's Door: its faces, everything added, and the High burned on it."""

    faces: tuple[int, int]
    modifier: int
    high: int = 0

    @property
    def total(self) -> int:
        """The total compared with 8."""
        return sum(self.faces) + self.modifier + self.high


class Foe(Document):
    """An opponent's record, which replaces the rest of the sheet."""

    hp: int = Field(default=10, ge=0, le=9999)  # HP left
    hp_max: int = Field(default=10, ge=1, le=9999)  # maximum HP
    ft_max: int = Field(default=0, ge=0, le=999)  # maximum Fortitude
    # The difficulty of attacks on it; None: the campaign's default.
    rating: int | None = Field(default=None, ge=0, le=20)
    attack: int = Field(default=0, ge=-20, le=20)  # its bonus if the GM rolls 2d6 for opponents
    movement: int = Field(default=BASE_MOVEMENT, ge=0, le=60)  # spaces per turn


class CompareSheet(Document):
    """A character sheet."""

    age: PersonalText = ""  # as written
    sex: PersonalText = ""  # as written
    gender: PersonalText = ""  # as written
    # The six scores.
    stats: Mapping[Stat, Annotated[int, Field(ge=LEAST_STAT, le=MOST_STAT)]] = Field(min_length=len(Stat))
    method: Method = Method.POINTS  # how they were made
    # Rolls of 2d6 that are not placed yet.
    rolled: tuple[Annotated[int, Field(ge=2, le=12)], ...] = Field(default=(), max_length=6)
    unset: tuple[Stat, ...] = Field(default=(), max_length=6)  # stats without a placed roll
    is_draft: bool = False  # whether the stats are still being made
    has_rolled_assets: bool = False  # whether the starting Assets are rolled
    skills: tuple[SkillScore, ...] = Field(default=(), max_length=300)  # listed skills above level 0
    customs: tuple[CustomSkill, ...] = Field(default=(), max_length=32)
    skill_points: int = Field(default=STARTING_SKILL_POINTS, ge=0, le=999)  # unspent skill points
    stat_points: int = Field(default=0, ge=0, le=999)  # unspent stat points
    ft_lost: int = Field(default=0, ge=0, le=9999)  # lost Fortitude
    weapons: tuple[Carried, ...] = Field(default=(), max_length=20)
    items: tuple[Belonging, ...] = Field(default=(), max_length=50)  # other carried things
    armour: str = Field(default="", max_length=40)  # the worn suit, or nothing
    status: CompareStatus = CompareStatus.ACTIVE  # active, dying, stable or dead
    downed_by: CharacterId | None = None  # who brought them to 0 HP, or None
    door: tuple[DoorRoll, ...] = Field(default=(), max_length=3)  # rolls at Death's Door
    foe: Foe | None = None  # an opponent's record, or None

    def bonus(self, stat: Stat) -> int:
        """The bonus of a stat."""
        return stat_bonus(self.stats[stat])

    @property
    def levels(self) -> Mapping[tuple[str, str], int]:
        """The level of every listed skill something was spent on, by category and name.

        [CMP-SKILL-01, CMP-SKILL-06]
        """
        return {(one.category, one.name): one.level for one in reversed(self.skills)}  # the first counts

    def with_skill(self, category: str, name: str, level: int) -> "CompareSheet":
        """Return the sheet with a listed skill at another level."""
        rest = tuple(one for one in self.skills if (one.category, one.name) != (category, name))
        fresh = (SkillScore(category=category, name=name, level=level),) if level else ()
        return self.changed(skills=(*rest, *fresh))

    def custom(self, category: str, name: str) -> CustomSkill | None:
        """Find a custom skill, or return None."""
        return next(
            (one for one in self.customs if one.category == category and same_name(one.name, name)), None
        )

    def with_custom(self, skill: CustomSkill) -> "CompareSheet":
        """Return the sheet with a custom skill added or replaced."""
        old = self.custom(skill.category, skill.name)
        if old is None:
            return self.changed(customs=(*self.customs, skill))
        return self.changed(customs=tuple(skill if one == old else one for one in self.customs))

    def carried(self, name: str) -> Carried | None:
        """Find a carried weapon, or return None."""
        return next((one for one in self.weapons if same_name(one.name, name)), None)

    def with_carried(self, weapon: Carried) -> "CompareSheet":
        """Return the sheet with a weapon added or replaced."""
        if self.carried(weapon.name) is None:
            return self.changed(weapons=(*self.weapons, weapon))
        return self.changed(
            weapons=tuple(weapon if same_name(one.name, weapon.name) else one for one in self.weapons)
        )

    def belonging(self, name: str) -> Belonging | None:
        """Find carried items of one kind, or return None."""
        return next((one for one in self.items if same_name(one.name, name)), None)

    def with_items(self, name: str, more: int) -> "CompareSheet":
        """Return the sheet with more (or fewer) items of one kind."""
        old = self.belonging(name)
        count = (old.count if old else 0) + more
        rest = tuple(one for one in self.items if one != old)
        if count <= 0:
            return self.changed(items=rest)
        fresh = Belonging(name=name, count=count, channel=old.channel if old else "")
        return self.changed(items=(*rest, fresh))

    def changed(self, **changes: object) -> "CompareSheet":
        """Return the sheet with some fields changed."""
        return evolve(self, **changes)


# What the rules of this game see and return.
Character: TypeAlias = kernel.Character[CompareSheet]
Scene: TypeAlias = kernel.Scene[CompareSheet, CompareSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]


def hp_max(sheet: CompareSheet) -> int:
    """Maximum HP: 4 + 2 × (Strength + Agility). [CMP-CHAR-02 (CMP-R12), CMP-COM-12]"""
    if sheet.foe is not None:
        return sheet.foe.hp_max
    return 4 + 2 * (sheet.stats[Stat.STR] + sheet.stats[Stat.AGI])


def carried_weapon(weapon: CompareWeapon, level: int | None = None) -> Carried:
    """A fully loaded weapon of a kind."""
    return Carried(name=weapon.name, level=level or weapon.level, shots=weapon.reload or 0)


def status_of(character: Character) -> CompareStatus:
    """A character's status, brought up to date with its HP. [CMP-DEATH-03 (CMP-R51), CMP-HP-02]"""
    sheet = character.sheet
    if sheet.foe is not None:
        return CompareStatus.ACTIVE if sheet.foe.hp > 0 else CompareStatus.STABLE
    if sheet.status is CompareStatus.DEAD:
        return CompareStatus.DEAD
    if character.left("hp") > 0:
        return CompareStatus.ACTIVE
    return CompareStatus.STABLE if sheet.status is CompareStatus.STABLE else CompareStatus.DYING


def is_standing(character: Character) -> bool:
    """Whether a character is neither down nor dead."""
    return status_of(character) is CompareStatus.ACTIVE


def assert_can_act(character: Character) -> None:
    """Raise `UserError` if a character is dead, dying, down, or not finished. [CMP-DEATH-03, CMP-CHAR-06]"""
    status = status_of(character)
    if status is CompareStatus.DEAD:
        raise UserError(f"{character.name} is dead.")
    if status is CompareStatus.DYING:
        raise UserError(
            f"{character.name} is at 0 HP.",
            "Choose Death's Door or a Blaze of Glory first.",
            "Press one of the buttons on your sheet.",
        )
    if status is CompareStatus.STABLE:
        raise UserError(f"{character.name} is down at 0 HP.", "Any healing brings them back.")
    if character.sheet.is_draft:
        raise UserError(
            f"{character.name} isn't finished.", "Roll the stats first.", "Use /compare create stats."
        )


def sheet_problems(sheet: CompareSheet) -> tuple[Problem, ...]:
    """Problems of a sheet that its model does not catch. [CMP-SKILL-05, CMP-STAT-01]"""
    problems = [
        Problem("customs", f"{category} has {count} custom skills; the limit is {CUSTOM_SLOTS}.")
        for category, count in _counted(sheet).items()
        if count > CUSTOM_SLOTS
    ]
    keys = [(one.category, *one.name.casefold().split()) for one in (*sheet.skills, *sheet.customs)]
    if len(keys) != len(set(keys)):
        problems.append(Problem("skills", "A skill is listed twice."))
    if sheet.foe is not None and sheet.foe.hp > sheet.foe.hp_max:
        problems.append(Problem("foe", f"HP can't be above {sheet.foe.hp_max}."))
    return tuple(problems)


def _counted(sheet: CompareSheet) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in sheet.customs:
        found[one.category] = found.get(one.category, 0) + 1
    return found


FIELDS = (
    SheetField("stats/*", "{}"),
    SheetField("skills/*/level", "{}, level"),
    SheetField("customs/*/level", "{}, level"),
    SheetField("skill_points", "Skill points"),
    SheetField("stat_points", "Stat points"),
    SheetField("ft_lost", "Fortitude lost"),
    SheetField("status", "State"),
    SheetField("weapons/*/level", "{}, level"),
    SheetField("weapons/*/shots", "{}, shots left"),
    SheetField("items/*/count", "{}, how many"),
    SheetField("age", "Age"),
    SheetField("sex", "Sex"),
    SheetField("gender", "Gender"),
)
