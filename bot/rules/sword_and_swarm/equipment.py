"""Changes of a sheet: equipment, traits and the player's preferences."""

from typing import Literal

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import down, shown_number, signed, to_do
from bot.rules.sword_and_swarm.sheet import (
    LONGEST_NAME,
    Benefit,
    BenefitKind,
    Character,
    Name,
    Note,
    Outcome,
    Raise,
    Scene,
    SwarmSettings,
    SwarmSheet,
    actual,
    is_defeated,
    raised_words,
    risks_death,
)
from bot.rules.sword_and_swarm.tests import (
    HIGHEST,
    RerollMode,
    SwarmAttribute,
    proficiency_modifier,
    with_confirm,
)


def attribute_words(attribute: SwarmAttribute, value: int) -> str:
    """An actual attribute as the book writes it: "7 (2)" with its Confirm Attribute, "−1" for Star."""
    return shown_number(value) if attribute is SwarmAttribute.STAR and value < 0 else with_confirm(value)


def worth_words(attribute: SwarmAttribute, value: int) -> str:
    """What an actual attribute is worth: its proficiency modifier, or that it is too low to use.

    A Shield of 0 is normal without armour, and no action needs Shield.

    [SWARM-PROF-05, SWARM-ATTR-04, SWARM-ATTR-12]
    """
    if value > 0:
        return f"proficiencies {signed(proficiency_modifier(value))}"
    return "no protection" if attribute is SwarmAttribute.SHIELD else "too low to use"


def with_changed_sheet(
    scene: Scene, character: Character, sheet: SwarmSheet
) -> tuple[Scene, tuple[str, ...]]:
    """Change a character's sheet; return the scene and one sentence for each effect. [SWARM-ATTR-03]"""
    before, settings = character.sheet, scene.settings
    changes = []
    for attribute in SwarmAttribute:
        was, now = actual(before, attribute, settings), actual(sheet, attribute, settings)
        if was != now:
            shown = (attribute_words(attribute, value) for value in (was, now))
            changes.append(f"{attribute} {' → '.join(shown)}")
    line = (f"{character.name}: {' · '.join(changes)}",) if changes else ()
    changed = scene.with_sheet(character, sheet)
    return changed, (*line, *state_notes(character, sheet, settings))


def state_notes(character: Character, sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    """Sentences for a character who becomes, or stops being, defeated or at risk of death.

    [SWARM-ATTR-10, SWARM-ATTR-11 (SWARM-R27)]
    """
    before, notes = character.sheet, []
    if is_defeated(sheet, settings) != is_defeated(before, settings):
        is_now = is_defeated(sheet, settings)
        notes.append(
            down(f"{character.name} is {'defeated and demoralised' if is_now else 'no longer defeated'}.")
        )
    if risks_death(sheet, settings) and not risks_death(before, settings):
        notes.append(to_do(f"Star is below 0: {character.name} risks death. GM: you decide what happens."))
    elif risks_death(before, settings) and not risks_death(sheet, settings):
        notes.append(f"{character.name} no longer risks death.")
    return tuple(notes)


class SwarmUseOptions(Document):
    """The equipment or trait to use, or to put away."""

    name: str = Field(max_length=LONGEST_NAME)
    in_use: bool = True


class SwarmHandOptions(Document):
    """The equipment to hand over, and to whom."""

    name: str = Field(max_length=LONGEST_NAME)
    target: CharacterId


class SwarmGiveOptions(Document):
    """The equipment or trait that a GM gives."""

    target: CharacterId  # who gets it
    # Its name; equipment on the campaign's list comes with its increases.
    name: Name = Field(max_length=LONGEST_NAME)
    kind: BenefitKind | None = None  # equipment or a trait; None: as on the sheet, otherwise equipment
    attribute: SwarmAttribute | None = None  # an attribute it raises, in addition to those it raises already
    amount: int | None = Field(default=None, ge=1, le=HIGHEST)  # how much it raises that attribute
    text: Note = ""  # what else it does


class TakeOptions(Document):
    """The equipment or trait that a GM takes away, and from whom."""

    target: CharacterId
    name: str = Field(max_length=LONGEST_NAME)


@procedure("use", can_repeat=True)
def use(scene: Scene, options: SwarmUseOptions, _dice: Dice) -> Outcome:
    """Use equipment or a trait, or put it away. [SWARM-ATTR-03]"""
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


@procedure("hand")
def hand(scene: Scene, options: SwarmHandOptions, _dice: Dice) -> Outcome:
    """Hand equipment to another character, who has to start using it. [SWARM-ATTR-03]"""
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
        label=f"Use {benefit.name}",
        character=receiver.id,
        note=f"{receiver.name} isn't using {benefit.name} yet.",
    )
    return Outcome(
        scene=scene,
        headline=f"hands {benefit.name} to {receiver.name}",
        notes=(*given, *gained),
        follow_ups=(button,),
    )


@procedure("give", gm_only=True, needs_actor=False)
def give(scene: Scene, options: SwarmGiveOptions, _dice: Dice) -> Outcome:
    """Give equipment or a trait, or add an increase to one that the character has.

    [SWARM-ATTR-03, SWARM-ATTR-12, SWARM-CHAR-01]
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


@procedure("take", gm_only=True, needs_actor=False)
def take(scene: Scene, options: TakeOptions, _dice: Dice) -> Outcome:
    """Take equipment or a trait away. [SWARM-ATTR-03]"""
    target = scene.character(options.target)
    sheet = target.sheet
    benefit = sheet.benefit(options.name)
    scene, notes = with_changed_sheet(scene, target, sheet.without_benefit(benefit.name))
    return Outcome(scene=scene, headline=f"takes {benefit.name} from {target.name}", notes=notes)


Preference = Literal["auto", "ask", "campaign"]


class PreferOptions(Document):
    """The choice for each kind of test; "campaign" follows the campaign's settings, None changes nothing."""

    attribute: Preference | None = None
    proficiency: Preference | None = None


@procedure("prefer", sets=True)
def prefer(scene: Scene, options: PreferOptions, _dice: Dice) -> Outcome:
    """Choose whether failures with advantage are re-rolled automatically or the player is asked.

    [SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21)]
    """
    if options.attribute is None and options.proficiency is None:
        raise UserError(
            "Choose at least one option.",
            try_this="Set “attribute” or “proficiency” to auto, ask or campaign.",
        )
    actor = scene.actor
    sheet = actor.sheet
    wanted = {"adv_attribute": options.attribute, "adv_proficiency": options.proficiency}
    update = {key: _mode(preference) for key, preference in wanted.items() if preference is not None}
    sheet = evolve(sheet, **update)
    settings = scene.settings
    return Outcome(
        scene=scene.with_sheet(actor, sheet),
        headline="chooses how failures with advantage are re-rolled",
        notes=(
            f"Attribute tests: {MODE_WORDS[sheet.adv_attribute or settings.adv_attribute]}",
            f"Proficiency tests: {MODE_WORDS[sheet.adv_proficiency or settings.adv_proficiency]}",
        ),
        is_public=False,
    )


def _mode(preference: Preference) -> RerollMode | None:
    return None if preference == "campaign" else RerollMode(preference)


MODE_WORDS = {
    RerollMode.AUTO: "re-rolled automatically.",
    RerollMode.ASK: "you choose each time.",
}
