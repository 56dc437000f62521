"""Implements and artifacts: bonuses, prices and weights."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.swim_class.resolution.tables import DATA, SkillKey

DICE_VALUE = 4
RARE_ABOVE = 3


class SwimRole(StrEnum):
    """The kind of roll that an implement helps.

    Source: SWIM-IMPL-01.
    """

    ATTACK = "attack"
    DEFENCE = "defence"
    TASK = "task"


class Mod(Document):
    """A bonus to every die of a matching roll; without skills it matches any skill."""

    role: SwimRole
    skills: tuple[SkillKey, ...] = ()
    bonus: int = Field(ge=1, le=20)


class Implement(Document):
    """A kind of equipment.

    Attributes:
        name: Its name.
        price_sp: Price in silver.
        weight_tenths: Weight in tenths of a pound.
        mods: Its +N bonuses.
        cancels: Criticals it cancels (N-crit).
        cancel_skills: The skills whose criticals it cancels.
        must_be_anchored: Whether it cancels only while anchored.
        bonus_dice: Dice it adds (ND); one with dice is an artifact.
        dice_skill: The skill that gets those dice.
        increment: Squares per +1 of the defender, for ammunition.
        is_ammunition: Whether shots use it up.
        ammunition: The ammunition it needs, or nothing.
        is_thrown: Whether it leaves the inventory when thrown.
        weapon_for: Skills it is a weapon for without giving a bonus.
        is_by_choice: Whether it helps only when chosen.
        light: Squares it lights.
        is_quest_only: Whether no shop sells it.
        note: Other effects.
        source: The ledger ids it rests on.
    """

    name: str = Field(min_length=1, max_length=60)
    price_sp: int = Field(default=0, ge=0)
    weight_tenths: int = Field(default=0, ge=0)
    mods: tuple[Mod, ...] = Field(default=(), max_length=10)
    cancels: int = Field(default=0, ge=0, le=20)
    cancel_skills: tuple[SkillKey, ...] = ()
    must_be_anchored: bool = False
    bonus_dice: int = Field(default=0, ge=0, le=10)
    dice_skill: SkillKey = ""
    increment: int = Field(default=0, ge=0)
    is_ammunition: bool = False
    ammunition: str = ""
    is_thrown: bool = False
    weapon_for: tuple[SkillKey, ...] = ()
    is_by_choice: bool = False
    light: int = Field(default=0, ge=0)
    is_quest_only: bool = False
    note: str = Field(default="", max_length=200)
    source: str = "SWIM-CRAFT-01"

    @property
    def value(self) -> int:
        """Its rank: bonuses, criticals cancelled, and four for each die.

        Source: SWIM-IMPL-07.
        """
        return sum(mod.bonus for mod in self.mods) + self.cancels + DICE_VALUE * self.bonus_dice

    @property
    def is_rare(self) -> bool:
        """Whether it is very expensive and rare.

        Source: SWIM-IMPL-08.
        """
        return self.value > RARE_ABOVE

    @property
    def is_artifact(self) -> bool:
        """Whether it adds dice.

        Source: SWIM-IMPL-03.
        """
        return self.bonus_dice > 0

    def bonus(self, role: SwimRole, skill: SkillKey) -> int:
        """Its bonus to each die of a roll; a specialisation counts as its parent."""
        return max(
            (mod.bonus for mod in self.mods if mod.role is role and _fits(mod.skills, skill)), default=0
        )

    def is_weapon_for(self, skill: SkillKey) -> bool:
        """Whether it can be used to attack with a skill.

        Source: SWIM-COMB-04.
        """
        return self.bonus(SwimRole.ATTACK, skill) > 0 or skill.partition(":")[0] in self.weapon_for

    @property
    def is_weapon(self) -> bool:
        """Whether it is a weapon."""
        return bool(self.weapon_for) or any(mod.role is SwimRole.ATTACK for mod in self.mods)


def _fits(skills: tuple[SkillKey, ...], skill: SkillKey) -> bool:
    return not skills or skill in skills or skill.partition(":")[0] in skills


class SwimItem(Implement):
    """A character's piece of equipment.

    Attributes:
        quantity: How many.
        is_equipped: Whether it is in use.
        is_anchored: Whether it is anchored at its owner's position.
        is_limited: Whether it may fall apart after each use.
    """

    quantity: int = Field(default=1, ge=0, le=9999)
    is_equipped: bool = True
    is_anchored: bool = False
    is_limited: bool = False

    def cancels_for(self, skill: SkillKey) -> int:
        """How many criticals it cancels on a roll.

        Source: SWIM-IMPL-02, SWIM-ITEM-04.
        """
        if self.must_be_anchored and not self.is_anchored:
            return 0
        return self.cancels if _fits(self.cancel_skills, skill) else 0

    def dice_for(self, skill: SkillKey) -> int:
        """How many dice it adds to a roll."""
        return self.bonus_dice if skill.partition(":")[0] == self.dice_skill else 0


CATALOGUE = {row.name: row for row in DATA.rows("implements", "implement", Implement)}


def item_of(implement: Implement, quantity: int = 1) -> SwimItem:
    """Return a quantity of an implement, in use."""
    return SwimItem(**implement.model_dump(), quantity=quantity)
