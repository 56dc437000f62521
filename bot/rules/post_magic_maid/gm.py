"""GM commands: magic, wounds without an attack, swapped dice."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.healing import WoundKind, remove_kind, take_wounds, wounds_of
from bot.rules.post_magic_maid.sheet import MaidAttribute, Outcome, Scene
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.wounds import Track, wound_level


class MagicOptions(Document):
    """Options for allowing or forbidding magic."""

    target: CharacterId
    allowed: bool = True


class WoundOptions(Document):
    """Options for a wound without an attack: a fall, a trap, the GM's choice."""

    target: CharacterId  # whose
    track: Track  # blunt or rending
    tier: MaidTier
    count: int = Field(default=1, ge=1, le=11)  # how many


class MendOptions(Document):
    """Options for removing wounds."""

    target: CharacterId  # whose
    wound: WoundKind
    count: int = Field(default=1, ge=1, le=11)  # how many


class MaidSwapOptions(Document):
    """Options for swapping the dice of two attributes."""

    target: CharacterId | None = None  # whose; the character acting without it
    first: MaidAttribute
    second: MaidAttribute  # the other one


def set_magic(scene: Scene, options: MagicOptions, _dice: Dice) -> Outcome:
    """Allow or forbid magic for a character. [PMM-MAG-01 (PMM-R12)]"""
    character = scene.character(options.target)
    sheet = evolve(character.sheet, is_magical=options.allowed)
    word = "can" if options.allowed else "cannot"
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"rules that {character.name} {word} do magic",
    )


declare("magic", MagicOptions, set_magic, gm_only=True, needs_actor=False, sets=True)


def wound(scene: Scene, options: WoundOptions, _dice: Dice) -> Outcome:
    """Give a character wounds without an attack. [PMM-CHK-06, PMM-WND-03]"""
    level = wound_level(options.tier)
    if level is None:
        raise UserError("A result below 10 causes no wound.", try_this="Choose tier 10, 15, 20 or 25.")
    name = scene.character(options.target).name
    wounded = take_wounds(scene, options.target, options.track, level, options.count)
    many = f"{options.count} × " if options.count > 1 else ""
    return Outcome(
        scene=wounded.scene,
        headline=f"wounds {name}, {many}{options.track}, {options.tier.words}",
        notes=wounded.notes,
        follow_ups=wounded.follow_ups,
    )


declare("wound", WoundOptions, wound, gm_only=True, needs_actor=False)


def mend(scene: Scene, options: MendOptions, _dice: Dice) -> Outcome:
    """Remove wounds without a treatment. [PMM-CHK-06]"""
    character = scene.character(options.target)
    have = wounds_of(character, options.wound)
    if have < options.count:
        many = f"{have} {options.wound} wound{'' if have == 1 else 's'}, not {options.count}"
        raise UserError(f"{character.name} has {many if have else f'no {options.wound} wound'}.")
    for _ in range(options.count):
        scene = remove_kind(scene, options.target, options.wound)
    many = f"{options.count} × " if options.count > 1 else ""
    return Outcome(scene=scene, headline=f"mends {character.name}, {many}{options.wound}")


declare("mend", MendOptions, mend, gm_only=True, needs_actor=False, sets=True)


def swap_dice(scene: Scene, options: MaidSwapOptions, _dice: Dice) -> Outcome:
    """Swap the dice of two attributes; after creation only a GM may. [PMM-CRE-02]"""
    if not scene.is_gm:
        raise UserError(
            "Dice stay with their attributes once a character is created.",
            "They grow with level-ups; only a GM can swap them.",
        )
    if options.first is options.second:
        raise UserError("Choose two different attributes.", try_this="Choose a different one.")
    character = scene.actor if options.target is None else scene.character(options.target)
    sheet = character.sheet
    one, other = sheet.attributes[options.first], sheet.attributes[options.second]
    sheet = sheet.with_attribute(options.first, evolve(one, die=other.die))
    sheet = sheet.with_attribute(options.second, evolve(other, die=one.die))
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"swaps the dice of {character.name}'s {options.first} and {options.second}",
    )


declare("swap_dice", MaidSwapOptions, swap_dice, needs_actor=False)
