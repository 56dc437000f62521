"""The character sheet, and the stats that the rules derive from a sheet and its module."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct
from pydantic import Field

from bot.rules import kernel
from bot.rules.kernel import Choice, Document, NamedTerm, SheetField, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import MookSheet
from bot.rules.rpj.module.abilities import Wild
from bot.rules.rpj.module.basics import Category, RpjAttribute, Scale, attribute_bonus, tier_of
from bot.rules.rpj.module.condition_kinds import Suffered
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.effects import (
    AttributeAdjust,
    BaseSaveAdd,
    CautiousMovement,
    Effect,
    FreeAttackOn,
    FreeAttackTrigger,
    GrantsManeuver,
    InitiativeOrder,
    LayerKind,
    LuckyBreaksMaximum,
    RollBonus,
    RollTarget,
    RpjCircumstances,
    UnarmedDamage,
    roll_bonus,
)
from bot.rules.rpj.module.items import Ammunition, Armor, RpjGear
from bot.rules.rpj.module.module import ClassSkill, Module, Pack, RpjSkill, RpjTrait, SkillRole
from bot.rules.rpj.module.module_files import RpjSettings, module_in
from bot.rules.rpj.module.possessions import Holdings, Possession, with_qualities
from bot.rules.rpj.module.spells import Casting


class OwnSkill(Document):
    """A skill on the sheet."""

    skill: str  # its id in the module
    base: int = Field(default=0, ge=0, le=20)  # its base level
    specialty: str = Field(default="", max_length=60)  # the specialty chosen with it, or empty
    linked: RpjAttribute  # the attribute chosen for it


class TraitSource(StrEnum):
    """How a character got a trait."""

    CLASS = "class"
    BOUGHT = "bought"
    AWARDED = "awarded"


class OwnTrait(Document):
    """A trait on the sheet."""

    trait: str  # its id in the module
    source: TraitSource = TraitSource.BOUGHT  # how the character got it
    used: int = Field(default=0, ge=0)  # how many times its one-time permission has been used


class RpjSheet(Document):
    """A character. [RPJ-CHAR-01]"""

    species: str = Field(default="", max_length=60)  # free text
    gender: str = Field(default="", max_length=60)  # free text
    biography: str = Field(default="", max_length=2000)  # free text
    attributes: dict[RpjAttribute, int]  # the level of each attribute
    primary: Category | None = None  # the category that is cheaper to raise, or None
    total_points: int = Field(default=0, ge=0)  # all character points ever awarded: the character power
    available_points: int = Field(default=0, ge=0)  # character points that can be spent
    class_id: str = ""  # the class in the module, or empty
    class_skills: tuple[ClassSkill, ...] = ()  # the class skills chosen
    skills: tuple[OwnSkill, ...] = ()  # bought skills
    traits: tuple[OwnTrait, ...] = ()  # gifts, faults and quirks
    belongings: tuple[str, ...] = ()  # weapons, armor and gear in use, by their ids in the module
    # How items in use differ from the usual quality, by id.
    qualities: dict[str, dict[str, int]] = Field(default_factory=dict)
    # Other items owned: carried, packed, left behind.
    possessions: tuple[Possession, ...] = Field(default=(), max_length=200)
    holdings: Holdings = Holdings()  # earmarks, income and assets
    lucky_breaks_lost: int = Field(default=0, ge=0)  # lucky Breaks lost permanently
    health: RpjHealth = RpjHealth()  # layers of defense, and what damage has done
    scale: Scale = Scale.NORMAL  # the damage scale of the base saves, where scales are played
    has_unlimited_saves: bool = False  # whether no damage save is ever crossed off, as with legendary foes
    # What is loaded and carried for weapons that need ammunition, by their ids.
    ammunition: dict[str, Ammunition] = Field(default_factory=dict)
    conditions: tuple[Suffered, ...] = Field(default=(), max_length=50)
    casting: Casting = Casting()  # slots, known and prepared spells of structured magic
    wild: Wild = Wild()  # stamina and saved abilities of wild magic
    # Whether coins are flipped where the campaign allows them; else dice are rolled.
    flips_coins: bool = False
    mook: MookSheet | None = None  # the stat block of a mook; nothing else on its sheet counts in a fight

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


SHEET_VERSION = 2


def upgrade_sheet(sheet: Mapping[str, object], _version: int) -> Mapping[str, object]:
    """Bring a stored sheet up to date: version 1 stored who rolls dice, not who flips coins. [RPJ-COIN-08]"""
    return {key: value for key, value in sheet.items() if key != "keeps_to_dice"}


CALM = RpjCircumstances()
PASSIVE = -2


def _named(effect: Effect, name: str) -> Effect:
    return effect.called(name) if isinstance(effect, RollBonus) else effect


class Stats(Struct, frozen=True, dict=True):
    """A character as the rules read it."""

    sheet: RpjSheet  # the character sheet
    module: Module  # the module it is played with

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of traits, gear and conditions; what the module does not know does nothing.

        [RPJ-TRAIT-02, RPJ-COND-02]
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
        """The armor worn, then the shields; of several sets of armor the last one put on. [RPJ-GCS-59]"""
        own = self.sheet.belongings
        worn = sorted((one for one in self.module.armor if one.id in own), key=lambda one: own.index(one.id))
        sets = [one for one in worn if one.kind is LayerKind.ARMOR][-1:]
        return (*sets, *(one for one in worn if one.kind is LayerKind.SHIELD))

    def plays(self, pack: Pack) -> bool:
        """Whether an optional rule is on."""
        return pack in self.module.optional_rules

    def level(self, attribute: RpjAttribute, now: RpjCircumstances = CALM) -> int:
        """The effective level of an attribute. [RPJ-ATTR-03 (R-009)]"""
        adjusts = (
            effect.value
            for effect in self.effects
            if isinstance(effect, AttributeAdjust)
            and effect.attribute is attribute
            and effect.when.holds(now)
        )
        return self.sheet.attributes.get(attribute, 0) + sum(adjusts)

    def bonus(self, attribute: RpjAttribute, now: RpjCircumstances = CALM) -> int:
        """The bonus of an attribute. [RPJ-ATTR-02]"""
        return attribute_bonus(self.level(attribute, now))

    def known_skill(self, id_: str) -> RpjSkill:
        """A skill of the module.

        Raises:
            UserError: If the module has no such skill.
        """
        skill = self.module.skill(id_)
        if skill is None:
            names = ", ".join(skill.name for skill in self.module.skills)
            raise UserError(f"This campaign has no skill “{id_}”.", f"Its skills: {names}.")
        return skill

    def base_level(self, skill: RpjSkill) -> int:
        """The base level of a skill; 0 for one that was never bought. [RPJ-SKILL-01, RPJ-SKILL-03]"""
        own = self.sheet.own_skill(skill.id)
        return own.base if own else 0

    def linked(self, skill: RpjSkill) -> RpjAttribute:
        """The linked attribute: the one chosen with the skill, else the best of those it allows.

        [RPJ-SKILL-01]
        """
        own = self.sheet.own_skill(skill.id)
        return own.linked if own else max(skill.linked, key=self.level)

    def effective_level(self, skill: RpjSkill, now: RpjCircumstances = CALM) -> int:
        """Base level and bonus of the linked attribute. [RPJ-SKILL-04]"""
        return self.base_level(skill) + self.bonus(self.linked(skill), now)

    def passive_level(self, skill: RpjSkill) -> int:
        """The effective level less 2. [RPJ-SKILL-06]"""
        return self.effective_level(skill) + PASSIVE

    @property
    def tier(self) -> int:
        """The character tier. [RPJ-CHAR-05]"""
        return tier_of(self.sheet.total_points)

    @property
    def skill_cap(self) -> int:
        """The highest base level a skill can be raised to. [RPJ-CHAR-06]"""
        return min(self.tier, self.module.characters.highest_skill)

    @property
    def lucky_breaks(self) -> int:
        """Lucky Breaks per session. [RPJ-LUCK-01]"""
        rules = self.module.luck
        extra = sum(effect.value for effect in self.effects if isinstance(effect, LuckyBreaksMaximum))
        lucky = 1 if self.level(RpjAttribute.LUCK) >= rules.lucky_from else 0
        return max(rules.base + lucky + extra - self.sheet.lucky_breaks_lost, 0)

    @property
    def base_saves(self) -> tuple[int, ...]:
        """The target numbers of the base damage saves, the easiest first.

        [RPJ-HEALTH-04 (R-056), RPJ-HEALTH-05, RPJ-HEALTH-08, RPJ-APPX-06, RPJ-APPX-13]
        """
        rules = self.module.saves
        effects = [effect for effect in self.effects if isinstance(effect, BaseSaveAdd)]
        fewer = sum(min(effect.count, 0) for effect in effects)
        plain = (rules.target,) * max(rules.count + max(self.bonus(RpjAttribute.CON), 0) + fewer, 1)
        added = ((effect.target,) * effect.count for effect in effects)
        return tuple(sorted((*plain, *(target for targets in added for target in targets))))


def figure_of(character: Character, settings: RpjSettings) -> Stats:
    """A character's stats in a campaign, with their own choice of dice or coins and their items' quality.

    [RPJ-COIN-01, RPJ-COIN-08]
    """
    sheet, module = character.sheet, module_in(settings)
    if sheet.flips_coins and Pack.COIN_FLIPS in module.optional_rules:
        criticals = evolve(module.criticals, with_coins=True)
        module = evolve(module, criticals=criticals)
    return Stats(sheet, with_qualities(module, sheet.qualities) if sheet.qualities else module)


def figure_in(scene: Scene, character: Character) -> Stats:
    """A character's stats in a scene."""
    return figure_of(character, scene.settings)


class OfferedStrike(Struct, frozen=True):
    """A free attack granted by a trait."""

    left: int  # free attacks left this round once it is made


def offered_strike(figure: Stats, trigger: FreeAttackTrigger | None, left: int) -> OfferedStrike | None:
    """The free attack that an event grants the owner of a trait, or None. [RPJ-TRAIT-07 (R-054)]

    Args:
        figure: Who owns the trait.
        trigger: What has happened; None for anything that is no trigger.
        left: Free attacks left this round.
    """
    for effect in figure.effects:
        if isinstance(effect, FreeAttackOn) and effect.trigger is trigger:
            after = left - 1 if effect.costs_the_free_attack else left
            if after >= 0:
                return OfferedStrike(after)
    return None


class Caution(Struct, frozen=True):
    """What cautious movement costs and how far it goes."""

    actions: int | None  # actions it takes; None for the whole turn
    steps: int  # moves it is worth


def caution(figure: Stats) -> Caution:
    """A character's cautious movement, as their traits allow it at best. [RPJ-TRAIT-07]"""
    effects = [effect for effect in figure.effects if isinstance(effect, CautiousMovement)]
    costs = [effect.actions for effect in effects if effect.actions is not None]
    return Caution(min(costs, default=None), max((effect.steps for effect in effects), default=1))


def initiative_terms(figure: Stats, now: RpjCircumstances) -> tuple[NamedTerm, ...]:
    """What traits add to an initiative roll. [RPJ-TRAIT-07]"""
    bonuses = roll_bonus(figure.effects, RollTarget.INITIATIVE, now)
    return tuple(NamedTerm(label=bonus.word, value=bonus.value) for bonus in bonuses)


def _places(figure: Stats) -> Iterator[InitiativeOrder]:
    return (effect for effect in figure.effects if isinstance(effect, InitiativeOrder))


def goes_first(figure: Stats) -> bool:
    """Whether a character acts first in their first round."""
    return any(effect.first_in_first_round for effect in _places(figure))


class Fists(Struct, frozen=True):
    """How traits change unarmed attacks."""

    damage: int  # added to their damage
    may_kill: bool  # whether the owner chooses if they are lethal


def fists(figure: Stats) -> Fists:
    """How a character's traits change their unarmed attacks. [RPJ-TRAIT-07]"""
    effects = [effect for effect in figure.effects if isinstance(effect, UnarmedDamage)]
    return Fists(sum(effect.value for effect in effects), any(effect.may_choose_lethal for effect in effects))


def granted_maneuvers(figure: Stats) -> frozenset[str]:
    """The maneuvers that a character's traits grant. [RPJ-TRAIT-07]"""
    return frozenset(effect.maneuver for effect in figure.effects if isinstance(effect, GrantsManeuver))
