"""Structured magic: spells, magic skills, the slots that cast them, and the rolls they call for."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Struct
from pydantic import Field, model_validator

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.module.basics import Id, ModuleEntry, Name, RpjAttribute, Scale, Text
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalRules, RpjCheckInputs

HIGHEST_LEVEL = 6
SpellLevel = Annotated[int, Field(ge=0, le=HIGHEST_LEVEL)]
Counts = Annotated[
    tuple[Annotated[int, Field(ge=0, le=50)], ...],
    Field(min_length=HIGHEST_LEVEL + 1, max_length=HIGHEST_LEVEL + 1),
]


class SpellSave(Document):
    """A saving throw against a spell. [RPJ-SMAG-07]"""

    attribute: RpjAttribute  # the attribute rolled
    on_success: Text = ""  # what the spell still does on a success; empty for nothing


class RpjSpell(ModuleEntry):
    """A spell. [RPJ-SMAG-01, RPJ-SMAG-03 (SMAG-03b)]"""

    level: SpellLevel  # from 0 (at will) to 6
    magic_skill: Id  # the skill it belongs to
    actions: int = Field(default=1, ge=0, le=6)  # actions it takes in a fight
    minutes: int = Field(default=0, ge=0, le=10_000)  # minutes it takes instead; 0 where it takes actions
    reach: str = Field(default="", max_length=100)  # its range, in words
    target: str = Field(default="", max_length=100)  # its target, in words
    # Minimum range of an attack in regions; None for the same group.
    least_range: int | None = Field(default=None, ge=0, le=20)
    # Maximum range of an attack in regions; None for touch.
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    is_attack: bool = False  # whether it needs an attack roll
    save: SpellSave | None = None  # the saving throw against it, or None
    # Added to the target number of a damage save; None for none.
    damage: int | None = Field(default=None, ge=-5, le=20)
    is_nonlethal: bool = False  # whether its damage knocks out instead of killing
    scale: Scale = Scale.NORMAL  # its damage scale, where these are played
    tags: tuple[Name, ...] = ()  # tags that innate slots refer to


class Preparation(StrEnum):
    """How spells are prepared. [RPJ-SMAG-11, RPJ-SMAG-12, RPJ-SMAG-13]"""

    NONE = "none"
    SLOT = "slot"
    LIST = "list"


class Formula(Document):
    """A number computed from a caster's levels."""

    flat: int = Field(default=0, ge=-50, le=50)  # a constant
    base: int = Field(default=0, ge=0, le=10)  # multiplier of the base level of the magic skill
    effective: int = Field(default=0, ge=0, le=10)  # multiplier of its effective level
    level_of: RpjAttribute | None = None  # an attribute whose level is added
    bonus_of: RpjAttribute | None = None  # an attribute whose bonus is added


class MagicSkill(Document):
    """A skill that grants spells and slots, with its own rules. [RPJ-SMAG-05, RPJ-SMAG-22]"""

    skill: Id
    preparation: Preparation = Preparation.NONE  # how its spells are prepared
    knows_all: bool = False  # whether all its spells are known up to the base level; else the GM teaches them
    list_size: Formula | None = None  # how many spells can be prepared, for a list
    # Slots at each base level from 0, instead of the usual rule.
    slot_table: tuple[Counts, ...] = Field(default=(), max_length=21)
    recovery: Formula | None = None  # levels of slots an hour restores, instead of the usual rule
    cost_multiplier: int = Field(default=1, ge=1, le=4)  # a multiplier of the cost of its levels

    @model_validator(mode="after")
    def _has_a_list_size_where_it_needs_one(self) -> "MagicSkill":
        if (self.preparation is Preparation.LIST) != (self.list_size is not None):
            raise ValueError("List preparation needs a list size, and only list preparation can have one.")
        return self


class MagicRules(Document):
    """The rules of structured magic. [RPJ-SMAG-01, RPJ-SMAG-05]"""

    word: Annotated[str, Field(min_length=1, max_length=20)] = "spell"  # the word for a spell
    # The skills that grant spells and slots.
    skills: tuple[MagicSkill, ...] = Field(default=(), max_length=20)

    def of(self, skill: str) -> MagicSkill | None:
        """The rules of a magic skill by its id, or None for any other skill."""
        return next((found for found in self.skills if found.skill == skill), None)


def slot_word(level: int, word: str = "spell") -> str:
    """A slot's name: "3rd-level spell slot". [RPJ-SMAG-01, RPJ-SMAG-02]"""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{level}{endings.get(level, 'th')}-level {word} slot"


class DefenseKind(StrEnum):
    """The source of a spell defense."""

    FIXED = "fixed"
    SKILL = "skill"
    ATTRIBUTE = "attribute"


class SpellDefense(Document):
    """A defense that can cancel magic. [RPJ-SMAG-18]"""

    kind: DefenseKind  # its source
    of: str = ""  # the id of the skill, or the attribute; empty for a fixed one
    value: int = Field(default=0, ge=-20, le=30)  # the number, for a fixed one


def spell_save(attribute: RpjAttribute, level: int, base: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The saving throw against a spell. [RPJ-SMAG-07 (SMAG-07a)]

    Args:
        attribute: The attribute rolled.
        level: The target's level in it.
        base: The caster's base level in the magic skill, or its substitute.
        criticals: How the campaign treats criticals.
    """
    return _check(CheckKind.SAVING_THROW, (attribute.word, level), ("spell", base), criticals)


def spell_defense_roll(value: int, level: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The roll to resist magic; a success cancels the spell for the roller.

    Args:
        value: The spell defense.
        level: The caster's level in the attribute linked to the magic skill, adjustments included.
        criticals: How the campaign treats criticals.

    [RPJ-SMAG-18 (SMAG-18a, SMAG-18b, SMAG-18c), RPJ-WMAG-05]
    """
    return _check(CheckKind.SAVING_THROW, ("spell defense", value), ("caster", level), criticals)


def touch_check(own: int, target: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The check to touch an unwilling target in a fight. [RPJ-WMAG-18 (WMAG-18a)]

    Args:
        own: The attacker's Dexterity level.
        target: The target's Dexterity level.
        criticals: How the campaign treats criticals.
    """
    asked = _check(CheckKind.ATTRIBUTE, (RpjAttribute.DEX.word, own), ("target", target), criticals)
    return evolve(asked, difficulty=TOUCH_DIFFICULTY)


TOUCH_DIFFICULTY = 2


def _check(
    kind: CheckKind, own: tuple[str, int], other: tuple[str, int], criticals: CriticalRules
) -> RpjCheckInputs:
    terms, opposition = (
        (NamedTerm(label=label, value=value),) if value else () for label, value in (own, other)
    )
    return RpjCheckInputs(kind=kind, terms=terms, opposition=opposition, criticals=criticals)


HOURS_TO_PREPARE = 2


class Slot(Document):
    """A slot. [RPJ-SMAG-02, RPJ-SMAG-09, RPJ-SMAG-14]"""

    level: SpellLevel  # from 0 to 6; one of level 0 is never spent
    spell: str = ""  # the id of the spell prepared in it, or empty
    is_spent: bool = False
    origin: str = ""  # the trait that grants an innate slot; else empty
    is_locked: bool = False  # whether its spell can no longer be changed


class Casting(Document):
    """What a sheet stores about structured magic."""

    slots: tuple[Slot, ...] = Field(default=(), max_length=400)
    known: tuple[str, ...] = Field(default=(), max_length=300)  # known spells, by id
    prepared: tuple[str, ...] = Field(default=(), max_length=300)  # spells prepared on a list
    hours: int = Field(default=0, ge=0)  # full hours of concentration in a row
    since: int | None = None  # the moment on the game clock when concentration started, or None

    def with_slot(self, place: int, slot: Slot) -> "Casting":
        """The same with one slot replaced."""
        slots = tuple(slot if at == place else old for at, old in enumerate(self.slots))
        return evolve(self, slots=slots)


class Mage(Struct, frozen=True, kw_only=True):
    """A character's magic skill. [RPJ-SMAG-09 (SMAG-09a)]"""

    rules: MagicSkill  # the module's rules for it
    name: str
    base: int  # base level; for innate slots, the level of the substitute attribute
    bonus: int  # bonus of its linked attribute, or of the substitute
    is_innate: bool = False  # whether an attribute substitutes for the skill

    @property
    def effective(self) -> int:
        """The value for its attacks and its recovery."""
        return self.bonus if self.is_innate else self.base + self.bonus


# --- how many ----------------------------------------------------------------------------------


def slot_counts(base: int, bonus: int, more: int = 0) -> tuple[int, ...]:
    """Slots at each level from 0 to 6. [RPJ-SMAG-08 (SMAG-08a, SMAG-08b), RPJ-SMAG-02 (SMAG-02a)]

    Args:
        base: Base level in the magic skill.
        bonus: Bonus of its linked attribute.
        more: What traits add to the maximum at a level.
    """
    if base < 1:
        return (0,) * (HIGHEST_LEVEL + 1)
    most = max(bonus + 1 + more, 1)
    return tuple(max(min(base - level + 1, most), 0) for level in range(HIGHEST_LEVEL + 1))


def slots_of(mage: Mage, more: int = 0) -> tuple[int, ...]:
    """A magic skill's slots at each level, by its own table where it has one. [RPJ-SMAG-05, RPJ-SMAG-08]"""
    table = mage.rules.slot_table
    if table:
        return table[min(mage.base, len(table) - 1)]
    return slot_counts(mage.base, mage.bonus, more)


def governing(mages: Sequence[Mage], more: int) -> Mage | None:
    """The magic skill that determines slots and recovery, or None. [RPJ-SMAG-19 (SMAG-19a)]"""
    trained = [mage for mage in mages if mage.base > 0]
    if not trained:
        return None
    return max(trained, key=lambda mage: (mage.effective, mage.base, sum(slots_of(mage, more))))


def fitted(slots: Iterable[Slot], counts: Sequence[int]) -> tuple[Slot, ...]:
    """A caster's slots after levels or traits have changed. [RPJ-SMAG-08]

    Innate ones stay. Ready slots are removed first, so that as many as before stay spent.
    """
    old = tuple(slots)
    result: list[Slot] = [slot for slot in old if slot.origin]
    for level, count in enumerate(counts):
        there = [slot for slot in old if slot.level == level and not slot.origin]
        there.sort(key=lambda slot: (not slot.is_spent, not slot.spell))
        result += there[:count]
        result += [Slot(level=level)] * (count - len(there))
    return tuple(sorted(result, key=lambda slot: (slot.level, slot.origin)))


# --- making ready --------------------------------------------------------------------------------


def assert_known(casting: Casting, spell: RpjSpell) -> None:
    """Refuse a spell that is not known. [RPJ-SMAG-10]"""
    if spell.id not in casting.known:
        raise UserError(
            f"You don't know {spell.name}.", try_this="/rpj-magic slots lists the spells you know."
        )


def assert_level(mage: Mage, spell: RpjSpell) -> None:
    """Refuse a spell above the base level in its own skill, whatever the slot. [RPJ-SMAG-21]"""
    if spell.level > mage.base:
        raise UserError(f"{spell.name} needs {mage.name} {spell.level}; yours is {mage.base}.")


def put_in_slot(casting: Casting, place: int, spell: RpjSpell, mage: Mage) -> Casting:
    """Prepare a known spell in a slot. [RPJ-SMAG-11, RPJ-SMAG-14, RPJ-SMAG-21]

    Raises:
        UserError: If it is not known, too high for the skill or the slot, if the slot is locked, or if the
            skill prepares no slots.
    """
    assert_known(casting, spell)
    assert_level(mage, spell)
    slot = casting.slots[place]
    if slot.is_locked:
        raise UserError("The spell in this slot can't be changed.")
    if spell.level > slot.level:
        raise UserError(f"{spell.name} doesn't fit into a {slot_word(slot.level)}.")
    at_will = slot.level == 0
    if mage.rules.preparation is Preparation.NONE and not at_will:
        raise UserError(f"{mage.name} needs no preparation.", f"You can cast {spell.name} at any time.")
    if mage.rules.preparation is Preparation.LIST and not at_will:
        raise UserError(f"{mage.name} prepares spells on a list, not in slots.")
    is_locked = at_will and mage.rules.preparation is Preparation.NONE
    return casting.with_slot(place, evolve(slot, spell=spell.id, is_locked=is_locked))


def list_size(mage: Mage, level: int, bonus: int) -> int:
    """How many spells of a magic skill can be prepared at once. [RPJ-SMAG-12]

    Args:
        mage: The skill.
        level: Level of the attribute its formula names; 0 if it names none.
        bonus: Bonus of the attribute its formula names; 0 if it names none.
    """
    formula = mage.rules.list_size or Formula()
    size = formula.flat + formula.base * mage.base + formula.effective * mage.effective
    return max(size + level + bonus, 0)


def put_on_list(
    casting: Casting, chosen: Sequence[RpjSpell], mage: Mage, size: int, *, others: Sequence[str] = ()
) -> Casting:
    """Prepare a list of known spells of one magic skill. [RPJ-SMAG-12, RPJ-SMAG-21]

    Args:
        casting: The caster's structured magic.
        chosen: The spells of that skill.
        mage: The skill.
        size: How many can be prepared at once.
        others: Prepared spells of other skills, which stay.

    Raises:
        UserError: If one is not known or too high, or there are too many.
    """
    for spell in chosen:
        assert_known(casting, spell)
        assert_level(mage, spell)
    if len({spell.id for spell in chosen}) > size:
        raise UserError(f"You can prepare {counted(size, 'spell')} of {mage.name}, not {len(chosen)}.")
    prepared = tuple(dict.fromkeys((*others, *(spell.id for spell in chosen))))
    return evolve(casting, prepared=prepared)


def assert_may_prepare(casting: Casting) -> None:
    """Refuse to change prepared spells too early. [RPJ-SMAG-17]"""
    if casting.hours < HOURS_TO_PREPARE:
        raise UserError(
            f"Preparing takes {HOURS_TO_PREPARE} hours of concentration in a row; you have {casting.hours}."
        )


# --- using ---------------------------------------------------------------------------------------


class InnateGrant(Document):
    """Slots granted by a trait, usable without the magic skill. [RPJ-SMAG-09]"""

    count: int = Field(default=1, ge=1, le=10)  # how many
    level: SpellLevel
    allowed: tuple[str, ...] = ()  # the spells that fit, by id or by tag; empty allows every known one
    stands_in: RpjAttribute | None = None  # the attribute that substitutes for the skill, or None

    def takes(self, spell: RpjSpell) -> bool:
        """Whether a spell fits."""
        return spell.level <= self.level and (
            not self.allowed or spell.id in self.allowed or bool(set(spell.tags) & set(self.allowed))
        )


def innate_slots(casting: Casting, origin: str, grant: InnateGrant, spell: RpjSpell) -> tuple[int, ...]:
    """The ready slots of a trait that can cast a spell. [RPJ-SMAG-09]

    Returns:
        Their places; empty where the spell does not fit.
    """
    if not grant.takes(spell):
        return ()
    return tuple(
        place for place, slot in enumerate(casting.slots) if slot.origin == origin and not slot.is_spent
    )


def with_innate(casting: Casting, grants: Iterable[tuple[str, InnateGrant]]) -> Casting:
    """A caster with exactly the innate slots of these traits; spent ones stay spent. [RPJ-SMAG-09]"""
    slots = [slot for slot in casting.slots if not slot.origin]
    for origin, grant in grants:
        there = [slot for slot in casting.slots if slot.origin == origin][: grant.count]
        slots += [*there, *[Slot(level=grant.level, origin=origin)] * (grant.count - len(there))]
    ordered = sorted(slots, key=lambda slot: (slot.level, slot.origin))
    return evolve(casting, slots=tuple(ordered))


def usable_slots(casting: Casting, spell: RpjSpell, mage: Mage) -> tuple[int, ...]:
    """The slots that can cast a spell, the best choice first.

    A slot of level 0 that holds it is free; else the lowest that holds it, else the lowest that fits,
    where its skill's preparation allows any.

    Returns:
        Their places.

    [RPJ-SMAG-03, RPJ-SMAG-04 (SMAG-04a), RPJ-SMAG-11 to RPJ-SMAG-13, RPJ-SMAG-20, RPJ-SMAG-21]
    """
    if spell.id not in casting.known or spell.level > mage.base:
        return ()
    how = mage.rules.preparation
    is_free = how is Preparation.NONE or (how is Preparation.LIST and spell.id in casting.prepared)
    found = [
        place
        for place, slot in enumerate(casting.slots)
        if not (slot.origin or slot.is_spent)
        and slot.level >= spell.level
        and (slot.spell == spell.id or (is_free and slot.level > 0))
    ]
    return tuple(sorted(found, key=lambda place: _thrift(casting.slots[place], spell)))


def _thrift(slot: Slot, spell: RpjSpell) -> tuple[bool, bool, int]:
    """A sort key, the cheapest first: at will, then slots that hold the spell or nothing, then the lowest."""
    return slot.level > 0, slot.spell not in ("", spell.id), slot.level


def why_not(casting: Casting, spell: RpjSpell, mage: Mage) -> str:
    """The sentence why no slot can cast a known spell."""
    how = mage.rules.preparation
    if how is Preparation.SLOT and all(slot.spell != spell.id for slot in casting.slots):
        return f"It is not prepared in any slot ({mage.name} prepares slot by slot)."
    if how is Preparation.LIST and spell.id not in casting.prepared:
        return f"It is not on your list of prepared {mage.name} spells."
    return "An hour of concentration restores slots."
