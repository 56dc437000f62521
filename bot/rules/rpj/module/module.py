"""The module: everything a game made with RPJ Core defines for itself, optional rules included."""

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator, model_validator

from bot.rules.kernel import OPTIONAL_RULES, PACKS, Document, SettingsWithModule, subject
from bot.rules.rpj.module.abilities import Premade, Sphere
from bot.rules.rpj.module.basics import LADDER, Id, IdOrNothing, ModuleEntry, Name, RpjAttribute, Rung, Text
from bot.rules.rpj.module.condition_kinds import Condition
from bot.rules.rpj.module.decision_tables import DecisionTable
from bot.rules.rpj.module.defense_layers import CombatRules
from bot.rules.rpj.module.effects import Effect, LayerKind, SaveTarget
from bot.rules.rpj.module.items import Armor, CostCategory, RpjGear, RpjWeapon
from bot.rules.rpj.module.spells import MagicRules, RpjSpell
from bot.rules.rpj.resolution.check_inputs import CriticalRules


class Pack(StrEnum):
    """An optional rule; its value is the name of the setting that switches it. [RPJ-GM-06]"""

    CONDITIONS = "conditions"
    DAMAGE_SCALES = "damage_scales"
    FIRE_AND_MOVEMENT = "fire_and_movement"
    MASS_COMBAT = "mass_combat"
    CINEMATIC_COMBAT = "cinematic_combat"
    STRUCTURED_MAGIC = "structured_magic"
    WILD_MAGIC = "wild_magic"
    MONEY = "money"
    INVENTORY = "inventory"
    COIN_FLIPS = "coin_flips"
    ACQUISITION_CHECKS = "acquisition_checks"
    SLOW_BUILD_MAGIC = "slow_build_magic"
    PRACTICED_IMPROVISATION = "practiced_improvisation"

    @property
    def in_words(self) -> str:
        """Its name in the book."""
        return self.value.replace("_", " ").capitalize().replace("and movement", "and Movement")


def unset(value: object) -> object:
    """Read an empty text and the words none and module as None."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", "none", "module"} else value


ADDS = MappingProxyType(
    {
        Pack.CONDITIONS: "lasting conditions and how to end them",
        Pack.DAMAGE_SCALES: "mega and giga damage, armor and cover",
        Pack.FIRE_AND_MOVEMENT: "cover, ammunition, suppression, overwatch",
        Pack.MASS_COMBAT: "mass battles",
        Pack.CINEMATIC_COMBAT: "fights without regions, and legendary foes",
        Pack.STRUCTURED_MAGIC: "spells and slots",
        Pack.WILD_MAGIC: "abilities you build, paid with stamina",
        Pack.MONEY: "Coin, Wealth, prices and running costs",
        Pack.INVENTORY: "bags, weights and loads",
        Pack.COIN_FLIPS: "coins instead of dice, for players who choose them",
        Pack.ACQUISITION_CHECKS: "a check to find rare goods",
        Pack.SLOW_BUILD_MAGIC: "magic skills have a cap that grows with the character",
        Pack.PRACTICED_IMPROVISATION: "practice makes wild magic abilities cheaper",
    }
)
FIGHTS, WORLD = f"{OPTIONAL_RULES}: fights", f"{OPTIONAL_RULES}: world"


def typed_packs(text: str) -> tuple[Pack, ...]:
    """Read typed optional rules, separated by commas; "none" for none.

    Raises:
        ValueError: If there is no such optional rule.
    """
    words = [word.strip().casefold() for word in text.split(",") if word.strip()]
    known = {name.casefold(): pack for pack in Pack for name in (pack.value, pack.in_words)}
    if words in ([], ["none"]):
        return ()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(f"There is no optional rule “{unknown[0]}”. The optional rules: {', '.join(Pack)}.")
    return tuple(dict.fromkeys(known[word] for word in words))


Switch = Annotated[bool | None, BeforeValidator(unset)]


def _switch(title: str, adds: str = "", about: str = FIGHTS) -> bool | None:
    words = adds or next(
        words for pack, words in ADDS.items() if pack.in_words.casefold() == title.casefold()
    )
    switch: bool | None = Field(
        default=None,
        title=title,
        description=f"{words[0].upper()}{words[1:]}.",
        json_schema_extra=subject(about),
    )
    return switch


class PackSettings(SettingsWithModule):
    """The part of a campaign's settings that switches optional rules."""

    conditions: Switch = _switch("Conditions")
    damage_scales: Switch = _switch("Damage scales")
    fire_and_movement: Switch = _switch("Fire and Movement")
    mass_combat: Switch = _switch("Mass combat")
    cinematic_combat: Switch = _switch("Cinematic combat")
    structured_magic: Switch = _switch("Structured magic", about=WORLD)
    wild_magic: Switch = _switch("Wild magic", about=WORLD)
    money: Switch = _switch("Money", about=WORLD)
    inventory: Switch = _switch("Inventory", about=WORLD)
    coin_flips: Switch = _switch("Coin flips")
    maneuvers: Switch = _switch("Maneuvers", "maneuvers that characters learn and use in fights")
    acquisition_checks: Switch = _switch("Acquisition checks", about=WORLD)
    slow_build_magic: Switch = _switch("Slow Build Magic", about=WORLD)
    practiced_improvisation: Switch = _switch("Practiced Improvisation", about=WORLD)

    @model_validator(mode="before")
    @classmethod
    def _together(cls, given: object) -> object:
        """Switch all optional rules at once: those named on, the others off; "default" follows the module."""
        if not isinstance(given, dict) or PACKS not in given:
            return given
        rest = {key: value for key, value in given.items() if key not in {PACKS, *Pack}}
        typed = given[PACKS]
        if isinstance(typed, str) and typed.strip().casefold() in {"default", "module"}:
            return rest
        on = typed_packs(", ".join(map(str, typed)) if isinstance(typed, list) else str(typed or ""))
        return {**rest, **{pack.value: pack in on for pack in Pack}}

    def switches(self) -> dict[Pack, bool | None]:
        """Whether the campaign switches each optional rule on or off; None where the module decides."""
        return {pack: self.switch(pack) for pack in Pack}

    def switch(self, pack: Pack) -> bool | None:
        """Whether the campaign switches an optional rule on or off; None where the module decides."""
        said: bool | None = getattr(self, pack.value)
        return said


class SkillRole(StrEnum):
    """What a skill is used for besides checks."""

    ATTACK = "attack"
    DODGE = "dodge"
    ABSORB = "absorb"
    ARMOR_USE = "armor use"
    INITIATIVE = "initiative"
    GRAPPLE = "grapple"
    UNARMED = "unarmed"
    MEDICAL = "medical"
    PERCEPTION = "perception"
    HAGGLE = "haggle"
    COMMAND = "command"
    COMBAT = "combat"


class ClassCost(Document):
    """The cost of a skill for members of a class, in percent of the usual cost. [RPJ-CHAR-07 (R-064)]"""

    class_id: Id
    percent: int = Field(ge=0, le=400)


class RpjSkill(ModuleEntry):
    """A skill."""

    aliases: tuple[Name, ...] = ()  # other names
    near: tuple[Name, ...] = ()  # words people may type when they mean it; it is suggested for them
    # Its linked attributes; of several the player chooses one.
    linked: tuple[RpjAttribute, ...] = Field(min_length=1, max_length=7)
    usable_at_zero: bool = True  # whether it can be rolled at level 0
    has_specialty: bool = False  # whether a specialty must be chosen with it
    specialties: tuple[Name, ...] = ()  # the allowed specialties; empty allows any
    examples: tuple[Name, ...] = ()  # specialties to suggest where any is allowed
    inside: int = Field(default=0, ge=-5, le=5)  # modifier inside the specialty
    outside: int = Field(default=-1, ge=-5, le=5)  # modifier outside the specialty
    is_barred_outside: bool = False  # whether it cannot be rolled outside the specialty
    has_passive_level: bool = False  # whether the module uses its passive level
    roles: tuple[SkillRole, ...] = ()  # what else it is used for
    tags: tuple[Name, ...] = ()  # tags that effects and conditions refer to
    needs: tuple[Pack, ...] = ()  # optional rules; one of them must be on for the skill to exist
    class_costs: tuple[ClassCost, ...] = ()  # classes with another cost

    def with_specialty(self, specialty: str) -> str:
        """The name of the skill with a specialty, if there is one: "Crafting (Wood)". [RPJ-SKILL-21]"""
        return f"{self.name} ({specialty})" if specialty else self.name


class ClassSkill(Document):
    """A class skill, for one specialty only where one is named."""

    skill: Id
    specialty: str = Field(default="", max_length=60)


class CharacterClass(ModuleEntry):
    """A class."""

    cost: int = Field(default=0, ge=0, le=100)  # its cost in character points
    skills: tuple[ClassSkill, ...] = ()  # the list class skills are chosen from
    quirks: tuple[Id, ...] = ()  # traits that come with it for free
    gear: tuple[Id, ...] = ()  # weapons, armor and other gear its members start with


class TraitKind(StrEnum):
    """Gift, fault or quirk. [RPJ-TRAIT-01]"""

    GIFT = "gift"
    FAULT = "fault"
    QUIRK = "quirk"


class RpjTrait(ModuleEntry):
    """A trait."""

    kind: TraitKind  # gift, fault or quirk
    cost: int = Field(default=0, ge=-30, le=30)  # its cost in character points; negative gives points
    mirrors: IdOrNothing = ""  # the gift a fault inverts, or empty
    excludes: tuple[Id, ...] = ()  # traits a character cannot have with it
    effects: tuple[Effect, ...] = ()  # its effects; without any, it is only roleplayed
    comes_with_class: bool = False  # whether it only comes with a class
    needs: tuple[Pack, ...] = ()  # optional rules; one of them must be on for the trait to exist


class GenerationMethod(StrEnum):
    """How attributes are generated. [RPJ-ATTR-08, RPJ-ATTR-10]"""

    ROLL = "roll"
    ROLL_10D6 = "roll 10d6"
    BUY = "buy"
    ARRAY = "array"


class StandardArray(Document):
    """An array of attribute levels."""

    name: Name
    primary: tuple[int, int]  # the two levels of the primary category
    others: tuple[int, int, int, int]  # the other four
    bonus: int = Field(default=0, ge=0, le=10)  # character points that come with it


ARRAYS = (
    StandardArray(name="A", primary=(6, 3), others=(3, 3, 2, 2), bonus=2),
    StandardArray(name="B", primary=(5, 4), others=(3, 3, 3, 2)),
    StandardArray(name="C", primary=(4, 4), others=(3, 3, 3, 3), bonus=2),
)


class AttributeRules(Document):
    """How attributes are generated and raised."""

    lowest: int = Field(default=0, ge=-20, le=6)  # lowest level
    highest: int = Field(default=6, ge=6, le=30)  # highest level
    points: int = Field(default=40, ge=0, le=200)  # attribute points when buying
    start: int = Field(default=1, ge=0, le=6)  # starting level when buying
    primary_most: int = Field(default=6, ge=1, le=30)  # highest level at creation in the primary category
    other_most: int = Field(default=4, ge=1, le=30)  # highest bought level at creation outside it
    leftover_bonus: int = Field(default=2, ge=0, le=20)  # character points for unspent attribute points
    leftover_counts_as_power: bool = False  # whether these points raise character power
    # How attributes may be generated.
    methods: tuple[GenerationMethod, ...] = Field(default=tuple(GenerationMethod), min_length=1)
    arrays: tuple[StandardArray, ...] = ARRAYS


class LuckRules(Document):
    """The number of Lucky Breaks, and what they pay for."""

    base: int = Field(default=2, ge=0, le=10)  # what everyone has
    lucky_from: int = Field(default=4, ge=0, le=30)  # Luck level that gives one more
    flashback_cost: int = Field(default=2, ge=1, le=10)
    turn_cost: int = Field(default=1, ge=1, le=10)  # the cost of turning a failure of a group check
    resist_cost: int = Field(default=1, ge=1, le=10)  # the cost of resisting another player's character


class CharacterRules(Document):
    """The numbers of new characters, and the limit of skills."""

    start: int = Field(default=60, ge=0, le=1000)  # starting character points
    highest_skill: int = Field(default=6, ge=1, le=20)  # highest base level of a skill
    class_slots: int = Field(default=4, ge=0, le=20)  # how many class skills are chosen
    class_bonus: int = Field(default=1, ge=0, le=5)  # added to rolls of class skills
    # Maximum of character points from faults at creation; None for no limit.
    most_refund: int | None = Field(default=None, ge=0, le=1000)


class SaveRules(Document):
    """The base damage saves."""

    count: int = Field(default=2, ge=0, le=10)  # how many everyone has before the Constitution bonus
    target: SaveTarget = 7  # their target number
    # The kinds of layers, from the outermost to the innermost.
    layers: tuple[LayerKind, ...] = tuple(LayerKind)

    @field_validator("layers")
    @classmethod
    def _names_each_kind_once(cls, layers: tuple[LayerKind, ...]) -> tuple[LayerKind, ...]:
        if sorted(layers) != sorted(LayerKind):
            raise ValueError(f"List each of {', '.join(LayerKind)} once.")
        return layers


class MoneyRules(Document):
    """The rules of money. [RPJ-MONEY-12 (MONEY-12b), RPJ-MONEY-18, RPJ-MONEY-19]"""

    coin: int = Field(default=0, ge=0, le=10_000)  # coin of a new character
    wealth: int = Field(default=0, ge=0, le=10_000)  # wealth of a new character
    month_days: int = Field(default=30, ge=1, le=400)  # game days of a month
    # Whether each Coin is worth more the more a character has; no number depends on it.
    is_exponential: bool = False
    categories: tuple[CostCategory, ...] = Field(default=(), max_length=50)  # kinds of goods that cost more


class LoadRules(Document):
    """The rules of loads. [RPJ-INV-02, RPJ-INV-07 (INV-07a)]"""

    base: int = Field(default=6, ge=0, le=100)  # what everyone can carry before the attribute bonus
    attribute: RpjAttribute = RpjAttribute.STR  # the attribute whose bonus is added
    most_handy: int = Field(default=1, ge=0, le=10)  # how many handy containers can be worn at once
    most_large: int = Field(default=1, ge=0, le=10)  # how many large containers can be worn at once


class HouseRule(Document):
    """A house rule of the module, as text."""

    title: Name
    text: Text


class Module(Document):
    """A game made with RPJ Core. [RPJ-GM-06]"""

    id: Id  # its id in files
    name: Name
    version: str = Field(default="1", max_length=20)
    credits: Text = ""  # who made it
    license: Text = ""
    optional_rules: tuple[Pack, ...] = ()  # the optional rules it uses
    criticals: CriticalRules = CriticalRules()  # how often criticals come, and who decides
    attributes: AttributeRules = AttributeRules()  # how attributes are generated and raised
    luck: LuckRules = LuckRules()  # the rules of Lucky Breaks
    characters: CharacterRules = CharacterRules()  # the numbers of new characters
    saves: SaveRules = SaveRules()  # the base damage saves
    combat: CombatRules = CombatRules()  # the numbers of a fight
    ladder: tuple[Rung, ...] = Field(default=LADDER, min_length=1)  # the difficulty ladder
    skills: tuple[RpjSkill, ...] = Field(default=(), max_length=200)
    classes: tuple[CharacterClass, ...] = Field(default=(), max_length=100)
    traits: tuple[RpjTrait, ...] = Field(default=(), max_length=300)  # its gifts, faults and quirks
    weapons: tuple[RpjWeapon, ...] = Field(default=(), max_length=300)
    armor: tuple[Armor, ...] = Field(default=(), max_length=100)  # its armor and shields
    gear: tuple[RpjGear, ...] = Field(default=(), max_length=300)  # its other gear
    magic: MagicRules = MagicRules()  # the rules of structured magic
    spells: tuple[RpjSpell, ...] = Field(default=(), max_length=300)
    spheres: tuple[Sphere, ...] = Field(default=(), max_length=50)  # its ability skills
    abilities: tuple[Premade, ...] = Field(default=(), max_length=200)  # its ready-made abilities
    money: MoneyRules = MoneyRules()
    load: LoadRules = LoadRules()
    conditions: tuple[Condition, ...] = Field(default=(), max_length=200)
    tables: tuple[DecisionTable, ...] = Field(default=(), max_length=50)
    rules: tuple[HouseRule, ...] = Field(default=(), max_length=100)

    def skill(self, id_: str) -> RpjSkill | None:
        """The skill with this id, or None."""
        return next((skill for skill in self.skills if skill.id == id_), None)

    def spell(self, id_: str) -> RpjSpell | None:
        """The spell with this id, or None."""
        return next((spell for spell in self.spells if spell.id == id_), None)

    def trait(self, id_: str) -> RpjTrait | None:
        """The trait with this id, or None."""
        return next((trait for trait in self.traits if trait.id == id_), None)

    def character_class(self, id_: str) -> CharacterClass | None:
        """The class with this id, or None."""
        return next((class_ for class_ in self.classes if class_.id == id_), None)

    def skills_for(self, role: SkillRole) -> tuple[RpjSkill, ...]:
        """The skills with a role; may be empty. [RPJ-GM-06]"""
        return tuple(skill for skill in self.skills if role in skill.roles)
