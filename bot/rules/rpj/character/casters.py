"""A character's structured magic: magic skills, slots, known spells, and concentration."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.rules.kernel import CharacterId, DueTimer, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.sheet import HookResult, Scene, Stats, figure_in
from bot.rules.rpj.module.basics import POINTS_A_TIER, RpjAttribute, attribute_bonus, named
from bot.rules.rpj.module.effects import InnateSlots, Resists, SlotCount
from bot.rules.rpj.module.spells import (
    HOURS_TO_PREPARE,
    Casting,
    DefenseKind,
    Formula,
    InnateGrant,
    Mage,
    MagicSkill,
    RpjSpell,
    Slot,
    fitted,
    governing,
    innate_slots,
    slots_of,
    usable_slots,
    with_innate,
)

RECOVERY = 2
HOUR_SECONDS = 3600


def hourly_recovery(effective: int) -> int:
    """Levels of slots that one hour of concentration restores. [RPJ-SMAG-15 (SMAG-15b)]"""
    return max(RECOVERY + effective, 0)


def recovered(slots: Sequence[Slot], allowance: int) -> tuple[Slot, ...]:
    """Slots after a full hour: the highest that fits is restored first, then whatever still fits.

    Args:
        slots: The slots of one source: those of skills, or those of one trait.
        allowance: Levels to restore; what is not used does not carry over.

    [RPJ-SMAG-15 (SMAG-15a)]
    """
    after = list(slots)
    for place in sorted(range(len(after)), key=lambda place: -after[place].level):
        if after[place].is_spent and after[place].level <= allowance:
            allowance -= after[place].level
            after[place] = evolve(after[place], is_spent=False)
    return tuple(after)


def most_magic(total_points: int) -> int:
    """The largest sum of base levels in all magic skills, where magic builds slowly. [RPJ-SMAG-23]"""
    return total_points // POINTS_A_TIER


def mage_of(figure: Stats, rules: MagicSkill) -> Mage:
    """A magic skill as a character has it. [RPJ-SMAG-05]"""
    skill = figure.known_skill(rules.skill)
    bonus = figure.bonus(figure.linked(skill))
    return Mage(rules=rules, name=skill.name, base=figure.base_level(skill), bonus=bonus)


def mages_of(figure: Stats) -> tuple[Mage, ...]:
    """Every magic skill a character has learned."""
    found = (mage_of(figure, rules) for rules in figure.module.magic.skills if _is_known(figure, rules))
    return tuple(mage for mage in found if mage.base > 0)


def _is_known(figure: Stats, rules: MagicSkill) -> bool:
    return figure.module.skill(rules.skill) is not None


def more_slots(figure: Stats) -> int:
    """What traits add to the maximum of slots at a level. [RPJ-SMAG-08, RPJ-APPX-15]"""
    return sum(effect.value for effect in figure.effects if isinstance(effect, SlotCount))


def grants_of(figure: Stats) -> tuple[tuple[str, InnateGrant], ...]:
    """Innate slots, each with the trait that grants it. [RPJ-SMAG-09]"""
    traits = (figure.module.trait(own.trait) for own in figure.sheet.traits)
    return tuple(
        (trait.id, effect.grant)
        for trait in traits
        if trait is not None
        for effect in trait.effects
        if isinstance(effect, InnateSlots)
    )


def casting_of(figure: Stats) -> Casting:
    """A character's slots and spells, brought in line with their levels and traits.

    [RPJ-SMAG-08, RPJ-SMAG-09, RPJ-SMAG-10, RPJ-SMAG-19]
    """
    stored, more = figure.sheet.casting, more_slots(figure)
    mages = mages_of(figure)
    leader = governing(mages, more)
    counts = slots_of(leader, more) if leader else ()
    casting = with_innate(evolve(stored, slots=fitted(stored.slots, counts)), grants_of(figure))
    return evolve(casting, known=tuple(spell.id for spell in known_spells(figure)))


def known_spells(figure: Stats) -> tuple[RpjSpell, ...]:
    """The spells a character knows: all of a skill that knows all, and those they were taught.

    [RPJ-SMAG-10]
    """
    bases = {mage.rules.skill: mage for mage in mages_of(figure)}
    innate = [grant for _origin, grant in grants_of(figure)]
    return tuple(
        spell
        for spell in figure.module.spells
        if spell.id in figure.sheet.casting.known
        or ((mage := bases.get(spell.magic_skill)) and mage.rules.knows_all and spell.level <= mage.base)
        or any(grant.takes(spell) for grant in innate if grant.allowed)
    )


def spell_named(figure: Stats, typed: str) -> RpjSpell:
    """The spell of the module a person typed, by its name or id.

    Raises:
        UserError: If there is no such spell.
    """
    if spell := named(figure.module.spells, typed):
        return spell
    word = figure.module.magic.word
    raise UserError(f"This campaign has no {word} “{typed}”.", "/rpj-magic slots lists those you know.")


def caster_for(figure: Stats, spell: RpjSpell) -> Mage:
    """The magic skill a character casts a spell with.

    Raises:
        UserError: If the module has no rules for it.
    """
    rules = figure.module.magic.of(spell.magic_skill)
    if rules is None or figure.module.skill(spell.magic_skill) is None:
        raise UserError(f"{spell.name} needs a skill that {figure.module.name} doesn't have.")
    return mage_of(figure, rules)


def innate_caster(figure: Stats, spell: RpjSpell, grant: InnateGrant) -> Mage:
    """The attribute that stands in for the skill of a spell in innate slots. [RPJ-SMAG-09 (SMAG-09a)]"""
    mage = caster_for(figure, spell)
    if grant.stands_in is None:
        return replace(mage, base=0, bonus=0, is_innate=True)
    level = figure.level(grant.stands_in)
    return replace(mage, base=level, bonus=attribute_bonus(level), is_innate=True)


def ways_to_cast(figure: Stats, casting: Casting, spell: RpjSpell) -> tuple[tuple[int, Mage], ...]:
    """The slots a spell can be cast with, the best first, each with its magic skill.

    [RPJ-SMAG-03, RPJ-SMAG-09, RPJ-SMAG-20]
    """
    mage = caster_for(figure, spell)
    ways = [(place, mage) for place in usable_slots(casting, spell, mage)]
    for origin, grant in grants_of(figure):
        innate = innate_caster(figure, spell, grant)
        ways += [(place, innate) for place in innate_slots(casting, origin, grant, spell)]
    return tuple(ways)


def defense_against_magic(figure: Stats) -> int | None:
    """The spell defense of a character who resists magic, or None. [RPJ-SMAG-18, RPJ-WMAG-05, RPJ-APPX-16]"""
    values = [_defense(figure, effect) for effect in figure.effects if isinstance(effect, Resists)]
    return max(values, default=None)


def _defense(figure: Stats, effect: Resists) -> int:
    defense = effect.defense
    if defense.kind is DefenseKind.FIXED:
        return defense.value
    if defense.kind is DefenseKind.ATTRIBUTE:
        return figure.level(RpjAttribute(defense.of))
    skill = figure.module.skill(defense.of)
    return figure.effective_level(skill) if skill else 0


def linked_values(figure: Stats, mage: Mage) -> tuple[int, int]:
    """The level and the bonus that the formula of a prepared list uses. [RPJ-SMAG-12]"""
    formula = mage.rules.list_size or Formula()
    level = figure.level(formula.level_of) if formula.level_of else 0
    return level, figure.bonus(formula.bonus_of) if formula.bonus_of else 0


def linked_level(figure: Stats, spell_skill: str) -> int:
    """The level of the attribute a magic or ability skill is linked to, adjustments included.

    [RPJ-SMAG-18 (SMAG-18a, SMAG-18c)]
    """
    return figure.level(figure.linked(figure.known_skill(spell_skill)))


def innate_hour(figure: Stats, grant: InnateGrant) -> int:
    """Levels of innate slots that one hour of concentration restores. [RPJ-SMAG-15 (SMAG-15b)]"""
    return hourly_recovery(figure.bonus(grant.stands_in) if grant.stands_in else 0)


CONCENTRATION = "concentration"


def with_casting(scene: Scene, who: CharacterId, casting: Casting) -> Scene:
    """The scene with a character's slots and prepared spells changed, but not what they were taught."""
    character = scene.character(who)
    taught = character.sheet.casting.known
    changed = evolve(casting, known=taught)
    sheet = evolve(character.sheet, casting=changed)
    return scene.with_sheet(character, sheet)


def begun(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a character starts concentrating."""
    casting = casting_of(figure_in(scene, scene.character(who)))
    fresh = evolve(casting, since=scene.clock, hours=0)
    scene = with_casting(scene, who, fresh)
    return scene.with_character(scene.character(who).with_timer(CONCENTRATION, scene.clock + HOUR_SECONDS))


def broken(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a character's concentration is broken; the unfinished hour is lost. [RPJ-SMAG-16]"""
    character = scene.character(who)
    casting = character.sheet.casting
    if casting.since is None and not casting.hours:
        return scene
    over = evolve(casting, since=None, hours=0)
    scene = with_casting(scene, who, over)
    return scene.with_character(scene.character(who).with_timer(CONCENTRATION, None))


def is_concentrating(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is concentrating."""
    return scene.character(who).sheet.casting.since is not None


def hours_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Restore slots for every full hour of concentration. [RPJ-SMAG-15, RPJ-SMAG-17 (SMAG-17a)]"""
    notes: list[str] = []
    for timer in due:
        moment = scene.character(timer.character).timers[CONCENTRATION]
        while moment <= scene.clock:
            scene, text = _hour(scene, timer.character)
            notes += [text] if text else []
            moment += HOUR_SECONDS
        character = scene.character(timer.character).with_timer(CONCENTRATION, moment)
        scene = scene.with_character(character)
    return HookResult(scene=scene, notes=tuple(notes))


def _hour(scene: Scene, who: CharacterId) -> tuple[Scene, str]:
    character = scene.character(who)
    figure = figure_in(scene, character)
    casting = casting_of(figure)
    leader = governing(mages_of(figure), more_slots(figure))
    own = [slot for slot in casting.slots if not slot.origin]
    after = list(recovered(own, hourly_recovery(leader.effective) if leader else 0))
    for origin, grant in grants_of(figure):
        innate = [slot for slot in casting.slots if slot.origin == origin]
        after += recovered(innate, innate_hour(figure, grant))
    back = [
        str(level)
        for level in sorted({slot.level for slot in casting.slots}, reverse=True)
        for _ in range(_spent(casting.slots, level) - _spent(after, level))
    ]
    hours = casting.hours + 1
    slots = tuple(sorted(after, key=lambda slot: (slot.level, slot.origin)))
    scene = with_casting(scene, who, evolve(casting, slots=slots, hours=hours))
    restored = f"slots of level {', '.join(back)} are ready again" if back else ""
    may_prepare = "prepared spells can be changed" if hours == HOURS_TO_PREPARE else ""
    effects = ", ".join(part for part in (restored, may_prepare) if part)
    long = "an hour" if hours == 1 else counted(hours, "hour")
    return scene, f"{character.name} has concentrated for {long}: {effects}." if effects else ""


def _spent(slots: Sequence[Slot], level: int) -> int:
    return sum(slot.is_spent for slot in slots if slot.level == level)
