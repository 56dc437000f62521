"""The tables of the book, read once from `data/*.toml`; every row names its source."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import DataFiles, Document

SkillKey = str


class Pool(StrEnum):
    """The three pools of hit points, one per Defense skill. [SWIM-COMB-05]"""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"

    @property
    def defence(self) -> SkillKey:
        """The Defense skill whose rank is its size."""
        return f"{self.value}_defense"


class SwimGroup(StrEnum):
    """The part of the sheet that lists a skill."""

    COMPOSURE = "composure"
    DEFENCE = "defence"
    BASIC = "basic"
    RACIAL = "racial"
    MAGIC = "magic"
    CUSTOM = "custom"


class Defends(StrEnum):
    """Whether a skill can defend, and against what. [SWIM-COMB-03]"""

    POOL = "pool"
    MATCHING = "matching"
    MAGIC = "magic"
    GM = "gm"
    NEVER = "never"


class SwimAttack(StrEnum):
    """How a skill attacks, if it does."""

    NONE = "none"
    MELEE = "melee"
    RANGED = "ranged"
    THROWN = "thrown"
    MAGIC = "magic"
    STEALTH = "stealth"


class SwimRequirement(Document):
    """The rank a skill needs before another can be used or learned."""

    skill: SkillKey
    rank: int = Field(ge=1, le=100)


class SwimSkill(Document):
    """The definition of a skill."""

    key: SkillKey  # its stored key
    name: str  # its displayed name
    aliases: tuple[str, ...] = ()  # its other names
    default: int = Field(default=1, ge=0, le=10)  # its starting rank
    group: SwimGroup = SwimGroup.BASIC  # its part of the sheet
    defends: Defends = Defends.GM  # whether it can defend
    pool: Pool = Pool.PHYSICAL  # the hit points its attacks cost, or that its rank sets
    attack: SwimAttack = SwimAttack.NONE  # how it attacks
    increment: int = 0  # squares per +1 of the defender, for a ranged attack without ammunition
    uses_ammunition: bool = False  # whether a shot uses a piece of ammunition
    opposed_by: tuple[SkillKey, ...] = ()  # its named counters, which replace the Defense skill
    deals_damage: bool = True  # whether a hit costs hit points
    is_exotic: bool = False  # whether it can't be used before its first rank
    requires: tuple[SwimRequirement, ...] = ()
    special_degree: int | None = None  # synergy degree of its specialisations, or None if it has none
    die_bonus: int = 0  # the permanent bonus to its dice
    note: str = Field(default="", max_length=200)  # its difficulties and effects, in words
    source: str = "SWIM-CHAR-07"  # the ledger ids it rests on

    @property
    def attacks(self) -> bool:
        """Whether it attacks like a weapon; the forms of magic are cast instead.

        [SWIM-COMB-01, SWIM-CHAR-07]
        """
        is_form = self.attack is SwimAttack.MAGIC and self.group is SwimGroup.MAGIC
        return self.deals_damage and not is_form and self.attack not in {SwimAttack.NONE, SwimAttack.STEALTH}


class Synergy(Document):
    """Two skills that keep each other within *degree* ranks. [SWIM-SYN-01]"""

    one: SkillKey
    other: SkillKey
    degree: int = Field(ge=0, le=10)
    source: str = "SWIM-CHAR-07"


class SwimTrait(Document):
    """A bonus on one skill and a penalty on another."""

    key: str
    name: str
    plus: SkillKey
    minus: SkillKey
    tight_is_rough: bool = False
    rough_is_hard: bool = False
    source: str


class SwimKind(Document):
    """A kind of being: its racial skills, and its traits with their default degree."""

    key: str
    name: str
    skills: tuple[SkillKey, ...]
    traits: tuple[str, ...]
    degree: int
    source: str


class SwimPreset(Document):
    """A combatant of the book's sample rounds."""

    name: str
    ranks: Mapping[SkillKey, int]
    items: tuple[str, ...] = ()
    traits: Mapping[str, int] = {}
    source: str


class SwimSpell(Document):
    """A power of a form of magic."""

    key: str  # its key in commands
    name: str  # its displayed name
    form: SkillKey  # the form it is rolled with
    difficulty: int = 1  # its own difficulty, 1 if it has none
    area: str = ""  # "line", "near", both, or nothing
    opposed_by: tuple[SkillKey, ...] = ()  # its named counters besides magic
    bonus_per_square: int = 0  # the defender's bonus per square of distance
    deals_damage: bool = False  # whether a hit costs hit points
    source: str  # the ledger ids it rests on


DATA = DataFiles("bot.rules.swim_class")
SKILLS = DATA.rows("skills", "skill", SwimSkill)
SYNERGIES = DATA.rows("skills", "synergy", Synergy)
TRAITS = {row.key: row for row in DATA.rows("kinds", "trait", SwimTrait)}
KINDS = {row.key: row for row in DATA.rows("kinds", "kind", SwimKind)}
PRESETS = {row.name: row for row in DATA.rows("presets", "preset", SwimPreset)}
SPELLS = {row.key: row for row in DATA.rows("spells", "spell", SwimSpell)}
WHEEL: tuple[SkillKey, ...] = ("life", "wind", "fire", "death", "earth", "water")
