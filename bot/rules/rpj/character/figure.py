"""A character's stats: a sheet read with its module, and everything derived from the two."""

from dataclasses import dataclass
from functools import cached_property

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.attributes import RpjAttribute, attribute_bonus
from bot.rules.rpj.module.costs import tier_of
from bot.rules.rpj.module.effects import (
    AttributeAdjust,
    BaseSaveAdd,
    Effect,
    LayerKind,
    LuckyBreaksMaximum,
    RollBonus,
    RpjCircumstances,
)
from bot.rules.rpj.module.items import Armor, RpjGear
from bot.rules.rpj.module.module import Module, RpjSkill, RpjTrait, SkillRole
from bot.rules.rpj.module.optional_rules import Pack

CALM = RpjCircumstances()
PASSIVE = -2


def _named(effect: Effect, name: str) -> Effect:
    return effect.called(name) if isinstance(effect, RollBonus) else effect


@dataclass(frozen=True)
class Stats:
    """A character as the rules read it.

    Attributes:
        sheet: The character sheet.
        module: The module it is played with.
    """

    sheet: RpjSheet
    module: Module

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of traits, gear and conditions; what the module does not know does nothing.

        Source: RPJ-TRAIT-02, RPJ-COND-02.
        """
        traits = (self.module.trait(own.trait) for own in self.sheet.traits)
        sources: list[RpjTrait | RpjGear] = [trait for trait in traits if trait is not None]
        sources += [gear for gear in self.module.gear if gear.id in self.sheet.belongings]
        does = tuple(_named(effect, source.name) for source in sources for effect in source.effects)
        return (*does, *self._hindrances) if self.sheet.conditions else does

    @property
    def _hindrances(self) -> tuple[RollBonus, ...]:
        """What conditions add to rolls, each under the name of its condition."""
        if not self.plays(Pack.CONDITIONS):
            return ()
        has_skill = bool(self.module.skills_for(SkillRole.INITIATIVE))
        return tuple(
            bonus.called(one.condition.name)
            for one in self.sheet.conditions
            for bonus in one.condition.bonuses(has_initiative_skill=has_skill)
        )

    @property
    def armor(self) -> tuple[Armor, ...]:
        """The armor worn, then the shields; of several sets of armor the last one put on.

        Source: RPJ-GCS-59.
        """
        own = self.sheet.belongings
        worn = sorted((one for one in self.module.armor if one.id in own), key=lambda one: own.index(one.id))
        sets = [one for one in worn if one.kind is LayerKind.ARMOR][-1:]
        return (*sets, *(one for one in worn if one.kind is LayerKind.SHIELD))

    def plays(self, pack: Pack) -> bool:
        """Whether an optional rule is on."""
        return pack in self.module.optional_rules

    def level(self, attribute: RpjAttribute, now: RpjCircumstances = CALM) -> int:
        """The effective level of an attribute.

        Source: RPJ-ATTR-03 (R-009).
        """
        adjusts = (
            effect.value
            for effect in self.effects
            if isinstance(effect, AttributeAdjust)
            and effect.attribute is attribute
            and effect.when.holds(now)
        )
        return self.sheet.attributes.get(attribute, 0) + sum(adjusts)

    def bonus(self, attribute: RpjAttribute, now: RpjCircumstances = CALM) -> int:
        """The bonus of an attribute.

        Source: RPJ-ATTR-02.
        """
        return attribute_bonus(self.level(attribute, now))

    def known_skill(self, id_: str) -> RpjSkill:
        """A skill of the module.

        Raises:
            UserError: If the module has no such skill.
        """
        skill = self.module.skill(id_)
        if skill is None:
            names = ", ".join(skill.name for skill in self.module.skills)
            raise UserError(f"{self.module.name} has no skill called “{id_}”.", f"Its skills: {names}.")
        return skill

    def base_level(self, skill: RpjSkill) -> int:
        """The base level of a skill; 0 for one that was never bought.

        Source: RPJ-SKILL-01, RPJ-SKILL-03.
        """
        own = self.sheet.own_skill(skill.id)
        return own.base if own else 0

    def linked(self, skill: RpjSkill) -> RpjAttribute:
        """The linked attribute: the one chosen with the skill, else the best of those it allows.

        Source: RPJ-SKILL-01.
        """
        own = self.sheet.own_skill(skill.id)
        return own.linked if own else max(skill.linked, key=self.level)

    def effective_level(self, skill: RpjSkill, now: RpjCircumstances = CALM) -> int:
        """Base level and bonus of the linked attribute.

        Source: RPJ-SKILL-04.
        """
        return self.base_level(skill) + self.bonus(self.linked(skill), now)

    def passive_level(self, skill: RpjSkill) -> int:
        """The effective level less 2.

        Source: RPJ-SKILL-06.
        """
        return self.effective_level(skill) + PASSIVE

    @property
    def tier(self) -> int:
        """The character tier.

        Source: RPJ-CHAR-05.
        """
        return tier_of(self.sheet.total_points)

    @property
    def skill_cap(self) -> int:
        """The highest base level a skill can be raised to.

        Source: RPJ-CHAR-06.
        """
        return min(self.tier, self.module.characters.highest_skill)

    @property
    def lucky_breaks(self) -> int:
        """Lucky Breaks per session.

        Source: RPJ-LUCK-01.
        """
        rules = self.module.luck
        extra = sum(effect.value for effect in self.effects if isinstance(effect, LuckyBreaksMaximum))
        lucky = 1 if self.level(RpjAttribute.LUCK) >= rules.lucky_from else 0
        return max(rules.base + lucky + extra - self.sheet.lucky_breaks_lost, 0)

    @property
    def base_saves(self) -> tuple[int, ...]:
        """The target numbers of the base damage saves, the easiest first.

        Source: RPJ-HEALTH-04 (R-056), RPJ-HEALTH-05, RPJ-HEALTH-08, RPJ-APPX-06, RPJ-APPX-13.
        """
        rules = self.module.saves
        effects = [effect for effect in self.effects if isinstance(effect, BaseSaveAdd)]
        fewer = sum(min(effect.count, 0) for effect in effects)
        plain = (rules.target,) * max(rules.count + max(self.bonus(RpjAttribute.CON), 0) + fewer, 1)
        added = ((effect.target,) * effect.count for effect in effects)
        return tuple(sorted((*plain, *(target for targets in added for target in targets))))
