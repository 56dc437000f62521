"""The raised dead, who act in their caster's place until destroyed or dismissed."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bot.rules.kernel import CharacterId, Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.sheet import (
    Character,
    Outcome,
    Scene,
    SwimSheet,
    with_states,
)
from bot.rules.swim_class.checks.rolling import SwimRollOptions, roll
from bot.rules.swim_class.combat.commands.attacks import SwimAttackOptions, attack
from bot.rules.swim_class.movement.movement import SwimMoveOptions, move


class UndeadAttackOptions(SwimAttackOptions):
    """The undead that attacks, with the options of the attack."""

    undead: CharacterId


class UndeadMoveOptions(SwimMoveOptions):
    """The undead that moves, with the options of the move."""

    undead: CharacterId


class UndeadRollOptions(SwimRollOptions):
    """The undead that rolls, with the options of the roll."""

    undead: CharacterId


class DismissOptions(Document):
    """The undead to dismiss; None: put out the caster's light."""

    undead: CharacterId | None = None


def raiser_of(sheet: SwimSheet) -> CharacterId | None:
    """Who raised a character and plays it from then on, or None.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    return sheet.raised_by


Chosen = TypeVar("Chosen", UndeadAttackOptions, UndeadMoveOptions, UndeadRollOptions)


def raised(scene: Scene, who: CharacterId) -> Character:
    """Find one of the actor's undead.

    Raises:
        UserError: If the actor has not raised it.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    found, caster = scene.character(who), scene.actor
    if found.sheet.raised_by != caster.id:
        raise UserError(f"{caster.name} hasn't raised {found.name}.", "Use Raise Undead on a corpse first.")
    return found


def through(run: Callable[[Scene, Chosen, Dice], Outcome]) -> Callable[[Scene, Chosen, Dice], Outcome]:
    """Wrap a procedure so that an undead does it with its caster's action.

    Source: SWIM-MAGIC-19 (SWIM-R107), SWIM-COMB-16.
    """

    def act(scene: Scene, options: Chosen, dice: Dice) -> Outcome:
        caster, undead = scene.actor, raised(scene, options.undead)
        ordered = evolve(options, anyway=True)  # whatever comes of it
        outcome = run(replace(scene, actor_id=undead.id), ordered, dice)
        return replace(
            outcome,
            scene=replace(outcome.scene, actor_id=caster.id),
            headline=f"commands {undead.name}, who {outcome.headline}",
        )

    return act


def dismiss(scene: Scene, options: DismissOptions, _dice: Dice) -> Outcome:
    """Dismiss an undead, which becomes a corpse again, or put out the caster's light.

    Source: SWIM-MAGIC-07 (SWIM-R95), SWIM-MAGIC-19 (SWIM-R107).
    """
    if options.undead is not None:
        undead = raised(scene, options.undead)
        freed = evolve(undead.sheet, is_dead=True, raised_by=None)
        return Outcome(scene=scene.with_sheet(undead, freed), headline=f"dismisses {undead.name}")
    actor = scene.actor
    if not actor.sheet.states.light:
        raise UserError(
            f"{actor.name} has no light to put out.", "To dismiss one of your undead, give its name."
        )
    return Outcome(scene=with_states(scene, actor.id, light=0), headline="puts out the light")


declare("dismiss", DismissOptions, dismiss)


declare("undead_attack", UndeadAttackOptions, through(attack), can_repeat=True)
declare("undead_move", UndeadMoveOptions, through(move))
declare("undead_roll", UndeadRollOptions, through(roll), can_repeat=True)
