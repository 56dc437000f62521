"""The commands for grapples, coups de grace and helping hands."""

from pydantic import Field

from bot.rules.kernel import Document, NoOptions, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import down
from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.turn_commands import actor_of, begun_stage, someone
from bot.rules.rpj.combat.engine.answers import WonOptions
from bot.rules.rpj.combat.engine.damage_steps import Saving
from bot.rules.rpj.combat.engine.free_attack_steps import provoked
from bot.rules.rpj.combat.engine.grapple_steps import Grasp, Won, Wrestle
from bot.rules.rpj.combat.engine.helpless_steps import Ending, HelpingHand
from bot.rules.rpj.combat.engine.stack import first, go_on, outcome
from bot.rules.rpj.combat.rules.attacks import mook_felled
from bot.rules.rpj.combat.rules.free_attacks import Trigger
from bot.rules.rpj.combat.rules.grappling import (
    assert_graspable,
    assert_may_check,
    attempted,
    broken,
    checked,
    squeeze,
    squeezing,
)
from bot.rules.rpj.combat.rules.helpless import assert_may_attack, coup_begun, hand_lent
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.module.condition_kinds import Need


class TargetOptions(Document):
    """The options of a command with a target."""

    target: str


def grasp(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Grapple someone; a grapple check follows at once.

    Source: RPJ-GCS-50 (R-112), RPJ-GCS-53.
    """
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    assert_may_attack(stage.battle, actor.id)
    assert_graspable(stage.battle, actor.id, target.id)
    stage = stage.with_battle(attempted(stage.battle, actor.id, target.id))
    stage = stage.pushed(Grasp(actor=actor.id, target=target.id))
    return outcome(go_on(stage, dice), f"grapples {target.name}")


declare("fight.grapple", TargetOptions, grasp, can_repeat=True)


class WrestleOptions(Document):
    """The options of a grapple check; a mook for the GM."""

    mook: str = Field(default="", max_length=100)


def wrestle(scene: Scene, options: WrestleOptions, dice: Dice) -> Outcome:
    """Roll the turn's grapple check, or a mook's as the GM.

    Source: RPJ-GCS-52, RPJ-GCS-53.
    """
    stage = begun_stage(scene)
    actor = someone(stage, options.mook) if options.mook and scene.is_gm else actor_of(stage)
    other = assert_may_check(stage.battle, actor.id).other(actor.id)
    stage = stage.with_battle(checked(stage.battle, actor.id)).pushed(Wrestle(actor=actor.id))
    name = stage.fight.fighter(other).name
    return outcome(go_on(stage, dice), f"rolls a grapple check against {name}")


declare("fight.wrestle", WrestleOptions, wrestle, needs_actor=False)


def use_win(scene: Scene, options: WonOptions, dice: Dice) -> Outcome:
    """Use a won grapple check to break free or to deal damage.

    Source: RPJ-GCS-54, RPJ-GCS-55.
    """
    stage = Stage.of(scene)
    top = first(stage, Won, winner=options.winner)
    stage, hold = stage.popped(), stage.fight.grapple(top.winner)
    if hold is None:
        return outcome(go_on(stage, dice), "is already free")
    other = hold.other(top.winner)
    name = stage.fight.fighter(other).name
    if not options.damage:
        stage = stage.with_battle(broken(stage.battle, top.winner))
        left = stage.fight.fighter(top.winner).turn.actions
        note = f"{counted(left, 'action')} left." if left else "No actions left."
        return outcome(go_on(stage.noted(note), dice), f"breaks free of {name}")
    stage = stage.with_battle(squeezing(stage.battle, top.winner)).concerning(other)
    if stage.battle[other].mook is not None:
        stage = felled(stage, other)
    else:
        stage = stage.pushed(Saving(target=other, strikes=(squeeze(stage.battle),)))
    return outcome(go_on(stage, dice), f"crushes {name}")


declare("fight.won", WonOptions, use_win, needs_actor=False)


def felled(stage: Stage, mook: str) -> Stage:
    """The stage with a mook taken out by grapple damage.

    Source: RPJ-GCS-46 (R-110), RPJ-GCS-48.
    """
    spared = stage.battle.rules.grapple_is_nonlethal
    name = stage.battle[mook].name
    stage = stage.with_battle(mook_felled(stage.battle, mook, spared=spared))
    return stage.noted(down(f"{name} is {'knocked out' if spared else 'dead'}."))


def coup(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Attempt a coup de grace; combatants nearby may make free attacks first.

    Source: RPJ-GCS-36, RPJ-GCS-44.
    """
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    stage.battle[actor.id].assert_can(Need.HANDS)
    stage = stage.with_battle(coup_begun(stage.battle, actor.id, target.id))
    stage = stage.pushed(Ending(actor=actor.id, target=target.id))
    stage = go_on(provoked(stage, actor.id, Trigger.COUP), dice)
    return outcome(finished(stage, dice), f"attempts a coup de grace on {target.name}")


declare("fight.coup", TargetOptions, coup, can_repeat=True)


def finished(stage: Stage, dice: Dice) -> Stage:
    """The stage after the pending coup de grace is rolled."""
    top = stage.steps[-1] if stage.steps else None
    return go_on(top.run(stage.popped(), dice), dice) if isinstance(top, Ending) else stage


def finish_coup(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Continue a coup de grace after the free attacks against it.

    Source: RPJ-GCS-36, RPJ-GCS-44.
    """
    stage = Stage.of(scene)
    top = first(stage, Ending)
    actor, target = stage.battle[top.actor], stage.battle[top.target]
    whose = "the" if scene.actor_id == actor.fighter.character else f"{actor.name}'s"
    return outcome(finished(stage, dice), f"continues {whose} coup de grace on {target.name}")


declare("fight.finish_coup", NoOptions, finish_coup, needs_actor=False)


def lend_a_hand(scene: Scene, options: TargetOptions, dice: Dice) -> Outcome:
    """Help someone who is down.

    Source: RPJ-GCS-37.
    """
    stage = begun_stage(scene)
    actor, target = actor_of(stage), someone(stage, options.target)
    stage.battle[actor.id].assert_can(Need.HANDS)
    stage = stage.with_battle(hand_lent(stage.battle, actor.id, target.id))
    stage = stage.pushed(HelpingHand(actor=actor.id, target=target.id))
    return outcome(go_on(stage, dice), f"gives {target.name} a helping hand")


declare("fight.help", TargetOptions, lend_a_hand, can_repeat=True)
