"""The character sheet."""

from enum import StrEnum
from typing import TypeAlias

from pydantic import Field

from bot.rules import kernel
from bot.rules.kernel import Choice, Document, SheetField, evolve
from bot.rules.rpj.character.purse import Holdings
from bot.rules.rpj.character.stamina import Wild
from bot.rules.rpj.combat.state.combatant import MookSheet
from bot.rules.rpj.module.active_condition import Suffered
from bot.rules.rpj.module.ammunition import Ammunition
from bot.rules.rpj.module.attributes import Category, RpjAttribute
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.loads import Possession
from bot.rules.rpj.module.module import ClassSkill
from bot.rules.rpj.module.scales import Scale
from bot.rules.rpj.module.settings import RpjSettings, module_in
from bot.rules.rpj.module.slots import Casting


class OwnSkill(Document):
    """A skill on the sheet.

    Attributes:
        skill: Its id in the module.
        base: Its base level.
        specialty: The specialty chosen with it, or empty.
        linked: The attribute chosen for it.
    """

    skill: str
    base: int = Field(default=0, ge=0, le=20)
    specialty: str = Field(default="", max_length=60)
    linked: RpjAttribute


class TraitSource(StrEnum):
    """How a character got a trait."""

    CLASS = "class"
    BOUGHT = "bought"
    AWARDED = "awarded"


class OwnTrait(Document):
    """A trait on the sheet.

    Attributes:
        trait: Its id in the module.
        source: How the character got it.
        used: How many times its one-time permission has been used.
    """

    trait: str
    source: TraitSource = TraitSource.BOUGHT
    used: int = Field(default=0, ge=0)


class RpjSheet(Document):
    """A character.

    Attributes:
        species: Free text.
        gender: Free text.
        biography: Free text.
        attributes: The level of each attribute.
        primary: The category that is cheaper to raise, or None.
        total_points: All character points ever awarded: the character power.
        available_points: Character points that can be spent.
        class_id: The class in the module, or empty.
        class_skills: The class skills chosen.
        skills: Bought skills.
        traits: Gifts, faults and quirks.
        belongings: Weapons, armor and gear in use, by their ids in the module.
        qualities: How items in use differ from the usual quality, by id.
        possessions: Other items owned: carried, packed, left behind.
        holdings: Earmarks, income and assets.
        lucky_breaks_lost: Lucky Breaks lost permanently.
        health: Layers of defense, and what damage has done.
        scale: The damage scale of the base saves, where scales are played.
        has_unlimited_saves: Whether no damage save is ever crossed off, as with legendary foes.
        ammunition: What is loaded and carried for weapons that need ammunition, by their ids.
        conditions: Its conditions.
        casting: Slots, known and prepared spells of structured magic.
        wild: Stamina and saved abilities of wild magic.
        flips_coins: Whether coins are flipped where the campaign allows them; else dice are rolled.
        mook: The stat block of a mook; nothing else on its sheet counts in a fight.

    Source: RPJ-CHAR-01.
    """

    species: str = Field(default="", max_length=60)
    gender: str = Field(default="", max_length=60)
    biography: str = Field(default="", max_length=2000)
    attributes: dict[RpjAttribute, int]
    primary: Category | None = None
    total_points: int = Field(default=0, ge=0)
    available_points: int = Field(default=0, ge=0)
    class_id: str = ""
    class_skills: tuple[ClassSkill, ...] = ()
    skills: tuple[OwnSkill, ...] = ()
    traits: tuple[OwnTrait, ...] = ()
    belongings: tuple[str, ...] = ()
    qualities: dict[str, dict[str, int]] = Field(default_factory=dict)
    possessions: tuple[Possession, ...] = Field(default=(), max_length=200)
    holdings: Holdings = Holdings()
    lucky_breaks_lost: int = Field(default=0, ge=0)
    health: RpjHealth = RpjHealth()
    scale: Scale = Scale.NORMAL
    has_unlimited_saves: bool = False
    ammunition: dict[str, Ammunition] = Field(default_factory=dict)
    conditions: tuple[Suffered, ...] = Field(default=(), max_length=50)
    casting: Casting = Casting()
    wild: Wild = Wild()
    flips_coins: bool = False
    mook: MookSheet | None = None

    def own_skill(self, id_: str) -> OwnSkill | None:
        """A bought skill, or None."""
        for skill in self.skills:
            if skill.skill == id_:
                return skill
        return None

    def with_skill(self, skill: OwnSkill) -> "RpjSheet":
        """The sheet with one skill replaced or added."""
        others = tuple(own for own in self.skills if own.skill != skill.skill)
        return evolve(self, skills=(*others, skill))


# What the rules of this game see and return.
Character: TypeAlias = kernel.Character[RpjSheet]
Scene: TypeAlias = kernel.Scene[RpjSheet, RpjSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]
Noted: TypeAlias = kernel.Noted[Scene]


def _classes(settings: RpjSettings) -> tuple[Choice, ...]:
    return tuple(Choice(one.id, one.name) for one in module_in(settings).classes)


FIELDS = (
    SheetField("available_points", "Character points to spend"),
    SheetField("total_points", "Character points in all"),
    SheetField("attributes/*", "{}"),
    SheetField("primary", "Primary category"),
    SheetField("skills/*/base", "{}, level"),
    SheetField("skills/*/specialty", "{}, specialty"),
    SheetField("class_id", "Class", _classes),
    SheetField("lucky_breaks_lost", "Lucky Breaks lost for good"),
    SheetField("health/out", "Out of action"),
    SheetField("health/is_stable", "Stable"),
    SheetField("health/is_weak", "Weak"),
    SheetField("flips_coins", "Flips coins"),
    SheetField("has_unlimited_saves", "Unlimited damage saves"),
    SheetField("species", "Species"),
    SheetField("gender", "Gender"),
    SheetField("biography", "Biography"),
)
