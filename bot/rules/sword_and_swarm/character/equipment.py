"""Equipment and traits: give them, take them away, use them or put them away."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm.character.campaign_lists import LONGEST_NAME, Name, Note, Raise, raised_words
from bot.rules.sword_and_swarm.character.changing import with_changed_sheet
from bot.rules.sword_and_swarm.character.sheet import (
    Benefit,
    BenefitKind,
    Character,
    Outcome,
    Scene,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute


class SwarmUseOptions(Document):
    """The equipment or trait to use, or to put away."""

    name: str = Field(max_length=LONGEST_NAME)
    in_use: bool = True


class SwarmHandOptions(Document):
    """The equipment to hand over, and to whom."""

    name: str = Field(max_length=LONGEST_NAME)
    target: CharacterId


class SwarmGiveOptions(Document):
    """The equipment or trait that a GM gives.

    Attributes:
        target: Who gets it.
        name: Its name; equipment on the campaign's list comes with its increases.
        kind: Equipment or a trait; None: as on the sheet, otherwise equipment.
        attribute: An attribute it raises, in addition to those it raises already.
        amount: How much it raises that attribute.
        text: What else it does.
    """

    target: CharacterId
    name: Name = Field(max_length=LONGEST_NAME)
    kind: BenefitKind | None = None
    attribute: SwarmAttribute | None = None
    amount: int | None = Field(default=None, ge=1, le=HIGHEST)
    text: Note = ""


class TakeOptions(Document):
    """The equipment or trait that a GM takes away, and from whom."""

    target: CharacterId
    name: str = Field(max_length=LONGEST_NAME)


def use(scene: Scene, options: SwarmUseOptions, _dice: Dice) -> Outcome:
    """Use equipment or a trait, or put it away.

    Source: SWARM-ATTR-03.
    """
    actor = scene.actor
    sheet = actor.sheet
    benefit = sheet.benefit(options.name)
    if benefit.in_use == options.in_use:
        state = "already in use" if options.in_use else "not in use"
        raise UserError(f"{benefit.name} is {state}.")
    changed = evolve(benefit, in_use=options.in_use)
    scene, notes = with_changed_sheet(scene, actor, sheet.with_benefit(changed))
    done = "uses" if options.in_use else "no longer uses"
    return Outcome(scene=scene, headline=f"{done} {benefit.name}", notes=notes)


declare("use", SwarmUseOptions, use, can_repeat=True)


def hand(scene: Scene, options: SwarmHandOptions, _dice: Dice) -> Outcome:
    """Hand equipment to another character, who has to start using it.

    Source: SWARM-ATTR-03.
    """
    giver, receiver = scene.actor, scene.character(options.target)
    benefit = giver.sheet.benefit(options.name)
    if giver.id == receiver.id:
        raise UserError("You can't hand things to yourself.", try_this="Choose someone else.")
    if benefit.kind is BenefitKind.TRAIT:
        raise UserError(f"{benefit.name} is a trait.", "Only equipment can be handed over.")
    if receiver.sheet.find_benefit(benefit.name) is not None:
        raise UserError(f"{receiver.name} already has {benefit.name}.")
    scene, given = with_changed_sheet(scene, giver, giver.sheet.without_benefit(benefit.name))
    unused = evolve(benefit, in_use=False)
    scene, gained = with_changed_sheet(scene, receiver, receiver.sheet.with_benefit(unused))
    button = FollowUp(
        procedure="use",
        options=SwarmUseOptions(name=benefit.name),
        label=f"Use {benefit.name}"[:80],
        character=receiver.id,
        note=f"{receiver.name} isn't using {benefit.name} yet.",
    )
    return Outcome(
        scene=scene,
        headline=f"hands {benefit.name} to {receiver.name}",
        notes=(*given, *gained),
        follow_ups=(button,),
    )


declare("hand", SwarmHandOptions, hand)


def give(scene: Scene, options: SwarmGiveOptions, _dice: Dice) -> Outcome:
    """Give equipment or a trait, or add an increase to one that the character has.

    Source: SWARM-ATTR-03, SWARM-ATTR-12, SWARM-CHAR-01.
    """
    if (options.attribute is None) != (options.amount is None):
        raise UserError("An increase needs both an attribute and an amount.", "Give both, or neither.")
    target = scene.character(options.target)
    sheet = target.sheet
    benefit = _given(scene, target, options)
    if benefit == sheet.find_benefit(benefit.name):
        raise UserError(f"{target.name} already has {benefit.name}.")
    scene, notes = with_changed_sheet(scene, target, sheet.with_benefit(benefit))
    return Outcome(
        scene=scene,
        headline=f"gives {target.name} {raised_words(benefit.name, benefit.raises)} ({benefit.kind})",
        notes=notes,
    )


declare("give", SwarmGiveOptions, give, gm_only=True, needs_actor=False)


def _given(scene: Scene, target: Character, options: SwarmGiveOptions) -> Benefit:
    benefit = target.sheet.find_benefit(options.name)
    if benefit is not None and options.kind not in (None, benefit.kind):
        kind = "a trait" if benefit.kind is BenefitKind.TRAIT else "equipment"
        raise UserError(f"{target.name} already has {benefit.name} as {kind}.", "Choose another name.")
    if benefit is None:
        listed = scene.settings.find_equipment(options.name)
        new_kind = options.kind or BenefitKind.EQUIPMENT
        is_listed = listed is not None and new_kind is BenefitKind.EQUIPMENT
        benefit = Benefit(
            name=listed.name if listed and is_listed else options.name,
            kind=new_kind,
            raises=listed.raises if listed and is_listed else (),
        )
    raises = benefit.raises
    if options.attribute is not None and options.amount is not None:
        others = tuple(one for one in raises if one.attribute is not options.attribute)
        raises = (*others, Raise(attribute=options.attribute, amount=options.amount))
    return evolve(benefit, raises=raises, text=options.text or benefit.text)


def take(scene: Scene, options: TakeOptions, _dice: Dice) -> Outcome:
    """Take equipment or a trait away.

    Source: SWARM-ATTR-03.
    """
    target = scene.character(options.target)
    sheet = target.sheet
    benefit = sheet.benefit(options.name)
    scene, notes = with_changed_sheet(scene, target, sheet.without_benefit(benefit.name))
    return Outcome(scene=scene, headline=f"takes {benefit.name} from {target.name}", notes=notes)


declare("take", TakeOptions, take, gm_only=True, needs_actor=False)
