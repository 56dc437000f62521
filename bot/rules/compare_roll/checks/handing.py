"""Handing things over: weapons, items, ammunition and Assets from one character to another."""

from dataclasses import replace

from pydantic import Field

from bot.rules.compare_roll.character.fortunes import AMMUNITION, ASSETS
from bot.rules.compare_roll.character.sheet import (
    Character,
    CompareStatus,
    Outcome,
    Scene,
    assert_can_act,
    status_of,
)
from bot.rules.kernel import CharacterId, Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import same_name

COUNTED = {"Assets": ASSETS, "Ammunition": AMMUNITION}


class CompareHandOptions(Document):
    """What to hand over, to whom, and how many of it."""

    thing: str = Field(min_length=1, max_length=100)
    target: CharacterId
    count: int = Field(default=1, ge=1, le=100_000)


def things_of(character: Character) -> tuple[tuple[str, int], ...]:
    """What a character can hand over, and how many of each."""
    sheet = character.sheet
    counted = ((name, character.resources.get(key, 0)) for name, key in COUNTED.items())
    return (
        *((one.name, one.count) for one in sheet.items),
        *((one.name, 1) for one in sheet.weapons),
        *((name, have) for name, have in counted if have),
    )


def hand(scene: Scene, options: CompareHandOptions, _dice: Dice) -> Outcome:
    """Hand something over; it costs no action.

    Source: CMP-CHAR-01 (CMP-R11), CMP-CHAR-05 (CMP-R14), CMP-EQ-08.
    """
    giver, receiver = scene.actor, scene.character(options.target)
    assert_can_act(giver)
    if giver.id == receiver.id:
        raise UserError("You can't hand things to yourself.", try_this="Choose someone else.")
    if status_of(receiver) is CompareStatus.DEAD:
        raise UserError(f"{receiver.name} is dead.", try_this="Choose someone else.")
    found = next((one for one in things_of(giver) if same_name(one[0], options.thing)), None)
    if found is None:
        raise UserError(f"{giver.name} doesn't carry “{options.thing}”.", "Your sheet lists what you carry.")
    name, have = found
    if options.count > have:
        raise UserError(f"{giver.name} has only {have} {name}.", "Hand over fewer.")
    left, more = _moved(giver, receiver, name, options.count)
    many = f"{options.count} {name}" if options.count > 1 or name in COUNTED else name
    return Outcome(
        scene=scene.with_character(left).with_character(more),
        headline=f"hands {many} to {receiver.name}",
    )


declare("hand", CompareHandOptions, hand)


def _moved(giver: Character, receiver: Character, name: str, count: int) -> tuple[Character, Character]:
    """Both characters once the things have changed hands."""
    key = COUNTED.get(name)
    if key is not None:
        if receiver.sheet.foe is not None:
            raise UserError(f"{receiver.name} is an opponent and keeps no count of {name}.")
        have, gets = (one.resources.get(key, 0) for one in (giver, receiver))
        return giver.with_resource(key, have - count), receiver.with_resource(key, gets + count)
    mine, theirs = giver.sheet, receiver.sheet
    weapon = mine.carried(name)
    if mine.belonging(name) is not None:
        mine, theirs = mine.with_items(name, -count), theirs.with_items(name, count)
        if mine.belonging(name) is None and same_name(mine.armour, name):
            mine = mine.changed(armour="")
    elif weapon is not None:
        if theirs.carried(name) is not None:
            raise UserError(f"{receiver.name} already carries {name}.", "Each weapon can be carried once.")
        kept = tuple(one for one in mine.weapons if one != weapon)
        mine, theirs = mine.changed(weapons=kept), theirs.with_carried(weapon)
    return replace(giver, sheet=mine), replace(receiver, sheet=theirs)
