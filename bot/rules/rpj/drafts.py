"""A draft's answers read as a character in the making."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.rules.kernel import Draft
from bot.rules.rpj.character.sheet import OwnSkill
from bot.rules.rpj.character_points import skill_price
from bot.rules.rpj.module.basics import GENERATED, Category, RpjAttribute, tier_of
from bot.rules.rpj.module.module import (
    CharacterClass,
    ClassSkill,
    GenerationMethod,
    Module,
    RpjSkill,
    StandardArray,
)
from bot.rules.rpj.new_characters import (
    NewCharacter,
    highest_categories,
    leftover_bonus,
    points_left,
)

METHOD, ARRAY, PRIMARY, POOL, LUCK = "method", "array", "primary", "pool", "luck"
CLASS, CLASS_SKILLS, TRAITS, BUYING = "class", "class_skills", "traits", "buying"
ROLLED = (GenerationMethod.ROLL, GenerationMethod.ROLL_10D6)
LONGEST_VALUE = 100


def level_key(skill: RpjSkill) -> str:
    """The key of a skill's bought level in a draft."""
    return f"level.{skill.id}"


def specialty_key(skill: RpjSkill) -> str:
    """The key of a skill's specialty in a draft."""
    return f"specialty.{skill.id}"


def linked_key(skill: RpjSkill) -> str:
    """The key of a skill's chosen attribute in a draft."""
    return f"linked.{skill.id}"


def pick_value(pick: ClassSkill) -> str:
    """A class skill as an answer."""
    return f"{pick.skill}/{pick.specialty}"[:LONGEST_VALUE]


@dataclass(frozen=True)
class Making:
    """A character in the making."""

    draft: Draft  # the answers
    module: Module

    def one(self, key: str) -> str:
        """The answer to a question with one answer, or empty."""
        return next(iter(self.draft.get(key, ())), "")

    @property
    def start(self) -> int:
        """The starting character points. [RPJ-CHAR-04]"""
        return self.module.characters.start

    @cached_property
    def method(self) -> GenerationMethod | None:
        """The generation method, once chosen."""
        chosen = self.one(METHOD)
        return GenerationMethod(chosen) if chosen in tuple(GenerationMethod) else None

    @property
    def is_rolled(self) -> bool:
        """Whether its attributes are rolled."""
        return self.method in ROLLED

    @cached_property
    def pool(self) -> tuple[int, ...]:
        """The levels that were rolled."""
        return tuple(int(level) for level in self.draft.get(POOL, ()))

    @cached_property
    def array(self) -> StandardArray | None:
        """The chosen array."""
        arrays = self.module.attributes.arrays
        return next((array for array in arrays if array.name == self.one(ARRAY)), None)

    @cached_property
    def levels(self) -> dict[RpjAttribute, int]:
        """The levels assigned to the attributes other than Luck. [RPJ-ATTR-12]"""
        given = {attribute: self.one(attribute.value) for attribute in GENERATED}
        bought = self.method is GenerationMethod.BUY
        start = {attribute: self.module.attributes.start for attribute in GENERATED if bought}
        return {**start, **{attribute: int(level) for attribute, level in given.items() if level}}

    @cached_property
    def best_categories(self) -> tuple[Category, ...]:
        """The categories with the highest sum, once every level is assigned. [RPJ-ATTR-11 (R-011)]"""
        return highest_categories(self.levels) if len(self.levels) == len(GENERATED) else ()

    @cached_property
    def primary(self) -> Category | None:
        """The primary category: the best one for rolled levels; chosen on a tie or with other methods.

        [RPJ-ATTR-11 (R-011), RPJ-ATTR-12, RPJ-ATTR-15]
        """
        chosen = self.one(PRIMARY)
        said = Category(chosen) if chosen in tuple(Category) else None
        if not self.is_rolled:
            return said
        best = self.best_categories
        return best[0] if len(best) == 1 else said if said in best else None

    @cached_property
    def is_ready_for_levels(self) -> bool:
        """Whether the levels to assign are known."""
        if self.is_rolled:
            return bool(self.pool)
        is_chosen = self.method is GenerationMethod.BUY or self.array is not None
        return self.method is not None and is_chosen and self.primary is not None

    @cached_property
    def character_class(self) -> CharacterClass | None:
        """The class that was chosen."""
        return self.module.character_class(self.one(CLASS))

    @cached_property
    def class_skills(self) -> tuple[ClassSkill, ...]:
        """The class skills that were picked."""
        offered = self.character_class.skills if self.character_class else ()
        return tuple(pick for pick in offered if pick_value(pick) in self.draft.get(CLASS_SKILLS, ()))

    def linked(self, skill: RpjSkill) -> RpjAttribute:
        """The attribute a skill is linked to: the one chosen, else the best of those it allows.

        [RPJ-SKILL-01]
        """
        chosen = self.one(linked_key(skill))
        if chosen in skill.linked:
            return RpjAttribute(chosen)
        known: Mapping[RpjAttribute, int] = {**self.levels, RpjAttribute.LUCK: int(self.one(LUCK) or 0)}
        return max(skill.linked, key=lambda attribute: known.get(attribute, 0))

    def own(self, skill: RpjSkill, level: int | None = None) -> OwnSkill:
        """A skill as on the sheet, at the level bought or at another one."""
        return OwnSkill(
            skill=skill.id,
            base=int(self.one(level_key(skill)) or 0) if level is None else level,
            specialty=self.one(specialty_key(skill)) if skill.has_specialty else "",
            linked=self.linked(skill),
        )

    def price(self, skill: RpjSkill, level: int | None = None) -> int:
        """What a skill costs at the level bought, or at another one. [RPJ-SKILL-02, RPJ-CHAR-14]"""
        return skill_price(self.own(skill, level), 0, self.module, self.one(CLASS))

    @cached_property
    def skills(self) -> tuple[OwnSkill, ...]:
        """The skills that are bought."""
        bought = (skill for skill in self.module.skills if self.one(level_key(skill)))
        return tuple(own for own in map(self.own, bought) if own.base)

    @cached_property
    def skills_price(self) -> int:
        """What all of them cost together. [RPJ-CHAR-14]"""
        return sum(skill_price(own, 0, self.module, self.one(CLASS)) for own in self.skills)

    @cached_property
    def new(self) -> NewCharacter:
        """The character so far."""
        return NewCharacter(
            method=self.method or GenerationMethod.ROLL,
            pool=self.pool,
            array=self.array.name if self.array else "",
            levels=self.levels,
            primary=self.primary,
            luck=int(self.one(LUCK)) if self.one(LUCK) else None,
            class_id=self.one(CLASS) if self.character_class else "",
            class_skills=self.class_skills,
            traits=self.draft.get(TRAITS, ()),
            skills=self.skills,
        )

    @cached_property
    def left(self) -> int:
        """The character points that are left; below zero where too many are spent. [RPJ-CHAR-03]"""
        return points_left(self.new, self.module, self.start) - self._bonus_to_come

    @cached_property
    def bonus(self) -> int:
        """The character points that the attributes bring. [RPJ-ATTR-14, RPJ-ATTR-15]"""
        if self.method is GenerationMethod.ARRAY:
            return self.array.bonus if self.array else 0
        return self._leftover - self._bonus_to_come

    @property
    def _leftover(self) -> int:
        """The character points for leftover attribute points."""
        is_bought = self.method is GenerationMethod.BUY
        return leftover_bonus(self.levels, self.module.attributes) if is_bought else 0

    @property
    def _bonus_to_come(self) -> int:
        """The leftover bonus before any level is bought, which is not counted yet."""
        has_bought = any(self.one(attribute.value) for attribute in GENERATED)
        return 0 if has_bought else self._leftover

    @property
    def skill_cap(self) -> int:
        """The highest level that a skill can be bought to. [RPJ-CHAR-06, RPJ-ATTR-14 (R-015)]"""
        counts = self.module.attributes.leftover_counts_as_power
        power = self.start + (self.bonus if counts else 0)
        return min(tier_of(power), self.module.characters.highest_skill)
