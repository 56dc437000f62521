"""Traits that no list has: the GM makes one up, and it acts like any other."""

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
    """A trait in the GM's words.

    Attributes:
        target: Who gets it.
        name: What it is called.
        kind: Gift, fault or quirk.
        value: What it adds to a roll; 0 leaves it to play.
        on: The kind of roll.
        of: The skill or attribute, where it is for one only.
        when: When the player says that this holds; always without it.
        about: What it is.
        cost: Character points that it costs; below zero it refunds.
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
    """The id of the skill, or the attribute, that a trait is for; nothing for all."""
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
    raise UserError(
        f"“{typed}” is nothing that a bonus to {options.on} can be for.", "Leave it out for all of them."
    )


def made_up(module: Module, options: CustomTraitOptions) -> RpjTrait:
    """The trait that a GM has put into words.

    Raises:
        UserError: If its name cannot be had, or it is for what is not there.

    Source: RPJ-TRAIT-01 to RPJ-TRAIT-06.
    """
    id_ = id_of(options.name)
    if not id_:
        raise UserError("The name of a trait needs a letter or a digit from a-z and 0-9.")
    if module.trait(id_) is not None:
        raise UserError(f"{module.name} has a trait {options.name} already.", "Give it another name.")
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
    """Make a trait up and give it to somebody; from now on the campaign has it.

    Raises:
        UserError: If it is not allowed, or cannot be paid.

    Source: RPJ-TRAIT-01, RPJ-CHAR-18, RPJ-GM-04.
    """
    settings = scene.settings
    if len(settings.traits) >= MOST_TRAITS:
        raise UserError(f"A campaign makes up {MOST_TRAITS} traits at most.", "Put them into a module.")
    trait = made_up(module_in(settings), options)
    changed = settings.with_trait(trait)
    target = scene.character(options.target)
    sheet = take_trait(Stats(target.sheet, module_in(changed)), trait.id, has_leave=True)
    scene = replace(scene, settings=changed).with_character(replace(target, sheet=sheet))
    return Outcome(
        scene=scene,
        headline=f"gives {target.name} a {trait.kind}: {trait.name}",
        notes=(trait.description,) if trait.description else (),
    )


declare("give_trait", CustomTraitOptions, give_trait, gm_only=True, needs_actor=False)
