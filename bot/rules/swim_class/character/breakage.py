"""Limited-use equipment: after each use, a die decides whether it falls apart."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.rules.kernel import CharacterId, Die, Document, Family, Odds, Roll, RollRule, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import harm, holds
from bot.rules.kernel.odds import Chance
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.resolution.hit_odds import SIDES
from bot.rules.swim_class.resolution.pools import PIPS
from bot.rules.swim_class.resolution.purposes import SwimPurpose

BREAKS_ON = 1


class BreakageInputs(Document):
    """The piece of equipment that was used."""

    item: str


def breakage_odds(_inputs: BreakageInputs) -> Odds:
    """The exact chance that a limited-use item falls apart.

    Source: SWIM-CRAFT-05.
    """
    return Odds((("falls apart", Chance(1, SIDES)), ("holds", Chance(SIDES - 1, SIDES))), "holds")


def roll_breakage(inputs: BreakageInputs, dice: Dice) -> Roll:
    """Roll whether an item falls apart: on a 1.

    Source: SWIM-CRAFT-05 (SWIM-R85).
    """
    face = dice.roll(SIDES)
    breaks = face == BREAKS_ON
    return Roll(
        rule=BREAKAGE.key,
        inputs=inputs,
        dice=(Die(sides=SIDES, face=face, label=inputs.item, shown=f"{inputs.item} {PIPS[face - 1]}"),),
        verdict=Verdict(Family.FAILURE if breaks else Family.SUCCESS, "falls apart" if breaks else "holds"),
        odds=breakage_odds(inputs),
        outcome="falls apart" if breaks else "holds",
        purpose=SwimPurpose.GEAR,
    )


BREAKAGE = RollRule(key="breakage", inputs=BreakageInputs, resolve=roll_breakage, odds=breakage_odds)


@dataclass(frozen=True, slots=True)
class Worn:
    """The effects of wear: the scene, the rolls and notes."""

    scene: Scene
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()


def wear(scene: Scene, who: CharacterId, uses: Iterable[str], dice: Dice) -> Worn:
    """Roll for every limited-use item that was used.

    Source: SWIM-CRAFT-04, SWIM-CRAFT-05.
    """
    rolls: list[Roll] = []
    notes: list[str] = []
    for name in uses:
        character = scene.character(who)
        item = character.sheet.find_item(name)
        if item is None or not item.is_limited:
            continue
        rolls.append(roll_breakage(BreakageInputs(item=item.name), dice).by(character))
        if rolls[-1].outcome == "falls apart":
            left = evolve(item, quantity=item.quantity - 1)
            scene = scene.with_sheet(character, character.sheet.with_item(left))
            notes.append(harm(f"{item.name} falls apart."))
        else:
            notes.append(holds(f"{item.name} holds."))
    return Worn(scene, tuple(rolls), tuple(notes))
