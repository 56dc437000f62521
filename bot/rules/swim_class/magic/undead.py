"""The raised dead: they act in their caster's place, until they are destroyed or let go."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bot.rules.kernel import CharacterId, Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.sheet import (
    Character,
    Outcome,
    Scene,
    SwimSheet,
    with_sheet,
    with_states,
)
from bot.rules.swim_class.checks.rolling import SwimRollOptions, roll
from bot.rules.swim_class.combat.commands.attacks import SwimAttackOptions, attack
from bot.rules.swim_class.movement.movement import SwimMoveOptions, move


class UndeadAttackOptions(SwimAttackOptions):
    """Which of the raised dead attacks, and how."""

    undead: CharacterId


class UndeadMoveOptions(SwimMoveOptions):
    """Which of the raised dead moves, and how."""

    undead: CharacterId


class UndeadRollOptions(SwimRollOptions):
    """Which of the raised dead rolls, and what."""

    undead: CharacterId


class DismissOptions(Document):
    """Which of the raised dead is let go; without one, the light of one's own magic goes out."""

    undead: CharacterId | None = None


def raiser_of(sheet: SwimSheet) -> CharacterId | None:
    """Who raised somebody from the dead, and plays them from then on; None for everybody else.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    return sheet.raised_by


Chosen = TypeVar("Chosen", UndeadAttackOptions, UndeadMoveOptions, UndeadRollOptions)


def raised(scene: Scene, who: CharacterId) -> Character:
    """One of the raised dead of whoever acts.

    Raises:
        UserError: If it is none of theirs.

    Source: SWIM-MAGIC-19 (SWIM-R107).
    """
    found, caster = scene.character(who), scene.actor
    if found.sheet.raised_by != caster.id:
        raise UserError(f"{caster.name} has not raised {found.name}.", "Raise Undead makes a corpse act.")
    return found


def through(run: Callable[[Scene, Chosen, Dice], Outcome]) -> Callable[[Scene, Chosen, Dice], Outcome]:
    """Let one of the raised dead do something in its caster's place; it takes the caster's action.

    Source: SWIM-MAGIC-19 (SWIM-R107), SWIM-COMB-16.
    """

    def act(scene: Scene, options: Chosen, dice: Dice) -> Outcome:
        caster, undead = scene.actor, raised(scene, options.undead)
        ordered = options.model_copy(update={"anyway": True})  # whatever comes of it
        outcome = run(replace(scene, actor_id=undead.id), ordered, dice)
        return replace(
            outcome,
            scene=replace(outcome.scene, actor_id=caster.id),
            headline=f"has {undead.name} act, who {outcome.headline}",
        )

    return act


def dismiss(scene: Scene, options: DismissOptions, _dice: Dice) -> Outcome:
    """Let one of the raised dead go, which is a corpse again, or put the light of one's magic out.

    Source: SWIM-MAGIC-07 (SWIM-R95), SWIM-MAGIC-19 (SWIM-R107).
    """
    if options.undead is not None:
        undead = raised(scene, options.undead)
        freed = undead.sheet.model_copy(update={"is_dead": True, "raised_by": None})
        return Outcome(scene=with_sheet(scene, undead, freed), headline=f"lets {undead.name} go")
    actor = scene.actor
    if not actor.sheet.states.light:
        raise UserError(f"{actor.name} has cast no light.", "One of the raised dead is let go by name.")
    return Outcome(scene=with_states(scene, actor.id, light=0), headline="puts the light out")


declare("dismiss", DismissOptions, dismiss)


declare("undead_attack", UndeadAttackOptions, through(attack))
declare("undead_move", UndeadMoveOptions, through(move))
declare("undead_roll", UndeadRollOptions, through(roll))
