"""Helping and treating characters outside a fight."""

from bot.rules.kernel import CharacterId, Document, Family, Roll, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.incapacity import HOUR, MINUTE, helped
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.lucky_break_buttons import Rescue, paid_for, rescue_buttons
from bot.rules.rpj.combat.commands.grapple_commands import TargetOptions, lend_a_hand
from bot.rules.rpj.combat.rules.helpless import (
    after_treatment,
    assert_treatable,
    helping_check,
    treating_check,
)
from bot.rules.rpj.combat.state.combatant import fighter_id
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.resolution.check import CHECK, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

TREAT, HELP = "fight.treat_outside", "fight.help_outside"


class TendOptions(Document):
    """The options of helping or treating someone.

    Attributes:
        target: Who it is.
        rolled: The roll whose dice lie on the table already, or None.
    """

    target: CharacterId
    rolled: RpjCheckInputs | None = None


def _fights(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the channel's fight."""
    encounter = FIGHTS_KEPT.find(scene)
    if encounter is None or not encounter.has_begun:
        return False
    return any(one.id == fighter_id(who) for one in encounter.combatants)


def treat(scene: Scene, options: TendOptions, dice: Dice) -> Outcome:
    """Give medical attention for an hour.

    Source: RPJ-GCS-39 (R-102, R-103).
    """
    actor, target = scene.actor, scene.character(options.target)
    figure, health = figure_in(scene, actor), target.sheet.health
    assert_treatable(figure, health, in_combat=_fights(scene, actor.id))
    inputs = options.rolled or treating_check(figure)
    seconds = figure.module.combat.treat_hours * HOUR if options.rolled is None else 0
    after = after_treatment(health)
    done = f"gives {target.name} medical attention"
    return _tended(scene, options, dice, TREAT, inputs, after, done, seconds)


declare(TREAT, TendOptions, treat)


def help_up(scene: Scene, options: TendOptions, dice: Dice) -> Outcome:
    """Give a helping hand: an action in a fight, otherwise once a minute.

    Source: RPJ-GCS-37 (R-097, R-098).
    """
    actor, target = scene.actor, scene.character(options.target)
    if options.rolled is None and _fights(scene, actor.id):
        return lend_a_hand(scene, TargetOptions(target=fighter_id(target.id)), dice)
    health = target.sheet.health
    if health.out not in (Out.INCAPACITATED, Out.KNOCKED_OUT):
        raise UserError(f"{target.name} isn't incapacitated.", "You can only help someone incapacitated.")
    inputs = options.rolled or helping_check(figure_in(scene, actor))
    seconds = MINUTE if options.rolled is None else 0
    done = f"gives {target.name} a helping hand"
    return _tended(scene, options, dice, HELP, inputs, helped(health), done, seconds)


declare(HELP, TendOptions, help_up)


def _tended(
    scene: Scene,
    options: TendOptions,
    dice: Dice,
    procedure: str,
    inputs: RpjCheckInputs,
    after: RpjHealth,
    headline: str,
    seconds: int,
) -> Outcome:
    """The outcome of helping or treating, which takes its time in any case."""
    actor, target = scene.actor, scene.character(options.target)
    paid = paid_for(scene, actor.id, inputs)
    roll: Roll = CHECK.resolve(inputs, dice)
    works = reading_of(roll).result.is_success
    done = with_health(paid, paid.character(target.id), after) if works else paid
    roller = paid.character(actor.id)
    rescue = Rescue(
        procedure=procedure,
        options=lambda again: evolve(options, rolled=again),
        window=window_of(target.id),
    )
    verdict = Verdict(Family.SUCCESS, "back in action") if works else Verdict(Family.FAILURE, "no change")
    return Outcome(
        scene=done.at_clock(scene.clock + seconds),
        paid=paid.at_clock(scene.clock + seconds),
        headline=headline,
        verdict=verdict,
        rolls=(roll,),
        follow_ups=rescue_buttons(roller, figure_in(scene, actor).lucky_breaks, roll, rescue),
        skill="medicine",
    )
