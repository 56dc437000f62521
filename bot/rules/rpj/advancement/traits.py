"""Custom traits: the GM makes one up, and it works like any other."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.advancement.spending_points import take_trait
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import Effect, EffectCondition, RollBonus, RollTarget
from bot.rules.rpj.module.entry import id_of
from bot.rules.rpj.module.module import Module, RpjTrait, TraitKind
from bot.rules.rpj.module.settings import module_in

MOST_TRAITS = 50
_ATTRIBUTE_ROLLS = (RollTarget.ATTRIBUTE, RollTarget.ATTRIBUTE_BONUS, RollTarget.SAVING_THROW)


class CustomTraitOptions(Document):
    """The options of a custom trait.

    Attributes:
        target: Who gets it.
        name: Its name.
        kind: Gift, fault or quirk.
        value: The modifier to a roll; 0 for none.
        on: The kind of roll.
        of: The skill or attribute, if only for one.
        when: The condition the player must claim; always applies without one.
        about: Its description.
        cost: Its cost in character points; negative gives points.
    """

    target: CharacterId
    name: str = Field(min_length=1, max_length=60)
    kind: TraitKind = TraitKind.QUIRK
    value: int = Field(default=0, ge=-10, le=10)
    on: RollTarget = RollTarget.SKILL
    of: str = Field(default="", max_length=60)
    when: str = Field(default="", max_length=60)
    about: str = Field(default="", max_length=300)
    cost: int = Field(default=0, ge=-30, le=30)


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
    """The custom trait of these options.

    Raises:
        UserError: If its name is invalid or taken, or it refers to an unknown skill or attribute.

    Source: RPJ-TRAIT-01 to RPJ-TRAIT-06.
    """
    id_ = id_of(options.name)
    if not id_:
        raise UserError("A trait's name needs at least one visible character.")
    if module.trait(id_) is not None:
        raise UserError(f"{module.name} already has a trait called {options.name}.", "Choose another name.")
    when = EffectCondition(toggle=options.when.strip())
    effects: tuple[Effect, ...] = ()
    if options.value:
        of = _of(module, options)
        effects = (RollBonus(type="roll_bonus", on=options.on, of=of, value=options.value, when=when),)
    return RpjTrait(
        id=id_,
        name=" ".join(options.name.split()),
        description=options.about.strip(),
        kind=options.kind,
        cost=options.cost,
        effects=effects,
    )


def give_trait(scene: Scene, options: CustomTraitOptions, _dice: Dice) -> Outcome:
    """Make up a trait for the campaign and give it to a character.

    Raises:
        UserError: If it is not allowed, or can't be paid for.

    Source: RPJ-TRAIT-01, RPJ-CHAR-18, RPJ-GM-04.
    """
    settings = scene.settings
    if len(settings.traits) >= MOST_TRAITS:
        raise UserError(f"A campaign can have {MOST_TRAITS} traits of its own.", "Put more into a module.")
    trait = made_up(module_in(settings), options)
    changed = settings.with_trait(trait)
    target = scene.character(options.target)
    sheet = take_trait(Stats(target.sheet, module_in(changed)), trait.id, has_leave=True)
    scene = replace(scene, settings=changed).with_sheet(target, sheet)
    return Outcome(
        scene=scene,
        headline=f"gives {target.name} a {trait.kind}: {trait.name}",
        notes=(trait.description,) if trait.description else (),
    )


declare("give_trait", CustomTraitOptions, give_trait, gm_only=True, needs_actor=False)
