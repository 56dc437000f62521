"""Casting spells: spending the slot, resisting, then attack, saving throw or damage."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Family, FollowUp, NamedTerm, Verdict, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.casters import (
    broken,
    caster_for,
    casting_of,
    defense_against_magic,
    linked_level,
    spell_named,
    ways_to_cast,
    with_casting,
)
from bot.rules.rpj.character.incapacity import assert_can, assert_in_action
from bot.rules.rpj.character.lucky_breaks import Rescue, paid_for, rescue_buttons, window_of
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.combat.rules.attacks import defenses
from bot.rules.rpj.layers_and_saves import SaveOptions, save_button
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.module.spells import (
    Casting,
    Mage,
    RpjSpell,
    assert_known,
    assert_level,
    slot_word,
    spell_defense_roll,
    spell_save,
    why_not,
)
from bot.rules.rpj.resolution.check import chance_words, check, reading_of
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs, RpjPurpose

SPELL = "spell"
NO_EFFECT = Verdict(Family.FAILURE, "no effect")


class RpjCastOptions(Document):
    """The options of casting a spell."""

    spell: str = Field(max_length=100)  # its name or id
    target: CharacterId | None = None  # the target, if any
    # In a fight, the targets by name, separated by commas; mooks too.
    at: str = Field(default="", max_length=200)
    # The level of the slot; by default the lowest that fits.
    slot: int | None = Field(default=None, ge=0, le=6)


class Aimed(Document):
    """The options of a spell cast at a target."""

    spell: str  # its id
    caster: CharacterId  # who cast it
    base: int  # the caster's base level in its skill, or its substitute
    effective: int  # the value of its attack
    rolled: RpjCheckInputs | None = None  # a roll made before, or None


class SpellAttackOptions(Aimed):
    """The options of a spell attack."""

    target: CharacterId


def cast_spell(scene: Scene, options: RpjCastOptions, dice: Dice) -> Outcome:
    """Cast a spell: spend a slot, then start its effect.

    [RPJ-SMAG-03, RPJ-SMAG-04, RPJ-SMAG-06, RPJ-SMAG-07, RPJ-SMAG-18, RPJ-SMAG-20, RPJ-SMAG-21]
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    actor = scene.actor
    figure = figure_in(scene, actor)
    assert_able(figure, actor.name)
    spell = spell_named(figure, options.spell)
    casting = casting_of(figure)
    place, mage = chosen_way(figure, casting, spell, options.slot)
    slot = casting.slots[place]
    paid = slot_spent(scene, actor.id, casting, place)
    word = figure.module.magic.word
    target = None if options.target is None else scene.character(options.target)
    at = f" at {target.name}" if target is not None and target.id != actor.id else ""
    outcome = Outcome(
        scene=paid,
        paid=paid,
        headline=f"casts {spell.name}{at}",
        notes=(slot_note(slot.level, slot.origin, word), *about(spell)),
    )
    if target is None:
        return outcome
    aimed = Aimed(spell=spell.id, caster=actor.id, base=mage.base, effective=mage.effective)
    return _with_resistance(outcome, spell, aimed, target, dice)


def slot_spent(scene: Scene, who: CharacterId, casting: Casting, place: int) -> Scene:
    """The scene after a slot is used, which breaks concentration.

    [RPJ-SMAG-03 (SMAG-03a), RPJ-SMAG-04, RPJ-SMAG-16]
    """
    slot = casting.slots[place]
    spent = casting.with_slot(place, evolve(slot, is_spent=slot.level > 0))
    spent = evolve(spent, since=None, hours=0)
    return with_casting(broken(scene, who), who, spent)


def slot_note(level: int, origin: str, word: str) -> str:
    """The slot a spell is cast with, in words. [RPJ-SMAG-09, RPJ-SMAG-20]"""
    if level == 0:
        return "Uses no slot: 0th-level spells are free."
    return f"Uses a {slot_word(level, word)}{' (innate)' if origin else ''}."


def assert_able(figure: Stats, name: str) -> None:
    """Refuse casting while out of action."""
    assert_can(figure, Need.CAST)
    assert_in_action(name, figure.sheet.health, "cast spells")


def about(spell: RpjSpell) -> tuple[str, ...]:
    """A spell's effect and range."""
    where = " · ".join(part for part in (spell.reach, spell.target) if part)
    return tuple(part for part in (spell.description, where) if part)


def chosen_way(figure: Stats, casting: Casting, spell: RpjSpell, level: int | None) -> tuple[int, Mage]:
    """The slot a spell is cast with, and its magic skill.

    Raises:
        UserError: If it is not known, too high for its skill, or no slot will do.
    """
    ways = ways_to_cast(figure, casting, spell)
    chosen = [way for way in ways if level in (None, casting.slots[way[0]].level)]
    if chosen:
        return chosen[0]
    if ways:
        raise UserError(f"You can't cast {spell.name} with a {slot_word(level or 0)}.")
    assert_known(casting, spell)
    mage = caster_for(figure, spell)
    assert_level(mage, spell)
    raise UserError(f"You have no slot ready for {spell.name}.", why_not(casting, spell, mage))


# --- what it does to somebody ----------------------------------------------------------------------


def _with_resistance(
    outcome: Outcome, spell: RpjSpell, aimed: Aimed, target: Character, dice: Dice
) -> Outcome:
    """The effect of a spell; a target with a spell defense may resist first. [RPJ-SMAG-18 (SMAG-18b)]"""
    figure = figure_in(outcome.scene, target)
    value = defense_against_magic(figure)
    if value is None:
        return _effect_on(outcome, spell, aimed, target, dice)
    chance = chance_words(_resisting(outcome.scene, aimed, figure, value))
    button = FollowUp(
        procedure="resist_spell",
        options=aimed,
        label=f"Resist with {value} · {chance}",
        character=target.id,
        group=SPELL,
        is_owed=True,
    )
    return replace(outcome, follow_ups=(button,))


def _resisting(scene: Scene, aimed: Aimed, figure: Stats, value: int) -> RpjCheckInputs:
    caster = figure_in(scene, scene.character(aimed.caster))
    spell = spell_named(caster, aimed.spell)
    return spell_defense_roll(value, linked_level(caster, spell.magic_skill), figure.module.criticals)


@procedure("resist_spell")
def resist(scene: Scene, options: Aimed, dice: Dice) -> Outcome:
    """Roll to resist a spell; on a failure it takes effect. [RPJ-SMAG-18, RPJ-APPX-16]"""
    target = scene.actor
    figure = figure_in(scene, target)
    value = defense_against_magic(figure)
    if value is None:
        raise UserError(f"{target.name} has no spell defense.")
    inputs = options.rolled or _resisting(scene, options, figure, value)
    paid = paid_for(scene, target.id, inputs)
    roll = check(inputs, dice).by(target, RpjPurpose.RESISTANCE)
    spell = spell_named(figure, options.spell)
    resisted = reading_of(roll).result.is_success
    rescue = Rescue(
        procedure="resist_spell",
        options=lambda rolled: evolve(options, rolled=rolled),
        window=window_of(target.id, options.caster),
    )
    outcome = Outcome(
        scene=paid,
        paid=paid,
        headline=f"{'resists' if resisted else 'fails to resist'} {spell.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        follow_ups=rescue_buttons(paid.character(target.id), roll, rescue),
    )
    if resisted:
        return outcome
    rest = _follow_ups(paid, spell, evolve(options, rolled=None), target)
    return replace(outcome, follow_ups=(*rest, *outcome.follow_ups))


def _effect_on(outcome: Outcome, spell: RpjSpell, aimed: Aimed, target: Character, dice: Dice) -> Outcome:
    """The effect of a spell nobody resists: an attack is rolled at once, the rest has a button."""
    if not spell.is_attack:
        return replace(outcome, follow_ups=_follow_ups(outcome.scene, spell, aimed, target))
    options = SpellAttackOptions(**aimed.model_dump(), target=target.id)
    struck = strike(replace(outcome.scene, actor_id=aimed.caster), options, dice)
    return replace(
        struck,
        headline=outcome.headline,
        notes=(*outcome.notes, *struck.notes),
        paid=outcome.paid,
    )


def _follow_ups(scene: Scene, spell: RpjSpell, aimed: Aimed, target: Character) -> tuple[FollowUp, ...]:
    if spell.is_attack:
        options = SpellAttackOptions(**aimed.model_dump(), target=target.id)
        chance = chance_words(_attack(scene, options))
        return (
            FollowUp(
                procedure="spell_attack",
                options=options,
                label=f"Attack {target.name} · {chance}",
                character=aimed.caster,
                group=SPELL,
            ),
        )
    figure = figure_in(scene, target)
    if spell.save is not None:
        inputs = _saving(figure, spell, aimed)
        chance = chance_words(inputs)
        return (
            FollowUp(
                procedure="spell_save",
                options=aimed,
                label=f"Save with {spell.save.attribute.word}, {inputs.target}+ · {chance}",
                character=target.id,
                group=SPELL,
                is_owed=True,
            ),
        )
    return _damage(scene, spell, target)


def _damage(scene: Scene, spell: RpjSpell, target: Character) -> tuple[FollowUp, ...]:
    if spell.damage is None:
        return ()
    figure = figure_in(scene, target)
    if figure.sheet.health.out is not Out.NO:
        return ()
    return (save_button(target, figure, SaveOptions(damage=spell.damage, nonlethal=spell.is_nonlethal)),)


def _attack(scene: Scene, options: SpellAttackOptions) -> RpjCheckInputs:
    """The inputs of a spell attack: like a weapon of the same range, against the better defense.

    [RPJ-SMAG-06 (SMAG-06a)]
    """
    caster = figure_in(scene, scene.character(options.caster))
    target = figure_in(scene, scene.character(options.target))
    defense = max(defenses(target), key=lambda one: one.value)
    skill = caster.known_skill(spell_named(caster, options.spell).magic_skill)
    return RpjCheckInputs(
        kind=CheckKind.ATTACK,
        terms=(NamedTerm(label=skill.name, value=options.effective),) if options.effective else (),
        opposition=defense.terms,
        criticals=caster.module.criticals,
    )


@procedure("spell_attack")
def strike(scene: Scene, options: SpellAttackOptions, dice: Dice) -> Outcome:
    """Roll the attack of a spell. [RPJ-SMAG-06, RPJ-GCS-30]"""
    caster, target = scene.character(options.caster), scene.character(options.target)
    figure = figure_in(scene, caster)
    spell = spell_named(figure, options.spell)
    inputs = options.rolled or _attack(scene, options)
    paid = paid_for(scene, caster.id, inputs)
    roll = check(inputs, dice).by(caster)
    hits = reading_of(roll).result.is_success
    rescue = Rescue(
        procedure="spell_attack",
        options=lambda rolled: evolve(options, rolled=rolled),
        window=window_of(caster.id, target.id),
    )
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"attacks {target.name} with {spell.name}",
        verdict=Verdict(Family.SUCCESS, "hit") if hits else Verdict(Family.FAILURE, "miss"),
        rolls=(roll,),
        follow_ups=(
            *(_damage(paid, spell, target) if hits else ()),
            *rescue_buttons(paid.character(caster.id), roll, rescue),
        ),
        skill=spell.name,
    )


def _saving(figure: Stats, spell: RpjSpell, aimed: Aimed) -> RpjCheckInputs:
    if spell.save is None:
        raise UserError(f"{spell.name} allows no saving throw.")
    attribute = spell.save.attribute
    return spell_save(attribute, figure.level(attribute), aimed.base, figure.module.criticals)


@procedure("spell_save")
def save_against(scene: Scene, options: Aimed, dice: Dice) -> Outcome:
    """Roll the saving throw against a spell. [RPJ-SMAG-07]"""
    target = scene.actor
    figure = figure_in(scene, target)
    spell = spell_named(figure, options.spell)
    inputs = options.rolled or _saving(figure, spell, options)
    paid = paid_for(scene, target.id, inputs)
    roll = check(inputs, dice).by(target)
    saved = reading_of(roll).result.is_success
    rescue = Rescue(
        procedure="spell_save",
        options=lambda rolled: evolve(options, rolled=rolled),
        window=window_of(target.id, options.caster),
    )
    effect = spell.save.on_success if spell.save and saved else ""
    return Outcome(
        scene=paid,
        paid=paid,
        headline=f"rolls a saving throw against {spell.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(effect,) if effect else (),
        follow_ups=(
            *(() if saved else _damage(paid, spell, target)),
            *rescue_buttons(paid.character(target.id), roll, rescue),
        ),
    )
