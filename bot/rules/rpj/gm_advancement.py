"""What the GM changes about growth: blocked skills, classes, and custom traits."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import listed
from bot.rules.rpj.character.sheet import Outcome, OwnTrait, RpjSheet, Scene, Stats, TraitSource, figure_in
from bot.rules.rpj.character_points import class_skill_problems, take_trait
from bot.rules.rpj.checks.skill_checks import skill_named
from bot.rules.rpj.module.basics import RpjAttribute, character_points, named, own_id
from bot.rules.rpj.module.effects import (
    AbilityPower,
    AttributeAdjust,
    BaseSaveAdd,
    Effect,
    EffectCondition,
    LoadLimit,
    LuckyBreaksMaximum,
    RangedDefense,
    RollBonus,
    RollTarget,
    SlotCount,
    UnarmedDamage,
)
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, RpjTrait, TraitKind
from bot.rules.rpj.module.settings import module_in


class BlockOptions(Document):
    """The options of blocking a skill."""

    skill: str = Field(max_length=100)  # its name or id
    is_open: bool = False  # whether it is allowed again


class ClassOptions(Document):
    """The options of changing a class."""

    target: CharacterId
    class_name: str = Field(default="", max_length=60)  # the class; unchanged by default
    # The class skills, separated by commas; unchanged by default.
    skills: str = Field(default="", max_length=300)


@procedure("block_skill", gm_only=True, needs_actor=False)
def block_skill(scene: Scene, options: BlockOptions, _dice: Dice) -> Outcome:
    """Block a skill from being learned or raised, until the GM allows it again. [RPJ-CHAR-16]"""
    settings = scene.settings
    skill = skill_named(module_in(settings), options.skill)
    others = tuple(id_ for id_ in settings.blocked_skills if id_ != skill.id)
    if (others == settings.blocked_skills) is options.is_open:
        state = "isn't blocked" if options.is_open else "is already blocked"
        raise UserError(f"{skill.name} {state}.")
    changed = evolve(settings, blocked_skills=others if options.is_open else (*others, skill.id))
    words = f"allows learning {skill.name} again" if options.is_open else f"blocks learning {skill.name}"
    note = "" if options.is_open else "Nobody can learn or raise it until the GM allows it again."
    return Outcome(scene=replace(scene, settings=changed), headline=words, notes=(note,) if note else ())


@procedure("change_class", gm_only=True, needs_actor=False)
def change_class(scene: Scene, options: ClassOptions, _dice: Dice) -> Outcome:
    """Change a character's class or class skills; the quirks change with it, points do not.

    Raises:
        UserError: If the module has no such class, or the class no such skills.

    [RPJ-CHAR-08 (R-065), RPJ-CHAR-11]
    """
    target = scene.character(options.target)
    module, sheet = figure_in(scene, target).module, target.sheet
    class_ = _class_named(module, options.class_name) if options.class_name else None
    class_ = class_ or module.character_class(sheet.class_id)
    if class_ is None:
        raise UserError(f"{target.name} has no class.", "Choose one.")
    wanted = _picks(module, class_, options.skills) if options.skills else sheet.class_skills
    problems = tuple(class_skill_problems(class_, wanted, module))
    if problems:
        offered = ", ".join(_words(module, pick) for pick in class_.skills)
        raise UserErrors((*problems, f"Its class skills: {offered}."))
    changed = _with_class(sheet, class_, wanted)
    named = ", ".join(_words(module, pick) for pick in wanted)
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"changes {target.name}'s class to {class_.name}",
        notes=(f"Class skills: {named}.",),
    )


def _with_class(sheet: RpjSheet, class_: CharacterClass, wanted: tuple[ClassSkill, ...]) -> RpjSheet:
    """The sheet with a class and its quirks, without those of the class before."""
    others = [own for own in sheet.traits if own.source is not TraitSource.CLASS]
    quirks = [OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in class_.quirks]
    return evolve(sheet, class_id=class_.id, class_skills=wanted, traits=(*quirks, *others))


def _class_named(module: Module, typed: str) -> CharacterClass:
    if class_ := named(module.classes, typed):
        return class_
    raise UserError(
        f"This campaign has no class “{typed}”.",
        f"Its classes: {listed(class_.name for class_ in module.classes)}.",
    )


def _words(module: Module, pick: ClassSkill) -> str:
    skill = module.skill(pick.skill)
    name = skill.name if skill else pick.skill
    return f"{name} ({pick.specialty})" if pick.specialty else name


def _picks(module: Module, class_: CharacterClass, typed: str) -> tuple[ClassSkill, ...]:
    """The class skills a person typed, by their names on the list of the class."""
    offered = {_words(module, pick).casefold(): pick for pick in class_.skills}
    wanted = [" ".join(part.split()) for part in typed.split(",") if part.strip()]
    unknown = [part for part in wanted if part.casefold() not in offered]
    if unknown:
        raise UserError(
            f"{unknown[0]} isn't a class skill of {class_.name}.",
            f"Its class skills: {', '.join(_words(module, pick) for pick in class_.skills)}.",
        )
    return tuple(offered[part.casefold()] for part in wanted)


_ATTRIBUTE_ROLLS = (RollTarget.ATTRIBUTE, RollTarget.ATTRIBUTE_BONUS, RollTarget.SAVING_THROW)


class CustomTraitOptions(Document):
    """The options of a custom trait."""

    target: CharacterId  # who gets it
    name: str = Field(min_length=1, max_length=60)
    kind: TraitKind = TraitKind.QUIRK  # gift, fault or quirk
    value: int = Field(default=0, ge=-10, le=10)  # the modifier to a roll; 0 for none
    on: RollTarget = RollTarget.SKILL  # the kind of roll
    of: str = Field(default="", max_length=60)  # the skill or attribute, if only for one
    # The condition the player must claim; always applies without one.
    when: str = Field(default="", max_length=60)
    about: str = Field(default="", max_length=300)  # its description
    cost: int = Field(default=0, ge=-30, le=30)  # its cost in character points; negative gives points


def _of(module: Module, options: CustomTraitOptions) -> str:
    """The id of the skill, or the attribute, a trait is for; empty for all."""
    typed = options.of.strip()
    if not typed:
        return ""
    if options.on is RollTarget.SKILL:
        return skill_named(module, typed).id
    for attribute in RpjAttribute:
        if typed.casefold() in (attribute.casefold(), attribute.word.casefold()):
            if options.on in _ATTRIBUTE_ROLLS:
                return attribute
            break
    raise UserError(f"A bonus to {options.on} can't be for “{typed}”.", "Leave it empty for all of them.")


def made_up(module: Module, options: CustomTraitOptions) -> RpjTrait:
    """The custom trait of these options. [RPJ-TRAIT-01 to RPJ-TRAIT-06]

    Raises:
        UserError: If its name is empty, or it refers to an unknown skill or attribute.
    """
    when = EffectCondition(toggle=options.when.strip())
    effects: tuple[Effect, ...] = ()
    if options.value:
        of = _of(module, options)
        effects = (RollBonus(type="roll_bonus", on=options.on, of=of, value=options.value, when=when),)
    return RpjTrait(
        id=own_id(options.name),
        name=" ".join(options.name.split()),
        description=options.about.strip(),
        kind=options.kind,
        cost=options.cost,
        effects=effects,
    )


@procedure("give_trait", gm_only=True, needs_actor=False)
def give_trait(scene: Scene, options: CustomTraitOptions, _dice: Dice) -> Outcome:
    """Make up a trait for the campaign and give it to a character. [RPJ-TRAIT-01, RPJ-CHAR-18, RPJ-GM-04]

    Raises:
        UserError: If it is not allowed, or can't be paid for.
    """
    settings = scene.settings
    trait = made_up(module_in(settings), options)
    changed = settings.with_own(trait)
    target = scene.character(options.target)
    sheet = take_trait(Stats(target.sheet, module_in(changed)), trait.id, has_leave=True)
    scene = replace(scene, settings=changed).with_sheet(target, sheet)
    return Outcome(
        scene=scene,
        headline=f"gives {target.name} a {trait.kind}: {trait.name}",
        notes=(trait.description,) if trait.description else (),
    )


_NUMBERED = (
    RollBonus,
    AttributeAdjust,
    LuckyBreaksMaximum,
    UnarmedDamage,
    AbilityPower,
    SlotCount,
    LoadLimit,
    RangedDefense,
)


def _turned(effect: Effect) -> Effect | None:
    """The reverse of an effect; None where it adds no number."""
    if isinstance(effect, BaseSaveAdd):
        return evolve(effect, count=-effect.count)
    if isinstance(effect, UnarmedDamage):
        effect = evolve(effect, may_choose_lethal=False)
    if isinstance(effect, _NUMBERED) and effect.value > 0:
        return evolve(effect, value=-effect.value)
    return None


def inverted(gift: RpjTrait, name: str, refund: int | None = None) -> RpjTrait:
    """The fault that mirrors a gift. [RPJ-APPX-06 (APPX-06a), RPJ-TRAIT-05]

    Args:
        name: The name of the fault.
        refund: Character points it gives; by default half the gift's cost, rounded down.

    Raises:
        UserError: If the gift adds no number, or the fault gives nothing or as much as the gift costs.
    """
    effects = tuple(turned for turned in map(_turned, gift.effects) if turned is not None)
    if gift.kind is not TraitKind.GIFT or not effects:
        raise UserError(f"{gift.name} has no bonus to turn into a penalty.")
    given_back = gift.cost // 2 if refund is None else refund
    if not 1 <= given_back < gift.cost:
        raise UserError(
            f"A fault that mirrors {gift.name} must give fewer than its {gift.cost} points.",
            f"Choose 1 to {gift.cost - 1}.",
        )
    return RpjTrait(
        id=own_id(name),
        name=" ".join(name.split()),
        description=f"The reverse of {gift.name}.",
        kind=TraitKind.FAULT,
        cost=-given_back,
        mirrors=gift.id,
        excludes=(gift.id,),
        needs=gift.needs,
        effects=effects,
    )


class InvertOptions(Document):
    """The options of turning a gift into a fault."""

    gift: str = Field(max_length=100)  # the gift, by name or id
    name: str = Field(min_length=1, max_length=60)  # the name of the fault
    # Character points it gives; by default half the gift's cost.
    refund: int | None = Field(default=None, ge=1, le=30)


def _gift(module: Module, typed: str) -> RpjTrait:
    if trait := named(module.traits, typed):
        return trait
    names = ", ".join(trait.name for trait in module.traits if trait.kind is TraitKind.GIFT)
    raise UserError(f"This campaign has no gift “{typed}”.", f"Its gifts: {names}.")


@procedure("invert", gm_only=True, needs_actor=False)
def invert(scene: Scene, options: InvertOptions, _dice: Dice) -> Outcome:
    """Add a fault that mirrors a gift to the campaign's traits. [RPJ-APPX-06, RPJ-TRAIT-05]

    Raises:
        UserError: If it cannot be added.
    """
    settings = scene.settings
    module = module_in(settings)
    fault = inverted(_gift(module, options.gift), options.name, options.refund)
    changed = replace(scene, settings=settings.with_own(fault))
    note = f"{fault.description} It gives {character_points(-fault.cost)}."
    return Outcome(scene=changed, headline=f"adds a fault: {fault.name}", notes=(note,))
