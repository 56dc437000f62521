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
    """A skill.

    Attributes:
        aliases: Other names.
        near: Words people may type when they mean it; it is suggested for them.
        linked: Its linked attributes; of several the player chooses one.
        usable_at_zero: Whether it can be rolled at level 0.
        has_specialty: Whether a specialty must be chosen with it.
        specialties: The allowed specialties; empty allows any.
        examples: Specialties to suggest where any is allowed.
        inside: Modifier inside the specialty.
        outside: Modifier outside the specialty.
        is_barred_outside: Whether it cannot be rolled outside the specialty.
        has_passive_level: Whether the module uses its passive level.
        roles: What else it is used for.
        tags: Tags that effects and conditions refer to.
        needs: Optional rules; one of them must be on for the skill to exist.
        class_costs: Classes with another cost.
    """

    aliases: tuple[Name, ...] = ()
    near: tuple[Name, ...] = ()
    linked: tuple[RpjAttribute, ...] = Field(min_length=1, max_length=7)
    usable_at_zero: bool = True
    has_specialty: bool = False
    specialties: tuple[Name, ...] = ()
    examples: tuple[Name, ...] = ()
    inside: int = Field(default=0, ge=-5, le=5)
    outside: int = Field(default=-1, ge=-5, le=5)
    is_barred_outside: bool = False
    has_passive_level: bool = False
    roles: tuple[SkillRole, ...] = ()
    tags: tuple[Name, ...] = ()
    needs: tuple[Pack, ...] = ()
    class_costs: tuple[ClassCost, ...] = ()

    def with_specialty(self, specialty: str) -> str:
        """The name of the skill with a specialty, if there is one: "Crafting (Wood)". [RPJ-SKILL-21]"""
        return f"{self.name} ({specialty})" if specialty else self.name


class ClassSkill(Document):
    """A class skill, for one specialty only where one is named."""

    skill: Id
    specialty: str = Field(default="", max_length=60)


class CharacterClass(ModuleEntry):
    """A class.

    Attributes:
        cost: Its cost in character points.
        skills: The list class skills are chosen from.
        quirks: Traits that come with it for free.
        gear: Weapons, armor and other gear its members start with.
    """

    cost: int = Field(default=0, ge=0, le=100)
    skills: tuple[ClassSkill, ...] = ()
    quirks: tuple[Id, ...] = ()
    gear: tuple[Id, ...] = ()


class TraitKind(StrEnum):
    """Gift, fault or quirk. [RPJ-TRAIT-01]"""

    GIFT = "gift"
    FAULT = "fault"
    QUIRK = "quirk"


class RpjTrait(ModuleEntry):
    """A trait.

    Attributes:
        kind: Gift, fault or quirk.
        cost: Its cost in character points; negative gives points.
        mirrors: The gift a fault inverts, or empty.
        excludes: Traits a character cannot have with it.
        effects: Its effects; without any, it is only roleplayed.
        comes_with_class: Whether it only comes with a class.
        needs: Optional rules; one of them must be on for the trait to exist.
    """

    kind: TraitKind
    cost: int = Field(default=0, ge=-30, le=30)
    mirrors: IdOrNothing = ""
    excludes: tuple[Id, ...] = ()
    effects: tuple[Effect, ...] = ()
    comes_with_class: bool = False
    needs: tuple[Pack, ...] = ()


class GenerationMethod(StrEnum):
    """How attributes are generated. [RPJ-ATTR-08, RPJ-ATTR-10]"""

    ROLL = "roll"
    ROLL_10D6 = "roll 10d6"
    BUY = "buy"
    ARRAY = "array"


class StandardArray(Document):
    """An array of attribute levels.

    Attributes:
        name: Its name.
        primary: The two levels of the primary category.
        others: The other four.
        bonus: Character points that come with it.
    """

    name: Name
    primary: tuple[int, int]
    others: tuple[int, int, int, int]
    bonus: int = Field(default=0, ge=0, le=10)


ARRAYS = (
    StandardArray(name="A", primary=(6, 3), others=(3, 3, 2, 2), bonus=2),
    StandardArray(name="B", primary=(5, 4), others=(3, 3, 3, 2)),
    StandardArray(name="C", primary=(4, 4), others=(3, 3, 3, 3), bonus=2),
)


class AttributeRules(Document):
    """How attributes are generated and raised.

    Attributes:
        lowest: Lowest level.
        highest: Highest level.
        points: Attribute points when buying.
        start: Starting level when buying.
        primary_most: Highest level at creation in the primary category.
        other_most: Highest bought level at creation outside it.
        leftover_bonus: Character points for unspent attribute points.
        leftover_counts_as_power: Whether these points raise character power.
        methods: How attributes may be generated.
        arrays: The standard arrays.
    """

    lowest: int = Field(default=0, ge=-20, le=6)
    highest: int = Field(default=6, ge=6, le=30)
    points: int = Field(default=40, ge=0, le=200)
    start: int = Field(default=1, ge=0, le=6)
    primary_most: int = Field(default=6, ge=1, le=30)
    other_most: int = Field(default=4, ge=1, le=30)
    leftover_bonus: int = Field(default=2, ge=0, le=20)
    leftover_counts_as_power: bool = False
    methods: tuple[GenerationMethod, ...] = Field(default=tuple(GenerationMethod), min_length=1)
    arrays: tuple[StandardArray, ...] = ARRAYS


class LuckRules(Document):
    """The number of Lucky Breaks, and what they pay for.

    Attributes:
        base: What everyone has.
        lucky_from: Luck level that gives one more.
        flashback_cost: The cost of a flashback.
        turn_cost: The cost of turning a failure of a group check.
        resist_cost: The cost of resisting another player's character.
    """

    base: int = Field(default=2, ge=0, le=10)
    lucky_from: int = Field(default=4, ge=0, le=30)
    flashback_cost: int = Field(default=2, ge=1, le=10)
    turn_cost: int = Field(default=1, ge=1, le=10)
    resist_cost: int = Field(default=1, ge=1, le=10)


class CharacterRules(Document):
    """The numbers of new characters, and the limit of skills.

    Attributes:
        start: Starting character points.
        highest_skill: Highest base level of a skill.
        class_slots: How many class skills are chosen.
        class_bonus: Added to rolls of class skills.
        most_refund: Maximum of character points from faults at creation; None for no limit.
    """

    start: int = Field(default=60, ge=0, le=1000)
    highest_skill: int = Field(default=6, ge=1, le=20)
    class_slots: int = Field(default=4, ge=0, le=20)
    class_bonus: int = Field(default=1, ge=0, le=5)
    most_refund: int | None = Field(default=None, ge=0, le=1000)


class SaveRules(Document):
    """The base damage saves.

    Attributes:
        count: How many everyone has before the Constitution bonus.
        target: Their target number.
        layers: The kinds of layers, from the outermost to the innermost.
    """

    count: int = Field(default=2, ge=0, le=10)
    target: SaveTarget = 7
    layers: tuple[LayerKind, ...] = tuple(LayerKind)

    @field_validator("layers")
    @classmethod
    def _names_each_kind_once(cls, layers: tuple[LayerKind, ...]) -> tuple[LayerKind, ...]:
        if sorted(layers) != sorted(LayerKind):
            raise ValueError(f"List each of {', '.join(LayerKind)} once.")
        return layers


class MoneyRules(Document):
    """The rules of money. [RPJ-MONEY-12 (MONEY-12b), RPJ-MONEY-18, RPJ-MONEY-19]

    Attributes:
        coin: Coin of a new character.
        wealth: Wealth of a new character.
        month_days: Game days of a month.
        is_exponential: Whether each Coin is worth more the more a character has; no number depends on it.
        categories: Kinds of goods that cost more.
    """

    coin: int = Field(default=0, ge=0, le=10_000)
    wealth: int = Field(default=0, ge=0, le=10_000)
    month_days: int = Field(default=30, ge=1, le=400)
    is_exponential: bool = False
    categories: tuple[CostCategory, ...] = Field(default=(), max_length=50)


class LoadRules(Document):
    """The rules of loads. [RPJ-INV-02, RPJ-INV-07 (INV-07a)]

    Attributes:
        base: What everyone can carry before the attribute bonus.
        attribute: The attribute whose bonus is added.
        most_handy: How many handy containers can be worn at once.
        most_large: How many large containers can be worn at once.
    """

    base: int = Field(default=6, ge=0, le=100)
    attribute: RpjAttribute = RpjAttribute.STR
    most_handy: int = Field(default=1, ge=0, le=10)
    most_large: int = Field(default=1, ge=0, le=10)


class HouseRule(Document):
    """A house rule of the module, as text."""

    title: Name
    text: Text


class Module(Document):
    """A game made with RPJ Core. [RPJ-GM-06]

    Attributes:
        id: Its id in files.
        name: Its name.
        version: Its version.
        credits: Who made it.
        license: Its license.
        optional_rules: The optional rules it uses.
        criticals: How often criticals come, and who decides.
        attributes: How attributes are generated and raised.
        luck: The rules of Lucky Breaks.
        characters: The numbers of new characters.
        saves: The base damage saves.
        combat: The numbers of a fight.
        ladder: The difficulty ladder.
        skills: Its skills.
        classes: Its classes.
        traits: Its gifts, faults and quirks.
        weapons: Its weapons.
        armor: Its armor and shields.
        gear: Its other gear.
        magic: The rules of structured magic.
        spells: Its spells.
        spheres: Its ability skills.
        abilities: Its ready-made abilities.
        money: The rules of money.
        conditions: Its conditions.
        load: The rules of loads.
        tables: Its decision tables.
        rules: Its house rules.
    """

    id: Id
    name: Name
    version: str = Field(default="1", max_length=20)
    credits: Text = ""
    license: Text = ""
    optional_rules: tuple[Pack, ...] = ()
    criticals: CriticalRules = CriticalRules()
    attributes: AttributeRules = AttributeRules()
    luck: LuckRules = LuckRules()
    characters: CharacterRules = CharacterRules()
    saves: SaveRules = SaveRules()
    combat: CombatRules = CombatRules()
    ladder: tuple[Rung, ...] = Field(default=LADDER, min_length=1)
    skills: tuple[RpjSkill, ...] = Field(default=(), max_length=200)
    classes: tuple[CharacterClass, ...] = Field(default=(), max_length=100)
    traits: tuple[RpjTrait, ...] = Field(default=(), max_length=300)
    weapons: tuple[RpjWeapon, ...] = Field(default=(), max_length=300)
    armor: tuple[Armor, ...] = Field(default=(), max_length=100)
    gear: tuple[RpjGear, ...] = Field(default=(), max_length=300)
    magic: MagicRules = MagicRules()
    spells: tuple[RpjSpell, ...] = Field(default=(), max_length=300)
    spheres: tuple[Sphere, ...] = Field(default=(), max_length=50)
    abilities: tuple[Premade, ...] = Field(default=(), max_length=200)
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
